// drawloom/render/renderer.h - the standard frame over a device: resources, draw library, scene registry, render graph, and
// the passes deform, shadow0 to 3, depth, opaque, masked, sky, blended, object id, tone map. Users add draw sources, mesh passes and
// features.
//
//   renderer->beginFrame();            // polls the device, applies what has arrived
//   scene->update(t); scene->uploadFrame(); registry.add(...) ...
//   renderer->renderFrame(frame);      // culls, sorts, joins, records, submits
#pragma once

#include "drawloom/asset/image.h"
#include "drawloom/draw/draw_frame.h"
#include "drawloom/render/camera.h"
#include "drawloom/render/environment.h"
#include "drawloom/render/frame_board.h"
#include "drawloom/render/frame_stats.h"
#include "drawloom/render/light_list.h"
#include "drawloom/render/shadow_cascades.h"
#include "drawloom/scene/scene_registry.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

namespace dl
{

enum class DebugView : std::uint8_t
{
    None,
    Batches,  ///< coloured by what broke a draw from the one before (JoinBreak), each draw in a brightness of its own
    Overdraw, ///< brighter where more fragments were shaded
    Normals,
    Albedo,
    Lod,      ///< one colour for each level of detail
    Mips,     ///< blue: the base colour texture has more detail than the picture shows; green: a texel a pixel; red: magnified
    Velocity, ///< half grey is rest; red right, green up, 16 texels a frame at the ends
};

struct SunSettings
{
    vec3 direction = vec3(0.45f, 0.8f, 0.4f); ///< towards the sun; need not be unit; zero: straight above
    vec3 color = vec3(1.0f, 0.96f, 0.9f);     ///< linear
    float intensity = 3.0f;                   ///< lux on a surface that faces it, for a white sun
};

struct FrameDesc
{
    RenderCamera camera;
    std::uint32_t layerMask = 0xFFFF;
    float timeSeconds = 0.0f;
    float exposure = 1.0f;
    SunSettings sun;
    SkySettings sky;                 ///< unless Renderer::setEnvironment gave a picture
    EnvironmentSettings environment; ///< of the sky or of the picture
    /// Point, spot and further directional lights, in candela and lux; LightList says which of them light the frame when they are
    /// more than kMaxLights. Read during renderFrame.
    std::span<const FrameLight> lights;
    /// Posed scenes whose lights light the frame too, behind `lights`, but for their first directional one: it is left to `sun`
    /// (firstSun). drawScenes puts its scenes here when there are none.
    std::span<SceneInstance* const> lightScenes;
    ShadowSettings shadows; ///< of the sun; none in debug views, or when the sun has no light
    DebugView debugView = DebugView::None;
    DrawSubmission submission = DrawSubmission::Indirect; ///< the picture is the same whatever it is
    bool readPicture = false;                             ///< Renderer::picture has it once the GPU is done
    /// Fills FrameBoard::velocity: where each texel's surface is minus where it was in the last drawn frame, UV units, y down.
    bool writesVelocity = false;
    bool readVelocity = false;  ///< the same, and Renderer::velocity has it once the GPU is done
    bool readObjectIds = false; ///< runs the object-id pass; Renderer::pick answers once the GPU is done
};

struct RendererSettings
{
    std::uint32_t width = 640, height = 400; ///< of the picture, texels, 1..8192
    /// Samples a texel of depth and colour, 1 or 4. 4: edges are smoothed, alpha of masked materials becomes coverage; colour is
    /// resolved, in linear HDR, before FramePoint::BeforeTonemap. Debug views, object ids and velocity stay at 1.
    std::uint32_t sampleCount = 1;
    std::uint32_t environmentFaceTexels = 128; ///< of the cube for reflections: a power of two, 8..1024; half suits software
    GpuResourcesSettings resources;
    graph::GraphSettings graph;
    PendingPolicy pendingPipelines = PendingPolicy::Wait;
    std::uint32_t verifiedCommandCount = 0; ///< for debugging: DrawFrameSettings::verifiedCommandCount
    bool measuresGpuTime = false;           ///< FrameStats' gpuMs by timestamps; each frame then reads a small buffer back
};

/// One thread, but for the registry's edits. The device outlives the renderer.
class Renderer
{
public:
    /// InvalidArgument: the size, the sample count. Else as the device fails.
    static Result<std::unique_ptr<Renderer>> create(gpu::Device& device, const RendererSettings& settings = {});
    ~Renderer();
    Renderer(const Renderer&) = delete;
    Renderer& operator=(const Renderer&) = delete;

    GpuResources& resources();
    DrawLibrary& library();
    SceneRegistry& registry();
    const graph::RenderGraph& graph() const;
    const DrawFrame& draws() const;
    const Lighting& lighting() const; ///< for lit passes of a user's own

    /// Not owned; removed by the caller before it dies. Sources are asked in the order of their adding, after the registry.
    void addSource(DrawSource& source);
    void removeSource(DrawSource& source);
    void addFeature(RenderFeature& feature);
    void removeFeature(RenderFeature& feature);

    /// An equirectangular Rgba32F picture that lights and surrounds everything, in the sky's place; render/environment_image.h says how
    /// it hangs in the world. Its own sun, if it shows one, is in it: the frame's sun adds to it. InvalidArgument: another format.
    Result<void> setEnvironment(const Image& equirect);
    void clearEnvironment();
    /// For captures, which do not hold what a GPU wrote: the next frame makes what it lights with anew.
    void remakeEnvironment();

    /// DeviceLost once the device is gone. What user code waits for by readback token is handed to `onCompletion` calls of
    /// its own: see completions().
    Result<void> beginFrame();
    /// What beginFrame polled; valid until the next one.
    std::span<const gpu::Completion> completions() const;
    /// OutOfMemory, DeviceLost, or a feature's error: nothing of the frame ran but its uploads, now or before the next frame's.
    Result<void> renderFrame(const FrameDesc& desc);

    /// True when every pipeline (of the frames asked for so far) is ready and every requested upload has been sent: the next frame draws
    /// all there is.
    bool isSettled() const;
    /// Native programs: waits for the GPU and polls. Unsupported on WebGPU.
    Result<void> finish();

    /// RGBA8, sRGB encoded, of the last frame with readPicture that the GPU finished. Taken: NotFound if asked twice.
    Result<Image> takePicture();
    /// Heap id + 1 by texel of the last frame with readObjectIds that the GPU finished; 0 where nothing was drawn.
    std::span<const std::uint32_t> objectIds();
    /// The instance at a texel of objectIds(); none for sky or out of range.
    InstanceId pick(std::uint32_t x, std::uint32_t y);

    /// By texel of the last frame with readVelocity that the GPU finished; empty before.
    std::span<const vec2> velocity();

    /// Of the last renderFrame; gpuMs of the last frame that came back.
    const FrameStats& stats() const;
    /// Bytes of the last submitted stream (--dump-commands, tests). Valid until the next renderFrame.
    std::span<const std::byte> lastStream() const;
    /// What is not drawn and why, filters of passes included if asked; for reports, not for every frame.
    std::vector<FrameRefusal> collectRefusals(bool includeFilters = false) const;

private:
    struct Impl;
    explicit Renderer(std::unique_ptr<Impl> impl);
    std::unique_ptr<Impl> m_impl;
};

} // namespace dl
