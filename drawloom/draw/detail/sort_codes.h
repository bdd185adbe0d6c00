// drawloom/draw/detail/sort_codes.h - the stable sort behind draw_sort.h, from one array to another.
//
// Keys of one pass differ in some 40 of their 64 bits. Those bits, gathered next to each other, and the item's index below
// them make a code of 8 bytes, so that the passes of the radix sort move half of what an item has, through fewer digits; the
// items themselves move once, at the end. When keys differ in more bits than fit, the highest are sorted by first, which
// mostly leaves runs of a few items to insertion; if not, the low bits are sorted, then the high ones in that order.
#pragma once

#include "drawloom/draw/detail/sort_encode.h"

namespace dl::detail
{

/// Writes the items of `in`, stably sorted by key, to `out` (as many, elsewhere). `memory`: as many again, garbage
/// afterwards.
/// Fewer than 2^32 items. Allocates nothing; 40 KiB of stack.
void sortByCodes(std::span<const SortItem> in, SortItem* out, SortItem* memory, Encode encode = fastestEncode());

} // namespace dl::detail
