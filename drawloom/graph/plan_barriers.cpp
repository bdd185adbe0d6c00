// The barrier half of the planner: per-subresource states over the passes that are kept, then few barriers from many.
#include "drawloom/graph/plan.h"

#include <algorithm>
#include <tuple>

namespace dl::graph
{

void GraphPlanner::changeState(const Touched& touched, std::uint32_t pass, gpu::AccessFlags access)
{
    Subresource& s = m_subresources[touched.subresource];
    s.barrier = static_cast<std::uint32_t>(m_raw.size());
    m_raw.push_back({pass, touched.resource, s.state, access, touched.layer, touched.mip});
    s.state = access;
}

/// Adds reads to the barrier that made the present reads ready, if it is one of this frame.
bool GraphPlanner::extendReads(ResourceKind kind, Subresource& s, gpu::AccessFlags access)
{
    if (s.barrier == kNoIndex || !canShareState(kind, s.state, access))
        return false;
    m_raw[s.barrier].after |= access;
    s.state |= access;
    return true;
}

void GraphPlanner::useSubresource(ResourceKind kind, const Touched& touched, std::uint32_t pass, gpu::AccessFlags access)
{
    Subresource& s = m_subresources[touched.subresource];
    const bool isRead = !access.intersects(gpu::kWriteAccesses);
    if (isRead && s.state.contains(access))
        return;
    if (!isRead || !extendReads(kind, s, access))
        changeState(touched, pass, access);
}

/// The state at the frame's end must be `final` exactly: it is what the next frame's barriers start from.
void GraphPlanner::leaveSubresource(ResourceKind kind, const Touched& touched, std::uint32_t pass, gpu::AccessFlags final)
{
    Subresource& s = m_subresources[touched.subresource];
    if (s.state == final || (final.contains(s.state) && extendReads(kind, s, final)))
        return;
    changeState(touched, pass, final);
}

void GraphPlanner::findBarriers(const GraphDescription& description, GraphPlan& plan)
{
    m_raw.clear();
    for (std::uint32_t r = 0; r < description.resources.size(); ++r)
        for (std::uint32_t s = 0; s < description.resources[r].subresourceCount(); ++s)
        {
            m_subresources[m_firstSubresource[r] + s] = {};
            m_subresources[m_firstSubresource[r] + s].state = description.resources[r].initial;
        }
    const auto passCount = static_cast<std::uint32_t>(description.passes.size());
    for (std::uint32_t p = 0; p < passCount; ++p)
    {
        if (plan.passes[p].cullReason != CullReason::None)
            continue;
        const PlanPass& pass = description.passes[p];
        m_touched.clear();
        for (std::uint32_t a = pass.firstAccess; a < pass.firstAccess + pass.accessCount; ++a)
            forEachSubresource(description, description.accesses[a],
                [&](Subresource& s, const Touched& touched)
                {
                    if (s.stamp != p + 1)
                    {
                        s.stamp = p + 1;
                        s.merged = {};
                        m_touched.push_back(touched);
                    }
                    s.merged |= description.accesses[a].access;
                });
        for (const Touched& touched : m_touched)
        {
            gpu::AccessFlags access = m_subresources[touched.subresource].merged;
            if (access.intersects(gpu::kWriteAccesses))
                access = access & gpu::kWriteAccesses; // StorageWrite reads as well
            useSubresource(description.resources[touched.resource].kind, touched, p, access);
        }
    }
    for (std::uint32_t r = 0; r < description.resources.size(); ++r)
    {
        const PlanResource& resource = description.resources[r];
        const bool isKept = resource.origin == ResourceOrigin::Imported || plan.resources[r].slot != kNoIndex;
        if (!resource.final || !isKept)
            continue;
        for (std::uint32_t layer = 0; layer < resource.layerCount(); ++layer)
            for (std::uint32_t mip = 0; mip < resource.mipCount; ++mip)
                leaveSubresource(
                    resource.kind, {m_firstSubresource[r] + layer * resource.mipCount + mip, r, layer, mip}, passCount, resource.final);
    }
}

void GraphPlanner::finishBarriers(const GraphDescription& description, GraphPlan& plan)
{
    const auto group = [](const RawBarrier& b) { return std::tie(b.pass, b.resource, b.before.bits, b.after.bits); };
    std::sort(m_raw.begin(), m_raw.end(), [&](const RawBarrier& a, const RawBarrier& b)
        { return std::tuple_cat(group(a), std::tie(a.layer, a.mip)) < std::tuple_cat(group(b), std::tie(b.layer, b.mip)); });
    const auto passCount = static_cast<std::uint32_t>(description.passes.size());
    std::size_t next = 0;
    for (std::uint32_t p = 0; p <= passCount; ++p)
    {
        const auto first = static_cast<std::uint32_t>(plan.barriers.size());
        while (next < m_raw.size() && m_raw[next].pass == p)
        {
            const std::size_t groupFirst = plan.barriers.size();
            const RawBarrier& head = m_raw[next];
            while (next < m_raw.size() && group(m_raw[next]) == group(head))
            {
                const RawBarrier& raw = m_raw[next++];
                std::uint32_t mipCount = 1;
                for (; next < m_raw.size() && group(m_raw[next]) == group(head) && m_raw[next].layer == raw.layer &&
                       m_raw[next].mip == raw.mip + mipCount;
                    ++next)
                    ++mipCount;
                const auto above = std::find_if(plan.barriers.begin() + static_cast<std::ptrdiff_t>(groupFirst), plan.barriers.end(),
                    [&](const PlanBarrier& b)
                    {
                        return b.range.baseMip == raw.mip && b.range.mipCount == mipCount &&
                               b.range.baseLayer + b.range.layerCount == raw.layer;
                    });
                if (above != plan.barriers.end())
                    ++above->range.layerCount;
                else
                    plan.barriers.push_back({raw.resource, {raw.mip, mipCount, raw.layer, 1}, raw.before, raw.after});
            }
        }
        const auto count = static_cast<std::uint32_t>(plan.barriers.size()) - first;
        if (p < passCount)
        {
            plan.passes[p].firstBarrier = first;
            plan.passes[p].barrierCount = count;
        }
        else
        {
            plan.firstFinalBarrier = first;
            plan.finalBarrierCount = count;
        }
    }
    for (const PlanBarrier& barrier : plan.barriers)
        ++(description.resources[barrier.resource].kind == ResourceKind::Texture ? plan.stats.textureBarrierCount
                                                                                 : plan.stats.bufferBarrierCount);
}

} // namespace dl::graph
