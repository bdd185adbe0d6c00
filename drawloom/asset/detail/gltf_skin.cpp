// drawloom/asset/detail/gltf_skin.cpp - skins of a glTF, and the check that no vertex names a joint that its skin lacks.
#include "drawloom/asset/detail/gltf_accessor.h"

#include <algorithm>

namespace dl::detail
{
namespace
{

bool readInverseBindMatrices(const GltfObject& object, Skin& out)
{
    GltfState& state = object.state();
    out.inverseBindMatrices.assign(out.jointNodes.size(), mat4(1.0f));
    const std::uint32_t index = object.index("inverseBindMatrices", state.lists.accessors.size());
    if (state.failed() || index == kNoIndex)
        return !state.failed();
    GltfAccessor accessor;
    std::vector<float> values;
    if (!openAccessor(state, index, accessor) || !checkType(state, accessor, 4, 4, object.path("inverseBindMatrices")))
        return false;
    if (accessor.count() < out.jointNodes.size())
        return object.fail("inverseBindMatrices", accessor.path() + " has " + std::to_string(accessor.count()) + " matrices for " +
                                                      std::to_string(out.jointNodes.size()) + " joints");
    if (!readFloats(state, accessor, accessor.isNormalized, values))
        return false;
    for (std::size_t joint = 0; joint < out.jointNodes.size(); ++joint)
        for (int i = 0; i < 16; ++i)
            out.inverseBindMatrices[joint][i / 4][i % 4] = values[joint * 16 + static_cast<std::size_t>(i)];
    return true;
}

std::uint32_t largestJoint(const Mesh& mesh)
{
    std::uint32_t largest = 0;
    for (const Primitive& primitive : mesh.primitives)
        for (const std::vector<VertexSkin>* set : {&primitive.skin, &primitive.skin1})
            for (const VertexSkin& skin : *set)
                for (const std::uint16_t joint : skin.joints)
                    largest = std::max<std::uint32_t>(largest, joint);
    return largest;
}

bool hasInfluences(const Mesh& mesh)
{
    return std::any_of(mesh.primitives.begin(), mesh.primitives.end(), [](const Primitive& primitive) { return !primitive.skin.empty(); });
}

struct MeshJoints
{
    std::uint32_t largest = 0;
    bool hasInfluences = false;
};

/// False after a failure.
bool checkJointsOf(GltfState& state, const std::string& where, std::uint32_t meshIndex, std::uint32_t skinIndex, const MeshJoints& joints)
{
    const std::size_t jointCount = state.scene.skins[skinIndex].jointNodes.size();
    const std::string mesh = "meshes[" + std::to_string(meshIndex) + "]";
    if (joints.largest >= jointCount)
        return state.fail(ErrorCode::BadFile, where,
            mesh + " uses joint " + std::to_string(joints.largest) + ", skins[" + std::to_string(skinIndex) + "] has " +
                std::to_string(jointCount));
    if (!joints.hasInfluences)
        state.warn("skin-without-influences", where, mesh + " has no JOINTS_0 and WEIGHTS_0; its skin moves nothing");
    return !state.failed();
}

void checkJoints(GltfState& state)
{
    std::vector<MeshJoints> joints;
    for (const Mesh& mesh : state.scene.meshes)
        joints.push_back({largestJoint(mesh), hasInfluences(mesh)});
    for (std::size_t i = 0; i < state.nodeOrder.size() && !state.failed(); ++i)
    {
        const Node& node = state.scene.nodes[state.nodeOrder[i]];
        const std::string where = "nodes[" + std::to_string(i) + "]";
        if (node.skinIndex == kNoIndex || !checkJointsOf(state, where, node.meshIndex, node.skinIndex, joints[node.meshIndex]))
            continue;
        for (std::size_t level = 1; level < node.lods.size() && !state.failed(); ++level)
            checkJointsOf(state, where, node.lods[level].meshIndex, node.skinIndex, joints[node.lods[level].meshIndex]);
    }
}

} // namespace

void readSkins(GltfState& state)
{
    for (std::size_t i = 0; i < state.lists.skins.size() && !state.failed(); ++i)
    {
        const GltfObject object(state, state.lists.skins[i], "skins", i);
        Skin& out = state.scene.skins.emplace_back();
        out.name = object.text("name");
        out.jointNodes = object.indexList("joints", state.nodeOrder.size());
        const std::uint32_t skeleton = object.index("skeleton", state.nodeOrder.size());
        if (out.jointNodes.empty())
            object.fail("joints", "must name at least one node");
        if (state.failed() || !state.takeBytes(out.jointNodes.size(), sizeof(mat4), object.path()) || !readInverseBindMatrices(object, out))
            return;
        for (std::uint32_t& joint : out.jointNodes)
            joint = state.nodeOrder[joint];
        out.skeletonRoot = skeleton == kNoIndex ? kNoIndex : state.nodeOrder[skeleton];
    }
    checkJoints(state);
}

} // namespace dl::detail
