// drawloom/asset/image.h - CPU images and the sampling state that glTF attaches to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace dl
{

enum class ImageFormat : std::uint8_t
{
    R8,      ///< 1 byte a texel
    Rg8,     ///< 2
    Rgba8,   ///< 4
    R16,     ///< 2, unorm
    Rgba16,  ///< 8, unorm
    Rgba32F, ///< 16, linear
    Bc1,
    Bc3,
    Bc4,
    Bc5,
    Bc6h,
    Bc7, ///< blocks of 4x4 texels, 8 or 16 bytes
};
/// Bytes of one texel, or of one 4x4 block for the BC formats.
std::uint32_t imageBlockBytes(ImageFormat format);
std::uint32_t imageBlockTexels(ImageFormat format);

/// How the texels are meant; colour images hold sRGB-encoded values, data images (normal, roughness) linear ones.
enum class ImageEncoding : std::uint8_t
{
    Linear,
    Srgb
};

/// One image with zero or more mips. Rows top to bottom, tightly packed, level 0 first.
struct Image
{
    std::string name; ///< file name or glTF name, for messages
    ImageFormat format = ImageFormat::Rgba8;
    std::uint32_t width = 0, height = 0; ///< texels, 1..16384
    std::uint32_t mipCount = 1;          ///< levels present in `bytes`
    std::vector<std::byte> bytes;        ///< sum of levelBytes(0..mipCount-1)
    bool hasAlpha = false;               ///< some texel's alpha is below one
    std::uint64_t contentHash = 0;       ///< of size, format and bytes; made at import

    std::uint32_t levelWidth(std::uint32_t mip) const { return width >> mip != 0 ? width >> mip : 1; }
    std::uint32_t levelHeight(std::uint32_t mip) const { return height >> mip != 0 ? height >> mip : 1; }
    std::size_t levelBytes(std::uint32_t mip) const;
    std::size_t levelOffset(std::uint32_t mip) const;
};

enum class WrapMode : std::uint8_t
{
    Repeat,
    MirroredRepeat,
    ClampToEdge
};
enum class TexelFilter : std::uint8_t
{
    Nearest,
    Linear
};

/// glTF sampler; the default is what glTF leaves to the implementation.
struct SamplerSettings
{
    WrapMode wrapU = WrapMode::Repeat, wrapV = WrapMode::Repeat;
    TexelFilter magFilter = TexelFilter::Linear, minFilter = TexelFilter::Linear, mipFilter = TexelFilter::Linear;
    bool hasMips = true; ///< false for minFilter NEAREST or LINEAR: only level 0 is sampled
    friend bool operator==(const SamplerSettings&, const SamplerSettings&) = default;
};

} // namespace dl
