// tests/graph/random_graph.h - seeded valid graphs for the planner's property tests.
#pragma once

#include "drawloom/graph/plan.h"

#include <algorithm>
#include <random>
#include <vector>

namespace dl::graph::test
{

class RandomGraph
{
public:
    explicit RandomGraph(std::uint32_t seed) : m_random(seed) {}

    GraphDescription make()
    {
        GraphDescription graph;
        graph.isAliasing = chance(90) ? 1 : 0;
        const std::uint32_t resourceCount = 1 + below(9);
        for (std::uint32_t r = 0; r < resourceCount; ++r)
        {
            graph.resources.push_back(makeResource());
            m_written.emplace_back(graph.resources.back().subresourceCount(), graph.resources.back().initial ? 1 : 0);
        }
        const std::uint32_t passCount = 1 + below(24);
        for (std::uint32_t p = 0; p < passCount; ++p)
            addPass(graph);
        for (std::uint32_t r = 0; r < resourceCount; ++r)
        {
            PlanResource& resource = graph.resources[r];
            const bool isWritten = std::all_of(m_written[r].begin(), m_written[r].end(), [](std::uint8_t w) { return w != 0; });
            if (resource.origin == ResourceOrigin::Transient && isWritten && chance(15))
            {
                resource.flags |= ResourceFlag::Extracted;
                resource.final = randomState(resource.kind, false);
            }
        }
        return graph;
    }

    std::uint32_t below(std::uint32_t bound) { return static_cast<std::uint32_t>(m_random() % bound); }
    bool chance(std::uint32_t percent) { return below(100) < percent; }

private:
    using Access = gpu::Access;

    PlanResource makeResource()
    {
        PlanResource resource;
        resource.kind = chance(60) ? ResourceKind::Texture : ResourceKind::Buffer;
        if (resource.kind == ResourceKind::Texture)
        {
            resource.format = gpu::Format::RGBA8Unorm; // few descriptions, so that aliasing happens
            resource.mipCount = chance(50) ? 1 : 1 + below(4);
            resource.depthOrLayers = chance(60) ? 1 : 1 + below(3);
        }
        resource.bytes = resource.kind == ResourceKind::Texture ? 100 * resource.subresourceCount() : 64;
        if (chance(30))
        {
            resource.origin = ResourceOrigin::Imported;
            if (chance(80))
                resource.initial = randomState(resource.kind, chance(30));
            if (chance(70))
                resource.final = randomState(resource.kind, chance(20));
        }
        return resource;
    }

    gpu::AccessFlags randomState(ResourceKind kind, bool isWriting)
    {
        if (isWriting)
            return randomWrite(kind);
        if (kind == ResourceKind::Texture)
        {
            const gpu::AccessFlags reads[] = {Access::SampledRead, Access::SampledRead, Access::DepthRead, Access::CopyRead,
                Access::StorageRead, Access::DepthRead | Access::SampledRead};
            return reads[below(6)];
        }
        const Access reads[] = {
            Access::UniformRead, Access::StorageRead, Access::VertexRead, Access::IndexRead, Access::IndirectRead, Access::CopyRead};
        gpu::AccessFlags state = reads[below(6)];
        if (chance(30))
            state |= reads[below(6)];
        return state;
    }

    Access randomWrite(ResourceKind kind)
    {
        const Access writes[] = {Access::StorageWrite, Access::CopyWrite, Access::ColorWrite, Access::DepthWrite};
        return writes[below(kind == ResourceKind::Texture ? 4 : 2)];
    }

    SubresourceRange randomRange(const PlanResource& resource)
    {
        SubresourceRange range{0, resource.mipCount, 0, resource.layerCount()};
        if (chance(50))
        {
            range.baseMip = below(resource.mipCount);
            range.mipCount = 1 + below(resource.mipCount - range.baseMip);
            range.baseLayer = below(resource.layerCount());
            range.layerCount = 1 + below(resource.layerCount() - range.baseLayer);
        }
        return range;
    }

    void addPass(GraphDescription& graph)
    {
        PlanPass pass{.kind = PassKind::Compute, .firstAccess = static_cast<std::uint32_t>(graph.accesses.size())};
        if (chance(8))
            pass.flags = chance(50) ? PassFlag::NeverCull : PassFlag::SideEffects;
        auto taken = m_written; // ranges that this pass has used already
        for (auto& flags : taken)
            std::fill(flags.begin(), flags.end(), std::uint8_t(0));
        auto writtenAfter = m_written;
        for (std::uint32_t tries = 1 + below(5); tries > 0; --tries)
            addAccess(graph, taken, writtenAfter);
        m_written = writtenAfter;
        pass.accessCount = static_cast<std::uint32_t>(graph.accesses.size()) - pass.firstAccess;
        graph.passes.push_back(pass);
    }

    void addAccess(
        GraphDescription& graph, std::vector<std::vector<std::uint8_t>>& taken, std::vector<std::vector<std::uint8_t>>& writtenAfter)
    {
        const std::uint32_t r = below(static_cast<std::uint32_t>(graph.resources.size()));
        const PlanResource& resource = graph.resources[r];
        PlanAccess access{.resource = r, .range = randomRange(resource), .access = {}, .flags = {}};
        bool isFree = true;
        bool isWritten = true;
        const auto visit = [&](auto&& fn)
        {
            for (std::uint32_t l = access.range.baseLayer; l < access.range.baseLayer + access.range.layerCount; ++l)
                for (std::uint32_t m = access.range.baseMip; m < access.range.baseMip + access.range.mipCount; ++m)
                    fn(l * resource.mipCount + m);
        };
        visit(
            [&](std::uint32_t s)
            {
                isFree = isFree && taken[r][s] == 0;
                isWritten = isWritten && m_written[r][s] != 0;
            });
        if (!isFree)
            return;
        if (isWritten && chance(60))
            access.access = randomState(resource.kind, false);
        else
        {
            access.access = randomWrite(resource.kind);
            if (chance(50))
                access.flags = AccessFlag::Replaces;
            else if (isWritten && chance(50))
                access.flags = AccessFlag::NeedsContent;
            visit([&](std::uint32_t s) { writtenAfter[r][s] = 1; });
        }
        visit([&](std::uint32_t s) { taken[r][s] = 1; });
        graph.accesses.push_back(access);
    }

    std::mt19937 m_random;
    std::vector<std::vector<std::uint8_t>> m_written;
};

} // namespace dl::graph::test
