// Multisampled frames on the software drivers: coverage at edges, alpha as coverage, nearness to supersampling, no holes between
// the prepass and colour, and what else a frame may ask for at the same time.
#include "tests/render/velocity_world.h"
#include "tests/scenes/scenes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace dl
{
namespace
{

constexpr SkySettings kBlackSky{.zenith = vec3(0), .horizon = vec3(0), .ground = vec3(0)};
constexpr SunSettings kNoSun{.intensity = 0.0f};
constexpr float kGrey = 0.5f;

float fromSrgb(std::byte value)
{
    const float v = static_cast<float>(std::to_integer<int>(value)) / 255.0f;
    return v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
}

/// A renderer of its own a picture, so that sizes and sample counts can be compared.
class Msaa : public DriverTest
{
protected:
    /// Linear red by texel.
    std::vector<float> draw(const SceneDescription& scene, FrameDesc frame, std::uint32_t width, std::uint32_t height,
        std::uint32_t sampleCount, bool wantsIds = false)
    {
        frame.shadows.isEnabled = false; // not what is looked at, and most of the time
        const auto renderer = std::move(*Renderer::create(*m_device, {.width = width, .height = height, .sampleCount = sampleCount}));
        const auto instance = std::move(*SceneInstance::create(scene, renderer->library(), renderer->registry()));
        SceneInstance* const scenes[] = {instance.get()};
        const Result<OffscreenPicture> drawn = renderOffscreen(*renderer, scenes, frame, wantsIds);
        EXPECT_TRUE(drawn) << (drawn ? "" : drawn.error().message);
        std::vector<float> red;
        if (!drawn)
            return red;
        for (std::size_t i = 0; i < drawn->picture.bytes.size(); i += 4)
            red.push_back(fromSrgb(drawn->picture.bytes[i]));
        bytes = drawn->picture.bytes;
        ids = drawn->objectIds;
        return red;
    }

    std::vector<std::byte> bytes;
    std::vector<std::uint32_t> ids;
};

/// Means over factor x factor texels.
std::vector<float> shrunk(const std::vector<float>& picture, std::uint32_t width, std::uint32_t height, std::uint32_t factor)
{
    std::vector<float> result(std::size_t(width) * height, 0.0f);
    for (std::uint32_t y = 0; y < height * factor; ++y)
        for (std::uint32_t x = 0; x < width * factor; ++x)
            result[std::size_t(y / factor) * width + x / factor] +=
                picture[std::size_t(y) * width * factor + x] / static_cast<float>(factor * factor);
    return result;
}

double rootMeanSquare(const std::vector<float>& a, const std::vector<float>& b)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < a.size(); ++i)
        sum += (double(a[i]) - b[i]) * (double(a[i]) - b[i]);
    return std::sqrt(sum / static_cast<double>(a.size()));
}

double mean(const std::vector<float>& picture)
{
    double sum = 0.0;
    for (const float value : picture)
        sum += value;
    return sum / static_cast<double>(picture.size());
}

RenderCamera flatCamera(float halfWidth, float halfHeight)
{
    RenderCamera camera = lookAtCamera({0, 0, 5}, {0, 0, 0});
    camera.isOrthographic = true;
    camera.halfWidth = halfWidth;
    camera.halfHeight = halfHeight;
    camera.zFar = 10.0f;
    return camera;
}

Primitive sheet(std::initializer_list<vec2> corners)
{
    Primitive primitive;
    for (const vec2 corner : corners)
    {
        primitive.positions.emplace_back(corner, 0.0f);
        primitive.normals.emplace_back(0, 0, 1);
        primitive.uv0.push_back(corner);
    }
    for (std::uint32_t i = 2; i < primitive.positions.size(); ++i)
        for (const std::uint32_t corner : {0U, i - 1, i})
            primitive.indices.push_back(corner);
    primitive.bounds = {vec3(-100, -100, 0), vec3(100, 100, 0)};
    primitive.materialIndex = 0;
    return primitive;
}

SceneDescription sceneOf(Primitive primitive, const Material& material)
{
    SceneDescription scene;
    scene.materials.push_back(material);
    scene.meshes.push_back({"sheet", {std::move(primitive)}, {}});
    scene.nodes.emplace_back().meshIndex = 0;
    return scene;
}

Material plain(float grey)
{
    Material material;
    material.isUnlit = true;
    material.baseColorFactor = vec4(grey, grey, grey, 1.0f);
    return material;
}

/// A fence of upright bars: `barTexels` of every `periodTexels` are there.
SceneDescription makeFence(std::uint32_t periodTexels, std::uint32_t barTexels, float periodsPerMetre)
{
    Image bars;
    bars.name = "bars";
    bars.width = 256;
    bars.height = 4;
    bars.format = ImageFormat::Rgba8;
    for (std::uint32_t i = 0; i < bars.width * bars.height; ++i)
    {
        const bool isBar = i % bars.width % periodTexels < barTexels;
        bars.bytes.insert(bars.bytes.end(), {std::byte{255}, std::byte{255}, std::byte{255}, isBar ? std::byte{255} : std::byte{0}});
    }
    Primitive primitive = sheet({{-100, -100}, {100, -100}, {100, 100}, {-100, 100}});
    for (vec2& uv : primitive.uv0)
        uv *= periodsPerMetre * static_cast<float>(periodTexels) / 256.0f;
    Material material = plain(kGrey);
    material.alphaMode = AlphaMode::Mask;
    material.isDoubleSided = true;
    material.baseColor.imageIndex = 0;
    SceneDescription scene = sceneOf(std::move(primitive), material);
    scene.images.push_back(std::move(bars));
    return scene;
}

} // namespace

TEST_P(Msaa, ShowsTheEdgeThatTheStandardSamplesSee)
{
    constexpr std::uint32_t kSide = 64;
    // Unit texels: the half plane below a slope, in a picture of 64 x 64 units.
    const auto edge = [](double x) { return 0.47 * x + 0.13; };
    const auto corner = [&](double x) { return vec2(x, edge(x)); };
    const SceneDescription scene = sceneOf(sheet({{-40, -40}, {40, -40}, corner(40), corner(-40)}), plain(kGrey));
    const FrameDesc frame{.camera = flatCamera(32, 32), .sun = kNoSun, .sky = kBlackSky};
    // What each coverage looks like, by whole pictures of that grey.
    std::array<float, 5> levels = {};
    for (int quarters = 1; quarters <= 4; ++quarters)
        levels[std::size_t(quarters)] =
            draw(sceneOf(sheet({{-40, -40}, {40, -40}, {40, 40}, {-40, 40}}), plain(kGrey * static_cast<float>(quarters) / 4)), frame, 4, 4,
                1)[5];
    const std::vector<float> seen = draw(scene, frame, kSide, kSide, 4);
    ASSERT_EQ(seen.size(), std::size_t(kSide) * kSide);
    constexpr std::array<std::array<double, 2>, 4> kSamples = {{{0.375, 0.125}, {0.875, 0.375}, {0.125, 0.625}, {0.625, 0.875}}};
    std::array<std::size_t, 5> found = {};
    for (std::uint32_t y = 0; y < kSide; ++y)
        for (std::uint32_t x = 0; x < kSide; ++x)
        {
            std::size_t covered = 0;
            bool isClose = false;
            for (const auto& sample : kSamples)
            {
                const double below = edge(x + sample[0] - 32) - (32 - (y + sample[1]));
                covered += below > 0 ? 1 : 0;
                isClose = isClose || std::abs(below) < 0.02; // vertices are snapped to 1/256 texel
            }
            if (isClose)
                continue;
            ++found[covered];
            ASSERT_NEAR(seen[std::size_t(y) * kSide + x], levels[covered], 0.004f) << x << ", " << y << ": " << covered << " of 4 samples";
        }
    for (const std::size_t count : found)
        EXPECT_GT(count, 2U) << "every step of a quarter occurs";
}

TEST_P(Msaa, KeepsTheMeanCoverageOfAFarFence)
{
    // 3 of 8 texels are bars; six texels a pixel, so that bars are far narrower than a pixel.
    constexpr std::uint32_t kSide = 48;
    const SceneDescription fence = makeFence(8, 3, 6.0f / 8.0f);
    const FrameDesc frame{.camera = flatCamera(kSide * 0.5f, kSide * 0.5f), .sun = kNoSun, .sky = kBlackSky};
    const double solid = mean(draw(sceneOf(sheet({{-40, -40}, {40, -40}, {40, 40}, {-40, 40}}), plain(kGrey)), frame, 4, 4, 1));
    constexpr std::uint32_t kFactor = 8; // 64 samples a pixel: less than a texel between them
    const double reference = mean(shrunk(draw(fence, frame, kSide * kFactor, kSide * kFactor, 1), kSide, kSide, kFactor)) / solid;
    EXPECT_NEAR(reference, 3.0 / 8.0, 0.03) << "the reference shows the fence as it is made";
    // The tone map is no straight line, so coverage is counted by its levels.
    const auto coverageOf = [&](std::uint32_t sampleCount)
    {
        std::array<float, 5> levels = {};
        for (int quarters = 1; quarters <= 4; ++quarters)
            levels[std::size_t(quarters)] =
                draw(sceneOf(sheet({{-40, -40}, {40, -40}, {40, 40}, {-40, 40}}), plain(kGrey * static_cast<float>(quarters) / 4)), frame,
                    4, 4, 1)[5];
        double sum = 0.0;
        const std::vector<float> picture = draw(fence, frame, kSide, kSide, sampleCount);
        for (const float value : picture)
        {
            std::size_t nearest = 0;
            for (std::size_t i = 1; i < levels.size(); ++i)
                if (std::abs(levels[i] - value) < std::abs(levels[nearest] - value))
                    nearest = i;
            EXPECT_NEAR(levels[nearest], value, 0.004f) << "coverage in steps of a quarter";
            sum += static_cast<double>(nearest) / 4.0;
        }
        return sum / static_cast<double>(picture.size());
    };
    const double multisampled = coverageOf(4), tested = coverageOf(1);
    EXPECT_NEAR(multisampled, reference, 0.1 * reference);
    EXPECT_GT(std::abs(tested - reference), 0.1 * reference) << "alpha test loses it: " << tested;
}

TEST_P(Msaa, SharpensTheEdgeOfACloseCutOut)
{
    // One texel covers 16 pixels: alpha falls from 1 to 0 over 16 pixels, and the cut must be one pixel wide.
    constexpr std::uint32_t kSide = 64;
    const SceneDescription fence = makeFence(8, 4, 1.0f / 128.0f);
    const FrameDesc frame{.camera = flatCamera(kSide * 0.5f, kSide * 0.5f), .sun = kNoSun, .sky = kBlackSky};
    const std::vector<float> seen = draw(fence, frame, kSide, kSide, 4);
    ASSERT_EQ(seen.size(), std::size_t(kSide) * kSide);
    const float full = *std::max_element(seen.begin(), seen.end());
    std::size_t coveredCount = 0, partCount = 0;
    for (const float value : seen)
    {
        coveredCount += value > 0.95f * full ? 1 : 0;
        partCount += value > 0.02f * full && value < 0.95f * full ? 1 : 0;
    }
    EXPECT_GT(coveredCount, seen.size() / 4);
    EXPECT_LE(partCount, kSide * 2U) << "an edge one pixel wide, at most two of them in the picture";
}

TEST_P(Msaa, IsNearerToSupersamplingThanOneSample)
{
    constexpr std::uint32_t kWidth = 120, kHeight = 75, kFactor = 4;
    SceneDescription scene = scenes::makeTownSquare();
    for (Material& material : scene.materials)
        if (material.alphaMode == AlphaMode::Blend)
            material.alphaMode = AlphaMode::Opaque;
    FrameDesc frame{.sky = kBlackSky};
    {
        const auto renderer = std::move(*Renderer::create(*m_device, {.width = 8, .height = 8}));
        frame.camera = toRenderCamera((*SceneInstance::create(scene, renderer->library(), renderer->registry()))->cameras().front());
    }
    frame.camera.aspect = static_cast<float>(kWidth) / kHeight;
    const std::vector<float> reference = shrunk(draw(scene, frame, kWidth * kFactor, kHeight * kFactor, 1), kWidth, kHeight, kFactor);
    const double one = rootMeanSquare(draw(scene, frame, kWidth, kHeight, 1), reference);
    const double four = rootMeanSquare(draw(scene, frame, kWidth, kHeight, 4), reference);
    RecordProperty("rmse", std::to_string(one) + " with 1 sample, " + std::to_string(four) + " with 4");
    EXPECT_LT(four, 0.8 * one) << one << " with 1 sample, " << four << " with 4";
}

TEST_P(Msaa, HasNoHolesBetweenPrepassAndColour)
{
    // Fences, boards and sky are one red: a sample that the prepass covers and the colour pass misses would stay black.
    SceneDescription scene = makeFence(8, 4, 1.0f);
    scene.materials[0].baseColorFactor = vec4(0.3f, 0.0f, 0.0f, 1.0f);
    Material board = scene.materials[0];
    board.alphaMode = AlphaMode::Opaque;
    board.baseColor = {};
    scene.materials.push_back(board);
    Primitive opaque = sheet({{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
    opaque.materialIndex = 1;
    scene.meshes.push_back({"board", {opaque}, {}});
    for (int i = 0; i < 12; ++i)
    {
        Node node;
        node.meshIndex = i % 2 == 0 ? 0 : 1;
        const float angle = 0.37f * static_cast<float>(i);
        node.local.rotation = glm::angleAxis(angle, glm::normalize(vec3(0.2f, 1.0f, 0.4f * angle)));
        node.local.translation =
            vec3(0.3f * static_cast<float>(i % 5) - 0.6f, 0.2f * static_cast<float>(i % 3), -0.4f * static_cast<float>(i));
        scene.nodes.push_back(node);
    }
    FrameDesc frame{.camera = lookAtCamera({0.2, 0.3, 4.0}, {0, 0, 0}), .sun = kNoSun};
    frame.sky = {.zenith = vec3(0.3f, 0, 0), .horizon = vec3(0.3f, 0, 0), .ground = vec3(0.3f, 0, 0)};
    draw(scene, frame, 160, 100, 4, true);
    EXPECT_GT(std::count_if(ids.begin(), ids.end(), [](std::uint32_t id) { return id != 0; }), 3000);
    std::map<int, std::size_t> reds;
    for (std::size_t i = 0; i < bytes.size(); i += 4)
        ++reds[std::to_integer<int>(bytes[i])];
    ASSERT_FALSE(reds.empty());
    EXPECT_GT(reds.begin()->first, 100);
    EXPECT_LE(reds.rbegin()->first - reds.begin()->first, 1) << reds.begin()->second << " texels are darker";
}

TEST_P(Msaa, RefusesSampleCountsThatNoDeviceHas)
{
    const auto made = Renderer::create(*m_device, {.sampleCount = 2});
    ASSERT_FALSE(made);
    EXPECT_EQ(made.error().code, ErrorCode::InvalidArgument);
    EXPECT_NE(made.error().message.find("1 or 4"), std::string::npos) << made.error().message;
}

TEST_P(Msaa, KeepsDebugViewsAndPicking)
{
    const SceneDescription scene = scenes::makeTwoBlended();
    FrameDesc frame{.camera = lookAtCamera({0, 1, 5}, {0, 0, 0})};
    draw(scene, frame, 64, 40, 1, true);
    const std::vector<std::uint32_t> single = ids;
    draw(scene, frame, 64, 40, 4, true);
    EXPECT_EQ(ids, single) << "object ids are of single samples";
    for (const DebugView view : {DebugView::Normals, DebugView::Overdraw, DebugView::Velocity})
    {
        frame.debugView = view;
        draw(scene, frame, 64, 40, 1);
        const std::vector<std::byte> one = bytes;
        draw(scene, frame, 64, 40, 4);
        EXPECT_TRUE(bytes == one) << "debug views are of single samples";
    }
}

INSTANTIATE_TEST_SUITE_P(SoftwareDrivers, Msaa, testing::Values("llvmpipe", "swiftshader"),
    [](const testing::TestParamInfo<const char*>& driver) { return std::string(driver.param); });

class VelocityWithMsaa : public VelocityWorld
{
protected:
    RendererSettings settings() const override { return {.width = kWidth, .height = kHeight, .sampleCount = 4}; }
};

TEST_P(VelocityWithMsaa, IsThatOfSingleSamples)
{
    const RenderCamera first = lookAtCamera({0.0, 0.0, 4.0}, {0.0, 0.0, 0.0});
    ExpectedBox mover{vec3(0.5f), placedAt(-0.25, 0.17, 0.5), placedAt(-0.4, 0.1, 0.2)};
    const ExpectedBox back{vec3(3, 3, 0.1f), placedAt(0, 0, -2), placedAt(0, 0, -2)};
    const InstanceId id = add(addBoxes({vec3(0.5f)}), mover.before);
    add(addBoxes({vec3(3, 3, 0.1f)}), back.now);
    settle(first);
    renderer->registry().move(id, mover.now);
    const RenderCamera next = lookAtCamera({0.1, 0.0, 4.0}, {0.0, 0.05, 0.0});
    draw(next);
    const std::array boxes = {mover, back};
    expect(boxes, first, "with its own depth");
    EXPECT_GT(comparedCount, 3000U);
}

INSTANTIATE_TEST_SUITE_P(SoftwareDrivers, VelocityWithMsaa, testing::Values("llvmpipe", "swiftshader"),
    [](const testing::TestParamInfo<const char*>& driver) { return std::string(driver.param); });

} // namespace dl
