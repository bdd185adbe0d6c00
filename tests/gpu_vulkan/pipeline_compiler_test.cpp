// Pipelines are compiled beside the caller: the compiler alone, then a device whose objects come and go meanwhile.
#include "drawloom/gpu/vulkan/detail/pipeline_compiler.h"
#include "tests/gpu_vulkan/shaders/test_shaders_spirv.h"
#include "tests/gpu_vulkan/vulkan_fixture.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>

namespace dl::gpu
{
namespace
{

vulkan::PipelineJob job(std::uint32_t number, std::function<VkResult(VkPipeline&)> compile)
{
    vulkan::PipelineJob made;
    made.id = {number, 1};
    made.compile = std::move(compile);
    return made;
}

TEST(PipelineCompiler, GivesJobsBackInTheOrderInWhichTheyCame)
{
    vulkan::PipelineCompiler compiler(false);
    EXPECT_TRUE(compiler.isIdle());
    std::atomic<bool> mayEnd = false;
    compiler.add(job(0,
        [&](VkPipeline&)
        {
            while (!mayEnd)
                std::this_thread::yield();
            return VK_SUCCESS;
        }));
    for (std::uint32_t i = 1; i < 20; ++i)
        compiler.add(job(i, [i](VkPipeline&) { return i == 7 ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS; }));
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_TRUE(compiler.take().empty()) << "the first holds back the others";
    EXPECT_FALSE(compiler.isIdle());
    mayEnd = true;
    compiler.wait();
    const std::vector<vulkan::PipelineJob> done = compiler.take();
    ASSERT_EQ(done.size(), 20U);
    for (std::uint32_t i = 0; i < 20; ++i)
    {
        EXPECT_EQ(done[i].id.index, i);
        EXPECT_EQ(done[i].result, i == 7 ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS);
    }
    EXPECT_TRUE(compiler.isIdle());
}

TEST(PipelineCompiler, DoesNotWaitForWorkUnlessAsked)
{
    vulkan::PipelineCompiler compiler(false);
    std::atomic<bool> mayEnd = false;
    std::thread::id worker;
    compiler.add(job(0,
        [&](VkPipeline&)
        {
            worker = std::this_thread::get_id();
            while (!mayEnd)
                std::this_thread::yield();
            return VK_SUCCESS;
        }));
    mayEnd = true; // add came back while the job could not end
    compiler.wait();
    EXPECT_NE(worker, std::this_thread::get_id());
}

TEST(PipelineCompiler, RunsInlineForValidationLayers)
{
    vulkan::PipelineCompiler compiler(true);
    std::thread::id worker;
    compiler.add(job(0,
        [&](VkPipeline&)
        {
            worker = std::this_thread::get_id();
            return VK_SUCCESS;
        }));
    EXPECT_EQ(worker, std::this_thread::get_id());
    EXPECT_EQ(compiler.take().size(), 1U);
}

TEST(PipelineCompiler, EndsWhatIsQueuedWhenItDies)
{
    std::atomic<int> count = 0;
    {
        vulkan::PipelineCompiler compiler(false);
        for (std::uint32_t i = 0; i < 50; ++i)
            compiler.add(job(i,
                [&](VkPipeline&)
                {
                    ++count;
                    return VK_SUCCESS;
                }));
    }
    EXPECT_EQ(count, 50);
}

class CompilingDevice : public testing::TestWithParam<const char*>
{
protected:
    void SetUp() override
    {
        auto made = createVulkanDevice({.driverNamePart = GetParam()}); // no layer: its pipelines would be compiled inline
        if (!made)
            GTEST_SKIP() << made.error().message;
        m_device = std::move(made).value();
        for (const TestShaderEntry& entry : kTestShaderEntries)
        {
            m_spirv[0] = entry.entry == std::string_view("vsFull") ? entry.spirv : m_spirv[0];
            m_spirv[1] = entry.entry == std::string_view("fsColor") ? entry.spirv : m_spirv[1];
        }
    }
    struct Modules
    {
        ShaderModuleId vertex, fragment;
    };
    PipelineId make(const Modules& modules)
    {
        RenderPipelineDesc desc;
        const std::string label = "label that dies with this call";
        const ColorTargetState target{Format::RGBA8Unorm};
        desc.label = label;
        desc.vertexModule = modules.vertex;
        desc.fragmentModule = modules.fragment;
        desc.vertexEntry = "vsFull";
        desc.fragmentEntry = "fsColor";
        desc.colorTargets = {&target, 1};
        return m_device->createRenderPipeline(desc).value();
    }
    Modules makeModules()
    {
        return {m_device->createShaderModule({"vertex", m_spirv[0], {}}).value(),
            m_device->createShaderModule({"fragment", m_spirv[1], {}}).value()};
    }
    void destroy(const Modules& modules)
    {
        m_device->destroy(modules.vertex);
        m_device->destroy(modules.fragment);
    }
    std::vector<Completion> poll()
    {
        std::vector<Completion> completions;
        EXPECT_TRUE(m_device->waitIdle());
        m_device->poll(completions);
        return completions;
    }
    std::unique_ptr<Device> m_device;
    std::span<const std::uint32_t> m_spirv[2];
};

TEST_P(CompilingDevice, ReportsEachPipelineOnceInOrder)
{
    const Modules modules = makeModules();
    std::vector<PipelineId> asked;
    for (int i = 0; i < 12; ++i)
        asked.push_back(make(modules));
    destroy(modules); // at once: they are still being compiled
    const std::vector<Completion> completions = poll();
    ASSERT_EQ(completions.size(), asked.size());
    for (std::size_t i = 0; i < asked.size(); ++i)
    {
        EXPECT_EQ(completions[i].kind, CompletionKind::PipelineReady);
        EXPECT_EQ(completions[i].pipeline, asked[i]);
    }
    EXPECT_TRUE(poll().empty());
}

TEST_P(CompilingDevice, ForgetsPipelinesThatAreDestroyedMeanwhile)
{
    for (int round = 0; round < 10; ++round)
    {
        const Modules modules = makeModules();
        const PipelineId dead = make(modules), living = make(modules);
        m_device->destroy(dead);
        destroy(modules);
        const std::vector<Completion> completions = poll();
        ASSERT_EQ(completions.size(), 1U);
        EXPECT_EQ(completions[0].pipeline, living);
        m_device->destroy(living);
    }
}

TEST_P(CompilingDevice, MayDieWithPipelinesOnTheWay)
{
    const Modules modules = makeModules();
    for (int i = 0; i < 8; ++i)
        make(modules);
    m_device.reset();
}

DL_INSTANTIATE_VULKAN(CompilingDevice);

} // namespace
} // namespace dl::gpu
