#include "drawloom/resource/visibility_groups.h"

namespace dl
{

void VisibilityGroups::write(std::uint32_t index, bool isVisible)
{
    if (index / 64 >= m_bits.size())
        m_bits.resize(index / 64 + 1);
    const std::uint64_t bit = std::uint64_t(1) << (index & 63U);
    m_bits[index >> 6U] = isVisible ? m_bits[index >> 6U] | bit : m_bits[index >> 6U] & ~bit;
}

VisibilityGroupId VisibilityGroups::add(bool isVisible)
{
    const VisibilityGroupId id = m_groups.add({isVisible, false});
    write(id.index, isVisible);
    return id;
}

bool VisibilityGroups::remove(VisibilityGroupId id)
{
    return m_groups.remove(id);
}

bool VisibilityGroups::set(VisibilityGroupId id, bool isVisible)
{
    Group* group = m_groups.find(id);
    if (group == nullptr)
        return false;
    group->next = isVisible;
    if (!group->isQueued)
    {
        group->isQueued = true;
        m_queued.push_back(id);
    }
    return true;
}

void VisibilityGroups::beginFrame()
{
    for (const VisibilityGroupId id : m_queued)
        if (Group* group = m_groups.find(id); group != nullptr)
        {
            group->isQueued = false;
            write(id.index, group->next);
        }
    m_queued.clear();
}

} // namespace dl
