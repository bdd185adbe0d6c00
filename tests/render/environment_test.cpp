// The environment on software drivers: what its cube holds, how it hangs in the world, when it is made.
#include "tests/render/environment_fixture.h"

#include "tests/scenes/mesh_builder.h"
#include "tests/scenes/scene_builder.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace dl
{
namespace
{

class EnvironmentPicture : public EnvironmentOnDriver
{
protected:
    template <class F> void forEachTexel(F&& fn)
    {
        for (std::uint32_t level = 0; level < kCubeLevels; ++level)
            for (std::uint32_t face = 0; face < 6; ++face)
                for (std::uint32_t i = 0; i < (kCubeSize >> level) * (kCubeSize >> level); ++i)
                    fn(level, face, i % (kCubeSize >> level), i / (kCubeSize >> level));
    }
    void drawWith(const Image& picture, const FrameDesc& frame = dark())
    {
        ASSERT_TRUE(m_renderer->setEnvironment(picture));
        draw(frame);
    }
};

struct CubePoint
{
    std::uint32_t face = 0, x = 0, y = 0;
};

/// The texel that a direction falls on: the inverse of cubeDirection, by search.
CubePoint texelTowards(vec3 d, std::uint32_t size)
{
    CubePoint best;
    float bestCosine = -2.0f;
    for (std::uint32_t face = 0; face < 6; ++face)
        for (std::uint32_t i = 0; i < size * size; ++i)
        {
            const std::uint32_t x = i % size, y = i / size;
            const float u = (static_cast<float>(x) + 0.5f) / static_cast<float>(size);
            const float v = (static_cast<float>(y) + 0.5f) / static_cast<float>(size);
            const float cosine = glm::dot(cubeDirection(face, u, v), d);
            if (cosine > bestCosine)
            {
                bestCosine = cosine;
                best = {face, i % size, i / size};
            }
        }
    return best;
}

float roughnessOfLevel(std::uint32_t level)
{
    return 1.0f - std::sqrt(1.0f - static_cast<float>(level) / (kCubeLevels - 1));
}

vec3 smoothRadiance(vec3 d)
{
    return vec3(1.0f + 0.7f * d.x, 1.0f + 0.7f * d.y * d.z, std::exp(1.5f * d.z));
}

Image smoothEnvironment()
{
    Image image = constantEnvironment(vec3(0.0f), 128, 64);
    for (std::uint32_t i = 0; i < 128 * 64; ++i)
    {
        const std::uint32_t x = i % 128, y = i / 128;
        const float elevation = (0.5f - (static_cast<float>(y) + 0.5f) / 64.0f) * 3.14159265f;
        const float azimuth = ((static_cast<float>(x) + 0.5f) / 128.0f - 0.5f) * 6.2831853f;
        const vec3 d(std::cos(elevation) * std::cos(azimuth), std::sin(elevation), std::cos(elevation) * std::sin(azimuth));
        const vec4 texel(smoothRadiance(d), 1.0f);
        std::memcpy(image.bytes.data() + i * sizeof texel, &texel, sizeof texel);
    }
    return image;
}

/// The GGX lobe around n as a plain sum, eye along n: weight D(n.h) n.l over directions of light.
vec3 bruteFiltered(vec3 n, float roughness)
{
    const double a2 = std::pow(static_cast<double>(roughness), 4.0);
    const vec3 side = glm::normalize(glm::cross(n, std::abs(n.y) < 0.9f ? vec3(0, 1, 0) : vec3(1, 0, 0))), other = glm::cross(n, side);
    glm::dvec3 sum(0.0);
    double weight = 0.0;
    constexpr int kAngles = 300, kAzimuths = 48;
    for (int i = 0; i < kAngles; ++i)
    {
        const double angle = (i + 0.5) / kAngles * 1.5707963, nDotH = std::cos(0.5 * angle);
        const double f = nDotH * nDotH * (a2 - 1.0) + 1.0;
        const double w = a2 / (f * f) * std::cos(angle) * std::sin(angle);
        for (int j = 0; j < kAzimuths; ++j)
        {
            const float azimuth = (static_cast<float>(j) + 0.5f) / kAzimuths * 6.2831853f;
            const auto radius = static_cast<float>(std::sin(angle));
            const vec3 l = n * static_cast<float>(std::cos(angle)) + (side * std::cos(azimuth) + other * std::sin(azimuth)) * radius;
            sum += glm::dvec3(smoothRadiance(l)) * w;
            weight += w;
        }
    }
    return vec3(sum / weight);
}

/// A mirror ball at the origin.
SceneDescription mirrorBall()
{
    scenes::SceneBuilder b("mirror");
    scenes::MeshBuilder shape;
    shape.ellipsoid(vec3(0.0f), vec3(0.5f), 64, 32);
    b.addNode("ball", scenes::at(vec3(0.0f)), kNoIndex, b.addMesh("ball", {shape.take(b.addPlain("mirror", vec3(1.0f), 0.0f, 1.0f))}));
    b.addCamera(vec3(0, 0, 3), vec3(0.0f), 60.0f);
    b.addSun(vec3(0, 1, 0), vec3(1.0f), 1.0f);
    return b.take();
}

const std::array<vec3, 6> kAxes = {vec3(1, 0, 0), vec3(-1, 0, 0), vec3(0, 1, 0), vec3(0, -1, 0), vec3(0, 0, 1), vec3(0, 0, -1)};
const std::array<vec3, 6> kAxisColors = {
    vec3(1, 0.1f, 0.1f), vec3(0.1f, 0.9f, 0.9f), vec3(0.1f, 1, 0.1f), vec3(0.9f, 0.1f, 0.9f), vec3(0.1f, 0.1f, 1), vec3(0.9f, 0.9f, 0.1f)};

FrameDesc lookingAlong(vec3 axis, FrameDesc frame)
{
    frame.camera = lookAtCamera(glm::dvec3(axis * -3.0f), glm::dvec3(0.0));
    frame.camera.yFovRadians = 1.0f;
    return frame;
}

constexpr std::uint32_t kMiddle = kRadianceSize / 2;

} // namespace

TEST_P(EnvironmentPicture, OfOneRadianceIsThatRadianceOnEveryLevel)
{
    const vec3 radiance(0.75f, 3.0f, 0.01f);
    drawWith(constantEnvironment(radiance, 16, 8));
    forEachTexel(
        [&](std::uint32_t level, std::uint32_t face, std::uint32_t x, std::uint32_t y)
        {
            const vec3 got = m_reader.cubeAt(level, face, x, y) / radiance;
            ASSERT_LT(glm::distance(got, vec3(1.0f)), 2e-3f) << "level " << level << ", face " << face << ", " << x << ", " << y;
        });
}

TEST_P(EnvironmentPicture, IsFilteredAsItsLobeSaysAndWithoutSeams)
{
    drawWith(smoothEnvironment());
    forEachTexel(
        [&](std::uint32_t level, std::uint32_t face, std::uint32_t x, std::uint32_t y)
        {
            const std::uint32_t size = kCubeSize >> level;
            if (level == 0 || (x * 7 + y * 5) % 3 != 0)
                return; // a third of them: the plain sums are slow
            const float u = (static_cast<float>(x) + 0.5f) / static_cast<float>(size),
                        v = (static_cast<float>(y) + 0.5f) / static_cast<float>(size);
            const vec3 expected = bruteFiltered(cubeDirection(face, u, v), roughnessOfLevel(level));
            const vec3 got = m_reader.cubeAt(level, face, x, y);
            for (int channel = 0; channel < 3; ++channel)
                ASSERT_NEAR(
                    got[channel], expected[channel], 0.03f * expected[channel] + 0.05f) // each sample is as wide as its share of the lobe
                    << "level " << level << ", face " << face << ", " << x << ", " << y << ", channel " << channel;
        });
    // Across an edge two texels differ no more than neighbours within a face do.
    for (std::uint32_t level = 0; level < kCubeLevels; ++level)
    {
        const std::uint32_t size = kCubeSize >> level;
        const float step = 1.0f / static_cast<float>(size);
        float inside = 0.0f, across = 0.0f;
        for (std::uint32_t face = 0; face < 6; ++face)
            for (std::uint32_t i = 0; i < size; ++i)
            {
                for (std::uint32_t j = 0; j + 1 < size; ++j)
                    inside = std::max(inside, glm::distance(m_reader.cubeAt(level, face, j, i), m_reader.cubeAt(level, face, j + 1, i)));
                const float along = (static_cast<float>(i) + 0.5f) * step;
                const CubePoint beyond = texelTowards(cubeDirection(face, 1.0f + 0.4f * step, along), size);
                EXPECT_NE(beyond.face, face);
                across = std::max(across,
                    glm::distance(m_reader.cubeAt(level, face, size - 1, i), m_reader.cubeAt(level, beyond.face, beyond.x, beyond.y)));
            }
        EXPECT_LT(across, 1.3f * inside + 5e-3f) << "level " << level;
    }
}

TEST_P(EnvironmentPicture, OfOneBlazingTexelIsFiniteAndLosesLittle)
{
    Image picture = constantEnvironment(vec3(0.1f), 256, 128);
    const vec4 sun(1e30f, 1e30f, 1e30f, 1.0f);
    std::memcpy(picture.bytes.data() + (30 * 256 + 77) * sizeof sun, &sun, sizeof sun);
    drawWith(picture);
    forEachTexel(
        [&](std::uint32_t level, std::uint32_t face, std::uint32_t x, std::uint32_t y)
        {
            const vec3 got = m_reader.cubeAt(level, face, x, y);
            ASSERT_TRUE(std::isfinite(got.r) && std::isfinite(got.g) && std::isfinite(got.b)) << "level " << level;
            ASSERT_GE(got.r, 0.0999f);
            ASSERT_LE(got.r, 65504.0f);
        });
    // Mean radiance by level: filtering moves light, it makes none.
    const double texelAngle = 2.0 * 3.14159265 / 256 * (3.14159265 / 128) * std::cos((0.5 - 30.5 / 128) * 3.14159265);
    const double expected = 0.1 + 65504.0 * texelAngle / (4.0 * 3.14159265);
    for (std::uint32_t level = 0; level < kCubeLevels; ++level)
    {
        double sum = 0.0, angles = 0.0;
        const std::uint32_t size = kCubeSize >> level;
        for (std::uint32_t face = 0; face < 6; ++face)
            for (std::uint32_t i = 0; i < size * size; ++i)
            {
                const std::uint32_t x = i % size, y = i / size;
                const double s = (x + 0.5) / size * 2.0 - 1.0, t = (y + 0.5) / size * 2.0 - 1.0;
                const double angle = std::pow(1.0 + s * s + t * t, -1.5);
                sum += m_reader.cubeAt(level, face, x, y).r * angle;
                angles += angle;
            }
        EXPECT_NEAR(sum / angles / expected, 1.0, 0.15) << "level " << level;
    }
    // A sharp lobe is smooth for all that: no texel stands out from those around it by far.
    for (std::uint32_t y = 0; y < kRadianceSize; ++y)
        ASSERT_TRUE(std::isfinite(m_reader.at(kMiddle, y).r));
}

TEST_P(EnvironmentPicture, HangsAsThreeJsHangsIt)
{
    m_scene = std::move(*SceneInstance::create(mirrorBall(), m_renderer->library(), m_renderer->registry()));
    ASSERT_TRUE(m_renderer->setEnvironment(scenes::makeAxesEnvironment()));
    for (std::size_t i = 0; i < kAxes.size(); ++i)
    {
        draw(lookingAlong(kAxes[i], dark()));
        EXPECT_LT(glm::distance(m_reader.at(kMiddle, 4), kAxisColors[i]), 0.05f) << "background of axis " << i;
        EXPECT_LT(glm::distance(m_reader.at(kMiddle, kMiddle), kAxisColors[i ^ 1U]), 0.05f) << "reflection of axis " << i;
    }
    // Looking along -Z, +X is to the right: so is what the ball shows of it, at 45 degrees.
    draw(lookingAlong(vec3(0, 0, -1), dark()));
    const auto offset = static_cast<std::uint32_t>(0.5f * 0.707f / (3.0f - 0.354f) / std::tan(0.5f) * kMiddle);
    EXPECT_LT(glm::distance(m_reader.at(kMiddle + offset, kMiddle), kAxisColors[0]), 0.1f);
    EXPECT_LT(glm::distance(m_reader.at(kMiddle - offset, kMiddle), kAxisColors[1]), 0.1f);
    EXPECT_LT(glm::distance(m_reader.at(kMiddle, kMiddle - offset), kAxisColors[2]), 0.1f);
    EXPECT_LT(glm::distance(m_reader.at(kMiddle, kMiddle + offset), kAxisColors[3]), 0.1f);
}

TEST_P(EnvironmentPicture, TurnsCounterClockwiseSeenFromAboveAndScales)
{
    m_scene = std::move(*SceneInstance::create(mirrorBall(), m_renderer->library(), m_renderer->registry()));
    ASSERT_TRUE(m_renderer->setEnvironment(scenes::makeAxesEnvironment()));
    FrameDesc frame = dark();
    frame.environment = {.intensity = 2.0f, .rotationRadians = 1.5707963f};
    draw(lookingAlong(vec3(0, 0, -1), frame)); // where +X was turned to
    EXPECT_LT(glm::distance(m_reader.at(kMiddle, 4), 2.0f * kAxisColors[0]), 0.1f);
    EXPECT_LT(glm::distance(m_reader.at(kMiddle, kMiddle), 2.0f * kAxisColors[1]), 0.1f);
    EXPECT_EQ(m_renderer->stats().environmentMakeCount, 1U); // neither needs the cube made again
}

TEST_P(EnvironmentPicture, LightsDiffuseSurfacesFromTheSideItIsOn)
{
    SceneDescription description = mirrorBall();
    description.materials[0].metallicFactor = 0.0f;
    description.materials[0].roughnessFactor = 1.0f;
    m_scene = std::move(*SceneInstance::create(description, m_renderer->library(), m_renderer->registry()));
    ASSERT_TRUE(m_renderer->setEnvironment(scenes::makeAxesEnvironment()));
    draw(lookingAlong(vec3(0, 0, -1), dark()));
    const auto offset = static_cast<std::uint32_t>(0.45f / 3.0f / std::tan(0.5f) * kMiddle);
    const vec3 right = m_reader.at(kMiddle + offset, kMiddle), left = m_reader.at(kMiddle - offset, kMiddle);
    const vec3 top = m_reader.at(kMiddle, kMiddle - offset), bottom = m_reader.at(kMiddle, kMiddle + offset);
    EXPECT_GT(right.r, left.r + 0.1f); // red against cyan
    EXPECT_GT(left.b, right.b + 0.1f);
    EXPECT_GT(top.g, bottom.g + 0.1f); // green against magenta
    EXPECT_GT(bottom.r, top.r + 0.1f);
}

TEST_P(EnvironmentPicture, OfTheSkyHoldsNoSun)
{
    draw({});
    const SkySettings sky;
    forEachTexel(
        [&](std::uint32_t level, std::uint32_t face, std::uint32_t x, std::uint32_t y)
        {
            const vec3 got = m_reader.cubeAt(level, face, x, y);
            ASSERT_TRUE(glm::all(glm::lessThan(got, sky.horizon + 2e-3f))) << "level " << level;
        });
    EXPECT_EQ(m_renderer->stats().environmentMakeCount, 1U);
    FrameDesc other;
    other.sky.zenith = vec3(0.9f, 0.1f, 0.1f);
    draw(other);
    EXPECT_EQ(m_renderer->stats().environmentMakeCount, 2U);
    EXPECT_LT(glm::distance(m_reader.cubeAt(0, 2, kCubeSize / 2, kCubeSize / 2), other.sky.zenith), 0.02f);
    ASSERT_TRUE(m_renderer->setEnvironment(constantEnvironment(vec3(2.0f))));
    draw(other);
    EXPECT_LT(glm::distance(m_reader.cubeAt(1, 2, 3, 3), vec3(2.0f)), 1e-2f);
    m_renderer->clearEnvironment();
    draw(other);
    EXPECT_LT(glm::distance(m_reader.cubeAt(0, 2, kCubeSize / 2, kCubeSize / 2), other.sky.zenith), 0.02f);
    EXPECT_EQ(m_renderer->stats().environmentMakeCount, 4U);
}

INSTANTIATE_TEST_SUITE_P(SoftwareDrivers, EnvironmentPicture, testing::Values("llvmpipe", "swiftshader"), driverName);

} // namespace dl
