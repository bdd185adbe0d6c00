#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "bench/cull_limits.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include <hwy/highway.h>

#include "bench/cull_limits.h"

HWY_BEFORE_NAMESPACE();
namespace dl::bench::HWY_NAMESPACE
{

namespace hn = hwy::HWY_NAMESPACE;
using F32 = hn::CappedTag<float, 16>;
using U32 = hn::RebindToUnsigned<F32>;
using VF = hn::Vec<F32>;
using Mask = hn::Mask<F32>;
constexpr std::size_t kLanes = hn::MaxLanes(F32());

/// The compiler knows nothing of the value any more; costs no instruction.
HWY_INLINE void forget([[maybe_unused]] VF& value)
{
#if HWY_ARCH_X86 && HWY_TARGET != HWY_SCALAR
    asm volatile("" : "+v"(value.raw)); // else equal ones become one
#endif
}

std::uint32_t readAll(std::span<const float* const> arrays, std::size_t count)
{
    const U32 du;
    auto s0 = hn::Zero(du), s1 = s0, s2 = s0, s3 = s0;
    for (const float* array : arrays)
    {
        const auto* words = reinterpret_cast<const std::uint32_t*>(array);
        for (std::size_t i = 0; i + 4 * kLanes <= count; i += 4 * kLanes)
        {
            s0 = hn::Xor(s0, hn::LoadU(du, words + i));
            s1 = hn::Xor(s1, hn::LoadU(du, words + i + kLanes));
            s2 = hn::Xor(s2, hn::LoadU(du, words + i + 2 * kLanes));
            s3 = hn::Xor(s3, hn::LoadU(du, words + i + 3 * kLanes));
        }
    }
    return hn::GetLane(hn::SumOfLanes(du, hn::Xor(hn::Xor(s0, s1), hn::Xor(s2, s3))));
}

struct Normal
{
    VF x, y, z, limit;
};

template <class... Values> HWY_INLINE void forgetAll(Values&... values)
{
    (forget(values), ...);
}

/// One vector of objects: the far corner (boxes), or centre and reach.
template <bool kIsBox> struct Terms
{
    VF x, y, z, reach;
    Mask out;

    HWY_INLINE void make(VF centre, VF extent)
    {
        const F32 d;
        const VF k = hn::Set(d, 9.5e-7f), growth = hn::Set(d, 1.00000095f);
        VF cx = centre, cy = centre, cz = centre, e0 = extent, e1 = extent, e2 = extent;
        forgetAll(cx, cy, cz, e0, e1, e2);
        if constexpr (kIsBox)
        {
            const VF rx = hn::Add(hn::Mul(hn::Abs(cx), k), hn::Mul(e0, growth));
            const VF ry = hn::Add(hn::Mul(hn::Abs(cy), k), hn::Mul(e1, growth));
            const VF rz = hn::Add(hn::Mul(hn::Abs(cz), k), hn::Mul(e2, growth));
            VF otherX = hn::Add(cx, rx), otherY = hn::Sub(cy, ry), otherZ = hn::Sub(cz, rz); // other planes take these
            forgetAll(otherX, otherY, otherZ);
            x = hn::Sub(cx, rx);
            y = hn::Add(cy, ry);
            z = hn::Add(cz, rz);
        }
        else
        {
            const VF sum = hn::Add(hn::Add(hn::Abs(cx), hn::Abs(cy)), hn::Abs(cz));
            x = cx;
            y = cy;
            z = cz;
            reach = hn::Add(hn::Mul(sum, k), hn::Mul(e0, growth));
        }
        out = hn::Lt(hn::Zero(d), hn::Zero(d));
    }

    HWY_INLINE void test(const Normal& n)
    {
        VF value = hn::Add(hn::Add(hn::Mul(n.x, x), hn::Mul(n.y, y)), hn::Mul(n.z, z));
        if constexpr (!kIsBox)
            value = hn::Add(value, reach);
        out = hn::Or(out, hn::Lt(value, n.limit));
    }
};

template <bool kIsBox, bool kIsWide> HWY_INLINE std::uint32_t arithmetic(std::size_t count, std::size_t planeCount)
{
    const F32 d;
    Normal n{hn::Set(d, 0.6f), hn::Set(d, 0.8f), hn::Set(d, 0.1f), hn::Set(d, -3.0f)};
    const VF centre = hn::Set(d, 7.0f), extent = hn::Set(d, 0.5f);
    std::size_t total = 0;
    for (std::size_t i = 0; i < count; i += (kIsWide ? 4 : 2) * kLanes)
    {
        Terms<kIsBox> a, b, c, e;
        a.make(centre, extent);
        b.make(centre, extent);
        if constexpr (kIsWide)
        {
            c.make(centre, extent);
            e.make(centre, extent);
        }
        for (std::size_t p = 0; p < planeCount; ++p)
        {
            forgetAll(n.x, n.y, n.z); // another plane
            a.test(n);
            b.test(n);
            if constexpr (kIsWide)
            {
                c.test(n);
                e.test(n);
            }
        }
        Mask out = hn::And(a.out, b.out);
        if constexpr (kIsWide)
            out = hn::And(out, hn::And(c.out, e.out));
        total += hn::AllFalse(d, out) ? 1 : 0;
    }
    return static_cast<std::uint32_t>(total);
}

std::uint32_t boxes2(std::size_t count, std::size_t planes)
{
    return arithmetic<true, false>(count, planes);
}
std::uint32_t boxes4(std::size_t count, std::size_t planes)
{
    return arithmetic<true, true>(count, planes);
}
std::uint32_t spheres2(std::size_t count, std::size_t planes)
{
    return arithmetic<false, false>(count, planes);
}
std::uint32_t spheres4(std::size_t count, std::size_t planes)
{
    return arithmetic<false, true>(count, planes);
}

} // namespace dl::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dl::bench
{

HWY_EXPORT(readAll);
HWY_EXPORT(boxes2);
HWY_EXPORT(boxes4);
HWY_EXPORT(spheres2);
HWY_EXPORT(spheres4);

std::uint32_t readArrays(std::span<const float* const> arrays, std::size_t count)
{
    return HWY_DYNAMIC_DISPATCH(readAll)(arrays, count);
}

std::uint32_t boxArithmetic(std::size_t count, std::size_t planeCount, bool isWide)
{
    return isWide ? HWY_DYNAMIC_DISPATCH(boxes4)(count, planeCount) : HWY_DYNAMIC_DISPATCH(boxes2)(count, planeCount);
}

std::uint32_t sphereArithmetic(std::size_t count, std::size_t planeCount, bool isWide)
{
    return isWide ? HWY_DYNAMIC_DISPATCH(spheres4)(count, planeCount) : HWY_DYNAMIC_DISPATCH(spheres2)(count, planeCount);
}

} // namespace dl::bench
#endif
