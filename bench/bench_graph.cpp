// bench/bench_graph.cpp - CPU cost of a whole render graph frame (declare, compile, execute) on the null device: cold (the
// topology is new) and warm (its plan is reused), and a hash of the commands.
#include "drawloom/core/hash.h"
#include "drawloom/gpu/null_device.h"
#include "drawloom/graph/render_graph.h"

#include <benchmark/benchmark.h>

namespace
{

using namespace dl;
using namespace dl::graph;

/// A chain of raster passes in which each samples the two before it, with a compute pass on a buffer at every fourth;
/// `variant` changes the topology.
void declare(RenderGraph& graph, std::uint32_t passCount, std::uint32_t variant)
{
    TextureHandle before[2];
    BufferHandle buffer = graph.createBuffer({.label = "buffer", .bytes = 256});
    buffer = graph.addComputePass("start").write(buffer, gpu::Access::StorageWrite);
    for (std::uint32_t p = 1; p < passCount; ++p)
    {
        if (p % 4 == 3)
        {
            PassBuilder pass = graph.addComputePass("compute");
            pass.read(before[1], gpu::Access::SampledRead);
            buffer = pass.write(buffer, gpu::Access::StorageWrite);
            pass.execute([](PassContext& context) { context.stream().dispatch(1, 1, 1); });
            continue;
        }
        RasterPassBuilder pass = graph.addRasterPass("raster");
        for (const TextureHandle input : before)
            if (input)
                pass.read(input, gpu::Access::SampledRead);
        pass.read(buffer, gpu::Access::StorageRead);
        TextureHandle target = graph.createTexture({.label = "target", .size = GraphSize::absolute(256, 256)});
        target = pass.color(0, target);
        if (p == variant % passCount)
            pass.neverCull();
        pass.execute([](PassContext& context) { context.stream().draw({.vertexCount = 3}); });
        before[0] = before[1];
        before[1] = target;
    }
    PassBuilder end = graph.addCopyPass("end");
    end.read(before[1], gpu::Access::CopyRead);
    end.sideEffects();
}

void frame(benchmark::State& state, bool isWarm)
{
    const auto device = gpu::createNullDevice();
    RenderGraph graph(*device);
    gpu::CommandStream stream;
    const auto passCount = static_cast<std::uint32_t>(state.range(0));
    std::uint32_t variant = 1;
    for (auto _ : state)
    {
        graph.beginFrame();
        declare(graph, passCount, variant);
        stream.clear();
        if (!graph.compile() || !graph.execute(stream))
            state.SkipWithError("the graph failed");
        variant = isWarm ? variant : variant % (passCount - 1) + 1;
    }
    state.counters["barriers"] = graph.stats().textureBarrierCount + graph.stats().bufferBarrierCount;
    state.counters["aliased_share"] =
        static_cast<double>(graph.stats().transientBytes) / static_cast<double>(graph.stats().transientBytesWithoutAliasing);
    state.counters["plans"] = static_cast<double>(graph.stats().plansMade);
    state.counters["hash32"] = static_cast<double>(hashBytes(stream.bytes()) >> 32U);
}

void warm(benchmark::State& state)
{
    frame(state, true);
}

void cold(benchmark::State& state)
{
    frame(state, false);
}

BENCHMARK(warm)->Arg(50)->Arg(500)->Unit(benchmark::kMicrosecond);
BENCHMARK(cold)->Arg(50)->Arg(500)->Unit(benchmark::kMicrosecond);

} // namespace

BENCHMARK_MAIN();
