// tests/asset/tangent_meshes_fixture.cpp - see tangent_meshes.h.
#include "tests/asset/tangent_meshes.h"

#include <cmath>
#include <random>

namespace dl::test
{
namespace
{

std::uint32_t addVertex(Primitive& p, vec3 position, vec3 normal, vec2 uv)
{
    p.positions.push_back(position);
    p.normals.push_back(glm::normalize(normal));
    p.uv0.push_back(uv);
    return p.vertexCount() - 1;
}

void addTriangle(Primitive& p, std::uint32_t a, std::uint32_t b, std::uint32_t c)
{
    p.indices.insert(p.indices.end(), {a, b, c});
}

void addGridIndices(Primitive& p, std::uint32_t first, std::uint32_t columns, std::uint32_t rows)
{
    for (std::uint32_t y = 0; y < rows; ++y)
        for (std::uint32_t x = 0; x < columns; ++x)
        {
            const std::uint32_t corner = first + y * (columns + 1) + x;
            addTriangle(p, corner, corner + columns + 1, corner + 1);
            addTriangle(p, corner + 1, corner + columns + 1, corner + columns + 2);
        }
}

/// The rows at the poles have triangles without area: both ends of their edge lie in the pole.
Primitive makeSphere(std::uint32_t columns, std::uint32_t rows)
{
    Primitive p;
    for (std::uint32_t y = 0; y <= rows; ++y)
        for (std::uint32_t x = 0; x <= columns; ++x)
        {
            const float u = static_cast<float>(x) / static_cast<float>(columns);
            const float v = static_cast<float>(y) / static_cast<float>(rows);
            const float longitude = x == columns ? 0.0f : u * 6.2831853f; // the seam's two sides meet exactly
            const float radius = y == 0 || y == rows ? 0.0f : std::sin(v * 3.1415927f);
            const vec3 direction(radius * std::cos(longitude), std::cos(v * 3.1415927f), -radius * std::sin(longitude));
            addVertex(p, direction, direction, vec2(u, v));
        }
    addGridIndices(p, 0, columns, rows);
    return p;
}

Primitive withoutFlatTriangles(const Primitive& p)
{
    Primitive out = p;
    out.indices.clear();
    for (std::size_t i = 0; i < p.indices.size(); i += 3)
    {
        const vec3 a = p.positions[p.indices[i]];
        const vec3 b = p.positions[p.indices[i + 1]];
        const vec3 c = p.positions[p.indices[i + 2]];
        if (a != b && b != c && a != c)
            addTriangle(out, p.indices[i], p.indices[i + 1], p.indices[i + 2]);
    }
    return out;
}

/// A wavy sheet whose left half has the right half's UVs, mirrored; the middle column belongs to both.
Primitive makeMirroredWaves(std::uint32_t size)
{
    Primitive p;
    const std::uint32_t columns = size * 2;
    for (std::uint32_t y = 0; y <= size; ++y)
        for (std::uint32_t x = 0; x <= columns; ++x)
        {
            const float s = (static_cast<float>(x) - static_cast<float>(size)) / static_cast<float>(size);
            const float t = static_cast<float>(y) / static_cast<float>(size);
            const vec3 slope(-0.9f * std::cos(s * 3.0f), -0.4f * std::cos(t * 2.0f), 1.0f);
            addVertex(p, vec3(s, t, 0.3f * std::sin(s * 3.0f) + 0.2f * std::sin(t * 2.0f)), slope, vec2(std::fabs(s), t + 0.1f * s * s));
        }
    addGridIndices(p, 0, columns, size);
    return p;
}

Primitive makeCube(bool isSmooth)
{
    Primitive p;
    for (int axis = 0; axis < 3; ++axis)
        for (const float side : {-1.0f, 1.0f})
        {
            vec3 normal(0.0f), right(0.0f), up(0.0f);
            normal[axis] = side;
            right[(axis + 1) % 3] = side; // keeps the winding on both sides
            up[(axis + 2) % 3] = 1.0f;
            const std::uint32_t first = p.vertexCount();
            for (const vec2 at : {vec2(-1, -1), vec2(1, -1), vec2(-1, 1), vec2(1, 1)})
            {
                const vec3 position = normal + right * at.x + up * at.y;
                addVertex(p, position, isSmooth ? position : normal, isSmooth ? vec2(position.x, position.y) : at * 0.5f + 0.5f);
            }
            addTriangle(p, first, first + 1, first + 2);
            addTriangle(p, first + 2, first + 1, first + 3);
        }
    return p;
}

/// Triangles over few lattice points, normals and UVs: edges of many triangles, no UV area, no area, equal vertices.
Primitive makeSoup(std::uint32_t triangleCount)
{
    Primitive p;
    std::mt19937 random(20081217);
    const auto upTo = [&](std::uint32_t limit) { return static_cast<float>(random() % limit); };
    for (std::uint32_t i = 0; i < triangleCount * 3; ++i)
    {
        const float x = upTo(3);
        const float y = upTo(3);
        const vec3 position(x, y * 1.25f + 0.11f * x * x, upTo(2) * 0.7f + 0.09f * x * y + 0.05f * y * y); // no three in a line
        const vec3 normal = random() % 8 == 0 ? vec3(0.3f, 1.0f, -0.2f) : vec3(0.1f, 0.2f, 1.0f);
        const vec2 uv(std::fmod(position.x * 0.37f + upTo(2) * 0.21f, 1.0f), position.y * 0.41f + position.z * 0.13f);
        p.indices.push_back(addVertex(p, position, normal, uv));
    }
    return p;
}

} // namespace

Primitive unshared(const Primitive& p)
{
    Primitive out;
    for (const std::uint32_t index : p.indices)
    {
        out.indices.push_back(out.vertexCount());
        out.positions.push_back(p.positions[index]);
        out.normals.push_back(p.normals[index]);
        out.uv0.push_back(p.uv0[index]);
    }
    return out;
}

std::vector<TangentMesh> makeTangentMeshes(std::uint32_t size)
{
    const Primitive sphere = makeSphere(size * 4, size * 2);
    Primitive flatUvs = sphere;
    for (std::size_t i = 0; i < flatUvs.uv0.size(); ++i)
        if (i % 5 == 0)
            flatUvs.uv0[i] = vec2(0.5f);
    std::vector<TangentMesh> meshes;
    meshes.push_back({"sphere", withoutFlatTriangles(sphere)});
    meshes.push_back({"mirrored_waves", makeMirroredWaves(size)});
    meshes.push_back({"cube", makeCube(false)});
    meshes.push_back({"smooth_cube", makeCube(true)});
    meshes.push_back({"flat_triangles", sphere});
    meshes.push_back({"torn_uvs", flatUvs});
    meshes.push_back({"soup", makeSoup(size * size * 10)});
    return meshes;
}

} // namespace dl::test
