// tests/gpu/null_device_test.cpp - counts, contents, failures and silence of the allocator of the null device.
#include "drawloom/gpu/command_stream.h"
#include "drawloom/gpu/null_device.h"
#include "tests/gpu/allocation_count.h"

#include <gtest/gtest.h>

#include <cstring>

namespace dl::gpu
{
namespace
{

std::vector<std::byte> numbers(std::size_t count, int first = 1)
{
    std::vector<std::byte> bytes(count);
    for (std::size_t i = 0; i < count; ++i)
        bytes[i] = static_cast<std::byte>(first + static_cast<int>(i));
    return bytes;
}

BufferId makeBuffer(Device& device, std::uint64_t bytes)
{
    return device.createBuffer({.label = "buffer", .bytes = bytes, .usage = BufferUsage::CopyDst | BufferUsage::CopySrc}).value();
}

TextureId makeTexture(Device& device, Format format, std::uint32_t width, std::uint32_t height, std::uint32_t layers = 1)
{
    return device
        .createTexture({.label = "texture",
            .format = format,
            .dimension = TextureDimension::D2Array,
            .width = width,
            .height = height,
            .depthOrLayers = layers,
            .mipCount = fullMipCount(width, height),
            .usage = TextureUsage::CopyDst | TextureUsage::CopySrc})
        .value();
}

std::vector<Completion> submitAndPoll(Device& device, const CommandStream& stream)
{
    EXPECT_TRUE(device.submit(stream.bytes()));
    std::vector<Completion> completions;
    device.poll(completions);
    return completions;
}

TEST(NullDevice, ReadbackAnswersWhatWritesAndCopiesLeft)
{
    const auto device = createNullDevice();
    const BufferId a = makeBuffer(*device, 64), b = makeBuffer(*device, 64);
    CommandStream stream;
    stream.writeBuffer(a, 8, numbers(16));
    stream.copyBufferToBuffer({a, b, 8, 32, 12});
    stream.clearBuffer(b, 36, 4);
    stream.readbackBuffer(b, 28, 20, 77);
    const std::vector<Completion> completions = submitAndPoll(*device, stream);
    ASSERT_EQ(completions.size(), 2U);
    EXPECT_EQ(completions[0].kind, CompletionKind::Readback);
    EXPECT_EQ(completions[0].token, 77U);
    std::vector<std::byte> expected(20);
    std::memcpy(expected.data() + 4, numbers(4).data(), 4);
    std::memcpy(expected.data() + 12, numbers(4, 9).data(), 4);
    EXPECT_EQ(completions[0].bytes, expected);
    EXPECT_EQ(completions[1].kind, CompletionKind::SubmissionDone);
    EXPECT_EQ(completions[1].submission, 1U);
    EXPECT_EQ(device->stats().bytesWritten, 16U);
    EXPECT_EQ(device->stats().bytesCopied, 16U);
    EXPECT_EQ(device->stats().bytesReadBack, 20U);
}

TEST(NullDevice, TexturesGoThroughBuffersUnchanged)
{
    const auto device = createNullDevice();
    const TextureId source = makeTexture(*device, Format::RGBA8Unorm, 8, 8, 3), target = makeTexture(*device, Format::RGBA8Unorm, 8, 8, 3);
    const BufferId buffer = makeBuffer(*device, 4096);
    CommandStream stream;
    const TextureRegion region{.texture = source, .mip = 1, .x = 1, .y = 2, .layerOrZ = 1, .width = 3, .height = 2, .layersOrDepth = 2};
    TextureRegion moved = region;
    moved.texture = target;
    moved.x = 0;
    stream.writeTexture(region, 12, 2, numbers(48));
    stream.copyTextureToTexture({region, moved});
    stream.copyTextureToBuffer({moved, buffer, 256, 256, 4});
    submitAndPoll(*device, stream);
    const std::vector<std::byte> data = numbers(48);
    const std::span<const std::byte> content = device->bufferContent(buffer);
    for (std::size_t row = 0; row < 4; ++row)
    {
        const std::size_t offset = 256 + (row / 2) * 1024 + (row % 2) * 256;
        EXPECT_EQ(std::memcmp(content.data() + offset, data.data() + row * 12, 12), 0) << row;
    }
    const std::span<const std::byte> mip = device->textureContent(target, 1);
    ASSERT_EQ(mip.size(), 3U * 4 * 4 * 4);
    EXPECT_EQ(std::memcmp(mip.data() + 64 + 2 * 16, data.data(), 12), 0);
    EXPECT_EQ(device->textureContent(makeTexture(*device, Format::R8Unorm, 4, 4), 0).size(), 0U);
}

TEST(NullDevice, BlockTexturesKeepWholeBlocksAtTheEdge)
{
    const auto device = createNullDevice();
    const TextureId texture = makeTexture(*device, Format::BC1RgbaUnorm, 12, 6);
    CommandStream stream;
    stream.writeTexture({.texture = texture, .x = 8, .y = 4, .width = 4, .height = 2}, 8, 1, numbers(8));
    submitAndPoll(*device, stream);
    const std::span<const std::byte> mip = device->textureContent(texture, 0);
    ASSERT_EQ(mip.size(), 6U * 8);
    EXPECT_EQ(std::memcmp(mip.data() + 5 * 8, numbers(8).data(), 8), 0);
}

TEST(NullDevice, CommandsOutsideTheirObjectsChangeNothing)
{
    const auto device = createNullDevice();
    const BufferId buffer = makeBuffer(*device, 16);
    const TextureId texture = makeTexture(*device, Format::RGBA8Unorm, 4, 4);
    CommandStream stream;
    stream.writeBuffer(buffer, 12, numbers(8));
    stream.writeBuffer(buffer, UINT64_MAX - 3, numbers(8));
    stream.copyBufferToBuffer({buffer, buffer, 0, 4, 16});
    stream.clearBuffer(buffer, 8, UINT64_MAX);
    stream.writeTexture({.texture = texture, .x = 2, .width = 3, .height = 1}, 12, 1, numbers(12));
    stream.writeTexture({.texture = texture, .width = 4, .height = 4}, 16, 4, numbers(60));
    stream.writeTexture({.texture = texture, .mip = 9, .width = 1, .height = 1}, 16, 4, numbers(60));
    stream.copyBufferToTexture({{.texture = texture, .width = 4, .height = 4}, buffer, 0, 0xFFFFFFFF, 0xFFFFFFFF});
    stream.copyTextureToBuffer({{.texture = texture, .width = 4, .height = 4}, buffer, 4, 16, 4});
    stream.writeBuffer({99, 1}, 0, numbers(8));
    submitAndPoll(*device, stream);
    for (const std::byte b : device->bufferContent(buffer))
        EXPECT_EQ(b, std::byte(0));
    for (const std::byte b : device->textureContent(texture, 0))
        EXPECT_EQ(b, std::byte(0));
}

PipelineId makePipeline(Device& device, Topology topology, std::string_view label = "pipeline")
{
    return device.createRenderPipeline({.label = label, .topology = topology}).value();
}

TEST(NullDevice, CountsByPassLabel)
{
    const auto device = createNullDevice();
    const PipelineId list = makePipeline(*device, Topology::TriangleList), strip = makePipeline(*device, Topology::TriangleStrip);
    const BufferId arguments = makeBuffer(*device, 60);
    const std::uint32_t values[] = {6, 2, 0, 0, 0, 9, 5, 0, 0, 0};
    CommandStream stream;
    stream.writeBuffer(arguments, 20, std::as_bytes(std::span(values)));
    const BufferBarrier barrier[] = {{.buffer = arguments, .before = Access::CopyWrite, .after = Access::IndirectRead}};
    stream.barriers({}, barrier);
    for (int i = 0; i < 2; ++i)
    {
        stream.beginRenderPass({.label = "opaque", .width = 4, .height = 4});
        stream.setPipeline(list);
        stream.setBindGroup(0, {0, 1});
        stream.drawIndexed({.indexCount = 36, .instanceCount = 10});
        stream.setPipeline(strip);
        stream.draw({.vertexCount = 4, .instanceCount = 3});
        stream.endRenderPass();
    }
    stream.beginRenderPass({.label = "indirect", .width = 4, .height = 4});
    stream.setPipeline(list);
    stream.setIndexBuffer(arguments, IndexFormat::Uint32);
    stream.setVertexBuffer(0, arguments);
    stream.drawIndexedIndirect(arguments, 20, 2);
    stream.endRenderPass();
    stream.beginComputePass({.label = "opaque"});
    stream.dispatch(4, 1, 1);
    stream.endComputePass();
    submitAndPoll(*device, stream);

    const NullDeviceStats& stats = device->stats();
    ASSERT_EQ(stats.passes.size(), 3U);
    const NullPassStats& opaque = stats.passes[0];
    EXPECT_EQ(opaque.label, "opaque");
    EXPECT_EQ(opaque.passCount, 2U);
    EXPECT_EQ(opaque.drawCount, 4U);
    EXPECT_EQ(opaque.instanceCount, 26U);
    EXPECT_EQ(opaque.triangleCount, 2U * (12 * 10 + 2 * 3));
    EXPECT_EQ(opaque.pipelineBindCount, 4U);
    EXPECT_EQ(opaque.bindGroupBindCount, 2U);
    const NullPassStats& indirect = stats.passes[1];
    EXPECT_EQ(indirect.drawCount, 1U);
    EXPECT_EQ(indirect.indirectDrawCount, 2U);
    EXPECT_EQ(indirect.instanceCount, 7U);
    EXPECT_EQ(indirect.triangleCount, 2U * 2 + 3 * 5);
    EXPECT_TRUE(stats.passes[2].isCompute);
    EXPECT_EQ(stats.passes[2].dispatchCount, 1U);
    EXPECT_EQ(stats.total.drawCount, 5U);
    EXPECT_EQ(stats.renderPassCount, 3U);
    EXPECT_EQ(stats.computePassCount, 1U);
    EXPECT_EQ(stats.bufferBarrierCount, 1U);
}

TEST(NullDevice, CountsObjectsAndMemory)
{
    const auto device = createNullDevice();
    const BufferId a = makeBuffer(*device, 64);
    const BufferId b = makeBuffer(*device, 32);
    makeTexture(*device, Format::RGBA8Unorm, 4, 4);
    device->destroy(a);
    device->destroy(a);
    EXPECT_EQ(device->stats().created[ObjectKind::Buffer], 2U);
    EXPECT_EQ(device->stats().destroyed[ObjectKind::Buffer], 1U);
    EXPECT_EQ(device->liveObjectCount(ObjectKind::Buffer), 1U);
    EXPECT_EQ(device->memoryStats().bufferBytes, 32U);
    EXPECT_EQ(device->memoryStats().bufferPeakBytes, 96U);
    EXPECT_EQ(device->memoryStats().textureBytes, 4U * (16 + 4 + 1));
    const BufferId c = makeBuffer(*device, 8);
    EXPECT_EQ(c.index, a.index);
    EXPECT_NE(c, a);
    device->destroy(b);
}

TEST(NullDevice, RefusesWhatExceedsTheLimits)
{
    NullDeviceSettings settings;
    settings.limits.maxBufferBytes = 64;
    settings.limits.maxTextureSize = 16;
    const auto device = createNullDevice(settings);
    EXPECT_TRUE(device->createBuffer({.bytes = 64}));
    EXPECT_EQ(device->createBuffer({.bytes = 68}).error().code, ErrorCode::InvalidArgument);
    EXPECT_TRUE(device->createTexture({.width = 16, .height = 16}));
    EXPECT_FALSE(device->createTexture({.width = 16, .height = 17}));
    EXPECT_EQ(device->stats().created[ObjectKind::Buffer], 1U);
}

TEST(NullDevice, FailsTheNthCreationOnce)
{
    NullDeviceSettings settings;
    settings.failNthCreation[ObjectKind::Buffer] = 2;
    const auto device = createNullDevice(settings);
    EXPECT_TRUE(device->createBuffer({.label = "a", .bytes = 4}));
    EXPECT_TRUE(device->createSampler({}));
    const auto failed = device->createBuffer({.label = "b", .bytes = 4});
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().code, ErrorCode::OutOfMemory);
    EXPECT_NE(failed.error().message.find("buffer \"b\""), std::string::npos);
    EXPECT_TRUE(device->createBuffer({.label = "c", .bytes = 4}));
}

TEST(NullDevice, LostDeviceSaysSoOnceAndRefusesEverything)
{
    NullDeviceSettings settings;
    settings.loseAtSubmission = 2;
    const auto device = createNullDevice(settings);
    CommandStream stream;
    EXPECT_TRUE(device->submit(stream.bytes()));
    EXPECT_EQ(device->submit(stream.bytes()).error().code, ErrorCode::DeviceLost);
    EXPECT_EQ(device->submit(stream.bytes()).error().code, ErrorCode::DeviceLost);
    EXPECT_EQ(device->createBuffer({.bytes = 4}).error().code, ErrorCode::DeviceLost);
    EXPECT_EQ(device->waitIdle().error().code, ErrorCode::DeviceLost);
    std::vector<Completion> completions;
    device->poll(completions);
    device->poll(completions);
    ASSERT_EQ(completions.size(), 1U);
    EXPECT_EQ(completions[0].kind, CompletionKind::DeviceLost);
}

TEST(NullDevice, CompletionsComeLateAndInOrder)
{
    NullDeviceSettings settings;
    settings.pollsUntilDone = 2;
    settings.pollsUntilPipelineReady = 1;
    settings.failPipelineLabel = "bad";
    const auto device = createNullDevice(settings);
    const PipelineId good = makePipeline(*device, Topology::TriangleList);
    const PipelineId bad = makePipeline(*device, Topology::TriangleList, "bad");
    CommandStream stream;
    EXPECT_TRUE(device->submit(stream.bytes()));
    std::vector<Completion> completions;
    device->poll(completions);
    EXPECT_EQ(completions.size(), 0U);
    EXPECT_TRUE(device->submit(stream.bytes()));
    device->poll(completions);
    ASSERT_EQ(completions.size(), 2U);
    EXPECT_EQ(completions[0].kind, CompletionKind::PipelineReady);
    EXPECT_EQ(completions[0].pipeline, good);
    EXPECT_EQ(completions[1].kind, CompletionKind::PipelineFailed);
    EXPECT_EQ(completions[1].pipeline, bad);
    device->poll(completions);
    ASSERT_EQ(completions.size(), 3U);
    EXPECT_EQ(completions[2].submission, 1U);
    EXPECT_TRUE(device->waitIdle());
    device->poll(completions);
    ASSERT_EQ(completions.size(), 4U);
    EXPECT_EQ(completions[3].submission, 2U);
}

TEST(NullDevice, RefusesMalformedStreams)
{
    const auto device = createNullDevice();
    const std::vector<std::byte> garbage(24, std::byte(0xEE));
    EXPECT_EQ(device->submit(garbage).error().code, ErrorCode::BadFile);
}

TEST(NullDevice, WarmSubmitsAllocateNothing)
{
    const auto device = createNullDevice();
    const BufferId buffer = makeBuffer(*device, 4096);
    const PipelineId pipeline = makePipeline(*device, Topology::TriangleList);
    CommandStream stream;
    std::vector<Completion> completions;
    std::size_t before = 0;
    const std::vector<std::byte> data = numbers(64);
    for (int frame = 0; frame < 20; ++frame)
    {
        if (frame == 10)
            before = allocationCount();
        stream.clear();
        stream.writeBuffer(buffer, 64, data);
        stream.beginRenderPass({.label = "a pass with a label that needs the heap", .width = 4, .height = 4});
        stream.setPipeline(pipeline);
        for (int i = 0; i < 100; ++i)
            stream.drawIndexed({.indexCount = 3});
        stream.endRenderPass();
        ASSERT_TRUE(device->submit(stream.bytes()));
        completions.clear();
        device->poll(completions);
    }
    EXPECT_EQ(allocationCount() - before, 0U);
    EXPECT_EQ(device->stats().total.drawCount, 2000U);
}

} // namespace
} // namespace dl::gpu
