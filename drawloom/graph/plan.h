// drawloom/graph/plan.h - the render graph's planner: plain arrays in, plain arrays out, no GPU and no names. RenderGraph
// fills the description and applies the plan; tests and tools call the planner directly.
#pragma once

#include "drawloom/gpu/types.h"

#include <cstdint>
#include <type_traits>
#include <vector>

namespace dl::graph
{

constexpr std::uint32_t kAllRemaining = UINT32_MAX; ///< count of a range: to the last mip or layer
constexpr std::uint32_t kNoIndex = UINT32_MAX;

/// Mips and layers of one texture. Buffers and the depth slices of 3D textures have one subresource (layer 0).
struct SubresourceRange
{
    std::uint32_t baseMip = 0, mipCount = kAllRemaining;
    std::uint32_t baseLayer = 0, layerCount = kAllRemaining;
    friend bool operator==(const SubresourceRange&, const SubresourceRange&) = default;

    static constexpr SubresourceRange mip(std::uint32_t mip) { return {.baseMip = mip, .mipCount = 1}; }
    static constexpr SubresourceRange one(std::uint32_t mip, std::uint32_t layer) { return {mip, 1, layer, 1}; }
};

enum class ResourceKind : std::uint8_t
{
    Texture,
    Buffer
};
enum class ResourceOrigin : std::uint8_t
{
    Transient, ///< made by the graph, content undefined at frame start
    Imported,  ///< the caller's, content valid at frame start, kept at its end
};
enum class PassKind : std::uint32_t
{
    Raster,
    Compute,
    Copy ///< copies, clears, writes, query resolves: commands outside of passes
};
enum class PassFlag : std::uint32_t
{
    NeverCull = 1,   ///< kept for debugging
    SideEffects = 2, ///< does something that no resource of the graph shows (readback, timing)
};
enum class AccessFlag : std::uint32_t
{
    Replaces = 1,     ///< write only: earlier content of the whole range is not needed (a clear)
    NeedsContent = 2, ///< write only: the range must have been written before (a loaded attachment)
};
enum class ResourceFlag : std::uint32_t
{
    Extracted = 1 ///< transient whose content outlives the frame
};

struct PlanResource
{
    std::uint64_t bytes = 0; ///< of memory, for the statistics; buffers: their size
    ResourceKind kind = ResourceKind::Texture;
    ResourceOrigin origin = ResourceOrigin::Transient;
    gpu::Format format = gpu::Format::None;
    gpu::TextureDimension dimension = gpu::TextureDimension::D2;
    std::uint32_t width = 1, height = 1, depthOrLayers = 1, mipCount = 1, sampleCount = 1;
    std::uint32_t extraUsageBits = 0; ///< TextureUsage or BufferUsage besides those that the accesses imply
    gpu::AccessFlags initial;         ///< imported: how it was used last
    gpu::AccessFlags final;           ///< imported, extracted: how it is left; None: as the last pass used it
    gpu::Flags<ResourceFlag> flags;
    friend bool operator==(const PlanResource&, const PlanResource&) = default;

    std::uint32_t layerCount() const { return dimension == gpu::TextureDimension::D3 ? 1 : depthOrLayers; }
    std::uint32_t subresourceCount() const { return layerCount() * mipCount; }
};

/// One declared use. `range` is resolved: no kAllRemaining.
struct PlanAccess
{
    std::uint32_t resource = 0;
    SubresourceRange range;
    gpu::AccessFlags access;
    gpu::Flags<AccessFlag> flags;
    friend bool operator==(const PlanAccess&, const PlanAccess&) = default;
};

struct PlanPass
{
    PassKind kind = PassKind::Raster;
    gpu::Flags<PassFlag> flags;
    std::uint32_t firstAccess = 0, accessCount = 0;
    friend bool operator==(const PlanPass&, const PlanPass&) = default;
};

static_assert(std::has_unique_object_representations_v<PlanResource> && std::has_unique_object_representations_v<PlanAccess> &&
              std::has_unique_object_representations_v<PlanPass>); // hashed and compared as bytes

/// Passes in declared order; each pass's accesses are contiguous.
struct GraphDescription
{
    std::vector<PlanResource> resources;
    std::vector<PlanPass> passes;
    std::vector<PlanAccess> accesses;
    std::uint32_t isAliasing = 1; ///< 0: every transient gets its own object
    friend bool operator==(const GraphDescription&, const GraphDescription&) = default;
    void clear();
    std::uint64_t hash() const;
};

enum class IssueCode : std::uint32_t
{
    ReadNeverWritten,  ///< error: a pass reads a transient range that no earlier pass wrote
    ConflictingAccess, ///< error: one pass uses one range in two ways that exclude each other
    BadRange,          ///< error: mips, layers or an index outside of the resource
    BadAccess,         ///< error: None, or an access that this kind of resource can not have
    PassWithoutOutput, ///< warning: writes nothing and is not flagged
    UnusedResource,    ///< warning: no pass uses it
};
constexpr bool isError(IssueCode code)
{
    return code < IssueCode::PassWithoutOutput;
}

struct PlanIssue
{
    IssueCode code = IssueCode::BadRange;
    std::uint32_t pass = kNoIndex, resource = kNoIndex;
    std::uint32_t mip = 0, layer = 0;
    gpu::AccessFlags first = {}, second = {}; ///< the accesses in question
};

enum class CullReason : std::uint32_t
{
    None,            ///< not culled
    NoOutput,        ///< it writes nothing
    NeverRead,       ///< nobody reads what it writes
    ConsumersCulled, ///< only culled passes read what it writes; `culledBy` is the first of them
};

struct PassPlan
{
    CullReason cullReason = CullReason::None;
    std::uint32_t culledBy = kNoIndex;
    std::uint32_t firstBarrier = 0, barrierCount = 0; ///< in GraphPlan::barriers, to be done before the pass
};

/// Like gpu::TextureBarrier, by resource index. A transient starts with before = None: the barrier waits for whatever used
/// its object last (another transient, an earlier frame) and discards that content.
struct PlanBarrier
{
    std::uint32_t resource = 0;
    SubresourceRange range;
    gpu::AccessFlags before, after;
};

/// An object that one or, with disjoint lifetimes, several transients share.
struct PlanSlot
{
    std::uint32_t prototype = 0; ///< resource that has the description
    std::uint32_t usageBits = 0; ///< of all that share it
    std::uint32_t isExtracted = 0;
};

struct ResourcePlan
{
    std::uint32_t slot = kNoIndex;                           ///< none for imported and for unused ones
    std::uint32_t usageBits = 0;                             ///< from the accesses of passes that are kept
    std::uint32_t firstPass = kNoIndex, lastPass = kNoIndex; ///< lifetime: indices of passes that are kept
};

struct PlanStats
{
    std::uint64_t transientBytes = 0, transientBytesWithoutAliasing = 0;
    std::uint32_t culledPassCount = 0, textureBarrierCount = 0, bufferBarrierCount = 0;
};

struct GraphPlan
{
    std::vector<PlanIssue> issues; ///< with an error in it, the rest is empty
    std::vector<PassPlan> passes;
    std::vector<PlanBarrier> barriers; ///< by pass; the last finalBarrierCount ones come after the last pass
    std::uint32_t firstFinalBarrier = 0, finalBarrierCount = 0;
    std::vector<std::uint8_t> isContentNeeded; ///< by access: someone uses the content afterwards (StoreOp)
    std::vector<ResourcePlan> resources;
    std::vector<PlanSlot> slots;
    PlanStats stats;

    bool hasError() const;
    void clear();
};

/// Keeps its working memory, so that planning a graph of a size seen before allocates nothing. Pure: the same
/// description gives the same plan. Passes keep their declared order (handles only name what was declared before, so that
/// order is topological). Cost: linear in accesses x subresources, plus a sort of the barriers.
///
/// Barriers are exact by gpu/barrier_model.h: a pass gets one for each subresource whose state does not contain its access
/// or is a write, and no other. Reads that can share a state (all of buffers; sampled and read-only depth of textures) are
/// made ready by one barrier before the first of them; a texture's change between other reads is a change of layout.
class GraphPlanner
{
public:
    void plan(const GraphDescription& description, GraphPlan& plan);

private:
    struct RawBarrier
    {
        std::uint32_t pass = 0, resource = 0;
        gpu::AccessFlags before, after;
        std::uint32_t layer = 0, mip = 0;
    };
    struct Subresource
    {
        gpu::AccessFlags state, merged;
        std::uint32_t barrier = kNoIndex, stamp = 0, writer = kNoIndex;
        bool isNeeded = false, isWritten = false;
    };
    struct Touched
    {
        std::uint32_t subresource = 0, resource = 0, layer = 0, mip = 0;
    };

    void checkAccesses(const GraphDescription& description, GraphPlan& plan) const;
    void checkContent(const GraphDescription& description, GraphPlan& plan);
    void cull(const GraphDescription& description, GraphPlan& plan);
    void findLifetimes(const GraphDescription& description, GraphPlan& plan) const;
    void assignSlots(const GraphDescription& description, GraphPlan& plan);
    void findBarriers(const GraphDescription& description, GraphPlan& plan);
    void useSubresource(ResourceKind kind, const Touched& touched, std::uint32_t pass, gpu::AccessFlags access);
    void leaveSubresource(ResourceKind kind, const Touched& touched, std::uint32_t pass, gpu::AccessFlags final);
    bool extendReads(ResourceKind kind, Subresource& subresource, gpu::AccessFlags access);
    void changeState(const Touched& touched, std::uint32_t pass, gpu::AccessFlags access);
    void finishBarriers(const GraphDescription& description, GraphPlan& plan);
    template <class F> void forEachSubresource(const GraphDescription& description, const PlanAccess& access, F&& fn);

    std::vector<std::uint32_t> m_firstSubresource;
    std::vector<Subresource> m_subresources;
    std::vector<Touched> m_touched;
    std::vector<RawBarrier> m_raw;
    std::vector<std::uint32_t> m_order, m_slotLastPass;
    std::vector<std::uint8_t> m_isUsed;
};

template <class F> void GraphPlanner::forEachSubresource(const GraphDescription& description, const PlanAccess& access, F&& fn)
{
    const std::uint32_t mips = description.resources[access.resource].mipCount;
    const std::uint32_t first = m_firstSubresource[access.resource];
    for (std::uint32_t layer = access.range.baseLayer; layer < access.range.baseLayer + access.range.layerCount; ++layer)
        for (std::uint32_t mip = access.range.baseMip; mip < access.range.baseMip + access.range.mipCount; ++mip)
            fn(m_subresources[first + layer * mips + mip], Touched{first + layer * mips + mip, access.resource, layer, mip});
}

/// Reads that may hold at once without a barrier between them.
bool canShareState(ResourceKind kind, gpu::AccessFlags a, gpu::AccessFlags b);
/// One object can serve both, one after the other: all is equal but states, flags and usages.
bool isSameObject(const PlanResource& a, const PlanResource& b);
/// Usage bits that an access asks of a texture or buffer.
std::uint32_t usageBitsOf(ResourceKind kind, gpu::AccessFlags access);

} // namespace dl::graph
