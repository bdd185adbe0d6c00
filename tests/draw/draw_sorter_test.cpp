#include "drawloom/draw/draw_sort.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <string>

namespace dl
{

std::size_t allocationCount();

namespace
{
constexpr std::uint32_t kSeed = 20240608;

/// A list that lives from frame to frame, sorted by one sorter and checked against std::stable_sort each time.
struct Frames
{
    std::mt19937_64 random{kSeed};
    std::uint64_t mask;
    std::vector<SortItem> items;
    DrawSorter sorter;

    Frames(std::size_t count, std::uint64_t keyMask) : mask(keyMask), items(count)
    {
        for (std::uint32_t i = 0; i < count; ++i)
            items[i] = {random() & mask, 2 * i, i / 1000}; // identities ascend and leave gaps
    }
    std::size_t any(std::size_t count) { return static_cast<std::size_t>(random() % count); }
    void changeKeys(std::size_t count)
    {
        for (std::size_t i = 0; i < count && !items.empty(); ++i)
            items[any(items.size())].key = random() & mask;
    }
    void remove(std::size_t count)
    {
        for (std::size_t i = 0; i < count && !items.empty(); ++i)
            items.erase(items.begin() + static_cast<std::ptrdiff_t>(any(items.size())));
    }
    void insert(std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i)
        {
            const std::size_t at = items.empty() ? 0 : any(items.size() + 1);
            SortItem item = at == 0 ? SortItem{} : items[at - 1];
            item.payload += at == 0 ? 0 : 1;
            if ((at > 0 && item.identity() <= items[at - 1].identity()) || (at < items.size() && items[at].identity() <= item.identity()))
                continue; // the gap is full
            item.key = random() & mask;
            items.insert(items.begin() + static_cast<std::ptrdiff_t>(at), item);
        }
    }
    void expectSorted(const std::string& what)
    {
        std::vector<SortItem> expected = items, taken = items;
        std::stable_sort(expected.begin(), expected.end(), [](const SortItem& a, const SortItem& b) { return a.key < b.key; });
        ASSERT_TRUE(std::ranges::equal(sorter.sort(taken), expected)) << what << ", seed " << kSeed;
    }
};

constexpr std::uint64_t kMasks[] = {~0ULL, 0x00FFF000FFF00000ULL, 0x7ULL, 0ULL};
} // namespace

TEST(DrawSorter, RepairEqualsASortFromScratchForAnyMixOfChanges)
{
    for (const std::uint64_t mask : kMasks)
        for (const std::size_t count : {0U, 1U, 2U, 15U, 16U, 17U, 1000U, 6000U})
        {
            Frames frames(count, mask);
            for (std::size_t frame = 0; frame < 25; ++frame)
            {
                frames.expectSorted("frame " + std::to_string(frame) + " of " + std::to_string(count));
                const std::size_t few = count / 300 + 1;
                frames.changeKeys(frames.any(3) * few);
                frames.remove(frames.any(2) * few);
                frames.insert(frames.any(3) * few);
            }
        }
}

TEST(DrawSorter, SortsWhateverChangedAllAtOnce)
{
    for (const std::uint64_t mask : kMasks)
    {
        Frames frames(3000, mask);
        frames.expectSorted("first");
        frames.changeKeys(9000);
        frames.expectSorted("all changed");
        std::ranges::reverse(frames.items);
        frames.expectSorted("identities descend");
        std::ranges::shuffle(frames.items, frames.random);
        frames.expectSorted("shuffled");
        frames.changeKeys(3);
        frames.expectSorted("shuffled, three changed");
        std::swap(frames.items[100], frames.items[2000]);
        frames.expectSorted("two swapped");
        frames.items.resize(10);
        frames.expectSorted("most gone");
        frames.items.clear();
        frames.expectSorted("all gone");
    }
}

TEST(DrawSorter, NoticesThatSubmissionNoLongerAscends)
{
    Frames frames(2000, 0x7);
    frames.expectSorted("first");
    std::swap(frames.items[500], frames.items[501]); // equal keys would show the wrong order
    frames.items[500].key = frames.items[501].key;
    frames.expectSorted("two swapped");
    std::swap(frames.items[500], frames.items[501]);
    frames.expectSorted("swapped back");
    const SortItem twice = frames.items[700];
    frames.items.insert(frames.items.begin() + 700, twice);
    frames.expectSorted("an identity twice");
    frames.items.push_back({0, 0, 0});
    frames.expectSorted("a small identity last");
}

TEST(DrawSorter, ForgetsWhenTold)
{
    Frames frames(1000, ~0ULL);
    frames.expectSorted("first");
    frames.sorter.forget();
    frames.changeKeys(2);
    frames.expectSorted("from scratch");
}

TEST(DrawSorter, AllocatesNothingOnceWarm)
{
    Frames frames(5000, ~0ULL);
    std::vector<SortItem> taken;
    std::size_t before = 0;
    for (std::size_t frame = 0; frame < 30; ++frame)
    {
        before = frame == 15 ? allocationCount() : before;
        taken.assign(frames.items.begin(), frames.items.end());
        frames.sorter.sort(taken);
        frames.changeKeys(frame % 5 == 4 ? 5000 : 25 - frame % 5); // from scratch and repaired, the most changes first
        if (frame % 2 == 1)
            frames.items.pop_back();
    }
    EXPECT_EQ(allocationCount(), before);
}

} // namespace dl
