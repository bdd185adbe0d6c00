// drawloom/asset/detail/gltf_mesh.h - steps of reading a mesh that stand in files of their own.
#pragma once

#include "drawloom/asset/detail/gltf_object.h"

namespace dl::detail
{

/// Fails past maxVertexCount.
bool checkVertexCount(const GltfObject& primitive, std::uint64_t vertexCount);
/// Reads attributes (positions, normals, ... skin) of one primitive. False after a failure.
bool readAttributes(const GltfObject& primitive, Primitive& out);
bool readMorphTargets(const GltfObject& primitive, const std::vector<std::string>& targetNames, Primitive& out);
/// Reads or makes indices (unless `out` has them already, from Draco) and turns strips and fans into a list. `mode` is 4, 5 or 6.
bool readIndices(const GltfObject& primitive, std::uint64_t mode, Primitive& out);
/// Unshares the vertices and gives each triangle its own normal.
bool makeFlatNormals(const GltfObject& primitive, Primitive& out);
/// Unit normals and tangents, weights that sum to one, bounds, and tangents where a normal map needs them.
void finishPrimitive(const GltfObject& primitive, Primitive& out);

} // namespace dl::detail
