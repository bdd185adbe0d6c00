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
    const float distance = glm::length(centre - group.lodEye);
    if (!group.isOrthographic && distance <= radius)
        return 1.0f;
    return radius * group.lodScale / (group.isOrthographic ? 1.0f : distance);
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
    const std::size_t count = impl.instances.size();
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
    cull::cullBoxes({b.centreX, b.centreY, b.centreZ, b.halfX, b.halfY, b.halfZ, b.layers}, impl.cullViews, impl.viewMasks);

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
    impl.visible.clear();
    for (std::size_t i = 0; i < chunkCount; ++i)
        impl.visible.insert(impl.visible.end(), impl.chunks[i].begin(), impl.chunks[i].end());
    impl.emitRuns(views, sink);
    impl.stats.cullMs = static_cast<double>(nowNs() - begin) * 1e-6;
}

void SceneRegistry::Impl::collect(const ViewSet& views, std::size_t begin, std::size_t end, std::vector<Visible>& out) const
{
    const VisibilityGroups& groups = resources.visibility();
    for (std::size_t i = begin; i < end; ++i)
    {
        // A dead or hidden instance has no layer, so its mask is empty.
        if (viewMasks[i] != 0 && groups.isVisible(instances[i].desc.visibilityGroup))
            collectInstance(views, static_cast<std::uint32_t>(i), viewMasks[i], out);
    }
}

void SceneRegistry::Impl::collectInstance(const ViewSet& views, std::uint32_t index, std::uint64_t mask, std::vector<Visible>& out) const
{
    const Instance& instance = instances[index];
    const MeshSetInfo& info = *library.findMeshSet(instance.variant);
    const vec3 centre = vec3(bounds.centreX[index], bounds.centreY[index], bounds.centreZ[index]) - views.frameOrigin.offset;
    const float radius = glm::length(vec3(bounds.halfX[index], bounds.halfY[index], bounds.halfZ[index]));
    std::array<std::uint64_t, kMaxLodCount> masksByLod = {};
    for (std::size_t g = 0; g < views.groups.size(); ++g)
    {
        const std::uint64_t groupMask = mask & groupMasks[g];
        if (groupMask == 0)
            continue;
        if (instance.desc.lodRange)
        {
            const cull::LodRange& range = *instance.desc.lodRange;
            const vec3 point = range.referencePoint + cellOriginRelativeTo(instance.desc.transform.cell, views.frameOrigin);
            if (cull::lodWeight(range, glm::length(point - views.groups[g].lodEye)) <= 0.0f)
                continue;
        }
        const std::uint32_t lod =
            cull::selectLodBySize(std::span(info.minScreenSizes).first(info.lodCount), screenSizeOf(views.groups[g], centre, radius)).lod;
        if (lod != cull::kNoLod)
            masksByLod[lod] |= groupMask;
    }
    for (std::uint32_t lod = 0; lod < info.lodCount; ++lod)
        if (masksByLod[lod] != 0)
            out.push_back({runKey(instance.variant, lod, instance.isMirrored, heapPage(instance.place.heapId), masksByLod[lod]),
                masksByLod[lod], index, lod});
}

void SceneRegistry::Impl::emitRuns(const ViewSet& views, VisibleRunSink& sink)
{
    items.clear();
    for (std::uint32_t i = 0; i < visible.size(); ++i)
        items.push_back({visible[i].key, i, 0});
    radixSort(items, scratch);
    const auto isSameRun = [this](std::size_t i)
    {
        const Visible& a = visible[items[i - 1].payload];
        const Visible& b = visible[items[i].payload];
        return a.key == b.key && a.mask == b.mask;
    };
    std::uint32_t runCount = items.empty() ? 0 : 1;
    for (std::size_t i = 1; i < items.size(); ++i)
        runCount += isSameRun(i) ? 0 : 1;

    const VisibleRunSink::Slice slice = sink.allocate(runCount, static_cast<std::uint32_t>(items.size()));
    parallelFor(items.size(), kChunk,
        [&](std::size_t begin, std::size_t end)
        {
            for (std::size_t i = begin; i < end; ++i)
            {
                const std::uint32_t index = visible[items[i].payload].instance;
                slice.ids[i] = instances[index].place.heapId;
                slice.centres[i] = vec3(bounds.centreX[index], bounds.centreY[index], bounds.centreZ[index]) - views.frameOrigin.offset;
            }
        });
    std::size_t run = 0;
    for (std::size_t i = 0; i < items.size(); ++i)
    {
        if (i == 0 || !isSameRun(i))
        {
            const Visible& first = visible[items[i].payload];
            VisibleRun& next = slice.runs[i == 0 ? 0 : ++run];
            next = VisibleRun{};
            next.meshSet = instances[first.instance].variant;
            next.firstInstance = slice.firstInstance + static_cast<std::uint32_t>(i);
            next.viewMask = first.mask;
            next.lod = static_cast<std::uint8_t>(first.lod);
            next.isMirrored = instances[first.instance].isMirrored ? 1 : 0;
        }
        slice.runs[run].instanceCount += 1;
        slice.runs[run].centreBounds.include(slice.centres[i]);
    }
}

} // namespace dl
