// drawloom/asset/tangents.h - MikkTSpace tangents for normal maps, in glTF's convention: the bitangent is
// cross(normal, tangent) * w and points along -V (up in the picture). Used by importers where a file has a normal map and
// no tangents. Follows Mikkelsen, "Simulation of Wrinkled Surfaces Revisited" (2008), with its usual threshold of 180 degrees.
#pragma once

#include "drawloom/asset/mesh.h"

namespace dl
{

/// What tangents make of a primitive. Corners whose tangents differ can not share a vertex (mirrored UVs, triangles that
/// meet in a point): the corner that comes first in the index list keeps it, each other tangent gets a copy at the end.
struct TangentPlan
{
    std::vector<vec4> tangents;             ///< of the primitive's vertices, then of the copies: xyz unit, w = +-1
    std::vector<std::uint32_t> indices;     ///< takes the place of the primitive's
    std::vector<std::uint32_t> copySources; ///< per copy: the vertex that it is a copy of
};

/// Peak bytes that planTangents() takes, result included.
std::uint64_t planTangentsBound(std::uint64_t vertexCount, std::uint64_t indexCount);

/// From positions, normals and UV set 0 or 1; the caller makes sure that they are there and that vertices and indices
/// together number less than 2^32. Works on vertices whether or not they are shared: equal ones count as one. Where the
/// UVs or the positions say nothing (no area, not finite) a corner takes a tangent of the same vertex, else any across the
/// normal; tangents are finite for any input. O(n log n); the same input gives the same bytes.
TangentPlan planTangents(const Primitive& primitive, std::uint32_t uvSet);

/// Fills `tangents`, replaces `indices` and copies vertices in every other array, skin and morph targets included.
void applyTangents(Primitive& primitive, TangentPlan&& plan);

/// Both at once, for callers without a limit to keep.
void generateTangents(Primitive& primitive, std::uint32_t uvSet);

} // namespace dl
