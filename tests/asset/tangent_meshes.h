// tests/asset/tangent_meshes.h - meshes on which tangents are compared with the reference implementation, corner by corner.
// Used by tangents_test.cpp (against the committed table) and tests/tangents (against the npm package, larger sizes).
#pragma once

#include "drawloom/asset/mesh.h"

#include <string>
#include <vector>

namespace dl::test
{

struct TangentMesh
{
    std::string name;
    Primitive primitive; ///< positions, normals, uv0, indices
};

/// Sphere with a UV seam, mirrored waves, cubes flat and smooth, lattice soup, degenerate triangles; `size` (2 and up)
/// scales the triangle counts. The same size gives the same meshes.
std::vector<TangentMesh> makeTangentMeshes(std::uint32_t size);

/// A vertex of its own for every corner, in the order of the indices.
Primitive unshared(const Primitive& primitive);

} // namespace dl::test
