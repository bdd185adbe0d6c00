// drawloom/draw/draw_frame.h - one frame's draws: runs of all sources become items of each pass and view, are sorted, joined
// into instanced draws and encoded into command streams. Same inputs give the same bytes for any thread count; a warm frame
// allocates nothing.
#pragma once

#include "drawloom/draw/draw_library.h"
#include "drawloom/draw/draw_source.h"
#include "drawloom/gpu/command_stream.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

namespace dl
{

class DynamicBatches;

/// How visible sections become draw calls. What a picture shows does not depend on it.
enum class DrawSubmission : std::uint8_t
{
    Each,     ///< a draw for each visible instance and section: nothing joins. For comparison
    Joined,   ///< equal neighbours become one instanced draw
    Indirect, ///< and runs of draws with equal state one multi-draw, where the device has MultiDrawIndirect and IndirectFirstInstance
};

/// What becomes of a batch while a pipeline is compiled that a pass of this frame needs for it. All its passes do the same, so that
/// there is no shadow without its object and no depth without its colour.
enum class PendingPolicy : std::uint8_t
{
    Wait,     ///< it appears when all its pipelines are ready
    Skip,     ///< each pass draws it as soon as its own is: holes may show, but something does
    Fallback, ///< the surface "standard" stands in, with the same parameters and textures, while its pipelines are ready; else Wait
};

struct DrawFrameSettings
{
    PendingPolicy pending = PendingPolicy::Wait;
    DrawSubmission submission = DrawSubmission::Indirect;
    /// Each id carries the number of its draw and what broke it from the one before (kIdDraw..., kIdBreak...), for debug views. Passes
    /// then share no ids.
    bool tagsDraws = false;
    /// For debugging: that many cached commands are built anew in each frame and compared (DrawLibrary::verifyCommands). What is stale is
    /// among the frame's refusals.
    std::uint32_t verifiedCommandCount = 0;
};

/// Which field kept a draw from joining the one before it. In order of comparison.
enum class JoinBreak : std::uint8_t
{
    FirstDraw,    ///< of its pass and view
    Pipeline,     ///< other shader, culling, winding or topology
    TextureSet,   ///< other textures (only passes that read them)
    HeapPage,     ///< instances lie in another page of the instance heap
    GeometryPage, ///< vertices lie in other buffers
    MeshRange,    ///< other triangles in the same buffers: one multi-draw, not one instanced draw
    Dynamic,      ///< a dynamic batch
    Off,          ///< DrawSubmission::Each
    Count,
};
std::string_view toString(JoinBreak field);

struct PassStats
{
    std::string_view name;         ///< the pass; holds while it is registered
    std::uint32_t batches = 0;     ///< declared sections that were offered to the pass
    std::uint32_t commands = 0;    ///< those that it accepted
    std::uint64_t drawsBefore = 0; ///< visible (instance, section, view)
    std::uint32_t draws = 0;       ///< after joining
    std::uint32_t drawCalls = 0;   ///< recorded: a multi-draw is one
    std::uint64_t triangles = 0;
    std::uint64_t skippedDraws = 0; ///< (instance, section, view) not drawn this frame, see frameRefusals
    double cpuMs = 0.0;             ///< sort + join + encode
    std::array<std::uint32_t, static_cast<std::size_t>(JoinBreak::Count)> breaks = {};
};

struct StageTimes
{
    double cullMs = 0, sortMs = 0, joinMs = 0, encodeMs = 0; ///< cull: wall clock; the others: summed over passes
};

/// What the choice of LOD did to view 0 (normally the main camera): each visible instance once, whatever passes draw it.
struct LodStats
{
    std::array<std::uint32_t, kMaxLodCount> instances = {}; ///< by the LOD that is drawn
    std::uint64_t triangles = 0;                            ///< of these instances
    std::uint64_t trianglesAtFinest = 0;                    ///< had all of them been drawn at LOD 0
};

/// One instanced draw, for debug views and tests.
struct DrawRecord
{
    std::uint32_t pipelineSlot = 0;
    TextureSetId textureSet; ///< none when the pass does not read it
    MeshRangeId range;
    ExternalGeometryId external;
    std::uint32_t firstId = 0; ///< into the id list
    std::uint32_t instanceCount = 0;
    std::uint32_t firstIndex = 0;   ///< within the range
    std::uint32_t indexCount = 0;   ///< of one instance
    std::uint32_t geometryPage = 0; ///< of `range`
    std::uint16_t heapPage = 0;
    JoinBreak breakReason = JoinBreak::FirstDraw;
    std::uint8_t isDynamic = 0;
    std::uint32_t dynamicIndex = 0;
};

/// What the passes of the frame bind, by group.
struct EncodeBindings
{
    gpu::BindGroupId frame;              ///< G0
    std::uint32_t viewUniformOffset = 0; ///< G0's dynamic offset
    gpu::BindGroupId pass;               ///< G1; none if the pass has none
};

class DrawFrame
{
public:
    explicit DrawFrame(DrawLibrary& library);
    ~DrawFrame();
    DrawFrame(const DrawFrame&) = delete;
    DrawFrame& operator=(const DrawFrame&) = delete;

    /// For the frames from the next build on.
    void setSettings(const DrawFrameSettings& settings);
    const DrawFrameSettings& settings() const;

    /// Culls all sources for all views and makes the draws of every registered pass; writes the ids into the resources'
    /// id list (before GpuResources::flush of this frame). `dynamic` may be null.
    void build(const ViewSet& views, std::span<DrawSource* const> sources, const DynamicBatches* dynamic = nullptr);

    /// Appends the draws of a pass and view; call inside a render pass, viewport set, after resources were flushed. A view
    /// of a kind that the pass does not serve draws nothing. The stream's bindings are assumed unknown at the start. May be
    /// called for different (pass, view) from several threads at once.
    void encode(MeshPassId pass, std::uint32_t viewIndex, const EncodeBindings& bindings, gpu::CommandStream& stream);

    /// MeshPassDesc::sampleCount; 0 for a pass that does not exist.
    std::uint32_t sampleCount(MeshPassId pass) const;
    /// Draws of a pass and view, in order; for tests and debug views.
    std::span<const DrawRecord> draws(MeshPassId pass, std::uint32_t viewIndex) const;
    /// The ids that draws index: the index within the draw's heap page (kIdIndexMask) and the LOD that is drawn (kIdLod...).
    std::span<const std::uint32_t> ids() const;

    /// In order of registration, summed over views; cpuMs counts what was encoded so far.
    std::span<const PassStats> passStats() const;
    /// Of one view alone; all zero if the pass does not serve it.
    PassStats viewStats(MeshPassId pass, std::uint32_t viewIndex) const;
    StageTimes stageTimes() const;
    const LodStats& lodStats() const;
    /// What this frame skipped, with counts per code; details on demand only.
    std::span<const std::uint64_t> skippedByReason() const; ///< indexed by ReasonCode, (instance, section, view) each
    void collectRefusals(std::vector<Refusal>& refusals) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

} // namespace dl
