#include "drawloom/core/detail/parallel_stats.h"

#include <atomic>
#include <bit>

namespace dl
{
namespace
{
std::atomic<std::uint64_t> s_chunkCount{0};
std::atomic<std::uint64_t> s_threadMask{0}; // one bit per thread; threads beyond 64 share bits
std::atomic<std::uint32_t> s_nextThread{0};
} // namespace

namespace detail
{
void countChunk()
{
    thread_local const std::uint32_t thread = s_nextThread.fetch_add(1) % 64U;
    s_chunkCount.fetch_add(1, std::memory_order_relaxed);
    s_threadMask.fetch_or(std::uint64_t{1} << thread, std::memory_order_relaxed);
}
} // namespace detail

ParallelStats parallelStats()
{
    return {s_chunkCount.load(), static_cast<std::uint32_t>(std::popcount(s_threadMask.load()))};
}

void resetParallelStats()
{
    s_chunkCount = 0;
    s_threadMask = 0;
}

} // namespace dl
