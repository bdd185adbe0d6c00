#include "drawloom/cull/cull.h"

#include "drawloom/core/assert.h"
#include "drawloom/cull/detail/prepare.h"
#include "drawloom/cull/detail/visible_access.h"

#include <algorithm>
#include <cmath>

namespace dl::cull
{

CullView extractView(const mat4& matrix, std::uint32_t layerMask)
{
    const auto row = [&](int r) { return glm::dvec4(matrix[0][r], matrix[1][r], matrix[2][r], matrix[3][r]); };
    const glm::dvec4 planes[6] = {row(3) + row(0), row(3) - row(0), row(3) + row(1), row(3) - row(1), row(2), row(3) - row(2)};
    CullView view;
    view.layerMask = layerMask;
    view.planeCount = 0;
    double largest = 0.0;
    for (const glm::dvec4& plane : planes)
        largest = std::max(largest, glm::length(glm::dvec3(plane)));
    for (const glm::dvec4& plane : planes)
    {
        // A plane whose normal vanishes against the others' lies at infinity, up to the matrix's rounding.
        const double length = glm::length(glm::dvec3(plane));
        if (length > 1e-7 * largest)
            view.planes[view.planeCount++] = vec4(plane / length);
    }
    return view;
}

void cullBoxes(const CullBoxes& boxes, std::span<const CullView> views, VisibleObjects& visible)
{
    const std::size_t count = boxes.centreX.size();
    const detail::Arrays arrays = detail::arraysOf(boxes, count);
    const detail::Views prepared(views);
    detail::VisibleAccess::fill(visible, count, prepared, [&](std::size_t begin, std::size_t end, detail::Output& output)
        { detail::cullBoxesSimd(arrays, prepared.span(), begin, end, output); });
}

void cullSpheres(const CullSpheres& spheres, std::span<const CullView> views, VisibleObjects& visible)
{
    const std::size_t count = spheres.centreX.size();
    const detail::Arrays arrays = detail::arraysOf(spheres, count);
    const detail::Views prepared(views);
    detail::VisibleAccess::fill(visible, count, prepared, [&](std::size_t begin, std::size_t end, detail::Output& output)
        { detail::cullSpheresSimd(arrays, prepared.span(), begin, end, output); });
}

void cullBoxesScalar(const CullBoxes& boxes, std::span<const CullView> views, std::span<std::uint64_t> viewMasks)
{
    const detail::Arrays arrays = detail::arraysOf(boxes, viewMasks.size());
    const detail::Views prepared(views);
    detail::cullBoxesPlain(arrays, prepared.span(), 0, viewMasks.size(), viewMasks.data());
}

void cullSpheresScalar(const CullSpheres& spheres, std::span<const CullView> views, std::span<std::uint64_t> viewMasks)
{
    const detail::Arrays arrays = detail::arraysOf(spheres, viewMasks.size());
    const detail::Views prepared(views);
    detail::cullSpheresPlain(arrays, prepared.span(), 0, viewMasks.size(), viewMasks.data());
}

} // namespace dl::cull
