// Values by hand, for pictures of one colour each, where every filter drops out (their weights sum to one and, for
// features, to zero), so that error = redistribute(HyAB(Hunt(Lab a), Hunt(Lab b))^0.7):
//   Lab(green) = (87.735, -86.183, 83.179), Hunt: (87.735, -75.612, 72.977)
//   Lab(blue)  = (32.297, 79.188, -107.860), Hunt: (32.297, 25.575, -34.836)
//   largest = (55.438 + |(101.187, 107.813)|)^0.7 = (55.438 + 147.861)^0.7 = 203.299^0.7 = 41.2755
//   black to white: HyAB = 100, 100^0.7 = 25.1189; 0.95 + (25.1189 - 16.5102) / (41.2755 - 16.5102) * 0.05 = 0.96738
//   black to grey 188: linear 0.50289, L = 116 * 0.50289^(1/3) - 16 = 76.246; 76.246^0.7 = 20.776 -> 0.95861
//   grey 100 to grey 110: linear 0.12744, 0.15593; L = 42.374, 46.436; 4.061^0.7 = 2.6671 -> 2.6671 * 0.95 / 16.5102 = 0.15346
#include "tests/golden/flip.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace dl::golden
{
namespace
{

Image constant(std::uint32_t width, std::uint32_t height, int r, int g, int b)
{
    Image image;
    image.width = width;
    image.height = height;
    for (std::size_t i = 0; i < static_cast<std::size_t>(width) * height; ++i)
        for (const int value : {r, g, b, 255})
            image.bytes.push_back(static_cast<std::byte>(value));
    return image;
}

/// Black left of column `edge`, white from it on.
Image verticalEdge(std::uint32_t size, std::uint32_t edge)
{
    Image image = constant(size, size, 0, 0, 0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(size) * size; ++i)
        if (i % size >= edge)
            for (std::size_t c = 0; c < 3; ++c)
                image.bytes[i * 4 + c] = std::byte{255};
    return image;
}

Image noise(std::uint32_t size, std::uint32_t seed)
{
    std::mt19937 random(seed);
    Image image = constant(size, size, 0, 0, 0);
    for (std::size_t i = 0; i < image.bytes.size(); ++i)
        image.bytes[i] = i % 4 == 3 ? std::byte{255} : static_cast<std::byte>(random() & 255U);
    return image;
}

TEST(Flip, EqualPicturesHaveNoError)
{
    const FlipResult result = computeFlip(noise(48, 7), noise(48, 7)).value();
    EXPECT_EQ(result.max, 0.0f);
    EXPECT_EQ(result.mean, 0.0f);
    EXPECT_EQ(result.coveredCount, 48U * 48U);
}

TEST(Flip, ConstantPicturesGiveTheHandComputedColourError)
{
    struct Case
    {
        int a[3], b[3];
        float expected;
    };
    const Case cases[] = {
        {{0, 0, 0}, {255, 255, 255}, 0.96738f},
        {{0, 255, 0}, {0, 0, 255}, 1.0f},
        {{0, 0, 0}, {188, 188, 188}, 0.95861f},
        {{100, 100, 100}, {110, 110, 110}, 0.15346f},
    };
    for (const Case& c : cases)
    {
        const FlipResult result = computeFlip(constant(32, 24, c.a[0], c.a[1], c.a[2]), constant(32, 24, c.b[0], c.b[1], c.b[2])).value();
        EXPECT_NEAR(result.mean, c.expected, 3e-4f);
        EXPECT_NEAR(result.p99, c.expected, 3e-4f);
        EXPECT_NEAR(result.max, c.expected, 3e-4f);
    }
}

TEST(Flip, IsSymmetric)
{
    const FlipResult ab = computeFlip(noise(40, 1), noise(40, 2)).value();
    const FlipResult ba = computeFlip(noise(40, 2), noise(40, 1)).value();
    for (std::size_t i = 0; i < ab.errors.size(); ++i)
        ASSERT_FLOAT_EQ(ab.errors[i], ba.errors[i]) << i;
    EXPECT_GT(ab.mean, 0.05f);
}

TEST(Flip, AnEdgeMovedByOnePixelShowsAlongTheEdgeOnly)
{
    const FlipResult result = computeFlip(verticalEdge(96, 48), verticalEdge(96, 49)).value();
    // The filters reach 10 pixels at 67 pixels a degree.
    for (std::size_t y = 0; y < 96; ++y)
        for (std::size_t x = 0; x < 96; ++x)
        {
            const float error = result.errors[y * 96 + x];
            if (x < 36 || x > 61)
            {
                ASSERT_NEAR(error, 0.0f, 2e-3f) << x << "," << y;
            }
            ASSERT_NEAR(error, result.errors[x], 1e-4f) << "every row is the same";
        }
    EXPECT_GT(result.errors[48 * 96 + 48], 0.1f);
}

TEST(Flip, AFurtherMovedEdgeIsWorse)
{
    float last = 0.0f;
    for (const std::uint32_t shift : {1U, 2U, 4U, 8U})
    {
        const float mean = computeFlip(verticalEdge(96, 44), verticalEdge(96, 44 + shift)).value().mean;
        EXPECT_GT(mean, last) << shift;
        last = mean;
    }
}

// Fine chequers melt into grey at the observer's distance; seen from closer (fewer cycles a degree) they do not.
TEST(Flip, FineDetailMattersLessFromAfar)
{
    Image chequers = constant(64, 64, 0, 0, 0);
    for (std::size_t i = 0; i < 64 * 64; ++i)
        if ((i + i / 64) % 2 == 0)
            for (std::size_t c = 0; c < 3; ++c)
                chequers.bytes[i * 4 + c] = std::byte{255};
    const Image grey = constant(64, 64, 188, 188, 188);
    const float near = computeFlip(chequers, grey, {.pixelsPerDegree = 15.0f}).value().mean;
    const float far = computeFlip(chequers, grey, {.pixelsPerDegree = 120.0f}).value().mean;
    EXPECT_LT(far, 0.1f);
    EXPECT_GT(near, 2.0f * far);
}

// A feature difference raises the error above the colour difference alone: error = colour^(1 - feature), feature > 0.
TEST(Flip, AnIsolatedPointIsSeenMoreThanItsFilteredColourSays)
{
    Image dot = constant(64, 64, 0, 0, 0);
    for (std::size_t c = 0; c < 3; ++c)
        dot.bytes[(32 * 64 + 32) * 4 + c] = std::byte{255};
    const FlipResult result = computeFlip(constant(64, 64, 0, 0, 0), dot).value();
    const float atDot = result.errors[32 * 64 + 32];
    // The luminance filter's centre weight at 67 pixels a degree is 1 / sum exp(-pi^2 x^2 / 0.0047)^2 = 0.1489 in 2D.
    EXPECT_GT(atDot, 0.3f);
    EXPECT_LT(atDot, 1.0f);
    EXPECT_NEAR(result.errors[0], 0.0f, 1e-5f);
}

TEST(Flip, CountsOnlyCoveredPixels)
{
    Image half = constant(64, 64, 0, 0, 0);
    const Image black = half;
    std::vector<std::uint8_t> mask(64 * 64, 0);
    for (std::size_t i = 0; i < 64 * 64; ++i)
    {
        if (i % 64 >= 48)
            half.bytes[i * 4] = half.bytes[i * 4 + 1] = half.bytes[i * 4 + 2] = std::byte{255};
        mask[i] = i % 64 < 16 ? 1 : 0;
    }
    const FlipResult left = computeFlip(black, half, {}, mask).value();
    EXPECT_EQ(left.coveredCount, 16U * 64U);
    EXPECT_NEAR(left.max, 0.0f, 1e-5f);
    EXPECT_GT(computeFlip(black, half).value().mean, 0.2f);
    const std::vector<std::uint8_t> none(64 * 64, 0);
    EXPECT_EQ(computeFlip(black, half, {}, none).value().coveredCount, 0U);
}

TEST(Flip, P99IsTheSmallestValueThatNinetyNineOfAHundredDoNotExceed)
{
    // 10 x 10 pixels of which one differs: the filters spread it, so the mask picks 100, 99 far pixels and one at the dot.
    Image dot = constant(200, 10, 0, 0, 0);
    for (std::size_t c = 0; c < 3; ++c)
        dot.bytes[(5 * 200 + 100) * 4 + c] = std::byte{255};
    std::vector<std::uint8_t> mask(2000, 0);
    for (std::size_t i = 0; i < 99; ++i)
        mask[(i / 50) * 200 + i % 50] = 1;
    mask[5 * 200 + 100] = 1;
    const Image black = constant(200, 10, 0, 0, 0);
    EXPECT_NEAR(computeFlip(black, dot, {}, mask).value().p99, 0.0f, 1e-5f);
    mask[5 * 200 + 101] = 1; // 2 of 101: now the hundredth value counts
    EXPECT_GT(computeFlip(black, dot, {}, mask).value().p99, 0.1f);
}

TEST(Flip, RefusesPicturesThatDoNotFit)
{
    EXPECT_EQ(computeFlip(constant(4, 4, 0, 0, 0), constant(4, 5, 0, 0, 0)).error().code, ErrorCode::InvalidArgument);
    EXPECT_FALSE(computeFlip(Image{}, Image{}));
    Image shortOne = constant(4, 4, 0, 0, 0);
    shortOne.bytes.pop_back();
    EXPECT_FALSE(computeFlip(constant(4, 4, 0, 0, 0), shortOne));
    const std::vector<std::uint8_t> mask(15, 1);
    EXPECT_FALSE(computeFlip(constant(4, 4, 0, 0, 0), constant(4, 4, 0, 0, 0), {}, mask));
    EXPECT_FALSE(computeFlip(constant(4, 4, 0, 0, 0), constant(4, 4, 0, 0, 0), {.pixelsPerDegree = NAN}));
}

TEST(Flip, HeatMapRunsFromBlackToPaleYellow)
{
    const FlipResult result{.errors = {0.0f, 1.0f, 2.0f, -1.0f}};
    const Image image = makeFlipHeatMap(result, 2, 2);
    ASSERT_EQ(image.bytes.size(), 16U);
    EXPECT_EQ(image.bytes[0], std::byte{0});
    EXPECT_EQ(image.bytes[4], std::byte{252});
    EXPECT_EQ(image.bytes[8], std::byte{252});
    EXPECT_EQ(image.bytes[12], std::byte{0});
}

} // namespace
} // namespace dl::golden
