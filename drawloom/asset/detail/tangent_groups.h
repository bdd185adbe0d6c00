// drawloom/asset/detail/tangent_groups.h - the heart of MikkTSpace (Mikkelsen, "Simulation of Wrinkled Surfaces Revisited",
// 2008): which corners of a triangle list share one tangent, and that tangent. tangents.cpp makes vertices of it.
#pragma once

#include "drawloom/asset/mesh.h"

namespace dl::detail
{

inline constexpr std::uint32_t kNoTangentGroup = ~0U;

struct TangentGroups
{
    std::vector<std::uint32_t> welded; ///< per vertex: the first vertex with the same position, normal and UV
    std::vector<std::uint32_t> groups; ///< per index: into `tangents`; kNoTangentGroup where the triangle has no area or no UV area
    std::vector<vec4> tangents;        ///< per group, in glTF's convention; finite and unit
};

/// A corner's group spreads around its welded vertex over shared edges, as far as triangles map the UVs with the same
/// handedness. The members' directions are averaged by their angles in the vertex's tangent plane: the method's threshold
/// of 180 degrees, at which no member is left out. Time O(n log n) for any input.
TangentGroups buildTangentGroups(const Primitive& primitive, const std::vector<vec2>& uvs);

/// Some unit vector across the normal; +X if the normal has no direction.
vec3 anyTangentAcross(vec3 normal);

} // namespace dl::detail
