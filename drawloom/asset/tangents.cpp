#include "drawloom/asset/tangents.h"

#include "drawloom/asset/detail/tangent_groups.h"
#include "drawloom/core/assert.h"

#include <algorithm>
#include <bit>
#include <compare>
#include <limits>
#include <span>

namespace dl
{
namespace
{

using detail::kNoTangentGroup;

/// Gives each vertex the tangents of its corners; the corners arrive vertex by vertex.
class VertexSplitter
{
public:
    VertexSplitter(const Primitive& primitive, const detail::TangentGroups& groups)
        : m_primitive(primitive), m_groups(groups), m_firstGroups(primitive.positions.size(), kNoTangentGroup)
    {
        for (std::size_t corner = primitive.indices.size(); corner-- > 0;)
            if (groups.groups[corner] != kNoTangentGroup)
                m_firstGroups[groups.welded[primitive.indices[corner]]] = groups.groups[corner];
        m_plan.tangents.resize(primitive.positions.size());
        m_plan.indices = primitive.indices;
    }

    /// `corners` in rising order; sorted anew where they disagree.
    void add(std::uint32_t vertex, std::span<std::uint32_t> corners)
    {
        m_borrowed = borrowedTangent(vertex, corners);
        const std::uint32_t owner = corners.empty() ? 0 : corners[0];
        m_plan.tangents[vertex] = corners.empty() ? m_borrowed : tangentOf(owner);
        const auto differs = [&](std::uint32_t corner) { return compare(corner, owner) != 0; };
        if (std::none_of(corners.begin(), corners.end(), differs))
            return;
        const auto isBefore = [this](std::uint32_t a, std::uint32_t b)
        {
            const auto order = compare(a, b);
            return order != 0 ? order < 0 : a < b;
        };
        std::sort(corners.begin(), corners.end(), isBefore);
        for (std::size_t i = 0; i < corners.size(); ++i)
        {
            if (!differs(corners[i]))
                continue;
            if (i == 0 || compare(corners[i], corners[i - 1]) != 0)
            {
                m_plan.tangents.push_back(tangentOf(corners[i]));
                m_plan.copySources.push_back(vertex);
            }
            m_plan.indices[corners[i]] = static_cast<std::uint32_t>(m_plan.tangents.size() - 1);
        }
    }

    TangentPlan take() { return std::move(m_plan); }

private:
    /// For corners in no group: that of another corner of the vertex, else of an equal vertex, else any.
    vec4 borrowedTangent(std::uint32_t vertex, std::span<const std::uint32_t> corners) const
    {
        for (const std::uint32_t corner : corners)
            if (m_groups.groups[corner] != kNoTangentGroup)
                return m_groups.tangents[m_groups.groups[corner]];
        const std::uint32_t group = m_firstGroups[m_groups.welded[vertex]];
        if (group != kNoTangentGroup)
            return m_groups.tangents[group];
        return vec4(detail::anyTangentAcross(m_primitive.normals[vertex]), 1.0f);
    }

    const vec4& tangentOf(std::uint32_t corner) const
    {
        const std::uint32_t group = m_groups.groups[corner];
        return group != kNoTangentGroup ? m_groups.tangents[group] : m_borrowed;
    }

    /// By bits: any order serves that is the same everywhere.
    std::strong_ordering compare(std::uint32_t a, std::uint32_t b) const
    {
        using Bits = std::array<std::uint32_t, 4>;
        return std::bit_cast<Bits>(tangentOf(a)) <=> std::bit_cast<Bits>(tangentOf(b));
    }

    const Primitive& m_primitive;
    const detail::TangentGroups& m_groups;
    std::vector<std::uint32_t> m_firstGroups; ///< per welded vertex
    vec4 m_borrowed = vec4(1.0f, 0.0f, 0.0f, 1.0f);
    TangentPlan m_plan;
};

template <class T> void appendCopies(std::vector<T>& values, const std::vector<std::uint32_t>& sources)
{
    if (values.empty() || sources.empty())
        return;
    values.reserve(values.size() + sources.size());
    for (const std::uint32_t source : sources)
        values.push_back(T(values[source]));
}

} // namespace

std::uint64_t planTangentsBound(std::uint64_t vertexCount, std::uint64_t indexCount)
{
    // A corner: group, twin, edge or use, stack of two, plan's index, a third of a frame; at worst a group and a copy of its own.
    constexpr std::uint64_t kCornerBytes = 6 * sizeof(std::uint32_t) + 8 + 2 * (sizeof(vec4) * 2 + sizeof(std::uint32_t));
    // A vertex: welded, bucket's end, first group, tangent and the weld's sort entry.
    constexpr std::uint64_t kVertexBytes = 3 * sizeof(std::uint32_t) + sizeof(vec4) + 16;
    return vertexCount * kVertexBytes + indexCount * kCornerBytes;
}

TangentPlan planTangents(const Primitive& primitive, std::uint32_t uvSet)
{
    const std::vector<vec2>& uvs = uvSet == 0 ? primitive.uv0 : primitive.uv1;
    const std::vector<std::uint32_t>& indices = primitive.indices;
    const std::size_t vertexCount = primitive.positions.size();
    DL_ASSERT(uvs.size() == vertexCount && primitive.normals.size() == vertexCount, "tangents need normals and UVs of every vertex");
    DL_ASSERT(vertexCount < std::numeric_limits<std::uint32_t>::max() - indices.size(), "tangents: too many vertices and indices");
    const detail::TangentGroups groups = detail::buildTangentGroups(primitive, uvs);
    std::vector<std::uint32_t> ends(vertexCount + 1, 0);
    for (const std::uint32_t vertex : indices)
        ++ends[vertex + 1];
    for (std::size_t i = 1; i < ends.size(); ++i)
        ends[i] += ends[i - 1];
    std::vector<std::uint32_t> corners(indices.size());
    for (std::size_t corner = 0; corner < indices.size(); ++corner) // turns each vertex's begin into its end
        corners[ends[indices[corner]]++] = static_cast<std::uint32_t>(corner);
    VertexSplitter splitter(primitive, groups);
    std::uint32_t begin = 0;
    for (std::uint32_t vertex = 0; vertex < vertexCount; begin = ends[vertex++])
        splitter.add(vertex, std::span(corners.data() + begin, ends[vertex] - begin));
    return splitter.take();
}

void applyTangents(Primitive& primitive, TangentPlan&& plan)
{
    const std::vector<std::uint32_t>& sources = plan.copySources;
    DL_ASSERT(plan.tangents.size() == primitive.positions.size() + sources.size(), "this plan was made of another primitive");
    appendCopies(primitive.positions, sources);
    appendCopies(primitive.normals, sources);
    appendCopies(primitive.uv0, sources);
    appendCopies(primitive.uv1, sources);
    appendCopies(primitive.colors, sources);
    appendCopies(primitive.skin, sources);
    appendCopies(primitive.skin1, sources);
    for (MorphTarget& target : primitive.morphTargets)
    {
        appendCopies(target.positions, sources);
        appendCopies(target.normals, sources);
        appendCopies(target.tangents, sources);
    }
    primitive.tangents = std::move(plan.tangents);
    primitive.indices = std::move(plan.indices);
}

void generateTangents(Primitive& primitive, std::uint32_t uvSet)
{
    applyTangents(primitive, planTangents(primitive, uvSet));
}

} // namespace dl
