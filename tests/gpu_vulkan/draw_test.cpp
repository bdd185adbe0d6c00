// tests/gpu_vulkan/draw_test.cpp - render passes: orientation, bindings, instancing, depth, blending, samples.
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

TEST_P(VulkanDraw, DynamicOffsetsChooseTheUniformOfEachDraw)
{
    const std::uint32_t alignment = device().info().limits.minUniformOffsetAlignment;
    const std::uint32_t step = alignment > 16 ? alignment : 16;
    const BufferId uniforms = makeBuffer(4 * step, BufferUsage::Uniform | BufferUsage::CopyDst);
    const auto layout = makeLayout({{0, ShaderStage::Fragment, BindingType::UniformBuffer, true}});
    const auto group = makeGroup(layout, {{0, uniforms, 0, 16, {}, {}}});
    const PipelineId pipeline = makePipeline("vsFull", "fsUniform",
        [&](RenderPipelineDesc& desc)
        {
            desc.cullMode = CullMode::None;
            desc.layouts = {&layout, 1};
        });
    const Target target = makeTarget(16, 16);
    CommandStream stream;
    for (std::uint32_t i = 0; i < 4; ++i)
    {
        const float color[4] = {static_cast<float>(i) / 3.0f, 0, 0, 1};
        stream.writeBuffer(uniforms, i * step, std::as_bytes(std::span(color)));
    }
    barrier(stream, uniforms, Access::CopyWrite, Access::UniformRead);
    barrier(stream, target.texture, {}, Access::ColorWrite);
    beginPass(stream, target);
    stream.setPipeline(pipeline);
    for (std::uint32_t i = 0; i < 4; ++i)
    {
        const std::uint32_t offset = i * step;
        stream.setBindGroup(0, group, {&offset, 1});
        stream.setScissor({i * 4, 0, 4, 16});
        stream.draw({3, 1, 0, 0});
    }
    stream.endRenderPass();
    readTexture(stream, target, Access::ColorWrite, 1);
    run(stream);
    const Picture result = picture(target, 1);
    for (std::uint32_t i = 0; i < 4; ++i)
        EXPECT_EQ(result.at(i * 4 + 2, 8), (Picture::Pixel{static_cast<int>(i) * 85, 0, 0, 255})) << i;
}

TEST_P(VulkanDraw, GroupsStayBoundWhileThePipelineChangesBehindThem)
{
    const BufferId uniforms = makeBuffer(512, BufferUsage::Uniform | BufferUsage::CopyDst);
    const auto layout = makeLayout({{0, ShaderStage::Fragment, BindingType::UniformBuffer}});
    const auto red = makeGroup(layout, {{0, uniforms, 0, 16, {}, {}}});
    const auto green = makeGroup(layout, {{0, uniforms, 256, 16, {}, {}}});
    const BindGroupLayoutId both[] = {layout, layout};
    const auto adjust = [&](std::size_t groups)
    {
        return [&both, groups](RenderPipelineDesc& desc)
        {
            desc.cullMode = CullMode::None;
            desc.layouts = {both, groups};
        };
    };
    const PipelineId one = makePipeline("vsFull", "fsUniform", adjust(1));
    const PipelineId two = makePipeline("vsFull", "fsTwoGroups", adjust(2));
    const Target target = makeTarget(8, 4);
    CommandStream stream;
    const float redColor[4] = {1, 0, 0, 1};
    const float greenColor[4] = {0, 1, 0, 1};
    stream.writeBuffer(uniforms, 0, std::as_bytes(std::span(redColor)));
    stream.writeBuffer(uniforms, 256, std::as_bytes(std::span(greenColor)));
    barrier(stream, uniforms, Access::CopyWrite, Access::UniformRead);
    barrier(stream, target.texture, {}, Access::ColorWrite);
    beginPass(stream, target);
    stream.setBindGroup(1, green); // before any pipeline, and unused by the first one
    stream.setBindGroup(0, red);
    stream.setPipeline(one);
    stream.setScissor({0, 0, 4, 4});
    stream.draw({3, 1, 0, 0});
    stream.setPipeline(two);
    stream.setScissor({4, 0, 4, 4});
    stream.draw({3, 1, 0, 0});
    stream.endRenderPass();
    readTexture(stream, target, Access::ColorWrite, 1);
    run(stream);
    EXPECT_EQ(picture(target, 1).at(1, 1), (Picture::Pixel{255, 0, 0, 255}));
    EXPECT_EQ(picture(target, 1).at(6, 1), (Picture::Pixel{255, 255, 0, 255}));
}

TEST_P(VulkanDraw, GroupsBehindAChangedLayoutAreBoundAgain)
{
    const BufferId uniforms = makeBuffer(512, BufferUsage::Uniform | BufferUsage::CopyDst);
    const auto first = makeLayout({{0, ShaderStage::Fragment, BindingType::UniformBuffer}});
    const auto other = makeLayout({{0, ShaderStages(ShaderStage::Fragment) | ShaderStage::Vertex, BindingType::UniformBuffer}});
    const auto red = makeGroup(first, {{0, uniforms, 0, 16, {}, {}}});
    const auto redOther = makeGroup(other, {{0, uniforms, 0, 16, {}, {}}});
    const auto green = makeGroup(first, {{0, uniforms, 256, 16, {}, {}}});
    const auto make = [this](const BindGroupLayoutId(&layouts)[2])
    {
        return makePipeline("vsFull", "fsTwoGroups",
            [&](RenderPipelineDesc& desc)
            {
                desc.cullMode = CullMode::None;
                desc.layouts = layouts;
            });
    };
    const PipelineId before = make({first, first});
    const PipelineId after = make({other, first});
    const Target target = makeTarget(8, 4);
    CommandStream stream;
    const float redColor[4] = {1, 0, 0, 1};
    const float greenColor[4] = {0, 1, 0, 1};
    stream.writeBuffer(uniforms, 0, std::as_bytes(std::span(redColor)));
    stream.writeBuffer(uniforms, 256, std::as_bytes(std::span(greenColor)));
    barrier(stream, uniforms, Access::CopyWrite, Access::UniformRead);
    barrier(stream, target.texture, {}, Access::ColorWrite);
    beginPass(stream, target);
    stream.setPipeline(before);
    stream.setBindGroup(0, red);
    stream.setBindGroup(1, green);
    stream.draw({3, 1, 0, 0});
    stream.setBindGroup(0, redOther);
    stream.setPipeline(after); // group 1 was set before and is not set again
    stream.draw({3, 1, 0, 0});
    stream.endRenderPass();
    readTexture(stream, target, Access::ColorWrite, 1);
    run(stream);
    EXPECT_EQ(picture(target, 1).at(6, 1), (Picture::Pixel{255, 255, 0, 255}));
}

constexpr float kColumnColors[16] = {1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1, 1, 1, 0, 1};
constexpr Picture::Pixel kColumnPixels[4] = {{255, 0, 0, 255}, {0, 255, 0, 255}, {0, 0, 255, 255}, {255, 255, 0, 255}};
constexpr std::uint32_t kQuadIndices[6] = {0, 1, 2, 2, 1, 3};

class VulkanInstances : public VulkanTest
{
protected:
    void SetUp() override
    {
        VulkanTest::SetUp();
        if (!m_device)
            return;
        m_colors = makeBuffer(sizeof(kColumnColors), BufferUsage::Storage | BufferUsage::CopyDst);
        m_indices = makeBuffer(sizeof(kQuadIndices), BufferUsage::Index | BufferUsage::CopyDst);
        const auto layout = makeLayout({{0, ShaderStage::Vertex, BindingType::ReadOnlyStorageBuffer}});
        m_group = makeGroup(layout, {{0, m_colors, 0, 0, {}, {}}});
        m_pipeline = makePipeline("vsColumn", "fsColor", [&](RenderPipelineDesc& desc) { desc.layouts = {&layout, 1}; });
        m_target = makeTarget(16, 4);
    }

    void upload(CommandStream& stream)
    {
        stream.writeBuffer(m_colors, 0, std::as_bytes(std::span(kColumnColors)));
        stream.writeBuffer(m_indices, 0, std::as_bytes(std::span(kQuadIndices)));
        barrier(stream, m_colors, Access::CopyWrite, Access::StorageRead);
        barrier(stream, m_indices, Access::CopyWrite, Access::IndexRead);
        barrier(stream, m_target.texture, {}, Access::ColorWrite);
    }
    void begin(CommandStream& stream)
    {
        beginPass(stream, m_target);
        stream.setPipeline(m_pipeline);
        stream.setBindGroup(0, m_group);
        stream.setIndexBuffer(m_indices, IndexFormat::Uint32);
    }
    void finish(CommandStream& stream, std::initializer_list<bool> isDrawn)
    {
        stream.endRenderPass();
        readTexture(stream, m_target, Access::ColorWrite, 1);
        run(stream);
        const Picture result = picture(m_target, 1);
        std::uint32_t column = 0;
        for (const bool drawn : isDrawn)
        {
            EXPECT_EQ(result.at(column * 4 + 1, 2), drawn ? kColumnPixels[column] : kBlack) << "column " << column;
            ++column;
        }
    }

    BufferId m_colors, m_indices;
    BindGroupId m_group;
    PipelineId m_pipeline;
    Target m_target;
};

TEST_P(VulkanInstances, InstanceIndexIncludesFirstInstance)
{
    CommandStream stream;
    upload(stream);
    begin(stream);
    stream.drawIndexed({6, 2, 0, 0, 2, 0});
    finish(stream, {false, false, true, true});
}

TEST_P(VulkanInstances, UnindexedDrawsTakeFirstInstanceToo)
{
    CommandStream stream;
    upload(stream);
    begin(stream);
    stream.draw({3, 1, 0, 1});
    finish(stream, {false, true, false, false});
}

TEST_P(VulkanInstances, IndirectArgumentsFromComputeDrawEachRecord)
{
    ASSERT_TRUE(device().info().features.contains(Feature::IndirectFirstInstance));
    const BufferId arguments = makeBuffer(64, BufferUsage::Storage | BufferUsage::Indirect);
    const auto layout = makeLayout({{0, ShaderStage::Compute, BindingType::StorageBuffer}});
    const auto group = makeGroup(layout, {{0, arguments, 0, 0, {}, {}}});
    const PipelineId compute = makeCompute("csArguments", {layout});
    CommandStream stream;
    upload(stream);
    stream.beginComputePass({"arguments", {}, 0, 0});
    stream.setPipeline(compute);
    stream.setBindGroup(0, group);
    stream.dispatch(1, 1, 1);
    stream.endComputePass();
    barrier(stream, arguments, Access::StorageWrite, Access::IndirectRead);
    begin(stream);
    stream.drawIndexedIndirect(arguments, 0, 2);
    finish(stream, {false, true, false, true});
}

TEST_P(VulkanInstances, IndirectOffsetSkipsRecords)
{
    const std::uint32_t records[10] = {6, 1, 0, 0, 0, 6, 1, 0, 0, 3};
    const BufferId arguments = makeBuffer(sizeof(records), BufferUsage::Indirect | BufferUsage::CopyDst);
    CommandStream stream;
    upload(stream);
    stream.writeBuffer(arguments, 0, std::as_bytes(std::span(records)));
    barrier(stream, arguments, Access::CopyWrite, Access::IndirectRead);
    begin(stream);
    stream.drawIndexedIndirect(arguments, 20, 1);
    finish(stream, {false, false, false, true});
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

TEST_P(VulkanDraw, ReversedDepthKeepsTheNearerWhateverTheOrder)
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

TEST_P(VulkanDraw, DepthOfAPassIsSampledByTheNext)
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

TEST_P(VulkanDraw, BlendingMixesWithWhatIsThere)
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

TEST_P(VulkanDraw, FourSamplesResolveToPartialCoverageAtTheEdge)
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
DL_INSTANTIATE_VULKAN(VulkanInstances);

} // namespace
} // namespace dl::gpu
