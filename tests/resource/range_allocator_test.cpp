// Tests of drawloom/resource/range_allocator.h and dirty_ranges.h.
#include "drawloom/core/assert.h"
#include "drawloom/resource/dirty_ranges.h"
#include "drawloom/resource/range_allocator.h"

#include <gtest/gtest.h>

#include "tests/resource/random_numbers.h"

namespace dl
{
namespace
{

int gAsserts = 0;

TEST(RangeAllocator, EmptyOneRefusesEverything)
{
    RangeAllocator allocator;
    EXPECT_FALSE(allocator.allocate(1).isValid());
    EXPECT_EQ(allocator.largestFreeRange(), 0U);
    EXPECT_TRUE(allocator.isConsistent());
}

TEST(RangeAllocator, TakesExactlyTheCapacityAndNotOneMore)
{
    for (const std::uint32_t capacity : {1U, 7U, 8U, 9U, 100U, 1023U, 1U << 20U, UINT32_MAX})
    {
        RangeAllocator allocator(capacity);
        EXPECT_EQ(allocator.largestFreeRange(), capacity);
        const RangeAllocation all = allocator.allocate(capacity);
        ASSERT_TRUE(all.isValid()) << capacity;
        EXPECT_FALSE(allocator.allocate(1).isValid());
        allocator.free(all);
        if (capacity != UINT32_MAX)
        {
            EXPECT_FALSE(allocator.allocate(capacity + 1).isValid());
        }
    }
}

TEST(RangeAllocator, MergesFreedNeighboursOnBothSides)
{
    RangeAllocator allocator(30);
    const RangeAllocation a = allocator.allocate(10), b = allocator.allocate(10), c = allocator.allocate(10);
    allocator.free(a);
    allocator.free(c);
    EXPECT_EQ(allocator.freeRangeCount(), 2U);
    EXPECT_FALSE(allocator.allocate(11).isValid());
    allocator.free(b);
    EXPECT_EQ(allocator.freeRangeCount(), 1U);
    EXPECT_TRUE(allocator.allocate(30).isValid());
}

TEST(RangeAllocator, GrowthJoinsTheFreeTail)
{
    RangeAllocator allocator(10);
    const RangeAllocation a = allocator.allocate(4);
    EXPECT_EQ(allocator.freeTailCount(), 6U);
    allocator.grow(20);
    EXPECT_EQ(allocator.freeTailCount(), 16U);
    EXPECT_EQ(allocator.allocate(16).offset, 4U);
    EXPECT_EQ(a.offset, 0U);
    EXPECT_TRUE(allocator.isConsistent());
}

TEST(RangeAllocator, ReportsADoubleFree)
{
    RangeAllocator allocator(10);
    const RangeAllocation a = allocator.allocate(4);
    allocator.free(a);
    gAsserts = 0;
    const AssertHandler old = setAssertHandler([](const char*, const char*, const char*, int) { ++gAsserts; });
    allocator.free(a);
    setAssertHandler(old);
    EXPECT_EQ(gAsserts, 1);
    EXPECT_TRUE(allocator.isConsistent());
    EXPECT_EQ(allocator.usedCount(), 0U);
}

TEST(RangeAllocator, NeverOverlapsAndEndsAsOneRange)
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed)
    {
        SCOPED_TRACE(seed);
        Random random(seed);
        RangeAllocator allocator(4096);
        std::vector<RangeAllocation> live;
        std::vector<int> owner(8192, -1);
        for (int step = 0; step < 4000; ++step)
        {
            if (step == 2000)
                allocator.grow(8192);
            if (random() % 3 != 0)
            {
                const std::uint32_t count = 1 + random() % (random() % 8 == 0 ? 600 : 20);
                const std::uint32_t largest = allocator.largestFreeRange();
                const RangeAllocation range = allocator.allocate(count);
                if (count <= largest)
                {
                    ASSERT_TRUE(range.isValid()) << count << " of " << largest;
                }
                if (!range.isValid())
                    continue;
                ASSERT_LE(range.offset + range.count, allocator.capacity());
                for (std::uint32_t i = 0; i < count; ++i)
                {
                    ASSERT_EQ(owner[range.offset + i], -1);
                    owner[range.offset + i] = step;
                }
                live.push_back(range);
            }
            else if (!live.empty())
            {
                const std::size_t victim = random() % live.size();
                for (std::uint32_t i = 0; i < live[victim].count; ++i)
                    owner[live[victim].offset + i] = -1;
                allocator.free(live[victim]);
                live[victim] = live.back();
                live.pop_back();
            }
            if (step % 97 == 0)
            {
                ASSERT_TRUE(allocator.isConsistent());
            }
        }
        for (const RangeAllocation& range : live)
            allocator.free(range);
        EXPECT_TRUE(allocator.isConsistent());
        EXPECT_EQ(allocator.usedCount(), 0U);
        EXPECT_EQ(allocator.freeRangeCount(), 1U);
        EXPECT_EQ(allocator.largestFreeRange(), 8192U);
    }
}

TEST(DirtyRanges, JoinsNearMarksAndKeepsFarOnesApart)
{
    DirtyRanges dirty(8, 2);
    dirty.resize(10000);
    dirty.mark(0, 1);
    dirty.mark(24, 1);   // two clean granules between: joined
    dirty.mark(4096, 8); // far
    std::vector<DirtyRange> ranges;
    dirty.collect(ranges);
    ASSERT_EQ(ranges.size(), 2U);
    EXPECT_EQ(ranges[0].first, 0U);
    EXPECT_EQ(ranges[0].count, 32U);
    EXPECT_EQ(ranges[1].first, 4096U);
    EXPECT_EQ(ranges[1].count, 8U);
    ranges.clear();
    dirty.collect(ranges);
    EXPECT_TRUE(ranges.empty());
}

TEST(DirtyRanges, EndsAtTheRecordCount)
{
    DirtyRanges dirty(8, 0);
    dirty.resize(13);
    dirty.markAll();
    std::vector<DirtyRange> ranges;
    dirty.collect(ranges);
    ASSERT_EQ(ranges.size(), 1U);
    EXPECT_EQ(ranges[0].count, 13U);
}

TEST(DirtyRanges, CoversEveryMarkOfARandomSequence)
{
    for (std::uint32_t seed = 1; seed <= 20; ++seed)
    {
        SCOPED_TRACE(seed);
        Random random(seed);
        const std::uint32_t count = 1 + random() % 5000;
        DirtyRanges dirty(1U << (random() % 5), random() % 4);
        dirty.resize(count);
        std::vector<bool> marked(count), covered(count);
        for (int i = 0; i < 40; ++i)
        {
            const std::uint32_t first = random() % count, length = 1 + random() % std::min(200U, count - first);
            dirty.mark(first, length);
            std::fill_n(marked.begin() + first, length, true);
        }
        std::vector<DirtyRange> ranges;
        dirty.collect(ranges);
        std::uint32_t end = 0;
        for (const DirtyRange& range : ranges)
        {
            ASSERT_GE(range.first, end);
            end = range.first + range.count;
            ASSERT_LE(end, count);
            std::fill_n(covered.begin() + range.first, range.count, true);
        }
        for (std::uint32_t i = 0; i < count; ++i)
            ASSERT_TRUE(!marked[i] || covered[i]) << i;
    }
}

} // namespace
} // namespace dl
