// drawloom/asset/scene_description.cpp - world transforms, bounds and joint matrices of a scene description.
#include "drawloom/asset/scene_description.h"

#include "drawloom/core/assert.h"

#include <algorithm>

namespace dl
{
namespace
{

Affine localTransform(const Node& node)
{
    return node.matrix ? toAffine(*node.matrix) : toAffine(node.local);
}

void addScaled(Affine& sum, const Affine& term, float weight)
{
    for (int row = 0; row < 3; ++row)
        sum.rows[row] += weight * term.rows[row];
}

Affine blendJoints(const Primitive& primitive, std::size_t vertex, const std::vector<Affine>& jointMatrices)
{
    Affine blended;
    blended.rows[0] = blended.rows[1] = blended.rows[2] = vec4(0.0f);
    for (const std::vector<VertexSkin>* set : {&primitive.skin, &primitive.skin1})
    {
        if (set->empty())
            continue;
        const VertexSkin& skin = (*set)[vertex];
        for (int i = 0; i < 4; ++i)
            if (skin.weights[i] != 0.0f && skin.joints[i] < jointMatrices.size())
                addScaled(blended, jointMatrices[skin.joints[i]], skin.weights[i]);
    }
    return blended;
}

vec3 morphedPosition(const Primitive& primitive, std::size_t vertex, const std::vector<float>& weights)
{
    vec3 position = primitive.positions[vertex];
    for (std::size_t target = 0; target < primitive.morphTargets.size() && target < weights.size(); ++target)
        if (weights[target] != 0.0f && !primitive.morphTargets[target].positions.empty())
            position += weights[target] * primitive.morphTargets[target].positions[vertex];
    return position;
}

bool isMorphed(const Primitive& primitive, const std::vector<float>& weights)
{
    if (primitive.morphTargets.empty())
        return false;
    for (const float weight : weights)
        if (weight != 0.0f)
            return true;
    return false;
}

/// In the space of the node, or, with joint matrices, in the space that they lead to.
Aabb primitiveBounds(const Primitive& primitive, const std::vector<float>& weights, const std::vector<Affine>& jointMatrices)
{
    const bool isSkinned = !jointMatrices.empty() && !primitive.skin.empty();
    if (!isSkinned && !isMorphed(primitive, weights))
        return primitive.bounds;
    Aabb box;
    for (std::size_t vertex = 0; vertex < primitive.positions.size(); ++vertex)
    {
        const vec3 position = morphedPosition(primitive, vertex, weights);
        box.include(isSkinned ? blendJoints(primitive, vertex, jointMatrices).transformPoint(position) : position);
    }
    return box;
}

Aabb meshBounds(const Mesh& mesh, const Node& node, const std::vector<Affine>& jointMatrices)
{
    const std::vector<float>& weights = node.morphWeights.empty() ? mesh.morphWeights : node.morphWeights;
    Aabb box;
    for (const Primitive& primitive : mesh.primitives)
        box.include(primitiveBounds(primitive, weights, jointMatrices));
    return box;
}

} // namespace

Result<void> applyVariant(SceneDescription& scene, std::string_view name)
{
    const auto found = std::find(scene.variants.begin(), scene.variants.end(), name);
    if (!name.empty() && found == scene.variants.end())
    {
        std::string known;
        for (const std::string& variant : scene.variants)
            known += (known.empty() ? "" : ", ") + variant;
        return Error{
            ErrorCode::NotFound, "no material variant \"" + std::string(name) + "\"; there are: " + (known.empty() ? "none" : known)};
    }
    const std::uint32_t wanted = name.empty() ? kNoIndex : static_cast<std::uint32_t>(found - scene.variants.begin());
    for (Mesh& mesh : scene.meshes)
        for (Primitive& primitive : mesh.primitives)
        {
            const std::vector<VariantMaterial>& entries = primitive.variantMaterials;
            const auto entry = std::find_if(
                entries.begin(), entries.end(), [wanted](const VariantMaterial& candidate) { return candidate.variantIndex == wanted; });
            if (!entries.empty())
                primitive.materialIndex = entry == entries.end() ? entries.front().materialIndex : entry->materialIndex;
        }
    return {};
}

std::vector<Affine> computeWorldTransforms(const SceneDescription& scene)
{
    std::vector<Affine> world(scene.nodes.size());
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    {
        const Node& node = scene.nodes[i];
        DL_ASSERT(node.parent == kNoIndex || node.parent < i, "a node stands before its parent");
        const Affine local = localTransform(node);
        world[i] = node.parent == kNoIndex ? local : compose(world[node.parent], local);
    }
    return world;
}

Aabb computeSceneBounds(const SceneDescription& scene)
{
    if (std::none_of(scene.nodes.begin(), scene.nodes.end(), [](const Node& node) { return node.meshIndex != kNoIndex; }))
        return {};
    const std::vector<Affine> world = computeWorldTransforms(scene);
    std::vector<Affine> jointMatrices;
    Aabb box;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    {
        const Node& node = scene.nodes[i];
        if (node.meshIndex == kNoIndex)
            continue;
        jointMatrices.clear();
        if (node.skinIndex != kNoIndex)
            computeJointMatrices(scene, world, scene.skins[node.skinIndex], jointMatrices);
        const Aabb meshBox = meshBounds(scene.meshes[node.meshIndex], node, jointMatrices);
        const Affine toWorld = jointMatrices.empty() ? world[i] : Affine{};
        if (node.instances.empty())
            box.include(transformAabb(toWorld, meshBox));
        for (const Affine& instance : node.instances)
            box.include(transformAabb(compose(toWorld, instance), meshBox));
    }
    return box;
}

void computeJointMatrices(
    const SceneDescription& scene, const std::vector<Affine>& worldTransforms, const Skin& skin, std::vector<Affine>& out)
{
    DL_ASSERT(worldTransforms.size() == scene.nodes.size(), "world transforms of another scene");
    out.resize(skin.jointNodes.size());
    for (std::size_t i = 0; i < skin.jointNodes.size(); ++i)
        out[i] = compose(worldTransforms[skin.jointNodes[i]], toAffine(skin.inverseBindMatrices[i]));
}

} // namespace dl
