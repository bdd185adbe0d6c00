// tests/gpu/allocation_count.h - calls of the global operator new in this program so far.
#pragma once

#include <cstddef>

namespace dl::gpu
{
std::size_t allocationCount();
}
