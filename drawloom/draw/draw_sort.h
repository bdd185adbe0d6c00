// drawloom/draw/draw_sort.h - sorts what a pass draws in a view by its 64-bit key, from scratch or from last frame's order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dl
{

/// Key with its payload, which the sort carries along. Sorted stably by key (sort_key.h packs it).
struct SortItem
{
    std::uint64_t key = 0;
    std::uint32_t payload = 0;
    std::uint32_t payload2 = 0;

    /// What names an item from frame to frame (DrawSorter).
    std::uint64_t identity() const { return (static_cast<std::uint64_t>(payload2) << 32U) | payload; }
    friend bool operator==(const SortItem&, const SortItem&) = default;
};
static_assert(sizeof(SortItem) == 16);

/// Stable; up to 2^32 - 1 items. `scratch` grows to twice their count and holds garbage afterwards; nothing is allocated once
/// it is large enough. Radix sort, least significant digit first (Knuth, TAOCP 3, 5.2.5), of short codes instead of items: the
/// bits in which keys differ, with the item's index below. O(count * differing bits / 11); 7 to 15 ns an item for packed draw
/// keys, whose constant bits cost nothing. Below 80 items insertion.
void radixSort(std::vector<SortItem>& items, std::vector<SortItem>& scratch);

/// The same sort for a list that comes back each frame with few changes: one sorter for each pass and view. Last frame's order
/// is repaired: changed items are taken out, sorted among themselves and merged back; all else is one scan and one copy.
/// Items are known by identity(). As long as identities ascend in the order of submission (an index does), items may come, go
/// and change their keys; else, or when more than about one item in 20 changed, all is sorted from scratch. The result is the
/// stable sort's in every case; history decides the time alone. Not thread safe. Holds four times the items' memory.
class DrawSorter
{
public:
    /// `items` in the order of submission; they are taken, and `items` gets the memory of an earlier frame with garbage in it.
    /// Returns them sorted, valid until the next call. Allocates only when the count has never been as large.
    std::span<const SortItem> sort(std::vector<SortItem>& items);
    /// The next call sorts from scratch.
    void forget() { m_hasHistory = false; }

private:
    bool findChanges(std::span<const SortItem> items);
    void repair();
    void sortFromScratch(std::span<const SortItem> items);

    std::vector<SortItem> m_submitted, m_sorted; ///< last frame's items in both orders
    std::vector<SortItem> m_next, m_scratch;
    std::vector<SortItem> m_removed, m_inserted; ///< a changed item is in both: with its old key and its new
    bool m_hasHistory = false;                   ///< m_submitted's identities ascend and m_sorted holds the same items
};

} // namespace dl
