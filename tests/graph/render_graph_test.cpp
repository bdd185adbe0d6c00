// The graph on the null device behind the validation device: streams, reuse, culling, extraction, failures.
#include "graph_world.h"
#include "tests/gpu/allocation_count.h"

#include <gmock/gmock.h>

namespace dl::graph::test
{
namespace
{

using testing::HasSubstr;

std::uint64_t createdCount(const GraphWorld& world)
{
    const GraphStats& stats = world.graph->stats();
    return stats.texturesCreated + stats.buffersCreated + stats.viewsCreated + stats.bindGroupsCreated;
}

TEST(RenderGraph, SmallFrameRunsCleanUnderTheValidationDevice)
{
    GraphWorld world;
    for (int frame = 0; frame < 20; ++frame)
        ASSERT_TRUE(world.runFrame()) << "frame " << frame << ": " << world.messages;
    EXPECT_TRUE(world.graph->warnings().empty());
    EXPECT_EQ(world.null->stats().submissionCount, 20U);
}

TEST(RenderGraph, RecordsTheCommandsOfASmallFrame)
{
    GraphWorld world;
    ASSERT_TRUE(world.runFrame()) << world.messages;
    EXPECT_EQ(gpu::dumpStream(world.stream.bytes()),
        R"(Barriers b0 None->CopyWrite
PushDebugGroup "clear exposure"
  ClearBuffer b0+0 256 bytes
PopDebugGroup
Barriers t1 mips 0+1 layers 0+1 None->DepthWrite
BeginRenderPass "depth prepass" 64x64 depth v0 clear store (0)
EndRenderPass
Barriers t1 mips 0+1 layers 0+1 DepthWrite->DepthRead t2 mips 0+1 layers 0+1 None->ColorWrite
BeginRenderPass "opaque" 64x64 color v1 clear store (0.25 0.5 0.75 1) depth v0 read-only load store
EndRenderPass
Barriers t2 mips 0+1 layers 0+1 ColorWrite->SampledRead b0 CopyWrite->StorageWrite
BeginComputePass "exposure"
  SetPipeline p1
  SetBindGroup 0 g0
  Dispatch 1,1,1
EndComputePass
Barriers t0 mips 0+1 layers 0+1 None->ColorWrite b0 StorageWrite->StorageRead
BeginRenderPass "tonemap" 64x64 color v2 clear store (0 0 0 0)
  SetPipeline p0
  SetBindGroup 0 g1
  Draw vertices 0+3 instances 0+1
EndRenderPass
Barriers t0 mips 0+1 layers 0+1 ColorWrite->CopyRead
)");
}

TEST(RenderGraph, SecondFrameCreatesNothing)
{
    GraphWorld world;
    ASSERT_TRUE(world.runFrame()) << world.messages;
    const std::uint64_t created = createdCount(world);
    EXPECT_GT(created, 0U);
    for (int frame = 0; frame < 20; ++frame)
    {
        ASSERT_TRUE(world.runFrame()) << world.messages;
        ASSERT_EQ(createdCount(world), created) << "frame " << frame;
    }
}

TEST(RenderGraph, WarmFrameAllocatesNothingAndPlansNothing)
{
    GraphWorld world;
    for (int frame = 0; frame < 2; ++frame)
        ASSERT_TRUE(world.runFrame()) << world.messages;
    const std::size_t before = gpu::allocationCount();
    world.graph->beginFrame();
    world.declareFrame();
    world.stream.clear();
    const bool isGood = world.graph->compile().has_value() && world.graph->execute(world.stream).has_value();
    EXPECT_EQ(gpu::allocationCount() - before, 0U);
    EXPECT_TRUE(isGood);
    EXPECT_TRUE(world.graph->stats().isPlanReused);
    EXPECT_EQ(world.graph->stats().plansMade, 2U); // the backbuffer's first state, then the steady one
}

TEST(RenderGraph, SameDeclarationsGiveTheSameBytes)
{
    GraphWorld a, b;
    for (int frame = 0; frame < 3; ++frame)
    {
        ASSERT_TRUE(a.runFrame() && b.runFrame());
        ASSERT_TRUE(std::equal(a.stream.bytes().begin(), a.stream.bytes().end(), b.stream.bytes().begin(), b.stream.bytes().end()));
    }
}

TEST(RenderGraph, ListsCulledPassesWithTheReason)
{
    GraphWorld world;
    const TextureHandle a = world.addRaster("first", world.makeColor("a"));
    const TextureHandle b = world.addRaster("second", world.makeColor("b"), a);
    (void)b;
    PassBuilder idle = world.graph->addComputePass("idle");
    idle.read(a, Access::SampledRead);
    (void)world.addRaster("final", world.importBackbuffer());
    ASSERT_TRUE(world.run()) << world.messages;
    const auto passes = world.graph->passes();
    ASSERT_EQ(passes.size(), 4U);
    EXPECT_EQ(passes[0].cullReason, CullReason::ConsumersCulled);
    EXPECT_EQ(passes[0].culledBy, "second");
    EXPECT_EQ(passes[1].cullReason, CullReason::NeverRead);
    EXPECT_EQ(passes[2].cullReason, CullReason::NoOutput);
    EXPECT_FALSE(passes[3].isCulled);
    ASSERT_EQ(world.graph->warnings().size(), 1U);
    EXPECT_THAT(world.graph->warnings()[0], HasSubstr("\"idle\" writes nothing"));
    EXPECT_EQ(world.graph->stats().culledPassCount, 3U);
    EXPECT_EQ(world.null->stats().renderPassCount, 1U);
}

TEST(RenderGraph, KeepsFlaggedPassesWithoutConsumers)
{
    GraphWorld world;
    int calls = 0;
    for (const bool isSideEffect : {true, false})
    {
        PassBuilder pass = world.graph->addComputePass("flagged");
        isSideEffect ? pass.sideEffects() : pass.neverCull();
        pass.execute([&calls](PassContext&) { ++calls; });
    }
    ASSERT_TRUE(world.run()) << world.messages;
    EXPECT_EQ(calls, 2);
    EXPECT_TRUE(world.graph->warnings().empty());
}

TEST(RenderGraph, TextureOfCulledPassesIsNotAllocatedAndUsageComesFromKeptOnes)
{
    GraphWorld world;
    const TextureHandle kept = world.addRaster("kept", world.makeColor("kept"));
    const TextureHandle dropped = world.addRaster("dropped", world.makeColor("dropped"), kept);
    (void)dropped;
    PassBuilder copy = world.graph->addCopyPass("copy");
    copy.read(kept, Access::CopyRead);
    copy.sideEffects();
    ASSERT_TRUE(world.run()) << world.messages;
    EXPECT_EQ(world.graph->stats().texturesCreated, 1U);
    const std::uint32_t expected = (gpu::TextureUsage::ColorAttachment | gpu::TextureUsage::CopySrc).bits;
    EXPECT_EQ(world.graph->plan().slots[0].usageBits, expected);
}

TEST(RenderGraph, ChainsOf1And32And33And1000PassesRunInOrder)
{
    for (const std::uint32_t count : {1U, 32U, 33U, 1000U})
    {
        GraphWorld world;
        std::vector<std::uint32_t> order;
        BufferHandle buffer = world.graph->createBuffer({.label = "chain", .bytes = 256});
        for (std::uint32_t p = 0; p < count; ++p)
        {
            PassBuilder pass = world.graph->addComputePass("pass " + std::to_string(p));
            buffer = pass.write(buffer, Access::StorageWrite);
            if (p + 1 == count)
                pass.sideEffects();
            pass.execute([&order, p](PassContext& context) { order.push_back(context.renderWidth() + p); });
        }
        ASSERT_TRUE(world.run()) << world.messages;
        ASSERT_EQ(order.size(), count);
        EXPECT_TRUE(std::is_sorted(order.begin(), order.end()));
        EXPECT_EQ(world.graph->stats().bufferBarrierCount, count); // one before each pass
        EXPECT_EQ(world.graph->passes()[count - 1].name, "pass " + std::to_string(count - 1));
    }
}

TEST(RenderGraph, DisjointTransientsShareAnObjectUnlessAliasingIsOff)
{
    for (const bool isAliasing : {true, false})
    {
        GraphWorld world({.isAliasing = isAliasing});
        TextureHandle image = world.addRaster("0", world.makeColor("image 0"));
        for (int i = 1; i < 6; ++i)
            image = world.addRaster(std::to_string(i), world.makeColor("image"), image);
        (void)world.addRaster("final", world.importBackbuffer(), image);
        ASSERT_TRUE(world.run()) << world.messages;
        const std::uint64_t imageBytes = GraphWorld::kSize * GraphWorld::kSize * 8;
        EXPECT_EQ(world.graph->stats().texturesCreated, isAliasing ? 2U : 6U);
        EXPECT_EQ(world.graph->stats().transientBytes, imageBytes * (isAliasing ? 2 : 6));
        EXPECT_EQ(world.graph->stats().transientBytesWithoutAliasing, imageBytes * 6);
    }
}

TEST(RenderGraph, RefusesAttachmentsOfDifferentSampleCounts)
{
    GraphWorld world;
    RenderGraph& graph = *world.graph;
    graph.beginFrame();
    const GraphSize size = GraphSize::absolute(8, 8);
    TextureHandle many = graph.createTexture({.label = "many", .format = gpu::Format::RGBA16Float, .size = size, .sampleCount = 4});
    const TextureHandle one = graph.createTexture({.label = "one", .format = gpu::Format::Depth32Float, .size = size});
    EXPECT_EQ(graph.sampleCount(many), 4U);
    EXPECT_EQ(graph.sampleCount({}), 0U);
    RasterPassBuilder pass = graph.addRasterPass("mixed");
    EXPECT_EQ(pass.sampleCount(), 0U);
    many = pass.color(0, many);
    EXPECT_EQ(pass.sampleCount(), 4U);
    static_cast<void>(pass.depth(one));
    const Result<void> compiled = graph.compile();
    ASSERT_FALSE(compiled);
    EXPECT_THAT(compiled.error().message, HasSubstr("\"mixed\" has attachments of 4 and, with \"one\", of 1 samples a texel"));
}

TEST(RenderGraph, SizesFollowOtherTextures)
{
    GraphWorld world;
    const TextureHandle full = world.graph->createTexture({.label = "full", .size = GraphSize::absolute(101, 7)});
    const TextureHandle half =
        world.graph->createTexture({.label = "half", .size = GraphSize::relative(full, 0.5f), .mipCount = kFullMipChain});
    const TextureHandle tiny = world.graph->createTexture({.label = "tiny", .size = GraphSize::relative(half, 0.001f)});
    const auto& resources = world.graph->description().resources;
    EXPECT_EQ(resources[half.index].width, 51U);
    EXPECT_EQ(resources[half.index].height, 4U);
    EXPECT_EQ(resources[half.index].mipCount, 6U);
    EXPECT_EQ(resources[tiny.index].width, 1U);
}

TEST(RenderGraph, HistoryPingPongCreatesTwoTexturesForEver)
{
    GraphWorld world;
    ExtractedTexture history;
    for (int frame = 0; frame < 10; ++frame)
    {
        world.graph->beginFrame();
        const TextureHandle old = history.texture ? world.graph->importTexture(history, "old history") : TextureHandle{};
        const TextureHandle current = world.addRaster("accumulate", world.makeColor("history"), old);
        const ExtractionId id = world.graph->extractTexture(current, Access::SampledRead);
        ASSERT_TRUE(world.run()) << "frame " << frame << ": " << world.messages;
        const auto extracted = world.graph->extracted(id);
        ASSERT_TRUE(extracted);
        EXPECT_NE(extracted->texture, history.texture);
        EXPECT_EQ(extracted->desc.width, GraphWorld::kSize);
        if (history.texture)
            world.graph->releaseExtracted(history);
        history = *extracted;
    }
    EXPECT_EQ(world.graph->stats().texturesCreated, 2U);
}

TEST(RenderGraph, UnusedObjectsDieAfterKeepFramesAndAllWithTheGraph)
{
    GraphWorld world({.keepFrames = 3});
    const std::uint64_t textures = world.null->liveObjectCount(gpu::ObjectKind::Texture);
    const std::uint64_t groups = world.null->liveObjectCount(gpu::ObjectKind::BindGroup);
    ASSERT_TRUE(world.runFrame()) << world.messages;
    EXPECT_GT(world.null->liveObjectCount(gpu::ObjectKind::Texture), textures);
    EXPECT_GT(world.null->liveObjectCount(gpu::ObjectKind::BindGroup), groups);
    for (int frame = 0; frame < 4; ++frame)
    {
        world.graph->beginFrame();
        EXPECT_EQ(world.null->liveObjectCount(gpu::ObjectKind::BindGroup) > groups, frame < 3) << "frame " << frame;
        ASSERT_TRUE(world.run()) << world.messages;
    }
    EXPECT_EQ(world.null->liveObjectCount(gpu::ObjectKind::Texture), textures);
    ASSERT_TRUE(world.runFrame()) << world.messages;
    const std::uint64_t views = world.null->liveObjectCount(gpu::ObjectKind::TextureView);
    EXPECT_GT(views, 0U);
    world.graph.reset();
    EXPECT_EQ(world.null->liveObjectCount(gpu::ObjectKind::Texture), textures);
    EXPECT_EQ(world.null->liveObjectCount(gpu::ObjectKind::TextureView), 0U);
    EXPECT_EQ(world.null->liveObjectCount(gpu::ObjectKind::BindGroup), groups);
}

/// The smallest pool: whatever a frame borrowed is destroyed when the next one begins.
TEST(RenderGraph, RunsWithAPoolThatKeepsNothing)
{
    GraphWorld world({.keepFrames = 0});
    std::uint64_t live = 0;
    for (int frame = 0; frame < 8; ++frame)
    {
        world.graph->beginFrame();
        world.declareFrame();
        if (frame % 2 == 1) // another topology and one more transient
            (void)world.addRaster("more", world.makeColor("more"), {});
        ASSERT_TRUE(world.run()) << world.messages;
        const std::uint64_t textures = world.null->liveObjectCount(gpu::ObjectKind::Texture);
        live = frame == 0 ? textures : live;
        EXPECT_LE(textures, live + 1) << "in frame " << frame;
    }
    EXPECT_EQ(world.messages, "");
}

TEST(RenderGraph, ViewsOfAnImportMissTheCacheWhenItsIndexIsReused)
{
    GraphWorld world;
    const auto make = [&]
    {
        return world.device->createTexture({.label = "import", .width = 64, .height = 64, .usage = gpu::TextureUsage::ColorAttachment})
            .value();
    };
    gpu::TextureId texture = make();
    const std::uint32_t index = texture.index;
    for (int round = 0; round < 2; ++round)
    {
        world.graph->beginFrame();
        const TextureHandle target = world.graph->importTexture({.label = "import", .texture = texture, .width = 64, .height = 64});
        (void)world.addRaster("draw", target);
        ASSERT_TRUE(world.run()) << world.messages;
        EXPECT_EQ(world.graph->stats().viewsCreated, static_cast<std::uint32_t>(round) + 1U);
        world.device->destroy(texture);
        texture = make();
        EXPECT_EQ(texture.index, index); // the same index, another generation
    }
}

TEST(RenderGraph, FailedCreationIsReportedAndTheNextFrameWorks)
{
    GraphWorld world;
    world.null->settings().failNthCreation[gpu::ObjectKind::Texture] = world.null->stats().created[gpu::ObjectKind::Texture] + 2;
    world.declareFrame();
    ASSERT_TRUE(world.graph->compile());
    const auto executed = world.graph->execute(world.stream);
    ASSERT_FALSE(executed);
    EXPECT_EQ(executed.error().code, ErrorCode::OutOfMemory);
    EXPECT_TRUE(world.stream.isEmpty());
    EXPECT_TRUE(world.runFrame()) << world.messages;
}

TEST(RenderGraph, GivesTwoTimestampsToPassesWhileThereIsRoom)
{
    GraphWorld world;
    const auto queries = world.device->createQuerySet({.label = "queries", .count = 16}).value();
    world.declareFrame();
    ASSERT_TRUE(world.graph->compile());
    ASSERT_TRUE(world.graph->execute(world.stream, {queries, 4, 7}));
    const auto passes = world.graph->passes();
    EXPECT_EQ(passes[0].beginQuery, kNoIndex); // a copy pass
    EXPECT_EQ(passes[1].beginQuery, 4U);
    EXPECT_EQ(passes[3].endQuery, 9U);
    EXPECT_EQ(passes[4].beginQuery, kNoIndex); // one query is left
    EXPECT_TRUE(world.device->submit(world.stream.bytes())) << world.messages;
    EXPECT_EQ(world.messages, "");
}

TEST(RenderGraph, DumpsNameEveryPassAndReason)
{
    GraphWorld world;
    ASSERT_TRUE(world.runFrame()) << world.messages;
    const std::string dot = dumpGraphDot(*world.graph);
    EXPECT_THAT(dot, HasSubstr("unused debug view (culled: nobody reads what it writes)"));
    EXPECT_THAT(dot, HasSubstr("hdr (object "));
    const std::string json = dumpGraphJson(*world.graph);
    EXPECT_THAT(json, HasSubstr("{\"name\": \"tonemap\", \"kind\": \"raster\", \"culled\": false"));
    EXPECT_THAT(json, HasSubstr("\"hdr ColorWrite->SampledRead\""));
    EXPECT_THAT(json, HasSubstr("\"finalBarriers\": [\"backbuffer ColorWrite->CopyRead\"]"));
}

} // namespace
} // namespace dl::graph::test
