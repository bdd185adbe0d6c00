// tests/gpu_vulkan/texture_test.cpp - uploads, mips, sRGB, dimensions, copies.
#include "vulkan_fixture.h"

#include <algorithm>

namespace dl::gpu
{
namespace
{

class VulkanTexture : public VulkanTest
{
protected:
    /// Uploads the levels (tightly packed RGBA8, one colour each) of a square texture.
    TextureId makeLevels(std::uint32_t size, Format format, std::span<const std::array<std::uint8_t, 4>> colors, CommandStream& stream)
    {
        TextureDesc desc;
        desc.format = format;
        desc.width = desc.height = size;
        desc.mipCount = static_cast<std::uint32_t>(colors.size());
        desc.usage = TextureUsage::Sampled | TextureUsage::CopyDst;
        const TextureId texture = makeTexture(desc);
        barrier(stream, texture, {}, Access::CopyWrite, desc.mipCount);
        for (std::uint32_t mip = 0; mip < desc.mipCount; ++mip)
        {
            const std::uint32_t edge = std::max(size >> mip, 1U);
            std::vector<std::byte> texels(std::size_t{edge} * edge * 4);
            for (std::size_t i = 0; i < texels.size(); ++i)
                texels[i] = std::byte{colors[mip][i % 4]};
            stream.writeTexture({texture, mip, 0, 0, 0, edge, edge, 1}, edge * 4, edge, texels);
        }
        barrier(stream, texture, Access::CopyWrite, Access::SampledRead, desc.mipCount);
        return texture;
    }

    /// A 4x4 picture of the view sampled at one level.
    Picture::Pixel sample(TextureViewId view, float level, CommandStream& stream)
    {
        const BufferId uniforms = makeBuffer(16, BufferUsage::Uniform | BufferUsage::CopyDst);
        const auto layout = makeLayout({{0, ShaderStage::Fragment, BindingType::UniformBuffer},
            {1, ShaderStage::Fragment, BindingType::SampledTexture}, {2, ShaderStage::Fragment, BindingType::FilteringSampler}});
        const auto group =
            makeGroup(layout, {{0, uniforms, 0, 0, {}, {}}, {1, {}, 0, 0, view, {}}, {2, {}, 0, 0, {}, makeSampler(Filter::Linear)}});
        const PipelineId pipeline = makePipeline("vsFull", "fsTexture",
            [&](RenderPipelineDesc& desc)
            {
                desc.cullMode = CullMode::None;
                desc.layouts = {&layout, 1};
            });
        const Target target = makeTarget(4, 4);
        const float values[4] = {level, 0, 0, 0};
        stream.writeBuffer(uniforms, 0, std::as_bytes(std::span(values)));
        barrier(stream, uniforms, Access::CopyWrite, Access::UniformRead);
        barrier(stream, target.texture, {}, Access::ColorWrite);
        beginPass(stream, target);
        stream.setPipeline(pipeline);
        stream.setBindGroup(0, group);
        stream.draw({3, 1, 0, 0});
        stream.endRenderPass();
        readTexture(stream, target, Access::ColorWrite, 1);
        run(stream);
        return picture(target, 1).at(1, 1);
    }
};

constexpr std::array<std::uint8_t, 4> kLevelColors[3] = {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}};

TEST_P(VulkanTexture, EachMipIsUploadedAndSampled)
{
    CommandStream stream;
    const TextureId texture = makeLevels(4, Format::RGBA8Unorm, kLevelColors, stream);
    TextureViewDesc desc;
    desc.mipCount = 3;
    const TextureViewId view = makeView(texture, desc);
    EXPECT_EQ(sample(view, 0, stream), (Picture::Pixel{255, 0, 0, 255}));
    EXPECT_EQ(sample(view, 1, stream), (Picture::Pixel{0, 255, 0, 255}));
    EXPECT_EQ(sample(view, 2, stream), (Picture::Pixel{0, 0, 255, 255}));
    EXPECT_NEAR(sample(view, 0.5f, stream)[0], 127.5, 1.5) << "the mip filter is linear";
}

TEST_P(VulkanTexture, AViewThatStartsAtMipOneSamplesItAsLevelZero)
{
    CommandStream stream;
    const TextureId texture = makeLevels(4, Format::RGBA8Unorm, kLevelColors, stream);
    TextureViewDesc desc;
    desc.baseMip = 1;
    desc.mipCount = 2;
    EXPECT_EQ(sample(makeView(texture, desc), 0, stream), (Picture::Pixel{0, 255, 0, 255}));
}

TEST_P(VulkanTexture, SrgbIsDecodedByFormatAndLinearTwinReadsBytes)
{
    CommandStream stream;
    const std::array<std::uint8_t, 4> color[1] = {{188, 188, 188, 255}};
    const TextureId texture = makeLevels(4, Format::RGBA8UnormSrgb, color, stream);
    EXPECT_NEAR(sample(makeView(texture), 0, stream)[0], 128, 1) << "188 in sRGB is about one half of the light";
    TextureViewDesc linear;
    linear.format = Format::RGBA8Unorm;
    EXPECT_EQ(sample(makeView(texture, linear), 0, stream)[0], 188);
}

TEST_P(VulkanTexture, AnSrgbTargetEncodesWhatIsDrawn)
{
    const Target target = makeTarget(4, 4, Format::RGBA8UnormSrgb);
    CommandStream stream;
    barrier(stream, target.texture, {}, Access::ColorWrite);
    beginPass(stream, target, {0.5f, 0.5f, 0.5f, 1.0f});
    stream.endRenderPass();
    readTexture(stream, target, Access::ColorWrite, 1);
    run(stream);
    EXPECT_NEAR(picture(target, 1).at(0, 0)[0], 188, 1);
}

TEST_P(VulkanTexture, BlockCompressedRowsAreCountedInBlocks)
{
    if (!device().info().features.contains(Feature::TextureCompressionBc))
        GTEST_SKIP() << "no BC formats";
    // 8x8 of BC1: each block one RGB565 colour; a pitch wider than the rows must be left out.
    TextureDesc desc;
    desc.format = Format::BC1RgbaUnorm;
    desc.width = desc.height = 8;
    desc.usage = TextureUsage::Sampled | TextureUsage::CopyDst;
    const TextureId texture = makeTexture(desc);
    std::vector<std::byte> blocks(2 * 24, std::byte{0});
    for (const std::size_t block : {std::size_t{0}, std::size_t{8}, std::size_t{24}, std::size_t{32}})
    {
        blocks[block] = std::byte{0x1F}; // blue
        blocks[block + 2] = std::byte{0x1F};
    }
    CommandStream stream;
    barrier(stream, texture, {}, Access::CopyWrite);
    stream.writeTexture({texture, 0, 0, 0, 0, 8, 8, 1}, 24, 2, blocks);
    barrier(stream, texture, Access::CopyWrite, Access::SampledRead);
    EXPECT_EQ(sample(makeView(texture), 0, stream), (Picture::Pixel{0, 0, 255, 255}));
}

TEST_P(VulkanTexture, UploadTooShortForItsRowsIsRefusedAndTheDeviceGoesOn)
{
    const Target target = makeTarget(4, 4);
    TextureDesc desc;
    desc.width = desc.height = 4;
    desc.usage = TextureUsage::CopyDst;
    const TextureId texture = makeTexture(desc);
    CommandStream stream;
    barrier(stream, texture, {}, Access::CopyWrite);
    stream.writeTexture({texture, 0, 0, 0, 0, 4, 4, 1}, 16, 4, std::vector<std::byte>(60));
    const auto refused = device().submit(stream.bytes());
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::InvalidArgument);
    stream.clear();
    barrier(stream, target.texture, {}, Access::ColorWrite);
    beginPass(stream, target, {1, 1, 1, 1});
    stream.endRenderPass();
    readTexture(stream, target, Access::ColorWrite, 1);
    run(stream);
    EXPECT_EQ(picture(target, 1).at(0, 0), kWhite);
}

TEST_P(VulkanTexture, RegionsLandWhereTheySay)
{
    TextureDesc desc;
    desc.width = desc.height = 8;
    desc.usage = TextureUsage::CopyDst | TextureUsage::CopySrc;
    const Target source{makeTexture(desc), {}, 8, 8};
    const Target target{makeTexture(desc), {}, 8, 8};
    const std::vector<std::byte> black(8 * 8 * 4);
    const std::vector<std::byte> white(2 * 3 * 4, std::byte{255});
    CommandStream stream;
    barrier(stream, source.texture, {}, Access::CopyWrite);
    barrier(stream, target.texture, {}, Access::CopyWrite);
    stream.writeTexture({source.texture, 0, 0, 0, 0, 8, 8, 1}, 32, 8, black);
    stream.writeTexture({target.texture, 0, 0, 0, 0, 8, 8, 1}, 32, 8, black);
    barrier(stream, source.texture, Access::CopyWrite, Access::CopyWrite);
    barrier(stream, target.texture, Access::CopyWrite, Access::CopyWrite);
    stream.writeTexture({source.texture, 0, 5, 1, 0, 2, 3, 1}, 8, 3, white);
    barrier(stream, source.texture, Access::CopyWrite, Access::CopyRead);
    stream.copyTextureToTexture({{source.texture, 0, 5, 1, 0, 2, 3, 1}, {target.texture, 0, 1, 4, 0, 2, 3, 1}});
    readTexture(stream, target, Access::CopyWrite, 1);
    run(stream);
    const Picture result = picture(target, 1);
    int whiteCount = 0;
    for (std::uint32_t y = 0; y < 8; ++y)
        for (std::uint32_t x = 0; x < 8; ++x)
            whiteCount += result.at(x, y) == kWhite ? 1 : 0;
    EXPECT_EQ(whiteCount, 6);
    EXPECT_EQ(result.at(1, 4), kWhite);
    EXPECT_EQ(result.at(2, 6), kWhite);
}

TEST_P(VulkanTexture, CubesArraysAndVolumesAddressTheirLayers)
{
    const auto make = [this](TextureDimension dimension, std::uint32_t layers)
    {
        TextureDesc desc;
        desc.dimension = dimension;
        desc.width = desc.height = 2;
        desc.depthOrLayers = layers;
        desc.usage = TextureUsage::Sampled | TextureUsage::CopyDst;
        return makeTexture(desc);
    };
    const TextureId textures[3] = {make(TextureDimension::Cube, 6), make(TextureDimension::D2Array, 3), make(TextureDimension::D3, 3)};
    const std::uint32_t layerCounts[3] = {6, 3, 3};
    TextureViewId views[3];
    CommandStream stream;
    for (std::size_t i = 0; i < 3; ++i)
    {
        const bool is3d = i == 2;
        TextureViewDesc view;
        view.dimension = i == 0 ? TextureDimension::Cube : i == 1 ? TextureDimension::D2Array : TextureDimension::D3;
        view.layerCount = is3d ? 1 : layerCounts[i];
        views[i] = makeView(textures[i], view);
        std::vector<std::byte> texels;
        for (std::uint32_t layer = 0; layer < layerCounts[i]; ++layer)
            texels.insert(texels.end(), 2 * 2 * 4, std::byte(i * 64 + layer + 1));
        barrier(stream, textures[i], {}, Access::CopyWrite, 1, is3d ? 1 : layerCounts[i]);
        stream.writeTexture({textures[i], 0, 0, 0, 0, 2, 2, layerCounts[i]}, 8, 2, texels);
        barrier(stream, textures[i], Access::CopyWrite, Access::SampledRead, 1, is3d ? 1 : layerCounts[i]);
    }
    const BufferId samples = makeBuffer(12 * 16, BufferUsage::Storage | BufferUsage::CopySrc);
    const auto layout = makeLayout({{0, ShaderStage::Compute, BindingType::StorageBuffer},
        {1, ShaderStage::Compute, BindingType::SampledTexture, false, TextureDimension::Cube},
        {2, ShaderStage::Compute, BindingType::SampledTexture, false, TextureDimension::D2Array},
        {3, ShaderStage::Compute, BindingType::SampledTexture, false, TextureDimension::D3},
        {4, ShaderStage::Compute, BindingType::FilteringSampler}});
    const auto group = makeGroup(layout, {{0, samples, 0, 0, {}, {}}, {1, {}, 0, 0, views[0], {}}, {2, {}, 0, 0, views[1], {}},
                                             {3, {}, 0, 0, views[2], {}}, {4, {}, 0, 0, {}, makeSampler(Filter::Nearest)}});
    stream.beginComputePass({"dimensions", {}, 0, 0});
    stream.setPipeline(makeCompute("csDimensions", {layout}));
    stream.setBindGroup(0, group);
    stream.dispatch(1, 1, 1);
    stream.endComputePass();
    barrier(stream, samples, Access::StorageWrite, Access::CopyRead);
    stream.readbackBuffer(samples, 0, 12 * 16, 1);
    run(stream);
    const auto values = numbers<float>(1);
    ASSERT_EQ(values.size(), 48U);
    const int expected[12] = {1, 2, 3, 4, 5, 6, 65, 66, 67, 129, 130, 131};
    for (std::size_t i = 0; i < 12; ++i)
        EXPECT_NEAR(values[i * 4] * 255.0f, static_cast<float>(expected[i]), 0.01f) << "sample " << i;
}

TEST_P(VulkanTexture, ImpossibleTexturesAreRefusedWithTheNumbers)
{
    TextureDesc desc;
    desc.label = "too wide";
    desc.width = 1U << 20U;
    desc.usage = TextureUsage::Sampled;
    const auto wide = device().createTexture(desc);
    ASSERT_FALSE(wide);
    EXPECT_EQ(wide.error().code, ErrorCode::Unsupported);
    EXPECT_NE(wide.error().message.find("1048576"), std::string::npos) << wide.error().message;
    EXPECT_EQ(device().memoryStats().textureBytes, 0U);
}

DL_INSTANTIATE_VULKAN(VulkanTexture);

} // namespace
} // namespace dl::gpu
