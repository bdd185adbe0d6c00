// drawloom/cull/detail/morton.h - objects in Morton order of their centres.
#pragma once

#include "drawloom/cull/detail/kernels.h"

#include <vector>

namespace dl::cull::detail
{

/// Writes the objects' indices to `order` (count elements or more): along a Z curve over 1024 cells an axis between the
/// smallest and the largest tame coordinates, by index within a cell. NaN counts as the smallest coordinate.
void sortByMorton(const Arrays& arrays, std::size_t count, std::vector<std::uint32_t>& order);

} // namespace dl::cull::detail
