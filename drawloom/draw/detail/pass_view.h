// drawloom/draw/detail/pass_view.h - the draws of one pass in one view: collected, sorted, joined. One task each; nothing is
// shared but what is read. Part of DrawFrame.
#pragma once

#include "drawloom/draw/detail/pending_batches.h"
#include "drawloom/draw/draw_frame.h"
#include "drawloom/draw/draw_sort.h"
#include "drawloom/draw/dynamic_batches.h"
#include "drawloom/resource/geometry_pool.h"
#include "drawloom/resource/indirect_list.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace dl::detail
{

constexpr std::uint32_t kNoOffset = UINT32_MAX;

/// What all passes read of a frame.
struct FrameInput
{
    const DrawTables* tables = nullptr;
    const GeometryPool* geometry = nullptr;
    const ViewSet* views = nullptr;
    const VisibleRunSink* sink = nullptr;
    std::span<const std::uint8_t> isRunValid; ///< by run
    std::span<const DynamicBatches::Batch> dynamic;
    DrawSubmission submission = DrawSubmission::Joined; ///< Indirect: the device can
    bool tagsDraws = false;
    const PendingBatches* pending = nullptr;
};

/// The first record behind `first` that no multi-draw can make together with it: runs of equal state and buffers.
std::size_t endOfRun(std::span<const DrawRecord> records, std::size_t first);

/// Instances of one section that go into one pass and view: a whole run, or one instance of it, or a dynamic batch.
struct Candidate
{
    std::uint32_t run = 0;   ///< into the sink's runs; kNoOffset: dynamic
    std::uint32_t batch = 0; ///< into DrawTables::batches, or into FrameInput::dynamic
    std::uint32_t pipelineSlot = 0;
    std::uint32_t firstInstance = 0, instanceCount = 0;             ///< into the sink's ids
    TextureSetId textureSet;                                        ///< none when the pipeline does not read it
    std::uint32_t geometryPage = 0, firstIndex = 0, indexCount = 0; ///< of indices: within the range
    std::uint16_t heapPage = 0;
};

struct Draw
{
    DrawRecord record;
    std::uint32_t firstItem = 0, itemCount = 0; ///< into items, after sorting
    bool ownsIds = false;                       ///< false: another draw wrote the same ids
};

class PassView
{
public:
    void reset(std::uint32_t passIndex, std::uint32_t passGeneration, std::uint32_t viewIndex);
    /// Collects, sorts, joins. Allocation-free when warm.
    void build(const FrameInput& input);
    /// Gives every draw its place among the frame's ids; `runOffsets` (by run) is where ids of a run stand already. Serial,
    /// in a fixed order. Returns the next free place.
    std::uint32_t placeIds(const FrameInput& input, std::span<std::uint32_t> runOffsets, std::uint32_t next);
    /// Writes the ids that placeIds decided to write.
    void writeIds(const FrameInput& input, std::span<std::uint32_t> ids) const;
    /// Gives the draws that a multi-draw makes their place among the frame's arguments, from `next` on, if they fit below `capacity`; else
    /// they are made directly. Returns the next free one.
    std::uint32_t placeArguments(std::uint32_t next, std::uint32_t capacity);
    /// Fills them; `firstId` is where the frame's ids begin.
    void writeArguments(const FrameInput& input, std::uint32_t firstId, std::span<IndirectArguments> arguments) const;
    /// Drops all draws and counts their instances under `code`.
    void dropAll(ReasonCode code);

    std::uint32_t passIndex() const { return m_passIndex; }
    std::uint32_t passGeneration() const { return m_passGeneration; }
    std::uint32_t viewIndex() const { return m_viewIndex; }
    std::span<const DrawRecord> records() const { return m_records; }
    /// Of the first draw; kNoOffset: the draws are made directly. Draw k of the records has the k-th behind it.
    std::uint32_t firstArgument() const { return m_firstArgument; }
    const std::array<std::uint64_t, static_cast<std::size_t>(ReasonCode::Count)>& skipped() const { return m_skipped; }
    /// Publishes the records and counts them.
    void finish(const DrawTables& tables);
    /// Draws, triangles, breaks and what was skipped; the rest of PassStats is the pass's.
    const PassStats& stats() const { return m_stats; }
    double cpuMs() const { return static_cast<double>(sortNs + joinNs + encodeNs) * 1e-6; }

    std::uint64_t sortNs = 0, joinNs = 0, encodeNs = 0;

private:
    void collectRuns(const FrameInput& input);
    void collectDynamic(const FrameInput& input);
    void addRun(const FrameInput& input, std::uint32_t run, std::uint32_t batch, float nearest);
    void pushItem(const Candidate& candidate, const DrawCommand& command, const KeyLayout& layout, KeyValues& values, float depth);
    void join(const FrameInput& input);
    bool isExpanded(const FrameInput& input) const;
    Draw drawOf(const FrameInput& input, const Candidate& candidate, JoinBreak reason) const;
    JoinBreak breakBetween(const FrameInput& input, const Candidate& a, const Candidate& b) const;

    std::uint32_t m_passIndex = 0, m_passGeneration = 0, m_viewIndex = 0;
    std::uint32_t m_firstArgument = kNoOffset;
    std::vector<Candidate> m_candidates;
    std::vector<SortItem> m_items;      ///< in the order of collection; payload: into m_candidates
    DrawSorter m_sorter;                ///< last frame's order; a view that changed its meaning is one that changed much
    std::span<const SortItem> m_sorted; ///< by key
    std::vector<Draw> m_draws;
    std::vector<DrawRecord> m_records;
    PassStats m_stats;
    std::array<std::uint64_t, static_cast<std::size_t>(ReasonCode::Count)> m_skipped = {};
};

} // namespace dl::detail
