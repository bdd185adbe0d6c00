// drawloom/asset/detail/gltf_export_lod.h - which nodes carry the lower levels of detail (MSFT_lod) in a .glb.
#pragma once

#include "drawloom/asset/scene_description.h"

namespace dl::detail
{

/// `level` of the node's lods.
struct PlacedLod
{
    std::uint32_t node = kNoIndex, level = 0;
};

struct LodPlan
{
    std::vector<PlacedLod> placed;                  ///< by node of the scene: what it carries, if it is a level
    std::vector<PlacedLod> added;                   ///< of nodes that follow the scene's
    std::vector<std::vector<std::uint32_t>> levels; ///< by node: the ids of MSFT_lod
    bool isLevel(std::size_t node) const { return placed[node].node != kNoIndex; }
};

/// Levels that came from nodes of a file go back there if these are still empty and stand where they stood.
LodPlan planLods(const SceneDescription& scene);

} // namespace dl::detail
