// drawloom/cull/detail/kernels.h - what the SIMD and the scalar kernels share: arrays, prepared planes, the order of
// operations. Both compute, without fused multiply-add and in this order,
//   reach = |c| * k + e * (1 + k)                        per axis of a box; spheres: (|cx| + |cy| + |cz|) * k + r * (1 + k)
//   value = nx*cx + ny*cy + nz*cz + d' + |nx|*rx + |ny|*ry + |nz|*rz     spheres: ... + d' + reach
// and drop an object when value < 0, so that a NaN keeps it. k exceeds the rounding error of the sum relative to the sum
// of the magnitudes of its terms (at most 8 roundings of half an ulp each), which makes the test conservative.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dl::cull::detail
{

constexpr float kRounding = 9.5367431640625e-7f; ///< k = 8 * 2^-23

/// Boxes: half extents in a, b, c. Spheres: radius in a.
struct Arrays
{
    const float *x = nullptr, *y = nullptr, *z = nullptr, *a = nullptr, *b = nullptr, *c = nullptr;
    const std::uint32_t* layerMasks = nullptr; ///< none: all layers
};

struct Plane
{
    float x = 0, y = 0, z = 0, offset = 0, absX = 0, absY = 0, absZ = 0;
};

struct View
{
    Plane planes[6];
    std::uint32_t planeCount = 0, layerMask = 0;
};

/// Objects [begin, end); viewMasks is the whole output array.
void cullBoxesSimd(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, std::uint64_t* viewMasks);
void cullSpheresSimd(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, std::uint64_t* viewMasks);
void cullBoxesPlain(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, std::uint64_t* viewMasks);
void cullSpheresPlain(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, std::uint64_t* viewMasks);

} // namespace dl::cull::detail
