// drawloom/scene/scene_registry.h - the renderer's list of what exists: instances of mesh sets with transforms, overrides,
// layers, visibility groups and LOD ranges. A DrawSource. Edits come from any thread and take effect at the next frame start.
#pragma once

#include "drawloom/core/maths.h"
#include "drawloom/cull/lod.h"
#include "drawloom/draw/draw_library.h"
#include "drawloom/draw/draw_source.h"
#include "drawloom/resource/property_layout.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dl
{

class GpuResources;
using InstanceId = Id<struct InstanceTag>;

/// Placement in the world: an affine transform relative to the origin of an integer cell (1024 m).
struct WorldTransform
{
    i32vec3 cell = i32vec3(0);
    Affine affine;
};
/// Moves the cell so that the translation lies within it.
WorldTransform normalised(WorldTransform transform);

struct InstanceDesc
{
    MeshSetId meshSet;
    WorldTransform transform;
    std::vector<MaterialId> materials; ///< overrides by part, none keeps the mesh set's; empty: no overrides
    BatchFlags flags;                  ///< besides the mesh set's, BatchFlag::Selected for instance
    bool isMarked = false;             ///< SceneRegistry::mark
    /// In place of the mesh set's: passes that sort by it (blended, sequence) draw smaller ones first, whatever their depth.
    std::optional<std::uint8_t> explicitOrder;
    std::uint32_t layers = 1;          ///< 16 bits
    VisibilityGroupId visibilityGroup; ///< none: always visible; flipped through GpuResources::visibility()
    /// Shown only within these distances of a view group's main camera. referencePoint relative to the transform's cell.
    std::optional<cull::LodRange> lodRange;
    Aabb localBounds;               ///< empty: the mesh set's
    std::uint32_t deformOffset = 0; ///< InstanceRecord::deformOffset; set every frame for deformed instances
    bool isDeformed = false;
    const PropertyLayout* propertyLayout = nullptr; ///< of its own values; outlives the registry
    std::uint64_t userTag = 0;                      ///< the caller's, for picking
};

struct SceneRegistryStats
{
    std::uint32_t instanceCount = 0;
    std::uint64_t editsApplied = 0;     ///< since creation
    std::uint64_t editsRefused = 0;     ///< stale ids and failed allocations, see applyEdits
    double editsMs = 0.0, cullMs = 0.0; ///< of the last frame
};

class SceneRegistry final : public DrawSource
{
public:
    /// Both outlive the registry.
    explicit SceneRegistry(DrawLibrary& library);
    ~SceneRegistry() override;

    // ---- edits: any thread, queued in the order of the calls, applied by applyEdits ----

    /// The id is valid at once for further edits.
    InstanceId add(const InstanceDesc& desc);
    void remove(InstanceId id);
    void move(InstanceId id, const WorldTransform& transform);
    /// A move that is no motion: velocity sees the instance as if it had always stood there. Wins over moves of the same frame.
    void teleport(InstanceId id, const WorldTransform& transform);
    /// Overrides one part; a none material takes the override back.
    void overrideMaterial(InstanceId id, std::uint32_t part, MaterialId material);
    void setMeshSet(InstanceId id, MeshSetId meshSet);
    /// Passes choose by flags which batches they draw, so this takes a variant of the mesh set and builds its commands.
    void setFlags(InstanceId id, BatchFlags flags);
    /// Sets kInstanceSelectedBit of the instance's record (as BatchFlag::Selected does): shaders that are compiled with the flag
    /// SELECTED_ONLY draw nothing else. Costs 64 bytes of upload and no command, but such passes draw every object they accept.
    void mark(InstanceId id, bool isMarked);
    /// none: the mesh set's. A variant of the mesh set, as for flags.
    void setExplicitOrder(InstanceId id, std::optional<std::uint8_t> order);
    void setLayers(InstanceId id, std::uint32_t layers);
    /// Shown again, it counts as new for velocity: the last picture did not have it.
    void hide(InstanceId id, bool isHidden);
    /// Value of property `index` of the instance's layout (per instance: 1..16 words; per block: refused).
    void overrideValue(InstanceId id, std::uint32_t index, std::span<const std::uint32_t> words);
    void setLocalBounds(InstanceId id, const Aabb& bounds);
    void setDeformOffset(InstanceId id, std::uint32_t deformOffset);

    // ---- the owner's thread ----

    /// Frame start: applies the queue, in order. Edits of stale ids and adds that found no room are refused and listed.
    void applyEdits();
    /// Of the last applyEdits.
    std::span<const Refusal> refusals() const;
    void cull(const ViewSet& views, VisibleRunSink& sink) override;

    bool contains(InstanceId id) const;
    /// For picking: the instance behind an instance heap id (page << 20 | index); none if it has gone.
    InstanceId findByHeapId(std::uint32_t heapId) const;
    std::uint64_t userTag(InstanceId id) const;
    /// World bounds relative to the instance's cell.
    Aabb bounds(InstanceId id) const;
    WorldTransform transform(InstanceId id) const;
    MeshSetId meshSetVariant(InstanceId id) const;
    SceneRegistryStats stats() const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace dl
