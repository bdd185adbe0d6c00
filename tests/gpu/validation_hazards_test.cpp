// tests/gpu/validation_hazards_test.cpp - missing barriers, found from the stream alone.
#include "tests/gpu/gpu_world.h"

#include <gtest/gtest.h>

namespace dl::gpu
{
namespace
{

TEST(ValidationHazards, ValidFramesGiveNoMessage)
{
    GpuWorld world;
    for (int i = 0; i < 4; ++i)
    {
        CommandStream stream;
        world.frame(stream);
        world.submit(stream);
        EXPECT_TRUE(world.lastSubmit);
        EXPECT_EQ(world.text(), "");
    }
    EXPECT_EQ(world.null->stats().submissionCount, 4U);
    EXPECT_EQ(world.checked->stats().errorCount, 0U);
}

TEST(ValidationHazards, DeletingAnyOneBarrierIsReported)
{
    for (int frame = 0; frame < 3; ++frame)
    {
        int count = 0;
        {
            GpuWorld world;
            CommandStream stream;
            for (int i = 0; i <= frame; ++i)
                world.frame(stream);
            count = world.barrierCount();
        }
        ASSERT_GT(count, 10);
        for (int skipped = 0; skipped < count; ++skipped)
        {
            GpuWorld world;
            for (int i = 0; i < frame; ++i)
            {
                CommandStream stream;
                world.frame(stream);
                world.submit(stream);
            }
            ASSERT_EQ(world.text(), "");
            CommandStream stream;
            world.frame(stream, skipped);
            world.submit(stream);
            EXPECT_FALSE(world.lastSubmit);
            EXPECT_TRUE(world.has(ValidationRule::MissingBarrier)) << "frame " << frame << " without barrier " << skipped << "\n"
                                                                   << world.text();
        }
    }
}

TEST(ValidationHazards, OneMistakeGivesOneMessageWithNames)
{
    GpuWorld world;
    CommandStream stream;
    world.frame(stream, 8); // hdr: ColorWrite -> SampledRead
    world.submit(stream);
    EXPECT_EQ(world.text(), "MissingBarrier: texture \"hdr\" mip 0: sampled in pass \"tonemap\" after ColorWrite in pass \"opaque\" "
                            "without a barrier (its state is ColorWrite)\n");
}

TEST(ValidationHazards, TwoPassesIntoOneTargetNeedABarrier)
{
    for (const bool hasBarrier : {true, false})
    {
        GpuWorld world;
        CommandStream stream;
        GpuWorld::toState(stream, world.hdr, {}, Access::ColorWrite);
        GpuWorld::toState(stream, world.depth, {}, Access::DepthWrite);
        world.beginColor(stream, "first");
        stream.endRenderPass();
        if (hasBarrier)
        {
            GpuWorld::toState(stream, world.hdr, Access::ColorWrite, Access::ColorWrite);
            GpuWorld::toState(stream, world.depth, Access::DepthWrite, Access::DepthWrite);
        }
        world.beginColor(stream, "second");
        stream.endRenderPass();
        world.submit(stream);
        EXPECT_EQ(world.messages.size(), hasBarrier ? 0U : 2U) << world.text();
    }
}

TEST(ValidationHazards, DisjointCopiesNeedNoneOverlappingOnesDo)
{
    GpuWorld world;
    const std::vector<std::byte> data(64);
    CommandStream stream;
    stream.writeBuffer(world.vertices, 0, data);
    stream.writeBuffer(world.vertices, 128, data);
    stream.writeBuffer(world.vertices, 64, data);
    world.submit(stream);
    EXPECT_EQ(world.text(), "");
    stream.clear();
    stream.clearBuffer(world.vertices, 188, 8);
    world.submit(stream);
    EXPECT_TRUE(world.has(ValidationRule::MissingBarrier)) << "also across submissions";
    world.messages.clear();
    stream.clear();
    GpuWorld::toState(stream, world.vertices, Access::CopyWrite, Access::CopyWrite);
    stream.writeBuffer(world.vertices, 0, data);
    GpuWorld::toState(stream, world.albedo, {}, Access::CopyWrite);
    stream.writeTexture({.texture = world.albedo, .width = 4, .height = 4}, 16, 4, data);
    stream.writeTexture({.texture = world.albedo, .x = 4, .width = 4, .height = 4}, 16, 4, data);
    world.submit(stream);
    EXPECT_EQ(world.text(), "");
    stream.clear();
    stream.writeTexture({.texture = world.albedo, .x = 7, .y = 3, .width = 4, .height = 4}, 16, 4, data);
    world.submit(stream);
    EXPECT_TRUE(world.has(ValidationRule::MissingBarrier));
}

TEST(ValidationHazards, UnionOfReadsServesAllOfThem)
{
    GpuWorld world;
    const BufferId buffer = world.device
                                ->createBuffer({.label = "both",
                                    .bytes = 256,
                                    .usage = BufferUsage::CopyDst | BufferUsage::CopySrc | BufferUsage::Index | BufferUsage::Vertex})
                                .value();
    CommandStream stream;
    stream.clearBuffer(buffer, 0, 256);
    GpuWorld::toState(stream, buffer, Access::CopyWrite, Access::VertexRead | Access::CopyRead);
    stream.readbackBuffer(buffer, 0, 4, 1);
    GpuWorld::toState(stream, buffer, Access::VertexRead | Access::CopyRead, Access::VertexRead);
    world.submit(stream);
    EXPECT_EQ(world.text(), "");
    stream.clear();
    stream.readbackBuffer(buffer, 0, 4, 1);
    world.submit(stream);
    EXPECT_TRUE(world.has(ValidationRule::MissingBarrier));
}

TEST(ValidationHazards, ReadOnlyDepthCanBeSampledInTheSamePass)
{
    GpuWorld world;
    const BindGroupLayoutEntry entries[] = {{.binding = 0, .visibility = ShaderStage::Fragment, .type = BindingType::DepthTexture}};
    const BindGroupLayoutId layout = world.device->createBindGroupLayout({.label = "depth", .entries = entries}).value();
    const BindGroupEntry groupEntries[] = {{.binding = 0, .view = world.depthView}};
    const BindGroupId group = world.device->createBindGroup({.label = "depth", .layout = layout, .entries = groupEntries}).value();
    const PipelineId pipeline = world.device
                                    ->createRenderPipeline({.label = "read",
                                        .layouts = std::span(&layout, 1),
                                        .vertexModule = world.module,
                                        .vertexEntry = "vs",
                                        .depth = {.format = Format::Depth32Float}})
                                    .value();
    world.device->poll(world.completions);
    for (const AccessFlags state :
        {Access::DepthRead | Access::SampledRead, AccessFlags(Access::DepthRead), AccessFlags(Access::SampledRead)})
    {
        CommandStream stream;
        GpuWorld::toState(stream, world.depth, {}, Access::DepthWrite);
        stream.beginRenderPass({.label = "write", .width = 64, .height = 64, .depth = {.view = world.depthView}});
        stream.endRenderPass();
        GpuWorld::toState(stream, world.depth, Access::DepthWrite, state);
        stream.beginRenderPass(
            {.label = "read", .width = 64, .height = 64, .depth = {.view = world.depthView, .load = LoadOp::Load, .isReadOnly = 1}});
        stream.setPipeline(pipeline);
        stream.setBindGroup(0, group);
        stream.draw({.vertexCount = 3});
        stream.endRenderPass();
        world.messages.clear();
        world.submit(stream);
        EXPECT_EQ(world.messages.empty(), state == (Access::DepthRead | Access::SampledRead)) << toString(state) << "\n" << world.text();
    }
}

TEST(ValidationHazards, MipsAreTrackedOneByOne)
{
    GpuWorld world;
    const TextureId chain =
        world.device
            ->createTexture(
                {.label = "chain", .width = 64, .height = 64, .mipCount = 2, .usage = TextureUsage::CopyDst | TextureUsage::CopySrc})
            .value();
    CommandStream stream;
    const TextureBarrier both[] = {{.texture = chain, .mipCount = 2, .after = Access::CopyWrite}};
    stream.barriers(both, {});
    stream.writeTexture({.texture = chain, .width = 64, .height = 64}, 256, 64, std::vector<std::byte>(64 * 256));
    const TextureBarrier read[] = {{.texture = chain, .before = Access::CopyWrite, .after = Access::CopyRead}};
    stream.barriers(read, {});
    stream.copyTextureToTexture({{.texture = chain, .width = 32, .height = 32}, {.texture = chain, .mip = 1, .width = 32, .height = 32}});
    world.submit(stream);
    EXPECT_EQ(world.text(), "");
    stream.clear();
    stream.copyTextureToTexture({{.texture = chain, .mip = 1, .width = 32, .height = 32}, {.texture = chain, .width = 32, .height = 32}});
    world.submit(stream);
    EXPECT_EQ(world.messages.size(), 2U) << world.text();
}

} // namespace
} // namespace dl::gpu
