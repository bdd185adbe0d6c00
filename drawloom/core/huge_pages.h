// drawloom/core/huge_pages.h - asks the kernel for large pages under memory that is about to be filled: on virtual machines the
// first touch of each 4 KiB page can cost more than filling it (16 us against 0.5 us measured on one).
#pragma once

#include <cstddef>
#include <vector>

namespace dl
{

/// From this size on it is worth a system call.
constexpr std::size_t kHugePageWorthBytes = std::size_t(4) << 20U;

/// Advice for [begin, begin + bytes), which is mapped and not yet touched; content stays as it is. Does nothing below
/// kHugePageWorthBytes, where the kernel has no such pages, and on other systems than Linux.
void adviseHugePages(void* begin, std::size_t bytes);

/// v.reserve(count) of an empty vector that will be filled.
template <class T> void reserveInHugePages(std::vector<T>& v, std::size_t count)
{
    v.reserve(count);
    adviseHugePages(v.data(), count * sizeof(T));
}

} // namespace dl
