// drawloom/resource/resource_ids.h - the stable slots of the library: what commands and keys may hold. What a slot holds
// (a texture with other mips, a moved range) changes behind it and is resolved when commands are encoded.
#pragma once

#include "drawloom/core/id.h"

#include <cstdint>

namespace dl
{

using MeshRangeId = Id<struct MeshRangeTag>;
using InstanceBlockId = Id<struct InstanceBlockTag>;
using MaterialId = Id<struct MaterialTag>;
using TextureSlotId = Id<struct TextureSlotTag>;
using TextureSetId = Id<struct TextureSetTag>;
using DeformSlotId = Id<struct DeformSlotTag>;
using UploadId = Id<struct UploadTag>;
using VisibilityGroupId = Id<struct VisibilityGroupTag>;
using TextureAssetId = Id<struct TextureAssetTag>;

/// Position of a record in the instance heap: page << 20 | index in the page.
using HeapId = std::uint32_t;
constexpr std::uint32_t kHeapPageShift = 20;
constexpr std::uint32_t heapPage(HeapId id)
{
    return id >> kHeapPageShift;
}
constexpr std::uint32_t heapIndex(HeapId id)
{
    return id & ((1U << kHeapPageShift) - 1U);
}

/// Row of the material table, as it stands in the material lists that instances point to.
using MaterialTableIndex = std::uint32_t;

} // namespace dl
