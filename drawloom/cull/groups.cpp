#include "drawloom/cull/groups.h"

#include "drawloom/core/assert.h"
#include "drawloom/cull/detail/groups.h"
#include "drawloom/cull/detail/visible_access.h"

namespace dl::cull
{

CullGroups::CullGroups() : m_store(std::make_unique<detail::GroupStore>())
{
}
CullGroups::~CullGroups() = default;
CullGroups::CullGroups(CullGroups&&) noexcept = default;
CullGroups& CullGroups::operator=(CullGroups&&) noexcept = default;

void CullGroups::build(const CullBoxes& boxes)
{
    m_store->isBox = true;
    m_store->build(detail::arraysOf(boxes, boxes.centreX.size()), boxes.centreX.size());
}

void CullGroups::build(const CullSpheres& spheres)
{
    m_store->isBox = false;
    m_store->build(detail::arraysOf(spheres, spheres.centreX.size()), spheres.centreX.size());
}

std::size_t CullGroups::size() const
{
    return m_store->objectCount;
}

void CullGroups::moveBox(std::uint32_t id, vec3 centre, vec3 halfExtent)
{
    DL_ASSERT(m_store->isBox && id < size(), "moves one of the boxes that were built");
    const float terms[] = {centre.x, centre.y, centre.z, halfExtent.x, halfExtent.y, halfExtent.z};
    m_store->move(id, terms);
}

void CullGroups::moveSphere(std::uint32_t id, vec3 centre, float radius)
{
    DL_ASSERT(!m_store->isBox && id < size(), "moves one of the spheres that were built");
    const float terms[] = {centre.x, centre.y, centre.z, radius};
    m_store->move(id, terms);
}

float CullGroups::growth() const
{
    return m_store->growth;
}

void CullGroups::cull(std::span<const CullView> views, VisibleObjects& visible)
{
    detail::GroupStore& store = *m_store;
    store.fitMoved();
    const detail::Views prepared(views);
    detail::VisibleAccess::fill(visible, store.objectCount, prepared,
        [&](std::size_t begin, std::size_t end, detail::Output& output)
        {
            const std::size_t endGroup = (end + detail::kGroupObjects - 1) / detail::kGroupObjects;
            detail::cullGroupsSimd(store, prepared.span(), begin / detail::kGroupObjects, endGroup, output);
        });
}

} // namespace dl::cull
