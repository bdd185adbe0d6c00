#include "drawloom/resource/geometry_pool.h"

#include "drawloom/resource/detail/geometry_page.h"

#include <algorithm>

namespace dl
{

GeometryPool::GeometryPool(gpu::Device& device, RetireQueue& retired, UploadQueue& uploads, FrameTimeline& timeline,
    MemoryAmount& meshBytes, const GeometryPoolSettings& settings)
    : m_device(&device), m_retired(&retired), m_uploads(&uploads), m_timeline(&timeline), m_meshBytes(&meshBytes), m_settings(settings)
{
}

GeometryPool::~GeometryPool() = default;

GeometryPage GeometryPool::page(std::uint32_t pageIndex) const
{
    const Page& page = *m_pages[pageIndex];
    GeometryPage view;
    view.position = page.streams[Position]->buffer.id();
    view.normal = page.streams[Normal]->buffer.id();
    view.uv = page.streams[Uv]->buffer.id();
    view.index = page.streams[Index]->buffer.id();
    // The deform pass binds both for every mesh of the page: not before something was written.
    const auto written = [&page](Stream stream)
    { return page.streams[stream]->buffer.state ? page.streams[stream]->buffer.id() : gpu::BufferId(); };
    view.skin = written(Skin);
    view.morph = written(Morph);
    for (const auto& stream : page.streams)
        view.version += stream->buffer.version();
    return view;
}

GeometryPool::Counts GeometryPool::countsOf(const MeshData& data)
{
    return {data.vertexCount(), static_cast<std::uint32_t>(data.indices.size()), static_cast<std::uint32_t>(data.skin.size()),
        static_cast<std::uint32_t>(data.morph.size())};
}

GeometryPool::Counts GeometryPool::countsOf(const Placement& placement)
{
    return {placement.vertices.count, placement.indices.count, placement.skin.count, placement.morph.count};
}

// Takes the four ranges or none. Buffers are created or grown here, so that later steps can not fail.
Result<GeometryPool::Placement> GeometryPool::placeInPage(Page& page, const Counts& counts)
{
    Placement placement;
    Result<void> outcome;
    const auto take = [&](RangeAllocation& allocation, RangeAllocator& ranges, std::uint32_t count, std::uint32_t maxCount,
                          std::uint32_t firstCount, std::initializer_list<Stream> streams)
    {
        if (!outcome || count == 0)
            return;
        if (count > maxCount - ranges.usedCount() && count > ranges.largestFreeRange())
        {
            outcome = Error{ErrorCode::OutOfBudget, "the geometry page is full"};
            return;
        }
        allocation = ranges.allocate(count);
        if (!allocation.isValid())
        {
            const std::uint32_t capacity = grownCapacity(ranges, count, firstCount, maxCount);
            if (capacity == 0)
            {
                outcome = Error{ErrorCode::OutOfBudget, "the geometry page is full"};
                return;
            }
            for (const Stream stream : streams)
                if (outcome)
                    outcome = page.streams[stream]->grow(capacity);
            if (!outcome)
                return;
            ranges.grow(capacity);
            allocation = ranges.allocate(count);
        }
    };
    take(placement.vertices, page.vertices, counts.vertices, page.maxVertices, m_settings.firstVertexCount, {Position, Normal, Uv});
    take(placement.indices, page.indices, counts.indices, page.maxIndices, m_settings.firstIndexCount, {Index});
    take(placement.skin, page.skin, counts.skin, page.maxSkin, m_settings.firstVertexCount, {Skin});
    take(placement.morph, page.morph, counts.morph, page.maxMorph, m_settings.firstIndexCount, {Morph});
    if (outcome)
        return placement;
    freePlacement(page, placement);
    return std::move(outcome).error();
}

void GeometryPool::freePlacement(Page& page, const Placement& placement)
{
    if (placement.vertices.isValid())
        page.vertices.free(placement.vertices);
    if (placement.indices.isValid())
        page.indices.free(placement.indices);
    if (placement.skin.isValid())
        page.skin.free(placement.skin);
    if (placement.morph.isValid())
        page.morph.free(placement.morph);
}

// First page with room, else a new one. Only a device that refuses memory ends the search early.
Result<std::uint32_t> GeometryPool::place(const Counts& counts, std::string_view name, Placement& placement)
{
    for (std::uint32_t i = 0; i < m_pages.size(); ++i)
    {
        Result<Placement> found = placeInPage(*m_pages[i], counts);
        if (found)
        {
            placement = *found;
            return i;
        }
        if (found.error().code != ErrorCode::OutOfBudget)
            return withContext(std::move(found).error(), "while placing mesh \"" + std::string(name) + "\"");
    }
    auto page = std::make_unique<Page>(*m_device, *m_retired, *m_meshBytes, m_settings);
    if (counts.vertices > page->maxVertices || counts.indices > page->maxIndices || counts.skin > page->maxSkin ||
        counts.morph > page->maxMorph)
        return Error{ErrorCode::OutOfRange, "mesh \"" + std::string(name) + "\" (" + std::to_string(counts.vertices) + " vertices, " +
                                                std::to_string(counts.indices) + " indices) is larger than a geometry page (" +
                                                std::to_string(page->maxVertices) + ", " + std::to_string(page->maxIndices) +
                                                "); split it or raise GeometryPoolSettings::maxBufferBytes"};
    if (m_pages.size() >= m_settings.maxPageCount)
        return Error{ErrorCode::OutOfBudget, "mesh \"" + std::string(name) + "\": all " + std::to_string(m_settings.maxPageCount) +
                                                 " geometry pages are full; raise GeometryPoolSettings::maxPageCount"};
    Result<Placement> found = placeInPage(*page, counts);
    if (!found)
        return withContext(std::move(found).error(), "while making a geometry page for mesh \"" + std::string(name) + "\"");
    placement = *found;
    m_pages.push_back(std::move(page));
    return static_cast<std::uint32_t>(m_pages.size() - 1);
}

void GeometryPool::setOffsets(MeshRange& range, std::uint32_t pageIndex, const Placement& placement)
{
    range.pageIndex = pageIndex;
    range.baseVertex = placement.vertices.offset;
    range.firstIndex = placement.indices.offset;
    range.skinOffset = placement.skin.offset;
    range.morphOffset = placement.morph.offset;
}

Result<MeshRangeId> GeometryPool::add(MeshData&& data, std::int32_t priority)
{
    DL_TRY(validateMeshData(data));
    Range range;
    DL_TRY_ASSIGN(const std::uint32_t pageIndex, place(countsOf(data), data.name, range.placement));
    setOffsets(range.range, pageIndex, range.placement);
    range.range.vertexCount = data.vertexCount();
    range.range.indexCount = static_cast<std::uint32_t>(data.indices.size());
    range.range.skinSetCount = data.skinSetCount;
    range.range.morphTargetCount = data.morphTargetCount;
    range.range.hasMorphNormals = data.hasMorphNormals;
    range.range.hasFlatNormals = data.hasFlatNormals;
    range.range.hasMorphTangents = data.hasMorphTangents;
    queueUploads(range, *m_pages[pageIndex], std::make_shared<MeshData>(std::move(data)), priority);
    const MeshRangeId id = m_ranges.add(range);
    m_pending.push_back(id);
    return id;
}

void GeometryPool::queueUploads(Range& range, Page& page, const std::shared_ptr<MeshData>& data, std::int32_t priority)
{
    const auto queue = [&](Stream stream, const void* bytes, std::size_t count, std::uint32_t offset)
    {
        if (count == 0)
            return;
        const std::uint64_t stride = kStreamStrides[stream];
        UploadPayload payload{std::shared_ptr<const std::byte>(data, static_cast<const std::byte*>(bytes)), count * stride};
        range.uploads[stream] = m_uploads->addBuffer(page.streams[stream]->buffer, offset * stride, std::move(payload), priority);
    };
    const Placement& placement = range.placement;
    queue(Position, data->positions.data(), data->positions.size(), placement.vertices.offset);
    queue(Normal, data->normals.data(), data->normals.size(), placement.vertices.offset);
    queue(Uv, data->uvs.data(), data->uvs.size(), placement.vertices.offset);
    queue(Index, data->indices.data(), data->indices.size(), placement.indices.offset);
    queue(Skin, data->skin.data(), data->skin.size(), placement.skin.offset);
    queue(Morph, data->morph.data(), data->morph.size(), placement.morph.offset);
}

void GeometryPool::retirePlacement(std::uint32_t pageIndex, const Placement& placement)
{
    m_retiredRanges.push_back({m_timeline->current(), pageIndex, placement});
}

bool GeometryPool::remove(MeshRangeId id)
{
    Range* range = m_ranges.find(id);
    if (range == nullptr)
        return false;
    for (const UploadId upload : range->uploads)
        m_uploads->cancel(upload);
    retirePlacement(range->range.pageIndex, range->placement);
    m_ranges.remove(id); // a pending move of it is dropped by emitCopies
    return true;
}

void GeometryPool::updateResidency()
{
    std::size_t kept = 0;
    for (const MeshRangeId id : m_pending)
    {
        Range* range = m_ranges.find(id);
        if (range == nullptr)
            continue;
        bool isPending = false;
        for (const UploadId upload : range->uploads)
            isPending = isPending || m_uploads->isPending(upload);
        range->range.isResident = !isPending;
        if (isPending)
            m_pending[kept++] = id;
    }
    m_pending.resize(kept);
}

void GeometryPool::reclaim()
{
    std::size_t kept = 0;
    for (const Retired& retired : m_retiredRanges)
    {
        if (retired.frame <= m_timeline->completed())
        {
            freePlacement(*m_pages[retired.pageIndex], retired.placement);
            releaseEmptyPage(retired.pageIndex);
        }
        else
            m_retiredRanges[kept++] = retired;
    }
    m_retiredRanges.resize(kept);
}

// Its buffers go; the page keeps its number and fills again when something is placed in it.
void GeometryPool::releaseEmptyPage(std::uint32_t pageIndex)
{
    Page& page = *m_pages[pageIndex];
    if (page.vertices.allocationCount() + page.indices.allocationCount() + page.skin.allocationCount() + page.morph.allocationCount() != 0)
        return;
    for (const auto& stream : page.streams)
        stream->release();
    page.vertices = RangeAllocator();
    page.indices = RangeAllocator();
    page.skin = RangeAllocator();
    page.morph = RangeAllocator();
}

GeometryPoolStats GeometryPool::stats() const
{
    GeometryPoolStats stats;
    for (const auto& page : m_pages)
    {
        stats.pageCount += page->vertices.capacity() != 0 ? 1U : 0U;
        stats.usedVertexCount += page->vertices.usedCount();
        stats.usedIndexCount += page->indices.usedCount();
    }
    stats.rangeCount = static_cast<std::uint32_t>(m_ranges.size());
    m_ranges.forEach([&stats](MeshRangeId, const Range& range) { stats.residentRangeCount += range.range.isResident ? 1U : 0U; });
    stats.relocatedCount = m_relocatedCount;
    return stats;
}

} // namespace dl
