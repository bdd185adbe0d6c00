// drawloom/asset/detail/lod_crowd.cpp - keeps meshes from the simplifier whose triangles crowd around a few points: for each edge
// that it looks at it walks all triangles of both ends, which is their number squared around one point.
#include "drawloom/asset/detail/lod_mesh.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <unordered_set>

namespace dl::detail
{
namespace
{

constexpr std::uint64_t kCrowdCount = 64;           ///< triangles around a point that no sane mesh has many of
constexpr std::uint64_t kSpreadBase = 1U << 18U;    ///< entries that cost nothing worth naming
constexpr std::uint64_t kSpreadCells = 64;          ///< cells of a triangle, on average; surfaces have one to four
constexpr std::uint64_t kMaxCrowdWork = 1ULL << 28; ///< sum of squares: one point with 16384 triangles; below a second of work

/// Corners by place: vertices of all primitives that differ in attributes alone count as one, as the simplifier has it.
std::vector<unsigned int> placesOf(const Mesh& mesh, const LevelIndices& welded, std::size_t& vertexCount)
{
    std::vector<vec3> positions;
    std::vector<unsigned int> corners;
    for (std::size_t i = 0; i < welded.size(); ++i)
    {
        const auto first = static_cast<unsigned int>(positions.size());
        for (const std::uint32_t index : welded[i])
            corners.push_back(first + index);
        positions.insert(positions.end(), mesh.primitives[i].positions.begin(), mesh.primitives[i].positions.end());
    }
    vertexCount = positions.size();
    std::vector<unsigned int> places(corners.size());
    if (!corners.empty())
        meshopt_generateShadowIndexBuffer(
            places.data(), corners.data(), corners.size(), positions.data(), positions.size(), sizeof(vec3), sizeof(vec3));
    return places;
}

std::uint64_t crowdWork(const Mesh& mesh, const LevelIndices& welded)
{
    std::size_t vertexCount = 0;
    const std::vector<unsigned int> places = placesOf(mesh, welded, vertexCount);
    std::vector<std::uint32_t> counts(vertexCount, 0);
    for (const unsigned int place : places)
        ++counts[place];
    std::uint64_t work = 0;
    for (const std::uint64_t count : counts)
        work += count > kCrowdCount ? count * count : 0;
    return work;
}

/// Entries of triangles in a grid of about as many cells as there are triangles along its longest side.
std::uint64_t spreadWork(const Primitive& primitive, std::span<const std::uint32_t> indices)
{
    Aabb box;
    for (const std::uint32_t index : indices)
        box.include(primitive.positions[index]);
    const vec3 extent = box.max - box.min;
    const float longest = std::max({extent.x, extent.y, extent.z});
    if (indices.empty() || !(longest > 0.0f))
        return 0;
    const float cells = std::clamp(std::sqrt(static_cast<float>(indices.size()) / 3.0f), 1.0f, 48.0f);
    double work = 0.0;
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3)
    {
        Aabb triangle;
        for (std::size_t k = 0; k < 3; ++k)
            triangle.include(primitive.positions[indices[i + k]]);
        const vec3 spans = (triangle.max - triangle.min) * (cells / longest) + 1.0f;
        work += static_cast<double>(spans.x) * static_cast<double>(spans.y) * static_cast<double>(spans.z);
    }
    return static_cast<std::uint64_t>(work);
}

using Triangle = std::array<std::uint32_t, 3>;

struct TriangleHash
{
    std::size_t operator()(const Triangle& t) const
    {
        return ((t[0] * 0x9e3779b97f4a7c15ULL + t[1]) * 0x9e3779b97f4a7c15ULL + t[2]) * 0x9e3779b97f4a7c15ULL >> 16U;
    }
};

/// Keeps the first of triangles with the same corners in the same order around.
void dropRepeated(std::vector<std::uint32_t>& indices)
{
    std::unordered_set<Triangle, TriangleHash> seen;
    std::size_t kept = 0;
    for (std::size_t i = 0; i + 2 < indices.size(); i += 3)
    {
        Triangle triangle = {indices[i], indices[i + 1], indices[i + 2]};
        std::rotate(triangle.begin(), std::min_element(triangle.begin(), triangle.end()), triangle.end());
        if (!seen.insert(triangle).second)
            continue;
        std::copy_n(indices.begin() + static_cast<std::ptrdiff_t>(i), 3, indices.begin() + static_cast<std::ptrdiff_t>(kept));
        kept += 3;
    }
    indices.resize(kept);
}

} // namespace

bool relieveCrowds(const Mesh& mesh, LevelIndices& welded)
{
    if (crowdWork(mesh, welded) <= kMaxCrowdWork)
        return true;
    for (std::vector<std::uint32_t>& indices : welded)
        dropRepeated(indices);
    return crowdWork(mesh, welded) <= kMaxCrowdWork;
}

bool isSpread(const Mesh& mesh, const LevelIndices& welded)
{
    std::uint64_t work = 0, triangles = 0;
    for (std::size_t i = 0; i < welded.size(); ++i)
    {
        work += spreadWork(mesh.primitives[i], welded[i]);
        triangles += welded[i].size() / 3;
    }
    return work > kSpreadBase + kSpreadCells * triangles;
}

} // namespace dl::detail
