// What only pictures show of levels of detail: which one is drawn where, the colours of --view lod and mips, and that a town
// with built levels looks like one without.
#include "drawloom/asset/lod_build.h"
#include "drawloom/render/offscreen.h"
#include "tests/golden/flip.h"
#include "tests/render/driver_fixture.h"
#include "tests/scenes/scenes.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>

namespace dl
{
namespace
{

constexpr std::uint32_t kWidth = 320, kHeight = 200;

class LodPictures : public DriverTest
{
protected:
    Image draw(const SceneDescription& description, FrameDesc frame)
    {
        frame.shadows.isEnabled = false; // not what is looked at, and most of the time
        std::unique_ptr<Renderer> renderer = std::move(*Renderer::create(*m_device, {.width = kWidth, .height = kHeight}));
        std::unique_ptr<SceneInstance> scene = std::move(*SceneInstance::create(description, renderer->library(), renderer->registry()));
        SceneInstance* const scenes[] = {scene.get()};
        Result<OffscreenPicture> drawn = renderOffscreen(*renderer, scenes, frame);
        EXPECT_TRUE(drawn) << (drawn ? "" : drawn.error().message);
        m_lods = renderer->stats().lods;
        return drawn ? std::move(drawn->picture) : Image{};
    }
    static std::array<int, 3> texel(const Image& picture, std::uint32_t x, std::uint32_t y)
    {
        const std::byte* p = picture.bytes.data() + (std::size_t(y) * picture.width + x) * 4;
        return {std::to_integer<int>(p[0]), std::to_integer<int>(p[1]), std::to_integer<int>(p[2])};
    }

    FrameLods m_lods;
};

Primitive square(float uvScale = 1.0f)
{
    Primitive p;
    p.positions = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    p.normals.assign(4, vec3(0, 0, 1));
    p.uv0 = {{0, uvScale}, {uvScale, uvScale}, {uvScale, 0}, {0, 0}};
    p.indices = {0, 1, 2, 0, 2, 3};
    p.bounds = {vec3(-1, -1, 0), vec3(1, 1, 0)};
    p.materialIndex = 0;
    return p;
}

/// Three squares beside each other whose levels have sizes that only the outer two reach: near, middle and far.
SceneDescription threeDistances()
{
    SceneDescription scene;
    scene.materials.emplace_back();
    scene.meshes.assign(3, Mesh{"square", {square()}, {}});
    for (const float depth : {0.0f, -8.0f, -30.0f})
    {
        Node& node = scene.nodes.emplace_back();
        node.meshIndex = 0;
        node.local.translation = vec3(depth == 0.0f ? -1.2f : depth == -8.0f ? 0.0f : 6.0f, 0.0f, depth);
        node.lods = {{0, 0.5f}, {1, 0.15f}, {2, 0.0f}};
    }
    return scene;
}

} // namespace

TEST_P(LodPictures, ShowTheChosenLevelByItsColour)
{
    FrameDesc frame;
    frame.camera = lookAtCamera({0, 0, 4}, {0, 0, 0});
    frame.debugView = DebugView::Lod;
    const Image picture = draw(threeDistances(), frame);
    EXPECT_EQ(m_lods.instances[0], 1U);
    EXPECT_EQ(m_lods.instances[1], 1U);
    EXPECT_EQ(m_lods.instances[2], 1U);
    const auto middleOf = [&](vec3 p) // where a point lands
    {
        const vec4 clip = viewProjection(frame.camera, kWidth, kHeight) * vec4(p - vec3(0, 0, 4), 1.0f);
        return texel(picture, static_cast<std::uint32_t>((0.5f + 0.5f * clip.x / clip.w) * kWidth),
            static_cast<std::uint32_t>((0.5f - 0.5f * clip.y / clip.w) * kHeight));
    };
    const auto white = middleOf({-1.4f, 0, 0}), green = middleOf({0.3f, 0, -8}), cyan = middleOf({6, 0, -30});
    EXPECT_LT(std::abs(white[0] - white[1]) + std::abs(white[1] - white[2]), 6) << "LOD 0 is grey";
    EXPECT_GT(white[0], 150);
    EXPECT_GT(green[1], green[0] + 60);
    EXPECT_GT(green[1], green[2] + 60);
    EXPECT_GT(cyan[1], cyan[0] + 60);
    EXPECT_GT(cyan[2], cyan[0] + 60);
}

TEST_P(LodPictures, ShowTheMipLevelOfTheTexture)
{
    SceneDescription scene;
    Image image;
    image.name = "white";
    image.width = image.height = 64;
    image.bytes.assign(std::size_t(64) * 64 * 4, std::byte(255));
    scene.images.push_back(image);
    scene.materials.emplace_back().baseColor.imageIndex = 0;
    scene.meshes.push_back({"square", {square()}, {}});
    scene.nodes.emplace_back().meshIndex = 0;
    FrameDesc frame;
    frame.debugView = DebugView::Mips;
    // Texels a pixel = 64 texels over the pixels that 2 m cover: 1 at `unit`, 16 at sixteen times as far, 1/4 at a quarter.
    const double unit = 2.0 * kHeight / (2.0 * std::tan(0.5 * static_cast<double>(frame.camera.yFovRadians)) * 64.0);
    const auto seenFrom = [&](double distance)
    {
        frame.camera = lookAtCamera({0, 0, distance}, {0, 0, 0});
        return texel(draw(scene, frame), kWidth / 2, kHeight / 2);
    };
    const auto green = seenFrom(unit), blue = seenFrom(16.0 * unit), red = seenFrom(0.25 * unit), between = seenFrom(4.0 * unit);
    EXPECT_GT(green[1], green[0] + 80);
    EXPECT_GT(green[1], green[2] + 80);
    EXPECT_GT(blue[2], blue[0] + 80);
    EXPECT_GT(blue[2], blue[1] + 80);
    EXPECT_GT(red[0], red[1] + 80);
    EXPECT_GT(red[0], red[2] + 80);
    EXPECT_GT(between[1], blue[1] + 20) << "half way between";
    EXPECT_GT(between[2], green[2] + 20);
    scene.materials[0].baseColor.imageIndex = kNoIndex;
    const auto none = seenFrom(unit);
    EXPECT_LT(std::abs(none[0] - none[1]) + std::abs(none[1] - none[2]), 6) << "grey without a texture";
}

TEST_P(LodPictures, OfATownLookLikeTheFullOne)
{
    const SceneDescription full = scenes::makeTownSquare();
    SceneDescription reduced = full;
    const LodBuildResult built = buildLods(reduced);
    ASSERT_FALSE(built.levels.empty());
    FrameDesc frame;
    frame.camera = lookAtCamera({26, 18, 34}, {0, 2, 0});
    const Image expected = draw(full, frame);
    const std::uint64_t fullTriangles = m_lods.triangles;
    const Image got = draw(reduced, frame);
    EXPECT_EQ(m_lods.trianglesAtFinest, fullTriangles);
    EXPECT_LT(m_lods.triangles, fullTriangles * 90 / 100); // hard edges keep most of its vertices; 85 of 100 are left
    const Result<golden::FlipResult> flip = golden::computeFlip(expected, got);
    ASSERT_TRUE(flip) << flip.error().message;
    RecordProperty("triangles", std::to_string(m_lods.triangles) + " of " + std::to_string(fullTriangles));
    RecordProperty("flip", std::to_string(flip->mean));
    EXPECT_LT(flip->mean, 0.001f); // 0.0003 measured
    EXPECT_GT(flip->mean, 0.0f) << "nothing was replaced";
}

INSTANTIATE_TEST_SUITE_P(SoftwareDrivers, LodPictures, testing::Values("llvmpipe", "swiftshader"),
    [](const testing::TestParamInfo<const char*>& driver) { return std::string(driver.param); });

} // namespace dl
