#include "drawloom/cull/detail/kernels.h"

namespace dl::cull::detail
{

namespace
{

/// The two corners of a widened box: index 0 the smaller coordinates, 1 the larger ones.
struct Corners
{
    float x[2], y[2], z[2];
};

bool isBoxOutside(const Plane& plane, const Corners& corners)
{
    float value = plane.x * corners.x[plane.farX];
    value = value + plane.y * corners.y[plane.farY];
    value = value + plane.z * corners.z[plane.farZ];
    return value < plane.limit;
}

bool isSphereOutside(const Plane& plane, float x, float y, float z, float reach)
{
    float value = plane.x * x;
    value = value + plane.y * y;
    value = value + plane.z * z;
    value = value + reach;
    return value < plane.limit;
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
        const float reachX = boxReach(x, arrays.a[i]);
        const float reachY = boxReach(y, arrays.b[i]);
        const float reachZ = boxReach(z, arrays.c[i]);
        const Corners corners{{x - reachX, x + reachX}, {y - reachY, y + reachY}, {z - reachZ, z + reachZ}};
        viewMasks[i] = viewMaskOf(arrays, i, views, [&](const Plane& plane) { return isBoxOutside(plane, corners); });
    }
}

void cullSpheresPlain(const Arrays& arrays, std::span<const View> views, std::size_t begin, std::size_t end, std::uint64_t* viewMasks)
{
    for (std::size_t i = begin; i < end; ++i)
    {
        const float x = arrays.x[i];
        const float y = arrays.y[i];
        const float z = arrays.z[i];
        const float reach = sphereReach(x, y, z, arrays.a[i]);
        viewMasks[i] = viewMaskOf(arrays, i, views, [&](const Plane& plane) { return isSphereOutside(plane, x, y, z, reach); });
    }
}

} // namespace dl::cull::detail
