// parallelFor on oneTBB: the default back end.
#include "drawloom/core/detail/parallel_stats.h"

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <memory>

namespace dl
{
namespace
{
// A copy: taking TBB's constant by reference asks for a definition that its library does not have (seen at -O1).
constexpr int kAutomatic = tbb::task_arena::automatic;

std::unique_ptr<tbb::task_arena>& arena()
{
    static std::unique_ptr<tbb::task_arena> s_arena = std::make_unique<tbb::task_arena>(kAutomatic);
    return s_arena;
}
} // namespace

void setThreadCount(std::uint32_t count)
{
    arena() = std::make_unique<tbb::task_arena>(count == 0 ? kAutomatic : static_cast<int>(count));
}

std::uint32_t threadCount()
{
    return static_cast<std::uint32_t>(arena()->max_concurrency());
}

namespace detail
{
void parallelForChunks(std::size_t count, std::size_t grain, ChunkFunction function, void* context)
{
    const std::size_t chunkCount = (count + grain - 1) / grain;
    const auto runChunk = [=](std::size_t chunk)
    {
        countChunk();
        function(context, chunk * grain, std::min(count, (chunk + 1) * grain));
    };
    if (chunkCount <= 1 || threadCount() == 1)
    {
        for (std::size_t chunk = 0; chunk < chunkCount; ++chunk)
            runChunk(chunk);
        return;
    }
    arena()->execute(
        [&]
        {
            tbb::parallel_for(
                tbb::blocked_range<std::size_t>(0, chunkCount, 1),
                [&](const tbb::blocked_range<std::size_t>& range)
                {
                    for (std::size_t chunk = range.begin(); chunk != range.end(); ++chunk)
                        runChunk(chunk);
                },
                tbb::simple_partitioner());
        });
}
} // namespace detail
} // namespace dl
