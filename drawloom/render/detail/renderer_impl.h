// drawloom/render/detail/renderer_impl.h - the renderer's parts and the steps of its frame.
#pragma once

#include "drawloom/render/deform_pass.h"
#include "drawloom/render/detail/frame_views.h"
#include "drawloom/render/environment.h"
#include "drawloom/render/fullscreen_passes.h"
#include "drawloom/render/gpu_timer.h"
#include "drawloom/render/lighting.h"
#include "drawloom/render/render_target.h"
#include "drawloom/render/renderer.h"
#include "drawloom/render/standard_passes.h"
#include "drawloom/render/velocity_pass.h"

namespace dl
{

/// What velocity compares a frame with: the last one that was drawn.
struct LastFrame
{
    bool isDrawn = false;
    mat4 viewProjection = mat4(1.0f); ///< relative to `origin`
    WorldPosition origin;
    float timeSeconds = 0.0f;
};

inline bool hasVelocity(const FrameDesc& desc)
{
    return desc.writesVelocity || desc.readVelocity || desc.debugView == DebugView::Velocity;
}

struct Renderer::Impl
{
    Impl(gpu::Device& d, const RendererSettings& s) : device(d), settings(s), graph(d, s.graph) {}
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;
    ~Impl()
    {
        picture.destroy(device);
        objectIds.destroy(device);
    }

    gpu::Device& device;
    RendererSettings settings;
    std::optional<gpu::ShaderArchive> archive;
    std::unique_ptr<GpuResources> resources;
    std::unique_ptr<DrawLibrary> library;
    std::unique_ptr<SceneRegistry> registry;
    std::unique_ptr<DrawFrame> draws;
    graph::RenderGraph graph;
    StandardPasses passes;
    MeshPassId objectIdPass, debugPass, overdrawPass, shadowPass; ///< none until first asked for
    FullscreenPasses fullscreen;
    DeformPass deform;
    Environment environment;
    Lighting lighting;
    LightList lights;
    LightingInputs lightingInputs;          ///< of the frame that is built
    std::unique_ptr<VelocityPass> velocity; ///< none until first asked for
    GpuTimer timer;
    RenderTarget picture, objectIds;
    std::vector<DrawSource*> sources;
    std::vector<RenderFeature*> features;
    gpu::CommandStream stream;
    std::vector<Refusal> refusedEdits; ///< the first since the start: what was not added stays missing
    std::uint64_t refusedEditCount = 0;
    std::vector<std::byte> unsentUploads; ///< of a submission that failed, until they went out
    std::vector<gpu::Completion> completions;
    std::vector<std::string_view> fullscreenPasses;
    std::vector<std::uint32_t> objectIdTexels;
    LastFrame last;
    FrameViews views;
    bool isLost = false;
    std::string lostMessage;
    FrameStats stats;

    Result<void> initialise();
    Result<void> addPassesOnDemand(const FrameDesc& desc);
    void poll();
    Result<void> declareFrame(const FrameDesc& desc, const ViewSet& viewSet);
    Result<void> callFeatures(FramePoint point, FrameBoard& board);
    Result<void> declareStandardPasses(const FrameDesc& desc, FrameBoard& board);
    void declareDepth(FrameBoard& board);
    void declareDebugPasses(const FrameDesc& desc, FrameBoard& board);
    void declareObjectIds(FrameBoard& board);
    void fillFrameUniforms(const FrameDesc& desc);
    void updateVelocityInputs(const FrameDesc& desc);
    Result<void> makeViews(const FrameDesc& desc);
    Result<std::uint32_t> pushViewUniforms(const FrameDesc& desc, const mat4& viewProjection);
    void applyEdits();
    Result<void> sendUploads(std::span<const std::byte> uploads);
    void keepUploads(std::span<const std::byte> uploads);
    Result<std::uint32_t> pushShadowUniforms(std::uint32_t viewIndex);
    Error sendUploadsAlone(std::size_t uploadBytes, Error error);
    /// How the targets that outlive frames were used last, for a frame that was recorded and never ran.
    struct TargetUse
    {
        RenderTarget::Use picture, objectIds;
        GpuTimer::Use timer;
    };
    TargetUse targetUse() const;
    void undoTargetUse(const TargetUse& before);
    Result<void> submitFrame(std::size_t uploadBytes, const TargetUse& before);
    void collectStats(double editsMs, double submitMs);
    void collectMemory();
};

} // namespace dl
