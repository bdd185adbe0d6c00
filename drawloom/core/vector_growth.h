// drawloom/core/vector_growth.h - sizes per-frame lists that are cleared and filled anew, so that a list which slowly grows
// allocates ever more rarely: clear() and resize() alone would allocate exactly, again with every new peak.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace dl
{

/// v.resize(size); new room is at least half as large again as the old.
template <class T> void resizeAmortised(std::vector<T>& v, std::size_t size)
{
    if (size > v.capacity())
        v.reserve(std::max(size, v.capacity() + v.capacity() / 2));
    v.resize(size);
}

} // namespace dl
