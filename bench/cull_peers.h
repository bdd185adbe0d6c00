// bench/cull_peers.h - the same question put to others, for bench_cull: scalar GLM always, OGRE and Bullet where CMake finds
// them (scripts/bootstrap bench). Each appends the ids of what the view sees to `ids`.
#pragma once

#include "drawloom/cull/cull.h"

#include <memory>
#include <vector>

namespace dl::bench
{

constexpr float kFovY = 1.1f, kAspect = 1.6f, kNear = 0.1f, kFar = 800.0f;

struct CullScene
{
    std::vector<float> x, y, z, a, b, c; ///< half extents in a, b, c; radius in a
    mat4 projection, view;               ///< of the first view
    std::vector<cull::CullView> views;

    cull::CullBoxes boxes() const { return {x, y, z, a, b, c, {}}; }
    cull::CullSpheres spheres() const { return {x, y, z, a, {}}; }
};

/// As one writes it: an array of structures, glm::dot, out at the first plane. Several views: seen by any.
class GlmCuller
{
public:
    GlmCuller(const CullScene& scene, bool isBox);
    void cull(std::span<const cull::CullView> views, std::vector<std::uint32_t>& ids) const;

private:
    struct Box
    {
        vec3 centre, half;
    };
    std::vector<Box> m_boxes;
    std::vector<vec4> m_spheres;
};

/// What a peer of another library does for the scene's first view.
class CullPeer
{
public:
    virtual ~CullPeer() = default;
    virtual void cull(std::vector<std::uint32_t>& ids) = 0;
};
/// Null without the library. Ogre::Frustum::isVisible, object by object; btDbvt::collideKDOP over a tree (boxes only).
std::unique_ptr<CullPeer> createOgrePeer(const CullScene& scene, bool isBox);
std::unique_ptr<CullPeer> createBulletPeer(const CullScene& scene);

} // namespace dl::bench
