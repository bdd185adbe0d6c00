// tests/gpu/allocation_fixture.cpp - counts operator new; apart from the tests, so that no compiler inlines it into them.
#include "tests/gpu/allocation_count.h"

#include <atomic>
#include <cstdlib>
#include <new>

namespace
{
std::atomic<std::size_t> gAllocationCount = 0; // workers of a frame allocate too, if they do
}

std::size_t dl::gpu::allocationCount()
{
    return gAllocationCount;
}

void* operator new(std::size_t bytes)
{
    ++gAllocationCount;
    if (void* memory = std::malloc(bytes == 0 ? 1 : bytes))
        return memory;
    std::abort();
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
