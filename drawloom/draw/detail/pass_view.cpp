// drawloom/draw/detail/pass_view.cpp - see the header. The join compares the slots themselves, never the packed keys.
#include "drawloom/draw/detail/pass_view.h"

#include "drawloom/core/trace.h"
#include "drawloom/resource/geometry_pool.h"
#include "drawloom/resource/resource_ids.h"

#include <algorithm>

namespace dl::detail
{

namespace
{
float nearestDepth(const View& view, const Aabb& box)
{
    return glm::dot(view.forward, box.centre() - view.eye) - glm::dot(glm::abs(view.forward), box.halfExtent());
}

float depthOf(const View& view, vec3 point)
{
    return glm::dot(view.forward, point - view.eye);
}

static_assert(static_cast<std::uint32_t>(JoinBreak::Count) <= kIdBreakMask + 1, "a tag holds every break");

/// What a debug view may know of a draw besides its instance.
std::uint32_t tagOf(std::size_t drawIndex, JoinBreak reason)
{
    return (static_cast<std::uint32_t>(drawIndex) & kIdDrawMask) << kIdDrawShift | static_cast<std::uint32_t>(reason) << kIdBreakShift;
}
} // namespace

std::size_t endOfRun(std::span<const DrawRecord> records, std::size_t first)
{
    std::size_t end = first + 1;
    while (end < records.size() && records[end].breakReason == JoinBreak::MeshRange)
        ++end;
    return end;
}

void PassView::reset(std::uint32_t passIndex, std::uint32_t passGeneration, std::uint32_t viewIndex)
{
    m_passIndex = passIndex;
    m_passGeneration = passGeneration;
    m_viewIndex = viewIndex;
    m_candidates.clear();
    m_items.clear();
    m_sorted = {};
    m_draws.clear();
    m_records.clear();
    m_skipped.fill(0);
    m_firstArgument = kNoOffset;
    sortNs = joinNs = encodeNs = 0;
}

bool PassView::isExpanded(const FrameInput& input) const
{
    return input.tables->passes[m_passIndex].isExpanded || input.submission == DrawSubmission::Each;
}

void PassView::build(const FrameInput& input)
{
    const std::uint64_t begin = nowNs();
    collectRuns(input);
    collectDynamic(input);
    m_sorted = m_sorter.sort(m_items);
    const std::uint64_t sorted = nowNs();
    join(input);
    sortNs = sorted - begin;
    joinNs = nowNs() - sorted;
}

void PassView::collectRuns(const FrameInput& input)
{
    const DrawTables::Pass& pass = input.tables->passes[m_passIndex];
    const View& view = input.views->views[m_viewIndex];
    const std::span<const VisibleRun> runs = input.sink->runs();
    for (std::uint32_t i = 0; i < runs.size(); ++i)
    {
        const VisibleRun& run = runs[i];
        if (((run.viewMask >> m_viewIndex) & 1U) == 0 || input.isRunValid[i] == 0)
            continue;
        const float depth = pass.needsDepth && !isExpanded(input) ? nearestDepth(view, run.centreBounds) : 0.0f;
        const DrawTables::Lod lod = input.tables->sets[run.meshSet.index].lods[run.lod];
        for (std::uint32_t batch = lod.firstBatch; batch < lod.firstBatch + lod.batchCount; ++batch)
            if (pass.commands[batch].refusal == ReasonCode::None)
                addRun(input, i, batch, depth);
    }
}

void PassView::addRun(const FrameInput& input, std::uint32_t runIndex, std::uint32_t batch, float nearest)
{
    const DrawTables& tables = *input.tables;
    const DrawTables::Pass& pass = tables.passes[m_passIndex];
    const DrawCommand& command = pass.commands[batch];
    const VisibleRun& run = input.sink->runs()[runIndex];
    const bool isMirrored = run.isMirrored != 0;
    const std::uint32_t slotIndex = input.pending->slotOf(m_passIndex, batch, isMirrored, command.pipelines[isMirrored ? 1 : 0]);
    if (slotIndex == kNoPipelineSlot)
    {
        m_skipped[static_cast<std::size_t>(ReasonCode::PipelinePending)] += run.instanceCount;
        return;
    }
    const PipelineSlot& slot = tables.pipelines[slotIndex];
    if (slot.state != PipelineState::Ready)
    {
        const ReasonCode code = slot.state == PipelineState::Pending ? ReasonCode::PipelinePending : ReasonCode::PipelineFailed;
        m_skipped[static_cast<std::size_t>(code)] += run.instanceCount;
        return;
    }
    Candidate candidate;
    candidate.run = runIndex;
    candidate.batch = batch;
    candidate.pipelineSlot = slotIndex;
    candidate.firstInstance = run.firstInstance;
    candidate.instanceCount = run.instanceCount;
    candidate.heapPage = static_cast<std::uint16_t>(heapPage(input.sink->ids()[run.firstInstance]));
    if ((slot.groupMask & 4U) != 0)
        candidate.textureSet = tables.materials[command.material.index].textureSet;
    if (command.range)
    {
        const MeshRange range = input.geometry->rangeAfterFlush(command.range);
        if (!range.isResident)
        {
            m_skipped[static_cast<std::size_t>(ReasonCode::MeshNotResident)] += run.instanceCount;
            return;
        }
        candidate.geometryPage = range.pageIndex;
        const MeshSection& section = tables.batches[batch].section;
        candidate.firstIndex = section.firstIndex;
        candidate.indexCount = section.indexCount != 0 ? section.indexCount : range.indexCount;
    }
    else
        candidate.indexCount = tables.externals[command.external.index].indexCount;

    KeyValues values;
    values[KeySource::Pipeline] = slot.rank;
    if (!isExpanded(input))
    {
        pushItem(candidate, command, *pass.keyLayout, values, nearest);
        return;
    }
    const View& view = input.views->views[m_viewIndex];
    candidate.instanceCount = 1;
    for (std::uint32_t i = run.firstInstance; i < run.firstInstance + run.instanceCount; ++i)
    {
        candidate.firstInstance = i;
        pushItem(candidate, command, *pass.keyLayout, values, depthOf(view, input.sink->centres()[i]));
    }
}

void PassView::pushItem(const Candidate& candidate, const DrawCommand& command, const KeyLayout& layout, KeyValues& values, float depth)
{
    values[KeySource::ExplicitOrder] = command.explicitOrder;
    values[KeySource::DepthNear] = values[KeySource::DepthFar] = depthBits(depth);
    values[KeySource::TextureSet] = candidate.textureSet.index;
    values[KeySource::HeapPage] = candidate.heapPage;
    values[KeySource::GeometryPage] = candidate.geometryPage;
    // Odd for external buffers, so that the two tables do not interleave.
    values[KeySource::MeshRange] = command.range ? command.range.index * 2U : command.external.index * 2U + 1U;
    if (candidate.firstIndex != 0) // far from the range's other pieces, or they would interleave; a clash costs a draw, no more
        values[KeySource::MeshRange] ^= (candidate.firstIndex * 2654435761U) & ~1U;
    values[KeySource::Submission] = candidate.batch | (candidate.run == kNoOffset ? 1U << 31U : 0U); // dynamic batches come last
    m_items.push_back({layout.pack(values), static_cast<std::uint32_t>(m_candidates.size()), 0});
    m_candidates.push_back(candidate);
}

void PassView::collectDynamic(const FrameInput& input)
{
    const DrawTables::Pass& pass = input.tables->passes[m_passIndex];
    const View& view = input.views->views[m_viewIndex];
    for (std::uint32_t i = 0; i < input.dynamic.size(); ++i)
    {
        const DynamicBatches::Batch& batch = input.dynamic[i];
        if (batch.pass.index != m_passIndex || batch.pass.generation != m_passGeneration || ((batch.viewMask >> m_viewIndex) & 1U) == 0)
            continue;
        const PipelineSlot& slot = input.tables->pipelines[batch.command.pipelines[0]];
        if (slot.state != PipelineState::Ready)
        {
            m_skipped[static_cast<std::size_t>(ReasonCode::PipelinePending)] += 1;
            continue;
        }
        Candidate candidate;
        candidate.run = kNoOffset;
        candidate.batch = i;
        candidate.pipelineSlot = batch.command.pipelines[0];
        candidate.firstInstance = batch.instanceId;
        candidate.instanceCount = 1;
        candidate.heapPage = static_cast<std::uint16_t>(heapPage(batch.instanceId));
        candidate.indexCount = batch.geometry.indexCount;
        if ((slot.groupMask & 4U) != 0)
            candidate.textureSet = input.tables->materials[batch.command.material.index].textureSet;
        KeyValues values;
        values[KeySource::Pipeline] = slot.rank;
        pushItem(candidate, batch.command, *pass.keyLayout, values, depthOf(view, batch.centre));
    }
}

JoinBreak PassView::breakBetween(const FrameInput& input, const Candidate& a, const Candidate& b) const
{
    if (a.pipelineSlot != b.pipelineSlot)
        return JoinBreak::Pipeline;
    if (a.textureSet != b.textureSet)
        return JoinBreak::TextureSet;
    if (a.heapPage != b.heapPage)
        return JoinBreak::HeapPage;
    if (a.run == kNoOffset || b.run == kNoOffset)
        return JoinBreak::Dynamic;
    const std::vector<DrawCommand>& commands = input.tables->passes[m_passIndex].commands;
    const DrawCommand& first = commands[a.batch];
    const DrawCommand& second = commands[b.batch];
    if (a.geometryPage != b.geometryPage || static_cast<bool>(first.external) || static_cast<bool>(second.external))
        return first.external == second.external && first.range == second.range ? JoinBreak::Count : JoinBreak::GeometryPage;
    const bool isSameTriangles = first.range == second.range && a.firstIndex == b.firstIndex && a.indexCount == b.indexCount;
    return isSameTriangles ? JoinBreak::Count : JoinBreak::MeshRange;
}

void PassView::join(const FrameInput& input)
{
    for (std::uint32_t i = 0; i < m_sorted.size(); ++i)
    {
        const Candidate& candidate = m_candidates[m_sorted[i].payload];
        JoinBreak reason = JoinBreak::FirstDraw;
        if (i > 0)
            reason = input.submission == DrawSubmission::Each ? JoinBreak::Off
                                                              : breakBetween(input, m_candidates[m_sorted[i - 1].payload], candidate);
        if (reason == JoinBreak::Count)
        {
            m_draws.back().itemCount += 1;
            m_draws.back().record.instanceCount += candidate.instanceCount;
            continue;
        }
        m_draws.push_back(drawOf(input, candidate, reason));
        m_draws.back().firstItem = i;
    }
}

Draw PassView::drawOf(const FrameInput& input, const Candidate& candidate, JoinBreak reason) const
{
    Draw draw;
    draw.itemCount = 1;
    DrawRecord& record = draw.record;
    record.pipelineSlot = candidate.pipelineSlot;
    record.textureSet = candidate.textureSet;
    record.instanceCount = candidate.instanceCount;
    record.firstIndex = candidate.firstIndex;
    record.indexCount = candidate.indexCount;
    record.geometryPage = candidate.geometryPage;
    record.heapPage = candidate.heapPage;
    record.breakReason = reason;
    record.isDynamic = candidate.run == kNoOffset ? 1 : 0;
    if (record.isDynamic != 0)
    {
        record.dynamicIndex = candidate.batch;
        return draw;
    }
    const DrawCommand& command = input.tables->passes[m_passIndex].commands[candidate.batch];
    record.range = command.range;
    record.external = command.external;
    return draw;
}

std::uint32_t PassView::placeIds(const FrameInput& input, std::span<std::uint32_t> runOffsets, std::uint32_t next)
{
    const bool sharesIds = !isExpanded(input) && !input.tagsDraws;
    for (Draw& draw : m_draws)
    {
        const std::span<const SortItem> items = m_sorted.subspan(draw.firstItem, draw.itemCount);
        const bool isShared = sharesIds && draw.record.isDynamic == 0;
        if (isShared)
        {
            // Ids of these runs may stand in the list already, one behind the other: another pass made the same draw.
            const std::uint32_t first = runOffsets[m_candidates[items[0].payload].run];
            std::uint32_t expected = first;
            bool isThere = first != kNoOffset;
            for (std::size_t i = 0; isThere && i < items.size(); ++i)
            {
                const Candidate& candidate = m_candidates[items[i].payload];
                isThere = runOffsets[candidate.run] == expected;
                expected += candidate.instanceCount;
            }
            if (isThere)
            {
                draw.record.firstId = first;
                draw.ownsIds = false;
                continue;
            }
        }
        draw.record.firstId = next;
        draw.ownsIds = true;
        for (const SortItem& item : items)
        {
            const Candidate& candidate = m_candidates[item.payload];
            if (isShared && runOffsets[candidate.run] == kNoOffset)
                runOffsets[candidate.run] = next;
            next += candidate.instanceCount;
        }
    }
    return next;
}

void PassView::writeIds(const FrameInput& input, std::span<std::uint32_t> ids) const
{
    for (std::size_t index = 0; index < m_draws.size(); ++index)
    {
        const Draw& draw = m_draws[index];
        if (!draw.ownsIds)
            continue;
        const std::uint32_t tag = input.tagsDraws ? tagOf(index, draw.record.breakReason) : 0;
        std::uint32_t* out = ids.data() + draw.record.firstId;
        for (std::uint32_t i = draw.firstItem; i < draw.firstItem + draw.itemCount; ++i)
        {
            const Candidate& candidate = m_candidates[m_sorted[i].payload];
            if (candidate.run == kNoOffset)
            {
                *out++ = heapIndex(candidate.firstInstance) | tag;
                continue;
            }
            const std::uint32_t more = static_cast<std::uint32_t>(input.sink->runs()[candidate.run].lod) << kIdLodShift | tag;
            for (const std::uint32_t id : input.sink->ids().subspan(candidate.firstInstance, candidate.instanceCount))
                *out++ = heapIndex(id) | more;
        }
    }
}

std::uint32_t PassView::placeArguments(std::uint32_t next, std::uint32_t capacity)
{
    const bool hasRun =
        std::any_of(m_draws.begin(), m_draws.end(), [](const Draw& draw) { return draw.record.breakReason == JoinBreak::MeshRange; });
    if (!hasRun || m_draws.size() > capacity - next)
        return next;
    m_firstArgument = next;
    return next + static_cast<std::uint32_t>(m_draws.size());
}

void PassView::writeArguments(const FrameInput& input, std::uint32_t firstId, std::span<IndirectArguments> arguments) const
{
    if (m_firstArgument == kNoOffset)
        return;
    for (std::size_t i = 0; i < m_draws.size(); ++i)
    {
        const DrawRecord& record = m_draws[i].record;
        if (!record.range) // encoded directly
        {
            arguments[m_firstArgument + i] = {};
            continue;
        }
        const MeshRange range = input.geometry->rangeAfterFlush(record.range);
        arguments[m_firstArgument + i] = {record.indexCount, record.instanceCount, range.firstIndex + record.firstIndex,
            static_cast<std::int32_t>(range.baseVertex), firstId + record.firstId};
    }
}

void PassView::dropAll(ReasonCode code)
{
    for (const Draw& draw : m_draws)
        m_skipped[static_cast<std::size_t>(code)] += draw.record.instanceCount;
    m_draws.clear();
}

void PassView::finish(const DrawTables& tables)
{
    PassStats& stats = m_stats;
    stats = {};
    m_records.clear();
    for (const Draw& draw : m_draws)
    {
        m_records.push_back(draw.record);
        stats.drawsBefore += draw.record.instanceCount;
        stats.draws += 1;
        const PipelineSlot& slot = tables.pipelines[draw.record.pipelineSlot];
        if (slot.key.topology == static_cast<std::uint32_t>(gpu::Topology::TriangleList))
            stats.triangles += static_cast<std::uint64_t>(draw.record.indexCount / 3) * draw.record.instanceCount;
        stats.breaks[static_cast<std::size_t>(draw.record.breakReason)] += 1;
        stats.drawCalls += m_firstArgument != kNoOffset && draw.record.breakReason == JoinBreak::MeshRange ? 0 : 1;
    }
    for (const std::uint64_t count : m_skipped)
        stats.skippedDraws += count;
}

} // namespace dl::detail
