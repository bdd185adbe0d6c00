// drawloom/asset/detail/gltf_export_instances.h - instances of a node as EXT_mesh_gpu_instancing. For gltf_export_node.cpp.
#pragma once

#include "drawloom/asset/detail/gltf_export_writer.h"

namespace dl::detail
{

/// All instances as TRS, or none where one can not be.
std::vector<Trs> instancesOf(const Node& node);

/// Writes the extension as a member of the node's `extensions`.
void writeInstances(GltfExport& out, const std::vector<Trs>& instances);

} // namespace dl::detail
