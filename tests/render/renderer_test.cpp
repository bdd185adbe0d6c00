// The whole frame on the null device behind the validation device.
#include "drawloom/core/parallel.h"
#include "drawloom/gpu/command_stream.h"
#include "drawloom/gpu/null_device.h"
#include "drawloom/gpu/validation_device.h"
#include "drawloom/render/offscreen.h"
#include "tests/gpu/allocation_count.h"
#include "tests/scenes/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

namespace dl
{
namespace
{

struct World
{
    std::unique_ptr<gpu::NullDevice> null;
    std::vector<std::string> faults;
    std::unique_ptr<gpu::ValidationDevice> device;
    std::unique_ptr<Renderer> renderer;
    std::unique_ptr<SceneInstance> scene;
    FrameDesc frame;

    explicit World(const SceneDescription& description, const gpu::NullDeviceSettings& settings = {}, bool isValidated = true)
    {
        null = gpu::createNullDevice(settings);
        device = gpu::createValidationDevice(
            *null, {.handler = [this](const gpu::ValidationMessage& message) { faults.push_back(message.text); }});
        Result<std::unique_ptr<Renderer>> made =
            Renderer::create(isValidated ? static_cast<gpu::Device&>(*device) : *null, {.width = 320, .height = 200});
        EXPECT_TRUE(made) << (made ? "" : made.error().message);
        renderer = std::move(*made);
        Result<std::unique_ptr<SceneInstance>> instance = SceneInstance::create(description, renderer->library(), renderer->registry());
        EXPECT_TRUE(instance) << (instance ? "" : instance.error().message);
        scene = std::move(*instance);
        frame.camera = toRenderCamera(scene->cameras().front());
    }
    ~World()
    {
        for (const std::string& fault : faults)
            ADD_FAILURE() << "validation: " << fault;
    }
    SceneInstance* scenes[1] = {};
    std::span<SceneInstance* const> list()
    {
        scenes[0] = scene.get();
        return scenes;
    }
    void settle() { ASSERT_TRUE(settleScenes(*renderer, list(), frame)); }
    void draw()
    {
        const Result<void> drawn = drawScenes(*renderer, list(), frame);
        ASSERT_TRUE(drawn) << drawn.error().message;
    }
};

} // namespace

TEST(Renderer, ReportsWhatTheNullDeviceCounted)
{
    World world(scenes::makeTownSquare());
    world.settle();
    world.null->resetStats();
    world.draw();
    const gpu::NullDeviceStats& counted = world.null->stats();
    const FrameStats& stats = world.renderer->stats();
    std::uint64_t triangles = 0;
    for (const PassFrameStats& pass : stats.passes)
    {
        const auto found =
            std::find_if(counted.passes.begin(), counted.passes.end(), [&](const gpu::NullPassStats& p) { return p.label == pass.name; });
        ASSERT_NE(found, counted.passes.end()) << pass.name;
        EXPECT_EQ(found->drawCount, pass.drawCalls) << pass.name;
        EXPECT_EQ(found->triangleCount, pass.triangles) << pass.name;
        if (pass.isMeshPass)
        {
            EXPECT_EQ(found->instanceCount, pass.drawsBefore) << pass.name << ": one instance drawn for each visible (instance, section)";
        }
        triangles += pass.triangles;
    }
    EXPECT_EQ(counted.total.drawCount, stats.drawCalls);
    EXPECT_EQ(counted.total.triangleCount, triangles);
    EXPECT_GT(stats.draws, 10U);
    EXPECT_LT(stats.draws, stats.drawsBefore);
    EXPECT_LT(stats.drawCalls, stats.draws);
}

TEST(Renderer, StaysWithinModulesAndPipelinesForTheTown)
{
    World world(scenes::makeTownSquare());
    world.settle();
    world.draw();
    std::set<std::uint32_t> bound; // by the frame, with the sun's shadows in it
    gpu::CommandReader reader(world.renderer->lastStream());
    while (const Result<gpu::CommandView> command = reader.next())
        if (command->op == gpu::Op::SetPipeline)
            bound.insert(command->record<gpu::SetPipelineCmd>().pipeline.index);
    EXPECT_GT(bound.size(), 8U);
    EXPECT_LE(bound.size(), 16U);
    EXPECT_LE(world.renderer->stats().pipelineCount, 16U + 2U) << "and two that filter the environment, when it changes";
    EXPECT_LE(world.renderer->stats().shaderModuleCount, 64U);
}

TEST(Renderer, CreatesNoPipelineAfterWarmUpAlongACameraPath)
{
    World world(scenes::makeTownSquare());
    world.settle();
    const std::uint64_t warm = world.null->stats().created[gpu::ObjectKind::Pipeline];
    EXPECT_GT(warm, 10U);
    for (int step = 0; step < 72; ++step) // once around, near and far
    {
        world.frame.camera = orbitCamera(world.scene->bounds(), 5.0f * static_cast<float>(step), step % 2 == 0 ? 10.0f : 60.0f,
            step % 3 == 0 ? 0.0f : 30.0f, 0.8f, 1.6f);
        world.frame.timeSeconds = 0.1f * static_cast<float>(step);
        world.draw();
        EXPECT_EQ(world.renderer->draws().skippedByReason()[static_cast<std::size_t>(ReasonCode::PipelinePending)], 0U) << step;
    }
    EXPECT_EQ(world.null->stats().created[gpu::ObjectKind::Pipeline], warm);
}

TEST(Renderer, MakesTheSameStreamForOneAndTwoThreads)
{
    std::vector<std::byte> streams[2];
    for (std::uint32_t i = 0; i < 2; ++i)
    {
        setThreadCount(i + 1);
        World world(scenes::makeManyInstances(20000, 50, 20));
        world.frame.camera = orbitCamera(world.scene->bounds(), 30.0f, 25.0f, 0.0f, 0.7f, 1.6f);
        world.settle();
        resetParallelStats();
        int frames = 0; // a loaded machine may keep the second thread away for a while
        for (; frames < 30 || (frames < 3000 && parallelStats().distinctThreadCount < i + 1); ++frames)
            world.draw();
        EXPECT_EQ(parallelStats().distinctThreadCount, i + 1);
        streams[i].assign(world.renderer->lastStream().begin(), world.renderer->lastStream().end());
    }
    setThreadCount(0);
    EXPECT_TRUE(streams[0] == streams[1]);
}

TEST(Renderer, AllocatesNothingOnceWarm)
{
    World world(scenes::makeManyInstances(5000, 40, 20), {}, false); // what the validation device keeps is not the frame's
    world.settle();
    SceneRegistry& registry = world.renderer->registry();
    const Affine step = toAffine(Trs{.translation = vec3(0.01f, 0.0f, 0.0f)});
    std::vector<InstanceId> movers;
    for (std::uint32_t heapId = 0; heapId < 5000 && movers.size() < 500; ++heapId)
        if (const InstanceId id = registry.findByHeapId(heapId); id)
            movers.push_back(id);
    ASSERT_EQ(movers.size(), 500U);
    const WorldPosition start = world.frame.camera.position;
    const auto frame = [&](int i)
    {
        const vec3 offset(0.5f * static_cast<float>(i % 7), 0.0f, 0.25f * static_cast<float>(i % 5));
        world.frame.camera.position = normalised(WorldPosition{start.cell, start.offset + offset});
        for (const InstanceId id : movers)
        {
            WorldTransform transform = registry.transform(id);
            transform.affine = compose(step, transform.affine);
            registry.move(id, transform);
        }
        world.draw();
    };
    for (int i = 0; i < 35; ++i) // every camera position once
        frame(i);
    const std::size_t before = gpu::allocationCount();
    for (int i = 35; i < 70; ++i)
        frame(i);
    EXPECT_EQ(gpu::allocationCount() - before, 0U) << "allocations in 35 warm frames";
}

TEST(Renderer, SaysThatTheDeviceWasLost)
{
    World world(scenes::makeSphereSweep());
    world.settle();
    world.null->settings().loseAtSubmission = world.null->stats().submissionCount + 1;
    const Result<void> lost = drawScenes(*world.renderer, world.list(), world.frame);
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, ErrorCode::DeviceLost);
    EXPECT_EQ(world.renderer->beginFrame().error().code, ErrorCode::DeviceLost);
}

TEST(Renderer, WaitsForLatePipelinesAndCompletions)
{
    World world(scenes::makeSphereSweep(), {.pollsUntilDone = 3, .pollsUntilPipelineReady = 5});
    EXPECT_FALSE(world.renderer->isSettled());
    world.settle();
    world.draw();
    EXPECT_GT(world.renderer->stats().draws, 3U);
}

TEST(Renderer, RefusesPicturesOfImpossibleSizes)
{
    const auto device = gpu::createNullDevice();
    for (const std::uint32_t size : {0U, 8193U})
    {
        const auto made = Renderer::create(*device, {.width = size, .height = 100});
        ASSERT_FALSE(made);
        EXPECT_EQ(made.error().code, ErrorCode::InvalidArgument);
        EXPECT_NE(made.error().message.find("8192"), std::string::npos);
    }
}

TEST(Renderer, FailsCleanlyWhereverTheDeviceRunsOutOfMemory)
{
    const SceneDescription description = scenes::makeSphereSweep();
    std::uint32_t failedCount = 0;
    for (std::uint64_t nth = 1; nth < 60; nth += 3)
    {
        gpu::NullDeviceSettings settings;
        settings.failNthCreation[gpu::ObjectKind::Buffer] = nth;
        settings.failNthCreation[gpu::ObjectKind::Texture] = nth;
        const auto device = gpu::createNullDevice(settings);
        auto renderer = Renderer::create(*device, {.width = 64, .height = 64});
        if (!renderer)
        {
            EXPECT_EQ(renderer.error().code, ErrorCode::OutOfMemory);
            ++failedCount;
            continue;
        }
        auto scene = SceneInstance::create(description, (*renderer)->library(), (*renderer)->registry());
        if (!scene)
        {
            EXPECT_EQ(scene.error().code, ErrorCode::OutOfMemory);
            ++failedCount;
            continue;
        }
        SceneInstance* const scenes[] = {scene->get()};
        const Result<void> drawn = settleScenes(**renderer, scenes, {.camera = toRenderCamera((*scene)->cameras().front())});
        failedCount += drawn ? 0 : 1;
    }
    EXPECT_GT(failedCount, 5U);
}

} // namespace dl
