// Irradiance, procedural sky and BRDF table against slow sums that share no code with them.
#include "drawloom/render/brdf_table.h"
#include "drawloom/render/environment_image.h"
#include "tests/scenes/random.h"

#include <gtest/gtest.h>

#include <glm/packing.hpp>

#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>

namespace dl
{
namespace
{

using scenes::Random;
constexpr double kPi = std::numbers::pi;

Image makeImage(std::uint32_t width, std::uint32_t height)
{
    Image image;
    image.name = "test.hdr";
    image.format = ImageFormat::Rgba32F;
    image.width = width;
    image.height = height;
    image.bytes.resize(std::size_t(width) * height * sizeof(vec4));
    return image;
}

void setTexel(Image& image, std::uint32_t x, std::uint32_t y, vec3 color)
{
    const vec4 texel(color, 1.0f);
    std::memcpy(image.bytes.data() + (std::size_t(y) * image.width + x) * sizeof texel, &texel, sizeof texel);
}

vec3 texelAt(const Image& image, std::uint32_t x, std::uint32_t y)
{
    vec4 texel;
    std::memcpy(&texel, image.bytes.data() + (std::size_t(y) * image.width + x) * sizeof texel, sizeof texel);
    return vec3(texel);
}

vec3 evaluate(const IrradianceHarmonics& sh, vec3 n)
{
    return vec3(sh[0] + sh[1] * n.y + sh[2] * n.z + sh[3] * n.x + sh[4] * (n.x * n.y) + sh[5] * (n.y * n.z) +
                sh[6] * (3.0f * n.z * n.z - 1.0f) + sh[7] * (n.x * n.z) + sh[8] * (n.x * n.x - n.y * n.y));
}

/// Calls fn(direction, solid angle, texel) for `detail` x `detail` points of each texel.
template <class F> void forEachDirection(const Image& image, std::uint32_t detail, F&& fn)
{
    const std::uint32_t columns = image.width * detail, rows = image.height * detail;
    for (std::uint32_t r = 0; r < rows; ++r)
    {
        const double elevation = (0.5 - (r + 0.5) / rows) * kPi;
        const double angle = std::cos(elevation) * (kPi / rows) * (2.0 * kPi / columns);
        for (std::uint32_t c = 0; c < columns; ++c)
        {
            const double azimuth = ((c + 0.5) / columns - 0.5) * 2.0 * kPi;
            const glm::dvec3 direction(
                std::cos(elevation) * std::cos(azimuth), std::sin(elevation), std::cos(elevation) * std::sin(azimuth));
            fn(direction, angle, glm::dvec3(texelAt(image, c / detail, r / detail)));
        }
    }
}

vec3 bruteIrradianceOverPi(const Image& image, vec3 normal, std::uint32_t detail)
{
    glm::dvec3 sum(0.0);
    forEachDirection(image, detail, [&](const glm::dvec3& direction, double angle, const glm::dvec3& radiance)
        { sum += radiance * (std::max(glm::dot(direction, glm::dvec3(normal)), 0.0) * angle / kPi); });
    return vec3(sum);
}

vec3 randomDirection(Random& random)
{
    const float y = random.range(-1.0f, 1.0f), azimuth = random.range(-3.14159f, 3.14159f);
    const float c = std::sqrt(1.0f - y * y);
    return vec3(c * std::cos(azimuth), y, c * std::sin(azimuth));
}

} // namespace

TEST(Irradiance, OfConstantLightIsThatLight)
{
    for (const auto& [width, height] : {std::pair(1U, 1U), std::pair(1U, 2U), std::pair(2U, 1U), std::pair(64U, 32U), std::pair(7U, 5U)})
    {
        Image image = makeImage(width, height);
        for (std::uint32_t i = 0; i < width * height; ++i)
            setTexel(image, i % width, i / width, vec3(0.5f, 1.0f, 4.0f));
        const IrradianceHarmonics sh = projectIrradiance(image);
        Random random(5);
        for (int i = 0; i < 20; ++i)
        {
            const vec3 got = evaluate(sh, randomDirection(random));
            EXPECT_NEAR(got.r, 0.5f, 1e-5f) << width << "x" << height;
            EXPECT_NEAR(got.g, 1.0f, 1e-5f);
            EXPECT_NEAR(got.b, 4.0f, 4e-5f);
        }
    }
}

/// Light that the first three bands describe in full is not cut, so the answer is that of the cosine integral.
TEST(Irradiance, OfSmoothLightIsTheCosineIntegral)
{
    Image image = makeImage(64, 32);
    for (std::uint32_t y = 0; y < 32; ++y)
        for (std::uint32_t x = 0; x < 64; ++x)
        {
            const float elevation = (0.5f - (static_cast<float>(y) + 0.5f) / 32.0f) * 3.14159265f;
            const float azimuth = ((static_cast<float>(x) + 0.5f) / 64.0f - 0.5f) * 6.2831853f;
            const vec3 d(std::cos(elevation) * std::cos(azimuth), std::sin(elevation), std::cos(elevation) * std::sin(azimuth));
            setTexel(image, x, y, vec3(1.0f + 0.8f * d.x, 1.0f + 0.5f * d.y - 0.3f * d.z, 1.0f + 0.6f * d.x * d.z + 0.5f * d.y * d.y));
        }
    const IrradianceHarmonics sh = projectIrradiance(image);
    Random random(6);
    for (int i = 0; i < 40; ++i)
    {
        const vec3 normal = randomDirection(random);
        const vec3 expected = bruteIrradianceOverPi(image, normal, 2);
        const vec3 got = evaluate(sh, normal);
        for (int channel = 0; channel < 3; ++channel)
            EXPECT_NEAR(got[channel], expected[channel], 0.004f) << "seed 6, normal " << i << ", channel " << channel;
    }
}

/// Each coefficient against the plain sum over directions, on noise: signs, axes, pole weights.
TEST(Irradiance, HasTheMomentsOfItsDefinition)
{
    Random random(7);
    Image image = makeImage(9, 6);
    for (std::uint32_t i = 0; i < 54; ++i)
        setTexel(image, i % 9, i / 9, vec3(random.range(0.0f, 1.0f), random.range(0.0f, 1.0f), random.range(0.0f, 4.0f)));
    std::array<glm::dvec3, 9> moments = {};
    forEachDirection(image, 60,
        [&](const glm::dvec3& d, double angle, const glm::dvec3& radiance)
        {
            const double basis[9] = {1, d.y, d.z, d.x, d.x * d.y, d.y * d.z, 3 * d.z * d.z - 1, d.x * d.z, d.x * d.x - d.y * d.y};
            for (std::size_t i = 0; i < 9; ++i)
                moments[i] += radiance * (basis[i] * angle);
        });
    // Norm of each basis function over the sphere, computed the same way.
    std::array<double, 9> norms = {};
    forEachDirection(image, 60,
        [&](const glm::dvec3& d, double angle, const glm::dvec3&)
        {
            const double basis[9] = {1, d.y, d.z, d.x, d.x * d.y, d.y * d.z, 3 * d.z * d.z - 1, d.x * d.z, d.x * d.x - d.y * d.y};
            for (std::size_t i = 0; i < 9; ++i)
                norms[i] += basis[i] * basis[i] * angle;
        });
    const double band[9] = {1, 2.0 / 3, 2.0 / 3, 2.0 / 3, 0.25, 0.25, 0.25, 0.25, 0.25};
    const IrradianceHarmonics sh = projectIrradiance(image);
    for (std::size_t i = 0; i < 9; ++i)
        for (int channel = 0; channel < 3; ++channel)
            EXPECT_NEAR(sh[i][channel], moments[i][channel] / norms[i] * band[i], 2e-4) << "coefficient " << i << " channel " << channel;
}

TEST(Irradiance, OfOneBrightTexelStaysWithinTheKnownErrorOfThreeBands)
{
    Image image = makeImage(64, 32);
    setTexel(image, 40, 9, vec3(5000.0f));
    const IrradianceHarmonics sh = projectIrradiance(image);
    float peak = 0.0f;
    float worst = 0.0f;
    Random random(8);
    for (int i = 0; i < 100; ++i)
    {
        const vec3 normal = randomDirection(random);
        const float expected = bruteIrradianceOverPi(image, normal, 1).r;
        peak = std::max(peak, expected);
        worst = std::max(worst, std::abs(evaluate(sh, normal).r - expected));
    }
    EXPECT_LT(worst, 0.1f * peak); // a point light's clamped cosine cut after band 2: 6 % at most, at the lobe's edge
    EXPECT_GT(peak, 0.0f);
}

TEST(Sky, IsSmoothAndMeetsItsColours)
{
    const SkySettings sky;
    EXPECT_EQ(skyRadiance(sky, 1.0f), sky.zenith);
    EXPECT_EQ(skyRadiance(sky, 0.0f), sky.horizon);
    EXPECT_EQ(skyRadiance(sky, -1.0f), sky.ground);
    EXPECT_LT(glm::distance(skyRadiance(sky, 1e-6f), skyRadiance(sky, -1e-6f)), 1e-3f);
    const Image image = makeSkyImage(sky);
    EXPECT_LT(glm::distance(texelAt(image, 0, 0), sky.zenith), 1e-3f);
    EXPECT_LT(glm::distance(texelAt(image, 0, image.height - 1), sky.ground), 1e-3f);
    EXPECT_LT(glm::distance(texelAt(image, 0, image.height / 2), sky.horizon), 0.05f);
}

TEST(Sky, IrradianceIsTheCosineIntegral)
{
    SkySettings sky;
    sky.zenith = vec3(0.1f, 0.4f, 1.0f);
    sky.ground = vec3(0.5f, 0.1f, 0.0f);
    const Image image = makeSkyImage(sky);
    const IrradianceHarmonics sh = projectIrradiance(image);
    Image wide = makeImage(64, 64); // the same sky with columns, so that the plain sum is accurate
    for (std::uint32_t i = 0; i < 64 * 64; ++i)
        setTexel(wide, i % 64, i / 64, texelAt(image, 0, (i / 64) * (image.height / 64) + image.height / 128));
    for (const vec3 normal : {vec3(0, 1, 0), vec3(0, -1, 0), vec3(1, 0, 0), vec3(0, 0.6f, -0.8f)})
    {
        const vec3 expected = bruteIrradianceOverPi(wide, normal, 2), got = evaluate(sh, normal);
        for (int channel = 0; channel < 3; ++channel)
            EXPECT_NEAR(got[channel], expected[channel], 0.02f) << normal.x << " " << normal.y << " " << normal.z;
    }
}

TEST(EnvironmentImage, CutsWhatHalfFloatsCannotHold)
{
    Image image = makeImage(4, 2);
    setTexel(image, 0, 0, vec3(1e30f, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()));
    setTexel(image, 1, 0, vec3(-1.0f, 65504.0f, 65505.0f));
    const EnvironmentImage made = makeEnvironmentImage(image, 4096).value();
    ASSERT_EQ(made.mipCount, 3U);
    ASSERT_EQ(made.halves.size(), 4U * (8 + 2 + 1));
    for (const std::uint16_t half : made.halves)
        EXPECT_LE(half, 0x7BFF) << "negative, infinite or not a number";
    EXPECT_EQ(made.halves[0], 0x7BFF);
    EXPECT_EQ(made.halves[1], 0x7BFF);
    EXPECT_EQ(made.halves[2], 0);
    EXPECT_EQ(made.halves[4], 0);
    EXPECT_EQ(made.halves[5], 0x7BFF);
    EXPECT_EQ(made.halves[6], 0x7BFF);
    for (const vec4& coefficient : made.irradiance)
        EXPECT_TRUE(std::isfinite(coefficient.r) && std::isfinite(coefficient.g) && std::isfinite(coefficient.b));
}

TEST(EnvironmentImage, IsHalvedUntilItFits)
{
    Image image = makeImage(64, 32);
    setTexel(image, 3, 3, vec3(16.0f));
    const EnvironmentImage whole = makeEnvironmentImage(image, 64).value();
    EXPECT_EQ(whole.width, 64U);
    const EnvironmentImage small = makeEnvironmentImage(image, 63).value();
    EXPECT_EQ(small.width, 32U);
    EXPECT_EQ(small.height, 16U);
    EXPECT_EQ(small.mipCount, whole.mipCount - 1);
    EXPECT_FLOAT_EQ(glm::unpackHalf2x16(small.halves[(1 * 32 + 1) * 4]).x, 4.0f);
    EXPECT_EQ(small.irradiance, whole.irradiance); // from the picture, not from what is left of it
}

TEST(EnvironmentImage, RefusesWhatIsNoFloatPicture)
{
    Image bytes = makeImage(4, 2);
    bytes.format = ImageFormat::Rgba8;
    EXPECT_EQ(makeEnvironmentImage(bytes, 64).error().code, ErrorCode::InvalidArgument);
    Image shorter = makeImage(4, 2);
    shorter.bytes.pop_back();
    EXPECT_EQ(makeEnvironmentImage(shorter, 64).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(makeEnvironmentImage(makeImage(0, 2), 64).error().code, ErrorCode::InvalidArgument);
}

namespace
{

/// The reflectance by a plain sum over directions of light, with the formulas of brdf.wgsl.
vec2 bruteReflectance(double nDotV, double roughness)
{
    const double alpha = roughness * roughness, a2 = alpha * alpha;
    const glm::dvec3 v(std::sqrt(1.0 - nDotV * nDotV), 0.0, nDotV);
    constexpr int kHeights = 1200, kAzimuths = 400;
    glm::dvec2 sum(0.0);
    for (int i = 0; i < kHeights; ++i)
    {
        const double angle = (i + 0.5) / kHeights * 0.5 * kPi, nDotL = std::cos(angle), radius = std::sin(angle);
        for (int j = 0; j < kAzimuths; ++j)
        {
            const double azimuth = (j + 0.5) / kAzimuths * kPi; // half a circle, counted twice below
            const glm::dvec3 l(radius * std::cos(azimuth), radius * std::sin(azimuth), nDotL);
            const glm::dvec3 h = glm::normalize(v + l);
            const double f = h.z * h.z * (a2 - 1.0) + 1.0;
            const double distribution = a2 / (kPi * f * f);
            const double visibility =
                0.5 / (nDotL * std::sqrt(nDotV * nDotV * (1.0 - a2) + a2) + nDotV * std::sqrt(nDotL * nDotL * (1.0 - a2) + a2));
            const double fresnel = std::pow(1.0 - glm::dot(v, h), 5.0);
            sum += glm::dvec2(1.0 - fresnel, fresnel) * (distribution * visibility * nDotL * radius);
        }
    }
    return vec2(sum * (2.0 * kPi * 0.5 * kPi / (double(kHeights) * kAzimuths)));
}

vec2 tableAt(float nDotV, float roughness)
{
    const std::span<const vec2> table = brdfTable();
    constexpr float kLast = kBrdfTableSize - 1;
    const float x = nDotV * kLast, y = roughness * kLast;
    const auto ix = std::min(static_cast<std::uint32_t>(x), kBrdfTableSize - 2),
               iy = std::min(static_cast<std::uint32_t>(y), kBrdfTableSize - 2);
    const float fx = x - static_cast<float>(ix), fy = y - static_cast<float>(iy);
    const auto at = [&](std::uint32_t i, std::uint32_t j) { return table[j * kBrdfTableSize + i]; };
    return glm::mix(glm::mix(at(ix, iy), at(ix + 1, iy), fx), glm::mix(at(ix, iy + 1), at(ix + 1, iy + 1), fx), fy);
}

} // namespace

TEST(BrdfTable, IsTheIntegral)
{
    for (const float roughness : {0.25f, 0.4f, 0.7f, 1.0f})
        for (const float nDotV : {0.07f, 0.2f, 0.5f, 0.83f, 1.0f})
        {
            const vec2 expected = bruteReflectance(nDotV, roughness), got = integrateBrdf(nDotV, roughness),
                       read = tableAt(nDotV, roughness);
            EXPECT_NEAR(got.x, expected.x, 0.005f) << "roughness " << roughness << ", cosine " << nDotV;
            EXPECT_NEAR(got.y, expected.y, 0.005f) << "roughness " << roughness << ", cosine " << nDotV;
            EXPECT_NEAR(read.x, expected.x, 0.006f) << "roughness " << roughness << ", cosine " << nDotV;
            EXPECT_NEAR(read.y, expected.y, 0.006f) << "roughness " << roughness << ", cosine " << nDotV;
        }
}

TEST(BrdfTable, OfAMirrorIsFresnel)
{
    for (const float nDotV : {0.1f, 0.35f, 0.8f, 1.0f})
    {
        const float fresnel = std::pow(1.0f - nDotV, 5.0f);
        const vec2 read = tableAt(nDotV, 0.0f);
        EXPECT_NEAR(read.x, 1.0f - fresnel, 0.004f) << nDotV;
        EXPECT_NEAR(read.y, fresnel, 0.004f) << nDotV;
    }
}

TEST(BrdfTable, NeverReflectsMoreThanArrives)
{
    for (const vec2& texel : brdfTable())
    {
        EXPECT_GE(texel.x, 0.0f);
        EXPECT_GE(texel.y, 0.0f);
        EXPECT_LE(texel.x + texel.y, 1.0001f);
        EXPECT_GE(texel.x + texel.y, 0.3f); // 1 - ln 2 at roughness 1, seen from above
    }
}

} // namespace dl
