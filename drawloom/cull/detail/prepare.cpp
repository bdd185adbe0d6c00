#include "drawloom/cull/detail/prepare.h"

#include "drawloom/core/assert.h"

#include <algorithm>
#include <cmath>

namespace dl::cull::detail
{

Arrays arraysOf(const CullBoxes& boxes, std::size_t count)
{
    const bool isComplete = boxes.centreX.size() >= count && boxes.centreY.size() >= count && boxes.centreZ.size() >= count &&
                            boxes.halfExtentX.size() >= count && boxes.halfExtentY.size() >= count && boxes.halfExtentZ.size() >= count &&
                            (boxes.layerMasks.empty() || boxes.layerMasks.size() >= count);
    DL_ASSERT(isComplete, "every array has one element per object");
    return {boxes.centreX.data(), boxes.centreY.data(), boxes.centreZ.data(), boxes.halfExtentX.data(), boxes.halfExtentY.data(),
        boxes.halfExtentZ.data(), boxes.layerMasks.empty() ? nullptr : boxes.layerMasks.data()};
}

Arrays arraysOf(const CullSpheres& spheres, std::size_t count)
{
    const bool isComplete = spheres.centreX.size() >= count && spheres.centreY.size() >= count && spheres.centreZ.size() >= count &&
                            spheres.radius.size() >= count && (spheres.layerMasks.empty() || spheres.layerMasks.size() >= count);
    DL_ASSERT(isComplete, "every array has one element per object");
    return {spheres.centreX.data(), spheres.centreY.data(), spheres.centreZ.data(), spheres.radius.data(), nullptr, nullptr,
        spheres.layerMasks.empty() ? nullptr : spheres.layerMasks.data()};
}

Views::Views(std::span<const CullView> views) : m_count(std::min<std::size_t>(views.size(), kMaxViewCount))
{
    DL_ASSERT(views.size() <= kMaxViewCount, "up to 64 views in one call");
    for (std::size_t v = 0; v < m_count; ++v)
    {
        View& view = m_items[v];
        view.layerMask = views[v].layerMask;
        view.planeCount = std::min(views[v].planeCount, 6U);
        m_seeNothing = m_seeNothing && view.layerMask == 0;
        for (std::uint32_t p = 0; p < view.planeCount; ++p)
        {
            const vec4 plane = views[v].planes[p];
            const float offset = plane.w + std::fabs(plane.w) * kRounding;
            view.planes[p] = {
                plane.x, plane.y, plane.z, -offset, plane.x < 0.0f ? 0U : 1U, plane.y < 0.0f ? 0U : 1U, plane.z < 0.0f ? 0U : 1U, 0};
        }
    }
}

} // namespace dl::cull::detail
