#include "drawloom/render/renderer.h"

#include "drawloom/core/trace.h"
#include "drawloom/render/builtin_shaders.h"
#include "drawloom/render/detail/renderer_impl.h"
#include "drawloom/render/picture_readback.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

namespace dl
{
namespace
{

constexpr std::uint32_t kMaxPictureTexels = 8192;
constexpr std::uint64_t kObjectIdToken = 1ULL << 60U;

static_assert(static_cast<std::uint32_t>(DebugView::Lod) == kDebugLod && static_cast<std::uint32_t>(DebugView::Mips) == kDebugMips,
    "DebugView counts as kDebug... do");

double msSince(std::uint64_t beginNs)
{
    return static_cast<double>(nowNs() - beginNs) * 1e-6;
}

/// `viewProjection` of positions relative to an origin that lies at `shift` from its own.
mat4 shifted(const mat4& viewProjection, vec3 shift)
{
    mat4 result = viewProjection;
    result[3] = vec4(glm::dmat4(viewProjection) * glm::dvec4(glm::dvec3(shift), 1.0));
    return result;
}

template <class T> void eraseValue(std::vector<T*>& list, T& value)
{
    list.erase(std::remove(list.begin(), list.end(), &value), list.end());
}

} // namespace

Result<void> Renderer::Impl::initialise()
{
    DL_TRY_ASSIGN(archive, gpu::ShaderArchive::open(builtinShaderArchive()));
    DL_TRY_ASSIGN(resources, GpuResources::create(device, settings.resources));
    library = std::make_unique<DrawLibrary>(device, *resources);
    library->addArchive(*archive);
    DL_TRY_ASSIGN(lighting, Lighting::create(device));
    DL_TRY_ASSIGN(environment, Environment::create(device, *archive, settings.environmentFaceTexels));
    DL_TRY_ASSIGN(passes, addStandardPasses(*library, lighting.layout(), settings.sampleCount));
    registry = std::make_unique<SceneRegistry>(*library);
    draws = std::make_unique<DrawFrame>(*library);
    sources.push_back(registry.get());
    DL_TRY_ASSIGN(fullscreen, FullscreenPasses::create(device, *resources, *archive, settings.sampleCount));
    DL_TRY_ASSIGN(deform, DeformPass::create(device, *resources, *archive));
    if (settings.measuresGpuTime)
    {
        DL_TRY_ASSIGN(timer, GpuTimer::create(device));
    }
    DL_TRY_ASSIGN(picture, RenderTarget::create(device, "picture", kPictureFormat, settings.width, settings.height,
                               pictureToken(settings.width, settings.height)));
    DL_TRY_ASSIGN(objectIds, RenderTarget::create(device, "object ids", kObjectIdFormat, settings.width, settings.height, kObjectIdToken));
    return {};
}

Result<std::unique_ptr<Renderer>> Renderer::create(gpu::Device& device, const RendererSettings& settings)
{
    if (settings.width == 0 || settings.height == 0 || settings.width > kMaxPictureTexels || settings.height > kMaxPictureTexels)
        return Error{ErrorCode::InvalidArgument, "picture size " + std::to_string(settings.width) + "x" + std::to_string(settings.height) +
                                                     ": each side must be 1 to " + std::to_string(kMaxPictureTexels)};
    if (settings.sampleCount != 1 && settings.sampleCount != 4)
        return Error{ErrorCode::InvalidArgument, std::to_string(settings.sampleCount) + " samples a texel: 1 or 4 are possible"};
    auto impl = std::make_unique<Impl>(device, settings);
    DL_TRY(impl->initialise());
    return std::unique_ptr<Renderer>(new Renderer(std::move(impl)));
}

Renderer::Renderer(std::unique_ptr<Impl> impl) : m_impl(std::move(impl))
{
}

Renderer::~Renderer() = default;

GpuResources& Renderer::resources()
{
    return *m_impl->resources;
}

DrawLibrary& Renderer::library()
{
    return *m_impl->library;
}

SceneRegistry& Renderer::registry()
{
    return *m_impl->registry;
}

const graph::RenderGraph& Renderer::graph() const
{
    return m_impl->graph;
}

const DrawFrame& Renderer::draws() const
{
    return *m_impl->draws;
}

const Lighting& Renderer::lighting() const
{
    return m_impl->lighting;
}

void Renderer::addSource(DrawSource& source)
{
    m_impl->sources.push_back(&source);
}

void Renderer::removeSource(DrawSource& source)
{
    eraseValue(m_impl->sources, source);
}

void Renderer::addFeature(RenderFeature& feature)
{
    m_impl->features.push_back(&feature);
}

void Renderer::removeFeature(RenderFeature& feature)
{
    eraseValue(m_impl->features, feature);
}

Result<void> Renderer::setEnvironment(const Image& equirect)
{
    return m_impl->environment.setPicture(equirect);
}

void Renderer::clearEnvironment()
{
    m_impl->environment.clearPicture();
}

void Renderer::remakeEnvironment()
{
    m_impl->environment.remake();
}

void Renderer::Impl::poll()
{
    completions.clear();
    device.poll(completions);
    for (gpu::Completion& completion : completions)
    {
        if (completion.kind == gpu::CompletionKind::SubmissionDone)
            resources->onCompleted(completion.submission);
        if (completion.kind == gpu::CompletionKind::DeviceLost)
        {
            isLost = true;
            lostMessage = completion.message;
        }
        library->onCompletion(completion);
        fullscreen.onCompletion(completion);
        deform.onCompletion(completion);
        environment.onCompletion(completion);
        timer.onCompletion(completion);
        picture.onCompletion(completion);
        objectIds.onCompletion(completion);
        if (velocity)
            velocity->onCompletion(completion);
        for (RenderFeature* feature : features)
            feature->onCompletion(completion);
    }
    if (timer.isEnabled())
        for (PassFrameStats& pass : stats.passes)
            pass.gpuMs = timer.passMs(pass.name);
}

Result<void> Renderer::beginFrame()
{
    Impl& r = *m_impl;
    r.poll();
    if (r.isLost)
        return Error{ErrorCode::DeviceLost, "the device was lost: " + r.lostMessage};
    for (const std::string* failure : {&r.fullscreen.failure(), &r.deform.failure(), &r.environment.failure()})
        if (!failure->empty())
            return Error{ErrorCode::Unsupported, "the device refused a pipeline of the standard frame: " + *failure};
    if (r.velocity && !r.velocity->failure().empty())
        return Error{ErrorCode::Unsupported, "the device refused a pipeline of the velocity pass: " + r.velocity->failure()};
    r.resources->beginFrame();
    return {};
}

std::span<const gpu::Completion> Renderer::completions() const
{
    return m_impl->completions;
}

Result<void> Renderer::Impl::addPassesOnDemand(const FrameDesc& desc)
{
    if (desc.readObjectIds && !objectIdPass)
    {
        DL_TRY_ASSIGN(objectIdPass, addObjectIdPass(*library));
    }
    if (hasVelocity(desc) && !velocity)
    {
        DL_TRY_ASSIGN(
            velocity, VelocityPass::create(device, *library, *archive, {settings.width, settings.height, settings.sampleCount > 1}));
    }
    if (desc.debugView == DebugView::Overdraw && !overdrawPass)
    {
        DL_TRY_ASSIGN(overdrawPass, addOverdrawPass(*library));
    }
    else if (desc.debugView != DebugView::None && desc.debugView != DebugView::Overdraw && desc.debugView != DebugView::Velocity &&
             !debugPass)
    {
        DL_TRY_ASSIGN(debugPass, addDebugPass(*library));
    }
    return {};
}

void Renderer::Impl::fillFrameUniforms(const FrameDesc& desc)
{
    FrameUniforms& frame = resources->bindings().frameUniforms();
    resources->cells().writeOrigins(desc.camera.position, frame.cellOrigins);
    frame.sunDirection = vec4(towardsSun(desc.sun), 0.0f);
    frame.sunColor = vec4(desc.sun.color * desc.sun.intensity, 0.0f);
    const vec4 background = environment.background(desc.environment);
    frame.skyZenith = vec4(desc.sky.zenith, background.x);
    frame.skyHorizon = vec4(desc.sky.horizon, background.y);
    frame.skyGround = vec4(desc.sky.ground, background.z);
    lightingInputs.environment = environment.inputs(desc.environment, desc.sky);
    constexpr float kOverdrawScale = 1.0f;
    lightingInputs.viewForward = desc.camera.forward;
    frame.params = vec4(desc.timeSeconds, desc.exposure, background.w, kOverdrawScale);
}

Result<std::uint32_t> Renderer::Impl::pushViewUniforms(const FrameDesc& desc, const mat4& viewProjection)
{
    ViewUniforms view;
    view.viewProjection = viewProjection;
    view.inverseViewProjection = glm::inverse(viewProjection);
    view.previousViewProjection =
        last.isDrawn ? shifted(last.viewProjection, difference(desc.camera.position, last.origin)) : viewProjection;
    view.previousTime = last.isDrawn ? last.timeSeconds : desc.timeSeconds;
    const vec2 size(settings.width, settings.height);
    view.viewport = vec4(size, 1.0f / size);
    view.layerMask = desc.layerMask;
    view.debugMode = static_cast<std::uint32_t>(desc.debugView);
    return resources->views().push(view);
}

void Renderer::Impl::updateVelocityInputs(const FrameDesc& desc)
{
    resources->movers().setWanted(hasVelocity(desc));
    resources->deform().setPreviousWanted(hasVelocity(desc));
}

void Renderer::Impl::applyEdits()
{
    constexpr std::size_t kMaxKeptEdits = 256;
    registry->applyEdits();
    for (const Refusal& refusal : registry->refusals())
    {
        ++refusedEditCount;
        if (refusedEdits.size() < kMaxKeptEdits)
            refusedEdits.push_back(refusal);
    }
}

/// Uploads that reach the device without a frame: those of a frame that can not be drawn, and those that a failed submission
/// left behind. The resources count what they flushed as sent and will not send it again, so it is kept until it went out.
Result<void> Renderer::Impl::sendUploads(std::span<const std::byte> uploads)
{
    if (uploads.empty())
        return {};
    Result<gpu::SubmissionIndex> submission = device.submit(uploads);
    if (!submission)
    {
        keepUploads(uploads);
        return std::move(submission).error();
    }
    unsentUploads.clear();
    resources->onSubmitted(*submission, false);
    return {};
}

void Renderer::Impl::keepUploads(std::span<const std::byte> uploads)
{
    if (uploads.data() != unsentUploads.data())
        unsentUploads.assign(uploads.begin(), uploads.end());
}

Error Renderer::Impl::sendUploadsAlone(std::size_t uploadBytes, Error error)
{
    Result<void> sent = sendUploads(stream.bytes().first(uploadBytes));
    return sent ? std::move(error) : std::move(sent).error();
}

Result<void> Renderer::Impl::submitFrame(std::size_t uploadBytes, const TargetUse& before)
{
    DL_TRACE_SCOPE("submit");
    Result<gpu::SubmissionIndex> submission = device.submit(stream.bytes());
    if (!submission)
    {
        keepUploads(stream.bytes().first(uploadBytes));
        undoTargetUse(before);
        return std::move(submission).error();
    }
    resources->onSubmitted(*submission);
    lighting.onSubmitted();
    environment.onSubmitted();
    if (deform.isReady())
        resources->deform().setJobsRun();
    return {};
}

Renderer::Impl::TargetUse Renderer::Impl::targetUse() const
{
    return {picture.use(), objectIds.use(), timer.use()};
}

void Renderer::Impl::undoTargetUse(const TargetUse& before)
{
    picture.setUse(before.picture);
    objectIds.setUse(before.objectIds);
    timer.undo(before.timer);
}

Result<void> Renderer::renderFrame(const FrameDesc& desc)
{
    DL_TRACE_SCOPE("frame");
    Impl& r = *m_impl;
    if (r.isLost)
        return Error{ErrorCode::DeviceLost, "the device was lost: " + r.lostMessage};
    DL_TRY(r.sendUploads(r.unsentUploads));
    DL_TRY(r.addPassesOnDemand(desc));
    const std::uint64_t editsBegin = nowNs();
    {
        DL_TRACE_SCOPE("edits");
        r.applyEdits();
    }
    const double editsMs = msSince(editsBegin);

    DL_TRY(r.environment.update(desc.sky));
    r.fillFrameUniforms(desc);
    DL_TRY(r.makeViews(desc));
    const ViewSet views = r.views.set();
    const mat4& clip = r.views.views[0].viewProjection;
    r.lights.build(desc.lights, desc.lightScenes, desc.camera.position, clip);
    r.lightingInputs.lights = r.lights.records();
    r.updateVelocityInputs(desc);
    {
        DL_TRACE_SCOPE("build");
        r.draws->setSettings({.pending = r.settings.pendingPipelines,
            .submission = desc.submission,
            .tagsDraws = desc.debugView == DebugView::Batches,
            .verifiedCommandCount = r.settings.verifiedCommandCount});
        r.draws->build(views, r.sources);
    }
    r.stream.clear();
    {
        DL_TRACE_SCOPE("upload");
        if (Result<void> flushed = r.resources->flush(r.stream); !flushed)
            return r.sendUploadsAlone(r.stream.bytes().size(), std::move(flushed).error());
    }
    const std::size_t uploadBytes = r.stream.bytes().size();
    const Impl::TargetUse before = r.targetUse();
    r.lighting.upload(r.stream, r.lightingInputs);
    r.environment.upload(r.stream);
    {
        DL_TRACE_SCOPE("graph");
        if (Result<void> declared = r.declareFrame(desc, views); !declared)
            return r.sendUploadsAlone(uploadBytes, std::move(declared).error());
    }
    const std::uint64_t submitBegin = nowNs();
    DL_TRY(r.submitFrame(uploadBytes, before));
    r.last = {true, clip, desc.camera.position, desc.timeSeconds};
    r.collectStats(editsMs, msSince(submitBegin));
    return {};
}

bool Renderer::isSettled() const
{
    const Impl& r = *m_impl;
    return std::all_of(r.features.begin(), r.features.end(), [](const RenderFeature* feature) { return feature->isReady(); }) &&
           r.library->pendingPipelineCount() == 0 && r.fullscreen.isReady() && r.deform.isReady() && r.environment.isMade() &&
           (!r.velocity || r.velocity->isReady()) && r.resources->uploads().stats().pendingCount == 0 && r.unsentUploads.empty();
}

Result<void> Renderer::finish()
{
    DL_TRY(m_impl->device.waitIdle());
    m_impl->poll();
    if (m_impl->isLost)
        return Error{ErrorCode::DeviceLost, "the device was lost: " + m_impl->lostMessage};
    return {};
}

Result<Image> Renderer::takePicture()
{
    std::optional<std::vector<std::byte>> bytes = m_impl->picture.takeBytes();
    if (!bytes)
        return Error{ErrorCode::NotFound, "no picture has arrived: ask for it with FrameDesc::readPicture and wait for the GPU"};
    Image image;
    image.name = "picture";
    image.format = ImageFormat::Rgba8;
    image.width = m_impl->settings.width;
    image.height = m_impl->settings.height;
    image.bytes = std::move(*bytes);
    return image;
}

std::span<const std::uint32_t> Renderer::objectIds()
{
    Impl& r = *m_impl;
    if (const auto bytes = r.objectIds.takeBytes())
    {
        r.objectIdTexels.resize(bytes->size() / sizeof(std::uint32_t));
        std::memcpy(r.objectIdTexels.data(), bytes->data(), bytes->size());
    }
    return r.objectIdTexels;
}

std::span<const vec2> Renderer::velocity()
{
    return m_impl->velocity ? m_impl->velocity->texels() : std::span<const vec2>();
}

InstanceId Renderer::pick(std::uint32_t x, std::uint32_t y)
{
    const std::span<const std::uint32_t> ids = objectIds();
    if (ids.empty() || x >= m_impl->settings.width || y >= m_impl->settings.height)
        return {};
    const std::uint32_t id = ids[std::size_t(y) * m_impl->settings.width + x];
    return id == 0 ? InstanceId{} : m_impl->registry->findByHeapId(id - 1);
}

std::span<const std::byte> Renderer::lastStream() const
{
    return m_impl->stream.bytes();
}

} // namespace dl
