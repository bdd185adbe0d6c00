// drawloom/draw/detail/sort_encode.h - codes of sort items: chosen bits of the key, gathered, above the item's index.
#pragma once

#include "drawloom/draw/draw_sort.h"

namespace dl::detail
{

struct CodeShape
{
    std::uint64_t mask = 0; ///< bits of the key that the code holds, popcount(mask) + indexBits <= 64
    std::uint32_t indexBits = 0;
    bool isFirst = true; ///< code i is item i's; else that of the item whose index code i holds already

    std::uint64_t indexMask() const { return (std::uint64_t(1) << indexBits) - 1; }
};

/// One code for each item, in place when !isFirst.
using Encode = void (*)(std::span<const SortItem> items, const CodeShape& shape, std::uint64_t* codes);

/// For every processor: a shift for each run of neighbouring bits of the mask; 1 to 3 ns an item more than pext.
void encodePortable(std::span<const SortItem> items, const CodeShape& shape, std::uint64_t* codes);

/// encodePortable, or pext (BMI2) on processors that have it in hardware.
Encode fastestEncode();

} // namespace dl::detail
