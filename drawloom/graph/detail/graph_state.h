// drawloom/graph/detail/graph_state.h - what a RenderGraph holds: the frame's declarations, the plans of recent
// topologies, the pool. Shared by render_graph.cpp, pass_builder.cpp, pass_context.cpp, executor.cpp and explain.cpp.
#pragma once

#include "drawloom/graph/detail/object_pool.h"
#include "drawloom/graph/render_graph.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace dl::graph
{

constexpr std::uint32_t kMaxColorAttachments = 8;

struct NameRef
{
    std::uint32_t offset = 0, length = 0;
};

struct ColorDecl
{
    std::uint32_t access = kNoIndex, resolveAccess = kNoIndex;
    ColorTarget target;
};
struct DepthDecl
{
    std::uint32_t access = kNoIndex;
    DepthTarget target;
    bool isReadOnly = false;
};

struct PassDecl
{
    NameRef name;
    PassFunction function;
    std::array<ColorDecl, kMaxColorAttachments> colors;
    DepthDecl depth;
    std::uint32_t colorCount = 0, width = 0, height = 0, sampleCount = 0;
};

struct ResourceDecl
{
    NameRef name;
    std::uint32_t version = 0, lastWriter = kNoIndex;
    gpu::TextureId texture; ///< imported: from the start; transient: during execute
    gpu::TextureViewId view;
    gpu::BufferId buffer;
};

/// kAllRemaining replaced by counts; a base outside of the texture gives a count of 0.
SubresourceRange resolveRange(const PlanResource& resource, SubresourceRange range);

struct CachedPlan
{
    GraphDescription description;
    GraphPlan plan;
    std::uint64_t hash = 0, lastFrame = 0;
};

struct GraphState
{
    GraphState(gpu::Device& gpuDevice, const GraphSettings& graphSettings) : device(&gpuDevice), settings(graphSettings), pool(gpuDevice) {}

    gpu::Device* device;
    GraphSettings settings;
    ObjectPool pool;
    GraphPlanner planner;
    std::array<CachedPlan, 4> plans; ///< of the last topologies; the oldest makes room

    std::uint64_t frame = 0, frameStamp = 0;
    bool isCompiled = false;
    GraphDescription description;
    std::vector<PassDecl> passes;
    std::vector<ResourceDecl> resources;
    std::vector<std::uint32_t> extractions; ///< resources
    std::string names;
    std::optional<Error> error; ///< the first mistake of the declarations, or of execute
    const GraphPlan* plan = nullptr;

    std::vector<PassReport> reports;
    std::vector<std::string> warnings;
    GraphStats stats;
    std::vector<std::uint32_t> slotObjects;
    std::vector<ExtractedTexture> extracted;
    std::vector<gpu::TextureBarrier> textureBarriers;
    std::vector<gpu::BufferBarrier> bufferBarriers;

    NameRef addName(std::string_view name);
    std::string_view name(NameRef ref) const { return std::string_view(names).substr(ref.offset, ref.length); }
    std::string_view passName(std::uint32_t pass) const { return name(passes[pass].name); }
    std::string_view resourceName(std::uint32_t resource) const { return name(resources[resource].name); }
    std::span<const PlanAccess> accessesOf(std::uint32_t pass) const
    {
        return std::span(description.accesses).subspan(description.passes[pass].firstAccess, description.passes[pass].accessCount);
    }

    /// Remembers the first mistake.
    void fail(ErrorCode code, std::string message);
    std::string describe(const PlanIssue& issue) const;

    /// Is the handle of this frame and kind, and (unless any version will do) the latest? If not, the mistake is noted.
    bool checkHandle(std::uint64_t handleStamp, std::uint32_t index, std::uint32_t version, ResourceKind kind, std::string_view user,
        bool isAnyVersion = false);
    /// A mistake of one pass: `"name" text`.
    void failPass(std::uint32_t pass, std::string_view text);
    /// Is the pass still being declared?
    bool checkOpen(std::uint32_t pass);
    template <class Handle> bool checkUse(std::uint32_t pass, const Handle& handle)
    {
        constexpr ResourceKind kKind = std::is_same_v<Handle, TextureHandle> ? ResourceKind::Texture : ResourceKind::Buffer;
        return checkOpen(pass) && checkHandle(handle.frameStamp, handle.index, handle.version, kKind, passName(pass));
    }
    std::uint32_t addResource(const PlanResource& resource, std::string_view label);
    std::uint32_t addPass(PassKind kind, std::string_view passName);
    /// Appends an access to the open pass; a write makes the next version.
    std::uint32_t addAccess(
        std::uint32_t pass, std::uint32_t resource, gpu::AccessFlags access, const SubresourceRange& range, gpu::Flags<AccessFlag> flags);
    void addRead(std::uint32_t pass, std::uint32_t resource, gpu::AccessFlags access, const SubresourceRange& range);
    void addWrite(std::uint32_t pass, std::uint32_t resource, gpu::Access access, const SubresourceRange& range, Previous previous);
    void setSampleCount(std::uint32_t pass, std::uint32_t resource);
    void setRenderSize(std::uint32_t pass, std::uint32_t resource, std::uint32_t mip);
    TextureHandle textureHandle(std::uint32_t resource) const { return {resource, resources[resource].version, frameStamp}; }
    BufferHandle bufferHandle(std::uint32_t resource) const { return {resource, resources[resource].version, frameStamp}; }

    bool isDeclared(std::uint32_t pass, std::uint64_t handleStamp, std::uint32_t index, ResourceKind kind);
    std::optional<SubresourceRange> declaredRange(std::uint32_t pass, std::uint32_t resource, SubresourceRange range);

    void makeReports();
    Result<void> realise();
    void recordBarriers(gpu::CommandStream& stream, std::uint32_t first, std::uint32_t count);
    Result<gpu::TextureViewId> attachmentView(std::uint32_t access);
    Result<gpu::TextureViewId> view(std::uint32_t resource, const SubresourceRange& range, const PassViewDesc& desc);
    Result<void> beginRenderPass(std::uint32_t pass, gpu::CommandStream& stream, const GraphTimestamps& timestamps);
    void finishExtractions();
};

} // namespace dl::graph
