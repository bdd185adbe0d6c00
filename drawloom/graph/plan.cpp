#include "drawloom/graph/plan.h"

#include "drawloom/core/hash.h"
#include "drawloom/gpu/barrier_model.h"

#include <algorithm>
#include <span>
#include <tuple>

namespace dl::graph
{

namespace
{

using gpu::Access;
using gpu::AccessFlags;

constexpr AccessFlags kTextureAccesses =
    Access::SampledRead | Access::CopyRead | Access::StorageRead | Access::DepthRead | gpu::kWriteAccesses;
constexpr AccessFlags kBufferAccesses = gpu::kBufferReadAccesses | Access::StorageWrite | Access::CopyWrite;

bool isWrite(AccessFlags access)
{
    return gpu::isWriteState(access);
}

bool isConsistent(ResourceKind kind, AccessFlags access)
{
    return kind == ResourceKind::Texture ? gpu::isLegalTextureState(access) : gpu::isLegalBufferState(access);
}

bool isLegal(ResourceKind kind, AccessFlags access)
{
    return (kind == ResourceKind::Texture ? kTextureAccesses : kBufferAccesses).contains(access);
}

bool isInside(std::uint32_t base, std::uint32_t count, std::uint32_t total)
{
    return count > 0 && base < total && count <= total - base;
}

template <class T> std::uint64_t hashVector(const std::vector<T>& values, std::uint64_t seed)
{
    return hashCombine(hashBytes(std::as_bytes(std::span<const T>(values)), seed), values.size());
}

bool needsContent(const PlanResource& resource)
{
    // What the caller imports with an unknown state has no content either.
    return resource.origin == ResourceOrigin::Transient || !resource.initial;
}

bool outlivesFrame(const PlanResource& resource)
{
    return resource.origin == ResourceOrigin::Imported || resource.flags.contains(ResourceFlag::Extracted);
}

} // namespace

bool isSameObject(const PlanResource& a, const PlanResource& b)
{
    const auto key = [](const PlanResource& r)
    { return std::tie(r.kind, r.bytes, r.format, r.dimension, r.width, r.height, r.depthOrLayers, r.mipCount, r.sampleCount); };
    return key(a) == key(b);
}

bool canShareState(ResourceKind kind, AccessFlags a, AccessFlags b)
{
    const AccessFlags both = a | b;
    return both && !isWrite(both) && isConsistent(kind, both);
}

std::uint32_t usageBitsOf(ResourceKind kind, AccessFlags access)
{
    std::uint32_t bits = 0;
    const auto add = [&](AccessFlags any, auto usage)
    {
        if (access.intersects(any))
            bits |= static_cast<std::uint32_t>(usage);
    };
    if (kind == ResourceKind::Texture)
    {
        using U = gpu::TextureUsage;
        add(Access::CopyRead, U::CopySrc);
        add(Access::CopyWrite, U::CopyDst);
        add(Access::SampledRead, U::Sampled);
        add(Access::StorageRead | Access::StorageWrite, U::Storage);
        add(Access::ColorWrite, U::ColorAttachment);
        add(Access::DepthRead | Access::DepthWrite, U::DepthAttachment);
        return bits;
    }
    using U = gpu::BufferUsage;
    add(Access::CopyRead, U::CopySrc);
    add(Access::CopyWrite, U::CopyDst);
    add(Access::VertexRead, U::Vertex);
    add(Access::IndexRead, U::Index);
    add(Access::UniformRead, U::Uniform);
    add(Access::StorageRead | Access::StorageWrite, U::Storage);
    add(Access::IndirectRead, U::Indirect);
    return bits;
}

void GraphDescription::clear()
{
    resources.clear();
    passes.clear();
    accesses.clear();
}

std::uint64_t GraphDescription::hash() const
{
    return hashVector(accesses, hashVector(passes, hashVector(resources, isAliasing)));
}

bool GraphPlan::hasError() const
{
    return std::any_of(issues.begin(), issues.end(), [](const PlanIssue& issue) { return isError(issue.code); });
}

void GraphPlan::clear()
{
    issues.clear();
    passes.clear();
    barriers.clear();
    isContentNeeded.clear();
    resources.clear();
    slots.clear();
    firstFinalBarrier = finalBarrierCount = 0;
    stats = {};
}

void GraphPlanner::plan(const GraphDescription& description, GraphPlan& plan)
{
    plan.clear();
    checkAccesses(description, plan);
    if (plan.hasError())
        return;
    m_firstSubresource.clear();
    std::uint32_t subresourceCount = 0;
    for (const PlanResource& resource : description.resources)
    {
        m_firstSubresource.push_back(subresourceCount);
        subresourceCount += resource.subresourceCount();
    }
    m_subresources.assign(subresourceCount, {});
    checkContent(description, plan);
    if (plan.hasError())
        return;
    cull(description, plan);
    findLifetimes(description, plan);
    assignSlots(description, plan);
    findBarriers(description, plan);
    finishBarriers(description, plan);
}

void GraphPlanner::checkAccesses(const GraphDescription& description, GraphPlan& plan) const
{
    for (std::uint32_t r = 0; r < description.resources.size(); ++r)
    {
        const PlanResource& resource = description.resources[r];
        for (const AccessFlags state : {resource.initial, resource.final})
            if (state && (!isLegal(resource.kind, state) || !isConsistent(resource.kind, state)))
                plan.issues.push_back({.code = IssueCode::BadAccess, .resource = r, .first = state});
    }
    for (std::uint32_t p = 0; p < description.passes.size(); ++p)
    {
        const PlanPass& pass = description.passes[p];
        for (std::uint32_t a = pass.firstAccess; a < pass.firstAccess + pass.accessCount; ++a)
        {
            const PlanAccess& access = description.accesses[a];
            if (access.resource >= description.resources.size())
            {
                plan.issues.push_back({.code = IssueCode::BadRange, .pass = p});
                continue;
            }
            const PlanResource& resource = description.resources[access.resource];
            if (!isInside(access.range.baseMip, access.range.mipCount, resource.mipCount) ||
                !isInside(access.range.baseLayer, access.range.layerCount, resource.layerCount()))
                plan.issues.push_back({.code = IssueCode::BadRange, .pass = p, .resource = access.resource});
            else if (!access.access || !isLegal(resource.kind, access.access))
                plan.issues.push_back({.code = IssueCode::BadAccess, .pass = p, .resource = access.resource, .first = access.access});
            else if (!isConsistent(resource.kind, access.access))
                plan.issues.push_back({.code = IssueCode::ConflictingAccess,
                    .pass = p,
                    .resource = access.resource,
                    .mip = access.range.baseMip,
                    .layer = access.range.baseLayer,
                    .first = access.access,
                    .second = access.access});
        }
    }
}

/// Walks the passes as declared: content before reads, one way of use per pass and range, outputs, unused resources.
void GraphPlanner::checkContent(const GraphDescription& description, GraphPlan& plan)
{
    m_isUsed.assign(description.resources.size(), 0);
    for (std::uint32_t p = 0; p < description.passes.size(); ++p)
    {
        const PlanPass& pass = description.passes[p];
        const std::span accesses(description.accesses.data() + pass.firstAccess, pass.accessCount);
        for (const PlanAccess& access : accesses)
        {
            m_isUsed[access.resource] = 1;
            const PlanResource& resource = description.resources[access.resource];
            const bool reads = !isWrite(access.access) || access.flags.contains(AccessFlag::NeedsContent);
            bool isReported = false;
            forEachSubresource(description, access,
                [&](Subresource& s, const Touched& t)
                {
                    if (!isReported && reads && !s.isWritten && needsContent(resource))
                    {
                        plan.issues.push_back({IssueCode::ReadNeverWritten, p, t.resource, t.mip, t.layer, access.access, {}});
                        isReported = true;
                    }
                    if (s.stamp != p + 1)
                    {
                        s.stamp = p + 1;
                        s.merged = access.access;
                        return;
                    }
                    const AccessFlags both = s.merged | access.access;
                    const bool isStorage =
                        both.contains(Access::StorageWrite) && (Access::StorageRead | Access::StorageWrite).contains(both);
                    const bool isRepeatedCopy = both == AccessFlags(Access::CopyWrite);
                    if (!isStorage && !isRepeatedCopy && !canShareState(resource.kind, s.merged, access.access) && !isReported)
                    {
                        plan.issues.push_back({IssueCode::ConflictingAccess, p, t.resource, t.mip, t.layer, s.merged, access.access});
                        isReported = true;
                    }
                    s.merged = both;
                });
        }
        bool hasOutput = bool(pass.flags);
        for (const PlanAccess& access : accesses)
            if (isWrite(access.access))
            {
                hasOutput = true;
                forEachSubresource(description, access, [](Subresource& s, const Touched&) { s.isWritten = true; });
            }
        if (!hasOutput)
            plan.issues.push_back({.code = IssueCode::PassWithoutOutput, .pass = p});
    }
    for (std::uint32_t r = 0; r < description.resources.size(); ++r)
    {
        const PlanResource& resource = description.resources[r];
        const auto first = m_subresources.begin() + m_firstSubresource[r];
        if (resource.flags.contains(ResourceFlag::Extracted) &&
            !std::all_of(first, first + resource.subresourceCount(), [](const Subresource& s) { return s.isWritten; }))
            plan.issues.push_back({.code = IssueCode::ReadNeverWritten, .resource = r});
        else if (m_isUsed[r] == 0)
            plan.issues.push_back({.code = IssueCode::UnusedResource, .resource = r});
    }
}

/// Backwards over the passes, with the set of ranges whose content somebody still needs; then forwards for the reasons.
void GraphPlanner::cull(const GraphDescription& description, GraphPlan& plan)
{
    for (std::uint32_t r = 0; r < description.resources.size(); ++r)
        for (std::uint32_t s = 0; s < description.resources[r].subresourceCount(); ++s)
            m_subresources[m_firstSubresource[r] + s].isNeeded = outlivesFrame(description.resources[r]);
    plan.passes.assign(description.passes.size(), {});
    plan.isContentNeeded.assign(description.accesses.size(), 0);
    for (std::size_t p = description.passes.size(); p-- > 0;)
    {
        const PlanPass& pass = description.passes[p];
        const std::uint32_t end = pass.firstAccess + pass.accessCount;
        bool isLive = bool(pass.flags);
        bool hasOutput = false;
        for (std::uint32_t a = pass.firstAccess; a < end; ++a)
        {
            const PlanAccess& access = description.accesses[a];
            bool isNeeded = false;
            forEachSubresource(description, access, [&](const Subresource& s, const Touched&) { isNeeded |= s.isNeeded; });
            plan.isContentNeeded[a] = isNeeded ? 1 : 0;
            hasOutput |= isWrite(access.access);
            isLive |= isWrite(access.access) && isNeeded;
        }
        if (!isLive)
        {
            plan.passes[p].cullReason = hasOutput ? CullReason::NeverRead : CullReason::NoOutput;
            ++plan.stats.culledPassCount;
            continue;
        }
        for (std::uint32_t a = pass.firstAccess; a < end; ++a)
            if (description.accesses[a].flags.contains(AccessFlag::Replaces))
                forEachSubresource(description, description.accesses[a], [](Subresource& s, const Touched&) { s.isNeeded = false; });
        for (std::uint32_t a = pass.firstAccess; a < end; ++a)
            if (!description.accesses[a].flags.contains(AccessFlag::Replaces))
                forEachSubresource(description, description.accesses[a], [](Subresource& s, const Touched&) { s.isNeeded = true; });
    }
    for (std::uint32_t p = 0; p < description.passes.size(); ++p)
    {
        const PlanPass& pass = description.passes[p];
        const std::span accesses(description.accesses.data() + pass.firstAccess, pass.accessCount);
        for (const PlanAccess& access : accesses)
            if (!access.flags.contains(AccessFlag::Replaces))
                forEachSubresource(description, access,
                    [&](const Subresource& s, const Touched&)
                    {
                        if (s.writer == kNoIndex || plan.passes[s.writer].cullReason != CullReason::NeverRead)
                            return;
                        plan.passes[s.writer].cullReason = CullReason::ConsumersCulled;
                        plan.passes[s.writer].culledBy = p;
                    });
        for (const PlanAccess& access : accesses)
            if (isWrite(access.access))
                forEachSubresource(description, access, [&](Subresource& s, const Touched&) { s.writer = p; });
    }
}

void GraphPlanner::findLifetimes(const GraphDescription& description, GraphPlan& plan) const
{
    plan.resources.assign(description.resources.size(), {});
    for (std::uint32_t p = 0; p < description.passes.size(); ++p)
    {
        if (plan.passes[p].cullReason != CullReason::None)
            continue;
        const PlanPass& pass = description.passes[p];
        for (std::uint32_t a = pass.firstAccess; a < pass.firstAccess + pass.accessCount; ++a)
        {
            const PlanAccess& access = description.accesses[a];
            ResourcePlan& resource = plan.resources[access.resource];
            if (resource.firstPass == kNoIndex)
                resource.firstPass = p;
            resource.lastPass = p;
            resource.usageBits |= usageBitsOf(description.resources[access.resource].kind, access.access);
        }
    }
    for (std::uint32_t r = 0; r < description.resources.size(); ++r)
        if (plan.resources[r].firstPass != kNoIndex)
        {
            const PlanResource& resource = description.resources[r];
            plan.resources[r].usageBits |= resource.extraUsageBits | usageBitsOf(resource.kind, resource.final);
            if (resource.flags.contains(ResourceFlag::Extracted))
                plan.resources[r].lastPass = static_cast<std::uint32_t>(description.passes.size());
        }
}

/// Greedy in order of first use: the first slot of the same description whose last user is done.
void GraphPlanner::assignSlots(const GraphDescription& description, GraphPlan& plan)
{
    m_order.clear();
    m_slotLastPass.clear();
    for (std::uint32_t r = 0; r < description.resources.size(); ++r)
        if (description.resources[r].origin == ResourceOrigin::Transient && plan.resources[r].firstPass != kNoIndex)
            m_order.push_back(r);
    std::sort(m_order.begin(), m_order.end(), [&](std::uint32_t a, std::uint32_t b)
        { return std::tie(plan.resources[a].firstPass, a) < std::tie(plan.resources[b].firstPass, b); });
    for (const std::uint32_t r : m_order)
    {
        const PlanResource& resource = description.resources[r];
        ResourcePlan& resourcePlan = plan.resources[r];
        std::uint32_t slot = description.isAliasing != 0 ? 0 : static_cast<std::uint32_t>(plan.slots.size());
        while (slot < plan.slots.size() && (m_slotLastPass[slot] >= resourcePlan.firstPass ||
                                               !isSameObject(description.resources[plan.slots[slot].prototype], resource)))
            ++slot;
        if (slot == plan.slots.size())
        {
            plan.slots.push_back({.prototype = r});
            m_slotLastPass.push_back(0);
            plan.stats.transientBytes += resource.bytes;
        }
        plan.stats.transientBytesWithoutAliasing += resource.bytes;
        plan.slots[slot].usageBits |= resourcePlan.usageBits;
        plan.slots[slot].isExtracted |= resource.flags.contains(ResourceFlag::Extracted) ? 1U : 0U;
        m_slotLastPass[slot] = resourcePlan.lastPass;
        resourcePlan.slot = slot;
    }
}

} // namespace dl::graph
