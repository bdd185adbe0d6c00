// tests/gpu_vulkan/device_test.cpp - choice of drivers, what a device tells, the layer, lives of objects, readbacks.
#include "vulkan_fixture.h"

#include <algorithm>
#include <cstdlib>

namespace dl::gpu
{
namespace
{

class VulkanDevices : public VulkanTest
{
};

TEST(VulkanDrivers, UnknownNameIsNotFoundAndListsThoseSeen)
{
    const auto drivers = listVulkanDrivers();
    if (!drivers)
        GTEST_SKIP() << drivers.error().message;
    VulkanDeviceSettings settings;
    settings.driverNamePart = "voodoo3";
    const auto created = createVulkanDevice(settings);
    ASSERT_FALSE(created);
    EXPECT_EQ(created.error().code, ErrorCode::NotFound);
    EXPECT_NE(created.error().message.find("voodoo3"), std::string::npos);
    for (const VulkanDriverInfo& driver : *drivers)
        EXPECT_NE(created.error().message.find(driver.deviceName), std::string::npos) << created.error().message;
}

TEST(VulkanDrivers, AutoTakesTheBestThereIs)
{
    const auto drivers = listVulkanDrivers();
    if (!drivers || drivers->empty())
        GTEST_SKIP() << "no Vulkan driver";
    const auto created = createVulkanDevice({});
    ASSERT_TRUE(created) << created.error().message;
    const bool hasHardware = std::any_of(
        drivers->begin(), drivers->end(), [](const VulkanDriverInfo& driver) { return driver.isHardware && driver.whyUnusable.empty(); });
    const std::string name = (*created)->info().name;
    if (hasHardware || !VulkanTest::isDriverPresent("lavapipe"))
        GTEST_SKIP() << "a machine with a GPU or without lavapipe: took " << name;
    EXPECT_NE(name.find("llvmpipe"), std::string::npos) << name;
}

TEST(VulkanDrivers, LookingForDriversLeavesTheEnvironmentAlone)
{
    const char* const before = std::getenv("VK_ADD_DRIVER_FILES");
    const std::string value = before != nullptr ? before : "(unset)";
    (void)listVulkanDrivers();
    const char* const after = std::getenv("VK_ADD_DRIVER_FILES");
    EXPECT_EQ(after != nullptr ? std::string(after) : "(unset)", value);
}

TEST_P(VulkanDevices, NamePartIsFoundInAnyCase)
{
    VulkanDeviceSettings settings;
    settings.driverNamePart = GetParam();
    std::transform(settings.driverNamePart.begin(), settings.driverNamePart.end(), settings.driverNamePart.begin(),
        [](char c) { return static_cast<char>(c - 'a' + 'A'); });
    const auto created = createVulkanDevice(settings);
    ASSERT_TRUE(created) << created.error().message;
    EXPECT_EQ((*created)->info().name, device().info().name);
}

TEST_P(VulkanDevices, LimitsAreAtLeastWhatTheInterfacePromises)
{
    const Limits promised;
    const Limits& limits = device().info().limits;
    EXPECT_GE(limits.maxTextureSize, promised.maxTextureSize);
    EXPECT_GE(limits.maxTextureLayers, promised.maxTextureLayers);
    EXPECT_GE(limits.maxBufferBytes, promised.maxBufferBytes);
    EXPECT_GE(limits.maxStorageBindingBytes, promised.maxStorageBindingBytes);
    EXPECT_GE(limits.maxUniformBindingBytes, promised.maxUniformBindingBytes);
    EXPECT_GE(limits.maxSampledTexturesPerStage, promised.maxSampledTexturesPerStage);
    EXPECT_GE(limits.maxStorageBuffersPerStage, promised.maxStorageBuffersPerStage);
    EXPECT_EQ(limits.maxVertexBuffers, promised.maxVertexBuffers);
    EXPECT_EQ(limits.maxColorAttachments, promised.maxColorAttachments);
    EXPECT_EQ(limits.maxBindGroups, promised.maxBindGroups);
    EXPECT_LE(limits.minUniformOffsetAlignment, promised.minUniformOffsetAlignment);
    EXPECT_LE(limits.minStorageOffsetAlignment, promised.minStorageOffsetAlignment);
    EXPECT_GE(limits.maxComputeWorkgroupSize, promised.maxComputeWorkgroupSize);
    EXPECT_EQ(device().info().backend, "vulkan");
    EXPECT_TRUE(device().info().features.contains(Feature::MultiDrawIndirect | Feature::IndirectFirstInstance));
}

// Without this the clean runs of all other tests would prove nothing.
TEST_P(VulkanDevices, TheLayerSeesAMissingBarrierBetweenCopies)
{
    const BufferId a = makeBuffer(64, BufferUsage::CopySrc | BufferUsage::CopyDst);
    const BufferId b = makeBuffer(64, BufferUsage::CopySrc | BufferUsage::CopyDst);
    CommandStream stream;
    stream.clearBuffer(a, 0, 64);
    stream.copyBufferToBuffer({a, b, 0, 0, 64});
    run(stream);
    ASSERT_FALSE(m_messages.empty()) << "VK_LAYER_KHRONOS_validation is silent";
    EXPECT_NE(m_messages[0].find("SYNC-HAZARD-READ-AFTER-WRITE"), std::string::npos) << m_messages[0];
    EXPECT_NE(m_messages[0].find("test buffer"), std::string::npos) << "labels reach the layer: " << m_messages[0];
    m_messages.clear();
}

TEST_P(VulkanDevices, SubmissionsCompleteInOrderAndReadbacksComeBeforeTheirSubmission)
{
    const BufferId buffer = makeBuffer(4, BufferUsage::CopySrc | BufferUsage::CopyDst);
    CommandStream stream;
    for (std::uint32_t i = 1; i <= 3; ++i)
    {
        stream.clear();
        if (i > 1)
            barrier(stream, buffer, Access::CopyRead, Access::CopyWrite);
        stream.writeBuffer(buffer, 0, std::as_bytes(std::span(&i, 1)));
        barrier(stream, buffer, Access::CopyWrite, Access::CopyRead);
        stream.readbackBuffer(buffer, 0, 4, 100 + i);
        const auto submission = device().submit(stream.bytes());
        ASSERT_TRUE(submission);
        EXPECT_EQ(*submission, i);
    }
    ASSERT_TRUE(device().waitIdle());
    device().poll(m_completions);
    ASSERT_EQ(m_completions.size(), 6U);
    for (std::uint32_t i = 0; i < 3; ++i)
    {
        const Completion& readback = m_completions[i * 2];
        EXPECT_EQ(readback.kind, CompletionKind::Readback);
        EXPECT_EQ(readback.token, 101U + i);
        ASSERT_EQ(readback.bytes.size(), 4U);
        EXPECT_EQ(static_cast<std::uint32_t>(readback.bytes[0]), i + 1);
        EXPECT_EQ(m_completions[i * 2 + 1].kind, CompletionKind::SubmissionDone);
        EXPECT_EQ(m_completions[i * 2 + 1].submission, i + 1);
    }
    m_completions.clear();
    device().poll(m_completions);
    EXPECT_TRUE(m_completions.empty()) << "each answer comes once";
}

TEST_P(VulkanDevices, AnEmptyStreamIsASubmission)
{
    const auto submission = device().submit({});
    ASSERT_TRUE(submission);
    EXPECT_EQ(*submission, 1U);
    ASSERT_TRUE(device().waitIdle());
}

TEST_P(VulkanDevices, ObjectsDestroyedRightAfterSubmitLiveUntilItCompletes)
{
    const Target target = makeTarget(256, 256);
    const BufferId buffer = makeBuffer(1U << 20U, BufferUsage::CopySrc | BufferUsage::CopyDst);
    const PipelineId pipeline = makePipeline("vsCorner", "fsWhite");
    const DeviceMemoryStats before = device().memoryStats();
    CommandStream stream;
    stream.clearBuffer(buffer, 0, 1U << 20U);
    barrier(stream, buffer, Access::CopyWrite, Access::CopyRead);
    barrier(stream, target.texture, {}, Access::ColorWrite);
    beginPass(stream, target);
    stream.setPipeline(pipeline);
    stream.draw({3, 1, 0, 0});
    stream.endRenderPass();
    ASSERT_TRUE(device().submit(stream.bytes()));
    device().destroy(target.texture); // the layer reports any of these that the driver sees destroyed in use
    device().destroy(target.view);
    device().destroy(buffer);
    device().destroy(pipeline);
    device().destroy(shader("vsCorner"));
    ASSERT_TRUE(device().waitIdle());
    const DeviceMemoryStats after = device().memoryStats();
    EXPECT_GE(before.bufferBytes, 1U << 20U);
    EXPECT_EQ(after.bufferBytes, 0U);
    EXPECT_EQ(after.textureBytes, 0U);
    EXPECT_EQ(after.bufferPeakBytes, before.bufferPeakBytes);
    EXPECT_GE(after.texturePeakBytes, 256U * 256U * 4U);
}

TEST_P(VulkanDevices, DestroyingTwiceDoesNothing)
{
    const BufferId buffer = makeBuffer(64, BufferUsage::CopyDst);
    device().destroy(buffer);
    const BufferId next = makeBuffer(64, BufferUsage::CopyDst);
    device().destroy(buffer); // stale: must not take the next object of that index
    CommandStream stream;
    stream.clearBuffer(next, 0, 64);
    run(stream);
}

TEST_P(VulkanDevices, BindGroupsComeAndGoBeyondOnePool)
{
    const BufferId uniforms = makeBuffer(256, BufferUsage::Uniform);
    const auto layout = makeLayout({{0, ShaderStage::Fragment, BindingType::UniformBuffer}});
    std::vector<BindGroupId> groups;
    for (int round = 0; round < 3; ++round)
    {
        for (int i = 0; i < 700; ++i)
            groups.push_back(makeGroup(layout, {{0, uniforms, 0, 0, {}, {}}}));
        for (const BindGroupId group : groups)
            device().destroy(group);
        groups.clear();
    }
}

TEST_P(VulkanDevices, StagingGrowsWithUploadsAndIsReused)
{
    const std::uint32_t bytes = 3U << 20U;
    const BufferId buffer = makeBuffer(bytes, BufferUsage::CopyDst);
    std::uint64_t warmBytes = 0;
    CommandStream stream;
    for (int frame = 0; frame < 6; ++frame)
    {
        if (frame > 0)
            barrier(stream, buffer, Access::CopyWrite, Access::CopyWrite);
        stream.writeBuffer(buffer, 0, bytes);
        run(stream);
        if (frame == 1)
            warmBytes = device().memoryStats().stagingBytes;
    }
    EXPECT_GE(warmBytes, bytes);
    EXPECT_EQ(device().memoryStats().stagingBytes, warmBytes) << "a warm ring does not grow";
    EXPECT_EQ(device().memoryStats().stagingPeakBytes, warmBytes);
}

TEST_P(VulkanDevices, MalformedStreamsAreRefusedAndChangeNothing)
{
    const std::vector<std::byte> garbage(64, std::byte{0xFF});
    const auto refused = device().submit(garbage);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::BadFile);
    const auto submission = device().submit({});
    ASSERT_TRUE(submission);
    EXPECT_EQ(*submission, 1U);
    ASSERT_TRUE(device().waitIdle());
}

TEST_P(VulkanDevices, ModulesWithoutSpirvAreRefused)
{
    const auto module = device().createShaderModule({"only wgsl", {}, "fn main() {}"});
    ASSERT_FALSE(module);
    EXPECT_EQ(module.error().code, ErrorCode::InvalidArgument);
    EXPECT_NE(module.error().message.find("only wgsl"), std::string::npos);
}

TEST_P(VulkanDevices, BuffersBeyondTheDeviceAreOutOfMemory)
{
    const auto empty = device().createBuffer({"empty", 0, BufferUsage::CopyDst});
    ASSERT_FALSE(empty);
    EXPECT_EQ(empty.error().code, ErrorCode::InvalidArgument);
    const auto huge = device().createBuffer({"huge", 1ULL << 50U, BufferUsage::CopyDst});
    ASSERT_FALSE(huge);
    EXPECT_EQ(huge.error().code, ErrorCode::OutOfMemory);
    EXPECT_NE(huge.error().message.find("huge"), std::string::npos);
    EXPECT_EQ(device().memoryStats().bufferBytes, 0U);
}

TEST_P(VulkanDevices, PipelinesAreReportedAndTheirCacheCanBeKept)
{
    const PipelineId pipeline = makePipeline("vsFull", "fsColor");
    device().poll(m_completions);
    ASSERT_EQ(m_completions.size(), 1U);
    EXPECT_EQ(m_completions[0].kind, CompletionKind::PipelineReady);
    EXPECT_EQ(m_completions[0].pipeline, pipeline);
    std::vector<std::byte> cache = vulkanPipelineCacheData(device());
    for (const bool isTorn : {false, true})
    {
        if (isTorn)
            std::fill(cache.begin(), cache.end(), std::byte{0xAB});
        VulkanDeviceSettings settings;
        settings.driverNamePart = GetParam();
        settings.pipelineCacheData = cache;
        const auto again = createVulkanDevice(settings);
        EXPECT_TRUE(again) << again.error().message;
    }
}

DL_INSTANTIATE_VULKAN(VulkanDevices);

} // namespace
} // namespace dl::gpu
