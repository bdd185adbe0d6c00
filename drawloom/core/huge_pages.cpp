#include "drawloom/core/huge_pages.h"

#include <cstdint>

#ifdef __linux__
#include <sys/mman.h>
#include <unistd.h>
#endif

namespace dl
{

void adviseHugePages([[maybe_unused]] void* begin, [[maybe_unused]] std::size_t bytes)
{
#ifdef MADV_HUGEPAGE
    if (begin == nullptr || bytes < kHugePageWorthBytes)
        return;
    // Outwards to whole pages: those at the ends hold something of this memory, and advice changes no content.
    const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
    const std::size_t before = reinterpret_cast<std::uintptr_t>(begin) % page;
    const std::size_t size = (before + bytes + page - 1) / page * page;
    ::madvise(static_cast<std::byte*>(begin) - before, size, MADV_HUGEPAGE);
#endif
}

} // namespace dl
