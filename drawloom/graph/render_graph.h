// drawloom/graph/render_graph.h - the render graph: declare passes and what they use, compile (cull, barriers, lifetimes,
// aliasing), execute into a command stream, explain. Rebuilt every frame; the same declarations reuse the same plan and
// the same objects, and then allocate nothing. Plans come from graph/plan.h.
#pragma once

#include "drawloom/core/result.h"
#include "drawloom/gpu/command_stream.h"
#include "drawloom/gpu/device.h"
#include "drawloom/graph/graph_types.h"
#include "drawloom/graph/pass_function.h"

#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace dl::graph
{

class RenderGraph;
struct GraphState; // detail/graph_state.h

/// Declares one pass; valid until the next add...Pass, compile or beginFrame of its graph. A mistake is remembered and
/// returned by compile; calls after it do nothing harmful.
class PassBuilder
{
public:
    /// The pass reads the range in this way (several read accesses may be joined: SampledRead | DepthRead).
    void read(TextureHandle texture, gpu::AccessFlags access, const SubresourceRange& range = {});
    void read(BufferHandle buffer, gpu::AccessFlags access);
    /// The pass writes the range (StorageWrite or CopyWrite; attachments have their own calls). Returns the next version;
    /// the handle passed in is dead.
    [[nodiscard]] TextureHandle write(
        TextureHandle texture, gpu::Access access, const SubresourceRange& range = {}, Previous previous = Previous::Keep);
    [[nodiscard]] BufferHandle write(BufferHandle buffer, gpu::Access access, Previous previous = Previous::Keep);
    /// Makes compile return InvalidArgument: `text` follows the pass's name.
    void fail(std::string_view text);
    void neverCull();
    /// It does something that no resource shows, such as a readback.
    void sideEffects();
    /// Called once during execute, unless the pass is culled. Captures up to PassFunction::kCapacityBytes.
    template <class F> void execute(F&& fn) { setFunction(PassFunction(std::forward<F>(fn))); }

protected:
    friend class RenderGraph;
    PassBuilder(GraphState& state, std::uint32_t pass) : m_state(&state), m_pass(pass) {}
    void setFunction(PassFunction function);
    GraphState* m_state;
    std::uint32_t m_pass;
};

/// A pass with attachments. The graph records beginRenderPass and endRenderPass; its size is that of the attachments' mip,
/// all the same.
class RasterPassBuilder : public PassBuilder
{
public:
    /// Attachment `slot` 0..7, without gaps. LoadOp::Load needs content; Clear replaces it. Stored only if used later.
    [[nodiscard]] TextureHandle color(std::uint32_t slot, TextureHandle target, const ColorTarget& desc = {});
    /// Single-sampled target that receives the resolved colour of `slot`, which must be declared before.
    [[nodiscard]] TextureHandle resolve(std::uint32_t slot, TextureHandle target, std::uint32_t mip = 0, std::uint32_t layer = 0);
    [[nodiscard]] TextureHandle depth(TextureHandle target, const DepthTarget& desc = {});
    /// Read-only depth; with `isSampled` the pass samples it as well.
    void depthReadOnly(TextureHandle target, bool isSampled = false, std::uint32_t mip = 0, std::uint32_t layer = 0);
    /// Of the attachments declared so far, all the same; 0: there are none.
    std::uint32_t sampleCount() const;

private:
    friend class RenderGraph;
    using PassBuilder::PassBuilder;
};

/// What a callback sees. Asking for what the pass did not declare makes execute fail and returns none.
class PassContext
{
public:
    gpu::CommandStream& stream() { return *m_stream; }
    std::uint32_t renderWidth() const { return m_width; } ///< 0 outside of raster passes
    std::uint32_t renderHeight() const { return m_height; }
    gpu::TextureId texture(TextureHandle handle);
    gpu::BufferId buffer(BufferHandle handle);
    gpu::TextureViewId view(TextureHandle handle, const PassViewDesc& desc = {});
    /// Cached by layout and entries (ids with generations); freed when not asked for in GraphSettings::keepFrames frames.
    gpu::BindGroupId bindGroup(gpu::BindGroupLayoutId layout, std::span<const gpu::BindGroupEntry> entries, std::string_view label = {});
    /// Makes execute return this error after the pass.
    void fail(Error error);

private:
    friend class RenderGraph;
    GraphState* m_state = nullptr;
    gpu::CommandStream* m_stream = nullptr;
    std::uint32_t m_pass = 0, m_width = 0, m_height = 0;
};

struct GraphSettings
{
    bool isAliasing = true;       ///< false: every transient has its own object (debugging)
    std::uint32_t keepFrames = 8; ///< pooled objects, views and bind groups that were not used so long are destroyed
};

/// Where execute writes timestamps: two per raster and compute pass, in order, as long as there is room.
struct GraphTimestamps
{
    gpu::QuerySetId querySet; ///< none: no timestamps
    std::uint32_t firstQuery = 0, queryCount = 0;
};

/// Names an extraction until the next beginFrame.
struct ExtractionId
{
    std::uint32_t index = kNoIndex;
};

/// One thread; at most one frame open. The device outlives the graph.
///   beginFrame -> create, import, add...Pass, extract -> compile -> execute(stream) -> submit the stream
class RenderGraph
{
public:
    RenderGraph(gpu::Device& device, const GraphSettings& settings = {});
    ~RenderGraph(); ///< destroys every object of the pool, the extracted ones too
    RenderGraph(RenderGraph&&) noexcept;
    RenderGraph& operator=(RenderGraph&&) noexcept;

    /// Forgets the last frame's declarations; its handles are foreign from now on.
    void beginFrame();

    TextureHandle createTexture(const GraphTextureDesc& desc);
    BufferHandle createBuffer(const GraphBufferDesc& desc);
    TextureHandle importTexture(const ImportedTextureDesc& desc);
    BufferHandle importBuffer(const ImportedBufferDesc& desc);
    /// Samples a texel; 0 for a handle of another graph or frame.
    std::uint32_t sampleCount(TextureHandle texture) const;
    /// An extracted texture of an earlier frame; left in the state that it was extracted in.
    TextureHandle importTexture(const ExtractedTexture& texture, std::string_view label);
    /// Keeps a transient's content beyond the frame, left as `final`. The handle must be the last version.
    ExtractionId extractTexture(TextureHandle texture, gpu::AccessFlags final);

    [[nodiscard]] RasterPassBuilder addRasterPass(std::string_view name);
    [[nodiscard]] PassBuilder addComputePass(std::string_view name);
    [[nodiscard]] PassBuilder addCopyPass(std::string_view name);

    /// Plans the frame. InvalidArgument: a mistake in the declarations; names pass and resource. Nothing was executed.
    Result<void> compile();
    /// Makes what is missing and appends the frame's commands to `stream`. On an error (of the device, of a callback, an
    /// undeclared access) the stream is incomplete and must not be submitted.
    Result<void> execute(gpu::CommandStream& stream, const GraphTimestamps& timestamps = {});

    /// After execute. The texture stays alive and unchanged until releaseExtracted.
    Result<ExtractedTexture> extracted(ExtractionId id) const;
    /// Gives it back to the pool. Releasing twice is a caller's bug.
    void releaseExtracted(const ExtractedTexture& texture);

    /// After compile. Warnings of the planner ("pass X writes nothing"); a healthy frame has none. Valid until beginFrame.
    std::span<const std::string> warnings() const;
    std::span<const PassReport> passes() const;
    const GraphStats& stats() const;
    /// After compile: the plan and what it was made from, for tests and tools.
    const GraphPlan& plan() const;
    const GraphDescription& description() const;
    std::string_view passName(std::uint32_t pass) const;
    std::string_view resourceName(std::uint32_t resource) const;

private:
    std::unique_ptr<GraphState> m_state;
};

/// The compiled frame as a Graphviz digraph: passes, resources, culled ones dashed, barriers on the edges.
std::string dumpGraphDot(const RenderGraph& graph);
/// The compiled frame as JSON: passes with reasons and barriers, resources with lifetimes and slots.
std::string dumpGraphJson(const RenderGraph& graph);

} // namespace dl::graph
