// drawloom/asset/detail/gltf_export_check_node.cpp - nodes that can not be written as glTF, and what they ask of meshes and skins.
#include "drawloom/asset/detail/gltf_export_check_values.h"

namespace dl::detail
{
namespace
{

Result<void> checkMorphWeights(const SceneDescription& scene, const Node& node, const std::string& where)
{
    const std::size_t targetCount = node.meshIndex == kNoIndex ? 0 : scene.meshes[node.meshIndex].morphWeights.size();
    if (!node.morphWeights.empty() && node.morphWeights.size() != targetCount)
        return invalid(where, "has " + std::to_string(node.morphWeights.size()) + " morph weights; its mesh has " +
                                  std::to_string(targetCount) + " morph targets");
    return {};
}

/// Of one level against the finest; the coverage against the level before.
Result<void> checkLevel(const SceneDescription& scene, const Node& node, std::size_t level, const std::string& where)
{
    const std::string what = "its level of detail " + std::to_string(level) + " ";
    const NodeLod& lod = node.lods[level];
    if (lod.meshIndex >= scene.meshes.size())
        return invalid(where, what + "names mesh " + std::to_string(lod.meshIndex) + " of " + std::to_string(scene.meshes.size()));
    if (!(lod.minCoverage >= 0.0f && lod.minCoverage <= 1.0f))
        return invalid(where, what + "has a coverage outside 0 to 1");
    if (level > 0 && lod.minCoverage > node.lods[level - 1].minCoverage)
        return invalid(where, what + "has a coverage above that of the level before; coverages fall");
    const Mesh& finest = scene.meshes[node.meshIndex];
    const Mesh& mesh = scene.meshes[lod.meshIndex];
    if (mesh.primitives.empty() != finest.primitives.empty())
        return invalid(where, what + "has a mesh without primitives where its node has some, or the reverse; glTF can not say it");
    if (mesh.morphWeights.size() != finest.morphWeights.size())
        return invalid(where, what + "has " + std::to_string(mesh.morphWeights.size()) + " morph targets, level 0 has " +
                                  std::to_string(finest.morphWeights.size()));
    return {};
}

Result<void> checkLods(const SceneDescription& scene, const Node& node, const std::string& where)
{
    if (!node.lods.empty() && (node.meshIndex == kNoIndex || node.lods.front().meshIndex != node.meshIndex))
        return invalid(where, "its first level of detail must be its mesh");
    for (std::size_t level = 0; level < node.lods.size(); ++level)
        DL_TRY(checkLevel(scene, node, level, where));
    return {};
}

Result<void> checkNode(const SceneDescription& scene, std::size_t index)
{
    const Node& node = scene.nodes[index];
    const std::string where = whereOf("nodes", index, node.name);
    if (node.parent != kNoIndex && node.parent >= index)
        return invalid(where, "its parent " + std::to_string(node.parent) + " must come before it");
    if (!isIndex(node.meshIndex, scene.meshes.size()) || !isIndex(node.skinIndex, scene.skins.size()) ||
        !isIndex(node.cameraIndex, scene.cameras.size()) || !isIndex(node.lightIndex, scene.lights.size()))
        return invalid(where, "names a mesh, skin, camera or light that is not there");
    DL_TRY(checkMorphWeights(scene, node, where));
    DL_TRY(checkLods(scene, node, where));
    const Trs& trs = node.local;
    const bool isTrsFinite = isFinite(&trs.translation.x, 3) && isFinite(&trs.rotation.x, 4) && isFinite(&trs.scale.x, 3);
    if (!isTrsFinite || (node.matrix && !isFinite(&(*node.matrix)[0][0], 16)) || !isFiniteArray(node.instances) ||
        !isFiniteArray(node.morphWeights))
        return invalid(where, "has a number that is not finite");
    return {};
}

/// Only joints with a weight are written.
std::uint32_t largestJoint(const Mesh& mesh)
{
    std::uint32_t largest = 0;
    for (const Primitive& primitive : mesh.primitives)
        for (const std::vector<VertexSkin>* set : {&primitive.skin, &primitive.skin1})
            for (const VertexSkin& vertex : *set)
                for (std::size_t i = 0; i < 4; ++i)
                    if (vertex.weights[i] != 0.0f)
                        largest = std::max<std::uint32_t>(largest, vertex.joints[i]);
    return largest;
}

Result<void> checkJoints(const SceneDescription& scene)
{
    std::vector<std::uint32_t> largest(scene.meshes.size());
    std::transform(scene.meshes.begin(), scene.meshes.end(), largest.begin(), largestJoint);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    {
        const Node& node = scene.nodes[i];
        if (node.meshIndex == kNoIndex || node.skinIndex == kNoIndex)
            continue;
        const std::size_t jointCount = scene.skins[node.skinIndex].jointNodes.size();
        std::uint32_t most = largest[node.meshIndex];
        for (const NodeLod& lod : node.lods)
            most = std::max(most, largest[lod.meshIndex]);
        if (most >= jointCount)
            return invalid(whereOf("nodes", i, node.name), "its mesh, or a level of detail, uses joint " + std::to_string(most) +
                                                               "; skins[" + std::to_string(node.skinIndex) + "] has " +
                                                               std::to_string(jointCount));
    }
    return {};
}

} // namespace

Result<void> checkNodes(const SceneDescription& scene)
{
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        DL_TRY(checkNode(scene, i));
    return checkJoints(scene);
}

} // namespace dl::detail
