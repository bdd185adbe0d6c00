// drawloom/asset/detail/gltf_instancing.h - EXT_mesh_gpu_instancing: many copies of a node's mesh.
#pragma once

#include "drawloom/asset/detail/gltf_object.h"

namespace dl::detail
{

/// Fills `out.instances` from the extension's TRANSLATION, ROTATION and SCALE; other attributes are ignored with an issue.
/// Nothing happens on a node without the extension or without a mesh.
void readInstances(const GltfObject& node, Node& out);

} // namespace dl::detail
