// drawloom/resource/cell_table.h - a world larger than float: positions are an integer cell plus an offset in it, and a frame
// names up to 256 cells by slot. Used by whoever places instances and by the frame's uniforms.
#pragma once

#include "drawloom/core/maths.h"
#include "drawloom/core/result.h"
#include "drawloom/resource/gpu_structs.h"

#include <array>
#include <cstdint>
#include <span>

namespace dl
{

/// offset lies in [0, kCellSizeMetres) after `normalised`.
struct WorldPosition
{
    i32vec3 cell = i32vec3(0);
    vec3 offset = vec3(0.0f);
};

/// Moves whole cells from the offset into the cell. Cells past the 32-bit range stay at its edge; what is not a number stays
/// so, as an offset.
WorldPosition normalised(WorldPosition position);
/// From metres in double precision.
WorldPosition toWorldPosition(double x, double y, double z);
/// a - b in metres; exact to float precision of the distance.
vec3 difference(const WorldPosition& a, const WorldPosition& b);

/// Reference-counted slots. Owner thread only; nothing allocates.
class CellTable
{
public:
    /// Slot of a cell, taken if it has none. OutOfBudget: kMaxCellSlots cells are in use; unchanged.
    Result<std::uint32_t> acquire(i32vec3 cell);
    void addRef(std::uint32_t slot);
    void release(std::uint32_t slot);
    i32vec3 cell(std::uint32_t slot) const { return m_cells[slot].cell; }
    std::uint32_t residentCount() const { return m_count; }

    /// Origins of all resident cells relative to `frameOrigin` (the main camera), in metres; zero for free slots.
    void writeOrigins(const WorldPosition& frameOrigin, std::span<vec4, kMaxCellSlots> origins) const;

private:
    struct Slot
    {
        i32vec3 cell = i32vec3(0);
        std::uint32_t refCount = 0;
    };
    std::array<Slot, kMaxCellSlots> m_cells{};
    std::uint32_t m_count = 0;
    std::uint32_t m_bound = 0; ///< slots at and behind it were never used
};

} // namespace dl
