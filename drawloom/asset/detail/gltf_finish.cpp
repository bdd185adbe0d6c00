// drawloom/asset/detail/gltf_finish.cpp - what a primitive needs after reading to keep mesh.h's promises: flat normals,
// unit vectors, weights that sum to one, tangents for normal maps, bounds.
#include "drawloom/asset/detail/gltf_mesh.h"
#include "drawloom/asset/tangents.h"

#include <cmath>

namespace dl::detail
{
namespace
{

constexpr float kUnitTolerance = 1e-4f; // of the squared length: closer vectors stay bit by bit as the file has them

template <class T> void gather(std::vector<T>& values, const std::vector<std::uint32_t>& indices)
{
    if (values.empty())
        return;
    std::vector<T> out;
    out.reserve(indices.size());
    for (const std::uint32_t index : indices)
        out.push_back(values[index]);
    values = std::move(out);
}

std::uint64_t vertexBytes(const Primitive& primitive)
{
    std::uint64_t bytes = sizeof(vec3) * 2 + sizeof(std::uint32_t);
    bytes += (primitive.uv0.empty() ? 0 : sizeof(vec2)) + (primitive.uv1.empty() ? 0 : sizeof(vec2));
    bytes += primitive.colors.empty() ? 0 : sizeof(vec4);
    bytes += (primitive.skin.empty() ? 0 : sizeof(VertexSkin)) + (primitive.skin1.empty() ? 0 : sizeof(VertexSkin));
    bytes += primitive.morphTargets.size() * sizeof(vec3) * 3;
    return bytes;
}

void unshareVertices(Primitive& primitive)
{
    gather(primitive.positions, primitive.indices);
    gather(primitive.uv0, primitive.indices);
    gather(primitive.uv1, primitive.indices);
    gather(primitive.colors, primitive.indices);
    gather(primitive.skin, primitive.indices);
    gather(primitive.skin1, primitive.indices);
    for (MorphTarget& target : primitive.morphTargets)
    {
        gather(target.positions, primitive.indices);
        gather(target.normals, primitive.indices);
        gather(target.tangents, primitive.indices);
    }
    for (std::size_t i = 0; i < primitive.indices.size(); ++i)
        primitive.indices[i] = static_cast<std::uint32_t>(i);
}

/// False if v has no direction.
bool makeUnit(vec3& v)
{
    const float near = v.x * v.x + v.y * v.y + v.z * v.z;
    if (std::fabs(near - 1.0f) < 0.5f * kUnitTolerance) // most vectors of most files
        return true;
    const double squared = double(v.x) * v.x + double(v.y) * v.y + double(v.z) * v.z;
    if (!(squared > 0.0))
        return false;
    if (std::fabs(squared - 1.0) > kUnitTolerance)
        v = vec3(glm::dvec3(v) / std::sqrt(squared));
    return true;
}

std::size_t makeNormalsUnit(Primitive& primitive)
{
    std::size_t badCount = 0;
    for (vec3& normal : primitive.normals)
        if (!makeUnit(normal))
        {
            normal = vec3(0.0f, 0.0f, 1.0f);
            ++badCount;
        }
    return badCount;
}

std::size_t makeTangentsUnit(Primitive& primitive)
{
    std::size_t badCount = 0;
    for (vec4& tangent : primitive.tangents)
    {
        vec3 direction(tangent);
        if (!makeUnit(direction))
        {
            direction = vec3(1.0f, 0.0f, 0.0f);
            ++badCount;
        }
        tangent = vec4(direction, tangent.w < 0.0f ? -1.0f : 1.0f);
    }
    return badCount;
}

/// Over both sets. A vertex without any weight follows joint 0.
std::size_t makeWeightsSumToOne(Primitive& primitive)
{
    std::size_t unweightedCount = 0;
    for (std::size_t vertex = 0; vertex < primitive.skin.size(); ++vertex)
    {
        VertexSkin* sets[2] = {&primitive.skin[vertex], primitive.skin1.empty() ? nullptr : &primitive.skin1[vertex]};
        double sum = 0.0;
        for (const VertexSkin* set : sets)
            for (int i = 0; set != nullptr && i < 4; ++i)
                sum += double(set->weights[i]);
        if (sum <= 0.0)
        {
            sets[0]->weights[0] = 1.0f;
            ++unweightedCount;
            continue;
        }
        if (std::fabs(sum - 1.0) < 1e-6)
            continue;
        for (VertexSkin* set : sets)
            for (int i = 0; set != nullptr && i < 4; ++i)
                set->weights[i] = static_cast<float>(double(set->weights[i]) / sum);
    }
    return unweightedCount;
}

void reportCount(const GltfObject& primitive, const char* code, std::size_t count, const char* what)
{
    if (count != 0)
        primitive.state().note(code, primitive.path(), std::to_string(count) + what);
}

/// The material's normal map if the primitive has its UVs, or nothing.
const TextureRef* usableNormalMap(const GltfState& state, const Primitive& primitive, std::uint32_t materialIndex)
{
    if (materialIndex == kNoIndex)
        return nullptr;
    const TextureRef& normal = state.scene.materials[materialIndex].normal;
    return normal.isPresent() && !(normal.uvSet == 0 ? primitive.uv0 : primitive.uv1).empty() ? &normal : nullptr;
}

void generateMissingTangents(const GltfObject& primitive, Primitive& out)
{
    GltfState& state = primitive.state();
    if (!out.tangents.empty())
        return;
    const TextureRef* normal = usableNormalMap(state, out, out.materialIndex);
    for (const VariantMaterial& entry : out.variantMaterials) // a variant may be the only one with a normal map
        normal = normal != nullptr ? normal : usableNormalMap(state, out, entry.materialIndex);
    if (normal == nullptr)
        return;
    const std::uint64_t scratchBytes = planTangentsBound(out.positions.size(), out.indices.size());
    if (!state.takeBytes(scratchBytes, primitive.path()))
        return;
    TangentPlan plan = planTangents(out, normal->uvSet);
    state.usedBytes -= scratchBytes;
    const std::uint64_t copyCount = plan.copySources.size();
    if (out.positions.size() + copyCount > state.settings.maxVertexCount)
    {
        state.fail(ErrorCode::OutOfBudget, primitive.path(),
            "tangents split " + std::to_string(copyCount) + " vertices off its " + std::to_string(out.positions.size()) +
                ", past the limit of " + std::to_string(state.settings.maxVertexCount) + "; raise maxVertexCount");
        return;
    }
    if (!state.takeBytes(copyCount, vertexBytes(out), primitive.path()) ||
        !state.takeBytes(out.positions.size() + copyCount, sizeof(vec4), primitive.path()))
        return;
    applyTangents(out, std::move(plan));
    reportCount(primitive, "split-vertices", copyCount, " vertices are added where tangents differ (mirrored UVs)");
}

} // namespace

bool makeFlatNormals(const GltfObject& primitive, Primitive& out)
{
    GltfState& state = primitive.state();
    if (out.indices.size() > state.settings.maxVertexCount)
        return state.fail(ErrorCode::OutOfBudget, primitive.path(),
            "flat normals need " + std::to_string(out.indices.size()) + " vertices, past the limit of " +
                std::to_string(state.settings.maxVertexCount) + "; raise maxVertexCount");
    if (!state.takeBytes(out.indices.size(), vertexBytes(out), primitive.path()))
        return false;
    state.note("flat-normals", primitive.path(), "it has no NORMAL; each triangle gets its own");
    out.tangents.clear(); // glTF: tangents without normals are ignored
    unshareVertices(out);
    out.normals.resize(out.positions.size());
    for (std::size_t i = 0; i + 2 < out.positions.size(); i += 3)
    {
        const glm::dvec3 origin(out.positions[i]); // doubles: the product of tiny or huge edges must not vanish
        const glm::dvec3 cross = glm::cross(glm::dvec3(out.positions[i + 1]) - origin, glm::dvec3(out.positions[i + 2]) - origin);
        const double length = glm::length(cross);
        const vec3 normal = length > 0.0 ? vec3(cross / length) : vec3(0.0f, 0.0f, 1.0f);
        out.normals[i] = out.normals[i + 1] = out.normals[i + 2] = normal;
    }
    out.hasFlatNormals = true;
    return true;
}

void finishPrimitive(const GltfObject& primitive, Primitive& out)
{
    reportCount(primitive, "zero-normal", makeNormalsUnit(out), " normals have no direction; +Z is used");
    reportCount(primitive, "zero-tangent", makeTangentsUnit(out), " tangents have no direction; +X is used");
    if (out.skin.empty())
        out.skin1.clear();
    reportCount(primitive, "zero-weights", makeWeightsSumToOne(out), " vertices have no weights; joint 0 moves them");
    for (const vec3 position : out.positions)
        out.bounds.include(position);
    generateMissingTangents(primitive, out);
}

} // namespace dl::detail
