// drawloom/asset/detail/lod_simplify.cpp - meshoptimizer's simplifier over all primitives of a mesh at once.
#include "drawloom/asset/detail/lod_mesh.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>

namespace dl::detail
{
namespace
{

constexpr std::size_t kMaxStreams = 16;      // meshoptimizer's
constexpr std::size_t kMaxStreamFloats = 64; // 256 bytes

template <class T> bool isFiniteArray(const std::vector<T>& values)
{
    const auto* floats = reinterpret_cast<const float*>(values.data());
    return values.empty() ||
           std::all_of(floats, floats + values.size() * (sizeof(T) / sizeof(float)), [](float v) { return std::isfinite(v); });
}

template <class T> bool fits(const std::vector<T>& values, std::size_t count)
{
    return values.empty() || values.size() == count;
}

bool isWhole(const Primitive& p)
{
    const std::size_t count = p.positions.size();
    const bool isMorphWhole = std::all_of(p.morphTargets.begin(), p.morphTargets.end(),
        [count](const MorphTarget& t) { return fits(t.positions, count) && fits(t.normals, count) && fits(t.tangents, count); });
    return fits(p.normals, count) && fits(p.tangents, count) && fits(p.uv0, count) && fits(p.uv1, count) && fits(p.colors, count) &&
           fits(p.skin, count) && fits(p.skin1, count) && isMorphWhole;
}

bool isFinite(const Primitive& p)
{
    const bool isMorphFinite = std::all_of(p.morphTargets.begin(), p.morphTargets.end(),
        [](const MorphTarget& t) { return isFiniteArray(t.positions) && isFiniteArray(t.normals) && isFiniteArray(t.tangents); });
    return isFiniteArray(p.positions) && isFiniteArray(p.normals) && isFiniteArray(p.tangents) && isFiniteArray(p.uv0) &&
           isFiniteArray(p.uv1) && isFiniteArray(p.colors) && isMorphFinite;
}

/// All deltas of a vertex side by side.
std::vector<float> morphTable(const Primitive& p, std::size_t& stride)
{
    std::vector<const std::vector<vec3>*> arrays;
    for (const MorphTarget& target : p.morphTargets)
        for (const std::vector<vec3>* array : {&target.positions, &target.normals, &target.tangents})
            if (!array->empty())
                arrays.push_back(array);
    stride = arrays.size() * 3;
    std::vector<float> table(stride * p.positions.size());
    for (std::size_t a = 0; a < arrays.size(); ++a)
        for (std::size_t v = 0; v < p.positions.size(); ++v)
            for (int c = 0; c < 3; ++c)
                table[v * stride + a * 3 + static_cast<std::size_t>(c)] = (*arrays[a])[v][c];
    return table;
}

/// Gives each primitive its triangles back. False: one crosses primitives, which the simplifier's seams should rule out.
bool split(std::span<const unsigned int> indices, std::span<const std::uint32_t> firstVertices, LevelIndices& out)
{
    const auto ownerOf = [&](std::uint32_t vertex)
    { return static_cast<std::size_t>(std::upper_bound(firstVertices.begin(), firstVertices.end(), vertex) - firstVertices.begin()) - 1; };
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3)
    {
        const std::size_t owner = ownerOf(indices[i]);
        if (ownerOf(indices[i + 1]) != owner || ownerOf(indices[i + 2]) != owner)
            return false;
        for (std::size_t k = 0; k < 3; ++k)
            out[owner].push_back(indices[i + k] - firstVertices[owner]);
    }
    return true;
}

} // namespace

std::string lodProblemOf(const Mesh& mesh)
{
    std::size_t vertexCount = 0, indexCount = 0;
    for (std::size_t i = 0; i < mesh.primitives.size(); ++i)
    {
        const Primitive& p = mesh.primitives[i];
        const std::string where = "primitive " + std::to_string(i) + " ";
        const std::size_t count = p.positions.size();
        if (p.indices.size() % 3 != 0 || std::any_of(p.indices.begin(), p.indices.end(), [count](std::uint32_t v) { return v >= count; }))
            return where + "has indices that are no triangles of its " + std::to_string(count) + " vertices";
        if (!isWhole(p))
            return where + "has an attribute whose length is not its vertex count " + std::to_string(count);
        if (!isFinite(p))
            return where + "has a number that is not finite";
        vertexCount += count;
        indexCount += p.indices.size();
    }
    return std::max(vertexCount, indexCount) > UINT32_MAX / 2 ? "it has more than 2^31 vertices or indices" : "";
}

std::vector<std::uint32_t> weldedIndices(const Primitive& p, const LodAttributes& attributes)
{
    std::vector<meshopt_Stream> streams;
    const auto add = [&](const auto& values)
    {
        constexpr std::size_t kBytes = sizeof(values[0]);
        if (!values.empty())
            streams.push_back({values.data(), kBytes, kBytes});
    };
    add(p.positions);
    add(p.normals);
    add(p.colors);
    add(p.skin);
    add(p.skin1);
    if (attributes.hasTangents)
        add(p.tangents);
    if (attributes.hasUvs)
    {
        add(p.uv0);
        add(p.uv1);
    }
    std::size_t stride = 0;
    const std::vector<float> morph = morphTable(p, stride);
    for (std::size_t first = 0; first < stride; first += kMaxStreamFloats)
        streams.push_back({morph.data() + first, std::min(kMaxStreamFloats, stride - first) * sizeof(float), stride * sizeof(float)});
    if (streams.size() > kMaxStreams || p.indices.empty()) // more than about 170 morph targets: as the file has it
        return p.indices;
    std::vector<std::uint32_t> out(p.indices.size());
    meshopt_generateShadowIndexBufferMulti(
        out.data(), p.indices.data(), p.indices.size(), p.positions.size(), streams.data(), streams.size());
    return out;
}

LevelIndices simplifyMesh(
    const Mesh& mesh, const LevelIndices& welded, std::size_t targetTriangleCount, float maxErrorMetres, float& errorMetres)
{
    // Only vertices that are used: the simplifier holds those fast that share a place with more than one other, used or not.
    std::vector<vec3> positions;
    std::vector<std::uint32_t> originals; ///< in its primitive, by vertex of `positions`
    std::vector<unsigned int> indices;
    std::vector<std::uint32_t> firstVertices, places;
    for (std::size_t i = 0; i < mesh.primitives.size(); ++i)
    {
        firstVertices.push_back(static_cast<std::uint32_t>(positions.size()));
        places.assign(mesh.primitives[i].positions.size(), kNoIndex);
        for (const std::uint32_t index : welded[i])
        {
            if (places[index] == kNoIndex)
            {
                places[index] = static_cast<std::uint32_t>(positions.size());
                positions.push_back(mesh.primitives[i].positions[index]);
                originals.push_back(index);
            }
            indices.push_back(places[index]);
        }
    }
    const auto toOriginals = [&](LevelIndices& level)
    {
        for (std::size_t i = 0; i < level.size(); ++i)
            for (std::uint32_t& index : level[i])
                index = originals[firstVertices[i] + index];
    };
    if (positions.empty())
        return welded;
    targetTriangleCount = std::min(targetTriangleCount, indices.size() / 3); // repeated ones may be gone
    const float scale = meshopt_simplifyScale(&positions[0].x, positions.size(), sizeof(vec3));
    const float maxError = scale > 0.0f ? maxErrorMetres / scale : 0.0f;
    const auto run = [&](std::span<const unsigned int> from, std::size_t target, unsigned int options)
    {
        std::vector<unsigned int> out(from.size());
        float error = 0.0f;
        out.resize(meshopt_simplify(
            out.data(), from.data(), from.size(), &positions[0].x, positions.size(), sizeof(vec3), target * 3, maxError, options, &error));
        errorMetres = std::max(errorMetres, error * scale);
        return out;
    };
    errorMetres = 0.0f;
    LevelIndices out(mesh.primitives.size());
    if (split(run(indices, targetTriangleCount, 0), firstVertices, out))
    {
        toOriginals(out);
        return out;
    }
    // Each primitive for itself, with its border held.
    errorMetres = 0.0f;
    const std::size_t triangleCount = indices.size() / 3;
    std::size_t begin = 0;
    for (std::size_t i = 0; i < welded.size(); ++i)
    {
        const std::span<const unsigned int> own = std::span(indices).subspan(begin, welded[i].size());
        begin += own.size();
        out[i].clear();
        for (const unsigned int index : run(own, own.size() / 3 * targetTriangleCount / triangleCount, meshopt_SimplifyLockBorder))
            out[i].push_back(index - firstVertices[i]);
    }
    toOriginals(out);
    return out;
}

} // namespace dl::detail
