#include "drawloom/cull/detail/prepare.h"

#include "drawloom/core/assert.h"

#include <algorithm>
#include <cmath>

namespace dl::cull::detail
{

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
            view.planes[p] = {plane.x, plane.y, plane.z, -offset, plane.x < 0.0f ? 0U : 1U, plane.y < 0.0f ? 0U : 1U,
                plane.z < 0.0f ? 0U : 1U, 0};
        }
    }
}

} // namespace dl::cull::detail
