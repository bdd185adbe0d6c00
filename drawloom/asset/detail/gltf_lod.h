// drawloom/asset/detail/gltf_lod.h - MSFT_lod of nodes: lower levels of detail as meshes of the node that they stand for.
#pragma once

#include "drawloom/asset/detail/gltf_object.h"

namespace dl::detail
{

/// Fills Node::lods once all nodes are read. A level is a node, or a node with children, that repeats the tree of the node
/// it stands for; the nodes of a level stay, but draw nothing of their own. Levels of another shape are named and left out.
void readLods(GltfState& state);

} // namespace dl::detail
