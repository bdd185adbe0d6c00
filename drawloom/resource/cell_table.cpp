#include "drawloom/resource/cell_table.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace dl
{

namespace
{
constexpr double kCell = static_cast<double>(kCellSizeMetres);

void split(double metres, std::int32_t& cell, float& offset)
{
    if (std::isnan(metres))
    {
        cell = 0;
        offset = static_cast<float>(metres);
        return;
    }
    constexpr double kLow = std::numeric_limits<std::int32_t>::min(), kHigh = std::numeric_limits<std::int32_t>::max();
    const double index = std::clamp(std::floor(metres / kCell), kLow, kHigh);
    cell = static_cast<std::int32_t>(index);
    offset = static_cast<float>(metres - index * kCell);
    if (offset >= kCellSizeMetres && index < kHigh) // a hair below the border, rounded up to it
    {
        cell += 1;
        offset = 0.0f;
    }
}
} // namespace

WorldPosition normalised(WorldPosition position)
{
    WorldPosition result;
    for (int axis = 0; axis < 3; ++axis)
        split(position.cell[axis] * kCell + static_cast<double>(position.offset[axis]), result.cell[axis], result.offset[axis]);
    return result;
}

WorldPosition toWorldPosition(double x, double y, double z)
{
    WorldPosition result;
    split(x, result.cell.x, result.offset.x);
    split(y, result.cell.y, result.offset.y);
    split(z, result.cell.z, result.offset.z);
    return result;
}

vec3 difference(const WorldPosition& a, const WorldPosition& b)
{
    vec3 result(0.0f);
    for (int axis = 0; axis < 3; ++axis)
    {
        const double cells = static_cast<double>(a.cell[axis]) - static_cast<double>(b.cell[axis]);
        result[axis] = static_cast<float>(cells * kCell + (static_cast<double>(a.offset[axis]) - static_cast<double>(b.offset[axis])));
    }
    return result;
}

Result<std::uint32_t> CellTable::acquire(i32vec3 cell)
{
    std::uint32_t free = kMaxCellSlots;
    for (std::uint32_t slot = 0; slot < m_bound; ++slot)
    {
        if (m_cells[slot].refCount != 0 && m_cells[slot].cell == cell)
        {
            m_cells[slot].refCount += 1;
            return slot;
        }
        if (m_cells[slot].refCount == 0)
            free = std::min(free, slot);
    }
    if (free == kMaxCellSlots && m_bound == kMaxCellSlots)
        return Error{ErrorCode::OutOfBudget, "cell (" + std::to_string(cell.x) + ", " + std::to_string(cell.y) + ", " +
                                                 std::to_string(cell.z) + ") would be resident cell " + std::to_string(kMaxCellSlots + 1) +
                                                 " of " + std::to_string(kMaxCellSlots) + "; remove instances of far cells first"};
    if (free == kMaxCellSlots)
        free = m_bound++;
    m_cells[free] = {cell, 1};
    ++m_count;
    return free;
}

void CellTable::addRef(std::uint32_t slot)
{
    DL_ASSERT(slot < kMaxCellSlots && m_cells[slot].refCount != 0, "a cell that is not resident");
    m_cells[slot].refCount += 1;
}

void CellTable::release(std::uint32_t slot)
{
    DL_ASSERT(slot < kMaxCellSlots && m_cells[slot].refCount != 0, "a cell that is not resident");
    if (slot >= kMaxCellSlots || m_cells[slot].refCount == 0)
        return;
    m_cells[slot].refCount -= 1;
    if (m_cells[slot].refCount == 0)
        m_count -= 1;
}

void CellTable::writeOrigins(const WorldPosition& frameOrigin, std::span<vec4, kMaxCellSlots> origins) const
{
    for (std::uint32_t slot = 0; slot < kMaxCellSlots; ++slot)
        origins[slot] = m_cells[slot].refCount == 0 ? vec4(0.0f) : vec4(difference({m_cells[slot].cell, vec3(0.0f)}, frameOrigin), 0.0f);
}

} // namespace dl
