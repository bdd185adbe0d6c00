// A submission that fails while the device lives: what the frame was to upload is not lost, nothing is left behind, and the
// next frames look as if it had not happened.
#include "drawloom/gpu/null_device.h"
#include "drawloom/gpu/validation_device.h"
#include "drawloom/render/offscreen.h"
#include "tests/scenes/scenes.h"

#include <gtest/gtest.h>

#include <string>

namespace dl
{
namespace
{

/// Hands everything on but the submissions that it is told to fail. Stands before the validation device, whose model of the
/// GPU's state must not see what never ran.
class FlakyDevice final : public gpu::Device
{
public:
    explicit FlakyDevice(gpu::Device& inner) : m_inner(inner) {}
    std::uint32_t failuresLeft = 0;

    const gpu::DeviceInfo& info() const override { return m_inner.info(); }
    Result<gpu::BufferId> createBuffer(const gpu::BufferDesc& d) override { return m_inner.createBuffer(d); }
    Result<gpu::TextureId> createTexture(const gpu::TextureDesc& d) override { return m_inner.createTexture(d); }
    Result<gpu::TextureViewId> createTextureView(const gpu::TextureViewDesc& d) override { return m_inner.createTextureView(d); }
    Result<gpu::SamplerId> createSampler(const gpu::SamplerDesc& d) override { return m_inner.createSampler(d); }
    Result<gpu::ShaderModuleId> createShaderModule(const gpu::ShaderModuleDesc& d) override { return m_inner.createShaderModule(d); }
    Result<gpu::BindGroupLayoutId> createBindGroupLayout(const gpu::BindGroupLayoutDesc& d) override
    {
        return m_inner.createBindGroupLayout(d);
    }
    Result<gpu::BindGroupId> createBindGroup(const gpu::BindGroupDesc& d) override { return m_inner.createBindGroup(d); }
    Result<gpu::PipelineId> createRenderPipeline(const gpu::RenderPipelineDesc& d) override { return m_inner.createRenderPipeline(d); }
    Result<gpu::PipelineId> createComputePipeline(const gpu::ComputePipelineDesc& d) override { return m_inner.createComputePipeline(d); }
    Result<gpu::QuerySetId> createQuerySet(const gpu::QuerySetDesc& d) override { return m_inner.createQuerySet(d); }
    void destroy(gpu::BufferId id) override { m_inner.destroy(id); }
    void destroy(gpu::TextureId id) override { m_inner.destroy(id); }
    void destroy(gpu::TextureViewId id) override { m_inner.destroy(id); }
    void destroy(gpu::SamplerId id) override { m_inner.destroy(id); }
    void destroy(gpu::ShaderModuleId id) override { m_inner.destroy(id); }
    void destroy(gpu::BindGroupLayoutId id) override { m_inner.destroy(id); }
    void destroy(gpu::BindGroupId id) override { m_inner.destroy(id); }
    void destroy(gpu::PipelineId id) override { m_inner.destroy(id); }
    void destroy(gpu::QuerySetId id) override { m_inner.destroy(id); }
    Result<gpu::SubmissionIndex> submit(std::span<const std::byte> stream) override
    {
        if (failuresLeft == 0)
            return m_inner.submit(stream);
        --failuresLeft;
        return Error{ErrorCode::OutOfMemory, "no memory for a command buffer"};
    }
    void poll(std::vector<gpu::Completion>& completions) override { m_inner.poll(completions); }
    Result<void> waitIdle() override { return m_inner.waitIdle(); }
    gpu::DeviceMemoryStats memoryStats() const override { return m_inner.memoryStats(); }

private:
    gpu::Device& m_inner;
};

struct FlakyWorld
{
    std::unique_ptr<gpu::NullDevice> null = gpu::createNullDevice();
    std::unique_ptr<gpu::ValidationDevice> checked = gpu::createValidationDevice(
        *null, {.handler = [](const gpu::ValidationMessage& message) { ADD_FAILURE() << "validation: " << message.text; }});
    FlakyDevice device{*checked};
    std::unique_ptr<Renderer> renderer;
    std::unique_ptr<SceneInstance> scene;
    FrameDesc frame;

    FlakyWorld()
    {
        renderer = std::move(Renderer::create(device, {.width = 64, .height = 64, .measuresGpuTime = true})).value();
        scene = std::move(SceneInstance::create(scenes::makeDeformed(), renderer->library(), renderer->registry())).value();
        frame.camera = toRenderCamera(scene->cameras().front());
        frame.readPicture = frame.readObjectIds = true;
    }
    /// `failures` submissions of frame `index` fail one after the other; the frame is drawn until it succeeds.
    void drawFrame(int index, std::uint32_t failures)
    {
        SceneInstance* const scenes[] = {scene.get()};
        frame.timeSeconds = 0.1f * static_cast<float>(index);
        device.failuresLeft = failures;
        std::uint32_t failed = 0;
        for (Result<void> drawn = drawScenes(*renderer, scenes, frame); !drawn; drawn = drawScenes(*renderer, scenes, frame))
        {
            ASSERT_EQ(drawn.error().code, ErrorCode::OutOfMemory) << drawn.error().message;
            ASSERT_LE(++failed, failures);
        }
        ASSERT_EQ(device.failuresLeft, 0U);
        ASSERT_TRUE(renderer->finish());
    }
    std::vector<std::byte> content(gpu::BufferId id) const
    {
        const auto bytes = null->bufferContent(id);
        return {bytes.begin(), bytes.end()};
    }
    /// What stays on the device between frames: geometry, records, words, materials, textures.
    std::vector<std::vector<std::byte>> persistent() const
    {
        GpuResources& resources = renderer->resources();
        std::vector<std::vector<std::byte>> all;
        const GeometryPage page = resources.geometry().page(0);
        for (const gpu::BufferId id : {page.position, page.normal, page.uv, page.index, page.skin, page.morph,
                 resources.instances().pageBuffer(0).id(), resources.materials().buffer().id()})
            all.push_back(content(id));
        return all;
    }
};

TEST(FailedSubmission, LosesNoUploadWhereverItFails)
{
    constexpr int kFrames = 6;
    FlakyWorld calm;
    for (int i = 0; i < kFrames; ++i)
        calm.drawFrame(i, 0);
    const auto expected = calm.persistent();
    for (const auto& bytes : expected)
        ASSERT_FALSE(bytes.empty());
    ASSERT_GT(calm.renderer->stats().draws, 2U);
    for (const std::uint32_t failures : {1U, 2U, 5U})
        for (int bad = 0; bad < kFrames; ++bad)
        {
            SCOPED_TRACE(std::to_string(failures) + " submissions of frame " + std::to_string(bad) + " fail");
            FlakyWorld world;
            for (int i = 0; i < kFrames; ++i)
                world.drawFrame(i, i == bad ? failures : 0);
            EXPECT_TRUE(world.persistent() == expected);
            EXPECT_EQ(world.renderer->stats().draws, calm.renderer->stats().draws);
            EXPECT_TRUE(world.renderer->takePicture()) << "its readback arrives";
            EXPECT_TRUE(world.renderer->isSettled());
            for (std::uint32_t kind = 0; kind < gpu::kObjectKindCount; ++kind)
                EXPECT_EQ(world.null->liveObjectCount(gpu::ObjectKind(kind)), calm.null->liveObjectCount(gpu::ObjectKind(kind)))
                    << gpu::toString(gpu::ObjectKind(kind)) << ": something was left behind";
        }
}

TEST(FailedSubmission, KeepsTheUploadsOfEverythingThatIsAddedMeanwhile)
{
    FlakyWorld world;
    for (int i = 0; i < 3; ++i)
        world.drawFrame(i, 0);
    SceneInstance* const scenes[] = {world.scene.get()};
    world.device.failuresLeft = 3;
    std::vector<std::unique_ptr<SceneInstance>> more;
    for (int i = 0; i < 3; ++i)
    {
        more.push_back(
            std::move(SceneInstance::create(scenes::makeAlphaModes(), world.renderer->library(), world.renderer->registry())).value());
        EXPECT_FALSE(drawScenes(*world.renderer, scenes, world.frame));
        if (i == 1)
            more.erase(more.begin()); // what a failed stream names may go before it is sent
    }
    for (int i = 0; i < 4; ++i)
        world.drawFrame(i, 0);
    const GeometryPool& geometry = world.renderer->resources().geometry();
    EXPECT_EQ(geometry.stats().residentRangeCount, geometry.stats().rangeCount);
    EXPECT_TRUE(world.renderer->isSettled());
}

} // namespace
} // namespace dl
