// tests/graph/hazard_model.h - a slow, independent model of what a planned frame does to memory, by gpu/barrier_model.h.
// It plays the declared graph on memory of its own per resource (what the author meant) and the plan on shared objects
// with left-over state (what the GPU does), and says where they differ.
#pragma once

#include "drawloom/gpu/barrier_model.h"
#include "drawloom/graph/plan.h"

#include <map>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace dl::graph::test
{

using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>; // resource or object, layer, mip

template <class F> void visitRange(const SubresourceRange& range, F&& fn)
{
    for (std::uint32_t layer = range.baseLayer; layer < range.baseLayer + range.layerCount; ++layer)
        for (std::uint32_t mip = range.baseMip; mip < range.baseMip + range.mipCount; ++mip)
            fn(layer, mip);
}

inline bool isWrite(gpu::AccessFlags access)
{
    return access.intersects(gpu::kWriteAccesses);
}

inline std::uint64_t mix(std::uint64_t a, std::uint64_t b)
{
    return (a ^ (b + 0x9E3779B97F4A7C15ULL)) * 0xBF58476D1CE4E5B9ULL + 1;
}

/// The passes that some output depends on, by reachability over reads and partial writes.
inline std::set<std::uint32_t> livePasses(const GraphDescription& graph)
{
    std::vector<std::set<std::uint32_t>> needs(graph.passes.size());
    std::map<Key, std::uint32_t> writer;
    std::vector<std::uint32_t> open;
    for (std::uint32_t p = 0; p < graph.passes.size(); ++p)
    {
        const PlanPass& pass = graph.passes[p];
        for (int step = 0; step < 2; ++step) // reads see the writers before this pass
            for (std::uint32_t a = pass.firstAccess; a < pass.firstAccess + pass.accessCount; ++a)
                visitRange(graph.accesses[a].range,
                    [&](std::uint32_t layer, std::uint32_t mip)
                    {
                        const PlanAccess& access = graph.accesses[a];
                        const Key key{access.resource, layer, mip};
                        if (step == 0 && !access.flags.contains(AccessFlag::Replaces) && writer.count(key) != 0)
                            needs[p].insert(writer[key]);
                        if (step == 1 && isWrite(access.access))
                            writer[key] = p;
                    });
        if (pass.flags)
            open.push_back(p);
    }
    for (const auto& [key, pass] : writer)
    {
        const PlanResource& resource = graph.resources[std::get<0>(key)];
        if (resource.origin == ResourceOrigin::Imported || resource.flags.contains(ResourceFlag::Extracted))
            open.push_back(pass);
    }
    std::set<std::uint32_t> live;
    while (!open.empty())
    {
        const std::uint32_t pass = open.back();
        open.pop_back();
        if (live.insert(pass).second)
            open.insert(open.end(), needs[pass].begin(), needs[pass].end());
    }
    return live;
}

/// Leaves out one subresource of one barrier.
struct Omission
{
    std::uint32_t barrier = kNoIndex, layer = 0, mip = 0;
};

class HazardModel
{
public:
    HazardModel(const GraphDescription& graph, const GraphPlan& plan, Omission omission = {})
        : m_graph(graph), m_plan(plan), m_omission(omission)
    {
    }

    /// Empty: every read saw the right write and no rule was broken.
    std::string run()
    {
        for (std::uint32_t r = 0; r < m_graph.resources.size(); ++r)
            if (m_graph.resources[r].origin == ResourceOrigin::Imported)
                visitAll(r,
                    [&](std::uint32_t layer, std::uint32_t mip)
                    {
                        const std::uint64_t content = m_graph.resources[r].initial ? mix(r, 77) : 0;
                        m_meant[{r, layer, mip}] = content;
                        Cell& cell = m_cells[object(r, layer, mip)];
                        cell.state = m_graph.resources[r].initial;
                        cell.isUnknown = !cell.state;
                        cell.content = content;
                        if (isWrite(cell.state))
                            cell.writtenBy = kNoIndex - 1; // before the frame
                    });
        for (std::uint32_t p = 0; p < m_graph.passes.size(); ++p)
        {
            const PassPlan& pass = m_plan.passes[p];
            if (pass.cullReason == CullReason::None)
            {
                barriers(pass.firstBarrier, pass.barrierCount);
                play(p);
            }
            mean(p);
        }
        barriers(m_plan.firstFinalBarrier, m_plan.finalBarrierCount);
        checkEnd();
        return m_error;
    }

    /// Barriers whose `after` names an access that nobody makes use of.
    std::string findUnusedAfter() const
    {
        for (const auto& [key, cell] : m_cells)
            if (!cell.seen.contains(cell.announced))
                return "an announced access is never used";
        return m_unused;
    }

private:
    struct Cell
    {
        gpu::AccessFlags state, announced, seen;
        bool isUnknown = true; ///< left over from another frame: some use nobody here knows
        std::uint32_t writtenBy = kNoIndex;
        std::uint64_t content = 0xDEAD;
    };

    Key object(std::uint32_t r, std::uint32_t layer, std::uint32_t mip) const
    {
        const std::uint32_t slot = m_plan.resources[r].slot;
        return {slot == kNoIndex ? 1000 + r : slot, layer, mip};
    }
    template <class F> void visitAll(std::uint32_t r, F&& fn) const
    {
        visitRange({0, m_graph.resources[r].mipCount, 0, m_graph.resources[r].layerCount()}, fn);
    }
    void fail(std::string text)
    {
        if (m_error.empty())
            m_error = std::move(text);
    }

    void barriers(std::uint32_t first, std::uint32_t count)
    {
        std::set<Key> touched;
        for (std::uint32_t b = first; b < first + count; ++b)
            visitRange(m_plan.barriers[b].range,
                [&](std::uint32_t layer, std::uint32_t mip)
                {
                    const PlanBarrier& barrier = m_plan.barriers[b];
                    if (m_omission.barrier == b && m_omission.layer == layer && m_omission.mip == mip)
                        return;
                    const Key key = object(barrier.resource, layer, mip);
                    if (!touched.insert(key).second)
                        fail("two barriers of one step overlap");
                    Cell& cell = m_cells[key];
                    if (barrier.before && (cell.isUnknown || barrier.before != cell.state))
                        fail("before is not the state");
                    if (!barrier.before)
                        cell.content = 0;
                    if (!isWrite(barrier.after) && barrier.after == cell.state && !cell.isUnknown)
                        fail("barrier from a read state to itself");
                    const ResourceKind kind = m_graph.resources[barrier.resource].kind;
                    const bool isFinal = b >= m_plan.firstFinalBarrier; // has to leave an exact state
                    if (!isFinal && cell.announced && canShareState(kind, cell.announced, barrier.after))
                        fail("the barrier before could have announced these reads");
                    if (!cell.seen.contains(cell.announced))
                        m_unused = "an announced access is never used";
                    cell.state = cell.announced = barrier.after;
                    cell.seen = {};
                    cell.isUnknown = false;
                    cell.writtenBy = kNoIndex;
                });
    }

    void play(std::uint32_t p)
    {
        forAccesses(p, false,
            [&](const PlanAccess& access, std::uint32_t layer, std::uint32_t mip, std::uint32_t)
            {
                Cell& cell = m_cells[object(access.resource, layer, mip)];
                if (cell.isUnknown || !cell.state.contains(access.access))
                    fail("pass " + std::to_string(p) + " uses resource " + std::to_string(access.resource) + " outside of its state");
                cell.seen |= access.access;
                const bool reads = !isWrite(access.access) || access.flags.contains(AccessFlag::NeedsContent);
                if (reads && cell.content != m_meant[{access.resource, layer, mip}])
                    fail("pass " + std::to_string(p) + " reads other content than meant");
            });
        forAccesses(p, true,
            [&](const PlanAccess& access, std::uint32_t layer, std::uint32_t mip, std::uint32_t a)
            {
                Cell& cell = m_cells[object(access.resource, layer, mip)];
                if (cell.writtenBy != kNoIndex)
                    fail("pass " + std::to_string(p) + " writes after another write without a barrier");
                cell.writtenBy = p;
                cell.content = access.flags.contains(AccessFlag::Replaces) ? mix(0, p) : mix(cell.content, p);
                if (m_plan.isContentNeeded[a] == 0)
                    cell.content = 0;
            });
    }

    void mean(std::uint32_t p)
    {
        forAccesses(p, true,
            [&](const PlanAccess& access, std::uint32_t layer, std::uint32_t mip, std::uint32_t)
            {
                std::uint64_t& content = m_meant[{access.resource, layer, mip}];
                content = access.flags.contains(AccessFlag::Replaces) ? mix(0, p) : mix(content, p);
            });
    }

    template <class F> void forAccesses(std::uint32_t p, bool isWriting, F&& fn)
    {
        const PlanPass& pass = m_graph.passes[p];
        for (std::uint32_t a = pass.firstAccess; a < pass.firstAccess + pass.accessCount; ++a)
            if (const PlanAccess& access = m_graph.accesses[a]; !isWriting || isWrite(access.access))
                visitRange(access.range, [&](std::uint32_t layer, std::uint32_t mip) { fn(access, layer, mip, a); });
    }

    void checkEnd()
    {
        for (std::uint32_t r = 0; r < m_graph.resources.size(); ++r)
        {
            const PlanResource& resource = m_graph.resources[r];
            const bool isKept = resource.origin == ResourceOrigin::Imported || resource.flags.contains(ResourceFlag::Extracted);
            if (!isKept)
                continue;
            visitAll(r,
                [&](std::uint32_t layer, std::uint32_t mip)
                {
                    Cell& cell = m_cells[object(r, layer, mip)];
                    if (resource.final && (cell.isUnknown || cell.state != resource.final))
                        fail("resource " + std::to_string(r) + " is not left as asked");
                    cell.seen |= resource.final;
                    if (cell.content != m_meant[{r, layer, mip}])
                        fail("resource " + std::to_string(r) + " ends with other content than meant");
                });
        }
    }

    const GraphDescription& m_graph;
    const GraphPlan& m_plan;
    Omission m_omission;
    std::map<Key, std::uint64_t> m_meant;
    std::map<Key, Cell> m_cells;
    std::string m_error, m_unused;
};

} // namespace dl::graph::test
