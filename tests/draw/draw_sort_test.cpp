#include "drawloom/draw/draw_sort.h"

#include "drawloom/draw/detail/sort_codes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace dl
{

std::size_t allocationCount();

namespace
{
constexpr std::uint32_t kSeed = 20240607;

std::vector<SortItem> stablySorted(std::vector<SortItem> items)
{
    std::stable_sort(items.begin(), items.end(), [](const SortItem& a, const SortItem& b) { return a.key < b.key; });
    return items;
}

/// Every road to a sorted list must end at std::stable_sort's.
void expectSorts(const std::vector<SortItem>& items, const std::string& what)
{
    const std::vector<SortItem> expected = stablySorted(items);
    std::vector<SortItem> radix = items, scratch;
    radixSort(radix, scratch);
    EXPECT_TRUE(radix == expected) << what;

    std::vector<SortItem> out(items.size()), memory(items.size());
    detail::sortByCodes(items, out.data(), memory.data(), detail::encodePortable);
    EXPECT_TRUE(out == expected) << what << ", portable codes";

    DrawSorter sorter;
    std::vector<SortItem> taken = items;
    const std::span<const SortItem> sorted = sorter.sort(taken);
    EXPECT_TRUE(std::ranges::equal(sorted, expected)) << what << ", sorter";
}

std::vector<SortItem> randomItems(std::size_t count, std::uint64_t mask, std::uint32_t seed = kSeed)
{
    std::mt19937_64 random(seed);
    std::vector<SortItem> items(count);
    for (std::uint32_t i = 0; i < count; ++i)
        items[i] = {random() & mask, i, i % 3};
    return items;
}
} // namespace

TEST(DrawSort, SortsNothingOneAndTwoItems)
{
    expectSorts({}, "nothing");
    expectSorts({{7, 1, 2}}, "one");
    expectSorts({{7, 1, 2}, {6, 2, 1}}, "two, reversed");
    expectSorts({{6, 1, 2}, {7, 2, 1}}, "two, in order");
    expectSorts({{7, 2, 0}, {7, 1, 0}}, "two, equal");
}

TEST(DrawSort, KeepsTheOrderOfEqualKeys)
{
    for (const std::size_t count : {3U, 79U, 80U, 511U, 512U, 5000U, 300000U})
    {
        expectSorts(randomItems(count, 0), std::to_string(count) + " equal");
        expectSorts(randomItems(count, 0x8000000000000001U), std::to_string(count) + " of four keys");
    }
}

TEST(DrawSort, TurnsAReversedListAround)
{
    for (const std::uint32_t count : {2U, 79U, 80U, 81U, 511U, 512U, 3000U})
    {
        std::vector<SortItem> items(count);
        for (std::uint32_t i = 0; i < count; ++i)
            items[i] = {std::uint64_t(count - i) * 0x100000001U, i, 0};
        expectSorts(items, std::to_string(count));
    }
}

TEST(DrawSort, SeesADifferenceInEachOfThe64Bits)
{
    for (const std::uint32_t count : {2U, 200U, 1000U})
        for (unsigned bit = 0; bit < 64; ++bit)
            for (const std::uint64_t rest : {0x0ULL, ~0x0ULL})
            {
                std::vector<SortItem> items(count, SortItem{rest | (1ULL << bit), 0, 0});
                for (std::uint32_t i = 0; i < count; ++i)
                    items[i].payload = i;
                items.back().key = rest & ~(1ULL << bit);
                expectSorts(items, "bit " + std::to_string(bit) + " of " + std::to_string(count));
            }
}

TEST(DrawSort, EqualsAStableSort)
{
    SCOPED_TRACE("seed " + std::to_string(kSeed));
    // Few bits, all bits, scattered bits, and more than fit beside an index.
    for (const std::uint64_t mask :
        {0xFULL, ~0ULL, 0xFF00000000000000ULL, 0x5555555555555555ULL, 0x0FF0FF00FFFF00F0ULL, 0xFFFFFFFFFFFFF000ULL})
        for (const std::size_t count : {3U, 79U, 80U, 255U, 256U, 511U, 512U, 5000U, 70000U})
            expectSorts(randomItems(count, mask), std::to_string(count) + " mask " + std::to_string(mask));
}

TEST(DrawSort, SortsPartsOfLargeLists)
{
    SCOPED_TRACE("seed " + std::to_string(kSeed));
    std::vector<SortItem> items = randomItems(400000, 0x00FFFFFFFFFFF000ULL);
    expectSorts(items, "even");
    for (std::size_t i = 0; i < 250000; ++i) // one part holds more than half
        items[i].key &= 0xFFFFULL;
    expectSorts(items, "uneven");
}

TEST(DrawSort, SortsLongRunsThatDifferInLowBitsAlone)
{
    // 64 bits differ, so that the lowest do not fit in a first round; half of the items share the high ones.
    SCOPED_TRACE("seed " + std::to_string(kSeed));
    std::vector<SortItem> items = randomItems(20000, ~0ULL);
    for (std::size_t i = 0; i < items.size(); i += 2)
        items[i].key = 0xAAAAAAAA00000000ULL | (items[i].key & 0xFFU);
    expectSorts(items, "long runs");
}

TEST(DrawSort, AllocatesNothingOnceWarm)
{
    std::vector<SortItem> items, scratch;
    const std::vector<SortItem> source = randomItems(5000, 0x0000FFFFFFFF0000ULL);
    std::size_t before = 0;
    for (std::size_t frame = 0; frame < 4; ++frame)
    {
        before = frame == 1 ? allocationCount() : before;
        items.assign(source.begin(), source.end() - static_cast<std::ptrdiff_t>(frame));
        radixSort(items, scratch);
    }
    EXPECT_EQ(allocationCount(), before);
}

} // namespace dl
