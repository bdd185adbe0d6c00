// drawloom/draw/draw_source.cpp - the memory behind VisibleRunSink.
#include "drawloom/draw/draw_source.h"

#include "drawloom/core/vector_growth.h"

#include <algorithm>

namespace dl
{

VisibleRunSink::Slice VisibleRunSink::allocate(std::uint32_t runCount, std::uint32_t instanceCount)
{
    const std::size_t firstRun = m_runs.size();
    const std::size_t firstInstance = m_ids.size();
    DL_ASSERT(firstInstance + instanceCount <= UINT32_MAX, "more than 2^32 visible instances in one frame");
    resizeAmortised(m_runs, firstRun + runCount);
    resizeAmortised(m_ids, firstInstance + instanceCount);
    resizeAmortised(m_centres, firstInstance + instanceCount);
    return Slice{std::span(m_runs).subspan(firstRun), std::span(m_ids).subspan(firstInstance), std::span(m_centres).subspan(firstInstance),
        static_cast<std::uint32_t>(firstInstance)};
}

void VisibleRunSink::add(VisibleRun run, std::span<const std::uint32_t> ids, std::span<const vec3> centres)
{
    DL_ASSERT(!ids.empty() && ids.size() == centres.size(), "a run needs one centre for each of its ids, and at least one");
    const Slice slice = allocate(1, static_cast<std::uint32_t>(ids.size()));
    std::copy(ids.begin(), ids.end(), slice.ids.begin());
    std::copy(centres.begin(), centres.end(), slice.centres.begin());
    run.firstInstance = slice.firstInstance;
    run.instanceCount = static_cast<std::uint32_t>(ids.size());
    run.centreBounds = Aabb{};
    for (const vec3& centre : centres)
        run.centreBounds.include(centre);
    slice.runs[0] = run;
}

void VisibleRunSink::restrictViews(std::size_t firstRun, std::uint64_t viewMask)
{
    for (VisibleRun& run : std::span(m_runs).subspan(firstRun))
        run.viewMask &= viewMask;
}

void VisibleRunSink::clear()
{
    m_runs.clear();
    m_ids.clear();
    m_centres.clear();
}

} // namespace dl
