// drawloom/scene/registry_cull.cpp - all instances against all views at once, LOD by view group, runs by mesh set. The order
// of runs and of the ids in them is by mesh set and instance index: threads do not show.
#include "drawloom/core/parallel.h"
#include "drawloom/core/trace.h"
#include "drawloom/resource/gpu_resources.h"
#include "drawloom/scene/detail/registry_impl.h"

#include <algorithm>
#include <array>

namespace dl
{

namespace
{
constexpr std::size_t kChunk = 8192;

/// Groups instances that go into one run; two masks that fold alike are told apart when runs are cut.
std::uint64_t runKey(MeshSetId meshSet, std::uint32_t lod, bool isMirrored, std::uint32_t page, std::uint64_t mask)
{
    const std::uint64_t fold = (mask ^ (mask >> 32U)) & 0xFFFFFFFFU;
    return (static_cast<std::uint64_t>(meshSet.index & 0x7FFFFFU) << 41U) | (static_cast<std::uint64_t>(lod) << 38U) |
           (static_cast<std::uint64_t>(isMirrored ? 1 : 0) << 37U) | (static_cast<std::uint64_t>(page & 31U) << 32U) | fold;
}

float screenSizeOf(const ViewGroup& group, vec3 centre, float radius)
{
    return group.isOrthographic ? cull::orthographicScreenSize(radius, group.lodScale)
                                : cull::screenSize(radius, glm::length(centre - group.lodEye), group.lodScale);
}
} // namespace

void SceneRegistry::Impl::setReferenceCell(i32vec3 cell)
{
    if (cell == referenceCell)
        return;
    referenceCell = cell;
    parallelFor(instances.size(), kChunk,
        [this](std::size_t begin, std::size_t end)
        {
            for (std::size_t i = begin; i < end; ++i)
                if (instances[i].generation != 0)
                    writeBounds(instances[i], static_cast<std::uint32_t>(i));
        });
}

void SceneRegistry::cull(const ViewSet& views, VisibleRunSink& sink)
{
    DL_TRACE_SCOPE("scene cull");
    Impl& impl = *m_impl;
    const std::uint64_t begin = nowNs();
    impl.setReferenceCell(views.frameOrigin.cell);
    impl.cullViews.clear();
    impl.groupMasks.assign(views.groups.size(), 0);
    for (std::size_t i = 0; i < views.views.size(); ++i)
    {
        const View& view = views.views[i];
        DL_ASSERT(view.groupIndex < views.groups.size(), "a view names a group that the view set does not hold");
        impl.groupMasks[view.groupIndex] |= 1ULL << i;
        cull::CullView cullView = cull::extractView(view.viewProjection, view.layerMask);
        for (std::uint32_t plane = 0; plane < cullView.planeCount; ++plane)
            cullView.planes[plane].w -= glm::dot(vec3(cullView.planes[plane]), views.frameOrigin.offset);
        impl.cullViews.push_back(cullView);
    }
    const Impl::Bounds& b = impl.bounds;
    cull::cullBoxes({b.centreX, b.centreY, b.centreZ, b.halfX, b.halfY, b.halfZ, b.layers}, impl.cullViews, impl.visible);

    const std::size_t count = impl.visible.ids().size();
    const std::size_t chunkCount = (count + kChunk - 1) / kChunk;
    if (impl.chunks.size() < chunkCount)
        impl.chunks.resize(chunkCount);
    parallelFor(count, kChunk,
        [&](std::size_t first, std::size_t last)
        {
            std::vector<Impl::Visible>& chunk = impl.chunks[first / kChunk];
            chunk.clear();
            impl.collect(views, first, last, chunk);
        });
    impl.emitRuns(chunkCount, sink);
    impl.stats.cullMs = static_cast<double>(nowNs() - begin) * 1e-6;
}

void SceneRegistry::Impl::pushVisible(
    std::uint32_t index, vec3 centre, std::uint32_t lod, std::uint64_t mask, std::vector<Visible>& out) const
{
    const CullFacts& facts = bounds.facts[index];
    out.push_back(
        {runKey(facts.variant, lod, facts.isMirrored != 0, heapPage(facts.heapId), mask), mask, index, facts.heapId, centre, lod});
}

void SceneRegistry::Impl::collect(const ViewSet& views, std::size_t begin, std::size_t end, std::vector<Visible>& out) const
{
    const VisibilityGroups& groups = resources.visibility();
    for (std::size_t i = begin; i < end; ++i)
    {
        const std::uint32_t index = visible.ids()[i]; // never dead or hidden: those have no layer
        const std::uint64_t mask = visible.viewMask(i);
        const vec3 centre = vec3(bounds.centreX[index], bounds.centreY[index], bounds.centreZ[index]) - views.frameOrigin.offset;
        if (bounds.facts[index].isPlain != 0)
            pushVisible(index, centre, 0, mask, out);
        else if (groups.isVisible(instances[index].desc.visibilityGroup))
            collectByLod(views, index, centre, mask, out);
    }
}

void SceneRegistry::Impl::collectByLod(
    const ViewSet& views, std::uint32_t index, vec3 centre, std::uint64_t mask, std::vector<Visible>& out) const
{
    const InstanceDesc& desc = instances[index].desc;
    const MeshSetInfo& info = *library.findMeshSet(bounds.facts[index].variant);
    const float radius = glm::length(vec3(bounds.halfX[index], bounds.halfY[index], bounds.halfZ[index]));
    std::array<std::uint64_t, kMaxLodCount> masksByLod = {};
    for (std::size_t g = 0; g < views.groups.size(); ++g)
    {
        const std::uint64_t groupMask = mask & groupMasks[g];
        if (groupMask == 0)
            continue;
        if (desc.lodRange)
        {
            const vec3 point = desc.lodRange->referencePoint + cellOriginRelativeTo(desc.transform.cell, views.frameOrigin);
            if (cull::lodWeight(*desc.lodRange, glm::length(point - views.groups[g].lodEye)) <= 0.0f)
                continue;
        }
        const std::uint32_t lod =
            cull::selectLodBySize(std::span(info.minScreenSizes).first(info.lodCount), screenSizeOf(views.groups[g], centre, radius)).lod;
        if (lod != cull::kNoLod)
            masksByLod[lod] |= groupMask;
    }
    for (std::uint32_t lod = 0; lod < info.lodCount; ++lod)
        if (masksByLod[lod] != 0)
            pushVisible(index, centre, lod, masksByLod[lod], out);
}

void SceneRegistry::Impl::emitRuns(std::size_t chunkCount, VisibleRunSink& sink)
{
    items.clear();
    for (std::uint32_t chunk = 0; chunk < chunkCount; ++chunk)
        for (std::uint32_t i = 0; i < chunks[chunk].size(); ++i)
            items.push_back({chunks[chunk][i].key, i, chunk});
    radixSort(items, scratch);
    const auto visibleAt = [this](std::size_t i) -> const Visible& { return chunks[items[i].payload2][items[i].payload]; };
    const bool isFolded = cullViews.size() > 32; // else the key holds the whole mask
    const auto isSameRun = [&](std::size_t i)
    { return items[i - 1].key == items[i].key && (!isFolded || visibleAt(i - 1).mask == visibleAt(i).mask); };
    std::uint32_t runCount = items.empty() ? 0 : 1;
    for (std::size_t i = 1; i < items.size(); ++i)
        runCount += isSameRun(i) ? 0 : 1;

    const VisibleRunSink::Slice slice = sink.allocate(runCount, static_cast<std::uint32_t>(items.size()));
    parallelFor(items.size(), kChunk,
        [&](std::size_t begin, std::size_t end)
        {
            for (std::size_t i = begin; i < end; ++i)
            {
                slice.ids[i] = visibleAt(i).heapId;
                slice.centres[i] = visibleAt(i).centre;
            }
        });
    std::size_t run = 0;
    for (std::size_t i = 0; i < items.size(); ++i)
    {
        if (i == 0 || !isSameRun(i))
        {
            const Visible& first = visibleAt(i);
            const CullFacts& facts = bounds.facts[first.instance];
            VisibleRun& next = slice.runs[i == 0 ? 0 : ++run];
            next = VisibleRun{};
            next.meshSet = facts.variant;
            next.firstInstance = slice.firstInstance + static_cast<std::uint32_t>(i);
            next.viewMask = first.mask;
            next.lod = static_cast<std::uint8_t>(first.lod);
            next.isMirrored = facts.isMirrored;
        }
        slice.runs[run].instanceCount += 1;
        slice.runs[run].centreBounds.include(slice.centres[i]);
    }
}

} // namespace dl
