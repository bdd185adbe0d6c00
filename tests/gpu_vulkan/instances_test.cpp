// tests/gpu_vulkan/instances_test.cpp - instance indices of direct and indirect draws.
#include "vulkan_fixture.h"

namespace dl::gpu
{
namespace
{

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

DL_INSTANTIATE_VULKAN(VulkanInstances);

} // namespace
} // namespace dl::gpu
