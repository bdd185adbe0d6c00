// drawloom/asset/detail/gltf_export_check.cpp - see the header. Skins, animations, lights; the other checks by their lists.
#include "drawloom/asset/detail/gltf_export_check.h"

#include "drawloom/asset/detail/gltf_export_check_values.h"
#include "drawloom/asset/detail/gltf_export_writer.h"

namespace dl::detail
{
namespace
{

Result<void> checkSkins(const SceneDescription& scene)
{
    for (std::size_t i = 0; i < scene.skins.size(); ++i)
    {
        const Skin& skin = scene.skins[i];
        const std::string where = whereOf("skins", i, skin.name);
        if (skin.jointNodes.empty() || skin.jointNodes.size() != skin.inverseBindMatrices.size())
            return invalid(where, std::to_string(skin.jointNodes.size()) + " joints and " +
                                      std::to_string(skin.inverseBindMatrices.size()) + " inverse bind matrices");
        for (const std::uint32_t joint : skin.jointNodes)
            if (joint >= scene.nodes.size())
                return invalid(where, "names node " + std::to_string(joint) + " of " + std::to_string(scene.nodes.size()));
        if (!isIndex(skin.skeletonRoot, scene.nodes.size()) || !isFiniteArray(skin.inverseBindMatrices))
            return invalid(where, "has a wrong skeleton root or a number that is not finite");
    }
    return {};
}

bool isAscending(const std::vector<float>& times)
{
    return times.front() >= 0.0f && std::adjacent_find(times.begin(), times.end(), [](float a, float b) { return a >= b; }) == times.end();
}

std::size_t componentCount(const SceneDescription& scene, const AnimationChannel& channel)
{
    if (channel.path == AnimationPath::Rotation)
        return 4;
    if (channel.path != AnimationPath::Weights)
        return 3;
    const std::uint32_t mesh = scene.nodes[channel.nodeIndex].meshIndex;
    return mesh == kNoIndex ? 0 : scene.meshes[mesh].morphWeights.size();
}

Result<void> checkAnimation(const SceneDescription& scene, std::size_t index)
{
    const Animation& animation = scene.animations[index];
    for (std::size_t i = 0; i < animation.channels.size(); ++i)
    {
        const AnimationChannel& channel = animation.channels[i];
        const std::string where = whereOf("animations", index, animation.name) + " channel " + std::to_string(i);
        if (channel.nodeIndex >= scene.nodes.size())
            return invalid(where, "names node " + std::to_string(channel.nodeIndex) + " of " + std::to_string(scene.nodes.size()));
        const std::size_t components = componentCount(scene, channel);
        if (components == 0)
            return invalid(where, "moves morph weights of " + whereOf("nodes", channel.nodeIndex, scene.nodes[channel.nodeIndex].name) +
                                      ", which has no mesh with morph targets");
        const std::size_t perKey = components * (channel.interpolation == Interpolation::CubicSpline ? 3 : 1);
        if (channel.times.empty() || channel.values.size() != perKey * channel.times.size())
            return invalid(where, std::to_string(channel.values.size()) + " values for " + std::to_string(channel.times.size()) + " keys");
        if (!isFiniteArray(channel.times) || !isFiniteArray(channel.values))
            return invalid(where, "has a number that is not finite");
        if (!isAscending(channel.times))
            return invalid(where, "has times that are not strictly ascending from zero");
    }
    return {};
}

/// Says what is wrong, or nothing.
std::string faultOf(const Camera& camera)
{
    constexpr float kPi = 3.14159265f;
    const float numbers[] = {camera.yFovRadians, camera.aspect, camera.zNear, camera.zFar, camera.xMag, camera.yMag};
    if (!isFinite(numbers, std::size(numbers)))
        return "has a number that is not finite";
    if (camera.zFar != 0.0f && camera.zFar <= camera.zNear)
        return "has zFar " + std::to_string(camera.zFar) + ", not behind its zNear " + std::to_string(camera.zNear);
    if (camera.isOrthographic ? camera.zNear < 0.0f : camera.zNear <= 0.0f)
        return "has zNear " + std::to_string(camera.zNear) + "; glTF wants a positive one (orthographic: or 0)";
    if (camera.isOrthographic && camera.zFar == 0.0f && !(orthographicFar(camera) > camera.zNear))
        return "has no zFar, and its zNear " + std::to_string(camera.zNear) + " is too large to make one";
    if (camera.isOrthographic && (camera.xMag == 0.0f || camera.yMag == 0.0f))
        return "has an xMag or yMag of 0";
    if (!camera.isOrthographic && (camera.yFovRadians <= 0.0f || camera.yFovRadians >= kPi || camera.aspect < 0.0f))
        return "has a field of view outside 0 to pi, or an aspect below 0";
    return {};
}

Result<void> checkCameras(const SceneDescription& scene)
{
    for (std::size_t i = 0; i < scene.cameras.size(); ++i)
        if (const std::string fault = faultOf(scene.cameras[i]); !fault.empty())
            return invalid(whereOf("cameras", i, scene.cameras[i].name), fault);
    return {};
}

Result<void> checkLights(const SceneDescription& scene)
{
    for (std::size_t i = 0; i < scene.lights.size(); ++i)
    {
        const Light& light = scene.lights[i];
        const float numbers[] = {light.intensity, light.range, light.innerConeRadians, light.outerConeRadians};
        if (!isFinite(&light.color.x, 3) || !isFinite(numbers, std::size(numbers)))
            return invalid(whereOf("lights", i, light.name), "has a number that is not finite");
    }
    return {};
}

} // namespace

Result<void> checkExportable(const SceneDescription& scene)
{
    DL_TRY(checkSkins(scene)); // nodes look at meshes and skins
    DL_TRY(checkMeshes(scene));
    DL_TRY(checkNodes(scene));
    DL_TRY(checkMaterials(scene));
    DL_TRY(checkCameras(scene));
    DL_TRY(checkLights(scene));
    for (std::size_t i = 0; i < scene.animations.size(); ++i)
        DL_TRY(checkAnimation(scene, i));
    return {};
}

} // namespace dl::detail
