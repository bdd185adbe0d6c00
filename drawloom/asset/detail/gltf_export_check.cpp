// drawloom/asset/detail/gltf_export_check.cpp - see the header.
#include "drawloom/asset/detail/gltf_export_check.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>

namespace dl::detail
{
namespace
{

Error invalid(const std::string& where, const std::string& problem)
{
    return Error{ErrorCode::InvalidArgument, where + ": " + problem};
}

bool isIndex(std::uint32_t index, std::size_t count)
{
    return index == kNoIndex || index < count;
}

bool isFinite(const float* values, std::size_t count)
{
    return std::all_of(values, values + count, [](float value) { return std::isfinite(value); });
}

template <class T> bool isFiniteArray(const std::vector<T>& values)
{
    return values.empty() || isFinite(reinterpret_cast<const float*>(values.data()), values.size() * sizeof(T) / sizeof(float));
}

Result<void> checkNode(const SceneDescription& scene, std::size_t index)
{
    const Node& node = scene.nodes[index];
    const std::string where = "nodes[" + std::to_string(index) + "] \"" + node.name + "\"";
    if (node.parent != kNoIndex && node.parent >= index)
        return invalid(where, "its parent " + std::to_string(node.parent) + " must come before it");
    if (!isIndex(node.meshIndex, scene.meshes.size()) || !isIndex(node.skinIndex, scene.skins.size()) ||
        !isIndex(node.cameraIndex, scene.cameras.size()) || !isIndex(node.lightIndex, scene.lights.size()))
        return invalid(where, "names a mesh, skin, camera or light that is not there");
    for (const NodeLod& lod : node.lods)
        if (lod.meshIndex >= scene.meshes.size() || !(lod.minCoverage >= 0.0f && lod.minCoverage <= 1.0f))
            return invalid(where, "has a level of detail without a mesh, or with a coverage outside 0 to 1");
    if (!node.lods.empty() && node.lods.front().meshIndex != node.meshIndex)
        return invalid(where, "its first level of detail must be its mesh");
    const Trs& trs = node.local;
    const bool isTrsFinite = isFinite(&trs.translation.x, 3) && isFinite(&trs.rotation.x, 4) && isFinite(&trs.scale.x, 3);
    if (!isTrsFinite || (node.matrix && !isFinite(&(*node.matrix)[0][0], 16)) || !isFiniteArray(node.instances) ||
        !isFiniteArray(node.morphWeights))
        return invalid(where, "has a number that is not finite");
    return {};
}

template <class T> bool fits(const std::vector<T>& values, std::size_t count)
{
    return values.empty() || values.size() == count;
}

Result<void> checkPrimitive(const SceneDescription& scene, const Primitive& p, const std::string& where)
{
    const std::size_t count = p.positions.size();
    if (count == 0 || count > 0xfffffffeU || p.indices.empty() || p.indices.size() % 3 != 0)
        return invalid(where,
            "needs vertices and a multiple of three indices, has " + std::to_string(count) + " and " + std::to_string(p.indices.size()));
    if (!fits(p.normals, count) || !fits(p.tangents, count) || !fits(p.uv0, count) || !fits(p.uv1, count) || !fits(p.colors, count) ||
        !fits(p.skin, count) || !fits(p.skin1, count))
        return invalid(where, "has an attribute whose length is not its vertex count " + std::to_string(count));
    for (const MorphTarget& target : p.morphTargets)
        if (!fits(target.positions, count) || !fits(target.normals, count) || !fits(target.tangents, count))
            return invalid(where, "has a morph target \"" + target.name + "\" whose length is not its vertex count");
        else if (!isFiniteArray(target.positions) || !isFiniteArray(target.normals) || !isFiniteArray(target.tangents))
            return invalid(where, "has a morph target \"" + target.name + "\" with a number that is not finite");
    for (const std::vector<VertexSkin>* skin : {&p.skin, &p.skin1})
        for (const VertexSkin& influences : *skin)
            if (!isFinite(&influences.weights[0], 4))
                return invalid(where, "has a skin weight that is not finite");
    if (const auto bad = std::find_if(p.indices.begin(), p.indices.end(), [count](std::uint32_t index) { return index >= count; });
        bad != p.indices.end())
        return invalid(where, "index " + std::to_string(*bad) + " for " + std::to_string(count) + " vertices");
    for (const VariantMaterial& entry : p.variantMaterials)
        if (!isIndex(entry.materialIndex, scene.materials.size()) || !isIndex(entry.variantIndex, scene.variants.size()))
            return invalid(where, "has a variant or a variant's material that is not there");
    if (!isIndex(p.materialIndex, scene.materials.size()))
        return invalid(where, "names material " + std::to_string(p.materialIndex) + " of " + std::to_string(scene.materials.size()));
    if (!isFiniteArray(p.positions) || !isFiniteArray(p.normals) || !isFiniteArray(p.tangents) || !isFiniteArray(p.uv0) ||
        !isFiniteArray(p.uv1) || !isFiniteArray(p.colors))
        return invalid(where, "has a number that is not finite");
    return {};
}

Result<void> checkMaterial(const SceneDescription& scene, std::size_t index)
{
    const Material& m = scene.materials[index];
    const std::string where = "materials[" + std::to_string(index) + "] \"" + m.name + "\"";
    std::uint32_t badImage = kNoIndex;
    bool isTextureFinite = true;
    m.forEachTexture(
        [&](const TextureRef& t)
        {
            badImage = isIndex(t.imageIndex, scene.images.size()) ? badImage : t.imageIndex;
            isTextureFinite = isTextureFinite && isFinite(&t.uvOffset.x, 2) && isFinite(&t.uvScale.x, 2) && std::isfinite(t.uvRotation);
        });
    if (badImage != kNoIndex)
        return invalid(where, "names image " + std::to_string(badImage) + " of " + std::to_string(scene.images.size()));
    if (!isTextureFinite)
        return invalid(where, "has a number that is not finite");
    for (const MaterialExtension& extension : m.keptExtensions)
        if (extension.json.size() != extension.textures.size() + 1)
            return invalid(where, extension.name + " needs one text more than it has textures");
    const float numbers[] = {m.metallicFactor, m.roughnessFactor, m.normalScale, m.occlusionStrength, m.alphaCutoff};
    if (!isFinite(&m.baseColorFactor.x, 4) || !isFinite(&m.emissiveFactor.x, 3) || !isFinite(numbers, std::size(numbers)))
        return invalid(where, "has a number that is not finite");
    return {};
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

Result<void> checkAnimation(const SceneDescription& scene, const Animation& animation)
{
    for (std::size_t i = 0; i < animation.channels.size(); ++i)
    {
        const AnimationChannel& channel = animation.channels[i];
        const std::string where = "animation \"" + animation.name + "\" channel " + std::to_string(i);
        if (channel.nodeIndex >= scene.nodes.size())
            return invalid(where, "names node " + std::to_string(channel.nodeIndex) + " of " + std::to_string(scene.nodes.size()));
        const std::size_t perKey = componentCount(scene, channel) * (channel.interpolation == Interpolation::CubicSpline ? 3 : 1);
        if (channel.times.empty() || channel.values.size() != perKey * channel.times.size())
            return invalid(where, std::to_string(channel.values.size()) + " values for " + std::to_string(channel.times.size()) + " keys");
        if (!isFiniteArray(channel.times) || !isFiniteArray(channel.values))
            return invalid(where, "has a number that is not finite");
    }
    return {};
}

} // namespace

Result<void> checkExportable(const SceneDescription& scene)
{
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        DL_TRY(checkNode(scene, i));
    for (const Mesh& mesh : scene.meshes)
        for (std::size_t i = 0; i < mesh.primitives.size(); ++i)
        {
            const std::string where = "mesh \"" + mesh.name + "\" primitive " + std::to_string(i);
            DL_TRY(checkPrimitive(scene, mesh.primitives[i], where));
            if (mesh.primitives[i].morphTargets.size() != mesh.morphWeights.size())
                return invalid(where, std::to_string(mesh.primitives[i].morphTargets.size()) + " morph targets for " +
                                          std::to_string(mesh.morphWeights.size()) + " weights");
        }
    for (std::size_t i = 0; i < scene.materials.size(); ++i)
        DL_TRY(checkMaterial(scene, i));
    for (const Mesh& mesh : scene.meshes)
        if (!isFiniteArray(mesh.morphWeights))
            return invalid("mesh \"" + mesh.name + "\"", "has a morph weight that is not finite");
    for (const Camera& camera : scene.cameras)
    {
        const float numbers[] = {camera.yFovRadians, camera.aspect, camera.zNear, camera.zFar, camera.xMag, camera.yMag};
        if (!isFinite(numbers, std::size(numbers)))
            return invalid("camera \"" + camera.name + "\"", "has a number that is not finite");
    }
    for (const Light& light : scene.lights)
    {
        const float numbers[] = {light.intensity, light.range, light.innerConeRadians, light.outerConeRadians};
        if (!isFinite(&light.color.x, 3) || !isFinite(numbers, std::size(numbers)))
            return invalid("light \"" + light.name + "\"", "has a number that is not finite");
    }
    for (const Skin& skin : scene.skins)
    {
        if (skin.jointNodes.empty() || skin.jointNodes.size() != skin.inverseBindMatrices.size())
            return invalid("skin \"" + skin.name + "\"", std::to_string(skin.jointNodes.size()) + " joints and " +
                                                             std::to_string(skin.inverseBindMatrices.size()) + " inverse bind matrices");
        for (const std::uint32_t joint : skin.jointNodes)
            if (joint >= scene.nodes.size())
                return invalid(
                    "skin \"" + skin.name + "\"", "names node " + std::to_string(joint) + " of " + std::to_string(scene.nodes.size()));
        if (!isIndex(skin.skeletonRoot, scene.nodes.size()) || !isFiniteArray(skin.inverseBindMatrices))
            return invalid("skin \"" + skin.name + "\"", "has a wrong skeleton root or a number that is not finite");
    }
    for (const Animation& animation : scene.animations)
        DL_TRY(checkAnimation(scene, animation));
    return {};
}

} // namespace dl::detail
