// drawloom/asset/detail/gltf_node.cpp - the node hierarchy: checked to be a forest, put in an order where parents come
// first, with what lies outside the default scene kept but not drawn.
#include "drawloom/asset/detail/gltf_instancing.h"
#include "drawloom/asset/detail/gltf_lod.h"
#include "drawloom/asset/detail/gltf_object.h"
#include "drawloom/core/huge_pages.h"

#include <cmath>

namespace dl::detail
{
namespace
{

constexpr float kUnitTolerance = 1e-3f;

/// Parents by the file's indices. Fails on a node with two parents.
bool readParents(GltfState& state, std::vector<std::uint32_t>& parents)
{
    const std::size_t nodeCount = state.lists.nodes.size();
    parents.assign(nodeCount, kNoIndex);
    for (std::size_t i = 0; i < nodeCount; ++i)
    {
        const GltfObject object(state, state.lists.nodes[i], "nodes", i);
        for (const std::uint32_t child : object.indexList("children", nodeCount))
        {
            if (parents[child] != kNoIndex)
                return object.fail("children", "nodes[" + std::to_string(child) + "] is already a child of nodes[" +
                                                   std::to_string(parents[child]) + "]; a node has one parent");
            parents[child] = static_cast<std::uint32_t>(i);
        }
        if (state.failed())
            return false;
    }
    return true;
}

/// Fills nodeOrder: the file's order where parents come first already, else each ancestor right before its first need.
bool orderNodes(GltfState& state, const std::vector<std::uint32_t>& parents)
{
    state.nodeOrder.assign(parents.size(), kNoIndex);
    std::uint32_t nextIndex = 0;
    std::vector<std::uint32_t> chain;
    for (std::uint32_t i = 0; i < parents.size(); ++i)
    {
        chain.clear();
        for (std::uint32_t node = i; node != kNoIndex && state.nodeOrder[node] == kNoIndex; node = parents[node])
        {
            if (chain.size() == parents.size())
                return state.fail(ErrorCode::BadFile, "nodes[" + std::to_string(i) + "]", "is its own ancestor");
            chain.push_back(node);
        }
        for (; !chain.empty(); chain.pop_back())
            state.nodeOrder[chain.back()] = nextIndex++;
    }
    return true;
}

void readRotation(const GltfObject& object, Trs& out)
{
    float value[4] = {0.0f, 0.0f, 0.0f, 1.0f};
    if (!object.numbers("rotation", value))
        return;
    const float length = std::sqrt(value[0] * value[0] + value[1] * value[1] + value[2] * value[2] + value[3] * value[3]);
    if (std::fabs(length - 1.0f) > kUnitTolerance)
        object.state().warn("rotation-not-unit", object.path("rotation"), "has length " + std::to_string(length) + " and was normalised");
    if (length > 0.0f && std::isfinite(length))
        out.rotation = quat(value[3] / length, value[0] / length, value[1] / length, value[2] / length);
}

void readTransform(const GltfObject& object, Node& out)
{
    float value[16] = {};
    const std::span<float> triple(value, 3);
    if (object.numbers("translation", triple))
        out.local.translation = vec3(value[0], value[1], value[2]);
    if (object.numbers("scale", triple))
        out.local.scale = vec3(value[0], value[1], value[2]);
    readRotation(object, out.local);
    if (!object.numbers("matrix", value))
        return;
    if (object.has("translation") || object.has("rotation") || object.has("scale"))
        object.state().warn("matrix-and-trs", object.path(), "has a matrix and TRS; the matrix is used");
    mat4 matrix(1.0f);
    for (int i = 0; i < 16; ++i)
        matrix[i / 4][i % 4] = value[i];
    if (value[3] != 0.0f || value[7] != 0.0f || value[11] != 0.0f || value[15] != 1.0f)
        object.state().warn("matrix-not-affine", object.path("matrix"), "has a last row other than 0 0 0 1, which is ignored");
    if (matrix != mat4(1.0f))
        out.matrix = matrix;
}

void checkWeights(const GltfObject& object, Node& out)
{
    const std::size_t targetCount = out.meshIndex == kNoIndex ? 0 : object.state().scene.meshes[out.meshIndex].morphWeights.size();
    if (out.morphWeights.empty() || out.morphWeights.size() == targetCount)
        return;
    object.state().warn("weights-count", object.path("weights"),
        std::to_string(out.morphWeights.size()) + " weights for " + std::to_string(targetCount) + " morph targets; ignored");
    out.morphWeights.clear();
}

void readNode(const GltfObject& object, Node& out)
{
    GltfState& state = object.state();
    out.name = object.text("name");
    out.meshIndex = object.index("mesh", state.scene.meshes.size());
    out.skinIndex = object.index("skin", state.lists.skins.size());
    out.cameraIndex = object.index("camera", state.scene.cameras.size());
    if (const std::optional<GltfObject> light = object.extension("KHR_lights_punctual"))
        out.lightIndex = light->requiredIndex("light", state.scene.lights.size());
    out.morphWeights = object.numberList("weights");
    readTransform(object, out);
    if (state.failed())
        return;
    if (out.skinIndex != kNoIndex && out.meshIndex == kNoIndex)
    {
        state.warn("skin-without-mesh", object.path(), "has a skin and no mesh; the skin is ignored");
        out.skinIndex = kNoIndex;
    }
    checkWeights(object, out);
    readInstances(object, out);
}

/// Nodes outside the default scene keep their place, since joints and animations may name them, but show nothing.
void hideOutsideScene(GltfState& state, std::uint32_t sceneIndex)
{
    const GltfObject object(state, state.lists.scenes[sceneIndex], "scenes", sceneIndex);
    std::vector<bool> isShown(state.scene.nodes.size(), false);
    for (const std::uint32_t root : object.indexList("nodes", state.lists.nodes.size()))
        isShown[state.nodeOrder[root]] = true;
    std::size_t hiddenCount = 0;
    for (std::size_t i = 0; i < state.scene.nodes.size(); ++i)
    {
        Node& node = state.scene.nodes[i];
        if (node.parent != kNoIndex && isShown[node.parent])
            isShown[i] = true;
        if (isShown[i])
            continue;
        ++hiddenCount;
        node.meshIndex = node.skinIndex = node.cameraIndex = node.lightIndex = kNoIndex;
        node.morphWeights.clear();
        node.instances.clear();
        node.lods.clear();
    }
    if (hiddenCount != 0)
        state.note(
            "nodes-outside-scene", object.path(), std::to_string(hiddenCount) + " nodes are not in the default scene and show nothing");
}

} // namespace

void readNodes(GltfState& state)
{
    std::vector<std::uint32_t> parents;
    if (state.failed() || !readParents(state, parents) || !orderNodes(state, parents))
        return;
    reserveInHugePages(state.scene.nodes, parents.size());
    state.scene.nodes.resize(parents.size());
    for (std::size_t i = 0; i < parents.size() && !state.failed(); ++i)
    {
        Node& node = state.scene.nodes[state.nodeOrder[i]];
        readNode(GltfObject(state, state.lists.nodes[i], "nodes", i), node);
        node.parent = parents[i] == kNoIndex ? kNoIndex : state.nodeOrder[parents[i]];
    }
    if (!state.failed())
        readLods(state);
    const GltfObject root(state, state.json->root());
    const std::uint32_t sceneIndex = root.index("scene", state.lists.scenes.size());
    if (!state.failed() && !state.lists.scenes.empty())
        hideOutsideScene(state, sceneIndex == kNoIndex ? 0 : sceneIndex);
}

} // namespace dl::detail
