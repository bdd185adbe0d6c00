// The sample's draw source on the software drivers: the colours of boxes and blocks, and velocity texel by texel.
#include "apps/samples/field_source.h"
#include "fieldShaders.h"
#include "tests/render/velocity_world.h"

#include <array>
#include <cmath>

namespace dl
{
namespace
{

using samples::FieldSource;
constexpr vec3 kClay(0.7f, 0.35f, 0.2f);

class FieldPicture : public VelocityWorld
{
protected:
    void SetUp() override
    {
        VelocityWorld::SetUp();
        if (IsSkipped())
            return;
        source = std::move(FieldSource::create(*renderer, shaders)).value();
        renderer->addSource(*source);
    }
    void TearDown() override
    {
        if (source)
            renderer->removeSource(*source);
        source.reset();
        VelocityWorld::TearDown();
    }
    RendererSettings settings() const override { return {.width = kWidth, .height = kHeight, .environmentFaceTexels = 8}; }

    gpu::ShaderArchive shaders = gpu::ShaderArchive::open(samples::fieldShaders()).value();
    std::unique_ptr<FieldSource> source;
};

int encoded(float linear)
{
    return static_cast<int>(std::lround(255.0f * (linear <= 0.0031308f ? 12.92f * linear : 1.055f * std::pow(linear, 1 / 2.4f) - 0.055f)));
}

TEST_P(FieldPicture, ShowsTheTintOfEachBoxAndTheColourOfItsBlock)
{
    const vec3 blocks[] = {kClay, vec3(0.2f, 0.9f, 0.4f)}; // the material's, and one of its own
    const float shades[] = {1.0f, 0.6f, 0.3f};
    for (std::uint32_t tile = 0; tile < 2; ++tile)
    {
        ASSERT_TRUE(source->fill(tile, 3, 0));
        for (std::uint32_t i = 0; i < 3; ++i)
            source->teleport(tile, i, vec3(1.5f * static_cast<float>(i) - 1.5f, 1.5f * static_cast<float>(tile) - 0.75f, 0));
    }
    source->setColor(1, vec4(blocks[1], 1));
    for (std::uint32_t i = 1; i < 3; ++i) // the first keeps the default: white
        for (std::uint32_t tile = 0; tile < 2; ++tile)
            source->setTint(tile, i, vec4(vec3(shades[i]), 1));
    FrameDesc frame{.camera = lookAtCamera({0, 0, 6}, {0, 0, 0})};
    const std::vector<std::uint32_t> ids = renderOffscreen(*renderer, {}, frame, true).value().objectIds;
    frame.debugView = DebugView::Albedo;
    const Image albedo = renderOffscreen(*renderer, {}, frame).value().picture;
    std::array<std::array<int, 3>, 2> seen = {};
    for (std::size_t texel = 0; texel < ids.size(); ++texel)
        for (std::uint32_t tile = 0; tile < 2; ++tile)
            for (std::uint32_t i = 0; i < 3; ++i)
            {
                if (ids[texel] != source->heapId(tile, i) + 1)
                    continue;
                ++seen[tile][i];
                const float shade = std::round(shades[i] * 255.0f) / 255.0f;
                for (int k = 0; k < 3; ++k)
                    ASSERT_NEAR(
                        std::to_integer<int>(albedo.bytes[4 * texel + static_cast<std::size_t>(k)]), encoded(shade * blocks[tile][k]), 1)
                        << "box " << i << " of tile " << tile;
            }
    for (const auto& tile : seen)
        for (const int count : tile)
            EXPECT_GT(count, 50);
}

TEST_P(FieldPicture, HasTheVelocityOfWhatMovedAndNoneOfWhatIsNewOrJumped)
{
    const RenderCamera eye = lookAtCamera({0, 0, 5}, {0, 0, 0});
    ASSERT_TRUE(source->fill(0, 3, 0));
    const vec3 places[] = {vec3(-1.5f, 0, 0), vec3(0), vec3(1.5f, 0, 0)};
    for (std::uint32_t i = 0; i < 3; ++i)
        source->teleport(0, i, places[i]);
    settle(eye);
    expectRest("nothing has moved");
    const vec3 step(0.15f, 0.1f, 0.05f);
    ASSERT_TRUE(source->move(0, 0, places[0] + step));
    source->teleport(0, 2, places[2] - step);
    const auto at = [](vec3 p) { return placedAt(double(p.x), double(p.y), double(p.z)); };
    const std::array boxes = {ExpectedBox{vec3(0.5f), at(places[0] + step), at(places[0])},
        ExpectedBox{vec3(0.5f), at(places[1]), at(places[1])}, ExpectedBox{vec3(0.5f), at(places[2] - step), at(places[2] - step)}};
    draw(eye);
    expect(boxes, eye, "one moved, one rests, one jumped");
    EXPECT_GT(comparedCount, 400U);
    draw(eye);
    expectRest("and at rest");
    ASSERT_TRUE(source->move(0, 1, places[1] + step));
    source->clear(0);
    ASSERT_TRUE(source->fill(0, 3, 1)); // the same records
    for (std::uint32_t i = 0; i < 3; ++i)
        ASSERT_TRUE(source->move(0, i, places[i] + step)); // placed for the first picture: no motion
    draw(eye);
    expectRest("new boxes in the records of the old ones");
}

INSTANTIATE_TEST_SUITE_P(SoftwareDrivers, FieldPicture, testing::Values("llvmpipe", "swiftshader"),
    [](const testing::TestParamInfo<const char*>& driver) { return std::string(driver.param); });

} // namespace
} // namespace dl
