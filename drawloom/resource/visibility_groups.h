// drawloom/resource/visibility_groups.h - one bit per group of instances, all changes of a frame applied at once at its start:
// merge swaps, region hide, HLOD against children and streaming publish are atomic by it.
#pragma once

#include "drawloom/core/result.h"
#include "drawloom/resource/resource_ids.h"

#include <cstdint>
#include <span>
#include <vector>

namespace dl
{

/// Owner thread only. The none id is always visible.
class VisibilityGroups
{
public:
    /// Takes effect at once: nobody can have joined it yet.
    VisibilityGroupId add(bool isVisible);
    bool remove(VisibilityGroupId id);
    bool contains(VisibilityGroupId id) const { return m_groups.contains(id); }
    /// From the next beginFrame on; the last call wins. False for a stale id.
    bool set(VisibilityGroupId id, bool isVisible);
    void beginFrame();

    /// Stale groups hide nothing.
    bool isVisible(VisibilityGroupId id) const
    {
        return !m_groups.contains(id) || ((m_bits[id.index >> 6U] >> (id.index & 63U)) & 1U) != 0;
    }
    /// Bit of group index i, for culling in bulk.
    std::span<const std::uint64_t> bits() const { return m_bits; }

private:
    struct Group
    {
        bool next = true;
        bool isQueued = false;
    };
    void write(std::uint32_t index, bool isVisible);

    SlotTable<VisibilityGroupId, Group> m_groups;
    std::vector<std::uint64_t> m_bits;
    std::vector<VisibilityGroupId> m_queued;
};

} // namespace dl
