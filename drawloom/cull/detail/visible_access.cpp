#include "drawloom/cull/detail/visible_access.h"

#include <cstring>

namespace dl::cull::detail
{

void VisibleAccess::reserve(VisibleObjects& visible, std::size_t objectCount, bool hasMasks)
{
    const std::size_t needed = objectCount + kGroupObjects;
    if (visible.m_idCapacity < needed)
    {
        visible.m_ids = std::make_unique_for_overwrite<std::uint32_t[]>(needed);
        visible.m_idCapacity = needed;
    }
    if (hasMasks && visible.m_maskCapacity < needed)
    {
        visible.m_masks = std::make_unique_for_overwrite<std::uint64_t[]>(needed);
        visible.m_maskCapacity = needed;
    }
}

void VisibleAccess::joinChunks(VisibleObjects& visible, std::size_t chunkObjects)
{
    std::size_t count = visible.m_chunkCounts[0];
    for (std::size_t chunk = 1; chunk < visible.m_chunkCounts.size(); ++chunk)
    {
        const std::size_t from = chunk * chunkObjects;
        const std::size_t length = visible.m_chunkCounts[chunk];
        std::memmove(visible.m_ids.get() + count, visible.m_ids.get() + from, length * sizeof(std::uint32_t));
        if (visible.m_hasMasks)
            std::memmove(visible.m_masks.get() + count, visible.m_masks.get() + from, length * sizeof(std::uint64_t));
        count += length;
    }
    visible.m_count = count;
}

} // namespace dl::cull::detail
