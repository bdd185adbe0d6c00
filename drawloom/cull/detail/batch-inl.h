// drawloom/cull/detail/batch-inl.h - four vectors of objects against the planes of all views; what is seen is compressed
// into the output. Included once per instruction set by the kernels (Highway). Mul and Add stay apart (no MulAdd), so that
// every instruction set gives the bits of kernels_plain.cpp. Four vectors share the loads of a plane's constants.
#if defined(DRAWLOOM_CULL_BATCH_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef DRAWLOOM_CULL_BATCH_INL_H
#undef DRAWLOOM_CULL_BATCH_INL_H
#else
#define DRAWLOOM_CULL_BATCH_INL_H
#endif

#include <hwy/highway.h>

#include "drawloom/cull/detail/compress_lanes.h"
#include "drawloom/cull/detail/kernels.h"

#include <bit>
#include <cstring>

HWY_BEFORE_NAMESPACE();
namespace dl::cull::detail::HWY_NAMESPACE
{

namespace hn = hwy::HWY_NAMESPACE;
using F32 = hn::CappedTag<float, 16>;
using U32 = hn::RebindToUnsigned<F32>;
using VF = hn::Vec<F32>;
using VU = hn::Vec<U32>;
using Mask = hn::Mask<F32>;

constexpr std::size_t kLanes = hn::MaxLanes(F32());
constexpr std::size_t kBatch = 4 * kLanes;
static_assert(kGroupObjects % kBatch == 0);

template <class T> struct Four
{
    T v0, v1, v2, v3;
};

HWY_INLINE Four<VF> loadFour(const float* from)
{
    const F32 d;
    return {hn::LoadU(d, from), hn::LoadU(d, from + kLanes), hn::LoadU(d, from + 2 * kLanes), hn::LoadU(d, from + 3 * kLanes)};
}

/// The terms of a plane's sum for boxes: stays in the first-level cache, since each plane picks its own far corner.
struct BoxBatch
{
    HWY_ALIGN float corners[3][2][kBatch];

    static HWY_INLINE void store(const float* centre, const float* extent, float* low, float* high)
    {
        const F32 d;
        const VF c = hn::LoadU(d, centre);
        const VF widening = hn::Mul(hn::Abs(c), hn::Set(d, kRounding));
        const VF reach = hn::Add(widening, hn::Mul(hn::LoadU(d, extent), hn::Set(d, 1.0f + kRounding)));
        hn::Store(hn::Sub(c, reach), d, low);
        hn::Store(hn::Add(c, reach), d, high);
    }

    HWY_INLINE void load(const Arrays& arrays, std::size_t i)
    {
        for (std::size_t lane = 0; lane < kBatch; lane += kLanes)
        {
            store(arrays.x + i + lane, arrays.a + i + lane, corners[0][0] + lane, corners[0][1] + lane);
            store(arrays.y + i + lane, arrays.b + i + lane, corners[1][0] + lane, corners[1][1] + lane);
            store(arrays.z + i + lane, arrays.c + i + lane, corners[2][0] + lane, corners[2][1] + lane);
        }
    }

    HWY_INLINE Four<Mask> outside(const Plane& plane) const
    {
        const F32 d;
        const float* x = corners[0][plane.farX];
        const float* y = corners[1][plane.farY];
        const float* z = corners[2][plane.farZ];
        const VF nx = hn::Set(d, plane.x), ny = hn::Set(d, plane.y), nz = hn::Set(d, plane.z), limit = hn::Set(d, plane.limit);
        const auto isOut = [&](std::size_t lane) HWY_ATTR
        {
            const VF xy = hn::Add(hn::Mul(nx, hn::Load(d, x + lane)), hn::Mul(ny, hn::Load(d, y + lane)));
            return hn::Lt(hn::Add(xy, hn::Mul(nz, hn::Load(d, z + lane))), limit);
        };
        return {isOut(0), isOut(kLanes), isOut(2 * kLanes), isOut(3 * kLanes)};
    }
};

struct SphereBatch
{
    Four<VF> x, y, z, reach;

    static HWY_INLINE VF reachOf(VF x, VF y, VF z, VF radius)
    {
        const F32 d;
        const VF sum = hn::Add(hn::Add(hn::Abs(x), hn::Abs(y)), hn::Abs(z));
        return hn::Add(hn::Mul(sum, hn::Set(d, kRounding)), hn::Mul(radius, hn::Set(d, 1.0f + kRounding)));
    }

    HWY_INLINE void load(const Arrays& arrays, std::size_t i)
    {
        x = loadFour(arrays.x + i);
        y = loadFour(arrays.y + i);
        z = loadFour(arrays.z + i);
        const Four<VF> radius = loadFour(arrays.a + i);
        reach = {reachOf(x.v0, y.v0, z.v0, radius.v0), reachOf(x.v1, y.v1, z.v1, radius.v1), reachOf(x.v2, y.v2, z.v2, radius.v2),
            reachOf(x.v3, y.v3, z.v3, radius.v3)};
    }

    HWY_INLINE Four<Mask> outside(const Plane& plane) const
    {
        const F32 d;
        const VF nx = hn::Set(d, plane.x), ny = hn::Set(d, plane.y), nz = hn::Set(d, plane.z), limit = hn::Set(d, plane.limit);
        const auto isOut = [&](VF cx, VF cy, VF cz, VF r) HWY_ATTR
        {
            const VF xy = hn::Add(hn::Mul(nx, cx), hn::Mul(ny, cy));
            return hn::Lt(hn::Add(hn::Add(xy, hn::Mul(nz, cz)), r), limit);
        };
        return {isOut(x.v0, y.v0, z.v0, reach.v0), isOut(x.v1, y.v1, z.v1, reach.v1), isOut(x.v2, y.v2, z.v2, reach.v2),
            isOut(x.v3, y.v3, z.v3, reach.v3)};
    }
};

/// Tests the planes named by the bits of `planes`; none: nothing is outside.
template <class Batch> HWY_INLINE Four<Mask> outsideOf(const Batch& batch, const View& view, std::uint32_t planes)
{
    const F32 d;
    const Mask none = hn::Lt(hn::Zero(d), hn::Zero(d));
    Four<Mask> out{none, none, none, none};
    for (; planes != 0; planes &= planes - 1)
    {
        const Four<Mask> next = batch.outside(view.planes[std::countr_zero(planes)]);
        out = {hn::Or(out.v0, next.v0), hn::Or(out.v1, next.v1), hn::Or(out.v2, next.v2), hn::Or(out.v3, next.v3)};
    }
    return out;
}

/// Takes what is in no layer of the view out.
HWY_INLINE void dropOtherLayers(const std::uint32_t* layers, std::uint32_t viewLayers, Four<Mask>& out)
{
    const F32 d;
    const U32 du;
    const auto isOther = [&](std::size_t lane) HWY_ATTR
    { return hn::RebindMask(d, hn::Eq(hn::And(hn::LoadU(du, layers + lane), hn::Set(du, viewLayers)), hn::Zero(du))); };
    out = {hn::Or(out.v0, isOther(0)), hn::Or(out.v1, isOther(kLanes)), hn::Or(out.v2, isOther(2 * kLanes)),
        hn::Or(out.v3, isOther(3 * kLanes))};
}

/// Takes the lanes from `count` on out.
HWY_INLINE void dropFrom(std::size_t count, Four<Mask>& out)
{
    const F32 d;
    const auto isBehind = [&](std::size_t lane) HWY_ATTR
    { return hn::Not(hn::FirstN(d, count > lane ? (count - lane < kLanes ? count - lane : kLanes) : 0)); };
    out = {hn::Or(out.v0, isBehind(0)), hn::Or(out.v1, isBehind(kLanes)), hn::Or(out.v2, isBehind(2 * kLanes)),
        hn::Or(out.v3, isBehind(3 * kLanes))};
}

/// Which objects of a batch count, and what they are called.
struct Scope
{
    const std::uint32_t* layers = nullptr; ///< of the batch's first object; none: all layers
    std::size_t count = kBatch;            ///< lanes behind do not exist
};

template <class Batch> HWY_INLINE Four<Mask> unseenBy(const Batch& batch, const Scope& scope, const View& view, std::uint32_t planes)
{
    Four<Mask> out = outsideOf(batch, view, planes);
    if (scope.layers != nullptr)
        dropOtherLayers(scope.layers, view.layerMask, out);
    if (scope.count < kBatch)
        dropFrom(scope.count, out);
    return out;
}

/// Moves the lanes that `kept` names to the front. Highway's own Compress for AVX2 copies its table to the stack in every
/// call when g++ 12 compiles it, so that instruction set has the table here.
class Compressor
{
public:
    explicit HWY_INLINE Compressor(hn::Mask<U32> kept) : m_kept(kept)
    {
#if HWY_TARGET == HWY_AVX2
        std::uint8_t bits[8] = {};
        hn::StoreMaskBits(U32(), kept, bits);
        m_bits = bits[0];
        m_lanes = hn::PromoteTo(U32(), hn::Load(hn::Rebind<std::uint8_t, U32>(), kCompressLanes.lanes[m_bits]));
#endif
    }

    HWY_INLINE VU operator()(VU v) const
    {
#if HWY_TARGET == HWY_AVX2
        return hn::TableLookupLanes(v, hn::IndicesFromVec(U32(), m_lanes));
#else
        return hn::Compress(v, m_kept);
#endif
    }

    HWY_INLINE std::size_t count() const
    {
#if HWY_TARGET == HWY_AVX2
        return static_cast<std::size_t>(std::popcount(m_bits));
#else
        return hn::CountTrue(U32(), m_kept);
#endif
    }

private:
    hn::Mask<U32> m_kept;
#if HWY_TARGET == HWY_AVX2
    std::uint32_t m_bits;
    VU m_lanes;
#endif
};

/// A store of the whole vector, not CompressStore: compressing to memory is microcode on AMD (Zen 4 and 5).
HWY_INLINE void emit(VU ids, Mask unseen, Output& output)
{
    const U32 du;
    const Compressor compress(hn::RebindMask(du, hn::Not(unseen)));
    hn::StoreU(compress(ids), du, output.ids + output.count);
    output.count += compress.count();
}

HWY_INLINE void emit(const Four<VU>& ids, const Four<Mask>& unseen, Output& output)
{
    emit(ids.v0, unseen.v0, output);
    emit(ids.v1, unseen.v1, output);
    emit(ids.v2, unseen.v2, output);
    emit(ids.v3, unseen.v3, output);
}

/// The same with the view masks: bits 0..31 in `low`, 32..63 in `high`.
template <bool kHasHigh> HWY_INLINE void emit(VU ids, VU low, VU high, Output& output)
{
    const U32 du;
    const Compressor compress(hn::Ne(kHasHigh ? hn::Or(low, high) : low, hn::Zero(du)));
    const VU highMasks = kHasHigh ? compress(high) : hn::Zero(du);
    auto* masks = reinterpret_cast<std::uint32_t*>(output.masks + output.count);
    hn::StoreInterleaved2(compress(low), highMasks, du, masks); // little endian
    hn::StoreU(compress(ids), du, output.ids + output.count);
    output.count += compress.count();
}

/// Bits of views [first, last) per object; `planesOf(v)` names the planes of view v that are to be tested.
template <class Batch, class PlanesOf> HWY_INLINE Four<VU> masksOf(
    const Batch& batch, const Scope& scope, std::span<const View> views, std::size_t first, std::size_t last, PlanesOf&& planesOf)
{
    const U32 du;
    Four<VU> masks{hn::Zero(du), hn::Zero(du), hn::Zero(du), hn::Zero(du)};
    for (std::size_t v = first; v < last; ++v)
    {
        const std::uint32_t planes = planesOf(v);
        if (planes == kSeesNothing)
            continue;
        const Four<Mask> out = unseenBy(batch, scope, views[v], planes);
        const VU bit = hn::Set(du, 1U << (v & 31U));
        const auto add = [&](VU mask, Mask isOut) HWY_ATTR { return hn::Or(mask, hn::IfThenZeroElse(hn::RebindMask(du, isOut), bit)); };
        masks = {add(masks.v0, out.v0), add(masks.v1, out.v1), add(masks.v2, out.v2), add(masks.v3, out.v3)};
    }
    return masks;
}

template <class Batch, class PlanesOf> HWY_INLINE void cullBatch(
    const Batch& batch, const Scope& scope, const Four<VU>& ids, std::span<const View> views, PlanesOf&& planesOf, Output& output)
{
    if (views.size() == 1)
        return emit(ids, unseenBy(batch, scope, views[0], planesOf(0)), output);
    const bool hasHigh = views.size() > 32;
    const Four<VU> low = masksOf(batch, scope, views, 0, hasHigh ? 32 : views.size(), planesOf);
    if (!hasHigh)
    {
        emit<false>(ids.v0, low.v0, low.v0, output);
        emit<false>(ids.v1, low.v1, low.v1, output);
        emit<false>(ids.v2, low.v2, low.v2, output);
        emit<false>(ids.v3, low.v3, low.v3, output);
        return;
    }
    const Four<VU> high = masksOf(batch, scope, views, 32, views.size(), planesOf);
    emit<true>(ids.v0, low.v0, high.v0, output);
    emit<true>(ids.v1, low.v1, high.v1, output);
    emit<true>(ids.v2, low.v2, high.v2, output);
    emit<true>(ids.v3, low.v3, high.v3, output);
}

} // namespace dl::cull::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
