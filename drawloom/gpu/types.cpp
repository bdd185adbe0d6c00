// drawloom/gpu/types.cpp - tables of the formats and names of the device interface.
#include "drawloom/gpu/types.h"

#include "drawloom/core/assert.h"

#include <algorithm>
#include <array>
#include <bit>

namespace dl::gpu
{
namespace
{

constexpr FormatInfo texel(std::string_view name, std::uint8_t bytes, bool isFilterable, bool isInteger = false, bool isSrgb = false)
{
    return {.name = name, .blockBytes = bytes, .isSrgb = isSrgb, .isInteger = isInteger, .isFilterable = isFilterable};
}
constexpr FormatInfo depth(std::string_view name, std::uint8_t bytes)
{
    return {.name = name, .blockBytes = bytes, .isDepth = true};
}
constexpr FormatInfo block(std::string_view name, std::uint8_t bytes, bool isSrgb = false)
{
    return {.name = name, .blockBytes = bytes, .blockTexels = 4, .isSrgb = isSrgb, .isCompressed = true, .isFilterable = true};
}

// In the order of Format. 32-bit floats are filterable with Feature::Float32Filterable only.
constexpr std::array kFormats = {
    FormatInfo{.name = "none"},
    texel("r8unorm", 1, true),
    texel("r8uint", 1, false, true),
    texel("rg8unorm", 2, true),
    texel("rgba8unorm", 4, true),
    texel("rgba8unorm-srgb", 4, true, false, true),
    texel("rgba8snorm", 4, true),
    texel("rgba8uint", 4, false, true),
    texel("bgra8unorm", 4, true),
    texel("bgra8unorm-srgb", 4, true, false, true),
    texel("r16uint", 2, false, true),
    texel("r16float", 2, true),
    texel("rg16float", 4, true),
    texel("rgba16float", 8, true),
    texel("rgba16uint", 8, false, true),
    texel("r32uint", 4, false, true),
    texel("r32float", 4, false),
    texel("rg32uint", 8, false, true),
    texel("rg32float", 8, false),
    texel("rgba32uint", 16, false, true),
    texel("rgba32float", 16, false),
    texel("rgb10a2unorm", 4, true),
    texel("rg11b10ufloat", 4, true),
    depth("depth16unorm", 2),
    depth("depth32float", 4),
    block("bc1-rgba-unorm", 8),
    block("bc1-rgba-unorm-srgb", 8, true),
    block("bc3-rgba-unorm", 16),
    block("bc3-rgba-unorm-srgb", 16, true),
    block("bc4-r-unorm", 8),
    block("bc5-rg-unorm", 16),
    block("bc6h-rgb-ufloat", 16),
    block("bc7-rgba-unorm", 16),
    block("bc7-rgba-unorm-srgb", 16, true),
};
static_assert(kFormats.size() == kFormatCount);

struct VertexFormatInfo
{
    std::string_view name;
    std::uint32_t bytes;
};
constexpr std::array<VertexFormatInfo, kVertexFormatCount> kVertexFormats = {{
    {"float32x2", 8},
    {"float32x3", 12},
    {"float32x4", 16},
    {"unorm8x4", 4},
    {"snorm8x4", 4},
    {"uint8x4", 4},
    {"unorm16x2", 4},
    {"unorm16x4", 8},
    {"snorm16x2", 4},
    {"snorm16x4", 8},
    {"uint16x2", 4},
    {"uint16x4", 8},
    {"float16x2", 4},
    {"float16x4", 8},
    {"uint32", 4},
    {"uint32x2", 8},
    {"uint32x4", 16},
    {"sint32", 4},
}};

constexpr std::array<std::string_view, 12> kAccessNames = {"IndirectRead", "IndexRead", "VertexRead", "UniformRead", "StorageRead",
    "SampledRead", "DepthRead", "CopyRead", "StorageWrite", "ColorWrite", "DepthWrite", "CopyWrite"};

} // namespace

const FormatInfo& formatInfo(Format format)
{
    const auto index = static_cast<std::size_t>(format);
    DL_ASSERT(index < kFormats.size(), "not a format");
    return kFormats[index < kFormats.size() ? index : 0];
}

std::uint64_t textureLevelBytes(Format format, std::uint32_t width, std::uint32_t height, std::uint32_t depthOrLayers)
{
    const FormatInfo& info = formatInfo(format);
    const std::uint64_t blocksX = (std::uint64_t(width) + info.blockTexels - 1) / info.blockTexels;
    const std::uint64_t blocksY = (std::uint64_t(height) + info.blockTexels - 1) / info.blockTexels;
    return blocksX * blocksY * info.blockBytes * depthOrLayers;
}

std::uint32_t fullMipCount(std::uint32_t width, std::uint32_t height)
{
    return static_cast<std::uint32_t>(std::bit_width(std::max({width, height, 1U})));
}

std::uint32_t vertexFormatBytes(VertexFormat format)
{
    const auto index = static_cast<std::size_t>(format);
    DL_ASSERT(index < kVertexFormats.size(), "not a vertex format");
    return kVertexFormats[index < kVertexFormats.size() ? index : 0].bytes;
}

std::string_view toString(VertexFormat format)
{
    const auto index = static_cast<std::size_t>(format);
    return index < kVertexFormats.size() ? kVertexFormats[index].name : "?";
}

std::string toString(AccessFlags access)
{
    if (!access)
        return "None";
    std::string text;
    for (std::size_t bit = 0; bit < kAccessNames.size(); ++bit)
    {
        if ((access.bits & (1U << bit)) == 0)
            continue;
        if (!text.empty())
            text += '|';
        text += kAccessNames[bit];
    }
    return text.empty() ? "?" : text;
}

} // namespace dl::gpu
