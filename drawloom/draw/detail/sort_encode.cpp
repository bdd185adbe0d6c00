// drawloom/draw/detail/sort_encode.cpp - see the header.
#include "drawloom/draw/detail/sort_encode.h"

#include <array>
#include <bit>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define DL_HAS_PEXT 1
#else
#define DL_HAS_PEXT 0
#endif

namespace dl::detail
{

namespace
{
/// A run of neighbouring bits and how far it moves down.
struct BitRun
{
    std::uint64_t mask = 0;
    int shift = 0;
};

struct BitRuns
{
    std::array<BitRun, 32> runs = {};
    std::size_t count = 0;

    explicit BitRuns(std::uint64_t mask)
    {
        for (int below = 0; mask != 0; ++count)
        {
            const int first = std::countr_zero(mask);
            const int length = std::countr_one(mask >> first);
            const std::uint64_t ones = length == 64 ? ~std::uint64_t(0) : (std::uint64_t(1) << length) - 1;
            runs[count] = {ones << first, first - below};
            mask &= ~runs[count].mask;
            below += length;
        }
    }
};

#if DL_HAS_PEXT
[[gnu::target("bmi2")]] void encodePext(std::span<const SortItem> items, const CodeShape& shape, std::uint64_t* codes)
{
    const CodeShape by = shape; // codes may not alias it
    for (std::size_t i = 0; i < items.size(); ++i)
    {
        const std::uint64_t index = by.isFirst ? i : codes[i] & by.indexMask();
        codes[i] = (_pext_u64(items[index].key, by.mask) << by.indexBits) | index;
    }
}

/// AMD before Zen 3 has pext in microcode, slower than the shifts.
bool hasFastPext()
{
    return __builtin_cpu_supports("bmi2") != 0 && __builtin_cpu_is("bdver4") == 0 && __builtin_cpu_is("znver1") == 0 &&
           __builtin_cpu_is("znver2") == 0;
}
#endif
} // namespace

void encodePortable(std::span<const SortItem> items, const CodeShape& shape, std::uint64_t* codes)
{
    const CodeShape by = shape;
    const BitRuns bits(by.mask);
    for (std::size_t i = 0; i < items.size(); ++i)
    {
        const std::uint64_t index = by.isFirst ? i : codes[i] & by.indexMask();
        const std::uint64_t key = items[index].key;
        std::uint64_t code = 0;
        for (std::size_t run = 0; run < bits.count; ++run)
            code |= (key & bits.runs[run].mask) >> bits.runs[run].shift;
        codes[i] = (code << by.indexBits) | index;
    }
}

Encode fastestEncode()
{
#if DL_HAS_PEXT
    static const bool isFast = hasFastPext();
    return isFast ? encodePext : encodePortable;
#else
    return encodePortable;
#endif
}

} // namespace dl::detail
