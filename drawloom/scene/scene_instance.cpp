// drawloom/scene/scene_instance.cpp - animation, poses and the frame's deform jobs of a scene that was built.
#include "drawloom/scene/scene_instance.h"

#include "drawloom/resource/gpu_resources.h"
#include "drawloom/scene/detail/scene_instance_impl.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dl
{

SceneInstance::SceneInstance(std::unique_ptr<Impl> impl) : m_impl(std::move(impl))
{
}
SceneInstance::~SceneInstance() = default;

Result<std::unique_ptr<SceneInstance>> SceneInstance::create(
    const SceneDescription& scene, DrawLibrary& library, SceneRegistry& registry, const SceneInstanceDesc& desc)
{
    auto impl = std::make_unique<Impl>(library, registry, desc);
    if (Result<void> built = impl->build(scene); !built)
        return withContext(std::move(built).error(), "scene \"" + scene.name + "\"");
    return std::unique_ptr<SceneInstance>(new SceneInstance(std::move(impl)));
}

void SceneInstance::Impl::computeWorlds()
{
    worlds.resize(scene.nodes.size());
    sceneWorlds.resize(scene.nodes.size());
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    {
        const Node& node = scene.nodes[i];
        const Affine local = node.matrix ? toAffine(*node.matrix) : toAffine(node.local);
        sceneWorlds[i] = node.parent == kNoIndex ? local : compose(sceneWorlds[node.parent], local);
        worlds[i] = compose(desc.root.affine, sceneWorlds[i]);
    }
}

std::span<const float> SceneInstance::Impl::weightsOf(std::uint32_t node) const
{
    const std::vector<float>& own = scene.nodes[node].morphWeights;
    return own.empty() ? std::span<const float>(scene.meshes[scene.nodes[node].meshIndex].morphWeights) : std::span<const float>(own);
}

void SceneInstance::Impl::poseDeform(Deform& deform)
{
    const std::span<const float> weights = weightsOf(deform.node);
    const std::span<const Affine> joints =
        deform.skin != kNoIndex ? std::span<const Affine>(skins[deform.skin].joints) : std::span<const Affine>();
    deform.isDirty = true;
    deform.weights.assign(weights.begin(), weights.end());
    deform.weights.resize(deform.bounds.displacements.size());
    const Aabb box = deform.bounds.posed(joints, deform.weights);
    Placed& target = placed[deform.placed];
    if (box.min == target.localBounds.min && box.max == target.localBounds.max)
        return;
    target.localBounds = box;
    registry.setLocalBounds(target.id, box);
}

void SceneInstance::Impl::pose()
{
    for (std::size_t i = 0; i < skins.size(); ++i)
        computeJointMatrices(scene, sceneWorlds, scene.skins[i], skins[i].joints);
    for (Deform& deform : deforms)
        poseDeform(deform);
}

void SceneInstance::Impl::placeCamerasAndLights()
{
    std::size_t cameraCount = 0, lightCount = 0; // the same in every pose: only the first one allocates
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    {
        const Node& node = scene.nodes[i];
        if (node.cameraIndex < scene.cameras.size())
        {
            const Camera& camera = scene.cameras[node.cameraIndex];
            if (cameraCount == cameras.size())
                cameras.push_back({node.name.empty() ? camera.name : node.name, camera, {}, i == scene.defaultCameraNode});
            cameras[cameraCount++].world = worlds[i];
        }
        if (node.lightIndex < scene.lights.size())
        {
            const Light& light = scene.lights[node.lightIndex];
            if (lightCount == lights.size())
                lights.push_back({node.name.empty() ? light.name : node.name, light, {}, desc.root.cell});
            lights[lightCount++].world = worlds[i];
        }
    }
}

void SceneInstance::chooseAnimation(std::uint32_t animationIndex)
{
    m_impl->animation = animationIndex;
}

void SceneInstance::update(float timeSeconds)
{
    Impl& impl = *m_impl;
    if (impl.animation >= impl.scene.animations.size())
        return;
    const Animation& animation = impl.scene.animations[impl.animation];
    const float duration = animation.durationSeconds;
    const float time = duration > 0.0f && timeSeconds > duration ? std::fmod(timeSeconds, duration) : timeSeconds;
    applyAnimation(impl.scene, animation, std::max(time, 0.0f));
    impl.computeWorlds();
    for (Impl::Placed& entry : impl.placed)
    {
        if (entry.deformed != kNoIndex && impl.deforms[entry.deformed].skin != kNoIndex)
            continue; // moved by its joints
        const Affine world = compose(impl.worlds[entry.node], entry.local);
        if (world == entry.world)
            continue;
        entry.world = world;
        impl.registry.move(entry.id, normalised(WorldTransform{impl.desc.root.cell, world}));
    }
    impl.pose();
    impl.placeCamerasAndLights();
}

Result<void> SceneInstance::uploadFrame()
{
    Impl& impl = *m_impl;
    DeformHeap& heap = impl.library.resources().deform();
    if (std::exchange(impl.lostFrameCount, heap.lostFrameCount()) != heap.lostFrameCount())
        redeform();
    for (Impl::SkinPose& skin : impl.skins)
        skin.isUploaded = false;
    for (Impl::Deform& deform : impl.deforms)
    {
        if (!deform.isDirty)
            continue;
        std::uint32_t jointOffset = 0;
        if (deform.skin != kNoIndex)
        {
            Impl::SkinPose& skin = impl.skins[deform.skin];
            if (!skin.isUploaded)
                skin.offset = heap.addJoints(skin.joints);
            skin.isUploaded = true;
            jointOffset = skin.offset;
        }
        const std::uint32_t weightOffset = deform.weights.empty() ? 0 : heap.addMorphWeights(deform.weights);
        // Not resident yet: tried again in the next frame.
        DL_TRY_ASSIGN(const bool isAccepted, heap.addJob(deform.slot, jointOffset, weightOffset));
        deform.isDirty = !isAccepted;
    }
    return {};
}

void SceneInstance::redeform()
{
    for (Impl::Deform& deform : m_impl->deforms)
        deform.isDirty = true;
}

std::span<const PlacedCamera> SceneInstance::cameras() const
{
    return m_impl->cameras;
}

std::span<const PlacedLight> SceneInstance::lights() const
{
    return m_impl->lights;
}

Aabb SceneInstance::bounds() const
{
    Aabb all;
    for (const Impl::Placed& entry : m_impl->placed)
        all.include(transformAabb(entry.world, entry.localBounds));
    return all;
}

std::span<const ImportIssue> SceneInstance::issues() const
{
    return m_impl->issues;
}

const SceneInstanceCounts& SceneInstance::counts() const
{
    return m_impl->counts;
}

std::size_t SceneInstance::animationCount() const
{
    return m_impl->scene.animations.size();
}

std::uint32_t SceneInstance::nodeOf(InstanceId id) const
{
    const auto found = m_impl->nodeOfInstance.find(id);
    return found != m_impl->nodeOfInstance.end() ? found->second : kNoIndex;
}

} // namespace dl
