// drawloom/scene/scene_instance.h - brings a SceneDescription (an imported file, a composition) to the device: meshes into the
// geometry pool, images into texture slots, materials, mesh sets, and one registry instance per drawn node; plays its
// animations. Used by programs and tests.
#pragma once

#include "drawloom/asset/scene_description.h"
#include "drawloom/scene/scene_registry.h"

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace dl
{

struct SceneInstanceDesc
{
    WorldTransform root; ///< before the nodes' own transforms
    std::uint32_t layers = 1;
    VisibilityGroupId visibilityGroup;
    bool castsShadows = true;
};

/// A camera or light of the file, placed in the world.
struct PlacedCamera
{
    std::string name;
    Camera camera;
    Affine world;           ///< looks along -Z; relative to the root's cell
    bool isDefault = false; ///< SceneDescription::defaultCameraNode
};
struct PlacedLight
{
    std::string name;
    Light light;
    Affine world; ///< shines along -Z; relative to the root's cell
    i32vec3 cell = i32vec3(0);
};

/// What it took, for reports.
struct SceneInstanceCounts
{
    std::uint32_t nodes = 0, meshes = 0, primitives = 0, materials = 0, textures = 0, instances = 0, skins = 0, morphTargets = 0;
    std::uint64_t triangles = 0; ///< of all instances
    std::uint32_t meshSets = 0, deformedInstances = 0;
};

/// One thread, the owner of library and registry.
class SceneInstance
{
public:
    /// Copies what it needs from `scene` but pixels and vertices. Fails as the resources do, naming mesh, image or material;
    /// what was made is taken back.
    static Result<std::unique_ptr<SceneInstance>> create(
        const SceneDescription& scene, DrawLibrary& library, SceneRegistry& registry, const SceneInstanceDesc& desc = {});
    /// Removes its instances, materials, textures and meshes.
    ~SceneInstance();
    SceneInstance(const SceneInstance&) = delete;
    SceneInstance& operator=(const SceneInstance&) = delete;

    /// The animation that later updates pose, 0 at first; an index without one: none, everything stays as it is. What the former
    /// animation moved and the new one does not stays where it was.
    void chooseAnimation(std::uint32_t animationIndex);
    /// Poses the chosen animation at `timeSeconds`, wrapped to its duration; queues moves of what changed, bounds of posed skins,
    /// joints and morph weights. Before SceneRegistry::applyEdits.
    void update(float timeSeconds);
    /// Hands the frame's joints, weights and deform jobs to the resources; after GpuResources::beginFrame
    /// and before GpuResources::flush.
    Result<void> uploadFrame();
    /// Makes the next uploadFrame deform everything, not only what was posed since the last one: for a frame that must not
    /// depend on vertices written in an earlier one (captures).
    void redeform();

    std::span<const PlacedCamera> cameras() const;
    std::span<const PlacedLight> lights() const;
    /// Of everything as it is posed, relative to the root's cell.
    Aabb bounds() const;
    const SceneInstanceCounts& counts() const;
    /// Images that this device can not show (a neutral texture stands in) and levels of detail that are left out, once each, for
    /// reports.
    std::span<const ImportIssue> issues() const;
    std::size_t animationCount() const;
    /// Node behind an instance (picking), kNoIndex if it is not of this scene.
    std::uint32_t nodeOf(InstanceId id) const;

private:
    struct Impl;
    explicit SceneInstance(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace dl
