#include "drawloom/resource/dirty_ranges.h"

#include "drawloom/core/assert.h"

#include <algorithm>

namespace dl
{

void DirtyRanges::resize(std::uint32_t recordCount)
{
    m_recordCount = recordCount;
    const std::uint32_t granules = (recordCount + (1U << m_shift) - 1U) >> m_shift;
    m_bits.resize((granules + 63U) / 64U);
}

void DirtyRanges::mark(std::uint32_t first, std::uint32_t count)
{
    if (count == 0)
        return;
    DL_ASSERT(count <= m_recordCount && first <= m_recordCount - count, "marked records do not exist");
    const std::uint32_t firstGranule = first >> m_shift, lastGranule = (first + count - 1U) >> m_shift;
    const std::uint32_t firstWord = firstGranule >> 6U, lastWord = lastGranule >> 6U;
    for (std::uint32_t word = firstWord; word <= lastWord; ++word)
    {
        std::uint64_t mask = ~std::uint64_t(0);
        if (word == firstWord)
            mask &= ~std::uint64_t(0) << (firstGranule & 63U);
        if (word == lastWord)
            mask &= ~std::uint64_t(0) >> (63U - (lastGranule & 63U));
        m_bits[word] |= mask;
    }
    m_low = std::min(m_low, firstWord);
    m_high = std::max(m_high, lastWord);
}

void DirtyRanges::collect(std::vector<DirtyRange>& ranges)
{
    if (isClean())
        return;
    const std::size_t before = ranges.size();
    std::uint32_t endGranule = 0; // of the last range
    for (std::uint32_t word = m_low; word <= m_high; ++word)
    {
        std::uint64_t bits = m_bits[word];
        m_bits[word] = 0;
        while (bits != 0)
        {
            const auto start = static_cast<std::uint32_t>(std::countr_zero(bits));
            const auto length = static_cast<std::uint32_t>(std::countr_one(bits >> start));
            bits &= length + start >= 64U ? 0 : ~std::uint64_t(0) << (start + length);
            const std::uint32_t first = word * 64U + start;
            if (ranges.size() != before && first <= endGranule + m_gap)
                ranges.back().count = first + length - ranges.back().first;
            else
                ranges.push_back({first, length});
            endGranule = first + length;
        }
    }
    for (std::size_t i = before; i < ranges.size(); ++i)
    {
        ranges[i].first <<= m_shift;
        ranges[i].count = std::min(ranges[i].count << m_shift, m_recordCount - ranges[i].first);
    }
    m_low = UINT32_MAX;
    m_high = 0;
}

} // namespace dl
