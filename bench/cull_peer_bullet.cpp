// Bullet: a dynamic tree of axis-aligned boxes, btDbvt, asked for what lies inside of the frustum's planes (collideKDOP).
#include "bench/cull_peers.h"

#include <BulletCollision/BroadphaseCollision/btDbvt.h>

namespace dl::bench
{

namespace
{

class BulletPeer final : public CullPeer
{
public:
    explicit BulletPeer(const CullScene& scene)
    {
        for (std::size_t i = 0; i < scene.x.size(); ++i)
        {
            const btVector3 centre(scene.x[i], scene.y[i], scene.z[i]), half(scene.a[i], scene.b[i], scene.c[i]);
            m_tree.insert(btDbvtVolume::FromCE(centre, half), reinterpret_cast<void*>(i));
        }
        m_tree.optimizeTopDown();
        for (std::uint32_t p = 0; p < scene.views[0].planeCount; ++p)
        {
            const vec4 plane = scene.views[0].planes[p];
            m_normals.emplace_back(plane.x, plane.y, plane.z);
            m_offsets.push_back(plane.w);
        }
    }
    ~BulletPeer() override { m_tree.clear(); }
    BulletPeer(const BulletPeer&) = delete;
    BulletPeer& operator=(const BulletPeer&) = delete;

    void cull(std::vector<std::uint32_t>& ids) override
    {
        Collector collector(ids);
        btDbvt::collideKDOP(m_tree.m_root, m_normals.data(), m_offsets.data(), static_cast<int>(m_normals.size()), collector);
    }

private:
    struct Collector : btDbvt::ICollide
    {
        explicit Collector(std::vector<std::uint32_t>& theIds) : ids(theIds) {}
        void Process(const btDbvtNode* leaf) override
        {
            ids.push_back(static_cast<std::uint32_t>(reinterpret_cast<std::size_t>(leaf->data)));
        }

        std::vector<std::uint32_t>& ids;
    };

    btDbvt m_tree;
    std::vector<btVector3> m_normals;
    std::vector<btScalar> m_offsets;
};

} // namespace

std::unique_ptr<CullPeer> createBulletPeer(const CullScene& scene)
{
    return std::make_unique<BulletPeer>(scene);
}

} // namespace dl::bench
