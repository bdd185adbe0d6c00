#include "drawloom/resource/vertex_streams.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace dl
{

namespace
{
constexpr gpu::VertexAttribute kPositionAttributes[] = {{0, gpu::VertexFormat::Float32x3, 0}};
constexpr gpu::VertexAttribute kNormalAttributes[] = {{1, gpu::VertexFormat::Snorm16x4, 0}, {2, gpu::VertexFormat::Snorm16x4, 8}};
constexpr gpu::VertexAttribute kUvAttributes[] = {{3, gpu::VertexFormat::Float32x2, 0}, {4, gpu::VertexFormat::Float32x2, 8},
    {5, gpu::VertexFormat::Unorm8x4, 16}, {6, gpu::VertexFormat::Uint32, 20}};

std::int16_t toSnorm16(float value)
{
    return static_cast<std::int16_t>(std::lround(std::clamp(value, -1.0f, 1.0f) * 32767.0f));
}

std::uint8_t toUnorm8(float value)
{
    return static_cast<std::uint8_t>(std::lround(std::clamp(value, 0.0f, 1.0f) * 255.0f));
}

bool isFinite(vec3 v)
{
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

vec3 unitOr(vec3 v, vec3 fallback)
{
    const float length2 = glm::dot(v, v);
    return std::isfinite(length2) && length2 > 1e-20f ? v / std::sqrt(length2) : fallback;
}

vec3 perpendicularTo(vec3 n)
{
    const vec3 axis = std::abs(n.x) < 0.9f ? vec3(1, 0, 0) : vec3(0, 1, 0);
    return glm::normalize(axis - n * glm::dot(axis, n));
}

VertexNormal packNormal(const Primitive& primitive, std::size_t i)
{
    const vec3 n = primitive.normals.empty() ? vec3(0, 0, 1) : unitOr(primitive.normals[i], vec3(0, 0, 1));
    vec3 t = perpendicularTo(n);
    float sign = 1.0f;
    if (!primitive.tangents.empty())
    {
        t = unitOr(vec3(primitive.tangents[i]), t);
        sign = primitive.tangents[i].w < 0.0f ? -1.0f : 1.0f;
    }
    VertexNormal packed;
    for (int axis = 0; axis < 3; ++axis)
    {
        packed.normal[axis] = toSnorm16(n[axis]);
        packed.tangent[axis] = toSnorm16(t[axis]);
    }
    packed.normal[3] = 0;
    packed.tangent[3] = toSnorm16(sign);
    return packed;
}

VertexUv packUv(const Primitive& primitive, std::size_t i, std::uint32_t part)
{
    VertexUv packed;
    const vec2 uv0 = primitive.uv0.empty() ? vec2(0.0f) : primitive.uv0[i];
    const vec2 uv1 = primitive.uv1.empty() ? uv0 : primitive.uv1[i];
    packed.uv0[0] = uv0.x;
    packed.uv0[1] = uv0.y;
    packed.uv1[0] = uv1.x;
    packed.uv1[1] = uv1.y;
    if (!primitive.colors.empty())
        for (int c = 0; c < 4; ++c)
            packed.color[c] = toUnorm8(primitive.colors[i][c]);
    packed.part = part;
    return packed;
}

// Weights of all sets of one vertex as unorm16 that sum to 65535: the rounding error goes to the largest.
void packSkin(std::array<const VertexSkin*, 2> sets, std::uint32_t setCount, SkinRecord* out)
{
    float sum = 0.0f;
    for (std::uint32_t s = 0; s < setCount; ++s)
        for (const float w : sets[s]->weights)
            sum += std::isfinite(w) && w > 0.0f ? w : 0.0f;
    std::int32_t total = 0;
    std::uint16_t* largest = &out[0].weights[0];
    for (std::uint32_t s = 0; s < setCount; ++s)
        for (int k = 0; k < 4; ++k)
        {
            const float w = sets[s]->weights[k];
            const float share = sum > 0.0f && std::isfinite(w) && w > 0.0f ? w / sum : 0.0f;
            out[s].joints[k] = sets[s]->joints[k];
            out[s].weights[k] = static_cast<std::uint16_t>(std::lround(share * 65535.0f));
            total += out[s].weights[k];
            if (out[s].weights[k] > *largest)
                largest = &out[s].weights[k];
        }
    *largest = static_cast<std::uint16_t>(*largest + 65535 - total);
}

void packMorph(const Primitive& primitive, MeshData& data)
{
    data.morphTargetCount = static_cast<std::uint32_t>(primitive.morphTargets.size());
    for (const MorphTarget& target : primitive.morphTargets)
    {
        data.hasMorphNormals = data.hasMorphNormals || !target.normals.empty();
        data.hasMorphTangents = data.hasMorphTangents || !target.tangents.empty();
    }
    const auto put = [&data](const std::vector<vec3>& values, std::size_t i)
    {
        const vec3 v = values.empty() ? vec3(0.0f) : values[i];
        data.morph.insert(data.morph.end(), {v.x, v.y, v.z});
    };
    data.morph.reserve(std::size_t(data.vertexCount()) * data.morphTargetCount * data.morphWords());
    for (const MorphTarget& target : primitive.morphTargets)
        for (std::size_t i = 0; i < primitive.positions.size(); ++i)
        {
            put(target.positions, i);
            if (data.hasMorphNormals)
                put(target.normals, i);
            if (data.hasMorphTangents)
                put(target.tangents, i);
        }
}

Error malformed(std::string_view name, const std::string& what)
{
    return {ErrorCode::InvalidArgument, "mesh \"" + std::string(name) + "\": " + what};
}

Result<void> checkSizes(const Primitive& primitive, std::string_view name)
{
    const std::size_t count = primitive.positions.size();
    const auto check = [&](std::size_t size, const char* what) -> Result<void>
    {
        if (size != 0 && size != count)
            return malformed(
                name, std::string(what) + " has " + std::to_string(size) + " elements, the positions " + std::to_string(count));
        return {};
    };
    DL_TRY(check(primitive.normals.size(), "normals"));
    DL_TRY(check(primitive.tangents.size(), "tangents"));
    DL_TRY(check(primitive.uv0.size(), "uv0"));
    DL_TRY(check(primitive.uv1.size(), "uv1"));
    DL_TRY(check(primitive.colors.size(), "colors"));
    DL_TRY(check(primitive.skin.size(), "skin"));
    DL_TRY(check(primitive.skin1.size(), "skin1"));
    for (const MorphTarget& target : primitive.morphTargets)
    {
        DL_TRY(check(target.positions.size(), "a morph target's positions"));
        DL_TRY(check(target.normals.size(), "a morph target's normals"));
        DL_TRY(check(target.tangents.size(), "a morph target's tangents"));
    }
    for (const vec3 p : primitive.positions)
        if (!isFinite(p))
            return malformed(name, "a position is not finite");
    return {};
}
/// Corner i of the triangle list is vertex i.
bool hasOwnCorners(const Primitive& primitive)
{
    for (std::size_t i = 0; i < primitive.indices.size(); ++i)
        if (primitive.indices[i] != i)
            return false;
    return primitive.indices.size() == primitive.positions.size();
}

} // namespace

gpu::VertexBufferLayout vertexStreamLayout(std::uint32_t stream)
{
    switch (stream)
    {
    case kPositionStream: return {kPositionStrideBytes, false, kPositionAttributes};
    case kNormalStream: return {kNormalStrideBytes, false, kNormalAttributes};
    default: DL_ASSERT(stream == kUvStream, "there are three vertex streams"); return {kUvStrideBytes, false, kUvAttributes};
    }
}

Result<void> validateMeshData(const MeshData& data)
{
    const std::size_t count = data.positions.size();
    if (count == 0 || count > UINT32_MAX / 2)
        return malformed(data.name, std::to_string(count) + " vertices; a mesh has 1 to 2^31");
    if (data.normals.size() != count || data.uvs.size() != count)
        return malformed(data.name, "streams of different lengths");
    if (data.indices.empty() || data.indices.size() % 3 != 0 || data.indices.size() > UINT32_MAX / 2)
        return malformed(data.name, std::to_string(data.indices.size()) + " indices; triangle lists have a multiple of 3");
    if (data.skinSetCount > 2 || data.skin.size() != count * data.skinSetCount)
        return malformed(data.name, "the skin stream does not fit the vertex count");
    if (data.morph.size() != (data.morphTargetCount == 0 ? 0 : count * data.morphTargetCount * data.morphWords()))
        return malformed(data.name, "the morph stream does not fit the vertex count");
    if (data.hasFlatNormals && count % 3 != 0)
        return malformed(data.name, "flat normals need three vertices a triangle");
    const std::uint32_t largest = *std::max_element(data.indices.begin(), data.indices.end());
    if (largest >= count)
        return malformed(data.name, "index " + std::to_string(largest) + " of " + std::to_string(count) + " vertices");
    return {};
}

Result<MeshData> packPrimitive(const Primitive& primitive, std::uint32_t part, std::string_view name)
{
    DL_TRY(checkSizes(primitive, name));
    MeshData data;
    data.name = name;
    data.positions = primitive.positions;
    data.indices = primitive.indices;
    const std::size_t count = primitive.positions.size();
    data.normals.resize(count);
    data.uvs.resize(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        data.normals[i] = packNormal(primitive, i);
        data.uvs[i] = packUv(primitive, i, part);
    }
    if (!primitive.skin.empty())
    {
        data.skinSetCount = primitive.skin1.empty() ? 1 : 2;
        data.skin.resize(count * data.skinSetCount);
        for (std::size_t i = 0; i < count; ++i)
            packSkin({&primitive.skin[i], primitive.skin1.empty() ? nullptr : &primitive.skin1[i]}, data.skinSetCount,
                &data.skin[i * data.skinSetCount]);
    }
    packMorph(primitive, data);
    data.hasFlatNormals = primitive.hasFlatNormals && hasOwnCorners(primitive);
    DL_TRY(validateMeshData(data));
    return data;
}

} // namespace dl
