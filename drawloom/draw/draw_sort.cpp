// drawloom/draw/draw_sort.cpp - see the header. The constants were chosen by bench_sort.
#include "drawloom/draw/draw_sort.h"

#include "drawloom/draw/detail/sort_codes.h"

#include <algorithm>
#include <cstring>

namespace dl
{

namespace
{
constexpr std::size_t kBlockCount = 16; // items compared at once

/// More changes than one in so many items seen so far, beyond the first few, and the search for them ends: a repair costs as
/// much as a sort when about one in twelve changed.
constexpr std::size_t kItemsPerChange = 20, kFreeChanges = 64;

bool goesBefore(const SortItem& a, const SortItem& b)
{
    return a.key < b.key || (a.key == b.key && a.identity() < b.identity());
}

/// The first index from `at` on where the two differ, or the shorter one's size.
std::size_t firstDifference(std::span<const SortItem> a, std::span<const SortItem> b)
{
    const std::size_t count = std::min(a.size(), b.size());
    std::size_t at = 0;
    while (at + kBlockCount <= count && std::memcmp(&a[at], &b[at], kBlockCount * sizeof(SortItem)) == 0)
        at += kBlockCount;
    while (at < count && a[at] == b[at])
        ++at;
    return at;
}

bool doIdentitiesAscend(std::span<const SortItem> items)
{
    bool isAscending = true;
    for (std::size_t i = 1; i < items.size(); ++i)
        isAscending &= items[i - 1].identity() < items[i].identity();
    return isAscending;
}

/// Writes `sorted` without `removed` and with `inserted`, all in order, to `out`, which has room for them exactly.
void mergeChanges(std::span<const SortItem> sorted, std::span<const SortItem> removed, std::span<const SortItem> inserted, SortItem* out)
{
    const SortItem* from = sorted.data();
    const SortItem* const end = from + sorted.size();
    std::size_t r = 0, i = 0;
    while (r < removed.size() || i < inserted.size())
    {
        const bool isRemoved = i == inserted.size() || (r < removed.size() && goesBefore(removed[r], inserted[i]));
        const SortItem change = isRemoved ? removed[r++] : inserted[i++];
        while (from != end && from->key < change.key)
            *out++ = *from++;
        while (from != end && from->key == change.key && from->identity() < change.identity())
            *out++ = *from++;
        if (isRemoved)
            ++from;
        else
            *out++ = change;
    }
    std::copy(from, end, out);
}
} // namespace

void radixSort(std::vector<SortItem>& items, std::vector<SortItem>& scratch)
{
    const std::size_t count = items.size();
    if (scratch.size() < 2 * count)
        scratch.resize(2 * count);
    detail::sortByCodes(items, scratch.data(), scratch.data() + count);
    std::copy_n(scratch.begin(), count, items.begin());
}

std::span<const SortItem> DrawSorter::sort(std::vector<SortItem>& items)
{
    const bool isRepairable = m_hasHistory && findChanges(items);
    if (isRepairable)
        repair();
    else
        sortFromScratch(items);
    m_submitted.swap(items);
    return m_sorted;
}

bool DrawSorter::findChanges(std::span<const SortItem> items)
{
    m_removed.clear();
    m_inserted.clear();
    const std::span<const SortItem> old = m_submitted;
    std::size_t i = 0, o = 0;
    for (;;)
    {
        const std::size_t same = firstDifference(old.subspan(o), items.subspan(i));
        i += same;
        o += same;
        if (i == items.size() && o == old.size())
            return true;
        if (m_removed.size() + m_inserted.size() > kFreeChanges + (i + o) / kItemsPerChange)
            return false;
        const bool isOldLeft = o < old.size(), isNewLeft = i < items.size();
        const bool takesOld = isOldLeft && (!isNewLeft || old[o].identity() <= items[i].identity());
        const bool takesNew = isNewLeft && (!isOldLeft || items[i].identity() <= old[o].identity());
        if (takesNew && i > 0 && items[i].identity() <= items[i - 1].identity())
            return false;
        if (takesOld)
            m_removed.push_back(old[o++]);
        if (takesNew)
            m_inserted.push_back(items[i++]);
    }
}

void DrawSorter::repair()
{
    // Both ascend by identity, so that a stable sort by key orders them as m_sorted is.
    radixSort(m_removed, m_scratch);
    radixSort(m_inserted, m_scratch);
    m_next.resize(m_sorted.size() - m_removed.size() + m_inserted.size());
    mergeChanges(m_sorted, m_removed, m_inserted, m_next.data());
    m_sorted.swap(m_next);
}

void DrawSorter::sortFromScratch(std::span<const SortItem> items)
{
    m_sorted.resize(items.size());
    if (m_scratch.size() < items.size())
        m_scratch.resize(items.size());
    detail::sortByCodes(items, m_sorted.data(), m_scratch.data());
    m_hasHistory = doIdentitiesAscend(items);
}

} // namespace dl
