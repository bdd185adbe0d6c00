// drawloom/cull/detail/visible_access.h - fills VisibleObjects in parallel chunks: each writes where its first object
// would go if all were seen, then the chunks move together. On one thread there is one chunk and nothing moves.
#pragma once

#include "drawloom/core/parallel.h"
#include "drawloom/cull/detail/prepare.h"

namespace dl::cull::detail
{

constexpr std::size_t kChunkObjects = 16384; ///< a multiple of kGroupObjects

struct VisibleAccess
{
    static void reserve(VisibleObjects& visible, std::size_t objectCount, bool hasMasks);
    static void joinChunks(VisibleObjects& visible, std::size_t chunkObjects);

    /// fn(begin, end, output) appends what is seen of the objects [begin, end).
    template <class Fn> static void fill(VisibleObjects& visible, std::size_t objectCount, const Views& views, Fn&& fn)
    {
        visible.m_count = 0;
        visible.m_hasMasks = views.span().size() > 1;
        if (views.seeNothing() || objectCount == 0)
            return;
        reserve(visible, objectCount, visible.m_hasMasks);
        const std::size_t chunkObjects = threadCount() == 1 ? objectCount : kChunkObjects;
        visible.m_chunkCounts.assign((objectCount + chunkObjects - 1) / chunkObjects, 0);
        parallelFor(objectCount, chunkObjects,
            [&](std::size_t begin, std::size_t end)
            {
                Output output{visible.m_ids.get() + begin, visible.m_hasMasks ? visible.m_masks.get() + begin : nullptr, 0};
                fn(begin, end, output);
                visible.m_chunkCounts[begin / chunkObjects] = output.count;
            });
        joinChunks(visible, chunkObjects);
    }
};

} // namespace dl::cull::detail
