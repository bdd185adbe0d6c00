// drawloom/scene/detail/scene_instance_impl.h - the state behind SceneInstance: built by scene_build.cpp, played by
// scene_instance.cpp.
#pragma once

#include "drawloom/scene/detail/deform_bounds.h"
#include "drawloom/scene/detail/node_lods.h"
#include "drawloom/scene/detail/scene_images.h"
#include "drawloom/scene/scene_instance.h"

#include <unordered_map>
#include <vector>

namespace dl
{

struct SceneInstance::Impl
{
    /// One registry instance.
    struct Placed
    {
        InstanceId id;
        std::uint32_t node = kNoIndex;
        Affine local;                      ///< relative to the node
        Affine world;                      ///< relative to the root's cell, as queued last
        Aabb localBounds;                  ///< before `world`
        std::uint32_t deformed = kNoIndex; ///< into `deforms`
    };
    struct Deform
    {
        std::uint32_t placed = 0, node = 0, skin = kNoIndex;
        DeformSlotId slot;
        detail::DeformBounds bounds;
        std::vector<float> weights; ///< as posed last
        bool isDirty = true;        ///< its job is not accepted yet
    };
    struct SkinPose
    {
        std::vector<Affine> joints;
        std::uint32_t offset = 0;
        bool isUploaded = false; ///< in this frame
    };
    /// What was made of a mesh, shared by all nodes that ask for the same.
    struct MeshEntry
    {
        struct Range
        {
            std::uint32_t primitive = 0, part = 0;
            MeshRangeId id;
        };
        struct Set
        {
            std::vector<detail::NodeLevel> levels;
            std::uint32_t primitive = kNoIndex; ///< of a deformed one; kNoIndex: all of them, rigid
            MeshSetId id;
            MeshRangeId range; ///< deformed: the vertices that all levels share
        };
        std::vector<Range> ranges; ///< of rigid sets
        std::vector<Set> sets;     ///< whose finest level is this mesh
    };

    Impl(DrawLibrary& theLibrary, SceneRegistry& theRegistry, const SceneInstanceDesc& theDesc)
        : library(theLibrary), registry(theRegistry), desc(theDesc), images(theLibrary.resources())
    {
    }
    ~Impl();

    // scene_build.cpp
    Result<void> build(const SceneDescription& source);
    Result<MaterialId> materialOf(const SceneDescription& source, std::uint32_t materialIndex);
    using Levels = std::vector<detail::NodeLevel>;           ///< finest first, at least one
    using Matches = std::vector<std::vector<std::uint32_t>>; ///< detail::keepSharedLevels
    Result<MeshRangeId> addRange(const SceneDescription& source, std::uint32_t meshIndex, std::uint32_t primitive, std::uint32_t part,
        std::span<const std::uint32_t> moreIndices);
    Result<MeshRangeId> rangeOf(const SceneDescription& source, std::uint32_t meshIndex, std::uint32_t primitive, std::uint32_t part);
    MeshSetDesc startMeshSet(const SceneDescription& source, std::uint32_t meshIndex) const;
    Result<void> addLevel(
        const SceneDescription& source, const detail::NodeLevel& level, std::vector<std::uint32_t>& partMaterials, MeshSetDesc& set);
    Result<MeshSetId> rigidSet(const SceneDescription& source, const Levels& levels);
    Result<MeshEntry::Set> deformedSet(
        const SceneDescription& source, const Levels& levels, const Matches& matches, std::uint32_t primitive);
    Result<void> placeNode(const SceneDescription& source, std::uint32_t nodeIndex);
    Result<void> placeRigid(const SceneDescription& source, std::uint32_t nodeIndex, const Levels& levels);
    Result<void> placeDeformed(
        const SceneDescription& source, std::uint32_t nodeIndex, const Levels& levels, const Matches& matches, std::uint32_t primitive);
    void place(Placed placed, MeshSetId meshSet, std::uint32_t deformOffset, std::uint64_t triangles);

    // scene_instance.cpp
    void computeWorlds();
    void pose();
    void poseDeform(Deform& deform);
    std::span<const float> weightsOf(std::uint32_t node) const;
    void placeCamerasAndLights();

    DrawLibrary& library;
    SceneRegistry& registry;
    SceneInstanceDesc desc;
    SceneDescription scene;      ///< without images, materials and vertices
    std::uint32_t animation = 0; ///< into scene.animations
    detail::SceneImages images;
    std::uint64_t lostFrameCount = 0;  ///< DeformHeap's, as seen by the last uploadFrame
    std::vector<MaterialId> materials; ///< by glTF material; the last is glTF's default
    std::vector<MeshEntry> meshes;
    std::vector<Placed> placed;
    std::vector<Deform> deforms;
    std::vector<SkinPose> skins;
    std::vector<Affine> worlds;      ///< of nodes, root included
    std::vector<Affine> sceneWorlds; ///< without the root
    std::vector<PlacedCamera> cameras;
    std::vector<PlacedLight> lights;
    SceneInstanceCounts counts;
    std::vector<ImportIssue> issues;
    std::unordered_map<InstanceId, std::uint32_t> nodeOfInstance;
};

} // namespace dl
