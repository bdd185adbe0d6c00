#include "drawloom/cull/detail/kernels.h"

#include <cmath>

namespace dl::cull::detail
{

namespace
{

constexpr float kGrowth = 1.0f + kRounding;

struct Reach
{
    float x = 0, y = 0, z = 0;
};

bool isBoxOutside(const Plane& plane, float x, float y, float z, const Reach& reach)
{
    float value = plane.x * x;
    value = value + plane.y * y;
    value = value + plane.z * z;
    value = value + plane.offset;
    value = value + plane.absX * reach.x;
    value = value + plane.absY * reach.y;
    value = value + plane.absZ * reach.z;
    return value < 0.0f;
}

bool isSphereOutside(const Plane& plane, float x, float y, float z, float reach)
{
    float value = plane.x * x;
    value = value + plane.y * y;
    value = value + plane.z * z;
    value = value + plane.offset;
    value = value + reach;
    return value < 0.0f;
}

template <class IsOutside> std::uint64_t viewMaskOf(const Arrays& arrays, std::size_t i, std::span<const View> views, IsOutside&& isOutside)
{
    std::uint64_t mask = 0;
    for (std::size_t v = 0; v < views.size(); ++v)
    {
        bool isSeen = arrays.layerMasks == nullptr ? views[v].layerMask != 0 : (arrays.layerMasks[i] & views[v].layerMask) != 0;
        for (std::uint32_t p = 0; isSeen && p < views[v].planeCount; ++p)
            isSeen = !isOutside(views[v].planes[p]);
        mask |= static_cast<std::uint64_t>(isSeen) << v;
    }
    return mask;
}

} // namespace

void cullBoxesPlain(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, std::uint64_t* viewMasks)
{
    for (std::size_t i = begin; i < end; ++i)
    {
        const float x = arrays.x[i];
        const float y = arrays.y[i];
        const float z = arrays.z[i];
        const Reach reach{std::fabs(x) * kRounding + arrays.a[i] * kGrowth, std::fabs(y) * kRounding + arrays.b[i] * kGrowth,
            std::fabs(z) * kRounding + arrays.c[i] * kGrowth};
        viewMasks[i] = viewMaskOf(arrays, i, views, [&](const Plane& plane) { return isBoxOutside(plane, x, y, z, reach); });
    }
}

void cullSpheresPlain(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, std::uint64_t* viewMasks)
{
    for (std::size_t i = begin; i < end; ++i)
    {
        const float x = arrays.x[i];
        const float y = arrays.y[i];
        const float z = arrays.z[i];
        const float sum = std::fabs(x) + std::fabs(y) + std::fabs(z);
        const float reach = sum * kRounding + arrays.a[i] * kGrowth;
        viewMasks[i] = viewMaskOf(arrays, i, views, [&](const Plane& plane) { return isSphereOutside(plane, x, y, z, reach); });
    }
}

} // namespace dl::cull::detail
