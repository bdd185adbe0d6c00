// tests/draw/allocation_fixture.cpp - counts operator new of all threads; apart from the tests, so that no compiler inlines it.
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

namespace dl
{
std::size_t allocationCount();
}

namespace
{
std::atomic<std::size_t> gAllocationCount = 0;
}

std::size_t dl::allocationCount()
{
    return gAllocationCount.load();
}

void* operator new(std::size_t bytes)
{
    ++gAllocationCount;
    if (void* memory = std::malloc(bytes == 0 ? 1 : bytes))
        return memory;
    std::abort();
}
void* operator new(std::size_t bytes, const std::nothrow_t& /*tag*/) noexcept
{
    return operator new(bytes);
}
void operator delete(void* memory) noexcept
{
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept
{
    std::free(memory);
}
