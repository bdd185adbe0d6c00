// tests/gpu_vulkan/binding_test.cpp - bind groups: dynamic offsets, what stays bound when the pipeline changes.
#include "vulkan_fixture.h"

namespace dl::gpu
{
namespace
{

class VulkanBindings : public VulkanTest
{
};

TEST_P(VulkanBindings, DynamicOffsetsChooseTheUniformOfEachDraw)
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

TEST_P(VulkanBindings, GroupsStayBoundWhileThePipelineChangesBehindThem)
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

TEST_P(VulkanBindings, GroupsBehindAChangedLayoutAreBoundAgain)
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

DL_INSTANTIATE_VULKAN(VulkanBindings);

} // namespace
} // namespace dl::gpu
