// `drawloom render`: loads the inputs, draws the frames, writes what was asked for.
#include "apps/cli/camera_choice.h"
#include "apps/cli/device_choice.h"
#include "apps/cli/exit_codes.h"
#include "apps/cli/output_files.h"
#include "apps/cli/progress.h"
#include "apps/cli/render_options.h"
#include "apps/cli/report.h"
#include "drawloom/asset/composition.h"
#include "drawloom/asset/png_write.h"
#include "drawloom/core/parallel.h"
#include "drawloom/core/trace.h"
#include "drawloom/gpu/command_stream.h"
#include "drawloom/render/offscreen.h"

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
    std::unique_ptr<ChosenDevice> device;
    std::unique_ptr<Renderer> renderer;
    std::vector<std::unique_ptr<SceneInstance>> scenes; ///< die before the renderer
    std::vector<SceneInstance*> sceneList;
    Report report;

    explicit Session(const RenderOptions& o) : options(o), progress(o.isQuiet || o.isJson) {}
};

void addCounts(SceneCounts& total, const SceneCounts& more)
{
    total.nodes += more.nodes;
    total.meshes += more.meshes;
    total.primitives += more.primitives;
    total.materials += more.materials;
    total.textures += more.textures;
    total.triangles += more.triangles;
    total.instances += more.instances;
    total.skins += more.skins;
    total.morphTargets += more.morphTargets;
}

Result<void> load(Session& session)
{
    DL_TRACE_SCOPE("load");
    for (std::size_t i = 0; i < session.options.inputs.size(); ++i)
    {
        const std::string& input = session.options.inputs[i];
        session.progress.show("loading", i, session.options.inputs.size());
        DL_TRY_ASSIGN(SceneDescription scene, loadScene(input));
        addCounts(session.report.scene, countScene(scene));
        session.report.importIssues.insert(session.report.importIssues.end(), scene.issues.begin(), scene.issues.end());
        session.report.input += (i == 0 ? "" : ", ") + input;
        session.descriptions.push_back(std::move(scene));
    }
    return {};
}

Result<void> prepare(Session& session)
{
    DL_TRACE_SCOPE("prepare");
    session.progress.show("preparing");
    RendererSettings settings;
    settings.width = session.options.width;
    settings.height = session.options.height;
    settings.measuresGpuTime = session.options.report || session.options.isJson;
    DL_TRY_ASSIGN(session.renderer, Renderer::create(session.device->device(), settings));
    for (const SceneDescription& description : session.descriptions)
    {
        Result<std::unique_ptr<SceneInstance>> scene =
            SceneInstance::create(description, session.renderer->library(), session.renderer->registry());
        if (!scene)
            return withContext(std::move(scene).error(), description.name);
        session.scenes.push_back(std::move(scene).value());
        session.sceneList.push_back(session.scenes.back().get());
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
    return name == "albedo" ? DebugView::Albedo : DebugView::None;
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
    frame.sun = firstSun(session.sceneList).value_or(frame.sun);
    return frame;
}

Result<void> drawFrames(Session& session)
{
    for (const auto& scene : session.scenes) // posed before the camera frames them
        scene->update(session.options.timeSeconds);
    DL_TRY_ASSIGN(FrameDesc frame, firstFrame(session));
    frame.timeSeconds = session.options.timeSeconds;
    DL_TRY(settleScenes(
        *session.renderer, session.sceneList, frame, [](void* progress) { static_cast<Progress*>(progress)->show("uploading"); },
        &session.progress));
    for (std::uint32_t i = 0; i < session.options.frames; ++i)
    {
        const bool isLast = i + 1 == session.options.frames;
        session.progress.show("drawing", i, session.options.frames);
        frame.timeSeconds = session.options.timeSeconds + static_cast<float>(i) / 60.0f;
        frame.readPicture = isLast;
        frame.readObjectIds = isLast && session.options.pick.has_value();
        if (isLast && session.device->capture() != nullptr)
            session.device->capture()->beginCapture();
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
}

void printPick(Session& session)
{
    const auto [x, y] = *session.options.pick;
    const InstanceId id = session.renderer->pick(x, y);
    for (std::size_t i = 0; i < session.scenes.size() && id; ++i)
        if (const std::uint32_t node = session.scenes[i]->nodeOf(id); node != kNoIndex)
        {
            std::printf("picked %u,%u: node %u \"%s\" of %s\n", x, y, node, session.descriptions[i].nodes[node].name.c_str(),
                session.options.inputs[i].c_str());
            return;
        }
    std::printf("picked %u,%u: nothing\n", x, y);
}

Result<void> writeResults(Session& session)
{
    const RenderOptions& options = session.options;
    OutputFolder out(options.outFolder);
    DL_TRY(out.create());
    std::vector<std::byte> png;
    if (session.device->hasPixels())
    {
        DL_TRY_ASSIGN(const Image picture, session.renderer->takePicture());
        DL_TRY_ASSIGN(png, encodePng(picture));
        DL_TRY(out.write("picture.png", png));
    }
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
        DL_TRY(gpu::saveCapture(capture, options.captureFile));
    }
    if (options.isJson)
        std::fputs(reportToJson(session.report).c_str(), stdout);
    else if (!options.isQuiet)
        std::printf("%s: %s %ux%u, %u draws for %u objects, on %s\n", out.path().c_str(),
            session.device->hasPixels() ? "picture.png" : "no picture (null device)", options.width, options.height,
            session.report.frame.draws, session.report.frame.drawsBefore, session.report.deviceName.c_str());
    if (options.pick && !options.isJson)
        printPick(session);
    return {};
}

int run(Session& session)
{
    if (session.options.pick &&
        (session.options.pick->first >= session.options.width || session.options.pick->second >= session.options.height))
        return fail(kUsage, "--pick lies outside the picture");
    if (Result<void> loaded = load(session); !loaded)
        return fail(kBadInput, loaded.error().message.c_str());
    Result<std::unique_ptr<ChosenDevice>> device = ChosenDevice::create(session.options.device, !session.options.captureFile.empty());
    if (!device)
        return fail(kNoDevice, device.error().message.c_str());
    session.device = std::move(device).value();
    for (const auto step : {&prepare, &drawFrames})
        if (Result<void> done = step(session); !done)
            return fail(done.error());
    fillReport(session);
    if (Result<void> written = writeResults(session); !written)
        return fail(written.error());
    if (session.device->faultCount() > 0)
        return fail(kInternal, (std::to_string(session.device->faultCount()) + " validation faults").c_str());
    return kDone;
}

} // namespace

int runRender(const RenderOptions& options)
{
    setThreadCount(options.threads);
    std::optional<TraceRecorder> recorder;
    if (!options.traceFile.empty())
        setTraceRecorder(&recorder.emplace(1U << 18U));
    int code = kInternal;
    {
        Session session(options);
        code = run(session);
    }
    if (recorder)
    {
        setTraceRecorder(nullptr);
        if (Result<void> written = writeFile(options.traceFile, recorder->toJson()); !written && code == kDone)
            code = fail(written.error());
    }
    return code;
}

} // namespace dl::cli
