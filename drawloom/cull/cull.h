// drawloom/cull/cull.h - frustum culling over plain arrays, SIMD, for up to 64 views in one call. CPU only.
// Box against planes as in Assarsson and Moeller, "Optimized View Frustum Culling Algorithms for Bounding Boxes", 2000
// (the farthest corner along each plane's normal, by absolute values).
#pragma once

#include "drawloom/core/maths.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace dl::cull
{

namespace detail
{
struct VisibleAccess;
}

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

/// What a call of culling found. Keeps its memory from call to call, so that nothing is allocated once it has grown to the
/// largest number of objects tested; pages that no visible object was written to stay untouched.
class VisibleObjects
{
public:
    std::span<const std::uint32_t> ids() const { return {m_ids.get(), m_count}; }
    /// The views that may see the i-th of ids(): bit = index in `views`, never 0.
    std::uint64_t viewMask(std::size_t i) const { return m_hasMasks ? m_masks[i] : 1; }

private:
    friend struct detail::VisibleAccess;

    std::unique_ptr<std::uint32_t[]> m_ids;
    std::unique_ptr<std::uint64_t[]> m_masks; ///< written for two views and more
    std::vector<std::size_t> m_chunkCounts;
    std::size_t m_count = 0, m_idCapacity = 0, m_maskCapacity = 0;
    bool m_hasMasks = false;
};

/// Finds the objects (centreX.size() are tested) that any view may see, in ascending order of their index.
/// Conservative: a bound that touches the volume by exact arithmetic is never dropped, rounding is paid for by widening the
/// bound by 8 float ulps of its coordinates. Objects with a NaN are seen. Bit-equal to the scalar functions below for any
/// thread count and instruction set. Runs in parallel chunks of 16,384 objects. Cost: docs/performance.md.
/// For objects that seldom move and are many, groups.h has the same answer for less.
void cullBoxes(const CullBoxes& boxes, std::span<const CullView> views, VisibleObjects& visible);
void cullSpheres(const CullSpheres& spheres, std::span<const CullView> views, VisibleObjects& visible);

/// The reference, one object after the other: writes for each object the set of views that may see it.
void cullBoxesScalar(const CullBoxes& boxes, std::span<const CullView> views, std::span<std::uint64_t> viewMasks);
void cullSpheresScalar(const CullSpheres& spheres, std::span<const CullView> views, std::span<std::uint64_t> viewMasks);

} // namespace dl::cull
