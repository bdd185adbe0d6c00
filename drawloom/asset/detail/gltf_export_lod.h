// drawloom/asset/detail/gltf_export_lod.h - puts levels of detail back into the nodes that had them in a file (MSFT_lod). For
// gltf_export_plan.cpp.
#pragma once

#include "drawloom/asset/scene_description.h"

#include <vector>

namespace dl::detail
{

/// `level` of the lods of `node`.
struct PlacedLod
{
    std::uint32_t node = kNoIndex, level = 0;
};

/// By node of the scene.
struct RestoredLods
{
    std::vector<bool> isRestored;                ///< its levels stand in nodes of the file
    std::vector<PlacedLod> placed;               ///< the level that it carries
    std::vector<std::vector<std::uint32_t>> ids; ///< of MSFT_lod; empty: an ancestor has them, or it has none
    std::vector<std::uint32_t> lodNodes;         ///< where there are ids: the node whose coverages hold for them
};

/// glTF has no meshes without primitives: such nodes are written without.
bool hasDrawnMesh(const SceneDescription& scene, const Node& node);

/// A tree of levels goes back only where its nodes are still empty and repeat the tree of the node that they stand for, since
/// MSFT_lod replaces a node with all its children. `children` of levels come into the order of those that they stand for.
/// `isSpread`: nodes whose mesh goes into added children, which no level has.
RestoredLods restoreLods(
    const SceneDescription& scene, const std::vector<bool>& isSpread, std::vector<std::vector<std::uint32_t>>& children);

} // namespace dl::detail
