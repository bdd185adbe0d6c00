// bench/bench_selection.cpp - what selecting 1 % of many instances costs by SceneRegistry::setFlags and by mark, through the sample's
// outline on the null device. Both worlds take turns in one run; frames select, leave all as it is and unselect in turn. Medians.
#include "apps/samples/outline_feature.h"
#include "drawloom/core/parallel.h"
#include "drawloom/core/trace.h"
#include "drawloom/gpu/null_device.h"
#include "drawloom/render/offscreen.h"
#include "sampleShaders.h"
#include "tests/scenes/scenes.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

namespace
{

using namespace dl;
using samples::OutlineSelection;

constexpr int kWarmFrames = 21, kFrames = 150;
enum Kind : std::size_t ///< of a frame, in their order
{
    Select,
    Still,
    Unselect,
    KindCount
};

struct World
{
    std::unique_ptr<gpu::NullDevice> device = gpu::createNullDevice({.keepsContents = false});
    gpu::ShaderArchive shaders = gpu::ShaderArchive::open(samples::sampleShaders()).value();
    std::unique_ptr<samples::OutlineFeature> outline;
    std::unique_ptr<Renderer> renderer = std::move(Renderer::create(*device, {.width = 1920, .height = 1080})).value();
    std::unique_ptr<SceneInstance> scene;
    OutlineSelection selection;
    std::vector<InstanceId> chosen; ///< one of a hundred
    FrameDesc frame;
    std::vector<double> editMs[KindCount], frameMs[KindCount];
    std::uint64_t commandsBuilt[KindCount] = {}; ///< in the last frame of each kind
    std::uint32_t maskInstances[KindCount] = {};

    World(std::uint32_t instanceCount, OutlineSelection by) : selection(by)
    {
        outline = std::move(samples::OutlineFeature::create(*device, *renderer, shaders, {.selection = by})).value();
        renderer->addFeature(*outline);
        scene =
            std::move(SceneInstance::create(scenes::makeManyInstances(instanceCount, 200, 50), renderer->library(), renderer->registry()))
                .value();
        frame.camera = orbitCamera(scene->bounds(), 30.0f, 25.0f, 0.0f, 0.7f, 16.0f / 9.0f); // sees all of them
        SceneInstance* const scenes[] = {scene.get()};
        settleScenes(*renderer, scenes, frame).value();
        for (HeapId id = 0; chosen.size() < instanceCount / 100; id += 100)
            if (const InstanceId instance = renderer->registry().findByHeapId(id); instance)
                chosen.push_back(instance);
    }
    ~World() { renderer->removeFeature(*outline); }

    void select(bool isSelected)
    {
        for (const InstanceId id : chosen)
            if (selection == OutlineSelection::Mark)
                renderer->registry().mark(id, isSelected);
            else
                renderer->registry().setFlags(id, isSelected ? BatchFlags(BatchFlag::Selected) : BatchFlags());
    }

    void oneFrame(Kind kind, bool isCounted)
    {
        if (kind != Still)
            select(kind == Select);
        const std::uint64_t built = renderer->library().counters().commandsBuilt;
        const std::uint64_t begin = nowNs();
        renderer->beginFrame().value();
        renderer->renderFrame(frame).value();
        if (!isCounted)
            return;
        frameMs[kind].push_back(static_cast<double>(nowNs() - begin) * 1e-6);
        editMs[kind].push_back(renderer->stats().cpuMs.edits);
        commandsBuilt[kind] = renderer->library().counters().commandsBuilt - built;
        for (const PassFrameStats& pass : renderer->stats().passes)
            if (pass.name == "mask")
                maskInstances[kind] = pass.drawsBefore;
    }
};

double median(std::vector<double>& values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

void report(benchmark::State& state, const std::string& name, World& world)
{
    state.counters[name + "_select_ms"] = median(world.editMs[Select]);
    state.counters[name + "_unselect_ms"] = median(world.editMs[Unselect]);
    state.counters[name + "_select_frame_ms"] = median(world.frameMs[Select]);
    state.counters[name + "_still_frame_ms"] = median(world.frameMs[Still]);
    state.counters[name + "_commands_built"] = static_cast<double>(world.commandsBuilt[Select]);
    state.counters[name + "_mask_instances"] = world.maskInstances[Select];
}

void selection(benchmark::State& state)
{
    setThreadCount(1);
    const auto count = static_cast<std::uint32_t>(state.range(0));
    World flagged(count, OutlineSelection::Flag), marked(count, OutlineSelection::Mark);
    for (int warm = 0; warm < kWarmFrames; ++warm)
        for (World* world : {&flagged, &marked})
            world->oneFrame(static_cast<Kind>(warm % KindCount), false);
    int i = 0;
    for (auto _ : state)
    {
        for (World* world : {&flagged, &marked})
            world->oneFrame(static_cast<Kind>(i % KindCount), true);
        ++i;
    }
    report(state, "flag", flagged);
    report(state, "mark", marked);
    state.counters["flag_over_mark_edits"] = median(flagged.editMs[Select]) / median(marked.editMs[Select]);
    state.counters["mark_over_flag_still_frame"] = median(marked.frameMs[Still]) / median(flagged.frameMs[Still]);
    if (flagged.maskInstances[Unselect] != 0 || flagged.maskInstances[Select] == 0)
        state.SkipWithError("the mask does not follow the selection");
    setThreadCount(0);
}

BENCHMARK(selection)->ArgName("instances")->Arg(100000)->Iterations(kFrames)->Unit(benchmark::kMillisecond)->UseRealTime();

} // namespace

BENCHMARK_MAIN();
