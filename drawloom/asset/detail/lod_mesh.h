// drawloom/asset/detail/lod_mesh.h - steps of buildLods for one mesh: check, weld, simplify, measure.
#pragma once

#include "drawloom/asset/lod_build.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dl::detail
{

/// What of a primitive's attributes counts.
struct LodAttributes
{
    bool hasUvs = false;      ///< the material has a texture
    bool hasTangents = false; ///< it has a normal map: else tangents do not show, and do not keep vertices apart
};

/// Indices of a level by primitive, into the primitive's own vertices; empty: it has vanished.
using LevelIndices = std::vector<std::vector<std::uint32_t>>;

/// Says why levels of the mesh can not be made, or nothing.
std::string lodProblemOf(const Mesh& mesh);

/// The primitive's indices, with vertices that agree in everything that counts made one (the first of them).
std::vector<std::uint32_t> weldedIndices(const Primitive& primitive, const LodAttributes& attributes);

/// False: so many triangles of the mesh meet in one point that simplifying it would take too long. Where they do, repeated triangles
/// are dropped first.
bool relieveCrowds(const Mesh& mesh, LevelIndices& welded);
/// The triangles are so large against the mesh, and so many, that measuring its levels would take too long: a soup, no surface.
bool isSpread(const Mesh& mesh, const LevelIndices& welded);

/// About `targetTriangleCount` triangles, or fewer errors' worth; `errorMetres` is the simplifier's estimate.
LevelIndices simplifyMesh(
    const Mesh& mesh, const LevelIndices& welded, std::size_t targetTriangleCount, float maxErrorMetres, float& errorMetres);

/// The error that lod_build.h defines, of one primitive; any value >= limit once it is known to be that large.
float measureLevel(const Primitive& primitive, const LodAttributes& attributes, std::span<const std::uint32_t> original,
    std::span<const std::uint32_t> level, float limitMetres);

} // namespace dl::detail
