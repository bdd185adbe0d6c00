// parallelFor without threads: builds for WASM.
#include "drawloom/core/detail/parallel_stats.h"

#include <algorithm>

namespace dl
{

void setThreadCount(std::uint32_t)
{
}

std::uint32_t threadCount()
{
    return 1;
}

namespace detail
{
void parallelForChunks(std::size_t count, std::size_t grain, ChunkFunction function, void* context)
{
    for (std::size_t begin = 0; begin < count; begin += grain)
    {
        countChunk();
        function(context, begin, std::min(count, begin + grain));
    }
}
} // namespace detail
} // namespace dl
