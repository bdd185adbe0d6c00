#include "drawloom/asset/tangents.h"

#include "drawloom/core/assert.h"

#include <cmath>

namespace dl
{
namespace
{

/// What the corners around one vertex add up to.
struct TangentSum
{
    vec3 direction = vec3(0.0f);
    float orientation = 0.0f; ///< positive: most of the angle belongs to triangles whose UVs are not mirrored
};

float cornerAngle(vec3 corner, vec3 a, vec3 b)
{
    const vec3 u = a - corner;
    const vec3 v = b - corner;
    const float length = std::sqrt(glm::dot(u, u) * glm::dot(v, v));
    return length > 0.0f ? std::acos(glm::clamp(glm::dot(u, v) / length, -1.0f, 1.0f)) : 0.0f;
}

vec3 projectOnto(vec3 direction, vec3 normal)
{
    return direction - normal * glm::dot(normal, direction);
}

vec3 anyPerpendicular(vec3 normal)
{
    const vec3 axis = std::fabs(normal.x) < 0.9f ? vec3(1.0f, 0.0f, 0.0f) : vec3(0.0f, 1.0f, 0.0f);
    return glm::normalize(projectOnto(axis, normal));
}

bool normalizeInPlace(vec3& v)
{
    const float squared = glm::dot(v, v);
    if (!(squared > 1e-30f) || !std::isfinite(squared))
        return false;
    v /= std::sqrt(squared);
    return true;
}

void addTriangle(const Primitive& primitive, const std::vector<vec2>& uvs, const std::uint32_t* corners, std::vector<TangentSum>& sums)
{
    const vec3 p[3] = {primitive.positions[corners[0]], primitive.positions[corners[1]], primitive.positions[corners[2]]};
    const vec2 e1 = uvs[corners[1]] - uvs[corners[0]];
    const vec2 e2 = uvs[corners[2]] - uvs[corners[0]];
    const float uvArea = e1.x * e2.y - e1.y * e2.x;
    if (uvArea == 0.0f || !std::isfinite(uvArea))
        return;
    const float sign = uvArea > 0.0f ? 1.0f : -1.0f;
    const vec3 alongU = ((p[1] - p[0]) * e2.y - (p[2] - p[0]) * e1.y) * sign;
    for (int i = 0; i < 3; ++i)
    {
        const vec3 normal = primitive.normals[corners[i]];
        vec3 tangent = projectOnto(alongU, normal);
        if (!normalizeInPlace(tangent))
            continue;
        const float angle = cornerAngle(p[i], p[(i + 1) % 3], p[(i + 2) % 3]);
        sums[corners[i]].direction += tangent * angle;
        sums[corners[i]].orientation += sign * angle;
    }
}

} // namespace

void generateTangents(Primitive& primitive, std::uint32_t uvSet)
{
    const std::vector<vec2>& uvs = uvSet == 0 ? primitive.uv0 : primitive.uv1;
    const std::size_t vertexCount = primitive.positions.size();
    DL_ASSERT(uvs.size() == vertexCount && primitive.normals.size() == vertexCount, "tangents need normals and UVs of every vertex");
    std::vector<TangentSum> sums(vertexCount);
    for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3)
        addTriangle(primitive, uvs, primitive.indices.data() + i, sums);
    primitive.tangents.resize(vertexCount);
    for (std::size_t i = 0; i < vertexCount; ++i)
    {
        vec3 tangent = projectOnto(sums[i].direction, primitive.normals[i]);
        if (!normalizeInPlace(tangent))
            tangent = anyPerpendicular(primitive.normals[i]);
        // V grows downwards in glTF, the bitangent points up: a triangle whose UVs keep its orientation has w = -1.
        primitive.tangents[i] = vec4(tangent, sums[i].orientation > 0.0f ? -1.0f : 1.0f);
    }
}

} // namespace dl
