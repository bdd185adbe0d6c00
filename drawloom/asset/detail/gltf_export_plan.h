// drawloom/asset/detail/gltf_export_plan.h - which nodes a .glb has: those of the scene, then added ones for what one node of
// glTF can not say. A pure function; gltf_export_node.cpp writes its result.
#pragma once

#include "drawloom/asset/scene_description.h"

#include <vector>

namespace dl::detail
{

struct FileNode
{
    const Node* placed = nullptr;      ///< has its transform; none: `instance`'s, or identity
    const Affine* instance = nullptr;  ///< an instance that is no TRS
    std::uint32_t meshNode = kNoIndex; ///< node of the scene whose mesh, skin and weights it takes
    std::uint32_t level = 0;           ///< of that node's lods
    std::vector<Trs> instances;        ///< for EXT_mesh_gpu_instancing
    std::uint32_t lodNode = kNoIndex;  ///< node of the scene whose coverages hold for `lodIds`
    std::vector<std::uint32_t> lodIds; ///< of MSFT_lod
    std::vector<std::uint32_t> children;
};

struct NodePlan
{
    std::vector<FileNode> nodes;      ///< the scene's first, in their order
    std::vector<std::uint32_t> roots; ///< of the one scene; levels stand outside
    /// By node of the scene: the added children that took its mesh, which its weights channels drive; empty: itself.
    std::vector<std::vector<std::uint32_t>> carriers;
};

/// A node whose instances are not all TRS gives its mesh, with levels of detail and weights, to one child each. One that has
/// children and levels which no tree of the file repeats gives them to one child, since MSFT_lod would replace its children, too.
NodePlan planNodes(const SceneDescription& scene);

} // namespace dl::detail
