// drawloom/draw/detail/sort_codes.cpp - see the header. The constants were chosen by bench_sort.
#include "drawloom/draw/detail/sort_codes.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace dl::detail
{

namespace
{
constexpr std::size_t kInsertionCount = 80;        // below, insertion beats clearing the histograms
constexpr std::size_t kSmallCount = 512;           // below, histograms of 2048 cost more than further passes
constexpr std::size_t kMinPartedCount = 1U << 18U; // above, gathering items from all over misses the caches: parts first
constexpr int kPartBits = 12;
constexpr std::uint32_t kPartSize = 1U << 13U; // neighbouring parts are sorted together up to about this size
constexpr std::uint32_t kSmallDigitBits = 8;
constexpr std::uint32_t kDigitBits = 11;                   // 2048 counts and as many open cache lines: both stay in the second level
constexpr std::uint32_t kHistogramSize = 5U << kDigitBits; // 5 digits are the most that indices of kSmallCount leave room for

/// Which bits of the keys a round sorts by, and how their code is cut into digits.
struct Round
{
    CodeShape shape;
    std::uint32_t digitCount = 0, digitBits = 0;

    std::uint32_t shift(std::uint32_t digit) const { return shape.indexBits + digit * digitBits; }
    std::uint32_t valueCount() const { return 1U << digitBits; }
};

std::uint32_t indexBitsFor(std::size_t count)
{
    return static_cast<std::uint32_t>(std::bit_width(count - 1));
}

std::uint32_t digitBitsFor(std::size_t count)
{
    return count < kSmallCount ? kSmallDigitBits : kDigitBits;
}

/// Of the bits of `keyBits` the highest that fit next to an index, in whole digits if that is not all of them.
std::uint64_t highestThatFit(std::uint64_t keyBits, std::size_t count)
{
    const std::uint32_t room = 64 - indexBitsFor(count);
    auto surplus = std::popcount(keyBits) - static_cast<int>(room);
    if (surplus > 0)
        surplus += static_cast<int>(room % digitBitsFor(count));
    for (; surplus > 0; --surplus)
        keyBits &= keyBits - 1;
    return keyBits;
}

Round makeRound(std::uint64_t mask, std::size_t count, bool isFirst)
{
    const auto bits = static_cast<std::uint32_t>(std::popcount(mask));
    Round round;
    round.shape = {mask, indexBitsFor(count), isFirst};
    round.digitCount = (bits + digitBitsFor(count) - 1) / digitBitsFor(count);
    round.digitBits = (bits + round.digitCount - 1) / round.digitCount;
    return round;
}

/// All digits' histograms in one look at the codes, then each as the places where its values begin.
void countDigits(std::span<const std::uint64_t> codes, const Round& round, std::uint32_t* histograms)
{
    const std::uint32_t size = round.valueCount();
    std::uint32_t* const end = histograms + round.digitCount * size;
    std::fill(histograms, end, 0U);
    for (const std::uint64_t code : codes)
    {
        std::uint64_t rest = code >> round.shape.indexBits;
        for (std::uint32_t* counts = histograms; counts != end; counts += size)
        {
            ++counts[rest & (size - 1)];
            rest >>= round.digitBits;
        }
    }
    for (std::uint32_t* counts = histograms; counts != end; counts += size)
    {
        std::uint32_t begin = 0;
        for (std::uint32_t value = 0; value < size; ++value)
            begin += std::exchange(counts[value], begin);
    }
}

/// The codes, and as much memory to move them to.
struct Codes
{
    std::uint64_t* from = nullptr;
    std::uint64_t* to = nullptr;
    std::size_t count = 0;

    void sortDigit(std::uint32_t shift, std::uint32_t mask, std::uint32_t* places)
    {
        for (std::size_t i = 0; i < count; ++i)
            to[places[(from[i] >> shift) & mask]++] = from[i];
        std::swap(from, to);
    }
};

/// Sorts the codes by one round's bits; with `out` the items, instead of the codes, move by the last digit.
void sortRound(std::span<const SortItem> in, const Round& round, Encode encode, Codes& codes, SortItem* out)
{
    std::uint32_t histograms[kHistogramSize];
    encode(in, round.shape, codes.from);
    countDigits({codes.from, codes.count}, round, histograms);
    const std::uint32_t mask = round.valueCount() - 1;
    const std::uint32_t last = round.digitCount - 1;
    std::uint32_t* places = histograms;
    for (std::uint32_t digit = 0; digit < (out != nullptr ? last : last + 1); ++digit, places += mask + 1)
        codes.sortDigit(round.shift(digit), mask, places);
    if (out == nullptr)
        return;
    const std::uint64_t indexMask = round.shape.indexMask();
    const std::uint64_t* sorted = codes.from;
    for (std::size_t i = 0; i < codes.count; ++i)
        out[places[(sorted[i] >> round.shift(last)) & mask]++] = in[sorted[i] & indexMask];
}

/// `in` may be `out`.
void insertionSort(std::span<const SortItem> in, SortItem* out)
{
    for (std::size_t i = 0; i < in.size(); ++i)
    {
        const SortItem item = in[i];
        std::size_t at = i;
        for (; at > 0 && out[at - 1].key > item.key; --at)
            out[at] = out[at - 1];
        out[at] = item;
    }
}

/// Completes an order by the key's bits in `mask`, its highest: sorts runs of equal ones. False when one is long.
bool finishShortRuns(std::span<SortItem> items, std::uint64_t mask)
{
    for (std::size_t i = 1; i < items.size(); ++i)
    {
        if (items[i - 1].key <= items[i].key)
            continue;
        const auto isInRun = [&, prefix = items[i].key & mask](std::size_t at) { return (items[at].key & mask) == prefix; };
        std::size_t begin = i - 1;
        while (begin > 0 && isInRun(begin - 1))
            --begin;
        for (; i < items.size() && isInRun(i); ++i)
            if (i - begin >= kInsertionCount)
                return false;
        insertionSort(items.subspan(begin, i - begin), items.data() + begin);
    }
    return true;
}

std::uint64_t differingBits(std::span<const SortItem> items)
{
    std::uint64_t any = 0, all = ~std::uint64_t(0);
    for (const SortItem& item : items)
    {
        any |= item.key;
        all &= item.key;
    }
    return any ^ all;
}

/// Scatters the items to `out` by the highest of the differing bits and sorts each part, which the caches hold, for itself.
/// False, and `out` is garbage, when a part is more than half of all: the memory for two would not do.
bool sortByParts(std::span<const SortItem> in, SortItem* out, SortItem* memory, std::uint64_t bits, Encode encode)
{
    for (int surplus = std::popcount(bits) - kPartBits; surplus > 0; --surplus)
        bits &= bits - 1;
    const std::size_t count = in.size();
    Round round;
    round.shape = {bits, indexBitsFor(count), true};
    round.digitCount = 1;
    round.digitBits = static_cast<std::uint32_t>(std::popcount(bits));
    std::uint32_t places[(1U << kPartBits) + 1];
    auto* codes = reinterpret_cast<std::uint64_t*>(memory);
    encode(in, round.shape, codes);
    countDigits({codes, count}, round, places);
    const std::uint32_t partCount = round.valueCount();
    places[partCount] = static_cast<std::uint32_t>(count);
    for (std::uint32_t part = 0; part < partCount; ++part)
        if (places[part + 1] - places[part] + kPartSize > count / 2)
            return false;
    for (std::size_t i = 0; i < count; ++i)
        out[places[codes[i] >> round.shape.indexBits]++] = in[i];
    for (std::uint32_t part = 0, begin = 0; part < partCount; ++part)
    {
        const std::uint32_t size = places[part] - begin;
        if (size < kPartSize && part + 1 < partCount)
            continue;
        sortByCodes({out + begin, size}, memory, memory + size, encode);
        std::copy_n(memory, size, out + begin);
        begin = places[part];
    }
    return true;
}
} // namespace

void sortByCodes(std::span<const SortItem> in, SortItem* out, SortItem* memory, Encode encode)
{
    const std::size_t count = in.size();
    const std::uint64_t bits = count < kInsertionCount ? 0 : differingBits(in);
    if (bits == 0)
        return insertionSort(in, out);
    if (count >= kMinPartedCount && sortByParts(in, out, memory, bits, encode))
        return;
    auto* code = reinterpret_cast<std::uint64_t*>(memory);
    Codes codes{code, code + count, count};
    const std::uint64_t high = highestThatFit(bits, count);
    sortRound(in, makeRound(high, count, true), encode, codes, out);
    if (high == bits || finishShortRuns({out, count}, high))
        return;
    sortRound(in, makeRound(bits & ~high, count, true), encode, codes, nullptr);
    sortRound(in, makeRound(high, count, false), encode, codes, out);
}

} // namespace dl::detail
