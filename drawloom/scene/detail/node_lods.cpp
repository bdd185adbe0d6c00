// drawloom/scene/detail/node_lods.cpp - see the header.
#include "drawloom/scene/detail/node_lods.h"

#include "drawloom/draw/mesh_set.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numeric>

namespace dl::detail
{

namespace
{
constexpr float kReferenceHeight = 1080.0f;
constexpr float kPixelsPerTriangle = 8.0f;
constexpr float kPi = 3.14159265f;

std::uint64_t triangleCountOf(const Mesh& mesh)
{
    std::uint64_t count = 0;
    for (const Primitive& primitive : mesh.primitives)
        count += primitive.triangleCount();
    return count;
}

std::string placeOf(const Node& node)
{
    return "node \"" + node.name + "\"";
}

float sizeByTriangles(const Mesh& mesh)
{
    const float pixels = 0.5f * kPixelsPerTriangle * static_cast<float>(triangleCountOf(mesh));
    return std::min(std::sqrt(4.0f * pixels / kPi) / kReferenceHeight, 1.0f);
}

template <class T> bool isSame(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}
} // namespace

std::vector<NodeLevel> levelsOf(const SceneDescription& scene, const Node& node, std::vector<ImportIssue>& issues)
{
    std::vector<NodeLevel> levels;
    const auto add = [&](std::uint32_t mesh, float size)
    {
        if (mesh < scene.meshes.size() && triangleCountOf(scene.meshes[mesh]) != 0)
            levels.push_back({mesh, size});
        else if (!levels.empty())
            levels.back().minScreenSize = size;
    };
    if (node.lods.empty())
        add(node.meshIndex, 0.0f);
    for (const NodeLod& lod : node.lods)
        add(lod.meshIndex, lod.minCoverage);
    if (levels.size() > kMaxLodCount)
    {
        issues.push_back({IssueSeverity::Warning, "lod-levels-limited", placeOf(node),
            "has " + std::to_string(levels.size()) + " levels of detail, " + std::to_string(kMaxLodCount) + " are drawn"});
        levels[kMaxLodCount - 1].minScreenSize = levels.back().minScreenSize;
        levels.resize(kMaxLodCount);
    }
    const bool hasSizes = std::any_of(levels.begin(), levels.end(), [](const NodeLevel& level) { return level.minScreenSize > 0.0f; });
    for (std::size_t i = 0; i + 1 < levels.size() && !hasSizes; ++i)
        levels[i].minScreenSize = std::min(i == 0 ? 1.0f : levels[i - 1].minScreenSize, sizeByTriangles(scene.meshes[levels[i].meshIndex]));
    for (std::size_t i = 1; i < levels.size(); ++i) // a description made by hand may rise
        levels[i].minScreenSize = std::min(levels[i].minScreenSize, levels[i - 1].minScreenSize);
    return levels;
}

bool hasSameVertices(const Primitive& a, const Primitive& b)
{
    if (!isSame(a.positions, b.positions) || !isSame(a.normals, b.normals) || !isSame(a.tangents, b.tangents) || !isSame(a.uv0, b.uv0) ||
        !isSame(a.uv1, b.uv1) || !isSame(a.colors, b.colors) || !isSame(a.skin, b.skin) || !isSame(a.skin1, b.skin1) ||
        a.morphTargets.size() != b.morphTargets.size())
        return false;
    for (std::size_t i = 0; i < a.morphTargets.size(); ++i)
    {
        const MorphTarget &s = a.morphTargets[i], &t = b.morphTargets[i];
        if (!isSame(s.positions, t.positions) || !isSame(s.normals, t.normals) || !isSame(s.tangents, t.tangents))
            return false;
    }
    return true;
}

std::vector<std::vector<std::uint32_t>> keepSharedLevels(
    const SceneDescription& scene, const Node& node, std::vector<NodeLevel>& levels, std::vector<ImportIssue>& issues)
{
    const Mesh& finest = scene.meshes[levels[0].meshIndex];
    std::vector<std::vector<std::uint32_t>> matches(1, std::vector<std::uint32_t>(finest.primitives.size()));
    std::iota(matches[0].begin(), matches[0].end(), 0U);
    std::vector<NodeLevel> kept = {levels[0]};
    for (std::size_t level = 1; level < levels.size(); ++level)
    {
        std::vector<std::uint32_t> left = matches.back(), found; // each is matched once
        for (const Primitive& primitive : scene.meshes[levels[level].meshIndex].primitives)
        {
            const auto same =
                std::find_if(left.begin(), left.end(), [&](std::uint32_t p) { return hasSameVertices(finest.primitives[p], primitive); });
            if (same == left.end())
                break;
            found.push_back(*same);
            left.erase(same);
        }
        if (found.size() == scene.meshes[levels[level].meshIndex].primitives.size())
        {
            matches.push_back(std::move(found));
            kept.push_back(levels[level]);
            continue;
        }
        kept.back().minScreenSize = levels[level].minScreenSize;
        issues.push_back({IssueSeverity::Warning, "lod-vertices-differ", placeOf(node),
            "level " + std::to_string(level) +
                " of this skinned or morphed mesh has vertices of its own; the level before it stands in (levels must share vertices)"});
    }
    levels = std::move(kept);
    return matches;
}

} // namespace dl::detail
