// tests/gpu_vulkan/draw_test.cpp - render passes: clears, orientation, viewport, vertex streams, load.
#include "vulkan_fixture.h"

namespace dl::gpu
{
namespace
{

class VulkanDraw : public VulkanTest
{
protected:
    /// One draw of `vertices` into a fresh 16x16 target.
    Picture drawOnce(PipelineId pipeline, std::uint32_t vertices)
    {
        const Target target = makeTarget(16, 16);
        CommandStream stream;
        barrier(stream, target.texture, {}, Access::ColorWrite);
        beginPass(stream, target);
        stream.setPipeline(pipeline);
        stream.draw({vertices, 1, 0, 0});
        stream.endRenderPass();
        readTexture(stream, target, Access::ColorWrite, 1);
        run(stream);
        return picture(target, 1);
    }
};

TEST_P(VulkanDraw, ClearFillsEveryPixelOfAnOddlySizedTarget)
{
    const Target target = makeTarget(37, 5);
    CommandStream stream;
    barrier(stream, target.texture, {}, Access::ColorWrite);
    beginPass(stream, target, {1.0f, 0.0f, 128.0f / 255.0f, 1.0f});
    stream.endRenderPass();
    readTexture(stream, target, Access::ColorWrite, 7);
    run(stream);
    const Picture result = picture(target, 7);
    ASSERT_EQ(result.bytes.size(), 37U * 5U * 4U);
    for (std::uint32_t y = 0; y < 5; ++y)
        for (std::uint32_t x = 0; x < 37; ++x)
            ASSERT_EQ(result.at(x, y), (Picture::Pixel{255, 0, 128, 255})) << x << "," << y;
}

TEST_P(VulkanDraw, ClearOfAnIntegerTargetWritesIntegers)
{
    const Target target = makeTarget(4, 4, Format::R32Uint);
    CommandStream stream;
    barrier(stream, target.texture, {}, Access::ColorWrite);
    beginPass(stream, target, {70000.0f, 0, 0, 0});
    stream.endRenderPass();
    readTexture(stream, target, Access::ColorWrite, 1);
    run(stream);
    const auto texels = numbers<std::uint32_t>(1);
    ASSERT_GE(texels.size(), 4U);
    EXPECT_EQ(texels[0], 70000U);
    EXPECT_EQ(texels[3], 70000U);
}

TEST_P(VulkanDraw, ClipSpaceIsYUpAndPictureRowsGoDown)
{
    const Picture result =
        drawOnce(makePipeline("vsCorner", "fsWhite", [](RenderPipelineDesc& desc) { desc.cullMode = CullMode::None; }), 3);
    EXPECT_EQ(result.at(1, 1), kWhite) << "clip (-1, 1) is the top left corner";
    EXPECT_EQ(result.at(14, 1), kBlack);
    EXPECT_EQ(result.at(1, 14), kBlack);
    EXPECT_EQ(result.at(14, 14), kBlack);
}

TEST_P(VulkanDraw, CounterClockwiseTrianglesAreFrontFacing)
{
    const auto draw = [this](CullMode cull, FrontFace face)
    {
        return drawOnce(makePipeline("vsCorner", "fsWhite",
                            [&](RenderPipelineDesc& desc)
                            {
                                desc.cullMode = cull;
                                desc.frontFace = face;
                            }),
            3)
            .at(1, 1);
    };
    EXPECT_EQ(draw(CullMode::Back, FrontFace::CounterClockwise), kWhite);
    EXPECT_EQ(draw(CullMode::Front, FrontFace::CounterClockwise), kBlack);
    EXPECT_EQ(draw(CullMode::Back, FrontFace::Clockwise), kBlack);
    EXPECT_EQ(draw(CullMode::Front, FrontFace::Clockwise), kWhite);
}

TEST_P(VulkanDraw, ViewportAndScissorCountFromTheTopLeft)
{
    const Target target = makeTarget(16, 16);
    const PipelineId pipeline = makePipeline("vsFull", "fsColor", [](RenderPipelineDesc& desc) { desc.cullMode = CullMode::None; });
    CommandStream stream;
    barrier(stream, target.texture, {}, Access::ColorWrite);
    beginPass(stream, target);
    stream.setPipeline(pipeline);
    stream.setViewport({4, 0, 8, 8, 0, 1});
    stream.setScissor({0, 2, 16, 16 - 2});
    stream.draw({3, 1, 0, 0});
    stream.endRenderPass();
    readTexture(stream, target, Access::ColorWrite, 1);
    run(stream);
    const Picture result = picture(target, 1);
    EXPECT_EQ(result.at(8, 1), kBlack) << "cut by the scissor";
    EXPECT_EQ(result.at(8, 3), kWhite);
    EXPECT_EQ(result.at(8, 7), kWhite);
    EXPECT_EQ(result.at(8, 8), kBlack) << "below the viewport";
    EXPECT_EQ(result.at(3, 4), kBlack);
    EXPECT_EQ(result.at(12, 4), kBlack);
}

TEST_P(VulkanDraw, VertexStreamsAreReadPerVertexAndPerInstance)
{
    struct Vertex
    {
        float position[3];
        std::uint8_t color[4];
    };
    const Vertex vertices[3] = {{{-1, 1, 0}, {255, 0, 0, 255}}, {{-1, -1, 0}, {255, 0, 0, 255}}, {{0, 1, 0}, {255, 0, 0, 255}}};
    const float offsets[4] = {0, 0, 1, 0};
    const BufferId vertexBuffer = makeBuffer(sizeof(vertices) + 16, BufferUsage::Vertex | BufferUsage::CopyDst);
    const BufferId offsetBuffer = makeBuffer(sizeof(offsets), BufferUsage::Vertex | BufferUsage::CopyDst);
    const VertexAttribute perVertex[] = {{0, VertexFormat::Float32x3, 0}, {1, VertexFormat::Unorm8x4, 12}};
    const VertexAttribute perInstance[] = {{2, VertexFormat::Float32x2, 0}};
    const VertexBufferLayout buffers[] = {{16, false, perVertex}, {8, true, perInstance}};
    const PipelineId pipeline = makePipeline("vsBuffers", "fsColor", [&](RenderPipelineDesc& desc) { desc.vertexBuffers = buffers; });
    const Target target = makeTarget(16, 16);
    CommandStream stream;
    stream.writeBuffer(vertexBuffer, 16, std::as_bytes(std::span(vertices)));
    stream.writeBuffer(offsetBuffer, 0, std::as_bytes(std::span(offsets)));
    barrier(stream, vertexBuffer, Access::CopyWrite, Access::VertexRead);
    barrier(stream, offsetBuffer, Access::CopyWrite, Access::VertexRead);
    barrier(stream, target.texture, {}, Access::ColorWrite);
    beginPass(stream, target);
    stream.setPipeline(pipeline);
    stream.setVertexBuffer(0, vertexBuffer, 16);
    stream.setVertexBuffer(1, offsetBuffer);
    stream.draw({3, 2, 0, 0});
    stream.endRenderPass();
    readTexture(stream, target, Access::ColorWrite, 1);
    run(stream);
    const Picture result = picture(target, 1);
    EXPECT_EQ(result.at(1, 4), (Picture::Pixel{255, 0, 0, 255}));
    EXPECT_EQ(result.at(9, 4), (Picture::Pixel{255, 0, 0, 255})) << "the second instance stands one unit to the right";
    EXPECT_EQ(result.at(7, 14), kBlack);
}

TEST_P(VulkanDraw, LoadKeepsWhatAnEarlierSubmissionDrew)
{
    const Target target = makeTarget(8, 8);
    CommandStream stream;
    barrier(stream, target.texture, {}, Access::ColorWrite);
    beginPass(stream, target, {0, 0, 1, 1});
    stream.endRenderPass();
    run(stream);
    barrier(stream, target.texture, Access::ColorWrite, Access::ColorWrite);
    ColorAttachment color;
    color.view = target.view;
    color.load = LoadOp::Load;
    RenderPassDesc pass;
    pass.width = pass.height = 8;
    pass.colors = {&color, 1};
    stream.beginRenderPass(pass);
    stream.setPipeline(makePipeline("vsCorner", "fsWhite"));
    stream.draw({3, 1, 0, 0});
    stream.endRenderPass();
    readTexture(stream, target, Access::ColorWrite, 1);
    run(stream);
    EXPECT_EQ(picture(target, 1).at(0, 0), kWhite);
    EXPECT_EQ(picture(target, 1).at(7, 7), (Picture::Pixel{0, 0, 255, 255}));
}

DL_INSTANTIATE_VULKAN(VulkanDraw);

} // namespace
} // namespace dl::gpu
