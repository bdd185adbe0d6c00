// tests/gpu_vulkan/vulkan_fixture.h - a device per test and driver, under the Khronos layer with synchronization
// validation: a test fails if the layer says anything, up to the destruction of the device.
#pragma once

#include "drawloom/gpu/command_stream.h"
#include "drawloom/gpu/device.h"
#include "drawloom/gpu/vulkan/vulkan_device.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace dl::gpu
{

struct Picture
{
    std::uint32_t width = 0, height = 0;
    std::vector<std::uint8_t> bytes; ///< RGBA8

    using Pixel = std::array<int, 4>;
    Pixel at(std::uint32_t x, std::uint32_t y) const;
};

struct Target
{
    TextureId texture;
    TextureViewId view;
    std::uint32_t width = 0, height = 0;
};

constexpr Picture::Pixel kBlack = {0, 0, 0, 255};
constexpr Picture::Pixel kWhite = {255, 255, 255, 255};

class VulkanTest : public testing::TestWithParam<const char*>
{
public:
    /// False (and the test is skipped) when the driver is not installed.
    static bool isDriverPresent(const std::string& name);

protected:
    void SetUp() override;
    void TearDown() override;

    VulkanMessageHandler collectMessages();
    Device& device() { return *m_device; }

    BufferId makeBuffer(std::uint64_t bytes, BufferUsages usage);
    TextureId makeTexture(TextureDesc desc);
    TextureViewId makeView(TextureId texture, TextureViewDesc desc = {});
    /// A colour attachment that can be read back.
    Target makeTarget(std::uint32_t width, std::uint32_t height, Format format = Format::RGBA8Unorm, std::uint32_t sampleCount = 1);
    SamplerId makeSampler(Filter filter);
    BindGroupLayoutId makeLayout(std::initializer_list<BindGroupLayoutEntry> entries);
    BindGroupId makeGroup(BindGroupLayoutId layout, std::initializer_list<BindGroupEntry> entries);
    /// The module that has this entry point.
    ShaderModuleId shader(std::string_view entry);
    /// A pipeline with one RGBA8 target; `adjust` changes the desc before creation.
    template <class F> PipelineId makePipeline(std::string_view vertex, std::string_view fragment, F&& adjust);
    PipelineId makePipeline(std::string_view vertex, std::string_view fragment)
    {
        return makePipeline(vertex, fragment, [](RenderPipelineDesc&) {});
    }
    PipelineId makeCompute(std::string_view entry, std::initializer_list<BindGroupLayoutId> layouts);

    /// Submits the stream, waits, and keeps the completions' readbacks by token.
    void run(CommandStream& stream);
    /// Appends a copy of the texture, now in `state`, to a buffer and its readback; call picture() after run().
    void readTexture(CommandStream& stream, const Target& target, AccessFlags state, std::uint64_t token);
    Picture picture(const Target& target, std::uint64_t token) const;
    template <class T> std::vector<T> numbers(std::uint64_t token) const;

    std::unique_ptr<Device> m_device;
    std::vector<Completion> m_completions;
    std::map<std::uint64_t, std::vector<std::byte>> m_readbacks;
    std::vector<std::string> m_messages; // of the layer

private:
    std::map<std::size_t, ShaderModuleId> m_modules;
};

/// before -> after of a whole single-layer texture or of a buffer, as one Barriers command.
void barrier(
    CommandStream& stream, TextureId texture, AccessFlags before, AccessFlags after, std::uint32_t mips = 1, std::uint32_t layers = 1);
void barrier(CommandStream& stream, BufferId buffer, AccessFlags before, AccessFlags after);
void beginPass(CommandStream& stream, const Target& target, std::array<float, 4> clear = {0, 0, 0, 1});

template <class F> PipelineId VulkanTest::makePipeline(std::string_view vertex, std::string_view fragment, F&& adjust)
{
    RenderPipelineDesc desc;
    const ColorTargetState target{Format::RGBA8Unorm};
    desc.label = "test pipeline";
    desc.vertexModule = shader(vertex);
    desc.vertexEntry = vertex;
    desc.fragmentModule = fragment.empty() ? ShaderModuleId{} : shader(fragment);
    desc.fragmentEntry = fragment;
    desc.colorTargets = {&target, 1};
    adjust(desc);
    auto pipeline = device().createRenderPipeline(desc);
    EXPECT_TRUE(pipeline) << pipeline.error().message;
    EXPECT_TRUE(device().waitIdle()) << "its completion waits for the next poll";
    return pipeline.value_or(PipelineId{});
}

template <class T> std::vector<T> VulkanTest::numbers(std::uint64_t token) const
{
    std::vector<T> values;
    if (const auto found = m_readbacks.find(token); found != m_readbacks.end())
    {
        values.resize(found->second.size() / sizeof(T));
        __builtin_memcpy(values.data(), found->second.data(), values.size() * sizeof(T));
    }
    return values;
}

#define DL_INSTANTIATE_VULKAN(suite)                                                                                                       \
    INSTANTIATE_TEST_SUITE_P(Drivers, suite, testing::Values("lavapipe", "swiftshader"),                                                   \
        [](const testing::TestParamInfo<const char*>& driver) { return std::string(driver.param); })

} // namespace dl::gpu
