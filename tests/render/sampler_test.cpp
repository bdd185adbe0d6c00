// Every wrap mode and filter of a glTF sampler as pictures: wrapped textures against ones that were unrolled by hand, and the six
// minifying filters on a texture whose levels differ in colour.
#include "drawloom/render/offscreen.h"
#include "tests/render/driver_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <set>
#include <string>
#include <vector>

namespace dl
{
namespace
{

constexpr std::uint32_t kWidth = 320, kHeight = 200;
constexpr int kSide = 48, kGap = 4; // of a quad and between two, pixels

Image image(std::uint32_t side, std::uint32_t mipCount)
{
    Image out;
    out.name = "made";
    out.width = out.height = side;
    out.mipCount = mipCount;
    out.bytes.resize(out.levelOffset(mipCount), std::byte{255});
    return out;
}

void setTexel(Image& to, std::uint32_t mip, std::uint32_t x, std::uint32_t y, std::uint8_t r, std::uint8_t g, std::uint8_t b)
{
    std::byte* texel = to.bytes.data() + to.levelOffset(mip) + (std::size_t(y) * to.levelWidth(mip) + x) * 4;
    texel[0] = std::byte{r};
    texel[1] = std::byte{g};
    texel[2] = std::byte{b};
}

/// Quads of kSide pixels in rows, each with an image and a sampler of its own; a metre is a pixel.
class Board
{
public:
    void add(const Image& image, const SamplerSettings& sampler, vec2 uvFrom, vec2 uvTo)
    {
        const auto index = static_cast<int>(m_scene.nodes.size());
        const vec2 corner(static_cast<float>(left(index)) - kWidth / 2.0f, kHeight / 2.0f - static_cast<float>(top(index)));
        Primitive quad;
        quad.positions = {vec3(corner.x, corner.y - kSide, 0), vec3(corner.x + kSide, corner.y - kSide, 0),
            vec3(corner.x + kSide, corner.y, 0), vec3(corner.x, corner.y, 0)};
        quad.normals.assign(4, vec3(0, 0, 1));
        quad.uv0 = {{uvFrom.x, uvTo.y}, {uvTo.x, uvTo.y}, {uvTo.x, uvFrom.y}, {uvFrom.x, uvFrom.y}};
        quad.indices = {0, 1, 2, 0, 2, 3};
        quad.bounds = {quad.positions[0], quad.positions[2]};
        quad.materialIndex = static_cast<std::uint32_t>(m_scene.materials.size());
        Material& material = m_scene.materials.emplace_back();
        material.isUnlit = true;
        material.baseColor.imageIndex = static_cast<std::uint32_t>(m_scene.images.size());
        material.baseColor.sampler = sampler;
        m_scene.images.push_back(image);
        m_scene.images.back().contentHash = m_scene.images.size(); // none is another's
        m_scene.meshes.push_back({"quad", {quad}, {}});
        m_scene.nodes.emplace_back().meshIndex = static_cast<std::uint32_t>(index);
    }
    Image draw(gpu::Device& device) const
    {
        FrameDesc frame;
        frame.camera.position = toWorldPosition(0.0, 0.0, 10.0);
        frame.camera.forward = vec3(0, 0, -1);
        frame.camera.isOrthographic = true;
        frame.camera.halfWidth = kWidth / 2.0f;
        frame.camera.halfHeight = kHeight / 2.0f;
        frame.camera.zFar = 100.0f;
        const auto renderer = std::move(*Renderer::create(device, {.width = kWidth, .height = kHeight}));
        const auto instance = std::move(*SceneInstance::create(m_scene, renderer->library(), renderer->registry()));
        SceneInstance* const scenes[] = {instance.get()};
        Result<OffscreenPicture> drawn = renderOffscreen(*renderer, scenes, frame);
        EXPECT_TRUE(drawn) << (drawn ? "" : drawn.error().message);
        return drawn ? std::move(drawn->picture) : Image{};
    }
    static int left(int index) { return kGap + index % 6 * (kSide + kGap); }
    static int top(int index) { return kGap + index / 6 * (kSide + kGap); }
    int count() const { return static_cast<int>(m_scene.nodes.size()); }

private:
    SceneDescription m_scene;
};

int channel(const Image& picture, int x, int y, int c)
{
    return std::to_integer<int>(picture.bytes[(std::size_t(y) * picture.width + std::size_t(x)) * 4 + std::size_t(c)]);
}

/// Values of a channel inside a quad, without its border.
std::set<int> valuesOf(const Image& picture, int quad, int c)
{
    std::set<int> values;
    for (int y = Board::top(quad) + 1; y < Board::top(quad) + kSide - 1; ++y)
        for (int x = Board::left(quad) + 1; x < Board::left(quad) + kSide - 1; ++x)
            values.insert(channel(picture, x, y, c));
    return values;
}

/// Values that differ by less than `step` from the one before count as one.
int groupCount(const std::set<int>& values, int step)
{
    int count = 0, last = -1000;
    for (const int value : values)
    {
        count += value - last >= step ? 1 : 0;
        last = value;
    }
    return count;
}

/// The texel that a coordinate past the edge shows (Vulkan 1.3, 16.6.2 "Wrapping Operation").
int wrapped(WrapMode mode, int i, int size)
{
    const int inTile = (i % size + size) % size;
    const bool isOddTile = (i >= 0 ? i / size : (i - size + 1) / size) % 2 != 0;
    switch (mode)
    {
    case WrapMode::Repeat: return inTile;
    case WrapMode::MirroredRepeat: return isOddTile ? size - 1 - inTile : inTile;
    case WrapMode::ClampToEdge: return std::clamp(i, 0, size - 1);
    }
    return 0;
}

class Samplers : public DriverTest
{
};

} // namespace

TEST_P(Samplers, WrapAsAnUnrolledTexture)
{
    // 4 texels a side, shown from -1 to 2; unrolled from -2 to 3, so that filters find neighbours.
    constexpr int kTexels = 4, kUnrolled = 5 * kTexels;
    Image small = image(kTexels, 1);
    for (std::uint32_t y = 0; y < kTexels; ++y)
        for (std::uint32_t x = 0; x < kTexels; ++x)
            setTexel(
                small, 0, x, y, std::uint8_t(40 + x * 40), std::uint8_t(30 + y * 45), 0); // no blue: the tone map leaves such as they are
    constexpr WrapMode kModes[] = {WrapMode::Repeat, WrapMode::MirroredRepeat, WrapMode::ClampToEdge};
    for (const TexelFilter filter : {TexelFilter::Nearest, TexelFilter::Linear})
    {
        Board asked, expected;
        for (const WrapMode u : kModes)
            for (const WrapMode v : kModes)
            {
                Image unrolled = image(kUnrolled, 1);
                for (int y = 0; y < kUnrolled; ++y)
                    for (int x = 0; x < kUnrolled; ++x)
                        std::copy_n(small.bytes.data() +
                                        (wrapped(v, y - 2 * kTexels, kTexels) * kTexels + wrapped(u, x - 2 * kTexels, kTexels)) * 4,
                            4, unrolled.bytes.data() + (y * kUnrolled + x) * 4);
                asked.add(small, {.wrapU = u, .wrapV = v, .magFilter = filter}, vec2(-1.0f), vec2(2.0f));
                expected.add(unrolled, {.wrapU = WrapMode::ClampToEdge, .wrapV = WrapMode::ClampToEdge, .magFilter = filter}, vec2(0.2f),
                    vec2(0.8f));
            }
        const Image got = asked.draw(*m_device), want = expected.draw(*m_device);
        int worst = 0;
        for (std::size_t i = 0; i < std::min(got.bytes.size(), want.bytes.size()); ++i)
            worst = std::max(worst, std::abs(std::to_integer<int>(got.bytes[i]) - std::to_integer<int>(want.bytes[i])));
        EXPECT_LE(worst, 3) << (filter == TexelFilter::Nearest ? "nearest" : "linear");
        for (int quad = 0; quad < asked.count(); ++quad)
        {
            const std::set<int> reds = valuesOf(got, quad, 0);
            if (filter == TexelFilter::Nearest)
                EXPECT_EQ(groupCount(reds, 3), kTexels) << "four columns, quad " << quad;
            else
                EXPECT_GT(reds.size(), 2U * kTexels) << "what lies between two columns, quad " << quad;
        }
        const auto differ = [&](int a, int b)
        {
            int most = 0;
            for (int y = 0; y < kSide; ++y)
                for (int x = 0; x < kSide; ++x)
                    for (int c = 0; c < 3; ++c)
                        most = std::max(most, std::abs(channel(got, Board::left(a) + x, Board::top(a) + y, c) -
                                                       channel(got, Board::left(b) + x, Board::top(b) + y, c)));
            return most > 20;
        };
        for (int a = 0; a < asked.count(); ++a)
            for (int b = 0; b < a; ++b)
                EXPECT_TRUE(differ(a, b)) << "quads " << a << " and " << b << " wrap differently and look the same";
    }
}

TEST_P(Samplers, MinifyByEachOfTheSixFilters)
{
    // Level 0 is a red chequer, level 1 a green one, level 2 a blue one. 2^1.25 texels a pixel: nearest is level 1, and between
    // the levels lie three parts of it to one of level 2.
    constexpr std::uint32_t kTexels = 32;
    Image levels = image(kTexels, 6);
    for (std::uint32_t mip = 0; mip < levels.mipCount; ++mip)
        for (std::uint32_t y = 0; y < levels.levelHeight(mip); ++y)
            for (std::uint32_t x = 0; x < levels.levelWidth(mip); ++x)
            {
                const std::uint8_t value = (x + y) % 2 == 0 ? 180 : 90;
                setTexel(levels, mip, x, y, mip == 0 ? value : 0, mip == 1 ? value : 0, mip == 2 ? value : 0);
            }
    Board board;
    const float tiles = std::exp2(1.25f) * kSide / kTexels;
    for (const TexelFilter within : {TexelFilter::Nearest, TexelFilter::Linear})
        for (const int between : {0, 1, 2})
            board.add(levels,
                {.magFilter = TexelFilter::Nearest,
                    .minFilter = within,
                    .mipFilter = between == 2 ? TexelFilter::Linear : TexelFilter::Nearest,
                    .hasMips = between != 0},
                vec2(0.0f), vec2(tiles));
    const Image picture = board.draw(*m_device);
    const auto isThere = [&](int quad, int c) { return *valuesOf(picture, quad, c).rbegin() > 20; };
    for (int quad = 0; quad < 6; ++quad)
    {
        const bool isLinear = quad >= 3;
        const int between = quad % 3;
        SCOPED_TRACE("filter " + std::to_string(quad));
        EXPECT_EQ(isThere(quad, 0), between == 0);
        EXPECT_EQ(isThere(quad, 1), between != 0);
        EXPECT_EQ(isThere(quad, 2), between == 2);
        const std::set<int> values = valuesOf(picture, quad, between == 0 ? 0 : 1);
        if (isLinear)
            EXPECT_GT(values.size(), 8U) << "mixtures of two texels";
        else
            EXPECT_EQ(groupCount(values, 4), 2) << "texels as they are";
        if (between == 1 && !isLinear)
        {
            EXPECT_NEAR(*values.begin(), 90, 3);
            EXPECT_NEAR(*values.rbegin(), 180, 3);
        }
        if (between == 2 && !isLinear)
        {
            const auto encoded = [](float linear) { return 255.0f * (1.055f * std::pow(linear, 1.0f / 2.4f) - 0.055f); };
            const float full = std::pow((180.0f / 255.0f + 0.055f) / 1.055f, 2.4f);
            EXPECT_NEAR(static_cast<float>(*values.rbegin()), encoded(0.75f * full), 6.0f) << "three parts of level 1";
            EXPECT_NEAR(static_cast<float>(*valuesOf(picture, quad, 2).rbegin()), encoded(0.25f * full), 8.0f) << "one part of level 2";
        }
    }
}

INSTANTIATE_TEST_SUITE_P(SoftwareDrivers, Samplers, testing::Values("llvmpipe", "swiftshader"),
    [](const testing::TestParamInfo<const char*>& driver) { return std::string(driver.param); });

} // namespace dl
