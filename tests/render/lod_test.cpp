// Levels of detail through the whole frame, on the null device: the triangles that it counts.
#include "drawloom/asset/lod_build.h"
#include "drawloom/core/parallel.h"
#include "drawloom/gpu/null_device.h"
#include "drawloom/gpu/validation_device.h"
#include "drawloom/render/offscreen.h"
#include "tests/scenes/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace dl
{
namespace
{

/// A sheet of quads across the view at the origin, with `levels` halvings as levels of its node.
SceneDescription sheet(const std::vector<float>& coverages)
{
    SceneDescription scene;
    Node& node = scene.nodes.emplace_back();
    node.meshIndex = 0;
    for (std::size_t level = 0; level < coverages.size(); ++level)
    {
        Primitive p;
        p.positions = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
        p.normals.assign(4, vec3(0, 0, 1));
        for (std::size_t i = 0; i < (std::size_t(16) >> level); ++i)
            p.indices.insert(p.indices.end(), {0, 1, 2});
        p.bounds = {vec3(-1, -1, 0), vec3(1, 1, 0)};
        scene.meshes.push_back({"sheet", {p}, {}});
        node.lods.push_back({static_cast<std::uint32_t>(level), coverages[level]});
    }
    return scene;
}

struct LodFrames
{
    explicit LodFrames(const SceneDescription& description)
    {
        null = gpu::createNullDevice();
        device = gpu::createValidationDevice(
            *null, {.handler = [](const gpu::ValidationMessage& message) { ADD_FAILURE() << "validation: " << message.text; }});
        renderer = std::move(*Renderer::create(*device, {.width = 320, .height = 200}));
        scene = std::move(*SceneInstance::create(description, renderer->library(), renderer->registry()));
        frame.camera = lookAtCamera({0, 0, 5}, {0, 0, 0});
    }
    void settle()
    {
        SceneInstance* const scenes[] = {scene.get()};
        ASSERT_TRUE(settleScenes(*renderer, scenes, frame));
    }
    /// Triangles of the pass opaque as the device counted them.
    std::uint64_t draw()
    {
        SceneInstance* const scenes[] = {scene.get()};
        null->resetStats();
        const Result<void> drawn = drawScenes(*renderer, scenes, frame);
        EXPECT_TRUE(drawn);
        for (const gpu::NullPassStats& pass : null->stats().passes)
            if (pass.label == "opaque")
                return pass.triangleCount;
        return 0;
    }
    std::unique_ptr<gpu::NullDevice> null;
    std::unique_ptr<gpu::ValidationDevice> device;
    std::unique_ptr<Renderer> renderer;
    std::unique_ptr<SceneInstance> scene;
    FrameDesc frame;
};

} // namespace

TEST(RenderedLods, SwitchAtTheAnalyticDistance)
{
    LodFrames frames(sheet({0.5f, 0.25f, 0.05f}));
    frames.settle();
    const double scale = 1.0 / std::tan(0.5 * static_cast<double>(frames.frame.camera.yFovRadians));
    constexpr std::uint64_t kTriangles[] = {16, 8, 4, 0};
    std::uint32_t level = 0;
    for (const double coverage : {0.5, 0.25, 0.05})
    {
        const double distance = std::sqrt(2.0) * scale / coverage;
        frames.frame.camera = lookAtCamera({0, 0, distance * 0.9999}, {0, 0, 0});
        EXPECT_EQ(frames.draw(), kTriangles[level]) << "before " << distance;
        if (level < 3)
        {
            EXPECT_EQ(frames.renderer->stats().lods.instances[level], 1U);
        }
        frames.frame.camera = lookAtCamera({0, 0, distance * 1.0001}, {0, 0, 0});
        EXPECT_EQ(frames.draw(), kTriangles[++level]) << "behind " << distance;
    }
}

TEST(RenderedLods, DoNotChangeWhenTheCameraTurnsOnTheSpot)
{
    LodFrames frames(sheet({0.25f, 0.0f}));
    frames.settle();
    const double scale = 1.0 / std::tan(0.5 * static_cast<double>(frames.frame.camera.yFovRadians));
    const double distance = std::sqrt(2.0) * scale / 0.25 * 0.9999;
    for (const double turn : {-0.3, 0.0, 0.3}) // the sheet stays in the picture
    {
        frames.frame.camera = lookAtCamera({0, 0, distance}, {distance * std::tan(turn), 0, 0});
        EXPECT_EQ(frames.draw(), 16U) << turn;
    }
}

TEST(RenderedLods, SwitchBySizeAloneUnderAnOrthographicCamera)
{
    LodFrames frames(sheet({0.5f, 0.0f}));
    RenderCamera& camera = frames.frame.camera;
    camera.isOrthographic = true;
    camera.zFar = 1000.0f;
    const float edge = std::sqrt(2.0f) / 0.5f; // half height at which the diameter covers half of the picture
    camera.halfWidth = camera.halfHeight = edge * 0.999f;
    frames.settle();
    EXPECT_EQ(frames.draw(), 16U);
    camera.position.offset.z = 400.0f;
    EXPECT_EQ(frames.draw(), 16U) << "distance does not matter";
    camera.halfWidth = camera.halfHeight = edge * 1.001f;
    EXPECT_EQ(frames.draw(), 8U);
}

TEST(RenderedLods, SaveWhatTheStatsSay)
{
    LodFrames frames(sheet({0.5f, 0.25f, 0.05f}));
    frames.settle();
    frames.frame.camera = lookAtCamera({0, 0, 10}, {0, 0, 0});
    EXPECT_EQ(frames.draw(), 8U);
    const FrameLods& lods = frames.renderer->stats().lods;
    EXPECT_EQ(lods.triangles, 8U);
    EXPECT_EQ(lods.trianglesAtFinest, 16U);
}

TEST(RenderedLods, MakeTheSameStreamForOneAndTwoThreadsWithTenThousandNodes)
{
    SceneDescription description = scenes::makeManyInstances(10000, 20, 8);
    const LodBuildResult built = buildLods(description, {.minTriangleCount = 30, .maxRelativeError = 0.5f});
    ASSERT_FALSE(built.levels.empty());
    std::vector<std::byte> streams[2];
    for (std::uint32_t i = 0; i < 2; ++i)
    {
        setThreadCount(i + 1);
        LodFrames frames(description);
        frames.frame.camera = orbitCamera(frames.scene->bounds(), 30.0f, 25.0f, 0.0f, 0.7f, 1.6f);
        frames.settle();
        frames.draw();
        const FrameLods& lods = frames.renderer->stats().lods;
        EXPECT_GT(lods.instances[1] + lods.instances[2] + lods.instances[3] + lods.instances[4], 1000U);
        EXPECT_LT(lods.triangles, lods.trianglesAtFinest);
        const std::span<const std::byte> bytes = frames.renderer->lastStream();
        streams[i].assign(bytes.begin(), bytes.end());
    }
    setThreadCount(0);
    EXPECT_TRUE(streams[0] == streams[1]);
}

} // namespace dl
