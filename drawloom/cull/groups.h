// drawloom/cull/groups.h - culling for many objects that seldom move: groups of 64 neighbours (in Morton order; G. M. Morton,
// "A Computer Oriented Geodetic Data Base", 1966) are tested first, so that objects of groups wholly outside or inside are
// not read. For draw sources with their own culling. CPU only.
#pragma once

#include "drawloom/cull/cull.h"

namespace dl::cull
{

namespace detail
{
struct GroupStore;
}

/// Holds a copy of the bounds, sorted. Either boxes or spheres. Not thread safe; culling runs in parallel inside.
class CullGroups
{
public:
    CullGroups();
    ~CullGroups();
    CullGroups(CullGroups&&) noexcept;
    CullGroups& operator=(CullGroups&&) noexcept;

    /// Replaces everything; ids are indices into the arrays, fewer than 2^32 objects. Same input, same order. Costs a sort:
    /// 0.1 to 0.3 us an object. Memory: 24 (boxes) or 16 (spheres) + 8 bytes an object, 4 more with layer masks.
    void build(const CullBoxes& boxes);
    void build(const CullSpheres& spheres);
    std::size_t size() const;

    /// New bounds for one object, which stays in its group; the group's bounds follow in the next cull(). For the shape built.
    void moveBox(std::uint32_t id, vec3 centre, vec3 halfExtent);
    void moveSphere(std::uint32_t id, vec3 centre, float radius);
    /// How much groups have grown by moves: the sum of their extents over that of the last build, as of the last cull().
    /// Culling then takes 1.5 x the time at 2, 2.5 x at 4, and is still faster than the flat test; a build costs as much as
    /// a thousand calls (docs/performance.md).
    float growth() const;

    /// Exactly the objects (and view masks) that cullBoxes or cullSpheres finds, in the order of the groups, which is the same
    /// for any thread count and instruction set. Runs in parallel chunks of 16,384 objects; allocates nothing once warm.
    void cull(std::span<const CullView> views, VisibleObjects& visible);

private:
    std::unique_ptr<detail::GroupStore> m_store;
};

} // namespace dl::cull
