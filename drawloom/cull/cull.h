// drawloom/cull/cull.h - frustum culling over plain arrays, SIMD, for up to 64 views in one call. CPU only.
// Box against planes as in Assarsson and Moeller, "Optimized View Frustum Culling Algorithms for Bounding Boxes", 2000
// (the farthest corner along each plane's normal, by absolute values).
#pragma once

#include "drawloom/core/maths.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace dl::cull
{

constexpr std::uint32_t kMaxViewCount = 64;

/// What one view sees: the inner side of all its planes, dot(plane.xyz, p) + plane.w >= 0, and its layers.
struct CullView
{
    vec4 planes[6] = {};                  ///< unit normals, pointing inwards
    std::uint32_t planeCount = 6;         ///< 0..6; 0 sees everything
    std::uint32_t layerMask = UINT32_MAX; ///< sees an object if layerMask & the object's mask is not 0
};

/// The planes of a clip-space volume (-w <= x, y <= w, 0 <= z <= w) after Gribb and Hartmann, 2001, computed in double and
/// normalised. A plane at infinity (the far one of an infinite projection) is left out, so planeCount may be 5.
CullView extractView(const mat4& viewProjection, std::uint32_t layerMask = UINT32_MAX);

/// Structure of arrays, all of the same length. Read only, no alignment needed.
struct CullBoxes
{
    std::span<const float> centreX, centreY, centreZ;
    std::span<const float> halfExtentX, halfExtentY, halfExtentZ; ///< >= 0
    std::span<const std::uint32_t> layerMasks;                    ///< empty: all layers
};
struct CullSpheres
{
    std::span<const float> centreX, centreY, centreZ;
    std::span<const float> radius; ///< >= 0
    std::span<const std::uint32_t> layerMasks;
};

/// Writes for each object the set of views (bit = index in `views`) that may see it; viewMasks.size() objects are tested.
/// Conservative: a bound that touches the volume by exact arithmetic is never dropped, rounding is paid for by widening the
/// bound by 8 float ulps of its coordinates. Objects with a NaN are seen. Bit-equal to the scalar functions below for any
/// thread count and instruction set. Runs in parallel chunks of 16,384 objects; allocates nothing.
void cullBoxes(const CullBoxes& boxes, std::span<const CullView> views, std::span<std::uint64_t> viewMasks);
void cullSpheres(const CullSpheres& spheres, std::span<const CullView> views, std::span<std::uint64_t> viewMasks);

/// The reference: one object after the other, one thread.
void cullBoxesScalar(const CullBoxes& boxes, std::span<const CullView> views, std::span<std::uint64_t> viewMasks);
void cullSpheresScalar(const CullSpheres& spheres, std::span<const CullView> views, std::span<std::uint64_t> viewMasks);

} // namespace dl::cull
