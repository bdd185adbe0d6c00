// drawloom/asset/detail/lod_measure.cpp - how far a level of detail is from its original, attributes included. Triangles lie in
// a uniform grid; the closest point of a triangle after Ericson, "Real-Time Collision Detection", 2005, 5.1.5.
#include "drawloom/asset/detail/lod_mesh.h"

#include <algorithm>
#include <cmath>

namespace dl::detail
{
namespace
{

constexpr float kArc = 0.125f;  // height of an arc over its chord and the angle that it bends by
constexpr float kSlope = 0.25f; // what colours and weights may differ by over an edge

/// Barycentric coordinates of the point of the triangle closest to p.
vec3 closestPoint(vec3 p, vec3 a, vec3 b, vec3 c)
{
    const vec3 ab = b - a, ac = c - a, ap = p - a;
    const float d1 = glm::dot(ab, ap), d2 = glm::dot(ac, ap);
    if (d1 <= 0.0f && d2 <= 0.0f)
        return vec3(1, 0, 0);
    const vec3 bp = p - b;
    const float d3 = glm::dot(ab, bp), d4 = glm::dot(ac, bp);
    if (d3 >= 0.0f && d4 <= d3)
        return vec3(0, 1, 0);
    const vec3 cp = p - c;
    const float d5 = glm::dot(ab, cp), d6 = glm::dot(ac, cp);
    if (d6 >= 0.0f && d5 <= d6)
        return vec3(0, 0, 1);
    const float vc = d1 * d4 - d3 * d2;
    if (vc <= 0.0f && d1 >= 0.0f && d3 <= 0.0f)
        return vec3(1.0f - d1 / (d1 - d3), d1 / (d1 - d3), 0.0f);
    const float vb = d5 * d2 - d1 * d6;
    if (vb <= 0.0f && d2 >= 0.0f && d6 <= 0.0f)
        return vec3(1.0f - d2 / (d2 - d6), 0.0f, d2 / (d2 - d6));
    const float va = d3 * d6 - d5 * d4;
    const float along = (d4 - d3) + (d5 - d6);
    if (va <= 0.0f && d4 >= d3 && d5 >= d6 && along > 0.0f)
        return vec3(0.0f, 1.0f - (d4 - d3) / along, (d4 - d3) / along);
    const float sum = va + vb + vc;
    return sum > 0.0f ? vec3(va, vb, vc) / sum : vec3(1, 0, 0);
}

class Measure
{
public:
    Measure(const Primitive& primitive, const LodAttributes& attributes, std::span<const std::uint32_t> level, float limit)
        : m_p(primitive), m_level(level), m_limit(limit), m_usesUvs(attributes.hasUvs)
    {
        Aabb box;
        for (const std::uint32_t index : level)
            box.include(m_p.positions[index]);
        m_low = box.min;
        const vec3 extent = box.max - box.min;
        const float longest = std::max({extent.x, extent.y, extent.z});
        const float wanted = std::clamp(std::sqrt(static_cast<float>(level.size()) / 3.0f), 1.0f, 48.0f);
        m_cell = longest > 0.0f ? longest / wanted : 1.0f;
        for (int axis = 0; axis < 3; ++axis)
            m_counts[axis] = static_cast<int>(extent[axis] / m_cell) + 1;
        place();
        m_texturesPerMetre = m_usesUvs ? vec2(density(m_p.uv0), density(m_p.uv1)) : vec2(0.0f);
    }

    /// The least that any triangle of the level is off for this vertex; the limit if none is better.
    float of(std::uint32_t vertex)
    {
        const vec3 p = m_p.positions[vertex];
        int centre[3];
        for (int axis = 0; axis < 3; ++axis)
            centre[axis] = std::clamp(static_cast<int>(std::floor((p[axis] - m_low[axis]) / m_cell)), 0, m_counts[axis] - 1);
        float best = m_limit;
        const int last = std::max({m_counts[0], m_counts[1], m_counts[2]});
        // Cells of ring r are at least r - 1 cells away from a point in (or clamped to) the centre one.
        for (int ring = 0; ring < last && static_cast<float>(ring - 1) * m_cell < best; ++ring)
            visitRing(centre, ring, vertex, best);
        return best;
    }

private:
    std::size_t cellAt(int x, int y, int z) const
    {
        return (static_cast<std::size_t>(z) * static_cast<std::size_t>(m_counts[1]) + static_cast<std::size_t>(y)) *
                   static_cast<std::size_t>(m_counts[0]) +
               static_cast<std::size_t>(x);
    }

    template <class F> void eachCell(std::size_t triangle, F&& f) const
    {
        Aabb box;
        for (std::size_t k = 0; k < 3; ++k)
            box.include(m_p.positions[m_level[triangle * 3 + k]]);
        int low[3], high[3];
        for (int axis = 0; axis < 3; ++axis)
        {
            low[axis] = std::clamp(static_cast<int>((box.min[axis] - m_low[axis]) / m_cell), 0, m_counts[axis] - 1);
            high[axis] = std::clamp(static_cast<int>((box.max[axis] - m_low[axis]) / m_cell), 0, m_counts[axis] - 1);
        }
        for (int z = low[2]; z <= high[2]; ++z)
            for (int y = low[1]; y <= high[1]; ++y)
                for (int x = low[0]; x <= high[0]; ++x)
                    f(cellAt(x, y, z));
    }

    void place()
    {
        m_first.assign(cellAt(m_counts[0] - 1, m_counts[1] - 1, m_counts[2] - 1) + 2, 0);
        const std::size_t count = m_level.size() / 3;
        for (std::size_t i = 0; i < count; ++i)
            eachCell(i, [this](std::size_t cell) { ++m_first[cell + 1]; });
        for (std::size_t cell = 1; cell < m_first.size(); ++cell)
            m_first[cell] += m_first[cell - 1];
        m_triangles.resize(m_first.back());
        std::vector<std::uint32_t> next(m_first.begin(), m_first.end() - 1);
        for (std::size_t i = 0; i < count; ++i)
            eachCell(i, [&](std::size_t cell) { m_triangles[next[cell]++] = static_cast<std::uint32_t>(i); });
    }

    void visitRing(const int (&centre)[3], int ring, std::uint32_t vertex, float& best) const
    {
        for (int z = std::max(centre[2] - ring, 0); z <= std::min(centre[2] + ring, m_counts[2] - 1); ++z)
            for (int y = std::max(centre[1] - ring, 0); y <= std::min(centre[1] + ring, m_counts[1] - 1); ++y)
            {
                const bool isShell = std::abs(z - centre[2]) == ring || std::abs(y - centre[1]) == ring;
                for (int x = centre[0] - ring; x <= centre[0] + ring; x += isShell || ring == 0 ? 1 : 2 * ring)
                    if (x >= 0 && x < m_counts[0])
                        visitCell(cellAt(x, y, z), vertex, best);
            }
    }

    void visitCell(std::size_t cell, std::uint32_t vertex, float& best) const
    {
        for (std::uint32_t i = m_first[cell]; i < m_first[cell + 1]; ++i)
            best = std::min(best, errorOn(m_triangles[i], vertex, best));
    }

    float errorOn(std::uint32_t triangle, std::uint32_t vertex, float best) const
    {
        const std::uint32_t* corner = &m_level[std::size_t(triangle) * 3];
        const vec3 a = m_p.positions[corner[0]], b = m_p.positions[corner[1]], c = m_p.positions[corner[2]];
        const vec3 at = closestPoint(m_p.positions[vertex], a, b, c);
        float error = glm::distance(m_p.positions[vertex], at.x * a + at.y * b + at.z * c);
        if (error >= best)
            return error;
        const float edge = std::max({glm::distance(a, b), glm::distance(b, c), glm::distance(c, a)});
        const auto off = [&](const auto& values, float metres)
        {
            if (!values.empty() && metres > 0.0f)
                error = std::max(error, metres * glm::length(values[vertex] - (at.x * values[corner[0]] + at.y * values[corner[1]] +
                                                                                  at.z * values[corner[2]])));
        };
        off(m_p.normals, kArc * edge);
        off(m_p.colors, kSlope * edge);
        if (m_usesUvs) // all of a triangle at one point of a palette: then it is a colour
        {
            off(m_p.uv0, m_texturesPerMetre.x > 0.0f ? 1.0f / m_texturesPerMetre.x : kSlope * edge);
            off(m_p.uv1, m_texturesPerMetre.y > 0.0f ? 1.0f / m_texturesPerMetre.y : kSlope * edge);
        }
        for (const MorphTarget& target : m_p.morphTargets)
            off(target.positions, 1.0f);
        if (!m_p.skin.empty())
            error = std::max(error, kSlope * edge * weightsOff(corner, at, vertex));
        return error;
    }

    /// Half the sum over all joints of how much weight they gain or lose: 0 to 1.
    float weightsOff(const std::uint32_t* corner, vec3 at, std::uint32_t vertex) const
    {
        struct Entry
        {
            std::uint16_t joint;
            float weight;
        };
        Entry entries[32];
        std::size_t count = 0;
        const auto add = [&](const VertexSkin& skin, float factor)
        {
            for (int k = 0; k < 4; ++k)
                if (skin.weights[k] != 0.0f && factor != 0.0f)
                    entries[count++] = {skin.joints[k], skin.weights[k] * factor};
        };
        const float factors[4] = {1.0f, -at.x, -at.y, -at.z};
        const std::uint32_t vertices[4] = {vertex, corner[0], corner[1], corner[2]};
        for (std::size_t i = 0; i < 4; ++i)
        {
            add(m_p.skin[vertices[i]], factors[i]);
            if (!m_p.skin1.empty())
                add(m_p.skin1[vertices[i]], factors[i]);
        }
        std::sort(entries, entries + count,
            [](const Entry& x, const Entry& y) { return x.joint != y.joint ? x.joint < y.joint : x.weight < y.weight; });
        float sum = 0.0f;
        for (std::size_t i = 0; i < count;)
        {
            float joint = 0.0f;
            const std::uint16_t id = entries[i].joint;
            for (; i < count && entries[i].joint == id; ++i)
                joint += entries[i].weight;
            sum += std::fabs(joint);
        }
        return 0.5f * sum;
    }

    /// UV units per metre, over the level's triangles.
    float density(const std::vector<vec2>& uvs) const
    {
        double uvArea = 0.0, area = 0.0;
        for (std::size_t i = 0; i + 2 < m_level.size() && !uvs.empty(); i += 3)
        {
            const std::uint32_t a = m_level[i], b = m_level[i + 1], c = m_level[i + 2];
            const vec2 u = uvs[b] - uvs[a], v = uvs[c] - uvs[a];
            uvArea += std::fabs(u.x * v.y - u.y * v.x);
            area += glm::length(glm::cross(m_p.positions[b] - m_p.positions[a], m_p.positions[c] - m_p.positions[a]));
        }
        return area > 0.0 ? static_cast<float>(std::sqrt(uvArea / area)) : 0.0f;
    }

    const Primitive& m_p;
    std::span<const std::uint32_t> m_level;
    float m_limit = 0.0f;
    bool m_usesUvs = false;
    vec2 m_texturesPerMetre = vec2(0.0f);
    vec3 m_low = vec3(0.0f);
    float m_cell = 1.0f;
    int m_counts[3] = {1, 1, 1};
    std::vector<std::uint32_t> m_first, m_triangles; ///< triangles by cell
};

} // namespace

float measureLevel(const Primitive& primitive, const LodAttributes& attributes, std::span<const std::uint32_t> original,
    std::span<const std::uint32_t> level, float limitMetres)
{
    if (original.empty())
        return 0.0f;
    std::vector<bool> isSeen(primitive.positions.size(), false);
    if (level.empty())
    {
        Aabb box;
        for (const std::uint32_t vertex : original)
            box.include(primitive.positions[vertex]);
        return glm::distance(box.min, box.max);
    }
    for (const std::uint32_t vertex : level) // these have not moved
        isSeen[vertex] = true;
    Measure measure(primitive, attributes, level, limitMetres);
    float worst = 0.0f;
    for (const std::uint32_t vertex : original)
    {
        if (isSeen[vertex])
            continue;
        isSeen[vertex] = true;
        worst = std::max(worst, measure.of(vertex));
        if (worst >= limitMetres)
            break;
    }
    return worst;
}

} // namespace dl::detail
