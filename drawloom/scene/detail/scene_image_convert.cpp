// drawloom/scene/detail/scene_image_convert.cpp - see the header. Bc4 and Bc5 blocks after the RGTC section of the Khronos Data
// Format Specification.
#include "drawloom/scene/detail/scene_image_convert.h"

#include "drawloom/asset/image_decode.h"
#include "drawloom/asset/image_mips.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

namespace dl::detail
{
namespace
{

Image makeRgba8Like(const Image& source)
{
    Image image;
    image.name = source.name;
    image.width = source.width;
    image.height = source.height;
    image.mipCount = source.mipCount;
    image.bytes.resize(image.levelOffset(image.mipCount));
    return image;
}

template <class T> T readTexel(const std::vector<std::byte>& bytes, std::size_t index)
{
    T value;
    std::memcpy(&value, bytes.data() + index * sizeof(T), sizeof(T));
    return value;
}

std::byte toByte(float unit)
{
    return static_cast<std::byte>(std::clamp(unit, 0.0f, 1.0f) * 255.0f + 0.5f);
}

std::byte fromUnorm16(std::uint16_t value)
{
    return toByte(static_cast<float>(value) / 65535.0f);
}

/// A linear float; NaN becomes zero.
std::byte fromFloat(float value, bool isSrgb)
{
    const float unit = value > 0.0f ? std::min(value, 1.0f) : 0.0f;
    if (!isSrgb)
        return toByte(unit);
    return toByte(unit <= 0.0031308f ? unit * 12.92f : 1.055f * std::pow(unit, 1.0f / 2.4f) - 0.055f);
}

void setTexel(Image& image, std::size_t index, std::byte r, std::byte g, std::byte b, std::byte a)
{
    const std::byte texel[4] = {r, g, b, a};
    std::memcpy(image.bytes.data() + index * 4, texel, sizeof texel);
}

void setGrey(Image& image, std::size_t index, std::byte grey, std::byte alpha = std::byte{255})
{
    setTexel(image, index, grey, grey, grey, alpha);
}

void convertTexel(const Image& source, std::size_t i, bool isSrgb, Image& out)
{
    switch (source.format)
    {
    case ImageFormat::R8: return setGrey(out, i, source.bytes[i]);
    case ImageFormat::Rg8: return setGrey(out, i, source.bytes[i * 2], source.bytes[i * 2 + 1]);
    case ImageFormat::R16: return setGrey(out, i, fromUnorm16(readTexel<std::uint16_t>(source.bytes, i)));
    case ImageFormat::Rgba16:
    {
        const auto texel = readTexel<std::array<std::uint16_t, 4>>(source.bytes, i);
        return setTexel(out, i, fromUnorm16(texel[0]), fromUnorm16(texel[1]), fromUnorm16(texel[2]), fromUnorm16(texel[3]));
    }
    default:
    {
        const auto texel = readTexel<std::array<float, 4>>(source.bytes, i);
        return setTexel(
            out, i, fromFloat(texel[0], isSrgb), fromFloat(texel[1], isSrgb), fromFloat(texel[2], isSrgb), fromFloat(texel[3], false));
    }
    }
}

/// One channel of 4x4 texels: two end values, then 16 indices of 3 bits into eight values between them, or six and 0 and 1.
std::array<std::byte, 16> decodeChannelBlock(const std::byte* block)
{
    const int first = std::to_integer<int>(block[0]);
    const int second = std::to_integer<int>(block[1]);
    float values[8] = {float(first), float(second), 0, 0, 0, 0, 0, 255};
    const int steps = first > second ? 7 : 5;
    for (int i = 1; i < steps; ++i)
        values[i + 1] = float((steps - i) * first + i * second) / float(steps);
    std::uint64_t indices = 0;
    for (int i = 0; i < 6; ++i)
        indices |= std::to_integer<std::uint64_t>(block[2 + i]) << (8 * i);
    std::array<std::byte, 16> out;
    for (std::size_t i = 0; i < 16; ++i)
        out[i] = static_cast<std::byte>(values[indices >> (3 * i) & 7U] + 0.5f);
    return out;
}

std::byte unitNormalZ(std::byte x, std::byte y)
{
    const float nx = float(std::to_integer<int>(x)) / 127.5f - 1.0f;
    const float ny = float(std::to_integer<int>(y)) / 127.5f - 1.0f;
    return toByte(0.5f + 0.5f * std::sqrt(std::max(0.0f, 1.0f - nx * nx - ny * ny)));
}

void decodeBlock(const Image& source, const std::byte* block, ImageUse use, std::array<std::array<std::byte, 4>, 16>& out)
{
    const std::array<std::byte, 16> first = decodeChannelBlock(block);
    if (source.format == ImageFormat::Bc4)
    {
        for (std::size_t i = 0; i < 16; ++i)
            out[i] = {first[i], first[i], first[i], std::byte{255}};
        return;
    }
    const std::array<std::byte, 16> second = decodeChannelBlock(block + 8);
    for (std::size_t i = 0; i < 16; ++i)
        out[i] = {first[i], second[i], use == ImageUse::Normal ? unitNormalZ(first[i], second[i]) : std::byte{0}, std::byte{255}};
}

/// Bc4 or Bc5.
Image decodeBlocks(const Image& source, ImageUse use)
{
    Image out = makeRgba8Like(source);
    std::array<std::array<std::byte, 4>, 16> texels;
    for (std::uint32_t mip = 0; mip < source.mipCount; ++mip)
    {
        const std::uint32_t width = source.levelWidth(mip);
        const std::uint32_t height = source.levelHeight(mip);
        const std::byte* block = source.bytes.data() + source.levelOffset(mip);
        std::byte* level = out.bytes.data() + out.levelOffset(mip);
        for (std::uint32_t y = 0; y < height; y += 4)
            for (std::uint32_t x = 0; x < width; x += 4, block += imageBlockBytes(source.format))
            {
                decodeBlock(source, block, use, texels);
                const std::uint32_t columns = std::min(4U, width - x);
                for (std::uint32_t row = 0; row < std::min(4U, height - y); ++row)
                    std::memcpy(level + (std::size_t(y + row) * width + x) * 4, &texels[row * 4], std::size_t(columns) * 4);
            }
    }
    return out;
}

Image toRgba8(const Image& source, ImageUse use)
{
    if (source.format == ImageFormat::Bc4 || source.format == ImageFormat::Bc5)
        return decodeBlocks(source, use);
    Image out = makeRgba8Like(source);
    for (std::size_t i = 0; i < out.bytes.size() / 4; ++i)
        convertTexel(source, i, use == ImageUse::Color, out);
    return out;
}

Error blocksRefused(const Image& image, const std::string& why)
{
    return Error{ErrorCode::Unsupported, "image \"" + image.name + "\": block-compressed, " + why};
}

} // namespace

ImageEncoding encodingOf(ImageUse use)
{
    return use == ImageUse::Color ? ImageEncoding::Srgb : ImageEncoding::Linear;
}

Result<Image> convertForUse(const Image& source, ImageUse use, bool hasBc)
{
    Image image;
    switch (source.format)
    {
    case ImageFormat::Rgba8: image = source; break;
    case ImageFormat::Bc1:
    case ImageFormat::Bc3:
    case ImageFormat::Bc6h:
    case ImageFormat::Bc7:
        if (!hasBc)
            return blocksRefused(source, "and this device has no TextureCompressionBc; use a PNG, JPEG or WebP");
        if (source.width % 4 != 0 || source.height % 4 != 0)
            return blocksRefused(source,
                std::to_string(source.width) + " x " + std::to_string(source.height) + " texels; sides must be multiples of 4: scale it");
        return source;
    default: image = toRgba8(source, use); break;
    }
    if (image.mipCount == 1)
        buildMips(image, encodingOf(use));
    else
        updateImageFacts(image);
    return image;
}

} // namespace dl::detail
