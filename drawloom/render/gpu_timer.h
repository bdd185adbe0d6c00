// drawloom/render/gpu_timer.h - GPU time of the graph's passes by timestamps: resolved into a buffer, read back, matched to
// pass names one or more frames later. Does nothing on devices without Feature::TimestampQuery.
#pragma once

#include "drawloom/gpu/owned.h"
#include "drawloom/graph/render_graph.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dl
{

class GpuTimer
{
public:
    static constexpr std::uint32_t kMaxQueryCount = 128; ///< two a pass

    static Result<GpuTimer> create(gpu::Device& device);
    bool isEnabled() const { return static_cast<bool>(m_querySet); }

    /// For RenderGraph::execute.
    graph::GraphTimestamps timestamps() const;
    /// After execute: appends the resolve and the readback of what the graph's passes wrote.
    void readBack(const graph::RenderGraph& graph, gpu::CommandStream& stream);
    void onCompletion(const gpu::Completion& completion);
    /// What readBack has recorded so far; `undo` forgets what came later, for streams that were not submitted.
    struct Use
    {
        std::uint64_t lastToken = 0;
        bool isBufferUsed = false;
    };
    const Use& use() const { return m_use; }
    void undo(const Use& before);

    /// Milliseconds of the pass in the last frame that came back; -1: unknown.
    double passMs(std::string_view name) const;

private:
    struct Sample
    {
        std::string name;
        std::uint32_t begin = 0, end = 0;
    };
    struct Frame
    {
        std::uint64_t token = 0; ///< 0: free
        std::vector<Sample> samples;
        std::size_t sampleCount = 0;
    };

    gpu::Owned<gpu::QuerySetId> m_querySet;
    gpu::Owned<gpu::BufferId> m_buffer;
    double m_msPerTick = 0;
    Use m_use;
    std::vector<Frame> m_frames;
    std::vector<std::pair<std::string, double>> m_passMs;
};

/// Readback tokens of the timer start here, so that a user's own (small) tokens do not meet them.
constexpr std::uint64_t kTimerTokenBase = 1ULL << 62U;

} // namespace dl
