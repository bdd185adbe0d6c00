// tests/gpu_vulkan/compute_test.cpp - dispatches, storage, copies of buffers, timestamps.
#include "vulkan_fixture.h"

#include <numeric>

namespace dl::gpu
{
namespace
{

class VulkanCompute : public VulkanTest
{
};

TEST_P(VulkanCompute, TwoPassesOverOneBufferSeeEachOther)
{
    const std::uint32_t count = 1000; // not a multiple of the workgroup
    std::vector<std::uint32_t> input(count);
    std::iota(input.begin(), input.end(), 7U);
    const BufferId buffer = makeBuffer(count * 4, BufferUsage::Storage | BufferUsage::CopySrc | BufferUsage::CopyDst);
    const auto layout = makeLayout({{0, ShaderStage::Compute, BindingType::StorageBuffer}});
    const auto group = makeGroup(layout, {{0, buffer, 0, 0, {}, {}}});
    const PipelineId pipeline = makeCompute("csDouble", {layout});
    CommandStream stream;
    stream.writeBuffer(buffer, 0, std::as_bytes(std::span(input)));
    AccessFlags state = Access::CopyWrite;
    for (int pass = 0; pass < 2; ++pass)
    {
        barrier(stream, buffer, state, Access::StorageWrite);
        state = Access::StorageWrite;
        stream.beginComputePass({"double", {}, 0, 0});
        stream.setPipeline(pipeline);
        stream.setBindGroup(0, group);
        stream.dispatch((count + 63) / 64, 1, 1);
        stream.endComputePass();
    }
    barrier(stream, buffer, state, Access::CopyRead);
    stream.readbackBuffer(buffer, 0, count * 4, 3);
    run(stream);
    const auto output = numbers<std::uint32_t>(3);
    ASSERT_EQ(output.size(), count);
    for (std::uint32_t i = 0; i < count; ++i)
        ASSERT_EQ(output[i], (input[i] * 2 + i) * 2 + i) << i;
}

TEST_P(VulkanCompute, IndirectDispatchTakesItsSizeFromTheBuffer)
{
    const std::uint32_t groups[8] = {9, 9, 9, 0, 2, 1, 1, 0}; // the record at byte 16
    const std::vector<std::uint32_t> input(256, 1);
    const BufferId arguments = makeBuffer(sizeof(groups), BufferUsage::Indirect | BufferUsage::CopyDst);
    const BufferId buffer = makeBuffer(1024, BufferUsage::Storage | BufferUsage::CopySrc | BufferUsage::CopyDst);
    const auto layout = makeLayout({{0, ShaderStage::Compute, BindingType::StorageBuffer}});
    const auto group = makeGroup(layout, {{0, buffer, 0, 0, {}, {}}});
    CommandStream stream;
    stream.writeBuffer(arguments, 0, std::as_bytes(std::span(groups)));
    stream.writeBuffer(buffer, 0, std::as_bytes(std::span(input)));
    barrier(stream, arguments, Access::CopyWrite, Access::IndirectRead);
    barrier(stream, buffer, Access::CopyWrite, Access::StorageWrite);
    stream.beginComputePass({"indirect", {}, 0, 0});
    stream.setPipeline(makeCompute("csDouble", {layout}));
    stream.setBindGroup(0, group);
    stream.dispatchIndirect(arguments, 16);
    stream.endComputePass();
    barrier(stream, buffer, Access::StorageWrite, Access::CopyRead);
    stream.readbackBuffer(buffer, 0, 1024, 1);
    run(stream);
    const auto output = numbers<std::uint32_t>(1);
    ASSERT_EQ(output.size(), 256U);
    EXPECT_EQ(output[127], 2U + 127U);
    EXPECT_EQ(output[128], 1U) << "beyond two groups of 64";
}

TEST_P(VulkanCompute, StorageTexturesAreWritten)
{
    TextureDesc desc;
    desc.width = desc.height = 8;
    desc.usage = TextureUsage::Storage | TextureUsage::CopySrc;
    const Target target{makeTexture(desc), {}, 8, 8};
    const TextureViewId view = makeView(target.texture);
    BindGroupLayoutEntry entry{0, ShaderStage::Compute, BindingType::StorageTexture};
    entry.format = Format::RGBA8Unorm;
    const auto layout = makeLayout({entry});
    const auto group = makeGroup(layout, {{0, {}, 0, 0, view, {}}});
    CommandStream stream;
    barrier(stream, target.texture, {}, Access::StorageWrite);
    stream.beginComputePass({"paint", {}, 0, 0});
    stream.setPipeline(makeCompute("csPaint", {layout}));
    stream.setBindGroup(0, group);
    stream.dispatch(2, 2, 1);
    stream.endComputePass();
    readTexture(stream, target, Access::StorageWrite, 1);
    run(stream);
    EXPECT_EQ(picture(target, 1).at(5, 3), (Picture::Pixel{5, 3, 255, 255}));
    EXPECT_EQ(picture(target, 1).at(7, 7), (Picture::Pixel{7, 7, 255, 255}));
}

TEST_P(VulkanCompute, CopiesClearsAndWritesOrderAsTheyStand)
{
    const std::uint32_t ones[8] = {1, 1, 1, 1, 1, 1, 1, 1};
    const BufferId a = makeBuffer(32, BufferUsage::CopySrc | BufferUsage::CopyDst);
    const BufferId b = makeBuffer(32, BufferUsage::CopySrc | BufferUsage::CopyDst);
    CommandStream stream;
    stream.writeBuffer(a, 0, std::as_bytes(std::span(ones)));
    stream.clearBuffer(b, 0, 32);
    barrier(stream, a, Access::CopyWrite, Access::CopyWrite);
    stream.clearBuffer(a, 8, 8);
    barrier(stream, a, Access::CopyWrite, Access::CopyRead);
    barrier(stream, b, Access::CopyWrite, Access::CopyWrite);
    stream.copyBufferToBuffer({a, b, 4, 16, 12});
    barrier(stream, b, Access::CopyWrite, Access::CopyRead);
    stream.readbackBuffer(b, 0, 32, 1);
    stream.readbackBuffer(b, 16, 4, 2);
    stream.readbackBuffer(b, 0, 0, 4);
    run(stream);
    EXPECT_EQ(numbers<std::uint32_t>(1), (std::vector<std::uint32_t>{0, 0, 0, 0, 1, 0, 0, 0}));
    EXPECT_EQ(numbers<std::uint32_t>(2), (std::vector<std::uint32_t>{1}));
    EXPECT_EQ(m_readbacks.count(4), 1U) << "an empty readback is answered, too";
}

TEST_P(VulkanCompute, TimestampsRiseAndUnwrittenOnesAreZero)
{
    ASSERT_TRUE(device().info().features.contains(Feature::TimestampQuery));
    const auto queries = device().createQuerySet({"times", 4});
    ASSERT_TRUE(queries) << queries.error().message;
    const BufferId results = makeBuffer(32, BufferUsage::QueryResolve | BufferUsage::CopySrc);
    const Target target = makeTarget(64, 64);
    CommandStream stream;
    barrier(stream, target.texture, {}, Access::ColorWrite);
    ColorAttachment color;
    color.view = target.view;
    RenderPassDesc pass;
    pass.width = pass.height = 64;
    pass.colors = {&color, 1};
    pass.querySet = *queries;
    pass.beginQuery = 2;
    pass.endQuery = 1;
    stream.beginRenderPass(pass);
    stream.endRenderPass();
    stream.resolveQueries({*queries, 0, 4, results, 0});
    barrier(stream, results, Access::CopyWrite, Access::CopyRead);
    stream.readbackBuffer(results, 0, 32, 1);
    run(stream);
    const auto times = numbers<std::uint64_t>(1);
    ASSERT_EQ(times.size(), 4U);
    EXPECT_EQ(times[0], 0U);
    EXPECT_EQ(times[3], 0U);
    EXPECT_GT(times[2], 0U);
    EXPECT_GE(times[1], times[2]);
    EXPECT_GT(device().info().timestampPeriodNs, 0.0f);
}

DL_INSTANTIATE_VULKAN(VulkanCompute);

} // namespace
} // namespace dl::gpu
