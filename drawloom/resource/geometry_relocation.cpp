#include "drawloom/resource/detail/geometry_page.h"
#include "drawloom/resource/geometry_pool.h"
#include "drawloom/resource/write_batch.h"

#include <algorithm>

namespace dl
{

namespace
{
Error refused(const char* why)
{
    return {ErrorCode::InvalidArgument, std::string("a mesh range can not be moved: ") + why};
}
} // namespace

Result<void> GeometryPool::relocate(MeshRangeId id, std::uint32_t pageIndex)
{
    Range* range = m_ranges.find(id);
    if (range == nullptr)
        return Error{ErrorCode::StaleId, "mesh range " + std::to_string(id.index) + " was removed before it was to be moved"};
    if (pageIndex >= m_pages.size() || pageIndex == range->range.pageIndex)
        return refused("the target is its own page or there is no such page");
    if (!range->range.isResident || range->isMoving)
        return refused("its bytes are still on their way");
    if (range->range.isDeformed())
        return refused("instances hold offsets that belong to its base vertex (deformed)");
    DL_TRY_ASSIGN(const Placement target, placeInPage(*m_pages[pageIndex], countsOf(range->placement)));
    m_moves.push_back({range->range.pageIndex, pageIndex, range->placement, target, id});
    range->isMoving = true;
    return {};
}

std::uint64_t GeometryPool::compact(std::uint64_t maxBytes)
{
    std::uint32_t source = UINT32_MAX, used = UINT32_MAX, livePages = 0;
    for (std::uint32_t i = 0; i < m_pages.size(); ++i)
    {
        const std::uint32_t count = m_pages[i]->vertices.usedCount();
        livePages += count != 0 ? 1U : 0U;
        if (count != 0 && count < used)
        {
            source = i;
            used = count;
        }
    }
    if (livePages < 2)
        return 0;
    std::uint64_t moved = 0;
    m_ranges.forEach(
        [&](MeshRangeId id, const Range& range)
        {
            const std::uint64_t bytes =
                std::uint64_t(range.range.vertexCount) * (kPositionStrideBytes + kNormalStrideBytes + kUvStrideBytes) +
                std::uint64_t(range.range.indexCount) * 4;
            if (range.range.pageIndex != source || range.isMoving || moved + bytes > maxBytes)
                return;
            for (std::uint32_t target = 0; target < m_pages.size(); ++target)
                if (target != source && m_pages[target]->vertices.usedCount() >= used && relocate(id, target))
                {
                    moved += bytes;
                    return;
                }
        });
    return moved;
}

MeshRange GeometryPool::rangeAfterFlush(MeshRangeId id) const
{
    const Range& range = m_ranges.get(id);
    MeshRange result = range.range;
    if (!range.isMoving)
        return result;
    const auto move = std::find_if(m_moves.begin(), m_moves.end(), [id](const Move& m) { return m.id == id; });
    setOffsets(result, move->toPage, move->to);
    return result;
}

// Growth first: moves read and write the buffers that came of it.
void GeometryPool::emitCopies(gpu::CommandStream& stream)
{
    for (const auto& page : m_pages)
        for (const auto& buffer : page->streams)
            buffer->emitCopy(stream);
    for (const Move& move : m_moves)
    {
        Range* range = m_ranges.find(move.id);
        if (range == nullptr) // removed in between: its old place is retired already
        {
            freePlacement(*m_pages[move.toPage], move.to);
            continue;
        }
        const auto copy = [&](Stream which, const RangeAllocation& from, const RangeAllocation& to)
        {
            WriteBatch::copyNow(stream, m_pages[move.fromPage]->streams[which]->buffer, m_pages[move.toPage]->streams[which]->buffer,
                from.offset * kStreamStrides[which], to.offset * kStreamStrides[which], from.count * kStreamStrides[which]);
        };
        copy(Position, move.from.vertices, move.to.vertices);
        copy(Normal, move.from.vertices, move.to.vertices);
        copy(Uv, move.from.vertices, move.to.vertices);
        copy(Index, move.from.indices, move.to.indices);
        retirePlacement(move.fromPage, move.from);
        range->placement = move.to;
        setOffsets(range->range, move.toPage, move.to);
        range->isMoving = false;
        m_relocatedCount += 1;
    }
    m_moves.clear();
}

} // namespace dl
