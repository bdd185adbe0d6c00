// tests/gpu_vulkan/depth_blend_test.cpp - what decides over a pixel: depth, blending, samples.
#include "vulkan_fixture.h"

namespace dl::gpu
{
namespace
{

class VulkanPixels : public VulkanTest
{
};

TEST_P(VulkanPixels, ReversedDepthKeepsTheNearerWhateverTheOrder)
{
    struct Vertex
    {
        float position[3];
        std::uint8_t color[4];
    };
    std::vector<Vertex> vertices; // near red (0.75), far green (0.25): left half near first, right half far first
    const auto add = [&vertices](float x, float z, std::array<std::uint8_t, 4> c)
    {
        for (const auto& p : {std::array{x, 1.0f}, std::array{x, -1.0f}, std::array{x + 1, 1.0f}, std::array{x + 1, 1.0f},
                 std::array{x, -1.0f}, std::array{x + 1, -1.0f}})
            vertices.push_back({{p[0], p[1], z}, {c[0], c[1], c[2], c[3]}});
    };
    add(-1, 0.75f, {255, 0, 0, 255});
    add(-1, 0.25f, {0, 255, 0, 255});
    add(0, 0.25f, {0, 255, 0, 255});
    add(0, 0.75f, {255, 0, 0, 255});
    const BufferId vertexBuffer = makeBuffer(vertices.size() * sizeof(Vertex), BufferUsage::Vertex | BufferUsage::CopyDst);
    // As long as if it were read per vertex: the layer (1.3.239) counts instance streams so and reports hazards behind them.
    const BufferId offsetBuffer = makeBuffer(24 * 8, BufferUsage::Vertex | BufferUsage::CopyDst);
    const VertexAttribute perVertex[] = {{0, VertexFormat::Float32x3, 0}, {1, VertexFormat::Unorm8x4, 12}};
    const VertexAttribute perInstance[] = {{2, VertexFormat::Float32x2, 0}};
    const VertexBufferLayout buffers[] = {{16, false, perVertex}, {8, true, perInstance}};
    const PipelineId pipeline = makePipeline("vsBuffers", "fsColor",
        [&](RenderPipelineDesc& desc)
        {
            desc.vertexBuffers = buffers;
            desc.depth = {Format::Depth32Float, true, CompareOp::GreaterEqual, 0, 0, 0};
        });
    // A second pass samples the depth that it has attached read-only.
    const auto layout = makeLayout({{0, ShaderStage::Fragment, BindingType::DepthTexture}});
    const PipelineId show = makePipeline("vsFull", "fsDepthRead",
        [&](RenderPipelineDesc& desc)
        {
            desc.cullMode = CullMode::None;
            desc.layouts = {&layout, 1};
            desc.depth = {Format::Depth32Float, false, CompareOp::GreaterEqual, 0, 0, 0};
        });
    TextureDesc depthDesc;
    depthDesc.format = Format::Depth32Float;
    depthDesc.width = depthDesc.height = 8;
    depthDesc.usage = TextureUsage::DepthAttachment | TextureUsage::Sampled;
    const TextureId depth = makeTexture(depthDesc);
    TextureViewDesc depthView;
    depthView.aspect = TextureAspect::DepthOnly;
    const TextureViewId view = makeView(depth, depthView);
    const auto group = makeGroup(layout, {{0, {}, 0, 0, view, {}}});
    const Target target = makeTarget(8, 8);
    const Target shown = makeTarget(8, 8);

    CommandStream stream;
    stream.writeBuffer(vertexBuffer, 0, std::as_bytes(std::span(vertices)));
    stream.clearBuffer(offsetBuffer, 0, 24 * 8);
    barrier(stream, vertexBuffer, Access::CopyWrite, Access::VertexRead);
    barrier(stream, offsetBuffer, Access::CopyWrite, Access::VertexRead);
    barrier(stream, target.texture, {}, Access::ColorWrite);
    barrier(stream, shown.texture, {}, Access::ColorWrite);
    barrier(stream, depth, {}, Access::DepthWrite);
    ColorAttachment color;
    color.view = target.view;
    RenderPassDesc pass;
    pass.width = pass.height = 8;
    pass.colors = {&color, 1};
    pass.depth.view = view;
    stream.beginRenderPass(pass);
    stream.setPipeline(pipeline);
    stream.setVertexBuffer(0, vertexBuffer);
    stream.setVertexBuffer(1, offsetBuffer);
    stream.draw({24, 1, 0, 0});
    stream.endRenderPass();
    barrier(stream, depth, Access::DepthWrite, Access::DepthRead | Access::SampledRead);
    color.view = shown.view;
    pass.depth.isReadOnly = 1;
    pass.depth.load = LoadOp::Load;
    stream.beginRenderPass(pass);
    stream.setPipeline(show);
    stream.setBindGroup(0, group);
    stream.draw({3, 1, 0, 0}); // at depth 0.5: behind the near quads everywhere
    stream.endRenderPass();
    readTexture(stream, target, Access::ColorWrite, 1);
    readTexture(stream, shown, Access::ColorWrite, 2);
    run(stream);
    EXPECT_EQ(picture(target, 1).at(1, 4), (Picture::Pixel{255, 0, 0, 255}));
    EXPECT_EQ(picture(target, 1).at(6, 4), (Picture::Pixel{255, 0, 0, 255}));
    EXPECT_EQ(picture(shown, 2).at(4, 4), (Picture::Pixel{0, 0, 0, 0})) << "0.5 is farther than 0.75";
}

TEST_P(VulkanPixels, DepthOfAPassIsSampledByTheNext)
{
    TextureDesc depthDesc;
    depthDesc.format = Format::Depth32Float;
    depthDesc.width = depthDesc.height = 8;
    depthDesc.usage = TextureUsage::DepthAttachment | TextureUsage::Sampled;
    const TextureId depth = makeTexture(depthDesc);
    const TextureViewId view = makeView(depth);
    const auto layout = makeLayout({{0, ShaderStage::Fragment, BindingType::DepthTexture}});
    const auto group = makeGroup(layout, {{0, {}, 0, 0, view, {}}});
    const PipelineId depthOnly = makePipeline("vsCorner", "",
        [](RenderPipelineDesc& desc)
        {
            desc.colorTargets = {};
            desc.depth = {Format::Depth32Float, true, CompareOp::GreaterEqual, 0, 0, 0};
        });
    const PipelineId show = makePipeline("vsFull", "fsDepthRead",
        [&](RenderPipelineDesc& desc)
        {
            desc.cullMode = CullMode::None;
            desc.layouts = {&layout, 1};
        });
    const Target shown = makeTarget(8, 8);
    CommandStream stream;
    barrier(stream, depth, {}, Access::DepthWrite);
    barrier(stream, shown.texture, {}, Access::ColorWrite);
    RenderPassDesc pass;
    pass.width = pass.height = 8;
    pass.depth.view = view;
    pass.depth.clear = 0.2f;
    stream.beginRenderPass(pass);
    stream.setPipeline(depthOnly);
    stream.draw({3, 1, 0, 0});
    stream.endRenderPass();
    barrier(stream, depth, Access::DepthWrite, Access::SampledRead);
    beginPass(stream, shown);
    stream.setPipeline(show);
    stream.setBindGroup(0, group);
    stream.draw({3, 1, 0, 0});
    stream.endRenderPass();
    readTexture(stream, shown, Access::ColorWrite, 1);
    run(stream);
    const Picture result = picture(shown, 1);
    EXPECT_NEAR(result.at(0, 0)[0], 127.5, 1.0);
    EXPECT_EQ(result.at(7, 7)[0], 51);
}

TEST_P(VulkanPixels, BlendingMixesWithWhatIsThere)
{
    const BufferId uniforms = makeBuffer(16, BufferUsage::Uniform | BufferUsage::CopyDst);
    const auto layout = makeLayout({{0, ShaderStage::Fragment, BindingType::UniformBuffer}});
    const auto group = makeGroup(layout, {{0, uniforms, 0, 0, {}, {}}});
    ColorTargetState state{Format::RGBA8Unorm};
    state.isBlended = true;
    state.blend = {
        BlendFactor::SrcAlpha, BlendFactor::OneMinusSrcAlpha, BlendOp::Add, BlendFactor::One, BlendFactor::OneMinusSrcAlpha, BlendOp::Add};
    state.writeMask = 0x1 | 0x4 | 0x8; // green is protected
    const PipelineId pipeline = makePipeline("vsFull", "fsUniform",
        [&](RenderPipelineDesc& desc)
        {
            desc.cullMode = CullMode::None;
            desc.layouts = {&layout, 1};
            desc.colorTargets = {&state, 1};
        });
    const Target target = makeTarget(4, 4);
    CommandStream stream;
    const float color[4] = {1.0f, 1.0f, 1.0f, 0.25f};
    stream.writeBuffer(uniforms, 0, std::as_bytes(std::span(color)));
    barrier(stream, uniforms, Access::CopyWrite, Access::UniformRead);
    barrier(stream, target.texture, {}, Access::ColorWrite);
    beginPass(stream, target, {0.0f, 0.0f, 1.0f, 0.0f});
    stream.setPipeline(pipeline);
    stream.setBindGroup(0, group);
    stream.draw({3, 1, 0, 0});
    stream.endRenderPass();
    readTexture(stream, target, Access::ColorWrite, 1);
    run(stream);
    const auto pixel = picture(target, 1).at(2, 2);
    EXPECT_NEAR(pixel[0], 64, 1);
    EXPECT_EQ(pixel[1], 0);
    EXPECT_EQ(pixel[2], 255);
    EXPECT_NEAR(pixel[3], 64, 1);
}

TEST_P(VulkanPixels, FourSamplesResolveToPartialCoverageAtTheEdge)
{
    const Target samples = makeTarget(16, 16, Format::RGBA8Unorm, 4);
    const Target resolved = makeTarget(16, 16);
    const PipelineId pipeline = makePipeline("vsCorner", "fsWhite", [](RenderPipelineDesc& desc) { desc.sampleCount = 4; });
    CommandStream stream;
    barrier(stream, samples.texture, {}, Access::ColorWrite);
    barrier(stream, resolved.texture, {}, Access::ColorWrite);
    ColorAttachment color;
    color.view = samples.view;
    color.resolveView = resolved.view;
    color.store = StoreOp::Discard;
    color.clear[3] = 1.0f;
    RenderPassDesc pass;
    pass.width = pass.height = 16;
    pass.colors = {&color, 1};
    stream.beginRenderPass(pass);
    stream.setPipeline(pipeline);
    stream.draw({3, 1, 0, 0});
    stream.endRenderPass();
    readTexture(stream, resolved, Access::ColorWrite, 1);
    run(stream);
    const Picture result = picture(resolved, 1);
    EXPECT_EQ(result.at(1, 1), kWhite);
    EXPECT_EQ(result.at(14, 14), kBlack);
    int partialCount = 0;
    for (std::uint32_t i = 0; i < 8; ++i)
        partialCount += result.at(i, 7 - i)[0] > 0 && result.at(i, 7 - i)[0] < 255 ? 1 : 0;
    EXPECT_EQ(partialCount, 8) << "the diagonal edge crosses these pixels";
}

DL_INSTANTIATE_VULKAN(VulkanPixels);

} // namespace
} // namespace dl::gpu
