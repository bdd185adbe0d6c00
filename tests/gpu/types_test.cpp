// tests/gpu/types_test.cpp - sizes and names of formats and accesses.
#include "drawloom/gpu/types.h"

#include <gtest/gtest.h>

#include <set>

namespace dl::gpu
{
namespace
{

TEST(Formats, EveryFormatHasOneNameAndASize)
{
    std::set<std::string_view> names;
    for (std::uint32_t i = 1; i < kFormatCount; ++i)
    {
        const FormatInfo& info = formatInfo(static_cast<Format>(i));
        EXPECT_TRUE(names.insert(info.name).second) << info.name;
        EXPECT_GT(info.blockBytes, 0) << info.name;
        EXPECT_EQ(info.isCompressed, info.blockTexels == 4) << info.name;
        EXPECT_EQ(info.isSrgb, info.name.ends_with("srgb")) << info.name;
        EXPECT_EQ(info.isInteger, info.name.find("uint") != std::string_view::npos) << info.name;
        EXPECT_EQ(info.isDepth, info.name.starts_with("depth")) << info.name;
    }
    EXPECT_EQ(formatInfo(Format::BC7RgbaUnormSrgb).name, "bc7-rgba-unorm-srgb");
    EXPECT_EQ(formatInfo(Format::RGBA16Float).blockBytes, 8);
}

TEST(Formats, LevelBytesRoundUpToBlocks)
{
    EXPECT_EQ(textureLevelBytes(Format::RGBA8Unorm, 3, 2, 1), 24U);
    EXPECT_EQ(textureLevelBytes(Format::BC1RgbaUnorm, 4, 4, 1), 8U);
    EXPECT_EQ(textureLevelBytes(Format::BC1RgbaUnorm, 5, 1, 2), 32U);
    EXPECT_EQ(textureLevelBytes(Format::RGBA32Float, 65536, 65536, 4), 1ULL << 38U);
}

TEST(Formats, FullMipChainEndsAtOneTexel)
{
    EXPECT_EQ(fullMipCount(1, 1), 1U);
    EXPECT_EQ(fullMipCount(256, 1), 9U);
    EXPECT_EQ(fullMipCount(255, 256), 9U);
    EXPECT_EQ(fullMipCount(3, 2), 2U);
}

TEST(VertexFormats, NameTellsTheBytes)
{
    for (std::uint32_t i = 0; i < kVertexFormatCount; ++i)
    {
        const auto format = static_cast<VertexFormat>(i);
        const std::string_view name = toString(format);
        const std::size_t cross = name.find('x');
        const std::uint32_t components = cross == std::string_view::npos ? 1 : static_cast<std::uint32_t>(name[cross + 1] - '0');
        const std::size_t digit = name.find_first_of("0123456789");
        const std::uint32_t bits = static_cast<std::uint32_t>(std::stoul(std::string(name.substr(digit, cross - digit))));
        EXPECT_EQ(vertexFormatBytes(format), components * bits / 8) << name;
    }
}

TEST(Accesses, ReadAsNames)
{
    EXPECT_EQ(toString(AccessFlags()), "None");
    EXPECT_EQ(toString(Access::SampledRead | Access::ColorWrite), "SampledRead|ColorWrite");
    EXPECT_EQ(toString(AccessFlags(Access::CopyWrite)), "CopyWrite");
}

} // namespace
} // namespace dl::gpu
