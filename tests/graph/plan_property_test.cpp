// The planner against the brute-force model on seeded random graphs: nothing missing, nothing superfluous.
#include "hazard_model.h"
#include "random_graph.h"

#include <gtest/gtest.h>

namespace dl::graph::test
{
namespace
{

constexpr std::uint32_t kGraphCount = 1000;

struct Occurrences
{
    std::uint32_t culled = 0, aliased = 0, joinedReads = 0, finals = 0, extracted = 0, discards = 0, ranges = 0, sameStateWrites = 0;
};

void count(const GraphDescription& graph, const GraphPlan& plan, Occurrences& seen)
{
    seen.culled += plan.stats.culledPassCount;
    seen.aliased += plan.stats.transientBytes < plan.stats.transientBytesWithoutAliasing ? 1 : 0;
    seen.finals += plan.finalBarrierCount;
    for (const PlanSlot& slot : plan.slots)
        seen.extracted += slot.isExtracted;
    for (const PlanBarrier& barrier : plan.barriers)
    {
        const std::uint32_t bits = barrier.after.bits;
        seen.joinedReads += (bits & (bits - 1)) != 0 ? 1 : 0;
        seen.ranges += barrier.range.mipCount < graph.resources[barrier.resource].mipCount ? 1 : 0;
        seen.sameStateWrites += barrier.before == barrier.after ? 1 : 0;
    }
    for (std::size_t a = 0; a < graph.accesses.size(); ++a)
        seen.discards += isWrite(graph.accesses[a].access) && plan.isContentNeeded[a] == 0 ? 1 : 0;
}

TEST(GraphPlanner, EveryReadSeesItsWriteAndNoBarrierIsMissingInRandomGraphs)
{
    GraphPlanner planner;
    GraphPlan plan;
    Occurrences seen;
    for (std::uint32_t seed = 0; seed < kGraphCount; ++seed)
    {
        const GraphDescription graph = RandomGraph(seed).make();
        planner.plan(graph, plan);
        ASSERT_FALSE(plan.hasError()) << "seed " << seed;
        HazardModel model(graph, plan);
        ASSERT_EQ(model.run(), "") << "seed " << seed;
        ASSERT_EQ(model.findUnusedAfter(), "") << "seed " << seed;
        count(graph, plan, seen);
    }
    for (const std::uint32_t occurrences :
        {seen.culled, seen.aliased, seen.joinedReads, seen.finals, seen.extracted, seen.discards, seen.ranges, seen.sameStateWrites})
        EXPECT_GE(occurrences, 50U);
}

TEST(GraphPlanner, LeavingOutAnyPartOfAnyBarrierIsAHazardInRandomGraphs)
{
    GraphPlanner planner;
    GraphPlan plan;
    std::uint32_t trialCount = 0;
    for (std::uint32_t seed = 0; seed < kGraphCount; ++seed)
    {
        const GraphDescription graph = RandomGraph(seed).make();
        planner.plan(graph, plan);
        for (std::uint32_t b = 0; b < plan.barriers.size(); ++b)
            visitRange(plan.barriers[b].range,
                [&](std::uint32_t layer, std::uint32_t mip)
                {
                    ++trialCount;
                    EXPECT_NE(HazardModel(graph, plan, {b, layer, mip}).run(), "")
                        << "seed " << seed << ", barrier " << b << " is superfluous for layer " << layer << ", mip " << mip << ": "
                        << gpu::toString(plan.barriers[b].before) << " -> " << gpu::toString(plan.barriers[b].after);
                });
        ASSERT_FALSE(HasFailure()) << "seed " << seed;
    }
    EXPECT_GT(trialCount, 10000U);
}

TEST(GraphPlanner, KeepsExactlyThePassesThatAnOutputDependsOnInRandomGraphs)
{
    GraphPlanner planner;
    GraphPlan plan;
    for (std::uint32_t seed = 0; seed < kGraphCount; ++seed)
    {
        const GraphDescription graph = RandomGraph(seed).make();
        planner.plan(graph, plan);
        const std::set<std::uint32_t> live = livePasses(graph);
        for (std::uint32_t p = 0; p < graph.passes.size(); ++p)
        {
            const PassPlan& pass = plan.passes[p];
            ASSERT_EQ(pass.cullReason == CullReason::None, live.count(p) == 1) << "seed " << seed << ", pass " << p;
            if (pass.cullReason == CullReason::ConsumersCulled)
            {
                ASSERT_LT(p, pass.culledBy) << "seed " << seed;
                ASSERT_EQ(live.count(pass.culledBy), 0U) << "seed " << seed;
            }
        }
    }
}

TEST(GraphPlanner, SharersOfAnObjectNeverLiveAtOnceInRandomGraphs)
{
    GraphPlanner planner;
    GraphPlan plan;
    for (std::uint32_t seed = 0; seed < kGraphCount; ++seed)
    {
        const GraphDescription graph = RandomGraph(seed).make();
        planner.plan(graph, plan);
        const std::set<std::uint32_t> live = livePasses(graph);
        std::map<std::uint32_t, std::map<std::uint32_t, std::uint32_t>> userAt; // slot -> pass -> resource
        std::map<std::uint32_t, std::pair<std::uint32_t, std::uint32_t>> lifetime;
        for (const std::uint32_t p : live)
            for (std::uint32_t a = 0; a < graph.passes[p].accessCount; ++a)
            {
                const std::uint32_t r = graph.accesses[graph.passes[p].firstAccess + a].resource;
                lifetime.try_emplace(r, p, p).first->second.second = p;
            }
        for (auto& [r, span] : lifetime)
        {
            const PlanResource& resource = graph.resources[r];
            if (resource.origin == ResourceOrigin::Imported)
                continue;
            if (resource.flags.contains(ResourceFlag::Extracted))
                span.second = static_cast<std::uint32_t>(graph.passes.size());
            ASSERT_NE(plan.resources[r].slot, kNoIndex) << "seed " << seed;
            ASSERT_TRUE(isSameObject(resource, graph.resources[plan.slots[plan.resources[r].slot].prototype])) << "seed " << seed;
            for (std::uint32_t p = span.first; p <= span.second; ++p)
                ASSERT_TRUE(userAt[plan.resources[r].slot].try_emplace(p, r).second) << "seed " << seed << ", slot shared at pass " << p;
        }
        for (std::uint32_t r = 0; r < graph.resources.size(); ++r)
            ASSERT_TRUE(lifetime.count(r) == 1 || plan.resources[r].slot == kNoIndex) << "seed " << seed << ": unused, but allocated";
    }
}

TEST(GraphPlanner, UsageBitsAreThoseOfKeptAccessesInRandomGraphs)
{
    GraphPlanner planner;
    GraphPlan plan;
    for (std::uint32_t seed = 0; seed < kGraphCount; ++seed)
    {
        const GraphDescription graph = RandomGraph(seed).make();
        planner.plan(graph, plan);
        std::map<std::uint32_t, std::uint32_t> bits;
        for (const std::uint32_t p : livePasses(graph))
            for (std::uint32_t a = 0; a < graph.passes[p].accessCount; ++a)
            {
                const PlanAccess& access = graph.accesses[graph.passes[p].firstAccess + a];
                const PlanResource& resource = graph.resources[access.resource];
                bits[access.resource] |= usageBitsOf(resource.kind, access.access) | usageBitsOf(resource.kind, resource.final);
            }
        for (std::uint32_t r = 0; r < graph.resources.size(); ++r)
            ASSERT_EQ(plan.resources[r].usageBits, bits[r]) << "seed " << seed << ", resource " << r;
    }
}

TEST(GraphPlanner, SameDescriptionGivesTheSamePlanFromAFreshAndAUsedPlanner)
{
    GraphPlanner used;
    GraphPlan first;
    for (std::uint32_t seed = 0; seed < 100; ++seed)
    {
        const GraphDescription graph = RandomGraph(seed).make();
        used.plan(graph, first);
        GraphPlanner fresh;
        GraphPlan second;
        fresh.plan(graph, second);
        ASSERT_EQ(first.barriers.size(), second.barriers.size()) << "seed " << seed;
        for (std::size_t b = 0; b < first.barriers.size(); ++b)
        {
            ASSERT_EQ(first.barriers[b].resource, second.barriers[b].resource);
            ASSERT_EQ(first.barriers[b].range, second.barriers[b].range);
            ASSERT_EQ(first.barriers[b].after, second.barriers[b].after);
        }
        ASSERT_EQ(first.isContentNeeded, second.isContentNeeded);
        ASSERT_EQ(first.stats.transientBytes, second.stats.transientBytes);
    }
}

} // namespace
} // namespace dl::graph::test
