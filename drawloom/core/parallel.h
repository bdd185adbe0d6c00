// drawloom/core/parallel.h - parallel-for over index ranges. oneTBB, a plain thread pool (under TSan, which TBB 2021.8
// does not survive) or serial, chosen at configure time by DRAWLOOM_PARALLEL=tbb|pool|serial; the results of correct
// callers are the same for all of them and for any thread count.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace dl
{

/// Caps the worker threads, the caller included; 0 means one per core. Not while a parallelFor runs.
void setThreadCount(std::uint32_t count);
std::uint32_t threadCount();

/// Running totals since the last reset: how many chunks ran, and on how many distinct threads.
struct ParallelStats
{
    std::uint64_t chunkCount = 0;
    std::uint32_t distinctThreadCount = 0;
};
ParallelStats parallelStats();
void resetParallelStats();

namespace detail
{
using ChunkFunction = void (*)(void* context, std::size_t begin, std::size_t end);
void parallelForChunks(std::size_t count, std::size_t grain, ChunkFunction function, void* context);
} // namespace detail

/// Calls fn(begin, end) for disjoint ranges that cover [0, count), each of exactly `grain` indices but the last, so that
/// begin / grain numbers the chunk: write results per chunk or per index and they do not depend on scheduling.
/// Blocks until all ranges are done; the calling thread takes part. Nesting is allowed. fn must not throw.
/// Allocates nothing of ours. Cost: about 1 us per chunk; choose grains of 20 us or more.
template <class F> void parallelFor(std::size_t count, std::size_t grain, F&& fn)
{
    using Fn = std::remove_reference_t<F>;
    detail::parallelForChunks(
        count, grain == 0 ? 1 : grain, [](void* context, std::size_t begin, std::size_t end) { (*static_cast<Fn*>(context))(begin, end); },
        const_cast<void*>(static_cast<const void*>(&fn)));
}

} // namespace dl
