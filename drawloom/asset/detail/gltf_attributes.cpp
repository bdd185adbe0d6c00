// drawloom/asset/detail/gltf_attributes.cpp - vertex attributes and morph targets of one primitive.
#include "drawloom/asset/detail/gltf_accessor.h"
#include "drawloom/asset/detail/gltf_mesh.h"

namespace dl::detail
{
namespace
{

/// Opens the accessor of one attribute and holds its count against the vertices. `isFound` is false if it is absent.
bool openAttribute(const GltfObject& attributes, const char* name, std::size_t vertexCount, GltfAccessor& accessor, bool& isFound)
{
    GltfState& state = attributes.state();
    isFound = false;
    const std::uint32_t index = attributes.index(name, state.lists.accessors.size());
    if (state.failed())
        return false;
    if (index == kNoIndex)
        return true;
    if (!openAccessor(state, index, accessor))
        return false;
    if (vertexCount != 0 && accessor.count() != vertexCount)
        return attributes.fail(
            name, accessor.path() + " has " + std::to_string(accessor.count()) + " elements, POSITION has " + std::to_string(vertexCount));
    isFound = true;
    return true;
}

/// Reads `name` into `out`, which stays empty if the attribute is absent. `rows` is the number of components.
template <class Vector> bool readVectors(const GltfObject& attributes, const char* name, std::size_t vertexCount, std::vector<Vector>& out)
{
    GltfState& state = attributes.state();
    GltfAccessor accessor;
    bool isFound = false;
    if (!openAttribute(attributes, name, vertexCount, accessor, isFound))
        return false;
    if (!isFound)
        return true;
    if (!checkType(state, accessor, sizeof(Vector) / sizeof(float), 1, attributes.path(name)))
        return false;
    return readVectors(state, accessor, accessor.isNormalized, out);
}

bool readColors(const GltfObject& attributes, std::size_t vertexCount, std::vector<vec4>& out)
{
    GltfState& state = attributes.state();
    GltfAccessor accessor;
    bool isFound = false;
    if (!openAttribute(attributes, "COLOR_0", vertexCount, accessor, isFound))
        return false;
    if (!isFound)
        return true;
    if (accessor.rows != 3 && !checkType(state, accessor, 4, 1, attributes.path("COLOR_0")))
        return false;
    if (accessor.columns != 1)
        return attributes.fail("COLOR_0", accessor.path() + " is a matrix");
    std::vector<float> values;
    if (!readFloats(state, accessor, true, values))
        return false;
    out.resize(vertexCount, vec4(1.0f));
    for (std::size_t i = 0; i < vertexCount; ++i)
        for (std::uint32_t channel = 0; channel < accessor.rows; ++channel)
            out[i][static_cast<int>(channel)] = values[i * accessor.rows + channel];
    return true;
}

bool readInfluences(
    const GltfObject& attributes, const char* jointsName, const char* weightsName, std::size_t vertexCount, std::vector<VertexSkin>& out)
{
    GltfState& state = attributes.state();
    GltfAccessor joints;
    GltfAccessor weights;
    bool hasJoints = false;
    bool hasWeights = false;
    if (!openAttribute(attributes, jointsName, vertexCount, joints, hasJoints) ||
        !openAttribute(attributes, weightsName, vertexCount, weights, hasWeights))
        return false;
    if (hasJoints != hasWeights)
        state.warn("skin-incomplete", attributes.path(),
            std::string(jointsName) + " and " + weightsName + " come only together; both are left out");
    if (!hasJoints || !hasWeights)
        return true;
    if (!checkType(state, joints, 4, 1, attributes.path(jointsName)) || !checkType(state, weights, 4, 1, attributes.path(weightsName)))
        return false;
    std::vector<std::uint32_t> jointValues;
    std::vector<float> weightValues;
    if (!readUints(state, joints, jointValues) || !readFloats(state, weights, true, weightValues))
        return false;
    out.resize(vertexCount);
    for (std::size_t i = 0; i < vertexCount * 4; ++i)
    {
        const float weight = weightValues[i];
        if (weight <= 0.0f) // joints without weight may be anything in the file: 0 here
            continue;
        if (jointValues[i] > UINT16_MAX)
            return attributes.fail(jointsName,
                "joint " + std::to_string(jointValues[i]) + " of vertex " + std::to_string(i / 4) + " is past the last possible one");
        out[i / 4].joints[i % 4] = static_cast<std::uint16_t>(jointValues[i]);
        out[i / 4].weights[i % 4] = weight;
    }
    return true;
}

bool isRead(std::string_view name)
{
    for (const char* known :
        {"POSITION", "NORMAL", "TANGENT", "TEXCOORD_0", "TEXCOORD_1", "COLOR_0", "JOINTS_0", "JOINTS_1", "WEIGHTS_0", "WEIGHTS_1"})
        if (name == known)
            return true;
    return !name.empty() && name.front() == '_'; // applications' own: not ours to mention
}

void noteUnread(const GltfObject& attributes)
{
    std::string names;
    for (const auto& [name, value] : attributes.members())
        if (!isRead(name))
            names += (names.empty() ? "" : ", ") + std::string(name);
    if (!names.empty())
        attributes.state().note("attribute-ignored", attributes.path(), "not read: " + names);
}

} // namespace

bool checkVertexCount(const GltfObject& primitive, std::uint64_t vertexCount)
{
    const std::uint64_t most = primitive.state().settings.maxVertexCount;
    return vertexCount <= most ||
           primitive.state().fail(ErrorCode::OutOfBudget, primitive.path(),
               std::to_string(vertexCount) + " vertices exceed the limit of " + std::to_string(most) + "; raise maxVertexCount");
}

bool readAttributes(const GltfObject& primitive, Primitive& out)
{
    const std::optional<GltfObject> attributes = primitive.object("attributes");
    GltfAccessor positions;
    bool isFound = false;
    if (!openAttribute(*attributes, "POSITION", 0, positions, isFound) || !isFound)
        return false;
    if (!checkVertexCount(primitive, positions.count()))
        return false;
    const auto count = static_cast<std::size_t>(positions.count());
    noteUnread(*attributes);
    return readVectors(*attributes, "POSITION", count, out.positions) && readVectors(*attributes, "NORMAL", count, out.normals) &&
           readVectors(*attributes, "TANGENT", count, out.tangents) && readVectors(*attributes, "TEXCOORD_0", count, out.uv0) &&
           readVectors(*attributes, "TEXCOORD_1", count, out.uv1) && readColors(*attributes, count, out.colors) &&
           readInfluences(*attributes, "JOINTS_0", "WEIGHTS_0", count, out.skin) &&
           readInfluences(*attributes, "JOINTS_1", "WEIGHTS_1", count, out.skin1);
}

bool readMorphTargets(const GltfObject& primitive, const std::vector<std::string>& targetNames, Primitive& out)
{
    const std::vector<GltfObject> targets = primitive.objects("targets");
    if (primitive.state().failed())
        return false;
    out.morphTargets.resize(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i)
    {
        MorphTarget& target = out.morphTargets[i];
        if (i < targetNames.size())
            target.name = targetNames[i];
        const std::size_t vertexCount = out.positions.size();
        if (!readVectors(targets[i], "POSITION", vertexCount, target.positions) ||
            !readVectors(targets[i], "NORMAL", vertexCount, target.normals) ||
            !readVectors(targets[i], "TANGENT", vertexCount, target.tangents))
            return false;
    }
    return true;
}

} // namespace dl::detail
