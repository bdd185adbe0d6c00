// drawloom/gpu/detail/null_player.h - walks a stream for the null device: copies on the CPU, everything else counted.
#pragma once

#include "drawloom/gpu/detail/content_store.h"
#include "drawloom/gpu/null_device.h"

namespace dl::gpu
{

/// Keeps what a stream sets between its commands; counts go to `stats`.
class NullPlayer
{
public:
    NullPlayer(NullDeviceStats& stats, ContentStore& contents) : m_stats(stats), m_contents(contents) {}
    NullDeviceStats& stats() { return m_stats; }

    void setTopology(PipelineId id, Topology topology) { m_topologies.insert(id, topology); }
    void removePipeline(PipelineId id) { m_topologies.erase(id); }
    /// Fails with BadFile on a malformed stream; readbacks are appended to `completions`.
    Result<void> play(
        std::span<const std::byte> stream, bool keepsContents, SubmissionIndex submission, std::vector<Completion>& completions);

private:
    void copyCommand(const CommandView& view, SubmissionIndex submission, std::vector<Completion>& completions);
    void readback(const ReadbackBufferCmd& cmd, SubmissionIndex submission, std::vector<Completion>& completions);
    void resolveQueries(const ResolveQueriesCmd& cmd);
    void beginPass(std::string_view label, bool isCompute);
    void passCommand(const CommandView& view);
    void countDraw(std::uint64_t vertexCount, std::uint64_t instanceCount);
    void indirectDraw(const DrawIndexedIndirectCmd& cmd);
    void count(std::uint64_t NullPassStats::* member, std::uint64_t amount = 1);

    NullDeviceStats& m_stats;
    ContentStore& m_contents;
    IdMap<PipelineId, Topology> m_topologies;
    NullPassStats* m_pass = nullptr;
    Topology m_topology = Topology::TriangleList;
    bool m_keepsContents = true;
};

} // namespace dl::gpu
