// bench/bench_frame.cpp - CPU time of the whole frame by stage on the null device: many instances of 200 mesh sets and 50
// materials, a tenth of which moves each frame, before a camera that moves. The peer, in the same run: one draw for each
// visible instance and section, recorded and submitted in the order of the objects. Stages are medians over the frames.
#include "bench/plain_draws.h"
#include "drawloom/core/hash.h"
#include "drawloom/core/parallel.h"
#include "drawloom/core/trace.h"
#include "drawloom/gpu/null_device.h"
#include "drawloom/render/offscreen.h"
#include "tests/gpu/allocation_count.h"
#include "tests/scenes/scenes.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace
{

using namespace dl;

constexpr std::uint32_t kWidth = 1920, kHeight = 1080;
constexpr int kWarmFrames = 50, kFrames = 150; // both once around the field

double msSince(std::uint64_t begin)
{
    return static_cast<double>(nowNs() - begin) * 1e-6;
}

double median(std::vector<double>& values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

struct Mover
{
    InstanceId id;
    WorldTransform start;
};

struct World
{
    std::unique_ptr<gpu::NullDevice> device = gpu::createNullDevice({.keepsContents = false});
    std::unique_ptr<Renderer> renderer;
    std::unique_ptr<SceneInstance> scene;
    FrameDesc frame;
    std::vector<Mover> movers;
    float side = 0.0f;

    explicit World(std::uint32_t instanceCount)
    {
        RendererSettings settings{.width = kWidth, .height = kHeight};
        renderer = std::move(Renderer::create(*device, settings)).value();
        scene =
            std::move(SceneInstance::create(scenes::makeManyInstances(instanceCount, 200, 50), renderer->library(), renderer->registry()))
                .value();
        side = 2.0f * std::sqrt(static_cast<float>(instanceCount));
        frame.camera = toRenderCamera(scene->cameras().front());
        frame.shadows.isEnabled = false; // the peer draws the passes of the camera
        SceneInstance* const scenes[] = {scene.get()};
        settleScenes(*renderer, scenes, frame).value();
        for (std::uint32_t heapId = 0; movers.size() < instanceCount / 10; heapId += 10)
            if (const InstanceId id = renderer->registry().findByHeapId(heapId); id)
                movers.push_back({id, renderer->registry().transform(id)});
    }

    /// The camera circles over the field once while `turn` goes from 0 to 1; every tenth instance bobs.
    void pose(float turn)
    {
        const float t = 6.2831853f * turn;
        const float radius = 0.45f * side;
        frame.camera = lookAtCamera({radius * std::sin(t), 0.1f * side, radius * std::cos(t)}, {0.0, 0.0, 0.0});
        frame.camera.yFovRadians = 0.9f;
        for (std::size_t m = 0; m < movers.size(); ++m)
        {
            WorldTransform transform = movers[m].start;
            transform.affine.rows[1].w += 0.3f * std::sin(5.0f * t + static_cast<float>(m));
            renderer->registry().move(movers[m].id, transform);
        }
    }
};

struct Samples
{
    enum Stage
    {
        Queue, ///< calls of SceneRegistry::move by the program
        Edits,
        Cull,
        Sort,
        Join,
        Encode,
        Submit,
        Other, ///< upload, graph, statistics: the rest of renderFrame
        Total, ///< of renderFrame
        Plain, ///< record and submit of the peer
        StageCount
    };
    std::array<std::vector<double>, StageCount> ms;
};
constexpr const char* kStageNames[] = {
    "queue_ms", "edits_ms", "cull_ms", "sort_ms", "join_ms", "encode_ms", "submit_ms", "other_ms", "frame_ms", "plain_ms"};

/// The peer's frame: culling is the same call and is not timed.
double plainFrame(World& world, bench::PlainDraws& plain, VisibleRunSink& sink, gpu::CommandStream& stream)
{
    const FrameDesc& frame = world.frame;
    const View view{.viewProjection = viewProjection(frame.camera, kWidth, kHeight), .forward = frame.camera.forward};
    const ViewGroup group{.lodScale = 1.0f / std::tan(0.5f * frame.camera.yFovRadians)};
    sink.clear();
    world.renderer->registry().cull({{&view, 1}, {&group, 1}, frame.camera.position}, sink);
    plain.setVisible(sink);
    const std::uint64_t begin = nowNs();
    stream.clear();
    plain.record(0, stream);
    if (!world.device->submit(stream.bytes()))
        std::abort();
    return msSince(begin);
}

void oneFrame(World& world, float turn, Samples* samples)
{
    const std::uint64_t queueBegin = nowNs();
    world.pose(turn);
    const double queueMs = msSince(queueBegin);
    world.renderer->beginFrame().value();
    const std::uint64_t begin = nowNs();
    world.renderer->renderFrame(world.frame).value();
    const double totalMs = msSince(begin);
    if (samples == nullptr)
        return;
    const FrameStageMs& stages = world.renderer->stats().cpuMs;
    double values[] = {queueMs, stages.edits, stages.cull, stages.sort, stages.join, stages.encode, stages.submit, 0.0, totalMs};
    values[Samples::Other] = totalMs - stages.edits - stages.cull - stages.sort - stages.join - stages.encode - stages.submit;
    for (std::size_t stage = 0; stage < std::size(values); ++stage)
        samples->ms[stage].push_back(values[stage]);
}

void frame(benchmark::State& state)
{
    setThreadCount(static_cast<std::uint32_t>(state.range(1)));
    World world(static_cast<std::uint32_t>(state.range(0)));
    bench::PlainDraws plain(world.renderer->library(), *world.device, kWidth, kHeight);
    VisibleRunSink sink;
    gpu::CommandStream stream;
    Samples samples;
    for (std::vector<double>& ms : samples.ms)
        ms.reserve(kFrames);
    for (int i = 0; i < kWarmFrames; ++i)
        oneFrame(world, static_cast<float>(i) / kWarmFrames, nullptr);
    int i = 0;
    std::size_t allocations = 0;
    for (auto _ : state)
    {
        const std::size_t before = gpu::allocationCount();
        oneFrame(world, static_cast<float>(i++) / kFrames, &samples);
        allocations += gpu::allocationCount() - before;
        state.PauseTiming();
        samples.ms[Samples::Plain].push_back(plainFrame(world, plain, sink, stream));
        state.ResumeTiming();
    }
    for (std::size_t stage = 0; stage < Samples::StageCount; ++stage)
        state.counters[kStageNames[stage]] = median(samples.ms[stage]);
    double draws = 0, drawsBefore = 0;
    for (const PassFrameStats& pass : world.renderer->stats().passes)
        if (pass.isMeshPass)
        {
            draws += pass.draws;
            drawsBefore += pass.drawsBefore;
        }
    if (static_cast<std::uint64_t>(drawsBefore) != plain.drawCount())
        state.SkipWithError("the peer draws something else");
    const auto of = [&](Samples::Stage stage) { return median(samples.ms[stage]); };
    const double drawing = of(Samples::Sort) + of(Samples::Join) + of(Samples::Encode) + of(Samples::Submit);
    state.counters["draws"] = draws;
    state.counters["draws_before"] = drawsBefore;
    state.counters["plain_over_drawing"] = of(Samples::Plain) / drawing;
    state.counters["plain_over_frame"] = of(Samples::Plain) / of(Samples::Total);
    state.counters["allocations"] = static_cast<double>(allocations);
    state.counters["stream_bytes"] = static_cast<double>(world.renderer->lastStream().size());
    state.counters["hash32"] = static_cast<double>(hashBytes(world.renderer->lastStream()) >> 32U);
    setThreadCount(0);
}

BENCHMARK(frame)
    ->ArgNames({"instances", "threads"})
    ->Args({100000, 1})
    ->Args({100000, 2})
    ->Args({10000, 1})
    ->Iterations(kFrames)
    ->Unit(benchmark::kMillisecond)
    ->UseRealTime();

} // namespace

BENCHMARK_MAIN();
