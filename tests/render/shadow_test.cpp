// Shadows of the sun as pictures, against where geometry says that they lie, on the software drivers.
#include "drawloom/render/offscreen.h"
#include "tests/render/driver_fixture.h"
#include "tests/scenes/mesh_builder.h"
#include "tests/scenes/scene_builder.h"
#include "tests/scenes/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <string>

namespace dl
{
namespace
{

constexpr int kWidth = 320, kHeight = 200;

/// How bright each texel is, 0 black to 1, linear.
struct Lit
{
    std::vector<float> values;
    std::vector<std::uint32_t> ids;
    float at(int x, int y) const { return values[std::size_t(y) * kWidth + std::size_t(x)]; }
};

class Shadows : public DriverTest
{
protected:
    void SetUp() override
    {
        DriverTest::SetUp();
        if (IsSkipped())
            return;
        Result<std::unique_ptr<Renderer>> renderer = Renderer::create(*m_device, {.width = kWidth, .height = kHeight});
        ASSERT_TRUE(renderer) << renderer.error().message;
        m_renderer = std::move(*renderer);
        // The sun alone, white; what it does not reach is black.
        m_frame.sun = {.direction = vec3(1, 1, 0), .color = vec3(1.0f), .intensity = 1.5f};
        m_frame.sky = {.zenith = vec3(0.0f), .horizon = vec3(0.0f), .ground = vec3(0.0f), .ambientIntensity = 0.0f};
        m_frame.shadows = {.cascadeCount = 1, .resolutionTexels = 512, .distanceMetres = 30.0f};
    }
    void TearDown() override
    {
        m_scenes.clear();
        m_renderer.reset();
    }

    void add(const SceneDescription& description, const SceneInstanceDesc& desc = {})
    {
        Result<std::unique_ptr<SceneInstance>> scene =
            SceneInstance::create(description, m_renderer->library(), m_renderer->registry(), desc);
        ASSERT_TRUE(scene) << scene.error().message;
        m_scenes.push_back(std::move(*scene));
    }
    Lit draw()
    {
        std::vector<SceneInstance*> scenes;
        for (const auto& scene : m_scenes)
            scenes.push_back(scene.get());
        Result<OffscreenPicture> drawn = renderOffscreen(*m_renderer, scenes, m_frame, true);
        EXPECT_TRUE(drawn) << (drawn ? "" : drawn.error().message);
        Lit lit;
        lit.values.resize(std::size_t(kWidth) * kHeight);
        if (!drawn)
            return lit;
        lit.ids = std::move(drawn->objectIds);
        for (std::size_t i = 0; i < lit.values.size(); ++i)
            lit.values[i] = std::pow(static_cast<float>(drawn->picture.bytes[i * 4 + 1]) / 255.0f, 2.2f);
        return lit;
    }
    /// Straight down from `height` onto the plane y = 0: x to the right, -z up in the picture.
    void lookDown(float halfWidth, vec2 centre = vec2(0.0f), float height = 20.0f)
    {
        RenderCamera camera;
        camera.position = toWorldPosition(static_cast<double>(centre.x), static_cast<double>(height), static_cast<double>(centre.y));
        camera.forward = vec3(0, -1, 0);
        camera.up = vec3(0, 0, -1);
        camera.isOrthographic = true;
        camera.halfWidth = halfWidth;
        camera.halfHeight = halfWidth * kHeight / kWidth;
        camera.zFar = 2.0f * height;
        m_frame.camera = camera;
    }
    ShadowCascades cascades() const
    {
        return fitShadowCascades(m_frame.camera, static_cast<float>(kWidth) / kHeight, m_frame.sun.direction, m_frame.shadows);
    }

    std::unique_ptr<Renderer> m_renderer;
    std::vector<std::unique_ptr<SceneInstance>> m_scenes;
    FrameDesc m_frame;
};

/// Scenes of one grey, rough material.
struct Grey
{
    scenes::SceneBuilder b = scenes::SceneBuilder("grey");
    std::uint32_t material = 0;

    Grey()
    {
        material = b.addPlain("grey", vec3(0.8f), 1.0f);
        b.addCamera(vec3(0, 5, 5), vec3(0), 45.0f);
        b.addSun(vec3(0, 1, 0), vec3(1.0f), 1.0f);
    }
    Grey& shape(const std::function<void(scenes::MeshBuilder&)>& build)
    {
        scenes::MeshBuilder mesh;
        build(mesh);
        b.addNode("shape", {}, kNoIndex, b.addMesh("shape", {mesh.take(material)}));
        return *this;
    }
    Grey& plane(float half = 60.0f)
    {
        return shape([half](scenes::MeshBuilder& mesh)
            { mesh.quad(vec3(-half, 0, half), vec3(half, 0, half), vec3(half, 0, -half), vec3(-half, 0, -half)); });
    }
    Grey& box(vec3 min, vec3 max)
    {
        return shape([=](scenes::MeshBuilder& mesh) { mesh.box(min, max); });
    }
    Grey& sphere(vec3 centre, float radius)
    {
        return shape([=](scenes::MeshBuilder& mesh) { mesh.ellipsoid(centre, vec3(radius), 96, 64); });
    }
    /// Without the sun that every scene brings: further ones would light the shadows of the first.
    SceneDescription take()
    {
        SceneDescription scene = b.take();
        scene.lights.clear();
        for (Node& node : scene.nodes)
            node.lightIndex = kNoIndex;
        return scene;
    }
};

/// A pane of 2 x 2 m, flat at height 1, whose left half (x < 0) is clear and whose right half has `alpha`.
SceneDescription halfPane(AlphaMode mode, float alpha)
{
    Grey grey;
    Image image;
    image.width = image.height = 64;
    image.hasAlpha = true;
    for (std::uint32_t i = 0; i < 64 * 64; ++i)
        for (const float channel : {1.0f, 1.0f, 1.0f, i % 64 < 32 ? 0.0f : alpha})
            image.bytes.push_back(static_cast<std::byte>(channel * 255.0f));
    Material material = grey.b.scene.materials[grey.material];
    material.baseColor = scenes::texture(grey.b.addImage(std::move(image)));
    material.alphaMode = mode;
    material.isDoubleSided = true;
    grey.material = grey.b.addMaterial(material);
    grey.shape([](scenes::MeshBuilder& mesh) { mesh.quadFitted(vec3(-1, 1, 1), vec3(1, 1, 1), vec3(1, 1, -1), vec3(-1, 1, -1)); });
    return grey.take();
}

/// The direction through the middle of a texel of a perspective picture, unit.
vec3 rayOf(const RenderCamera& camera, int x, int y)
{
    const float tanY = std::tan(0.5f * camera.yFovRadians);
    const vec2 at((static_cast<float>(x) + 0.5f) / kWidth * 2.0f - 1.0f, 1.0f - (static_cast<float>(y) + 0.5f) / kHeight * 2.0f);
    const vec3 right = glm::cross(camera.forward, camera.up);
    return glm::normalize(camera.forward + right * (at.x * tanY * kWidth / kHeight) + camera.up * (at.y * tanY));
}

} // namespace

TEST_P(Shadows, EndWhereGeometrySaysThatTheyEnd)
{
    add(Grey().plane().box(vec3(-1, 0, -1), vec3(1, 2, 1)).take());
    lookDown(5.0f);
    m_frame.shadows.softnessTexels = 0.0f;
    const float metresPerTexel = 10.0f / kWidth;
    for (const vec3 sun : {vec3(1, 1, 0), vec3(1, 2, 0), vec3(1, 0.7f, 0)})
    {
        m_frame.sun.direction = sun;
        const Lit lit = draw();
        const int y = kHeight / 2;
        const auto xOf = [&](float metres) { return static_cast<int>((metres + 5.0f) / metresPerTexel); };
        const float whole = lit.at(xOf(4.0f), y);
        ASSERT_GT(whole, 0.1f);
        // From the lit end towards the box: the first texel that is half dark.
        int x = 0;
        while (x < xOf(-1.0f) && lit.at(x, y) > 0.5f * whole)
            ++x;
        const float expected = -1.0f - 2.0f * sun.x / sun.y;
        const float texelOnGround = cascades().cascades[0].texelMetres * glm::length(sun) / sun.y;
        EXPECT_NEAR(-5.0f + metresPerTexel * static_cast<float>(x), expected, 1.5f * texelOnGround + 1.5f * metresPerTexel) << sun.y;
        for (int inside = x + 8; inside < xOf(-1.0f) - 2; ++inside) // up to the box
            EXPECT_LT(lit.at(inside, y), 0.05f * whole) << inside << ", sun at " << sun.y;
        // Along the other axis the shadow is as wide as the box.
        int top = 0;
        while (top < kHeight / 2 && lit.at(xOf(-1.2f), top) > 0.5f * whole)
            ++top;
        EXPECT_NEAR(5.0f * kHeight / kWidth - metresPerTexel * static_cast<float>(top), 1.0f,
            1.5f * cascades().cascades[0].texelMetres + 1.5f * metresPerTexel);
    }
}

TEST_P(Shadows, OfASphereHaveNoAcneAndDoNotFloat)
{
    // All cascades, from a sun overhead to one that grazes the ground. A texel is judged by the ray through its middle, unless
    // an edge is so near that the filter reaches it.
    constexpr float kRadius = 1.0f;
    const vec3 centre(0.0f, kRadius, 0.0f);
    add(Grey().plane().sphere(centre, kRadius).take());
    m_frame.camera = lookAtCamera(glm::dvec3(2.5, 2.2, 5.0), glm::dvec3(-0.5, 0.4, -1.0));
    m_frame.shadows.cascadeCount = 3;
    m_frame.shadows.resolutionTexels = 1024;
    m_frame.shadows.distanceMetres = 40.0f;
    for (const float elevation : {6.0f, 25.0f, 60.0f, 90.0f})
    {
        const float radians = glm::radians(elevation);
        const vec3 sun(std::cos(radians) * 0.8f, std::sin(radians), std::cos(radians) * 0.6f);
        m_frame.sun.direction = sun;
        m_frame.shadows.isEnabled = true;
        const Lit with = draw();
        m_frame.shadows.isEnabled = false;
        const Lit without = draw();
        m_frame.shadows.isEnabled = true;
        const ShadowCascades maps = cascades();
        const glm::dvec3 eye = glm::dvec3(m_frame.camera.position.offset) + glm::dvec3(m_frame.camera.position.cell) * 1024.0;
        int litCount = 0, darkCount = 0, wrongLit = 0, wrongDark = 0, onSphere = 0, wrongSphere = 0;
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x)
            {
                const vec3 ray = rayOf(m_frame.camera, x, y);
                const vec3 toCentre = vec3(eye) - centre;
                const float b = glm::dot(ray, toCentre);
                const float off = b * b - glm::dot(toCentre, toCentre) + kRadius * kRadius;
                const float footprint = 0.01f * glm::length(toCentre); // a texel of the picture and more
                if (off > 0.0f && b < 0.0f)
                {
                    const vec3 normal = (toCentre + ray * (-b - std::sqrt(off))) / kRadius;
                    if (off < 0.1f || glm::dot(normal, sun) < 0.2f)
                        continue; // the rim, the terminator and the night side
                    ++onSphere;
                    wrongSphere += with.at(x, y) < 0.97f * without.at(x, y) ? 1 : 0;
                    continue;
                }
                const float distance = -static_cast<float>(eye.y) / ray.y;
                if (off > -0.2f || ray.y >= 0.0f || distance > 25.0f)
                    continue;
                const vec3 point = vec3(eye) + ray * distance;
                const float view = distance * glm::dot(ray, m_frame.camera.forward);
                float texel = 0.0f; // the coarser of the two cascades that may blend here
                for (const ShadowCascade& map : maps.all())
                    if (view >= map.nearDistance && view <= map.farDistance)
                        texel = map.texelMetres;
                const float margin = 4.5f * texel + footprint * distance / 5.0f;
                const float toAxis = glm::length(glm::cross(point - centre, sun));
                const bool isBehind = glm::dot(point - centre, sun) > 0.0f;
                if (isBehind || toAxis > kRadius + margin)
                {
                    ++litCount;
                    wrongLit += with.at(x, y) < 0.97f * without.at(x, y) ? 1 : 0;
                }
                else if (toAxis < kRadius - margin)
                {
                    ++darkCount;
                    wrongDark += with.at(x, y) > 0.05f * without.at(x, y) ? 1 : 0;
                }
            }
        EXPECT_GT(litCount, 5000) << elevation;
        EXPECT_GT(darkCount, elevation == 90.0f ? 20 : 150) << elevation;
        EXPECT_GT(onSphere, 500) << elevation;
        EXPECT_EQ(wrongLit, 0) << "acne on the ground, sun at " << elevation << " degrees";
        EXPECT_EQ(wrongDark, 0) << "light in the shadow, sun at " << elevation << " degrees";
        EXPECT_EQ(wrongSphere, 0) << "acne on the sphere, sun at " << elevation << " degrees";
    }
}

TEST_P(Shadows, BeginWhereABoxStandsOnTheGround)
{
    // A low step: a tenth of a metre is some three texels of the map. Dark from three texels behind it on.
    add(Grey().plane().box(vec3(-1, 0, -1), vec3(1, 0.1f, 1)).take());
    lookDown(2.0f);
    m_frame.sun.direction = vec3(1, 0.5f, 0); // the shadow is 0.2 m long
    m_frame.shadows.resolutionTexels = 2048;
    m_frame.shadows.softnessTexels = 0.0f;
    const float texel = cascades().cascades[0].texelMetres;
    ASSERT_LT(texel, 0.04f);
    const Lit lit = draw();
    const float metresPerTexel = 4.0f / kWidth;
    const auto xOf = [&](float metres) { return static_cast<int>((metres + 2.0f) / metresPerTexel); };
    for (int x = xOf(-1.0f - 0.2f + 3.0f * texel * std::sqrt(5.0f)) + 1; x < xOf(-1.0f - 3.0f * texel) - 1; ++x)
        EXPECT_LT(lit.at(x, kHeight / 2), 0.1f * lit.at(xOf(1.5f), kHeight / 2)) << x;
}

TEST_P(Shadows, TakeTheShapeOfAlpha)
{
    // The sun stands above; the pane of 2 x 2 m lies 1 m over the ground and hides its own shadow, so the sun leans along z
    // and the shadow lies 3 m towards +z.
    const auto darkness = [&](const SceneDescription& pane)
    {
        m_scenes.clear();
        add(Grey().plane().take());
        add(pane);
        lookDown(5.0f);
        m_frame.sun.direction = vec3(0, 1, -2.0f);
        const Lit lit = draw();
        const auto at = [&](float x, float z)
        { return lit.at(static_cast<int>((x + 5.0f) / 10.0f * kWidth), static_cast<int>(kHeight * 0.5f + z / 10.0f * kWidth)); };
        const float whole = at(4.0f, 2.0f);
        return std::array<float, 2>{1.0f - at(-0.5f, 2.0f) / whole, 1.0f - at(0.5f, 2.0f) / whole};
    };
    const auto masked = darkness(halfPane(AlphaMode::Mask, 1.0f));
    EXPECT_LT(masked[0], 0.02f);
    EXPECT_GT(masked[1], 0.95f);
    const auto foliage = darkness(halfPane(AlphaMode::Blend, 0.9f)); // blended, but nearly there: as a mask
    EXPECT_LT(foliage[0], 0.02f);
    EXPECT_GT(foliage[1], 0.95f);
    const auto glass = darkness(halfPane(AlphaMode::Blend, 0.4f));
    EXPECT_LT(glass[0], 0.02f);
    EXPECT_LT(glass[1], 0.02f);
    const auto opaque = darkness(halfPane(AlphaMode::Opaque, 1.0f));
    EXPECT_GT(opaque[0], 0.95f);
}

TEST_P(Shadows, AreNotCastByWhatCastsNone)
{
    const auto leftOfBox = [&](bool castsShadows)
    {
        m_scenes.clear();
        add(Grey().plane().take());
        add(Grey().box(vec3(-1, 0, -1), vec3(1, 2, 1)).take(), {.castsShadows = castsShadows});
        lookDown(5.0f);
        const Lit lit = draw();
        return lit.at(static_cast<int>(3.0f / 10.0f * kWidth), kHeight / 2) / lit.at(static_cast<int>(9.0f / 10.0f * kWidth), kHeight / 2);
    };
    EXPECT_LT(leftOfBox(true), 0.05f);
    EXPECT_GT(leftOfBox(false), 0.98f);
}

TEST_P(Shadows, FallFromCastersOutsideOfThePicture)
{
    // 40 m above the ground and as far aside, beyond the camera's frustum and every cascade's sphere.
    add(Grey().plane().box(vec3(39, 39, -1), vec3(41, 41, 1)).take());
    lookDown(5.0f, vec2(0.0f), 8.0f);
    const auto middle = [&](float casterDistance)
    {
        m_frame.shadows.casterDistanceMetres = casterDistance;
        const Lit lit = draw();
        EXPECT_GT(lit.at(5, kHeight / 2), 0.1f);
        return lit.at(kWidth / 2, kHeight / 2) / lit.at(5, kHeight / 2);
    };
    EXPECT_LT(middle(70.0f), 0.05f);
    EXPECT_GT(middle(20.0f), 0.98f) << "as far as the setting says";
}

TEST_P(Shadows, DoNotShimmerWhileTheCameraMoves)
{
    // The camera goes by whole texels of its picture, which are about half a texel of the map: the same points of the ground are
    // seen in every frame, and what they show must not change. Nothing else may move an edge, so every change is the map's.
    Grey grey;
    grey.plane();
    grey.shape(
        [](scenes::MeshBuilder& mesh)
        {
            mesh.transform = toMatrix(scenes::atYaw(vec3(0.3f, 0, 0.2f), 0.4f));
            mesh.box(vec3(-0.8f, 0, -0.5f), vec3(0.8f, 1.6f, 0.5f));
            mesh.transform = mat4(1.0f);
            mesh.ellipsoid(vec3(2.4f, 0.9f, -0.6f), vec3(0.7f), 32, 24);
        });
    add(grey.take());
    constexpr float kHalf = 5.0f;
    constexpr float kMetresPerTexel = 2.0f * kHalf / kWidth;
    m_frame.sun.direction = vec3(0.7f, 1.0f, 0.3f);
    m_frame.shadows.resolutionTexels = 512;
    const auto changedCount = [&](bool isStable)
    {
        m_frame.shadows.isStable = isStable;
        Lit first;
        std::size_t changed = 0;
        for (int frame = 0; frame < 12; ++frame)
        {
            const int stepX = frame, stepY = (frame * 5) % 7;
            lookDown(kHalf, kMetresPerTexel * vec2(stepX, stepY));
            Lit lit = draw();
            if (frame == 0)
            {
                first = std::move(lit);
                continue;
            }
            for (int y = 0; y + stepY < kHeight; ++y)
                for (int x = 0; x + stepX < kWidth - 12; ++x)
                {
                    const float before = first.at(x + stepX, y + stepY);
                    changed += std::abs(before - lit.at(x, y)) > 0.02f ? 1 : 0;
                }
        }
        return changed;
    };
    const float texel = (lookDown(kHalf), cascades().cascades[0].texelMetres);
    ASSERT_GT(texel, 1.3f * kMetresPerTexel) << "steps are smaller than a texel of the map";
    EXPECT_LE(changedCount(true), 3U);
    EXPECT_GT(changedCount(false), 500U);
}

TEST_P(Shadows, FollowThePoseOfASkinnedFigure)
{
    // The bar bends in the plane z = 0; the wall stands 2 m behind it and shows the same shape 1.5 m aside.
    SceneDescription figure = scenes::makeDeformed();
    add(figure);
    add(Grey()
            .shape([](scenes::MeshBuilder& mesh) { mesh.quad(vec3(-9, -5, -2), vec3(9, -5, -2), vec3(9, 6, -2), vec3(-9, 6, -2)); })
            .take());
    RenderCamera camera;
    camera.position = toWorldPosition(-1.5, 1.2, 10.0);
    camera.isOrthographic = true;
    camera.halfWidth = 4.0f;
    camera.halfHeight = 4.0f * kHeight / kWidth;
    camera.zFar = 20.0f;
    m_frame.camera = camera;
    m_frame.sun.direction = vec3(3, 0, 4);
    const float metresPerTexel = 2.0f * camera.halfWidth / kWidth;
    std::uint32_t barNode = 0;
    for (std::uint32_t i = 0; i < figure.nodes.size(); ++i)
        if (figure.nodes[i].name == "bar")
            barNode = i;
    float lastBar = 0.0f;
    for (const float time : {0.0f, 1.0f})
    {
        m_frame.timeSeconds = time;
        const Lit lit = draw();
        // Mean x of the bar's upper part, and of what is dark on the wall in the same rows and left of everything else.
        double barSum = 0, barCount = 0, darkSum = 0, darkCount = 0;
        for (int y = 0; y < kHeight; ++y)
            for (int x = 0; x < kWidth; ++x)
            {
                const float worldX = -1.5f - camera.halfWidth + metresPerTexel * (static_cast<float>(x) + 0.5f);
                const float worldY = 1.2f + camera.halfHeight - metresPerTexel * (static_cast<float>(y) + 0.5f);
                const InstanceId id = m_renderer->pick(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y));
                if (worldY < 1.3f)
                    continue;
                if (id && m_scenes[0]->nodeOf(id) == barNode)
                {
                    barSum += static_cast<double>(worldX);
                    barCount += 1;
                }
                else if (id && m_scenes[1]->nodeOf(id) != kNoIndex && worldX < -1.6f && lit.at(x, y) < 0.1f)
                {
                    darkSum += static_cast<double>(worldX);
                    darkCount += 1;
                }
            }
        ASSERT_GT(barCount, 100.0) << time;
        ASSERT_GT(darkCount, 100.0) << time;
        const float bar = static_cast<float>(barSum / barCount);
        EXPECT_NEAR(static_cast<float>(darkSum / darkCount) - bar, -1.5f, 0.1f) << time;
        if (time > 0.0f)
        {
            EXPECT_GT(std::abs(bar - lastBar), 0.25f) << "it has moved";
        }
        lastBar = bar;
    }
}

TEST_P(Shadows, ReachFromOneCascadeIntoTheNextAndFadeAtTheEnd)
{
    // A wall along the view direction casts one long shadow; behind the last cascade there is light.
    add(Grey().plane(100.0f).box(vec3(3, 0, -90), vec3(3.3f, 4, 5)).take());
    m_frame.camera = lookAtCamera(glm::dvec3(0, 4, 4), glm::dvec3(0, 2.4, -10));
    m_frame.shadows = {.cascadeCount = 4, .resolutionTexels = 1024, .distanceMetres = 50.0f};
    const Lit lit = draw();
    const glm::dvec3 eye(0, 4, 4);
    int darkCount = 0, wrongDark = 0, farCount = 0, wrongFar = 0;
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth; ++x)
        {
            const vec3 ray = rayOf(m_frame.camera, x, y);
            if (ray.y >= -0.02f)
                continue;
            const vec3 point = vec3(eye) + ray * (-4.0f / ray.y);
            const float view = glm::dot(point - vec3(eye), m_frame.camera.forward);
            if (point.x < 0.3f || point.x > 2.2f || point.z < -80.0f || point.z > 3.0f)
                continue;
            if (view < 44.0f)
            {
                ++darkCount;
                wrongDark += lit.at(x, y) > 0.02f ? 1 : 0;
            }
            if (view > 51.0f)
            {
                ++farCount;
                wrongFar += lit.at(x, y) < 0.1f ? 1 : 0;
            }
        }
    EXPECT_GT(darkCount, 1000);
    EXPECT_EQ(wrongDark, 0);
    EXPECT_GT(farCount, 3);
    EXPECT_EQ(wrongFar, 0);
}

INSTANTIATE_TEST_SUITE_P(SoftwareDrivers, Shadows, testing::Values("llvmpipe", "swiftshader"),
    [](const testing::TestParamInfo<const char*>& driver) { return std::string(driver.param); });

} // namespace dl
