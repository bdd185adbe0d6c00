// drawloom/cull/detail/kernels.h - what the SIMD and the scalar kernels share: arrays, prepared planes, the order of
// operations. All compute, without fused multiply-add and in this order,
//   reach = |c| * k + e * (1 + k)                        per axis of a box; spheres: (|cx| + |cy| + |cz|) * k + r * (1 + k)
//   far   = c - reach where the normal's axis is negative, c + reach elsewhere                                     boxes
//   value = nx*farX + ny*farY + nz*farZ                  spheres: nx*cx + ny*cy + nz*cz + reach
// and drop an object when value < limit = -(d + |d| * k), so that a NaN keeps it. k exceeds the rounding error of value
// relative to the sum of the magnitudes of its terms (at most 8 roundings of half an ulp each), which makes the test
// conservative. value never falls when far (or c along the normal, or reach) grows: float sums and products are monotone.
// The tests of whole groups (groups.h) are exact because of that.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>

namespace dl::cull::detail
{

constexpr float kRounding = 9.5367431640625e-7f; ///< k = 8 * 2^-23
constexpr std::size_t kGroupObjects = 64;
constexpr std::uint8_t kSeesNothing = 0xFF; ///< instead of a set of planes: the view sees none of the group

/// Boxes: half extents in a, b, c. Spheres: radius in a.
struct Arrays
{
    const float *x = nullptr, *y = nullptr, *z = nullptr, *a = nullptr, *b = nullptr, *c = nullptr;
    const std::uint32_t* layerMasks = nullptr; ///< none: all layers
};

/// The terms of the header's formula for one object.
inline float boxReach(float centre, float extent)
{
    return std::fabs(centre) * kRounding + extent * (1.0f + kRounding);
}
inline float sphereReach(float x, float y, float z, float radius)
{
    const float sum = std::fabs(x) + std::fabs(y) + std::fabs(z);
    return sum * kRounding + radius * (1.0f + kRounding);
}

struct Plane
{
    float x = 0, y = 0, z = 0, limit = 0;
    std::uint32_t farX = 0, farY = 0, farZ = 0; ///< 1: the far corner has the larger coordinate of the axis, 0: the smaller
    std::uint32_t reserved = 0;
};

struct View
{
    Plane planes[6];
    std::uint32_t planeCount = 0, layerMask = 0;

    std::uint32_t planesToTest() const { return layerMask == 0 ? kSeesNothing : (1U << planeCount) - 1U; }
};

/// Where visible objects go, from `count` on. Whole vectors are stored: behind it is room for every object tested, and for
/// kGroupObjects more behind the last object of all. One view writes no masks.
struct Output
{
    std::uint32_t* ids = nullptr;
    std::uint64_t* masks = nullptr;
    std::size_t count = 0;
};

/// Objects [begin, end), begin a multiple of 64; appends to `output` in ascending order. A single view has layers.
void cullBoxesSimd(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, Output& output);
void cullSpheresSimd(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, Output& output);
/// The reference: viewMasks is the whole output array, one element an object.
void cullBoxesPlain(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, std::uint64_t* viewMasks);
void cullSpheresPlain(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, std::uint64_t* viewMasks);

} // namespace dl::cull::detail
