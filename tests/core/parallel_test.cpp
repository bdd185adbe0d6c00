#include "drawloom/core/parallel.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <numeric>
#include <vector>

namespace dl
{

TEST(ParallelFor, CoversEveryIndexOnceInChunksOfTheGrain)
{
    for (const std::size_t count : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64}, std::size_t{65}, std::size_t{1000}})
    {
        std::vector<std::atomic<int>> visits(count);
        std::atomic<int> wrongChunks{0};
        parallelFor(count, 64,
            [&](std::size_t begin, std::size_t end)
            {
                if (begin % 64 != 0 || (end - begin != 64 && end != count))
                    ++wrongChunks;
                for (std::size_t i = begin; i < end; ++i)
                    ++visits[i];
            });
        EXPECT_EQ(wrongChunks, 0) << count;
        for (std::size_t i = 0; i < count; ++i)
            ASSERT_EQ(visits[i], 1) << i << " of " << count;
    }
}

TEST(ParallelFor, UsesSeveralThreadsWhenAllowedAndOneWhenNot)
{
    const auto spin = [](std::size_t, std::size_t)
    {
        const auto until = std::chrono::steady_clock::now() + std::chrono::milliseconds(5);
        while (std::chrono::steady_clock::now() < until)
        {
        }
    };
    setThreadCount(2);
    if (threadCount() > 1)
    {
        std::uint32_t most = 0;
        for (int round = 0; round < 20 && most < 2; ++round) // a loaded machine may keep the second thread away for a while
        {
            resetParallelStats();
            parallelFor(16, 1, spin);
            EXPECT_EQ(parallelStats().chunkCount, 16U);
            most = std::max(most, parallelStats().distinctThreadCount);
        }
        EXPECT_EQ(most, 2U);
    }
    setThreadCount(1);
    resetParallelStats();
    parallelFor(4, 1, spin);
    EXPECT_EQ(parallelStats().distinctThreadCount, 1U);
    setThreadCount(0);
}

TEST(ParallelFor, MayBeNested)
{
    std::atomic<std::uint64_t> sum{0};
    parallelFor(8, 1,
        [&](std::size_t outer, std::size_t)
        {
            parallelFor(100, 10,
                [&](std::size_t begin, std::size_t end)
                {
                    for (std::size_t i = begin; i < end; ++i)
                        sum += outer * 100 + i;
                });
        });
    EXPECT_EQ(sum, 800U * 799U / 2U);
}

/// A pool whose thread came late once took the first job for an old one, and the call waited for it forever.
TEST(ParallelFor, EndsWhenItsThreadsHaveOnlyJustBeenMade)
{
    for (int round = 0; round < 200; ++round)
    {
        setThreadCount(4);
        std::atomic<std::uint32_t> sum{0};
        parallelFor(8, 1, [&](std::size_t begin, std::size_t) { sum += static_cast<std::uint32_t>(begin); });
        ASSERT_EQ(sum, 28U);
    }
    setThreadCount(0);
}

} // namespace dl
