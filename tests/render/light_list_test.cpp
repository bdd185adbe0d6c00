// Which lights reach a frame, how they are packed, and what is said about the others. CPU and null device.
#include "drawloom/gpu/null_device.h"
#include "drawloom/render/light_list.h"
#include "drawloom/render/offscreen.h"
#include "tests/gpu/allocation_count.h"
#include "tests/scenes/scene_builder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <limits>
#include <random>
#include <string>

namespace dl
{
namespace
{

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// A camera at the world's origin that looks along -Z with a right angle's view.
mat4 straightView()
{
    return perspectiveReversed(1.5707963f, 1.0f, 0.1f, kInfinity);
}

FrameLight pointAt(float x, float y, float z, float intensity = 1.0f, float range = 0.0f)
{
    FrameLight light;
    light.position = toWorldPosition(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
    light.intensity = intensity;
    light.rangeMetres = range;
    return light;
}

LightList chosen(std::span<const FrameLight> lights, const WorldPosition& origin = {})
{
    LightList list;
    list.build(lights, {}, origin, straightView());
    return list;
}

/// Lights in a row, all of one influence: they stand on a sphere about the camera.
std::vector<FrameLight> equalLights(std::size_t count)
{
    std::vector<FrameLight> lights(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        lights[i] = pointAt(0.0f, 0.0f, -8.0f);
        lights[i].color = vec3(1.0f, static_cast<float>(i) / static_cast<float>(count), 0.0f); // tells them apart
    }
    return lights;
}

} // namespace

TEST(LightList, OfNoLightsIsEmpty)
{
    const LightList list = chosen({});
    EXPECT_TRUE(list.records().empty());
    EXPECT_TRUE(list.refusals().empty());
    EXPECT_EQ(list.reachingCount(), 0U);
}

TEST(LightList, TakesExactlyTheCap)
{
    const LightList list = chosen(equalLights(kMaxLights));
    EXPECT_EQ(list.records().size(), kMaxLights);
    EXPECT_TRUE(list.refusals().empty());
}

TEST(LightList, RefusesTheWeakestOfOneMoreThanTheCapByName)
{
    std::vector<FrameLight> lights = equalLights(kMaxLights + 1);
    lights[17].intensity = 0.5f;
    lights[17].name = "candle";
    const LightList list = chosen(lights);
    EXPECT_EQ(list.records().size(), kMaxLights);
    EXPECT_EQ(list.reachingCount(), kMaxLights + 1);
    ASSERT_EQ(list.refusals().size(), 1U);
    const LightRefusal& refusal = list.refusals()[0];
    EXPECT_EQ(refusal.reason, LightReason::OverCap);
    EXPECT_EQ(refusal.name, "candle");
    EXPECT_EQ(refusal.index, 17U);
    EXPECT_FLOAT_EQ(refusal.influenceLux, 0.5f / 64.0f);
    EXPECT_EQ(list.records()[16].colorType.y, lights[16].color.y);
    EXPECT_EQ(list.records()[17].colorType.y, lights[18].color.y) << "the order of the lights stays";
}

TEST(LightList, KeepsTheEarlierOfEqualLights)
{
    const std::vector<FrameLight> lights = equalLights(kMaxLights + 3);
    const LightList list = chosen(lights);
    ASSERT_EQ(list.refusals().size(), 3U);
    for (std::uint32_t i = 0; i < 3; ++i)
        EXPECT_EQ(list.refusals()[i].index, kMaxLights + i);
    for (std::uint32_t i = 0; i < kMaxLights; ++i)
        EXPECT_EQ(list.records()[i].colorType.y, lights[i].color.y) << i;
}

TEST(LightList, CountsDistancesUnderAMetreAsAMetre)
{
    std::vector<FrameLight> lights = equalLights(kMaxLights); // 1/64 lux each
    lights.push_back(pointAt(0, 0, -0.1f, 0.01f));            // by the square alone 1 lux
    const LightList list = chosen(lights);
    ASSERT_EQ(list.refusals().size(), 1U);
    EXPECT_EQ(list.refusals()[0].index, kMaxLights);
    EXPECT_FLOAT_EQ(list.refusals()[0].influenceLux, 0.01f);
}

TEST(LightList, KeepsLightsBehindTheCameraThatReachTheView)
{
    const FrameLight lights[] = {
        pointAt(0, 0, 6, 1.0f, 5.0f), // ends behind the camera
        pointAt(0, 0, 6, 1.0f, 7.0f), // reaches over it
        pointAt(0, 0, 600, 1.0f),     // infinite
    };
    const LightList list = chosen(lights);
    ASSERT_EQ(list.records().size(), 2U);
    EXPECT_EQ(list.records()[0].positionRange.w, 7.0f);
    EXPECT_EQ(list.records()[1].positionRange.w, 0.0f);
    EXPECT_TRUE(list.refusals().empty()) << "what can light nothing is no loss";
}

TEST(LightList, LeavesOutLightsWhoseRangeMissesTheViewBeforeItCounts)
{
    std::vector<FrameLight> lights(500, pointAt(0, 0, 50, 1e6f, 10.0f));
    const std::vector<FrameLight> seen = equalLights(kMaxLights);
    lights.insert(lights.end(), seen.begin(), seen.end());
    const LightList list = chosen(lights);
    EXPECT_EQ(list.records().size(), kMaxLights);
    EXPECT_TRUE(list.refusals().empty());
}

TEST(LightList, LeavesOutBlackLights)
{
    FrameLight black = pointAt(0, 0, -2);
    black.color = vec3(0.0f);
    const FrameLight lights[] = {black, pointAt(0, 0, -2, 0.0f)};
    EXPECT_TRUE(chosen(lights).records().empty());
    EXPECT_TRUE(chosen(lights).refusals().empty());
}

TEST(LightList, RefusesNumbersThatAreNoLight)
{
    const auto spoiled = [](auto&& change)
    {
        FrameLight light = pointAt(0, 0, -2);
        light.type = LightType::Spot;
        light.name = "spoiled";
        change(light);
        return light;
    };
    const FrameLight lights[] = {
        spoiled([](FrameLight& l) { l.position.offset.y = kNan; }),
        spoiled([](FrameLight& l) { l.intensity = kNan; }),
        spoiled([](FrameLight& l) { l.intensity = kInfinity; }),
        spoiled([](FrameLight& l) { l.intensity = -1.0f; }),
        spoiled([](FrameLight& l) { l.intensity = 3e38f, l.color = vec3(2.0f); }), // their product is not finite
        spoiled([](FrameLight& l) { l.color.z = kNan; }),
        spoiled([](FrameLight& l) { l.color.x = -0.1f; }),
        spoiled([](FrameLight& l) { l.rangeMetres = kNan; }),
        spoiled([](FrameLight& l) { l.rangeMetres = -2.0f; }),
        spoiled([](FrameLight& l) { l.direction.x = kNan; }),
        spoiled([](FrameLight& l) { l.outerConeRadians = kNan; }),
        spoiled([](FrameLight& l) { l.innerConeRadians = kInfinity; }),
    };
    const LightList list = chosen(lights);
    EXPECT_TRUE(list.records().empty());
    ASSERT_EQ(list.refusals().size(), std::size(lights));
    for (std::uint32_t i = 0; i < std::size(lights); ++i)
    {
        EXPECT_EQ(list.refusals()[i].reason, LightReason::Invalid);
        EXPECT_EQ(list.refusals()[i].index, i);
        EXPECT_EQ(list.refusals()[i].name, "spoiled");
    }
}

TEST(LightList, TakesZeroRangeAsInfiniteAndZeroDirectionAsMinusZ)
{
    FrameLight light = pointAt(0, 0, -2);
    light.type = LightType::Spot;
    light.direction = vec3(0.0f);
    light.rangeMetres = 0.0f;
    const LightList list = chosen(std::span(&light, 1));
    ASSERT_EQ(list.records().size(), 1U);
    EXPECT_EQ(list.records()[0].positionRange.w, 0.0f);
    EXPECT_EQ(vec3(list.records()[0].directionOffset), vec3(0, 0, -1)) << "where a glTF light shines";
}

TEST(LightList, PacksPositionsRelativeToTheCameraAcrossCells)
{
    FrameLight light = pointAt(0, 0, 0);
    light.position = {i32vec3(2'000'000, 0, -1), vec3(1.0f, 2.0f, 1020.0f)};
    const LightList list = chosen(std::span(&light, 1), {i32vec3(2'000'000, 0, 0), vec3(0.5f, 0.0f, 0.0f)});
    ASSERT_EQ(list.records().size(), 1U);
    EXPECT_EQ(list.records()[0].positionRange, vec4(0.5f, 2.0f, -4.0f, 0.0f)) << "exact, though the world is 2 million km wide";
}

TEST(LightList, PacksConesAsTheExtensionStatesThem)
{
    FrameLight light = pointAt(0, 0, -2, 3.0f);
    light.type = LightType::Spot;
    light.direction = vec3(0, -4, 0);
    light.innerConeRadians = 0.3f;
    light.outerConeRadians = 0.5f;
    const auto attenuation = [](const LightRecord& record, float angle)
    {
        const float value = glm::clamp(std::cos(angle) * record.spot.x + record.directionOffset.w, 0.0f, 1.0f);
        return value * value;
    };
    {
        const LightList list = chosen(std::span(&light, 1));
        const LightRecord& record = list.records()[0];
        EXPECT_EQ(vec3(record.directionOffset), vec3(0, -1, 0));
        EXPECT_EQ(record.colorType, vec4(3.0f, 3.0f, 3.0f, static_cast<float>(kLightSpot)));
        EXPECT_NEAR(attenuation(record, 0.3f), 1.0f, 1e-5f);
        EXPECT_NEAR(attenuation(record, 0.5f), 0.0f, 1e-5f);
        const float half = std::acos(0.5f * (std::cos(0.3f) + std::cos(0.5f)));
        EXPECT_NEAR(attenuation(record, half), 0.25f, 1e-4f);
    }
    light.innerConeRadians = light.outerConeRadians = 0.5f; // a hard edge
    {
        const LightList list = chosen(std::span(&light, 1));
        EXPECT_EQ(attenuation(list.records()[0], 0.501f), 0.0f);
        EXPECT_EQ(attenuation(list.records()[0], 0.49f), 1.0f);
    }
    light.innerConeRadians = 9.0f; // both cut to what a cone may be
    light.outerConeRadians = 9.0f;
    EXPECT_EQ(attenuation(chosen(std::span(&light, 1)).records()[0], 1.6f), 0.0f);
}

TEST(LightList, ChoosesTheSameWhateverTheOrder) // seeded
{
    const std::uint32_t seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> place(-40.0f, 40.0f), power(0.1f, 50.0f);
    std::vector<FrameLight> lights;
    for (int i = 0; i < 300; ++i)
        lights.push_back(pointAt(place(random), place(random), place(random), power(random), i % 3 == 0 ? 15.0f : 0.0f));
    const LightList first = chosen(lights);
    const auto weakest = [](const LightList& list)
    {
        float least = kInfinity, total = 0.0f;
        for (const LightRecord& record : list.records())
        {
            const float influence = record.colorType.x / std::max(glm::dot(vec3(record.positionRange), vec3(record.positionRange)), 1.0f);
            least = std::min(least, influence);
            total += influence;
        }
        return std::pair(least, total);
    };
    for (const LightRefusal& refusal : first.refusals())
        EXPECT_LE(refusal.influenceLux, weakest(first).first * 1.0001f) << "a refused light outshines a chosen one";
    std::shuffle(lights.begin(), lights.end(), random);
    const LightList second = chosen(lights);
    EXPECT_EQ(first.records().size(), kMaxLights);
    EXPECT_EQ(second.refusals().size(), first.refusals().size());
    EXPECT_EQ(weakest(second).first, weakest(first).first);
    EXPECT_NEAR(weakest(second).second, weakest(first).second, 1e-3f * weakest(first).second);
}

TEST(LightList, AllocatesNothingWhenWarm)
{
    std::vector<FrameLight> lights = equalLights(3 * kMaxLights);
    for (FrameLight& light : lights)
        light.name = "a lamp with a name that no short string holds";
    LightList list;
    list.build(lights, {}, {}, straightView());
    const std::size_t before = gpu::allocationCount();
    for (int i = 0; i < 10; ++i)
        list.build(lights, {}, {}, straightView());
    EXPECT_EQ(gpu::allocationCount() - before, 0U);
    EXPECT_EQ(list.refusals().size(), 2U * kMaxLights);
}

namespace
{

std::uint32_t addLight(scenes::SceneBuilder& builder, const std::string& name, LightType type, vec3 place, float intensity)
{
    Light light;
    light.name = name;
    light.type = type;
    light.intensity = intensity;
    builder.scene.lights.push_back(light);
    const std::uint32_t node = builder.addNode(name, scenes::at(place));
    builder.scene.nodes[node].lightIndex = static_cast<std::uint32_t>(builder.scene.lights.size() - 1);
    return node;
}

/// A lamp that an animation lifts from y = 1 to 3 in two seconds, a sun, a moon.
SceneDescription litScene()
{
    scenes::SceneBuilder builder("lit");
    addLight(builder, "sun", LightType::Directional, {}, 5.0f);
    const std::uint32_t lamp = addLight(builder, "lamp", LightType::Point, vec3(0, 1, -4), 7.0f);
    addLight(builder, "moon", LightType::Directional, {}, 0.25f);
    Animation rise;
    rise.name = "rise";
    rise.durationSeconds = 2.0f;
    AnimationChannel channel;
    channel.nodeIndex = lamp;
    channel.path = AnimationPath::Translation;
    channel.times = {0.0f, 2.0f};
    channel.values = {0, 1, -4, 0, 3, -4};
    rise.channels.push_back(channel);
    builder.scene.animations.push_back(rise);
    return builder.take();
}

struct LitWorld
{
    std::unique_ptr<gpu::NullDevice> device = gpu::createNullDevice();
    std::unique_ptr<Renderer> renderer = std::move(Renderer::create(*device, {.width = 32, .height = 32})).value();

    std::unique_ptr<SceneInstance> instance(const SceneInstanceDesc& desc = {})
    {
        return std::move(SceneInstance::create(litScene(), renderer->library(), renderer->registry(), desc)).value();
    }
};

} // namespace

TEST(LightList, FollowsAnimatedLightsOfScenes)
{
    LitWorld world;
    const auto scene = world.instance();
    SceneInstance* const scenes[] = {scene.get()};
    LightList list;
    for (const float time : {0.0f, 1.0f, 1.5f})
    {
        scene->update(time);
        list.build({}, scenes, {}, straightView());
        ASSERT_EQ(list.records().size(), 2U) << "the sun is not among them";
        EXPECT_EQ(list.records()[0].positionRange, vec4(0, 1 + time, -4, 0));
        EXPECT_EQ(list.records()[1].colorType, vec4(0.25f, 0.25f, 0.25f, static_cast<float>(kLightDirectional)));
    }
}

TEST(LightList, TakesOneSunFromAllScenesAndPlacesEachInItsCell)
{
    LitWorld world;
    SceneInstanceDesc far;
    far.root.cell = i32vec3(3, 0, 0);
    far.root.affine.rows[1].w = 10.0f;
    const auto first = world.instance(), second = world.instance(far);
    SceneInstance* const scenes[] = {first.get(), second.get()};
    const FrameLight own = pointAt(0, 0, -1, 9.0f);
    LightList list;
    list.build(std::span(&own, 1), scenes, {}, straightView());
    ASSERT_EQ(list.records().size(), 1U + 2U + 3U);
    EXPECT_EQ(list.records()[0].colorType.x, 9.0f) << "the caller's come first";
    EXPECT_EQ(list.records()[1].positionRange, vec4(0, 1, -4, 0));
    EXPECT_EQ(list.records()[3].colorType.x, 5.0f) << "the second scene's sun is one of the lights";
    EXPECT_EQ(list.records()[4].positionRange, vec4(3.0f * kCellSizeMetres, 11, -4, 0));
}

TEST(Lights, OverTheCapAreInTheReportByName)
{
    LitWorld world;
    std::vector<FrameLight> lights = equalLights(kMaxLights + 1);
    lights.back().name = "last lamp";
    lights[0].intensity = kNan;
    lights.push_back(pointAt(0, 0, -9, 0.5f));
    FrameDesc frame;
    frame.lights = lights;
    ASSERT_TRUE(drawScenes(*world.renderer, {}, frame));
    std::vector<FrameRefusal> refusals;
    for (const FrameRefusal& refusal : world.renderer->collectRefusals())
        if (refusal.stage == "lights")
            refusals.push_back(refusal);
    ASSERT_EQ(refusals.size(), 2U);
    EXPECT_EQ(refusals[0].code, "light-invalid");
    EXPECT_EQ(refusals[0].subject, "light 0");
    EXPECT_EQ(refusals[1].code, "light-over-cap");
    EXPECT_EQ(refusals[1].subject, "light 65");
    EXPECT_NE(refusals[1].detail.find("65 lights reach the view, the most are 64"), std::string::npos) << refusals[1].detail;
    lights[1].intensity = 0.1f;
    lights[1].name = "dim lamp";
    ASSERT_TRUE(drawScenes(*world.renderer, {}, frame));
    EXPECT_EQ(world.renderer->collectRefusals().back().subject, "light 1 \"dim lamp\"");
}

TEST(Lights, WithoutASunInTheFileMeanThatThereIsNone)
{
    LitWorld world;
    scenes::SceneBuilder builder("lamp alone");
    addLight(builder, "lamp", LightType::Point, vec3(0.0f), 3.0f);
    const auto lampAlone = std::move(SceneInstance::create(builder.take(), world.renderer->library(), world.renderer->registry())).value();
    const auto lit = world.instance();
    SceneInstance* const alone[] = {lampAlone.get()};
    SceneInstance* const both[] = {lampAlone.get(), lit.get()};
    ASSERT_TRUE(firstSun(alone));
    EXPECT_EQ(firstSun(alone)->intensity, 0.0f);
    ASSERT_TRUE(firstSun(both));
    EXPECT_EQ(firstSun(both)->intensity, 5.0f);
    EXPECT_FALSE(firstSun({})) << "no lights at all: the default";
}

TEST(LightReasons, AreAllInTheDocumentation)
{
    std::ifstream file("docs/reason_codes.md");
    ASSERT_TRUE(file.is_open());
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    for (std::size_t i = 0; i < static_cast<std::size_t>(LightReason::Count); ++i)
    {
        const LightReasonInfo& info = lightReasonInfo(static_cast<LightReason>(i));
        const std::string row = "| `" + std::string(info.name) + "` | " + std::string(info.text) + " |";
        EXPECT_NE(text.find(row), std::string::npos) << row;
    }
}

} // namespace dl
