// drawloom/resource/dirty_ranges.h - which records of an array changed since the last upload, as a bit per granule of
// records, read back as few coalesced ranges. Used by the heaps and tables that keep a copy on the CPU.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

namespace dl
{

struct DirtyRange
{
    std::uint32_t first = 0, count = 0; ///< records
};

/// Marking is O(granules); collecting walks the words between the lowest and highest mark. Not thread safe.
class DirtyRanges
{
public:
    /// `granule`: records per bit, a power of two. Ranges up to `gapGranules` clean granules apart are joined.
    explicit DirtyRanges(std::uint32_t granule = 8, std::uint32_t gapGranules = 2)
        : m_shift(static_cast<std::uint32_t>(std::countr_zero(granule))), m_gap(gapGranules)
    {
    }
    void resize(std::uint32_t recordCount);
    void mark(std::uint32_t first, std::uint32_t count);
    void markAll() { mark(0, m_recordCount); }
    bool isClean() const { return m_low > m_high; }
    /// Appends the ranges in ascending order and forgets them. Ranges end at the record count.
    void collect(std::vector<DirtyRange>& ranges);

private:
    std::uint32_t m_shift, m_gap;
    std::uint32_t m_recordCount = 0;
    std::vector<std::uint64_t> m_bits;
    std::uint32_t m_low = UINT32_MAX, m_high = 0; ///< words
};

} // namespace dl
