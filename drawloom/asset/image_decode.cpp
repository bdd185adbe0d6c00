#include "drawloom/asset/image_decode.h"

#include "drawloom/asset/detail/image_codec.h"
#include "drawloom/core/hash.h"

#include <cstring>
#include <string>

namespace dl
{
namespace
{

bool startsWith(std::span<const std::byte> bytes, std::string_view magic, std::size_t offset = 0)
{
    return bytes.size() >= offset + magic.size() && std::memcmp(bytes.data() + offset, magic.data(), magic.size()) == 0;
}

const detail::ImageCodec* codecOf(std::span<const std::byte> bytes)
{
    switch (imageFileKind(bytes))
    {
    case ImageFileKind::Png: return &detail::kPngCodec;
    case ImageFileKind::Jpeg: return &detail::kJpegCodec;
    case ImageFileKind::Webp: return &detail::kWebpCodec;
    case ImageFileKind::Ktx2: return &detail::kKtx2Codec;
    case ImageFileKind::Hdr: return &detail::kHdrCodec;
    case ImageFileKind::Unknown: break;
    }
    return nullptr;
}

Error notAnImage(std::string_view name)
{
    return detail::imageError(
        ErrorCode::Unsupported, name, "neither PNG, JPEG, WebP, KTX2 nor Radiance HDR by its first bytes; convert it to one of them");
}

/// Some alpha value of `texelBytes` apart is not all ones.
bool hasAlphaBelowOne(std::span<const std::byte> texels, std::size_t texelBytes, std::size_t alphaOffset, std::size_t alphaBytes)
{
    for (std::size_t at = alphaOffset; at + alphaBytes <= texels.size(); at += texelBytes)
        for (std::size_t i = 0; i < alphaBytes; ++i)
            if (texels[at + i] != std::byte{255})
                return true;
    return false;
}

bool hasFloatAlphaBelowOne(std::span<const std::byte> texels)
{
    for (std::size_t at = 12; at + 4 <= texels.size(); at += 16)
    {
        float alpha = 1.0f;
        std::memcpy(&alpha, texels.data() + at, sizeof alpha);
        if (alpha < 1.0f)
            return true;
    }
    return false;
}

bool hasTransparentTexel(const Image& image)
{
    if (image.bytes.size() < image.levelBytes(0))
        return false;
    const std::span<const std::byte> texels(image.bytes.data(), image.levelBytes(0));
    switch (image.format)
    {
    case ImageFormat::Rg8: return hasAlphaBelowOne(texels, 2, 1, 1);
    case ImageFormat::Rgba8: return hasAlphaBelowOne(texels, 4, 3, 1);
    case ImageFormat::Rgba16: return hasAlphaBelowOne(texels, 8, 6, 2);
    case ImageFormat::Rgba32F: return hasFloatAlphaBelowOne(texels);
    case ImageFormat::Bc1:
    case ImageFormat::Bc3:
    case ImageFormat::Bc7: return image.hasAlpha; // blocks are not decoded here
    default: return false;
    }
}

} // namespace

namespace detail
{

Error imageError(ErrorCode code, std::string_view name, const std::string& message)
{
    return Error{code, "image \"" + std::string(name) + "\": " + message};
}

Result<ImageSize> checkImageSize(
    std::uint64_t width, std::uint64_t height, ImageFormat format, std::uint32_t mipCount, std::string_view name, const ImageLimits& limits)
{
    if (width == 0 || height == 0)
        return imageError(ErrorCode::BadFile, name, "has no texels");
    const std::string shown = std::to_string(width) + " x " + std::to_string(height) + " texels ";
    if (width > limits.maxSideTexels || height > limits.maxSideTexels || width * height > limits.maxTexels)
        return imageError(ErrorCode::OutOfBudget, name,
            shown + "exceed the limit of " + std::to_string(limits.maxSideTexels) + " a side and " + std::to_string(limits.maxTexels) +
                " in all; raise maxImageTexels or shrink it");
    Image image;
    image.format = format;
    image.width = static_cast<std::uint32_t>(width);
    image.height = static_cast<std::uint32_t>(height);
    const std::uint64_t decodedBytes = image.levelOffset(mipCount);
    if (decodedBytes > limits.maxDecodedBytes)
        return imageError(ErrorCode::OutOfBudget, name,
            shown + "take " + std::to_string(decodedBytes) + " bytes, past the limit of " + std::to_string(limits.maxDecodedBytes) +
                "; shrink it");
    return ImageSize{image.width, image.height, decodedBytes};
}

Image makeRgba8(ImageSize size, std::string_view name)
{
    Image image;
    image.name = name;
    image.width = size.width;
    image.height = size.height;
    image.bytes.resize(std::size_t(size.width) * size.height * 4);
    return image;
}

} // namespace detail

ImageFileKind imageFileKind(std::span<const std::byte> bytes)
{
    if (startsWith(bytes, "\x89PNG\r\n\x1a\n"))
        return ImageFileKind::Png;
    if (startsWith(bytes, "\xff\xd8\xff"))
        return ImageFileKind::Jpeg;
    if (startsWith(bytes, "RIFF") && startsWith(bytes, "WEBP", 8))
        return ImageFileKind::Webp;
    if (startsWith(bytes, "\xabKTX 20\xbb\r\n\x1a\n"))
        return ImageFileKind::Ktx2;
    if (startsWith(bytes, "#?RADIANCE") || startsWith(bytes, "#?RGBE"))
        return ImageFileKind::Hdr;
    return ImageFileKind::Unknown;
}

std::string_view toString(ImageFileKind kind)
{
    constexpr std::string_view kNames[] = {"unknown", "PNG", "JPEG", "WebP", "KTX2", "HDR"};
    return kNames[static_cast<std::size_t>(kind)];
}

Result<ImageSize> readImageSize(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    const detail::ImageCodec* codec = codecOf(bytes);
    return codec != nullptr ? codec->readSize(bytes, name, limits) : Result<ImageSize>(notAnImage(name));
}

Result<Image> decodeImage(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    const detail::ImageCodec* codec = codecOf(bytes);
    if (codec == nullptr)
        return notAnImage(name);
    Result<Image> image = codec->decode(bytes, name, limits);
    if (image)
        updateImageFacts(*image);
    return image;
}

void updateImageFacts(Image& image)
{
    image.hasAlpha = hasTransparentTexel(image);
    const std::uint32_t facts[4] = {static_cast<std::uint32_t>(image.format), image.width, image.height, image.mipCount};
    image.contentHash = hashBytes(image.bytes, hashBytes(std::as_bytes(std::span(facts))));
}

} // namespace dl
