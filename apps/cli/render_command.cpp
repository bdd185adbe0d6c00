// `drawloom render`: loads the inputs, draws the frames, writes what was asked for.
#include "apps/cli/animation_choice.h"
#include "apps/cli/camera_choice.h"
#include "apps/cli/device_choice.h"
#include "apps/cli/exit_codes.h"
#include "apps/cli/image_file.h"
#include "apps/cli/memory_step.h"
#include "apps/cli/output_files.h"
#include "apps/cli/progress.h"
#include "apps/cli/render_options.h"
#include "apps/cli/report.h"
#include "apps/cli/warnings.h"
#include "drawloom/asset/lod_build.h"
#include "drawloom/asset/png_write.h"
#include "drawloom/core/parallel.h"
#include "drawloom/core/trace.h"
#include "drawloom/gpu/command_stream.h"
#include "drawloom/render/offscreen.h"

#include <algorithm>
#include <cstdio>
#include <optional>

namespace dl::cli
{
namespace
{

struct Session
{
    const RenderOptions& options;
    Progress progress;
    std::vector<SceneDescription> descriptions;
    std::vector<std::uint32_t> animations; ///< by input
    std::optional<Image> environment;
    std::unique_ptr<ChosenDevice> device;
    std::unique_ptr<Renderer> renderer;
    std::vector<std::unique_ptr<SceneInstance>> scenes; ///< die before the renderer
    std::vector<SceneInstance*> sceneList;
    Report report;
    std::vector<std::string> readFiles; ///< that the inputs named

    explicit Session(const RenderOptions& o) : options(o), progress(o.isQuiet || o.isJson) {}
};

void addLevels(Session& session, SceneDescription& scene)
{
    LodBuildSettings settings;
    settings.onProgress = [](void* progress, std::size_t done, std::size_t count)
    { static_cast<Progress*>(progress)->show("building LODs", done, count); };
    settings.progressUser = &session.progress;
    const LodBuildResult built = buildLods(scene, settings);
    LodBuildCounts& counts = session.report.lodBuild ? *session.report.lodBuild : session.report.lodBuild.emplace();
    counts.meshes += built.meshCount;
    counts.builtMeshes += built.builtMeshCount;
    counts.levels += built.levels.size();
    counts.ms += built.ms;
}

Result<void> load(Session& session)
{
    DL_TRACE_SCOPE("load");
    for (std::size_t i = 0; i < session.options.inputs.size(); ++i)
    {
        const std::string& input = session.options.inputs[i];
        session.progress.show("loading", i, session.options.inputs.size());
        const bool isStrict = session.options.isStrict;
        const MemoryStep step("loading", input);
        DL_TRY_ASSIGN(
            SceneDescription scene, loadInput(input, {.isStrict = isStrict, .checksFormat = isStrict}, session.options.maxMemoryMiB));
        if (session.options.buildLods)
            addLevels(session, scene);
        addCounts(session.report.scene, countScene(scene));
        session.report.importIssues.insert(session.report.importIssues.end(), scene.issues.begin(), scene.issues.end());
        session.report.inputs.push_back(input);
        session.readFiles.insert(session.readFiles.end(), scene.sourceFiles.begin(), scene.sourceFiles.end());
        session.descriptions.push_back(std::move(scene));
    }
    DL_TRY_ASSIGN(session.animations, chooseAnimations(session.options.animation, session.descriptions));
    if (!session.options.environmentFile.empty())
    {
        DL_TRY_ASSIGN(session.environment, loadEnvironmentPicture(session.options.environmentFile));
    }
    return {};
}

constexpr std::uint32_t kVerifiedCommands = 4096; ///< of the cache, in each frame of --validate

Result<void> createRenderer(Session& session)
{
    DL_TRACE_SCOPE("device");
    session.progress.show("preparing");
    DL_TRY_ASSIGN(session.device, ChosenDevice::create(session.options.device, !session.options.captureFile.empty()));
    RendererSettings settings;
    settings.width = session.options.width;
    settings.height = session.options.height;
    settings.sampleCount = session.options.sampleCount;
    settings.verifiedCommandCount = session.options.device.isValidating ? kVerifiedCommands : 0;
    settings.measuresGpuTime = session.device->hasPixels() && (session.options.report || session.options.isJson);
    DL_TRY_ASSIGN(session.renderer, Renderer::create(session.device->device(), settings));
    if (session.environment)
        DL_TRY(session.renderer->setEnvironment(*session.environment));
    session.environment.reset();
    return {};
}

Result<void> createScenes(Session& session)
{
    DL_TRACE_SCOPE("prepare");
    for (const SceneDescription& description : session.descriptions)
    {
        DL_TRY_ASSIGN(std::unique_ptr<SceneInstance> scene,
            SceneInstance::create(description, session.renderer->library(), session.renderer->registry()));
        const std::span<const ImportIssue> issues = scene->issues();
        session.report.importIssues.insert(session.report.importIssues.end(), issues.begin(), issues.end());
        scene->chooseAnimation(session.animations[session.scenes.size()]);
        session.sceneList.push_back(scene.get());
        session.scenes.push_back(std::move(scene));
    }
    return {};
}

DebugView debugView(const std::string& name)
{
    if (name == "batches")
        return DebugView::Batches;
    if (name == "overdraw")
        return DebugView::Overdraw;
    if (name == "normals")
        return DebugView::Normals;
    if (name == "velocity")
        return DebugView::Velocity;
    if (name == "lod")
        return DebugView::Lod;
    if (name == "mips")
        return DebugView::Mips;
    return name == "albedo" ? DebugView::Albedo : DebugView::None;
}

DrawSubmission submissionOf(const std::string& name)
{
    if (name == "each")
        return DrawSubmission::Each;
    return name == "joined" ? DrawSubmission::Joined : DrawSubmission::Indirect;
}

Result<FrameDesc> firstFrame(const Session& session)
{
    Aabb bounds;
    std::vector<PlacedCamera> cameras;
    for (const auto& scene : session.scenes)
    {
        bounds.include(scene->bounds());
        cameras.insert(cameras.end(), scene->cameras().begin(), scene->cameras().end());
    }
    FrameDesc frame;
    DL_TRY_ASSIGN(frame.camera, chooseCamera(session.options.camera, cameras, bounds, session.options.width, session.options.height));
    frame.debugView = debugView(session.options.view);
    if (!session.options.environmentFile.empty())
        frame.sun.intensity = 0.0f; // the picture has its own
    frame.sun = firstSun(session.sceneList).value_or(frame.sun);
    frame.environment.rotationRadians = glm::radians(session.options.environmentRotationDegrees);
    frame.environment.intensity = session.options.environmentIntensity;
    frame.submission = submissionOf(session.options.submission);
    frame.shadows.isEnabled = session.options.shadows == "on";
    fitShadowDistances(frame.shadows, frame.camera, bounds);
    return frame;
}

constexpr float kFrameSeconds = 1.0f / 60.0f;

float secondsOf(const RenderOptions& options, std::uint32_t frame)
{
    return options.timeSeconds + static_cast<float>(frame) * kFrameSeconds;
}

/// A capture does not hold what the GPU wrote, so its frame deforms everything again and makes its environment;
/// velocity needs the frame before as well.
Result<void> beginCapture(Session& session, FrameDesc frame)
{
    session.renderer->remakeEnvironment();
    for (const auto& scene : session.scenes)
        scene->redeform();
    session.device->capture()->beginCapture();
    if (frame.debugView != DebugView::Velocity)
        return {};
    frame.timeSeconds = std::max(frame.timeSeconds - kFrameSeconds, 0.0f);
    DL_TRY(drawScenes(*session.renderer, session.sceneList, frame));
    return session.renderer->finish();
}

Result<void> drawFrames(Session& session)
{
    for (const auto& scene : session.scenes) // posed before the camera frames them
        scene->update(session.options.timeSeconds);
    DL_TRY_ASSIGN(FrameDesc frame, firstFrame(session));
    frame.timeSeconds = session.options.timeSeconds;
    if (frame.debugView == DebugView::Velocity) // what the first frame is compared with
        frame.timeSeconds = std::max(frame.timeSeconds - kFrameSeconds, 0.0f);
    frame.readObjectIds = session.options.pick.has_value();
    DL_TRY(settleScenes(
        *session.renderer, session.sceneList, frame, [](void* progress) { static_cast<Progress*>(progress)->show("uploading"); },
        &session.progress));
    for (std::uint32_t i = 0; i < session.options.frames; ++i)
    {
        const bool isLast = i + 1 == session.options.frames;
        session.progress.show("drawing", i, session.options.frames);
        frame.timeSeconds = secondsOf(session.options, i);
        if (isLast && session.device->capture() != nullptr)
            DL_TRY(beginCapture(session, frame));
        frame.readPicture = isLast;
        DL_TRY(drawScenes(*session.renderer, session.sceneList, frame));
        DL_TRY(session.renderer->finish());
    }
    DL_TRY(session.renderer->beginFrame()); // the last frame's GPU times
    return {};
}

void fillReport(Session& session)
{
    Report& report = session.report;
    report.view = session.options.view;
    report.width = session.options.width;
    report.height = session.options.height;
    report.frames = session.options.frames;
    const gpu::DeviceInfo& info = session.device->device().info();
    report.deviceName = info.name;
    report.deviceDriver = info.driver;
    report.backend = info.backend;
    report.frame = session.renderer->stats();
    report.frame.refusals = session.renderer->collectRefusals();
    report.hasPicture = session.device->hasPixels();
    report.validation = session.device->validation();
}

PickResult pick(Session& session)
{
    PickResult result{.x = session.options.pick->first, .y = session.options.pick->second, .nodeName = {}, .input = {}};
    const InstanceId id = session.renderer->pick(result.x, result.y);
    for (std::size_t i = 0; i < session.scenes.size() && id; ++i)
        if (const std::uint32_t node = session.scenes[i]->nodeOf(id); node != kNoIndex)
        {
            result.nodeIndex = node;
            result.nodeName = session.descriptions[i].nodes[node].name;
            result.input = session.options.inputs[i];
        }
    return result;
}

void print(const Session& session)
{
    const RenderOptions& options = session.options;
    const Report& report = session.report;
    if (options.isJson)
        std::fputs(reportToJson(report).c_str(), stdout);
    if (options.isJson || options.isQuiet)
        return;
    printWarnings(report);
    std::printf("%s: %s %ux%u, %u draw calls (%u draws) instead of %u, on %s\n", options.outFolder.c_str(),
        report.hasPicture ? "picture.png" : "no picture (null device)", options.width, options.height, report.frame.drawCalls,
        report.frame.draws, report.frame.drawsBefore, report.deviceName.c_str());
    const std::size_t noticeCount = report.importIssues.size() + report.frame.refusals.size();
    if (noticeCount > 0)
        std::printf("%s of the importer and refusals%s\n", counted(noticeCount, "notice").c_str(),
            options.report ? ": see the report" : "; --report lists them");
    if (report.pick && report.pick->nodeIndex == kNoIndex)
        std::printf("picked %u,%u: nothing\n", report.pick->x, report.pick->y);
    else if (report.pick)
        std::printf("picked %u,%u: node %u \"%s\" of %s\n", report.pick->x, report.pick->y, report.pick->nodeIndex,
            report.pick->nodeName.c_str(), report.pick->input.c_str());
}

Result<void> writeResults(Session& session)
{
    const RenderOptions& options = session.options;
    const OutputFolder out(options.outFolder);
    std::vector<std::byte> png;
    if (session.report.hasPicture)
    {
        DL_TRY_ASSIGN(const Image picture, session.renderer->takePicture());
        DL_TRY_ASSIGN(png, encodePng(picture));
        DL_TRY(out.write("picture.png", png));
    }
    if (options.pick)
        session.report.pick = pick(session);
    if (options.report)
    {
        DL_TRY(out.write("report.json", reportToJson(session.report)));
        DL_TRY(out.write("report.html", reportToHtml(session.report, png)));
    }
    if (options.dumpCommands)
        DL_TRY(out.write("commands.txt", gpu::dumpStream(session.renderer->lastStream())));
    if (!options.captureFile.empty())
    {
        DL_TRY_ASSIGN(const gpu::Capture capture, session.device->capture()->endCapture());
        DL_TRY(writeFile(options.captureFile, gpu::encodeCapture(capture)));
    }
    if (const TraceRecorder* recorder = traceRecorder(); recorder != nullptr)
        DL_TRY(writeFile(options.traceFile, recorder->toJson()));
    return {};
}

/// How it ended: what is to be said is said once the progress line is gone.
struct Outcome
{
    ExitCode code = kDone;
    std::string message;
};

Outcome outcomeOf(const Error& error)
{
    return {exitCodeOf(error), error.message};
}

/// Everything that the run reads and writes by a name of the user's.
std::vector<NamedFile> filesOf(const RenderOptions& options)
{
    std::vector<NamedFile> files;
    if (!options.traceFile.empty())
        files.push_back({"--trace", options.traceFile});
    if (!options.captureFile.empty())
        files.push_back({"--capture", options.captureFile});
    const OutputFolder out(options.outFolder);
    files.push_back({"the picture of --out", out.pathOf("picture.png")});
    if (options.report)
        for (const char* name : {"report.json", "report.html"})
            files.push_back({"--report's " + std::string(name), out.pathOf(name)});
    if (options.dumpCommands)
        files.push_back({"--dump-commands' commands.txt", out.pathOf("commands.txt")});
    if (!options.environmentFile.empty())
        files.push_back({"--environment", options.environmentFile, true});
    for (const std::string& input : options.inputs)
        files.push_back({"the input", input, true});
    return files;
}

Outcome run(Session& session)
{
    if (Result<void> loaded = load(session); !loaded)
        return {kBadInput, loaded.error().message};
    if (Result<void> files = refuseOverwriting(filesOf(session.options), session.readFiles); !files)
        return {kUsage, files.error().message};
    for (const std::string& folder : {session.options.outFolder, session.options.device.pipelineCacheFolder})
        if (Result<void> made = OutputFolder(folder).create(); !made && !folder.empty())
            return {kBadInput, made.error().message};
    if (Result<void> made = createRenderer(session); !made)
        return {kNoDevice, made.error().message};
    if (Result<void> made = createScenes(session); !made)
        return outcomeOf(made.error());
    if (Result<void> drawn = drawFrames(session); !drawn)
        return drawn.error().code == ErrorCode::Unsupported ? Outcome{kNoDevice, drawn.error().message} : outcomeOf(drawn.error());
    fillReport(session);
    if (Result<void> written = writeResults(session); !written)
        return outcomeOf(written.error());
    session.progress.clear();
    print(session);
    if (Result<void> saved = session.device->savePipelineCache(); !saved)
        return outcomeOf(saved.error());
    const std::optional<ValidationCounts> validation = session.device->validation();
    for (const FrameRefusal& refusal : session.report.frame.refusals)
        if (refusal.code == reasonInfo(ReasonCode::StaleCommand).name)
            return {kInternal, "a cached command is stale: " + refusal.subject + ", pass " + refusal.stage + ", " + refusal.detail};
    if (validation && validation->faults > 0)
        return {kInternal, counted(validation->faults, "validation fault")};
    if (validation && !session.options.isQuiet && !session.options.isJson)
        printClean(*validation);
    return {};
}

/// What the parser can not see: options that contradict each other.
const char* contradiction(const RenderOptions& options)
{
    constexpr float kMinEyeDistance = 1e-6f;
    if (options.pick && (options.pick->first >= options.width || options.pick->second >= options.height))
        return "--pick lies outside the picture";
    if (options.pick && options.device.backend == "null")
        return "--pick needs a device that draws, and --backend null does not";
    if (options.camera.eye && options.camera.target && glm::distance(*options.camera.eye, *options.camera.target) < kMinEyeDistance)
        return "--eye and --target are the same point, so there is no direction to look in";
    if (options.camera.orbit && options.camera.orbit->z < 0.0f)
        return "--orbit: the distance is negative; 0 fits the scene";
    if (options.device.loseAtSubmission != 0 && options.device.backend != "null")
        return "--lose-device-at works with --backend null only";
    return nullptr;
}

} // namespace

int runRender(const RenderOptions& options)
{
    if (const char* text = contradiction(options); text != nullptr)
        return fail(kUsage, text);
    if (const Result<void> files = refuseSameFiles(filesOf(options)); !files)
        return fail(kUsage, files.error().message.c_str());
    setThreadCount(options.threads);
    std::optional<TraceRecorder> recorder;
    if (!options.traceFile.empty())
        setTraceRecorder(&recorder.emplace(1U << 18U));
    Outcome outcome;
    {
        Session session(options);
        outcome = run(session);
    }
    setTraceRecorder(nullptr);
    return outcome.message.empty() ? outcome.code : fail(outcome.code, outcome.message.c_str());
}

} // namespace dl::cli
