// drawloom/resource/material_table.h - parameters of all materials (G3 binding 2), indexed by instances through their
// material lists, and the texture set that each needs. Changing a value rewrites a row, no command.
#pragma once

#include "drawloom/asset/material.h"
#include "drawloom/resource/dirty_ranges.h"
#include "drawloom/resource/gpu_structs.h"
#include "drawloom/resource/growable_buffer.h"
#include "drawloom/resource/resource_ids.h"
#include "drawloom/resource/write_batch.h"

#include <cstdint>
#include <span>
#include <vector>

namespace dl
{

/// The row of a glTF material: factors, UV transforms, flags (texture i present as `material` says).
MaterialParams packMaterial(const Material& material);

/// Owner thread only. Does not own the texture sets.
class MaterialTable
{
public:
    MaterialTable(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount);

    /// OutOfBudget: the buffer's limit (699,050 materials); OutOfMemory: the device's. Failed: unchanged.
    Result<MaterialId> add(const MaterialParams& params, TextureSetId textureSet);
    /// False for stale ids, as all below.
    bool update(MaterialId id, const MaterialParams& params);
    bool setTextureSet(MaterialId id, TextureSetId textureSet);
    bool remove(MaterialId id);
    bool contains(MaterialId id) const { return m_materials.contains(id); }

    MaterialTableIndex tableIndex(MaterialId id) const
    {
        DL_ASSERT(m_materials.contains(id), "stale material id");
        return id.index;
    }
    TextureSetId textureSet(MaterialId id) const { return m_materials.get(id); }
    const MaterialParams& params(MaterialId id) const
    {
        DL_ASSERT(m_materials.contains(id), "stale material id");
        return m_rows[id.index];
    }
    std::size_t size() const { return m_materials.size(); }

    /// Makes the buffer, so that it can be bound.
    Result<void> prepare();
    void collectWrites(WriteBatch& batch);
    const GrowableBuffer& buffer() const { return m_buffer; }

private:
    Result<void> reserveRows(std::size_t count);

    GrowableBuffer m_buffer;
    SlotTable<MaterialId, TextureSetId> m_materials;
    std::vector<MaterialParams> m_rows;
    DirtyRanges m_dirty;
    std::vector<DirtyRange> m_scratch;
};

} // namespace dl
