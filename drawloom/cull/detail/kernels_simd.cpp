// The kernels in Highway, compiled once per instruction set and chosen at run time. Mul and Add stay apart (no MulAdd), so
// that every instruction set gives the bits of kernels_plain.cpp.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "drawloom/cull/detail/kernels_simd.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include "drawloom/cull/detail/kernels.h"

HWY_BEFORE_NAMESPACE();
namespace dl::cull::detail::HWY_NAMESPACE
{

namespace hn = hwy::HWY_NAMESPACE;
using F32 = hn::ScalableTag<float>;
using U32 = hn::ScalableTag<std::uint32_t>;
using VF = hn::Vec<F32>;
using VU = hn::Vec<U32>;

/// One vector of objects; `reach` in x only for spheres.
struct Objects
{
    VF x, y, z, reachX, reachY, reachZ;
};

HWY_INLINE VF distanceOf(F32 d, const Plane& plane, const Objects& o)
{
    VF value = hn::Mul(hn::Set(d, plane.x), o.x);
    value = hn::Add(value, hn::Mul(hn::Set(d, plane.y), o.y));
    value = hn::Add(value, hn::Mul(hn::Set(d, plane.z), o.z));
    return hn::Add(value, hn::Set(d, plane.offset));
}

template <bool kIsBox> HWY_INLINE VF valueOf(F32 d, const Plane& plane, const Objects& o)
{
    const VF value = distanceOf(d, plane, o);
    if constexpr (!kIsBox)
        return hn::Add(value, o.reachX);
    const VF withX = hn::Add(value, hn::Mul(hn::Set(d, plane.absX), o.reachX));
    const VF withY = hn::Add(withX, hn::Mul(hn::Set(d, plane.absY), o.reachY));
    return hn::Add(withY, hn::Mul(hn::Set(d, plane.absZ), o.reachZ));
}

template <bool kIsBox> HWY_INLINE Objects load(F32 d, const Arrays& arrays, std::size_t i)
{
    const VF k = hn::Set(d, kRounding);
    const VF growth = hn::Set(d, 1.0f + kRounding);
    Objects o;
    o.x = hn::LoadU(d, arrays.x + i);
    o.y = hn::LoadU(d, arrays.y + i);
    o.z = hn::LoadU(d, arrays.z + i);
    const VF extent = hn::Mul(hn::LoadU(d, arrays.a + i), growth);
    if constexpr (kIsBox)
    {
        o.reachX = hn::Add(hn::Mul(hn::Abs(o.x), k), extent);
        o.reachY = hn::Add(hn::Mul(hn::Abs(o.y), k), hn::Mul(hn::LoadU(d, arrays.b + i), growth));
        o.reachZ = hn::Add(hn::Mul(hn::Abs(o.z), k), hn::Mul(hn::LoadU(d, arrays.c + i), growth));
    }
    else
    {
        const VF sum = hn::Add(hn::Add(hn::Abs(o.x), hn::Abs(o.y)), hn::Abs(o.z));
        o.reachX = o.reachY = o.reachZ = hn::Add(hn::Mul(sum, k), extent);
    }
    return o;
}

/// All bits where the view's planes let the object through.
template <bool kIsBox> HWY_INLINE VU seenBy(F32 d, U32 du, const View& view, const Objects& o)
{
    const VF zero = hn::Zero(d);
    auto isOutside = hn::Lt(zero, zero);
    for (std::uint32_t p = 0; p < view.planeCount; ++p)
        isOutside = hn::Or(isOutside, hn::Lt(valueOf<kIsBox>(d, view.planes[p], o), zero));
    return hn::Not(hn::BitCast(du, hn::VecFromMask(d, isOutside)));
}

template <bool kIsBox>
HWY_INLINE void cullVector(F32 d, const Arrays& arrays, std::span<const View> views, std::size_t i, std::uint64_t* viewMasks)
{
    const U32 du;
    const Objects o = load<kIsBox>(d, arrays, i);
    const VU layers = arrays.layerMasks == nullptr ? hn::Set(du, UINT32_MAX) : hn::LoadU(du, arrays.layerMasks + i);
    VU halves[2] = {hn::Zero(du), hn::Zero(du)};
    for (std::size_t half = 0; half < 2; ++half)
        for (std::size_t v = half * 32; v < views.size() && v < half * 32 + 32; ++v)
        {
            const View& view = views[v];
            const auto isOtherLayer = hn::Eq(hn::And(layers, hn::Set(du, view.layerMask)), hn::Zero(du));
            const VU bit = hn::IfThenZeroElse(isOtherLayer, hn::Set(du, 1U << (v & 31U)));
            halves[half] = hn::Or(halves[half], hn::And(seenBy<kIsBox>(d, du, view, o), bit));
        }
    hn::StoreInterleaved2(halves[0], halves[1], du, reinterpret_cast<std::uint32_t*>(viewMasks + i)); // little endian
}

template <bool kIsBox>
HWY_INLINE void cullRange(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, std::uint64_t* viewMasks)
{
    const F32 d;
    const std::size_t lanes = hn::Lanes(d);
    std::size_t i = begin;
    for (; i + lanes <= end; i += lanes)
        cullVector<kIsBox>(d, arrays, views, i, viewMasks);
    if (i == end)
        return;
    if constexpr (kIsBox)
        cullBoxesPlain(arrays, views, i, end, viewMasks);
    else
        cullSpheresPlain(arrays, views, i, end, viewMasks);
}

void boxes(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, std::uint64_t* viewMasks)
{
    cullRange<true>(arrays, views, begin, end, viewMasks);
}

void spheres(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, std::uint64_t* viewMasks)
{
    cullRange<false>(arrays, views, begin, end, viewMasks);
}

} // namespace dl::cull::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dl::cull::detail
{

HWY_EXPORT(boxes);
HWY_EXPORT(spheres);

void cullBoxesSimd(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, std::uint64_t* viewMasks)
{
    HWY_DYNAMIC_DISPATCH(boxes)(arrays, views, begin, end, viewMasks);
}

void cullSpheresSimd(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, std::uint64_t* viewMasks)
{
    HWY_DYNAMIC_DISPATCH(spheres)(arrays, views, begin, end, viewMasks);
}

} // namespace dl::cull::detail
#endif
