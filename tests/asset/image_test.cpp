// Decoders, mip chains and image facts.
#include "drawloom/asset/image_decode.h"
#include "drawloom/asset/image_mips.h"
#include "tests/asset/image_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace dl::test
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

std::vector<int> texel(const Image& image, std::size_t index)
{
    std::vector<int> out;
    for (std::size_t i = 0; i < 4; ++i)
        out.push_back(std::to_integer<int>(image.bytes[index * 4 + i]));
    return out;
}

Image makeImage(ImageFormat format, std::uint32_t width, std::uint32_t height)
{
    Image image;
    image.format = format;
    image.width = width;
    image.height = height;
    image.bytes.resize(image.levelBytes(0));
    return image;
}

std::vector<std::byte> toBytes(const std::vector<std::uint8_t>& values)
{
    const auto bytes = std::as_bytes(std::span(values));
    return {bytes.begin(), bytes.end()};
}

TEST(Image, CountsBytesOfBlocksAndSmallMips)
{
    Image image = makeImage(ImageFormat::Bc7, 10, 6);
    EXPECT_EQ(image.levelBytes(0), 3U * 2U * 16U);
    EXPECT_EQ(image.levelBytes(1), 2U * 1U * 16U);
    EXPECT_EQ(image.levelBytes(5), 16U);
    EXPECT_EQ(image.levelOffset(2), 96U + 32U);
    image.format = ImageFormat::Bc1;
    EXPECT_EQ(image.levelBytes(0), 3U * 2U * 8U);
    image.format = ImageFormat::Rgba16;
    EXPECT_EQ(image.levelBytes(1), 5U * 3U * 8U);
}

TEST(ImageDecode, KeepsPngTexelsExactly)
{
    const std::vector<std::byte> texels = toBytes({1, 2, 3, 255, 5, 6, 7, 8});
    const Result<Image> image = decodeImage(encodePngFile(2, 1, 6, 8, texels), "two.png");
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_EQ(image->width, 2U);
    EXPECT_EQ(image->height, 1U);
    EXPECT_EQ(image->bytes, texels);
    EXPECT_TRUE(image->hasAlpha);
    EXPECT_EQ(image->name, "two.png");
}

TEST(ImageDecode, ExpandsGreyAndReducesSixteenBits)
{
    const Result<Image> grey = decodeImage(encodePngFile(2, 1, 0, 8, toBytes({10, 200})), "grey");
    ASSERT_TRUE(grey) << grey.error().message;
    EXPECT_THAT(texel(*grey, 1), ElementsAre(200, 200, 200, 255));
    EXPECT_FALSE(grey->hasAlpha);
    const std::vector<std::uint16_t> wide = {0xffff, 0x8000, 0x0000, 0x8080};
    const Result<Image> reduced = decodeImage(encodePngFile(1, 1, 6, 16, std::as_bytes(std::span(wide))), "wide");
    ASSERT_TRUE(reduced) << reduced.error().message;
    EXPECT_THAT(texel(*reduced, 0), ElementsAre(255, 0x80, 0, 0x80));
    EXPECT_EQ(reduced->format, ImageFormat::Rgba8);
}

TEST(ImageDecode, ReadsJpegOfAnySize)
{
    const Result<Image> image = decodeImage(greyJpegFile(17, 9, 77), "grey.jpg");
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_EQ(image->width, 17U);
    EXPECT_EQ(image->height, 9U);
    EXPECT_THAT(texel(*image, 17 * 9 - 1), ElementsAre(77, 77, 77, 255));
    EXPECT_FALSE(image->hasAlpha);
}

TEST(ImageDecode, HoldsItsLimitsBeforeDecoding)
{
    for (const std::vector<std::byte>& file : {greyJpegFile(40, 30, 1), encodePngFile(40, 30, 0, 8, std::vector<std::byte>(1200))})
    {
        EXPECT_TRUE(decodeImage(file, "x", {.maxSideTexels = 40, .maxTexels = 1200}));
        const Result<Image> tooMany = decodeImage(file, "x", {.maxSideTexels = 40, .maxTexels = 1199});
        ASSERT_FALSE(tooMany);
        EXPECT_EQ(tooMany.error().code, ErrorCode::OutOfBudget);
        EXPECT_THAT(tooMany.error().message, HasSubstr("image \"x\": 40 x 30 texels exceed"));
        EXPECT_FALSE(readImageSize(file, "x", {.maxSideTexels = 39}));
        ASSERT_TRUE(readImageSize(file, "x"));
        EXPECT_EQ(readImageSize(file, "x")->height, 30U);
    }
}

TEST(ImageDecode, RefusesOtherFormatsAndNeverReadsPastACut)
{
    EXPECT_EQ(decodeImage({}, "none").error().code, ErrorCode::Unsupported);
    EXPECT_EQ(decodeImage(toBytes({'R', 'I', 'F', 'F'}), "w").error().code, ErrorCode::Unsupported);
    const std::vector<std::byte> png = encodePngFile(8, 8, 6, 8, std::vector<std::byte>(256, std::byte{9}));
    const std::vector<std::byte> jpeg = greyJpegFile(16, 16, 100);
    for (std::size_t size = 0; size + 20 < png.size(); ++size) // the last chunk alone may be missing
        EXPECT_FALSE(decodeImage(std::vector<std::byte>(png.begin(), png.begin() + static_cast<long>(size)), "cut")) << size;
    for (std::size_t size = 0; size < jpeg.size(); ++size)
    {
        const Result<Image> cut = decodeImage(std::vector<std::byte>(jpeg.begin(), jpeg.begin() + static_cast<long>(size)), "cut");
        EXPECT_TRUE(!cut || cut->width == 16U) << size;
    }
}

TEST(ImageFacts, HashTellsSizeFormatAndTexelsApart)
{
    Image image = makeImage(ImageFormat::Rgba8, 2, 8);
    updateImageFacts(image);
    const std::uint64_t hash = image.contentHash;
    Image other = image;
    std::swap(other.width, other.height);
    updateImageFacts(other);
    EXPECT_NE(other.contentHash, hash);
    other = image;
    other.bytes[5] = std::byte{1};
    updateImageFacts(other);
    EXPECT_NE(other.contentHash, hash);
    other = image;
    other.name = "renamed";
    updateImageFacts(other);
    EXPECT_EQ(other.contentHash, hash);
}

TEST(ImageMips, AveragesColourInLinearLightAndAlphaAsItIs)
{
    Image image = makeImage(ImageFormat::Rgba8, 2, 1);
    image.bytes = toBytes({0, 0, 0, 0, 255, 255, 255, 255});
    Image linear = image;
    buildMips(image, ImageEncoding::Srgb);
    EXPECT_EQ(image.mipCount, 2U);
    EXPECT_THAT(texel(image, 2), ElementsAre(188, 188, 188, 128)); // sRGB of 0.5 is 187.5 / 255
    buildMips(linear, ImageEncoding::Linear);
    EXPECT_THAT(texel(linear, 2), ElementsAre(128, 128, 128, 128));
    EXPECT_NE(image.contentHash, linear.contentHash);
}

TEST(ImageMips, WeighsOddSizesByCoveredArea)
{
    Image image = makeImage(ImageFormat::R8, 5, 1);
    image.bytes = toBytes({0, 50, 100, 150, 200});
    buildMips(image, ImageEncoding::Linear);
    EXPECT_EQ(image.mipCount, 3U);
    ASSERT_EQ(image.bytes.size(), 8U);
    EXPECT_EQ(std::to_integer<int>(image.bytes[5]), 40);  // (0 + 50 + 100 / 2) / 2.5
    EXPECT_EQ(std::to_integer<int>(image.bytes[6]), 160); // (100 / 2 + 150 + 200) / 2.5
    EXPECT_EQ(std::to_integer<int>(image.bytes[7]), 100);
}

TEST(ImageMips, KeepsAConstantImageConstantAtAnySize)
{
    for (const ImageFormat format : {ImageFormat::R8, ImageFormat::Rg8, ImageFormat::Rgba8, ImageFormat::R16, ImageFormat::Rgba16})
        for (const ImageEncoding encoding : {ImageEncoding::Linear, ImageEncoding::Srgb})
            for (const auto& [width, height] : {std::pair{1U, 1U}, {7U, 3U}, {64U, 1U}, {33U, 31U}})
            {
                Image image = makeImage(format, width, height);
                std::fill(image.bytes.begin(), image.bytes.end(), std::byte{93});
                buildMips(image, encoding);
                EXPECT_EQ(image.mipCount, fullMipCount(width, height));
                EXPECT_EQ(image.levelWidth(image.mipCount - 1) * image.levelHeight(image.mipCount - 1), 1U);
                for (const std::byte value : image.bytes)
                    ASSERT_EQ(std::to_integer<int>(value), 93);
            }
    EXPECT_EQ(fullMipCount(1, 1), 1U);
    EXPECT_EQ(fullMipCount(256, 3), 9U);
}

TEST(ImageMips, RoundTripsEverySrgbCodeThroughLinearLight)
{
    Image image = makeImage(ImageFormat::Rgba8, 2, 256);
    for (std::size_t row = 0; row < 256; ++row)
        for (std::size_t i = 0; i < 8; ++i)
            image.bytes[row * 8 + i] = static_cast<std::byte>(row);
    // A picture of constant pairs of rows: level 1 holds each code once.
    Image pairs = makeImage(ImageFormat::Rgba8, 2, 512);
    for (std::size_t row = 0; row < 512; ++row)
        std::memcpy(pairs.bytes.data() + row * 8, image.bytes.data() + row / 2 * 8, 8);
    buildMips(pairs, ImageEncoding::Srgb);
    for (std::size_t row = 0; row < 256; ++row)
        ASSERT_EQ(std::to_integer<std::size_t>(pairs.bytes[pairs.levelOffset(1) + row * 4]), row);
}

TEST(ImageMips, AveragesFloatsWithoutClamping)
{
    Image image = makeImage(ImageFormat::Rgba32F, 2, 1);
    const float texels[8] = {10, 0, -2, 1, 30, 1, 4, 1};
    std::memcpy(image.bytes.data(), texels, sizeof texels);
    buildMips(image, ImageEncoding::Linear);
    float mean[4] = {};
    std::memcpy(mean, image.bytes.data() + image.levelOffset(1), sizeof mean);
    EXPECT_THAT(mean, ElementsAre(20.0f, 0.5f, 1.0f, 1.0f));
}

} // namespace
} // namespace dl::test
