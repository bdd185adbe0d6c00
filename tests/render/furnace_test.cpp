// The white furnace: in light of radiance 1 from everywhere, a surface that absorbs nothing can not be told from its background.
#include "tests/render/environment_fixture.h"

#include <algorithm>

namespace dl
{
namespace
{

class Furnace : public EnvironmentOnDriver
{
};

struct Range
{
    float low = 1e9f, high = -1e9f;
    std::uint32_t count = 0;
};

} // namespace

TEST_P(Furnace, LeavesWhiteSpheresWhite)
{
    ASSERT_TRUE(m_renderer->setEnvironment(constantEnvironment(vec3(1.0f))));
    const SceneDescription description = scenes::makeEnvironmentSpheres(vec3(1.0f));
    m_scene = std::move(*SceneInstance::create(description, m_renderer->library(), m_renderer->registry()));
    FrameDesc frame = dark();
    frame.camera = toRenderCamera(m_scene->cameras().front());
    frame.camera.yFovRadians = 0.8f; // all six columns in a square picture
    draw(frame);
    std::vector<Range> spheres(description.nodes.size());
    for (std::uint32_t y = 0; y < kRadianceSize; ++y)
        for (std::uint32_t x = 0; x < kRadianceSize; ++x)
        {
            const vec3 radiance = m_reader.at(x, y);
            const InstanceId id = m_renderer->pick(x, y);
            if (!id)
            {
                EXPECT_NEAR(radiance.g, 1.0f, 1e-3f) << "background at " << x << ", " << y;
                continue;
            }
            Range& range = spheres[m_scene->nodeOf(id)];
            range.low = std::min({range.low, radiance.r, radiance.g, radiance.b});
            range.high = std::max({range.high, radiance.r, radiance.g, radiance.b});
            ++range.count;
        }
    std::size_t seenCount = 0;
    for (std::size_t node = 0; node < spheres.size(); ++node)
    {
        const Range& range = spheres[node];
        if (range.count == 0)
            continue;
        ++seenCount;
        EXPECT_GT(range.count, 100U) << description.nodes[node].name;
        EXPECT_GE(range.low, 0.98f) << description.nodes[node].name;
        EXPECT_LE(range.high, 1.01f) << description.nodes[node].name;
    }
    EXPECT_EQ(seenCount, 18U);
}

/// What does absorb, stays below: half of the light of a diffuse grey, tinted by a metal's colour.
TEST_P(Furnace, TakesTheColourOfWhatAbsorbs)
{
    ASSERT_TRUE(m_renderer->setEnvironment(constantEnvironment(vec3(1.0f))));
    const SceneDescription description = scenes::makeEnvironmentSpheres(vec3(0.8f, 0.4f, 0.2f));
    m_scene = std::move(*SceneInstance::create(description, m_renderer->library(), m_renderer->registry()));
    FrameDesc frame = dark();
    frame.camera = toRenderCamera(m_scene->cameras().front());
    frame.camera.yFovRadians = 0.8f;
    draw(frame);
    for (std::uint32_t y = 0; y < kRadianceSize; ++y)
        for (std::uint32_t x = 0; x < kRadianceSize; ++x)
            if (m_renderer->pick(x, y))
            {
                const vec3 radiance = m_reader.at(x, y);
                ASSERT_LE(std::max({radiance.r, radiance.g, radiance.b}), 1.01f) << x << ", " << y;
                ASSERT_GE(radiance.r, radiance.g - 1e-3f);
                ASSERT_GE(radiance.g, radiance.b - 1e-3f);
            }
    // The mirror metal in the top row, first column, seen from ahead: its colour to the bit of the table.
    const float scale = kRadianceSize / (2.0f * 8.0f * std::tan(0.4f));
    const auto x = static_cast<std::uint32_t>(kRadianceSize / 2.0f - 2.5f * scale),
               y = static_cast<std::uint32_t>(kRadianceSize / 2.0f - scale);
    EXPECT_LT(glm::distance(m_reader.at(x, y), vec3(0.8f, 0.4f, 0.2f)), 0.02f);
}

INSTANTIATE_TEST_SUITE_P(SoftwareDrivers, Furnace, testing::Values("llvmpipe", "swiftshader"), driverName);

} // namespace dl
