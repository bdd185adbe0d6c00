#include "drawloom/asset/image_decode.h"

#include "drawloom/core/hash.h"

#include <spng.h>
#include <turbojpeg.h>

#include <algorithm>
#include <memory>
#include <string>

namespace dl
{
namespace
{

enum class FileKind
{
    Unknown,
    Png,
    Jpeg
};

FileKind fileKind(std::span<const std::byte> bytes)
{
    constexpr std::uint8_t kPngMagic[8] = {0x89, 'P', 'N', 'G', 0x0d, 0x0a, 0x1a, 0x0a};
    constexpr std::uint8_t kJpegMagic[3] = {0xff, 0xd8, 0xff};
    const auto startsWith = [&](std::span<const std::uint8_t> magic)
    {
        return bytes.size() >= magic.size() && std::equal(magic.begin(), magic.end(), bytes.begin(),
                                                   [](std::uint8_t a, std::byte b) { return a == std::to_integer<std::uint8_t>(b); });
    };
    if (startsWith(kPngMagic))
        return FileKind::Png;
    return startsWith(kJpegMagic) ? FileKind::Jpeg : FileKind::Unknown;
}

std::string quoted(std::string_view name)
{
    return "image \"" + std::string(name) + "\": ";
}

Error notAnImage(std::string_view name)
{
    return Error{ErrorCode::Unsupported, quoted(name) + "neither PNG nor JPEG by its first bytes; convert it to one of them"};
}

Result<ImageSize> checkSize(std::uint64_t width, std::uint64_t height, std::string_view name, const ImageLimits& limits)
{
    if (width == 0 || height == 0)
        return Error{ErrorCode::BadFile, quoted(name) + "has no texels"};
    if (width > limits.maxSideTexels || height > limits.maxSideTexels || width * height > limits.maxTexels)
        return Error{ErrorCode::OutOfBudget, quoted(name) + std::to_string(width) + " x " + std::to_string(height) +
                                                 " texels exceed the limit of " + std::to_string(limits.maxSideTexels) + " a side and " +
                                                 std::to_string(limits.maxTexels) + " in all; raise maxImageTexels or shrink it"};
    return ImageSize{static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(height)};
}

struct PngDeleter
{
    void operator()(spng_ctx* context) const { spng_ctx_free(context); }
};
using PngContext = std::unique_ptr<spng_ctx, PngDeleter>;

struct JpegDeleter
{
    void operator()(void* handle) const { tjDestroy(handle); }
};
using JpegHandle = std::unique_ptr<void, JpegDeleter>;

constexpr std::size_t kMaxPngChunkBytes = std::size_t(64) << 20; // of text and profile chunks, which are not kept

Result<PngContext> openPng(std::span<const std::byte> bytes, std::string_view name)
{
    PngContext context(spng_ctx_new(0));
    if (!context)
        return Error{ErrorCode::OutOfMemory, quoted(name) + "no memory for the PNG decoder"};
    spng_set_crc_action(context.get(), SPNG_CRC_ERROR, SPNG_CRC_DISCARD);
    spng_set_chunk_limits(context.get(), kMaxPngChunkBytes, kMaxPngChunkBytes);
    if (const int code = spng_set_png_buffer(context.get(), bytes.data(), bytes.size()); code != 0)
        return Error{ErrorCode::BadFile, quoted(name) + "PNG: " + spng_strerror(code)};
    return context;
}

Result<ImageSize> readPngSize(spng_ctx* context, std::string_view name, const ImageLimits& limits)
{
    spng_ihdr header = {};
    if (const int code = spng_get_ihdr(context, &header); code != 0)
        return Error{ErrorCode::BadFile, quoted(name) + "PNG header: " + spng_strerror(code)};
    return checkSize(header.width, header.height, name, limits);
}

Result<ImageSize> readJpegSize(tjhandle handle, std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    int width = 0;
    int height = 0;
    int subsampling = 0;
    int colourspace = 0;
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    if (tjDecompressHeader3(handle, data, static_cast<unsigned long>(bytes.size()), &width, &height, &subsampling, &colourspace) != 0 ||
        width < 0 || height < 0)
        return Error{ErrorCode::BadFile, quoted(name) + "JPEG header: " + tjGetErrorStr2(handle)};
    if (colourspace == TJCS_CMYK || colourspace == TJCS_YCCK)
        return Error{ErrorCode::Unsupported, quoted(name) + "JPEG in CMYK; save it as RGB"};
    return checkSize(static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height), name, limits);
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

Result<Image> decodePng(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    DL_TRY_ASSIGN(const PngContext context, openPng(bytes, name));
    DL_TRY_ASSIGN(const ImageSize size, readPngSize(context.get(), name, limits));
    Image image = makeRgba8(size, name);
    if (const int code = spng_decode_image(context.get(), image.bytes.data(), image.bytes.size(), SPNG_FMT_RGBA8, SPNG_DECODE_TRNS);
        code != 0)
        return Error{ErrorCode::BadFile, quoted(name) + "PNG: " + spng_strerror(code)};
    return image;
}

Result<Image> decodeJpeg(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    const JpegHandle handle(tjInitDecompress());
    if (!handle)
        return Error{ErrorCode::OutOfMemory, quoted(name) + "no memory for the JPEG decoder"};
    DL_TRY_ASSIGN(const ImageSize size, readJpegSize(handle.get(), bytes, name, limits));
    Image image = makeRgba8(size, name);
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    auto* out = reinterpret_cast<unsigned char*>(image.bytes.data());
    // Warnings (a cut-off tail, stray bytes) leave a usable picture; scans are limited against progressive-scan bombs.
    if (tjDecompress2(handle.get(), data, static_cast<unsigned long>(bytes.size()), out, static_cast<int>(size.width), 0,
            static_cast<int>(size.height), TJPF_RGBA, TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS) != 0 &&
        tjGetErrorCode(handle.get()) != TJERR_WARNING)
        return Error{ErrorCode::BadFile, quoted(name) + "JPEG: " + tjGetErrorStr2(handle.get())};
    return image;
}

bool hasTransparentTexel(const Image& image)
{
    const std::size_t texelCount = std::size_t(image.width) * image.height;
    if (image.bytes.size() < image.levelBytes(0))
        return false;
    switch (image.format)
    {
    case ImageFormat::Rgba8:
        for (std::size_t i = 0; i < texelCount; ++i)
            if (image.bytes[i * 4 + 3] != std::byte{255})
                return true;
        return false;
    case ImageFormat::Rgba16:
        for (std::size_t i = 0; i < texelCount; ++i)
            if (image.bytes[i * 8 + 6] != std::byte{255} || image.bytes[i * 8 + 7] != std::byte{255})
                return true;
        return false;
    default: return false;
    }
}

} // namespace

Result<ImageSize> readImageSize(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    switch (fileKind(bytes))
    {
    case FileKind::Png:
    {
        DL_TRY_ASSIGN(const PngContext context, openPng(bytes, name));
        return readPngSize(context.get(), name, limits);
    }
    case FileKind::Jpeg:
    {
        const JpegHandle handle(tjInitDecompress());
        if (!handle)
            return Error{ErrorCode::OutOfMemory, quoted(name) + "no memory for the JPEG decoder"};
        return readJpegSize(handle.get(), bytes, name, limits);
    }
    case FileKind::Unknown: break;
    }
    return notAnImage(name);
}

Result<Image> decodeImage(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    const FileKind kind = fileKind(bytes);
    if (kind == FileKind::Unknown)
        return notAnImage(name);
    Result<Image> image = kind == FileKind::Png ? decodePng(bytes, name, limits) : decodeJpeg(bytes, name, limits);
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
