// The flat kernels in Highway, compiled once per instruction set and chosen at run time.
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "drawloom/cull/detail/kernels_simd.cpp"
#include <hwy/foreach_target.h> // must come before highway.h

#include "drawloom/cull/detail/batch-inl.h"

HWY_BEFORE_NAMESPACE();
namespace dl::cull::detail::HWY_NAMESPACE
{

HWY_INLINE Four<VU> idsFrom(std::size_t i)
{
    const U32 du;
    const auto id = static_cast<std::uint32_t>(i);
    return {hn::Iota(du, id), hn::Iota(du, id + kLanes), hn::Iota(du, id + 2 * kLanes), hn::Iota(du, id + 3 * kLanes)};
}

/// Fewer than a batch, copied to where a whole batch can be read.
struct Tail
{
    float values[6][kBatch] = {};
    std::uint32_t layers[kBatch] = {};
    Arrays arrays{values[0], values[1], values[2], values[3], values[4], values[5], nullptr};

    Tail(const Arrays& from, std::size_t begin, std::size_t count)
    {
        const float* const sources[] = {from.x, from.y, from.z, from.a, from.b, from.c};
        for (std::size_t s = 0; s < 6; ++s)
            if (sources[s] != nullptr)
                std::memcpy(values[s], sources[s] + begin, count * sizeof(float));
        if (from.layerMasks == nullptr)
            return;
        std::memcpy(layers, from.layerMasks + begin, count * sizeof(std::uint32_t));
        arrays.layerMasks = layers;
    }
};

template <class Batch>
HWY_INLINE void cullRange(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, Output& output)
{
    const auto planesOf = [views](std::size_t v) HWY_ATTR { return views[v].planesToTest(); };
    Output local = output; // kept in registers: stores of ids could alias the caller's
    Batch batch;
    std::size_t i = begin;
    for (; i + kBatch <= end; i += kBatch)
    {
        batch.load(arrays, i);
        const Scope scope{arrays.layerMasks == nullptr ? nullptr : arrays.layerMasks + i};
        cullBatch(batch, scope, idsFrom(i), views, planesOf, local);
    }
    if (i < end)
    {
        const Tail tail(arrays, i, end - i);
        batch.load(tail.arrays, 0);
        cullBatch(batch, Scope{tail.arrays.layerMasks, end - i}, idsFrom(i), views, planesOf, local);
    }
    output = local;
}

void boxes(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, Output& output)
{
    cullRange<BoxBatch>(arrays, views, begin, end, output);
}

void spheres(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, Output& output)
{
    cullRange<SphereBatch>(arrays, views, begin, end, output);
}

} // namespace dl::cull::detail::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dl::cull::detail
{

HWY_EXPORT(boxes);
HWY_EXPORT(spheres);

void cullBoxesSimd(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, Output& output)
{
    HWY_DYNAMIC_DISPATCH(boxes)(arrays, views, begin, end, output);
}

void cullSpheresSimd(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, Output& output)
{
    HWY_DYNAMIC_DISPATCH(spheres)(arrays, views, begin, end, output);
}

} // namespace dl::cull::detail
#endif
