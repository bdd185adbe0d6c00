// OGRE 1.12: Frustum::isVisible of every object's AxisAlignedBox or Sphere.
#include "bench/cull_peers.h"

#include <OgreAxisAlignedBox.h>
#include <OgreDefaultHardwareBufferManager.h>
#include <OgreFrustum.h>
#include <OgreLogManager.h>
#include <OgreMaterialManager.h>
#include <OgreRoot.h>
#include <OgreSphere.h>

namespace dl::bench
{

namespace
{

/// OGRE's frustum asks its root for a render system and makes buffers to be drawn with; a root without plugins will do.
struct OgreRoot
{
    Ogre::LogManager log;
    std::unique_ptr<Ogre::Root> root;
    std::unique_ptr<Ogre::DefaultHardwareBufferManager> buffers;

    OgreRoot()
    {
        log.createLog("bench_cull", true, false, true); // to no file
        root = std::make_unique<Ogre::Root>("", "", "");
        buffers = std::make_unique<Ogre::DefaultHardwareBufferManager>();
        Ogre::MaterialManager::getSingleton().initialise();
    }
};

Ogre::Matrix4 toOgre(const mat4& m)
{
    return {m[0][0], m[1][0], m[2][0], m[3][0], m[0][1], m[1][1], m[2][1], m[3][1], m[0][2], m[1][2], m[2][2], m[3][2], 0, 0, 0, 1};
}

class OgrePeer final : public CullPeer
{
public:
    OgrePeer(const CullScene& scene, bool isBox)
    {
        static OgreRoot root;
        m_frustum = std::make_unique<Ogre::Frustum>();
        m_frustum->setFOVy(Ogre::Radian(kFovY));
        m_frustum->setAspectRatio(kAspect);
        m_frustum->setNearClipDistance(kNear);
        m_frustum->setFarClipDistance(kFar);
        m_frustum->setCustomViewMatrix(true, Ogre::Affine3(toOgre(scene.view)));
        for (std::size_t i = 0; i < scene.x.size(); ++i)
        {
            const Ogre::Vector3 centre(scene.x[i], scene.y[i], scene.z[i]);
            const Ogre::Vector3 half(scene.a[i], scene.b[i], scene.c[i]);
            if (isBox)
                m_boxes.emplace_back(centre - half, centre + half);
            else
                m_spheres.emplace_back(centre, scene.a[i]);
        }
    }

    void cull(std::vector<std::uint32_t>& ids) override
    {
        for (std::size_t i = 0; i < m_boxes.size(); ++i)
            if (m_frustum->isVisible(m_boxes[i]))
                ids.push_back(static_cast<std::uint32_t>(i));
        for (std::size_t i = 0; i < m_spheres.size(); ++i)
            if (m_frustum->isVisible(m_spheres[i]))
                ids.push_back(static_cast<std::uint32_t>(i));
    }

private:
    std::unique_ptr<Ogre::Frustum> m_frustum;
    std::vector<Ogre::AxisAlignedBox> m_boxes;
    std::vector<Ogre::Sphere> m_spheres;
};

} // namespace

std::unique_ptr<CullPeer> createOgrePeer(const CullScene& scene, bool isBox)
{
    return std::make_unique<OgrePeer>(scene, isBox);
}

} // namespace dl::bench
