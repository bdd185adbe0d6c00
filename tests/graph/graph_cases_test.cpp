// Inputs that made other render graphs fail (barriers per subresource, write after read, depth that is sampled while
// bound), and the mistakes that the graph must name.
#include "graph_world.h"

#include <gmock/gmock.h>

namespace dl::graph::test
{
namespace
{

using testing::HasSubstr;

std::string barrierText(const RenderGraph& graph)
{
    std::string text;
    for (const PlanBarrier& b : graph.plan().barriers)
        text += std::string(graph.resourceName(b.resource)) + " m" + std::to_string(b.range.baseMip) + "+" +
                std::to_string(b.range.mipCount) + " l" + std::to_string(b.range.baseLayer) + "+" + std::to_string(b.range.layerCount) +
                " " + gpu::toString(b.before) + "->" + gpu::toString(b.after) + "\n";
    return text;
}

TEST(GraphCases, DepthSampledWhileBoundReadOnlyGetsOneBarrierToTheJointState)
{
    GraphWorld world;
    TextureHandle depth =
        world.graph->createTexture({.label = "depth", .format = gpu::Format::Depth32Float, .size = GraphSize::absolute(64, 64)});
    depth = world.graph->addRasterPass("write").depth(depth);
    RasterPassBuilder pass = world.graph->addRasterPass("soft particles");
    pass.depthReadOnly(depth, true);
    (void)pass.color(0, world.importBackbuffer());
    ASSERT_TRUE(world.run()) << world.messages;
    EXPECT_THAT(barrierText(*world.graph), HasSubstr("depth m0+1 l0+1 DepthWrite->SampledRead|DepthRead\n"));
    EXPECT_EQ(world.graph->stats().textureBarrierCount, 4U); // depth twice, backbuffer before and after
}

TEST(GraphCases, MipChainIsTrackedPerMip)
{
    GraphWorld world;
    TextureHandle chain = world.graph->createTexture({.label = "chain", .size = GraphSize::absolute(64, 64), .mipCount = 4});
    chain = world.graph->addRasterPass("mip 0").color(0, chain);
    for (std::uint32_t mip = 1; mip < 4; ++mip)
    {
        RasterPassBuilder pass = world.graph->addRasterPass("down");
        pass.read(chain, Access::SampledRead, SubresourceRange::mip(mip - 1));
        const TextureHandle source = chain;
        chain = pass.color(0, chain, {.mip = mip});
        pass.execute(
            [source, mip](PassContext& context)
            {
                EXPECT_EQ(context.renderWidth(), 64U >> mip);
                EXPECT_TRUE(context.view(source, {.range = SubresourceRange::mip(mip - 1)}));
            });
    }
    (void)world.addRaster("use", world.importBackbuffer(), chain);
    ASSERT_TRUE(world.run()) << world.messages;
    EXPECT_EQ(barrierText(*world.graph), "chain m0+1 l0+1 None->ColorWrite\n"
                                         "chain m1+1 l0+1 None->ColorWrite\n"
                                         "chain m0+1 l0+1 ColorWrite->SampledRead\n"
                                         "chain m2+1 l0+1 None->ColorWrite\n"
                                         "chain m1+1 l0+1 ColorWrite->SampledRead\n"
                                         "chain m3+1 l0+1 None->ColorWrite\n"
                                         "chain m2+1 l0+1 ColorWrite->SampledRead\n"
                                         "chain m3+1 l0+1 ColorWrite->SampledRead\n"
                                         "backbuffer m0+1 l0+1 None->ColorWrite\n"
                                         "backbuffer m0+1 l0+1 ColorWrite->CopyRead\n");
}

TEST(GraphCases, DependentComputePassesGetExactlyOneBufferBarrierEach)
{
    GraphWorld world;
    BufferHandle buffer = world.graph->createBuffer({.label = "buffer", .bytes = 256});
    for (int i = 0; i < 4; ++i)
    {
        PassBuilder pass = world.graph->addComputePass("step");
        buffer = pass.write(buffer, Access::StorageWrite);
        if (i == 3)
            pass.sideEffects();
    }
    ASSERT_TRUE(world.run()) << world.messages;
    EXPECT_EQ(world.graph->stats().bufferBarrierCount, 4U);
}

TEST(GraphCases, ReadersOfOneBufferAreMadeReadyTogether)
{
    GraphWorld world;
    BufferHandle buffer = world.graph->createBuffer({.label = "arguments", .bytes = 256});
    buffer = world.graph->addComputePass("fill").write(buffer, Access::StorageWrite);
    for (const Access access : {Access::IndirectRead, Access::StorageRead, Access::IndirectRead, Access::VertexRead})
    {
        PassBuilder pass = world.graph->addComputePass("read");
        pass.read(buffer, access);
        pass.sideEffects();
    }
    ASSERT_TRUE(world.run()) << world.messages;
    EXPECT_THAT(barrierText(*world.graph), HasSubstr("StorageWrite->IndirectRead|VertexRead|StorageRead"));
    EXPECT_EQ(world.graph->stats().bufferBarrierCount, 2U);
}

TEST(GraphCases, WriteOfOneSliceWaitsForTheReadOfTheWhole)
{
    GraphWorld world;
    TextureHandle array = world.graph->createTexture(
        {.label = "array", .size = GraphSize::absolute(64, 64), .dimension = gpu::TextureDimension::D2Array, .depthOrLayers = 4});
    array = world.graph->addCopyPass("fill").write(array, Access::StorageWrite, {}, Previous::Discard);
    PassBuilder read = world.graph->addComputePass("read all");
    read.read(array, Access::StorageRead);
    read.sideEffects();
    PassBuilder slice = world.graph->addComputePass("write a slice"); // the same layout as the read
    array = slice.write(array, Access::StorageWrite, SubresourceRange::one(0, 2));
    slice.sideEffects();
    ASSERT_TRUE(world.run()) << world.messages;
    EXPECT_EQ(barrierText(*world.graph), "array m0+1 l0+4 None->StorageWrite\n"
                                         "array m0+1 l0+4 StorageWrite->StorageRead\n"
                                         "array m0+1 l2+1 StorageRead->StorageWrite\n");
}

TEST(GraphCases, FinalStateIsLeftExactlyAsAskedSoThatTheNextFrameCanStartFromIt)
{
    GraphWorld world;
    const auto id =
        world.device->createBuffer({.label = "shared", .bytes = 256, .usage = gpu::BufferUsage::Storage | gpu::BufferUsage::Uniform})
            .value();
    for (int frame = 0; frame < 4; ++frame)
    {
        world.graph->beginFrame();
        BufferHandle buffer = world.graph->importBuffer({.label = "shared",
            .buffer = id,
            .bytes = 256,
            .initial = frame == 0 ? gpu::AccessFlags() : gpu::AccessFlags(Access::StorageRead),
            .final = Access::StorageRead});
        buffer = world.graph->addComputePass("write").write(buffer, Access::StorageWrite);
        PassBuilder read = world.graph->addComputePass("read");
        read.read(buffer, Access::UniformRead);
        read.sideEffects();
        ASSERT_TRUE(world.run()) << world.messages;
    }
    EXPECT_THAT(barrierText(*world.graph), HasSubstr("UniformRead->StorageRead"));
}

TEST(GraphCases, ContentThatNobodyUsesIsNotStored)
{
    GraphWorld world;
    TextureHandle depth =
        world.graph->createTexture({.label = "depth", .format = gpu::Format::Depth32Float, .size = GraphSize::absolute(64, 64)});
    RasterPassBuilder pass = world.graph->addRasterPass("draw");
    depth = pass.depth(depth);
    (void)pass.color(0, world.importBackbuffer());
    ASSERT_TRUE(world.run()) << world.messages;
    EXPECT_THAT(gpu::dumpStream(world.stream.bytes()), HasSubstr("clear discard"));
}

TEST(GraphCases, ResolveTargetIsAnAttachmentOfItsPass)
{
    GraphWorld world;
    RasterPassBuilder pass = world.graph->addRasterPass("draw");
    const TextureHandle samples = world.graph->createTexture(
        {.label = "samples", .format = gpu::Format::RGBA8Unorm, .size = GraphSize::absolute(64, 64), .sampleCount = 4});
    (void)pass.color(0, samples);
    (void)pass.resolve(0, world.importBackbuffer());
    ASSERT_TRUE(world.run()) << world.messages;
    EXPECT_THAT(gpu::dumpStream(world.stream.bytes()), HasSubstr("resolve"));
}

TEST(GraphMistakes, DeadHandleNamesTheWriter)
{
    GraphWorld world;
    const TextureHandle target = world.importBackbuffer();
    (void)world.addRaster("first", target);
    (void)world.addRaster("second", target);
    const std::string error = world.compileError();
    EXPECT_THAT(error, HasSubstr("\"second\" uses version 0 of \"backbuffer\", which is dead: \"first\" wrote version 1"));
}

TEST(GraphMistakes, HandleOfAnotherGraphOrFrameIsForeign)
{
    GraphWorld world, other;
    const TextureHandle foreign = other.importBackbuffer();
    (void)world.importBackbuffer();
    (void)world.addRaster("draw", foreign);
    EXPECT_THAT(world.compileError(), HasSubstr("of another graph or frame"));

    world.graph->beginFrame();
    const TextureHandle old = world.importBackbuffer();
    world.graph->beginFrame();
    (void)world.importBackbuffer();
    (void)world.addRaster("draw", old);
    EXPECT_THAT(world.compileError(), HasSubstr("of another graph or frame"));

    world.graph->beginFrame();
    (void)world.addRaster("draw", TextureHandle{});
    EXPECT_THAT(world.compileError(), HasSubstr("handle that is none"));
}

TEST(GraphMistakes, ReadOfWhatNobodyWroteNamesPassResourceAndMip)
{
    GraphWorld world;
    TextureHandle chain = world.graph->createTexture({.label = "chain", .size = GraphSize::absolute(64, 64), .mipCount = 2});
    chain = world.graph->addRasterPass("mip 0").color(0, chain);
    (void)world.addRaster("use", world.importBackbuffer(), chain);
    EXPECT_THAT(
        world.compileError(), HasSubstr("\"use\" reads \"chain\" (mip 1, layer 0) as SampledRead, which no earlier pass has written"));

    world.graph->beginFrame();
    (void)world.graph->addRasterPass("load").color(0, world.makeColor("fresh"), {.load = gpu::LoadOp::Load});
    EXPECT_THAT(world.compileError(), HasSubstr("\"load\" reads \"fresh\""));
}

TEST(GraphMistakes, ConflictingUsesOfOneRangeAreRefused)
{
    GraphWorld world;
    const TextureHandle color = world.addRaster("write", world.makeColor("color"));
    RasterPassBuilder pass = world.graph->addRasterPass("feedback loop");
    pass.read(color, Access::SampledRead);
    (void)pass.color(0, color, {.load = gpu::LoadOp::Load});
    EXPECT_THAT(world.compileError(), HasSubstr("\"feedback loop\" uses \"color\" (mip 0, layer 0) as SampledRead and as ColorWrite"));
}

TEST(GraphMistakes, UndeclaredAccessDuringExecuteFailsAndNamesIt)
{
    GraphWorld world;
    const TextureHandle secret = world.addRaster("write", world.makeColor("secret"));
    RasterPassBuilder pass = world.graph->addRasterPass("peek");
    const TextureHandle target = pass.color(0, world.importBackbuffer());
    pass.sideEffects();
    pass.execute(
        [secret](PassContext& context)
        {
            EXPECT_FALSE(context.view(secret));
            EXPECT_FALSE(context.texture(secret));
        });
    (void)world.addRaster("use", target, secret);
    EXPECT_FALSE(world.run());
    EXPECT_THAT(world.messages, HasSubstr("\"peek\" uses \"secret\" without having declared it"));
}

TEST(GraphMistakes, ViewOutsideOfTheDeclaredRangeFails)
{
    GraphWorld world;
    TextureHandle chain = world.graph->createTexture({.label = "chain", .size = GraphSize::absolute(64, 64), .mipCount = 2});
    RasterPassBuilder pass = world.graph->addRasterPass("mip 0");
    chain = pass.color(0, chain);
    pass.sideEffects();
    pass.execute(
        [chain](PassContext& context)
        {
            EXPECT_TRUE(context.view(chain));
            EXPECT_FALSE(context.view(chain, {.range = SubresourceRange::mip(1)}));
            EXPECT_FALSE(context.view(chain, {.range = {.baseMip = 7}}));
        });
    EXPECT_FALSE(world.run());
    EXPECT_THAT(world.messages, HasSubstr("views mips 1+1, layers 0+1 of \"chain\", which it did not declare"));
}

TEST(GraphMistakes, DeclarationsAreRefused)
{
    const auto errorOf = [](auto&& declare)
    {
        GraphWorld world;
        declare(world);
        return world.compileError();
    };
    EXPECT_THAT(
        errorOf([](GraphWorld& w) { (void)w.graph->addRasterPass("p").color(1, w.importBackbuffer()); }), HasSubstr("without gaps"));
    EXPECT_THAT(
        errorOf([](GraphWorld& w) { (void)w.graph->addRasterPass("p").resolve(0, w.importBackbuffer()); }), HasSubstr("did not declare"));
    EXPECT_THAT(errorOf([](GraphWorld& w) { (void)w.graph->addRasterPass("p").color(0, w.importBackbuffer(), {.mip = 3}); }),
        HasSubstr("mips or layers"));
    EXPECT_THAT(errorOf([](GraphWorld& w) { w.graph->addRasterPass("p").read(w.importBackbuffer(), Access::ColorWrite); }),
        HasSubstr("by write()"));
    EXPECT_THAT(errorOf([](GraphWorld& w) { w.graph->addRasterPass("p").read(w.importBackbuffer(), Access::VertexRead); }),
        HasSubstr("can not have"));
    EXPECT_THAT(errorOf([](GraphWorld& w) { (void)w.graph->addComputePass("p").write(w.importBackbuffer(), Access::ColorWrite); }),
        HasSubstr("write() takes"));
    EXPECT_THAT(errorOf([](GraphWorld& w) { (void)w.graph->createTexture({.label = "t"}); }), HasSubstr("0x0"));
    EXPECT_THAT(errorOf([](GraphWorld& w) { (void)w.graph->createTexture({.label = "t", .size = GraphSize::absolute(8193, 1)}); }),
        HasSubstr("from 1 to 8192"));
    EXPECT_THAT(
        errorOf([](GraphWorld& w) { (void)w.graph->createTexture({.label = "t", .size = GraphSize::absolute(4, 4), .mipCount = 4}); }),
        HasSubstr("4 mips"));
    EXPECT_THAT(errorOf([](GraphWorld& w) { (void)w.graph->createBuffer({.label = "b", .bytes = 6}); }), HasSubstr("multiple of 4"));
    EXPECT_THAT(errorOf([](GraphWorld& w) { (void)w.graph->extractTexture(w.importBackbuffer(), Access::CopyRead); }),
        HasSubstr("only transients"));
    EXPECT_THAT(errorOf(
                    [](GraphWorld& w)
                    {
                        PassBuilder first = w.graph->addComputePass("first");
                        PassBuilder second = w.graph->addComputePass("second");
                        first.neverCull();
                        second.neverCull();
                    }),
        HasSubstr("finish one pass before the next"));
    EXPECT_THAT(errorOf(
                    [](GraphWorld& w)
                    {
                        RasterPassBuilder pass = w.graph->addRasterPass("p");
                        (void)pass.color(0, w.importBackbuffer());
                        (void)pass.color(1, w.graph->createTexture({.label = "small", .size = GraphSize::absolute(32, 32)}));
                    }),
        HasSubstr("attachments of 64x64 and, with \"small\", of 32x32"));
}

TEST(GraphMistakes, ExecuteNeedsACompiledFrameAndRunsOnce)
{
    GraphWorld world;
    EXPECT_FALSE(world.graph->execute(world.stream));
    world.declareFrame();
    ASSERT_TRUE(world.graph->compile());
    EXPECT_TRUE(world.graph->execute(world.stream));
    EXPECT_FALSE(world.graph->execute(world.stream));
    EXPECT_FALSE(world.graph->extracted({}));
}

TEST(GraphMistakes, ErrorOfACallbackNamesItsPassAndStopsTheFrame)
{
    GraphWorld world;
    PassBuilder pass = world.graph->addComputePass("broken");
    pass.sideEffects();
    pass.execute([](PassContext& context) { context.fail({ErrorCode::OutOfBudget, "upload ring full"}); });
    PassBuilder next = world.graph->addComputePass("next");
    next.sideEffects();
    next.execute([](PassContext&) { ADD_FAILURE() << "ran after an error"; });
    EXPECT_FALSE(world.run());
    EXPECT_THAT(world.messages, HasSubstr("\"broken\""));
    EXPECT_THAT(world.messages, HasSubstr("upload ring full"));
}

TEST(GraphMistakes, UnusedResourceIsAWarning)
{
    GraphWorld world;
    (void)world.makeColor("forgotten");
    ASSERT_TRUE(world.run()) << world.messages;
    ASSERT_EQ(world.graph->warnings().size(), 1U);
    EXPECT_EQ(world.graph->warnings()[0], "render graph: no pass uses \"forgotten\"");
}

} // namespace
} // namespace dl::graph::test
