// bench/bench_draw.cpp - what a pass costs on the CPU once culling is done: sort, join, encode on the null device. 100,000 batches of
// 200 materials and 4 texture sets, a million instances, 20,000 visible runs of ten; and what declaring a batch costs. Cold: the caches
// are emptied before each frame, as a program's own work would. The peer `each` draws every visible instance and section for itself
// (DrawSubmission::Each) in the same frames. Medians; a hash of the draws.
#include "drawloom/core/hash.h"
#include "drawloom/core/parallel.h"
#include "drawloom/core/trace.h"
#include "drawloom/draw/draw_frame.h"
#include "drawloom/gpu/null_device.h"
#include "drawloom/render/builtin_shaders.h"
#include "drawloom/resource/gpu_resources.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <array>
#include <random>
#include <vector>

namespace
{

using namespace dl;

constexpr std::uint32_t kBatches = 100000, kInstancesPerBatch = 10, kVisibleRuns = 20000, kMaterials = 200, kTextureSets = 4;
constexpr std::size_t kFlushBytes = std::size_t(96) << 20U; // three times the third-level cache that one core sees here

double msSince(std::uint64_t begin)
{
    return static_cast<double>(nowNs() - begin) * 1e-6;
}

double median(std::vector<double> values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Every fifth batch is visible; which, and how far, changes a little from frame to frame.
class RunSource final : public DrawSource
{
public:
    struct Run
    {
        MeshSetId meshSet;
        HeapId firstId = 0;
        std::vector<vec3> centres;
    };
    void cull(const ViewSet& views, VisibleRunSink& sink) override
    {
        std::array<std::uint32_t, kInstancesPerBatch> ids = {};
        const std::uint64_t allViews = views.views.size() == 64 ? ~0ULL : (1ULL << views.views.size()) - 1;
        for (std::size_t i = first; i < runs.size(); i += kBatches / kVisibleRuns)
        {
            for (std::uint32_t k = 0; k < kInstancesPerBatch; ++k)
                ids[k] = runs[i].firstId + k;
            VisibleRun run;
            run.meshSet = runs[i].meshSet;
            run.viewMask = allViews;
            sink.add(run, ids, runs[i].centres);
        }
    }
    std::vector<Run> runs;
    std::size_t first = 0;
};

MeshPassDesc passDesc(const char* name, const char* shader, SortOrder order)
{
    MeshPassDesc desc;
    desc.name = name;
    desc.opaque = {shader, order == SortOrder::FrontToBack ? StreamSet::Position : StreamSet::Full};
    if (order == SortOrder::State)
        desc.colorTargets.push_back({gpu::Format::RGBA16Float, false, {}, 0xF});
    desc.depth = {gpu::Format::Depth32Float, true, gpu::CompareOp::GreaterEqual};
    desc.order = order;
    return desc;
}

struct World
{
    std::unique_ptr<gpu::NullDevice> device = gpu::createNullDevice({.keepsContents = false});
    std::unique_ptr<GpuResources> resources = std::move(GpuResources::create(*device)).value();
    gpu::ShaderArchive archive = gpu::ShaderArchive::open(builtinShaderArchive()).value();
    DrawLibrary library{*device, *resources};
    DrawFrame frame{library};
    RunSource source;
    std::vector<MeshPassId> passes;
    std::vector<MaterialId> materials;
    gpu::CommandStream stream;
    std::vector<gpu::Completion> completions;
    double declareNs = 0.0; ///< of one batch in one pass

    World()
    {
        library.addArchive(archive);
        passes = {library.addPass(passDesc("depth", "depth", SortOrder::FrontToBack)).value(),
            library.addPass(passDesc("opaque", "debug", SortOrder::State)).value()};
        addMaterials();
        std::vector<MeshSetDesc> descs = meshSets();
        const std::uint64_t begin = nowNs();
        for (std::size_t i = 0; i < descs.size(); ++i)
            source.runs[i].meshSet = library.addMeshSet(descs[i]).value();
        declareNs = msSince(begin) * 1e6 / static_cast<double>(kBatches * passes.size());
        placeInstances();
        for (int i = 0; i < 8; ++i) // pipelines, uploads
            draw(DrawSubmission::Indirect);
    }
    void addMaterials()
    {
        for (std::uint32_t i = 0; i < kMaterials; ++i)
        {
            TextureSetDesc set;
            set.samplers[0].wrapU = i % 2 == 0 ? WrapMode::Repeat : WrapMode::ClampToEdge;
            set.samplers[0].wrapV = i / 2 % 2 == 0 ? WrapMode::Repeat : WrapMode::ClampToEdge;
            static_assert(kTextureSets == 4);
            DrawMaterialDesc desc;
            desc.name = "material";
            desc.params = packMaterial(Material{});
            desc.params.flags |= i % 10 == 0 ? kMaterialDoubleSidedBit : 0;
            desc.textureSet = resources->textureSets().acquire(set).value();
            materials.push_back(library.addMaterial(desc).value());
        }
    }
    std::vector<MeshSetDesc> meshSets()
    {
        std::vector<MeshSetDesc> descs(kBatches);
        source.runs.resize(kBatches);
        for (std::uint32_t i = 0; i < kBatches; ++i)
        {
            Primitive primitive;
            primitive.positions = {{-1, -1, 0}, {1, -1, 0}, {0, 1, 0}};
            primitive.normals.assign(3, vec3(0, 0, 1));
            primitive.indices = {0, 1, 2};
            descs[i].name = "mesh";
            descs[i].lods.emplace_back().sections.emplace_back().range =
                resources->geometry().add(packPrimitive(primitive, 0).value()).value();
            descs[i].materials = {materials[i * 7919U % kMaterials]};
            descs[i].bounds = {vec3(-1, -1, 0), vec3(1, 1, 0)};
        }
        return descs;
    }
    void placeInstances()
    {
        std::mt19937 random(1);
        const auto metres = [&random](float range) { return range * static_cast<float>(random() % 100000U) / 100000.0f; };
        for (RunSource::Run& run : source.runs)
        {
            const InstanceBlockId block = resources->instances().allocateBlock(kInstancesPerBatch).value();
            run.firstId = resources->instances().block(block).firstId;
            const vec3 place(metres(400) - 200, metres(20), -metres(500));
            InstanceRecord record;
            record.materialRef = library.findMeshSet(run.meshSet)->materialRef;
            for (std::uint32_t k = 0; k < kInstancesPerBatch; ++k)
            {
                run.centres.push_back(place + vec3(metres(4), 0, metres(4)));
                record.row0.w = run.centres.back().x;
                resources->instances().write(block, k, record);
            }
        }
    }
    void draw(DrawSubmission submission)
    {
        const View view{.viewProjection = perspectiveReversed(1.0f, 1.6f, 0.1f, 1000.0f)};
        const ViewGroup group;
        DrawSource* const sources[] = {&source};
        ViewUniforms uniforms;
        const std::uint32_t offset = resources->views().push(uniforms).value();
        frame.setSettings({.submission = submission});
        frame.build(ViewSet{{&view, 1}, {&group, 1}, {}}, sources);
        stream.clear();
        resources->flush(stream).value();
        for (const MeshPassId pass : passes)
            frame.encode(pass, 0, {resources->bindings().frameGroup(), offset, resources->bindings().emptyGroup()}, stream);
        // Without render passes around them the null device would not take the draws; the uploads went with the frames before.
        completions.clear();
        device->poll(completions);
        for (const gpu::Completion& completion : completions)
            library.onCompletion(completion);
        resources->onSubmitted(device->submit({}).value());
        resources->beginFrame();
    }
};

World& world()
{
    static World made;
    return made;
}

void emptyCaches()
{
    static std::vector<std::uint64_t> bytes(kFlushBytes / 8, 1);
    std::uint64_t sum = 0;
    for (std::uint64_t& word : bytes)
        sum += ++word;
    benchmark::DoNotOptimize(sum);
}

struct Samples
{
    std::vector<double> sort, join, encode;
    std::vector<double> passes[2];

    void take(const DrawFrame& frame)
    {
        const StageTimes times = frame.stageTimes();
        sort.push_back(times.sortMs);
        join.push_back(times.joinMs);
        encode.push_back(times.encodeMs);
        for (std::size_t i = 0; i < 2; ++i)
            passes[i].push_back(frame.passStats()[i].cpuMs);
    }
    double sumMs() const { return median(sort) + median(join) + median(encode); }
};

void passes(benchmark::State& state)
{
    const bool isCold = state.range(0) != 0;
    setThreadCount(1);
    World& w = world();
    Samples each, ours;
    std::uint64_t hash = 0;
    std::size_t frameNumber = 0;
    for (auto _ : state)
    {
        w.source.first = frameNumber++ % 5; // other batches come into view
        for (const DrawSubmission submission : {DrawSubmission::Each, DrawSubmission::Indirect})
        {
            if (isCold)
                emptyCaches();
            w.draw(submission);
            (submission == DrawSubmission::Each ? each : ours).take(w.frame);
        }
        hash = hashCombine(hash, w.frame.draws(w.passes[1], 0).size());
        state.SetIterationTime(ours.sumMs() * 1e-3);
    }
    setThreadCount(0);
    state.counters["sort_ms"] = median(ours.sort);
    state.counters["join_ms"] = median(ours.join);
    state.counters["encode_ms"] = median(ours.encode);
    state.counters["depth_ms"] = median(ours.passes[0]);
    state.counters["opaque_ms"] = median(ours.passes[1]);
    state.counters["vs_peer"] = each.sumMs() / ours.sumMs();
    state.counters["draws"] = static_cast<double>(w.frame.passStats()[1].draws);
    state.counters["drawCalls"] = static_cast<double>(w.frame.passStats()[1].drawCalls);
    state.counters["hash32"] = static_cast<double>(hash >> 32U);
}

void declare(benchmark::State& state)
{
    for (auto _ : state)
        state.SetIterationTime(world().declareNs * 1e-9);
    state.counters["ns_per_batch_and_pass"] = world().declareNs;
}

BENCHMARK(passes)->ArgName("cold")->Arg(0)->Arg(1)->UseManualTime()->Unit(benchmark::kMillisecond)->Iterations(40);
BENCHMARK(declare)->UseManualTime()->Iterations(1);

} // namespace

BENCHMARK_MAIN();
