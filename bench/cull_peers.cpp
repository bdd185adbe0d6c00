#include "bench/cull_peers.h"

namespace dl::bench
{

GlmCuller::GlmCuller(const CullScene& scene, bool isBox)
{
    for (std::size_t i = 0; i < scene.x.size(); ++i)
    {
        const vec3 centre(scene.x[i], scene.y[i], scene.z[i]);
        if (isBox)
            m_boxes.push_back({centre, vec3(scene.a[i], scene.b[i], scene.c[i])});
        else
            m_spheres.emplace_back(centre, scene.a[i]);
    }
}

namespace
{

template <class ReachOf> bool isSeen(std::span<const cull::CullView> views, vec3 centre, ReachOf&& reachOf)
{
    for (const cull::CullView& view : views)
    {
        bool isInside = true;
        for (std::uint32_t p = 0; isInside && p < view.planeCount; ++p)
            isInside = glm::dot(vec3(view.planes[p]), centre) + view.planes[p].w + reachOf(vec3(view.planes[p])) >= 0.0f;
        if (isInside)
            return true;
    }
    return false;
}

} // namespace

void GlmCuller::cull(std::span<const cull::CullView> views, std::vector<std::uint32_t>& ids) const
{
    for (std::size_t i = 0; i < m_boxes.size(); ++i)
        if (isSeen(views, m_boxes[i].centre, [&](vec3 normal) { return glm::dot(glm::abs(normal), m_boxes[i].half); }))
            ids.push_back(static_cast<std::uint32_t>(i));
    for (std::size_t i = 0; i < m_spheres.size(); ++i)
        if (isSeen(views, vec3(m_spheres[i]), [&](vec3) { return m_spheres[i].w; }))
            ids.push_back(static_cast<std::uint32_t>(i));
}

#ifndef DRAWLOOM_BENCH_OGRE
std::unique_ptr<CullPeer> createOgrePeer(const CullScene&, bool)
{
    return nullptr;
}
#endif
#ifndef DRAWLOOM_BENCH_BULLET
std::unique_ptr<CullPeer> createBulletPeer(const CullScene&)
{
    return nullptr;
}
#endif

} // namespace dl::bench
