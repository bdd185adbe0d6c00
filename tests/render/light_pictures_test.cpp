// Lights measured: radiance of the HDR target against KHR_lights_punctual and glTF's BRDF (appendix B), computed here in double.
#include "drawloom/render/offscreen.h"
#include "tests/render/driver_fixture.h"
#include "tests/render/hdr_readback.h"
#include "tests/scenes/mesh_builder.h"
#include "tests/scenes/scene_builder.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

namespace dl
{
namespace
{

using glm::dvec3;

constexpr std::uint32_t kSide = 96;
constexpr double kPi = 3.14159265358979;
constexpr double kTolerance = 0.01; // of the radiance: half floats, normals of 16 bits

/// A white rough floor of 8 x 8 m in the plane y = 0.
SceneDescription whiteFloor(AlphaMode alphaMode)
{
    scenes::SceneBuilder builder("floor");
    Material white;
    white.name = "white";
    white.metallicFactor = 0.0f;
    white.roughnessFactor = 1.0f;
    white.alphaMode = alphaMode;
    scenes::MeshBuilder shape;
    shape.quadFitted(vec3(-4, 0, 4), vec3(4, 0, 4), vec3(4, 0, -4), vec3(-4, 0, -4));
    builder.addNode("floor", scenes::at(vec3(0)), kNoIndex, builder.addMesh("floor", {shape.take(builder.addMaterial(white))}));
    return builder.take();
}

/// What a white dielectric of roughness 1 sends towards `v` of irradiance `e` from `l` (both unit) at a normal of +Y.
double whiteRadiance(dvec3 v, dvec3 l, double e)
{
    const double nDotL = l.y, nDotV = v.y;
    if (nDotL <= 0)
        return 0;
    const double vDotH = glm::dot(v, glm::normalize(v + l));
    const double fresnel = 0.04 + 0.96 * std::pow(1 - vDotH, 5);
    const double specular = fresnel * (1 / kPi) * 0.5 / (nDotL + nDotV); // D = 1 / pi, V = 0.5 / (n.l + n.v) at alpha 1
    return ((1 - fresnel) / kPi + specular) * nDotL * e;
}

struct Measured
{
    dvec3 floor; ///< the point that the texel's centre sees
    dvec3 toEye; ///< unit
    dvec3 radiance;
};

class LightPictures : public DriverTest
{
protected:
    void SetUp() override
    {
        DriverTest::SetUp();
        if (IsSkipped())
            return;
        place(AlphaMode::Opaque);
    }
    void place(AlphaMode alphaMode)
    {
        m_hdr.reset();
        m_scene.reset();
        m_renderer = std::move(*Renderer::create(*m_device, {.width = kSide, .height = kSide}));
        m_scene = std::move(*SceneInstance::create(whiteFloor(alphaMode), m_renderer->library(), m_renderer->registry()));
        m_hdr.emplace(*m_device, *m_renderer);
    }
    void TearDown() override
    {
        m_hdr.reset();
        m_scene.reset();
        m_renderer.reset();
    }

    /// Only the lights shine: no sun, no ambient light.
    FrameDesc dark() const
    {
        FrameDesc frame;
        frame.camera = lookAtCamera({0.3, 4.0, 3.0}, {0.0, 0.0, 0.0});
        frame.sun.intensity = 0.0f;
        frame.sky.ambientIntensity = 0.0f;
        return frame;
    }
    void draw(const FrameDesc& frame)
    {
        SceneInstance* const scenes[] = {m_scene.get()};
        Result<OffscreenPicture> drawn = renderOffscreen(*m_renderer, scenes, frame);
        ASSERT_TRUE(drawn) << drawn.error().message;
        ASSERT_TRUE(m_hdr->hasPicture());
        m_frame = frame;
    }
    Measured measure(std::uint32_t x, std::uint32_t y) const
    {
        const glm::dmat4 inverse = glm::inverse(glm::dmat4(viewProjection(m_frame.camera, kSide, kSide)));
        const glm::dvec4 clip((x + 0.5) / kSide * 2 - 1, 1 - (y + 0.5) / kSide * 2, 0.5, 1);
        const glm::dvec4 point = inverse * clip;
        const dvec3 ray = glm::normalize(dvec3(point) / point.w);
        const dvec3 eye(difference(m_frame.camera.position, {}));
        const vec4 texel = m_hdr->at(x, y);
        return {eye - ray * (eye.y / ray.y), -ray, dvec3(texel.x, texel.y, texel.z)};
    }
    /// Every 5th texel that sees the floor.
    template <class F> void forEachFloorTexel(F&& check) const
    {
        std::size_t count = 0;
        for (std::uint32_t y = 2; y < kSide; y += 5)
            for (std::uint32_t x = 2; x < kSide; x += 5)
            {
                const Measured m = measure(x, y);
                if (m.toEye.y < 0.05 || std::max(std::abs(m.floor.x), std::abs(m.floor.z)) > 3.8)
                    continue;
                SCOPED_TRACE("texel " + std::to_string(x) + ", " + std::to_string(y));
                check(m);
                ++count;
            }
        EXPECT_GT(count, 100U);
    }

    std::unique_ptr<Renderer> m_renderer;
    std::unique_ptr<SceneInstance> m_scene;
    std::optional<test::HdrReadback> m_hdr;
    FrameDesc m_frame;
};

void expectRadiance(double got, double expected, double slack = 1e-4)
{
    EXPECT_NEAR(got, expected, kTolerance * expected + slack);
}

FrameLight lamp(dvec3 place, float candela)
{
    FrameLight light;
    light.position = toWorldPosition(place.x, place.y, place.z);
    light.intensity = candela;
    return light;
}

double spotFalloff(double cosine, double inner, double outer)
{
    const double part = (cosine - std::cos(outer)) / (std::cos(inner) - std::cos(outer));
    return std::pow(std::clamp(part, 0.0, 1.0), 2);
}

} // namespace

TEST_P(LightPictures, PointLightGivesItsCandelaOverTheSquareOfTheDistance)
{
    for (const AlphaMode alphaMode : {AlphaMode::Opaque, AlphaMode::Mask, AlphaMode::Blend})
    {
        SCOPED_TRACE(static_cast<int>(alphaMode));
        place(alphaMode);
        const dvec3 at(0.8, 1.25, -0.4);
        FrameLight light = lamp(at, 12.0f);
        light.color = vec3(1.0f, 0.5f, 0.0f);
        FrameDesc frame = dark();
        frame.lights = std::span(&light, 1);
        draw(frame);
        forEachFloorTexel(
            [&](const Measured& m)
            {
                const dvec3 to = at - m.floor;
                const double expected = whiteRadiance(m.toEye, glm::normalize(to), 12.0 / glm::dot(to, to));
                expectRadiance(m.radiance.x, expected);
                expectRadiance(m.radiance.y, 0.5 * expected);
                EXPECT_EQ(m.radiance.z, 0.0);
            });
    }
}

TEST_P(LightPictures, RangeWindowReachesZeroAtTheRange)
{
    constexpr double kRange = 2.25;
    const dvec3 at(0.0, 1.0, 0.0);
    FrameLight light = lamp(at, 30.0f);
    light.rangeMetres = static_cast<float>(kRange);
    FrameDesc frame = dark();
    frame.lights = std::span(&light, 1);
    draw(frame);
    std::size_t litCount = 0, darkCount = 0;
    forEachFloorTexel(
        [&](const Measured& m)
        {
            const double distance = glm::length(at - m.floor);
            const double window = std::max(1.0 - std::pow(distance / kRange, 4), 0.0);
            const double expected = whiteRadiance(m.toEye, (at - m.floor) / distance, 30.0 / (distance * distance) * window);
            expectRadiance(m.radiance.x, expected, 8e-4); // the window is steep: half a millimetre of interpolated position
            if (distance > kRange + 1e-3)
            {
                EXPECT_EQ(m.radiance.x, 0.0);
            }
            ++(distance > kRange ? darkCount : litCount);
        });
    EXPECT_GT(litCount, 30U);
    EXPECT_GT(darkCount, 30U);
}

TEST_P(LightPictures, SpotFallsFromItsInnerToItsOuterCone)
{
    constexpr double kInner = 0.35, kOuter = 0.6;
    const dvec3 at(0.2, 2.5, 0.1);
    const dvec3 axis = glm::normalize(dvec3(0.2, -1.0, -0.1));
    FrameLight light = lamp(at, 40.0f);
    light.type = LightType::Spot;
    light.direction = vec3(axis) * 3.0f; // need not be unit
    light.innerConeRadians = static_cast<float>(kInner);
    light.outerConeRadians = static_cast<float>(kOuter);
    FrameDesc frame = dark();
    frame.lights = std::span(&light, 1);
    draw(frame);
    std::size_t innerCount = 0, edgeCount = 0, outerCount = 0;
    forEachFloorTexel(
        [&](const Measured& m)
        {
            const dvec3 to = at - m.floor;
            const double cosine = glm::dot(axis, -glm::normalize(to));
            const double falloff = spotFalloff(cosine, kInner, kOuter);
            expectRadiance(m.radiance.x, whiteRadiance(m.toEye, glm::normalize(to), 40.0 / glm::dot(to, to) * falloff));
            ++(falloff == 1.0 ? innerCount : falloff > 0.0 ? edgeCount : outerCount);
        });
    EXPECT_GT(innerCount, 5U);
    EXPECT_GT(edgeCount, 5U);
    EXPECT_GT(outerCount, 20U);
}

TEST_P(LightPictures, SpotEndsWithinATexelOfItsOuterCone)
{
    constexpr double kOuter = 0.5;
    FrameLight light = lamp({0, 2, 0}, 2000.0f);
    light.type = LightType::Spot;
    light.direction = vec3(0, -1, 0);
    light.innerConeRadians = 0.499f; // as good as a hard edge
    light.outerConeRadians = static_cast<float>(kOuter);
    FrameDesc frame = dark();
    frame.camera = lookAtCamera({0, 5, 0}, {0, 0, 0});
    frame.lights = std::span(&light, 1);
    draw(frame);
    for (const std::uint32_t y : {kSide / 2, kSide / 3})
    {
        std::uint32_t left = kSide, right = 0;
        double expectedLeft = kSide, expectedRight = 0;
        for (std::uint32_t x = 0; x < kSide; ++x)
        {
            const Measured m = measure(x, y);
            if (m.radiance.x > 0.0)
            {
                left = std::min(left, x);
                right = x;
            }
            if (std::hypot(m.floor.x, m.floor.z) < 2.0 * std::tan(kOuter))
            {
                expectedLeft = std::min<double>(expectedLeft, x);
                expectedRight = x;
            }
        }
        EXPECT_NEAR(left, expectedLeft, 1.0) << "row " << y;
        EXPECT_NEAR(right, expectedRight, 1.0) << "row " << y;
        EXPECT_GT(expectedRight - expectedLeft, 15.0);
    }
}

TEST_P(LightPictures, DirectionalLightOfTheListShinesAsTheSunDoes)
{
    FrameDesc frame = dark();
    frame.sun = {.direction = vec3(0.3f, 0.8f, -0.2f), .color = vec3(1.0f, 0.7f, 0.3f), .intensity = 2.0f};
    draw(frame);
    std::vector<dvec3> bySun;
    forEachFloorTexel([&](const Measured& m) { bySun.push_back(m.radiance); });
    FrameLight light;
    light.type = LightType::Directional;
    light.direction = -frame.sun.direction;
    light.color = frame.sun.color;
    light.intensity = 2.0f;
    const FrameLight lights[] = {light, light};
    frame.sun.intensity = 0.0f;
    frame.lights = lights;
    draw(frame);
    std::size_t i = 0;
    forEachFloorTexel(
        [&](const Measured& m)
        {
            for (int channel = 0; channel < 3; ++channel)
                EXPECT_NEAR(m.radiance[channel], 2.0 * bySun[i][channel], 2e-3 * bySun[i][channel]);
            ++i;
        });
    EXPECT_GT(bySun.front().x, 0.3);
}

TEST_P(LightPictures, AllLightsOfTheCapShine)
{
    std::vector<FrameLight> lights(kMaxLights, lamp({0.5, 1.5, 0.5}, 0.25f));
    FrameDesc frame = dark();
    frame.lights = lights;
    draw(frame);
    forEachFloorTexel(
        [&](const Measured& m)
        {
            const dvec3 to = dvec3(0.5, 1.5, 0.5) - m.floor;
            expectRadiance(m.radiance.x, whiteRadiance(m.toEye, glm::normalize(to), 0.25 * kMaxLights / glm::dot(to, to)));
        });
}

TEST_P(LightPictures, NoLightLeavesTheFloorBlack)
{
    draw(dark());
    forEachFloorTexel([](const Measured& m) { EXPECT_EQ(m.radiance, dvec3(0.0)); });
}

INSTANTIATE_TEST_SUITE_P(SoftwareDrivers, LightPictures, testing::Values("llvmpipe", "swiftshader"),
    [](const testing::TestParamInfo<const char*>& driver) { return std::string(driver.param); });

} // namespace dl
