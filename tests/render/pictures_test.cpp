// What only a picture shows, on the software drivers: no holes between prepass and colour, picking, clean validation.
#include "drawloom/core/parallel.h"
#include "drawloom/render/offscreen.h"
#include "tests/render/driver_fixture.h"
#include "tests/scenes/scenes.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace dl
{
namespace
{

class Pictures : public DriverTest
{
protected:
    void TearDown() override
    {
        m_scene.reset();
        m_renderer.reset();
    }
    OffscreenPicture draw(const SceneDescription& description, FrameDesc frame = {}, bool isAliasing = true)
    {
        m_scene.reset();
        m_renderer = std::move(*Renderer::create(*m_device, {.width = 320, .height = 200, .graph = {.isAliasing = isAliasing}}));
        m_scene = std::move(*SceneInstance::create(description, m_renderer->library(), m_renderer->registry()));
        frame.camera = toRenderCamera(m_scene->cameras().front());
        frame.sun = {};
        SceneInstance* const scenes[] = {m_scene.get()};
        Result<OffscreenPicture> drawn = renderOffscreen(*m_renderer, scenes, frame, frame.debugView == DebugView::None);
        EXPECT_TRUE(drawn) << (drawn ? "" : drawn.error().message);
        return drawn ? std::move(*drawn) : OffscreenPicture{};
    }

    std::unique_ptr<Renderer> m_renderer;
    std::unique_ptr<SceneInstance> m_scene;
};

} // namespace

TEST_P(Pictures, HaveNoHolesBetweenPrepassAndColour) // draw case D4
{
    // Everything is one dark, unlit red (which the tone map keeps); a texel that the prepass covers and the colour pass
    // misses keeps the cleared black.
    SceneDescription town = scenes::makeTownSquare();
    for (Material& material : town.materials)
    {
        material.isUnlit = true;
        material.alphaMode = material.alphaMode == AlphaMode::Mask ? AlphaMode::Mask : AlphaMode::Opaque;
        material.baseColorFactor = vec4(0.3f, 0.0f, 0.0f, material.baseColorFactor.a);
        if (material.alphaMode == AlphaMode::Opaque)
            material.baseColor = {};
    }
    for (Mesh& mesh : town.meshes)
        for (Primitive& primitive : mesh.primitives)
            primitive.colors.clear();
    const OffscreenPicture drawn = draw(town, {.timeSeconds = 0.4f});
    std::size_t coveredCount = 0;
    std::size_t holeCount = 0;
    for (std::size_t i = 0; i < drawn.objectIds.size(); ++i)
    {
        if (drawn.objectIds[i] == 0)
            continue;
        ++coveredCount;
        const bool isRed = drawn.picture.bytes[i * 4] > std::byte{0} && drawn.picture.bytes[i * 4 + 2] == std::byte{0};
        holeCount += isRed ? 0 : 1;
    }
    EXPECT_GT(coveredCount, 30000U);
    EXPECT_EQ(holeCount, 0U);
}

TEST_P(Pictures, TellWhichNodeWasPicked)
{
    const SceneDescription description = scenes::makeTwoBlended();
    const OffscreenPicture drawn = draw(description);
    std::map<std::string, std::uint32_t> texels;
    for (std::uint32_t y = 0; y < 200; ++y)
        for (std::uint32_t x = 0; x < 320; ++x)
            if (const InstanceId id = m_renderer->pick(x, y); id)
                texels[description.nodes.at(m_scene->nodeOf(id)).name] += 1;
    EXPECT_GT(texels["red"], 1000U);
    EXPECT_GT(texels["blue"], 1000U);
    EXPECT_FALSE(m_renderer->pick(320, 0));
}

TEST_P(Pictures, AreTheSameWithAndWithoutSharedTransients)
{
    const SceneDescription description = scenes::makeSurfaceBoard();
    const OffscreenPicture first = draw(description);
    const OffscreenPicture second = draw(description, {}, false);
    EXPECT_TRUE(first.picture.bytes == second.picture.bytes);
}

TEST_P(Pictures, AreTheSameHoweverDrawsAreSubmittedOnAnyNumberOfThreads)
{
    const SceneDescription description = scenes::makeTownSquare();
    std::vector<OffscreenPicture> drawn;
    for (const std::uint32_t threads : {1U, 4U})
        for (const DrawSubmission submission : {DrawSubmission::Each, DrawSubmission::Joined, DrawSubmission::Indirect})
        {
            setThreadCount(threads);
            drawn.push_back(draw(description, {.submission = submission}));
            EXPECT_TRUE(drawn.back().picture.bytes == drawn.front().picture.bytes) << threads << " " << static_cast<int>(submission);
        }
    setThreadCount(0);
    const FrameStats& stats = m_renderer->stats();
    EXPECT_LT(stats.drawCalls, stats.draws / 4) << "the device of this test draws indirectly";
}

TEST_P(Pictures, ShowDebugViews)
{
    const SceneDescription description = scenes::makeSphereSweep();
    std::vector<std::vector<std::byte>> seen;
    for (const DebugView view : {DebugView::Batches, DebugView::Overdraw, DebugView::Normals, DebugView::Albedo})
    {
        seen.push_back(draw(description, {.debugView = view}).picture.bytes);
        for (std::size_t i = 0; i + 1 < seen.size(); ++i)
            EXPECT_FALSE(seen[i] == seen.back());
    }
}

INSTANTIATE_TEST_SUITE_P(SoftwareDrivers, Pictures, testing::Values("llvmpipe", "swiftshader"),
    [](const testing::TestParamInfo<const char*>& driver) { return std::string(driver.param); });

} // namespace dl
