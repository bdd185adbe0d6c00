#include "drawloom/cull/detail/morton.h"

#include "drawloom/cull/detail/groups.h"

#include <algorithm>

namespace dl::cull::detail
{

namespace
{

constexpr float kCells = 1024.0f; // 10 bits an axis

struct Range
{
    float low = kTame, high = -kTame;

    Range(const float* values, std::size_t count)
    {
        for (std::size_t i = 0; i < count; ++i)
            if (std::fabs(values[i]) < kTame) // not for NaN
            {
                low = std::min(low, values[i]);
                high = std::max(high, values[i]);
            }
    }

    std::uint32_t cellOf(float value) const
    {
        const float cell = (value - low) / (high - low) * kCells;
        return cell >= 0.0f ? static_cast<std::uint32_t>(std::min(cell, kCells - 1.0f)) : 0U; // 0 for NaN
    }
};

/// Two zero bits between each two of the lower 10 bits.
std::uint64_t spread(std::uint32_t bits)
{
    bits = (bits | bits << 16U) & 0x030000FFU;
    bits = (bits | bits << 8U) & 0x0300F00FU;
    bits = (bits | bits << 4U) & 0x030C30C3U;
    return (bits | bits << 2U) & 0x09249249U;
}

} // namespace

void sortByMorton(const Arrays& arrays, std::size_t count, std::vector<std::uint32_t>& order)
{
    const Range x(arrays.x, count), y(arrays.y, count), z(arrays.z, count);
    std::vector<std::uint64_t> keys(count); // Morton code, then index
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::uint64_t code =
            spread(x.cellOf(arrays.x[i])) | spread(y.cellOf(arrays.y[i])) << 1U | spread(z.cellOf(arrays.z[i])) << 2U;
        keys[i] = code << 32U | i;
    }
    std::sort(keys.begin(), keys.end());
    for (std::size_t i = 0; i < count; ++i)
        order[i] = static_cast<std::uint32_t>(keys[i]);
}

} // namespace dl::cull::detail
