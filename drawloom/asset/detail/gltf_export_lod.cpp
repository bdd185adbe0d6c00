// drawloom/asset/detail/gltf_export_lod.cpp - see the header.
#include "drawloom/asset/detail/gltf_export_lod.h"

namespace dl::detail
{
namespace
{

/// By node: something else needs it as it is.
std::vector<bool> findNeeded(const SceneDescription& scene)
{
    std::vector<bool> isNeeded(scene.nodes.size(), false);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    {
        const Node& node = scene.nodes[i];
        isNeeded[i] = isNeeded[i] || node.meshIndex != kNoIndex || node.cameraIndex != kNoIndex || node.lightIndex != kNoIndex;
        if (node.parent != kNoIndex)
            isNeeded[node.parent] = true; // a tree of levels would have to match its base's
    }
    return isNeeded;
}

bool standsWith(const Node& base, const Node& level)
{
    return base.local.translation == level.local.translation && base.local.rotation == level.local.rotation &&
           base.local.scale == level.local.scale && base.matrix == level.matrix;
}

} // namespace

LodPlan planLods(const SceneDescription& scene)
{
    LodPlan plan;
    plan.placed.resize(scene.nodes.size());
    plan.levels.resize(scene.nodes.size());
    std::vector<bool> isTaken = findNeeded(scene);
    for (std::uint32_t i = 0; i < scene.nodes.size(); ++i)
    {
        const Node& node = scene.nodes[i];
        for (std::uint32_t level = 1; level < node.lods.size(); ++level)
        {
            const std::uint32_t old = node.lods[level].nodeIndex;
            const bool isReused = old < scene.nodes.size() && !isTaken[old] && standsWith(node, scene.nodes[old]);
            plan.levels[i].push_back(isReused ? old : static_cast<std::uint32_t>(scene.nodes.size() + plan.added.size()));
            if (isReused)
            {
                isTaken[old] = true;
                plan.placed[old] = {i, level};
            }
            else
                plan.added.push_back({i, level});
        }
    }
    return plan;
}

} // namespace dl::detail
