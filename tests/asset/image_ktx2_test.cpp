// KTX2 files written byte by byte: formats, mips, Zstandard, and everything that must be refused.
#include "drawloom/asset/image_decode.h"
#include "tests/asset/image_files.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace dl::test
{
namespace
{

using testing::HasSubstr;

std::vector<std::byte> counting(std::size_t count, int first = 0)
{
    std::vector<std::byte> out(count);
    for (std::size_t i = 0; i < count; ++i)
        out[i] = static_cast<std::byte>(i + static_cast<std::size_t>(first));
    return out;
}

std::string messageOf(const Ktx2Desc& desc, const ImageLimits& limits = {})
{
    const Result<Image> image = decodeImage(encodeKtx2File(desc), "t.ktx2", limits);
    return image ? "decoded" : std::string(toString(image.error().code)) + " " + image.error().message;
}

TEST(Ktx2, KeepsTexelsAndMipsOfEveryFormat)
{
    struct Row
    {
        std::uint32_t vkFormat;
        ImageFormat format;
    };
    const Row rows[] = {{9, ImageFormat::R8}, {15, ImageFormat::R8}, {16, ImageFormat::Rg8}, {22, ImageFormat::Rg8},
        {37, ImageFormat::Rgba8}, {43, ImageFormat::Rgba8}, {70, ImageFormat::R16}, {91, ImageFormat::Rgba16}, {109, ImageFormat::Rgba32F},
        {131, ImageFormat::Bc1}, {132, ImageFormat::Bc1}, {133, ImageFormat::Bc1}, {134, ImageFormat::Bc1}, {137, ImageFormat::Bc3},
        {138, ImageFormat::Bc3}, {139, ImageFormat::Bc4}, {141, ImageFormat::Bc5}, {143, ImageFormat::Bc6h}, {145, ImageFormat::Bc7},
        {146, ImageFormat::Bc7}};
    for (const Row& row : rows)
        for (const std::uint32_t scheme : {0U, 2U})
        {
            SCOPED_TRACE(row.vkFormat);
            Image shape;
            shape.format = row.format;
            shape.width = 10;
            shape.height = 6;
            Ktx2Desc desc{.vkFormat = row.vkFormat, .width = 10, .height = 6, .levelCount = 4, .scheme = scheme};
            for (std::uint32_t mip = 0; mip < 4; ++mip)
                desc.levels.push_back(counting(shape.levelBytes(mip), static_cast<int>(mip) * 7));
            const Result<Image> image = decodeImage(encodeKtx2File(desc), "t.ktx2");
            ASSERT_TRUE(image) << image.error().message;
            EXPECT_EQ(image->format, row.format);
            EXPECT_EQ(image->width, 10U);
            EXPECT_EQ(image->height, 6U);
            ASSERT_EQ(image->mipCount, 4U);
            ASSERT_EQ(image->bytes.size(), image->levelOffset(4));
            for (std::uint32_t mip = 0; mip < 4; ++mip)
                EXPECT_EQ(std::memcmp(image->bytes.data() + image->levelOffset(mip), desc.levels[mip].data(), desc.levels[mip].size()), 0);
            EXPECT_NE(image->contentHash, 0U);
            const Result<ImageSize> size = readImageSize(encodeKtx2File(desc), "t.ktx2");
            ASSERT_TRUE(size);
            EXPECT_EQ(size->decodedBytes, image->bytes.size());
        }
}

TEST(Ktx2, GivesThreeChannelsAFourthOfOnes)
{
    for (const std::uint32_t vkFormat : {23U, 29U})
        for (const std::uint32_t scheme : {0U, 2U})
        {
            const Ktx2Desc desc{.vkFormat = vkFormat,
                .width = 2,
                .height = 1,
                .levelCount = 2,
                .scheme = scheme,
                .levels = {counting(6, 10), counting(3, 90)}};
            const Result<Image> image = decodeImage(encodeKtx2File(desc), "rgb");
            ASSERT_TRUE(image) << image.error().message;
            EXPECT_EQ(image->format, ImageFormat::Rgba8);
            EXPECT_FALSE(image->hasAlpha);
            const std::uint8_t expected[12] = {10, 11, 12, 255, 13, 14, 15, 255, 90, 91, 92, 255};
            ASSERT_EQ(image->bytes.size(), sizeof expected);
            EXPECT_EQ(std::memcmp(image->bytes.data(), expected, sizeof expected), 0);
        }
}

TEST(Ktx2, TellsWhetherBlocksCanHoldAlpha)
{
    const auto alphaOf = [](std::uint32_t vkFormat, std::size_t blockBytes)
    {
        const Result<Image> image =
            decodeImage(encodeKtx2File({.vkFormat = vkFormat, .width = 4, .height = 4, .levels = {counting(blockBytes)}}), "bc");
        return image && image->hasAlpha;
    };
    EXPECT_FALSE(alphaOf(131, 8));
    EXPECT_TRUE(alphaOf(133, 8));
    EXPECT_TRUE(alphaOf(137, 16));
    EXPECT_FALSE(alphaOf(141, 16));
    EXPECT_TRUE(alphaOf(146, 16));
}

TEST(Ktx2, ReadsOneLevelWhereTheFileLeavesMipsToTheReader)
{
    const Result<Image> image = decodeImage(encodeKtx2File({.width = 8, .height = 8, .levelCount = 0, .levels = {counting(256)}}), "t");
    ASSERT_TRUE(image) << image.error().message;
    EXPECT_EQ(image->mipCount, 1U);
}

TEST(Ktx2, RefusesByNameWhatItDoesNotRead)
{
    const std::vector<std::vector<std::byte>> levels = {counting(256)};
    const auto refused = [&](Ktx2Desc desc)
    {
        desc.width = desc.width == 1 ? 8 : desc.width;
        desc.height = desc.height == 1 ? 8 : desc.height;
        desc.levels = levels;
        return messageOf(desc);
    };
    EXPECT_THAT(refused({.vkFormat = 0, .colorModel = 166}), HasSubstr("Unsupported image \"t.ktx2\": KTX2: Basis Universal (UASTC)"));
    EXPECT_THAT(refused({.vkFormat = 0, .scheme = 1, .colorModel = 163}), HasSubstr("Basis Universal (ETC1S)"));
    EXPECT_THAT(refused({.faceCount = 6}), HasSubstr("Unsupported image \"t.ktx2\": KTX2: a cube texture"));
    EXPECT_THAT(refused({.layerCount = 3}), HasSubstr("an array texture of 3 layers"));
    EXPECT_THAT(refused({.depth = 2}), HasSubstr("a 3D texture (depth 2)"));
    EXPECT_THAT(refused({.height = 0}), HasSubstr("a 1D texture"));
    EXPECT_THAT(refused({.scheme = 3}), HasSubstr("zlib"));
    EXPECT_THAT(refused({.scheme = 9}), HasSubstr("scheme 9"));
    EXPECT_THAT(refused({.vkFormat = 157}), HasSubstr("ASTC (VkFormat 157)"));
    EXPECT_THAT(refused({.vkFormat = 144}), HasSubstr("signed BC6H"));
    EXPECT_THAT(refused({.vkFormat = 1000}), HasSubstr("VkFormat 1000"));
    EXPECT_THAT(refused({.faceCount = 2}), HasSubstr("BadFile"));
}

TEST(Ktx2, HoldsItsLimitsBeforeItDecodes)
{
    const Ktx2Desc desc{.width = 8, .height = 4, .levelCount = 2, .levels = {counting(128), counting(32)}};
    EXPECT_EQ(messageOf(desc, {.maxSideTexels = 8, .maxTexels = 32, .maxDecodedBytes = 160}), "decoded");
    EXPECT_THAT(messageOf(desc, {.maxDecodedBytes = 159}), HasSubstr("OutOfBudget image \"t.ktx2\": 8 x 4 texels take 160 bytes"));
    EXPECT_THAT(messageOf(desc, {.maxTexels = 31}), HasSubstr("OutOfBudget"));
    EXPECT_THAT(messageOf({.width = 1U << 31U, .height = 1U << 31U, .levelCount = 32, .levels = {{}}}), HasSubstr("OutOfBudget"));
    EXPECT_THAT(messageOf({.width = 4, .height = 4, .levelCount = 4, .levels = {counting(64)}}), HasSubstr("have at most 3"));
    EXPECT_THAT(messageOf({.width = 4, .height = 4, .levelCount = 0xffffffffU, .levels = {counting(64)}}), HasSubstr("BadFile"));
}

TEST(Ktx2, RefusesFramesAndLevelsOfAnotherSize)
{
    // A frame that inflates to 64 MiB behind a level of 4 x 4 texels.
    std::vector<std::byte> bomb =
        encodeKtx2File({.width = 4096, .height = 4096, .scheme = 2, .levels = {std::vector<std::byte>(1U << 26U)}});
    ASSERT_LT(bomb.size(), 10000U);
    const std::uint32_t side = 4;
    const std::uint64_t levelBytes = 64;
    std::memcpy(bomb.data() + 20, &side, 4);
    std::memcpy(bomb.data() + 24, &side, 4);
    std::memcpy(bomb.data() + 96, &levelBytes, 8);
    const Result<Image> inflated = decodeImage(bomb, "bomb");
    ASSERT_FALSE(inflated);
    EXPECT_THAT(inflated.error().message, HasSubstr("a Zstandard frame holds 67108864 bytes, its level needs 64"));
    EXPECT_THAT(messageOf({.width = 4, .height = 4, .levels = {counting(63)}}), HasSubstr("level 0 has 63 bytes, its size needs 64"));
    EXPECT_THAT(messageOf({.width = 4, .height = 4, .scheme = 2, .levels = {counting(65)}}), HasSubstr("level 0 has 65 bytes"));
}

TEST(Ktx2, GivesOneErrorAtEveryCut)
{
    for (const std::uint32_t scheme : {0U, 2U})
    {
        const std::vector<std::byte> file = encodeKtx2File({.vkFormat = 23,
            .width = 4,
            .height = 4,
            .levelCount = 3,
            .scheme = scheme,
            .levels = {counting(48), counting(12), counting(3)}});
        ASSERT_TRUE(decodeImage(file, "whole"));
        for (std::size_t size = 12; size < file.size(); ++size)
        {
            const std::vector<std::byte> part(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
            const Result<Image> cut = decodeImage(part, "cut");
            ASSERT_FALSE(cut) << size;
            EXPECT_EQ(cut.error().code, ErrorCode::BadFile) << size << cut.error().message;
        }
    }
}

TEST(Ktx2, SurvivesAnyChangedByte)
{
    const std::uint32_t seed = 20;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const std::vector<std::byte> file =
        encodeKtx2File({.vkFormat = 29, .width = 4, .height = 4, .levelCount = 2, .scheme = 2, .levels = {counting(48), counting(12)}});
    for (int i = 0; i < 4000; ++i)
    {
        std::vector<std::byte> changed = file;
        for (int n = 0; n < 1 + i % 3; ++n)
            changed[12 + random() % (changed.size() - 12)] = static_cast<std::byte>(random());
        const Result<Image> image = decodeImage(changed, "changed", {.maxTexels = 1U << 16U, .maxDecodedBytes = 1U << 20U});
        EXPECT_TRUE(!image || image->bytes.size() == image->levelOffset(image->mipCount));
    }
}

} // namespace
} // namespace dl::test
