// The maps of the sun as pure maths: they cover what they must and stand still in the world.
#include "drawloom/render/shadow_cascades.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

namespace dl
{
namespace
{

using glm::dvec3;
using glm::dvec4;

constexpr float kAspect = 1.6f;

RenderCamera cameraAt(WorldPosition position, vec3 forward)
{
    RenderCamera camera;
    camera.position = normalised(position);
    camera.forward = glm::normalize(forward);
    const vec3 right = glm::normalize(glm::cross(camera.forward, std::abs(camera.forward.y) > 0.99f ? vec3(0, 0, 1) : vec3(0, 1, 0)));
    camera.up = glm::cross(right, camera.forward);
    return camera;
}

/// b relative to a, in metres, exact for points that are near each other.
dvec3 relative(const WorldPosition& a, const WorldPosition& b)
{
    return (dvec3(b.cell) - dvec3(a.cell)) * static_cast<double>(kCellSizeMetres) + (dvec3(b.offset) - dvec3(a.offset));
}

dvec3 apply(const mat4& matrix, dvec3 point)
{
    return dvec3(glm::dmat4(matrix) * dvec4(point, 1.0));
}

/// A camera that walks and looks around in steps that fit nothing, from a start in the world.
struct Walk
{
    std::mt19937 random;
    RenderCamera camera;
    vec3 forward = vec3(0.3f, -0.2f, -1.0f);

    Walk(std::uint32_t seed, WorldPosition start) : random(seed) { camera = cameraAt(start, forward); }
    void step()
    {
        std::uniform_real_distribution<float> unit(-1.0f, 1.0f);
        forward = glm::normalize(forward + 0.1f * vec3(unit(random), unit(random), unit(random)));
        const vec3 move = 0.37f * vec3(unit(random), unit(random), unit(random));
        camera = cameraAt({camera.position.cell, camera.position.offset + move}, forward);
    }
};

/// Largest change, over a walk, of where a fixed point of the world lies inside its texel; in texels, by cascade.
double largestShift(const WorldPosition& start, const ShadowSettings& settings, vec3 sun, std::uint32_t seed)
{
    Walk walk(seed, start);
    const WorldPosition fixed = normalised({start.cell, start.offset + vec3(1.3f, -0.7f, -2.1f)});
    std::array<glm::dvec2, kMaxCascadeCount> first = {};
    double largest = 0.0;
    for (int frame = 0; frame < 200; ++frame, walk.step())
    {
        const ShadowCascades cascades = fitShadowCascades(walk.camera, kAspect, sun, settings);
        for (std::uint32_t i = 0; i < cascades.count; ++i)
        {
            const dvec3 at = apply(cascades.cascades[i].textureMatrix, relative(walk.camera.position, fixed));
            const glm::dvec2 texel = glm::dvec2(at) * static_cast<double>(cascades.resolutionTexels);
            if (frame == 0)
                first[i] = texel;
            const glm::dvec2 moved = texel - first[i];
            largest = std::max({largest, std::abs(moved.x - std::round(moved.x)), std::abs(moved.y - std::round(moved.y))});
        }
    }
    return largest;
}

/// Corners of the frustum between two distances, and points between them, relative to the camera.
std::vector<dvec3> slicePoints(const RenderCamera& camera, double aspect, double zNear, double zFar)
{
    std::vector<dvec3> points;
    const dvec3 right = glm::cross(dvec3(camera.forward), dvec3(camera.up));
    const double tanY = std::tan(0.5 * static_cast<double>(camera.yFovRadians));
    for (const double along : {0.0, 0.3, 1.0})
        for (const double x : {-1.0, 0.0, 0.4, 1.0})
            for (const double y : {-1.0, 0.2, 1.0})
            {
                const double z = zNear + (zFar - zNear) * along;
                const glm::dvec2 half =
                    camera.isOrthographic ? glm::dvec2(camera.halfWidth, camera.halfHeight) : glm::dvec2(z * tanY * aspect, z * tanY);
                points.push_back(dvec3(camera.forward) * z + right * (half.x * x) + dvec3(camera.up) * (half.y * y));
            }
    return points;
}

void expectCovered(const RenderCamera& camera, const ShadowCascades& cascades, const char* what)
{
    const double margin = 6.0 / cascades.resolutionTexels; // filter and normal offset reach that far
    for (const ShadowCascade& cascade : cascades.all())
        for (const dvec3 point : slicePoints(
                 camera, static_cast<double>(kAspect), static_cast<double>(cascade.nearDistance), static_cast<double>(cascade.farDistance)))
        {
            const dvec3 at = apply(cascade.textureMatrix, point);
            EXPECT_GE(std::min(at.x, at.y), margin) << what;
            EXPECT_LE(std::max(at.x, at.y), 1.0 - margin) << what;
            EXPECT_GE(at.z, -1e-6) << what;
            EXPECT_LE(at.z, 1.0) << what;
        }
}

} // namespace

TEST(ShadowCascades, StandStillInTheWorldWhileTheCameraMoves)
{
    const std::uint32_t seed = std::random_device()();
    SCOPED_TRACE(seed);
    const vec3 sun(0.45f, 0.8f, 0.4f);
    // Near a border of cells, so that the walk crosses it; and far out, where metres in double no longer resolve a texel.
    for (const i32vec3 cell : {i32vec3(0), i32vec3(-3, 7, 1), i32vec3(1000000, -2000000, 1500000), i32vec3(2147480000, 5, -2147480000)})
        for (const std::uint32_t resolution : {512U, 2048U})
        {
            const double shift =
                largestShift({cell, vec3(1023.9f, 0.1f, 1023.95f)}, {.cascadeCount = 4, .resolutionTexels = resolution}, sun, seed);
            EXPECT_LT(shift, 1e-3) << "cell " << cell.x << ", " << resolution << " texels";
        }
}

TEST(ShadowCascades, DriftWithoutSnapping)
{
    EXPECT_GT(largestShift({}, {.isStable = false}, vec3(0.45f, 0.8f, 0.4f), 1), 0.3);
}

TEST(ShadowCascades, CrossBordersOfCellsWithoutAStep)
{
    // The same place written as the end of one cell and as the start of the next one.
    const vec3 forward(0.2f, -0.4f, -1.0f);
    RenderCamera before = cameraAt({}, forward);
    RenderCamera behind = before;
    before.position = {i32vec3(900000, 3, -70000), vec3(1024.0f, 20.0f, 0.0f)};
    behind.position = {i32vec3(900001, 3, -70001), vec3(0.0f, 20.0f, 1024.0f)};
    const ShadowCascades a = fitShadowCascades(before, kAspect, vec3(1, 2, 3), {});
    const ShadowCascades b = fitShadowCascades(behind, kAspect, vec3(1, 2, 3), {});
    for (std::uint32_t i = 0; i < a.count; ++i)
        EXPECT_LT(glm::distance(a.cascades[i].centre, b.cascades[i].centre), 1e-4f * a.cascades[i].texelMetres + 1e-5f);
}

TEST(ShadowCascades, KeepTheirSizeWhenTheCameraTurns)
{
    Walk walk(7, {});
    const ShadowCascades first = fitShadowCascades(walk.camera, kAspect, vec3(1, 1, 0), {});
    ASSERT_EQ(first.count, 3U);
    for (int frame = 0; frame < 100; ++frame, walk.step())
    {
        const ShadowCascades cascades = fitShadowCascades(walk.camera, kAspect, vec3(1, 1, 0), {});
        for (std::uint32_t i = 0; i < first.count; ++i)
        {
            EXPECT_EQ(cascades.cascades[i].radius, first.cascades[i].radius);
            EXPECT_EQ(cascades.cascades[i].texelMetres, first.cascades[i].texelMetres);
        }
    }
}

TEST(ShadowCascades, HoldEveryPointOfTheirPartOfTheFrustum)
{
    const std::uint32_t seed = std::random_device()();
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    std::uniform_real_distribution<float> unit(-1.0f, 1.0f);
    for (int i = 0; i < 300; ++i)
    {
        RenderCamera camera = cameraAt({i32vec3(i * 1000), 500.0f * vec3(unit(random), unit(random), unit(random))},
            vec3(unit(random), unit(random), unit(random)) + vec3(1e-3f));
        camera.yFovRadians = 1.3f + 1.2f * unit(random); // to where the sphere stands around the far end alone
        camera.isOrthographic = i % 3 == 0;
        camera.zFar = camera.isOrthographic ? 50.0f : 0.0f;
        camera.halfWidth = 8.0f;
        camera.halfHeight = 5.0f;
        const vec3 sun = vec3(unit(random), unit(random), unit(random)) + vec3(1e-3f);
        const ShadowSettings settings{.cascadeCount = 1U + static_cast<std::uint32_t>(i) % 4U, .resolutionTexels = 256U << (i % 4)};
        const ShadowCascades cascades = fitShadowCascades(camera, kAspect, sun, settings);
        ASSERT_EQ(cascades.count, settings.cascadeCount);
        expectCovered(camera, cascades, "random");
    }
}

TEST(ShadowCascades, WorkForEveryDirectionOfTheSun)
{
    for (const vec3 forward : {vec3(0, 0, -1), vec3(0, -1, 0), vec3(0, 1, 0), vec3(1, -1, 0)})
        for (const vec3 sun :
            {vec3(0, 1, 0), vec3(0, -1, 0), vec3(0, 0, 1), vec3(1, 0, 0), vec3(-1, 1, 0), vec3(0, 1e-30f, 0), vec3(0, 1e15f, 0)})
        {
            const RenderCamera camera = cameraAt({}, forward);
            const ShadowCascades cascades = fitShadowCascades(camera, kAspect, sun, {});
            ASSERT_EQ(cascades.count, 3U);
            EXPECT_NEAR(
                glm::dot(cascades.lightForward, glm::normalize(glm::dvec3(sun)) == dvec3(0) ? vec3(0) : vec3(glm::normalize(dvec3(sun)))),
                -1.0f, 1e-5f);
            expectCovered(camera, cascades, "axis");
        }
}

TEST(ShadowCascades, SeeCastersTowardsTheSunAndNoFarther)
{
    const RenderCamera camera = cameraAt({}, vec3(0, -0.3f, -1));
    const ShadowCascades cascades =
        fitShadowCascades(camera, kAspect, vec3(0.3f, 1, 0.2f), {.distanceMetres = 40, .casterDistanceMetres = 500});
    for (const ShadowCascade& cascade : cascades.all())
        for (const dvec3 point : slicePoints(
                 camera, static_cast<double>(kAspect), static_cast<double>(cascade.nearDistance), static_cast<double>(cascade.farDistance)))
        {
            const dvec3 here = apply(cascade.viewProjection, point);
            const dvec3 caster = apply(cascade.viewProjection, point - 499.9 * dvec3(cascades.lightForward));
            EXPECT_NEAR(caster.x, here.x, 1e-4); // it stands on the same line to the sun
            EXPECT_NEAR(caster.y, here.y, 1e-4);
            EXPECT_LE(caster.z, 1.0 + 1e-6);
            EXPECT_GT(caster.z, here.z); // reversed: nearer to the sun is larger
        }
    const ShadowCascade& first = cascades.cascades[0];
    EXPECT_NEAR(apply(first.viewProjection, dvec3(first.eye)).z, 1.0, 1e-5);
    EXPECT_GT(apply(first.viewProjection, dvec3(first.eye) - dvec3(cascades.lightForward)).z, 1.0);
    // Twice the shadow distance where nothing is said.
    const ShadowCascades preset = fitShadowCascades(camera, kAspect, vec3(0.3f, 1, 0.2f), {.distanceMetres = 40});
    EXPECT_NEAR(preset.cascades[0].depthMetres, 80.0f + 2.0f * preset.cascades[0].radius, 1e-3f);
}

TEST(ShadowCascades, LookAtTheMapAsTheRasteriserDoes)
{
    const ShadowCascades cascades = fitShadowCascades(cameraAt({}, vec3(0, 0, -1)), kAspect, vec3(1, 2, 0.5f), {});
    const dvec3 point(0.3, -1.2, -2.0);
    const dvec3 clip = apply(cascades.cascades[1].viewProjection, point);
    const dvec3 uv = apply(cascades.cascades[1].textureMatrix, point);
    EXPECT_NEAR(uv.x, 0.5 + 0.5 * clip.x, 1e-6);
    EXPECT_NEAR(uv.y, 0.5 - 0.5 * clip.y, 1e-6); // clip y is up, rows of a texture go down
    EXPECT_GT(uv.z, clip.z);                     // the bias favours light
    EXPECT_LT((uv.z - clip.z) * static_cast<double>(cascades.cascades[1].depthMetres),
        0.2 * static_cast<double>(cascades.cascades[1].texelMetres));
    // Right-handed: x, y and the way back to the sun.
    const mat4& m = cascades.cascades[0].viewProjection;
    const vec3 x(m[0].x, m[1].x, m[2].x);
    const vec3 y(m[0].y, m[1].y, m[2].y);
    EXPECT_NEAR(glm::dot(glm::normalize(glm::cross(x, y)), cascades.lightForward), -1.0f, 1e-5f);
}

TEST(ShadowCascades, AreSplitBetweenEqualLengthsAndEqualFactors)
{
    std::array<double, 4> splits = {};
    practicalSplits(1.0, 81.0, 0.0, splits);
    EXPECT_EQ(splits, (std::array<double, 4>{21.0, 41.0, 61.0, 81.0}));
    practicalSplits(1.0, 81.0, 1.0, splits);
    for (int i = 0; i < 4; ++i)
        EXPECT_NEAR(splits[static_cast<std::size_t>(i)], std::pow(3.0, i + 1), 1e-9);
    practicalSplits(1.0, 81.0, 0.5, splits);
    EXPECT_NEAR(splits[0], 12.0, 1e-9);
    EXPECT_EQ(splits[3], 81.0);
    practicalSplits(1.0, 81.0, 0.5, {});
}

TEST(ShadowCascades, EndAtTheFarPlaneOrTheSetDistance)
{
    RenderCamera camera = cameraAt({}, vec3(0, 0, -1));
    const auto end = [&](float distance)
    {
        const ShadowCascades cascades = fitShadowCascades(camera, kAspect, vec3(0, 1, 1), {.distanceMetres = distance});
        return cascades.count == 0 ? 0.0f : cascades.cascades[cascades.count - 1].farDistance;
    };
    EXPECT_EQ(end(0.0f), 150.0f);
    EXPECT_EQ(end(37.0f), 37.0f);
    camera.zFar = 20.0f;
    EXPECT_EQ(end(0.0f), 20.0f);
    EXPECT_EQ(end(37.0f), 20.0f);
    camera.zFar = std::nextafter(camera.zNear, 1.0f); // a frustum as thin as floats allow
    EXPECT_EQ(end(0.0f), camera.zFar);
    camera.zFar = camera.zNear;
    EXPECT_EQ(end(0.0f), 0.0f);
    camera.zFar = 0.0f;
    EXPECT_EQ(end(0.05f), 0.0f);
}

TEST(ShadowCascades, ReachAsFarAsASceneDoes)
{
    const RenderCamera camera = cameraAt({i32vec3(2, 0, 0), vec3(10, 0, 0)}, vec3(-1, 0, 0)); // at x = 2058
    ShadowSettings settings;
    fitShadowDistances(settings, camera, {vec3(2000, -3, -4), vec3(2050, 3, 4)});
    EXPECT_NEAR(settings.distanceMetres, 58.0f * 1.01f, 1e-3f);
    EXPECT_NEAR(settings.casterDistanceMetres, std::sqrt(50.0f * 50.0f + 6.0f * 6.0f + 8.0f * 8.0f), 1e-3f);
    ShadowSettings untouched;
    fitShadowDistances(untouched, camera, {});
    fitShadowDistances(untouched, camera, {vec3(2060, 0, 0), vec3(2070, 1, 1)});
    EXPECT_EQ(untouched.distanceMetres, 0.0f);
    EXPECT_EQ(untouched.casterDistanceMetres, 0.0f);
}

TEST(ShadowCascades, FitTheirSpheresTightly)
{
    RenderCamera camera = cameraAt({}, vec3(0, 0, -1));
    camera.yFovRadians = 0.4f;
    const ShadowCascades cascades =
        fitShadowCascades(camera, 1.0f, vec3(0, 1, 0), {.cascadeCount = 1, .distanceMetres = 10.0f, .isStable = false});
    const ShadowCascade& map = cascades.cascades[0];
    for (const float z : {map.nearDistance, map.farDistance}) // corners of both ends lie on the sphere
    {
        const float half = z * std::tan(0.2f);
        EXPECT_NEAR(glm::distance(vec3(half, half, -z), map.centre), map.radius, 1e-3f);
    }
}

TEST(ShadowCascades, AreNoneWhereThereIsNothingToFit)
{
    const RenderCamera camera = cameraAt({}, vec3(0, 0, -1));
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    EXPECT_EQ(fitShadowCascades(camera, kAspect, vec3(0, 1, 0), {.isEnabled = false}).count, 0U);
    EXPECT_EQ(fitShadowCascades(camera, kAspect, vec3(0), {}).count, 0U);
    EXPECT_EQ(fitShadowCascades(camera, kAspect, vec3(nan, 1, 0), {}).count, 0U);
    EXPECT_EQ(fitShadowCascades(camera, 0.0f, vec3(0, 1, 0), {}).count, 0U);
    EXPECT_EQ(fitShadowCascades(camera, nan, vec3(0, 1, 0), {}).count, 0U);
    RenderCamera nowhere = camera;
    nowhere.position.offset.x = nan;
    EXPECT_EQ(fitShadowCascades(nowhere, kAspect, vec3(0, 1, 0), {}).count, 0U);
    RenderCamera flat = camera;
    flat.isOrthographic = true;
    flat.halfWidth = flat.halfHeight = 0.0f;
    EXPECT_EQ(fitShadowCascades(flat, kAspect, vec3(0, 1, 0), {}).count, 0U);
    EXPECT_EQ(fitShadowCascades(camera, kAspect, vec3(0, 1, 0), {.cascadeCount = 0, .resolutionTexels = 1}).count, 1U);
    EXPECT_EQ(fitShadowCascades(camera, kAspect, vec3(0, 1, 0), {.cascadeCount = 99, .resolutionTexels = 99999}).count, 4U);
    EXPECT_EQ(fitShadowCascades(camera, kAspect, vec3(0, 1, 0), {.resolutionTexels = 99999}).resolutionTexels, kMaxShadowResolution);
    for (const ShadowSettings& settings : {ShadowSettings{.distanceMetres = infinity}, ShadowSettings{.distanceMetres = nan},
             ShadowSettings{.distanceMetres = 3e38f}, ShadowSettings{.casterDistanceMetres = infinity}, ShadowSettings{.splitBlend = nan}})
    {
        const ShadowCascades fitted = fitShadowCascades(camera, kAspect, vec3(0, 1, 0), settings);
        ASSERT_EQ(fitted.count, 3U);
        for (const ShadowCascade& cascade : fitted.all())
            for (int i = 0; i < 16; ++i)
                EXPECT_TRUE(std::isfinite(cascade.viewProjection[i / 4][i % 4]) && std::isfinite(cascade.textureMatrix[i / 4][i % 4]));
    }
}

} // namespace dl
