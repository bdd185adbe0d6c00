// drawloom/asset/detail/tangent_groups.cpp - MikkTSpace in four steps: weld equal vertices, a frame per triangle, twins of
// half-edges, groups flooded around vertices. Directions are computed in doubles, so that finite floats never overflow;
// the UV area is not, so that slivers fall on the side on which a baker's tool, working in floats, sees them.
#include "drawloom/asset/detail/tangent_groups.h"
#include "drawloom/core/hash.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <compare>
#include <limits>
#include <span>

namespace dl::detail
{
namespace
{

using glm::dvec3;

constexpr std::uint32_t kNoCorner = ~0U;
constexpr double kMinAngle = 1e-6; // radians: needles decide where they are alone, and nowhere else

std::uint32_t nextCorner(std::uint32_t corner)
{
    return corner % 3 == 2 ? corner - 2 : corner + 1;
}

std::uint32_t previousCorner(std::uint32_t corner)
{
    return corner % 3 == 0 ? corner + 2 : corner - 1;
}

bool normalizeInPlace(dvec3& v)
{
    const double squared = glm::dot(v, v);
    if (!(squared > 0.0) || !std::isfinite(squared))
        return false;
    v /= std::sqrt(squared);
    return true;
}

/// Float normals are unit to seven digits only; dividing keeps the result in the plane to double precision, also where
/// little of the direction remains.
dvec3 projectOnto(dvec3 direction, dvec3 normal)
{
    const double squared = glm::dot(normal, normal);
    return squared > 0.0 ? direction - normal * (glm::dot(normal, direction) / squared) : direction;
}

bool isFinite(vec3 v)
{
    return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// What makes two vertices one; adding +0 turns -0 into it, so that equal numbers are equal bits.
using WeldKey = std::array<std::uint32_t, 8>;

WeldKey weldKeyOf(const Primitive& primitive, const std::vector<vec2>& uvs, std::uint32_t vertex)
{
    const vec3 p = primitive.positions[vertex] + 0.0f;
    const vec3 n = primitive.normals[vertex] + 0.0f;
    const vec2 t = uvs[vertex] + 0.0f;
    return std::bit_cast<WeldKey>(std::array<float, 8>{p.x, p.y, p.z, n.x, n.y, n.z, t.x, t.y});
}

/// Sorted by hash, then by content: crafted collisions cost a comparison, not a quadratic walk.
std::vector<std::uint32_t> weldVertices(const Primitive& primitive, const std::vector<vec2>& uvs)
{
    struct Entry
    {
        std::uint64_t hash;
        std::uint32_t vertex;
    };
    const std::uint32_t vertexCount = primitive.vertexCount();
    std::vector<Entry> order(vertexCount);
    for (std::uint32_t vertex = 0; vertex < vertexCount; ++vertex)
    {
        const WeldKey key = weldKeyOf(primitive, uvs, vertex);
        order[vertex] = {hashBytes(std::as_bytes(std::span(key))), vertex};
    }
    const auto keyOf = [&](const Entry& entry) { return weldKeyOf(primitive, uvs, entry.vertex); };
    const auto isBefore = [&](const Entry& a, const Entry& b)
    {
        if (a.hash != b.hash)
            return a.hash < b.hash;
        const auto difference = keyOf(a) <=> keyOf(b);
        return difference != 0 ? difference < 0 : a.vertex < b.vertex;
    };
    std::sort(order.begin(), order.end(), isBefore);
    std::vector<std::uint32_t> welded(vertexCount);
    for (std::size_t i = 0; i < order.size(); ++i)
    {
        const bool isSame = i > 0 && order[i].hash == order[i - 1].hash && keyOf(order[i]) == keyOf(order[i - 1]);
        welded[order[i].vertex] = isSame ? welded[order[i - 1].vertex] : order[i].vertex;
    }
    return welded;
}

struct TriangleFrame
{
    vec3 alongU = vec3(0.0f);  ///< unit: where the surface goes as u grows; unset without hasFrame
    bool hasArea = false;      ///< false: two corners at one place, or not finite; no group ever enters it
    bool hasFrame = false;     ///< false: the UVs say nothing; joins groups without a say in their direction
    bool isPreserving = false; ///< the UVs keep the triangle's orientation; without hasFrame the first group decides
};

TriangleFrame frameOf(const Primitive& primitive, const std::vector<vec2>& uvs, const std::uint32_t* corners)
{
    TriangleFrame frame;
    const vec3 p[3] = {primitive.positions[corners[0]], primitive.positions[corners[1]], primitive.positions[corners[2]]};
    frame.hasArea = isFinite(p[0]) && isFinite(p[1]) && isFinite(p[2]) && p[0] != p[1] && p[0] != p[2] && p[1] != p[2];
    const vec2 t1 = uvs[corners[1]] - uvs[corners[0]];
    const vec2 t2 = uvs[corners[2]] - uvs[corners[0]];
    const float uvArea = t1.x * t2.y - t1.y * t2.x;
    if (!frame.hasArea || !std::isfinite(uvArea) || std::fabs(uvArea) <= std::numeric_limits<float>::min())
        return frame;
    frame.isPreserving = uvArea > 0.0f;
    const dvec3 d1 = dvec3(p[1]) - dvec3(p[0]);
    const dvec3 d2 = dvec3(p[2]) - dvec3(p[0]);
    dvec3 alongU = d1 * double(t2.y) - d2 * double(t1.y);
    dvec3 alongV = d2 * double(t1.x) - d1 * double(t2.x);
    frame.hasFrame = normalizeInPlace(alongU) && normalizeInPlace(alongV);
    frame.alongU = vec3(frame.isPreserving ? alongU : -alongU);
    return frame;
}

class GroupBuilder
{
public:
    GroupBuilder(const Primitive& primitive, const std::vector<vec2>& uvs) : m_primitive(primitive), m_indices(primitive.indices)
    {
        m_out.welded = weldVertices(primitive, uvs);
        m_frames.reserve(m_indices.size() / 3);
        for (std::size_t i = 0; i + 2 < m_indices.size(); i += 3)
            m_frames.push_back(frameOf(primitive, uvs, m_indices.data() + i));
    }

    TangentGroups build()
    {
        m_out.groups.assign(m_indices.size(), kNoTangentGroup);
        findTwins();
        for (std::uint32_t corner = 0; corner < m_frames.size() * 3; ++corner)
            if (frame(corner).hasFrame && m_out.groups[corner] == kNoTangentGroup)
                flood(corner);
        return std::move(m_out);
    }

private:
    TriangleFrame& frame(std::uint32_t corner) { return m_frames[corner / 3]; }
    std::uint32_t vertex(std::uint32_t corner) const { return m_out.welded[m_indices[corner]]; }
    /// Of the half-edge from `corner` to the next one.
    std::uint32_t lowerEnd(std::uint32_t corner) const { return std::min(vertex(corner), vertex(nextCorner(corner))); }
    std::uint32_t upperEnd(std::uint32_t corner) const { return std::max(vertex(corner), vertex(nextCorner(corner))); }
    bool isForward(std::uint32_t corner) const { return vertex(corner) == lowerEnd(corner); }

    void findTwins();
    void pairEdges(std::span<const std::uint32_t> sameEdge);
    void flood(std::uint32_t first);
    dvec3 weightedDirection(std::uint32_t corner) const;

    const Primitive& m_primitive;
    const std::vector<std::uint32_t>& m_indices;
    std::vector<TriangleFrame> m_frames;
    std::vector<std::uint32_t> m_twins; ///< per half-edge: the one that runs the other way; kNoCorner at borders
    std::vector<std::uint32_t> m_stack, m_pending;
    TangentGroups m_out;
};

/// Half-edges are bucketed by their lower vertex, then sorted in the bucket: light on memory, and a hub costs n log n.
void GroupBuilder::findTwins()
{
    m_twins.assign(m_indices.size(), kNoCorner);
    std::vector<std::uint32_t> ends(m_primitive.positions.size() + 1, 0);
    const auto cornerCount = static_cast<std::uint32_t>(m_frames.size() * 3);
    for (std::uint32_t corner = 0; corner < cornerCount; ++corner)
        if (frame(corner).hasArea)
            ++ends[lowerEnd(corner) + 1];
    for (std::size_t i = 1; i < ends.size(); ++i)
        ends[i] += ends[i - 1];
    std::vector<std::uint32_t> edges(ends.back());
    for (std::uint32_t corner = 0; corner < cornerCount; ++corner) // turns each bucket's begin into its end
        if (frame(corner).hasArea)
            edges[ends[lowerEnd(corner)]++] = corner;
    std::uint32_t begin = 0;
    for (std::size_t bucket = 0; bucket + 1 < ends.size(); begin = ends[bucket++])
    {
        const std::span<std::uint32_t> around(edges.data() + begin, ends[bucket] - begin);
        const auto isBefore = [this](std::uint32_t a, std::uint32_t b)
        {
            const std::uint32_t endA = upperEnd(a);
            const std::uint32_t endB = upperEnd(b);
            return endA != endB ? endA < endB : a < b;
        };
        std::sort(around.begin(), around.end(), isBefore);
        for (std::size_t i = 0, j = 0; i < around.size(); i = j)
        {
            while (j < around.size() && upperEnd(around[j]) == upperEnd(around[i]))
                ++j;
            pairEdges(around.subspan(i, j - i));
        }
    }
}

/// Where more than two triangles meet at an edge, each takes the first later one that runs the other way and is free.
void GroupBuilder::pairEdges(std::span<const std::uint32_t> sameEdge)
{
    m_pending.clear(); // always of one direction
    std::size_t oldest = 0;
    for (const std::uint32_t corner : sameEdge)
    {
        if (oldest == m_pending.size() || isForward(m_pending[oldest]) == isForward(corner))
        {
            m_pending.push_back(corner);
            continue;
        }
        m_twins[corner] = m_pending[oldest];
        m_twins[m_pending[oldest++]] = corner;
    }
}

/// One new group: from `first` around its vertex, as far as the orientation holds.
void GroupBuilder::flood(std::uint32_t first)
{
    const auto group = static_cast<std::uint32_t>(m_out.tangents.size());
    const bool isPreserving = frame(first).isPreserving;
    dvec3 sum(0.0);
    m_stack.assign(1, first);
    while (!m_stack.empty())
    {
        const std::uint32_t corner = m_stack.back();
        m_stack.pop_back();
        if (m_out.groups[corner] != kNoTangentGroup)
            continue;
        TriangleFrame& triangle = frame(corner);
        const bool isFree = m_out.groups[nextCorner(corner)] == kNoTangentGroup && m_out.groups[previousCorner(corner)] == kNoTangentGroup;
        if (!triangle.hasFrame && isFree)
            triangle.isPreserving = isPreserving;
        if (triangle.isPreserving != isPreserving)
            continue;
        m_out.groups[corner] = group;
        if (triangle.hasFrame)
            sum += weightedDirection(corner);
        const std::uint32_t after = m_twins[corner]; // starts where this edge ends, so it comes back to the vertex
        const std::uint32_t before = m_twins[previousCorner(corner)];
        if (before != kNoCorner)
            m_stack.push_back(before);
        if (after != kNoCorner)
            m_stack.push_back(nextCorner(after));
    }
    const vec3 normal = m_primitive.normals[m_indices[first]];
    sum = projectOnto(sum, dvec3(normal)); // what nearly cancelled may have left the plane
    const vec3 tangent = normalizeInPlace(sum) ? vec3(sum) + 0.0f : anyTangentAcross(normal);
    // V grows downwards in glTF, the bitangent points up: a triangle whose UVs keep its orientation has w = -1.
    m_out.tangents.emplace_back(tangent, isPreserving ? -1.0f : 1.0f);
}

/// The triangle's direction in the tangent plane of the corner's vertex, as long as the corner's angle in that plane.
dvec3 GroupBuilder::weightedDirection(std::uint32_t corner) const
{
    const dvec3 normal(m_primitive.normals[m_indices[corner]]);
    dvec3 direction = projectOnto(dvec3(m_frames[corner / 3].alongU), normal);
    if (!normalizeInPlace(direction))
        return dvec3(0.0);
    const dvec3 origin(m_primitive.positions[m_indices[corner]]);
    dvec3 a = projectOnto(dvec3(m_primitive.positions[m_indices[previousCorner(corner)]]) - origin, normal);
    dvec3 b = projectOnto(dvec3(m_primitive.positions[m_indices[nextCorner(corner)]]) - origin, normal);
    const bool isAngle = normalizeInPlace(a) && normalizeInPlace(b); // an edge along the normal counts as a right angle
    return direction * std::max(std::acos(isAngle ? std::clamp(glm::dot(a, b), -1.0, 1.0) : 0.0), kMinAngle);
}

} // namespace

TangentGroups buildTangentGroups(const Primitive& primitive, const std::vector<vec2>& uvs)
{
    return GroupBuilder(primitive, uvs).build();
}

vec3 anyTangentAcross(vec3 normal)
{
    dvec3 n(normal);
    if (!normalizeInPlace(n))
        return vec3(1.0f, 0.0f, 0.0f);
    const dvec3 axis = std::fabs(n.x) < 0.9 ? dvec3(1.0, 0.0, 0.0) : dvec3(0.0, 1.0, 0.0);
    return vec3(glm::normalize(projectOnto(axis, n))) + 0.0f;
}

} // namespace dl::detail
