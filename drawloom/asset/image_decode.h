// drawloom/asset/image_decode.h - image files to CPU images: PNG (libspng), JPEG (libjpeg-turbo), WebP (libwebp), KTX2 without
// Basis and Radiance HDR (both own). Used by the importers and `drawloom inspect`.
// Safe on hostile bytes: sizes are checked against the limits before memory is taken. Any thread.
#pragma once

#include "drawloom/asset/image.h"
#include "drawloom/core/result.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace dl
{

struct ImageLimits
{
    std::uint32_t maxSideTexels = 16384;
    std::uint64_t maxTexels = std::uint64_t(1) << 26;       ///< of level 0
    std::uint64_t maxDecodedBytes = std::uint64_t(1) << 30; ///< of all levels, as the image holds them
    /// True: damage that leaves a picture (a JPEG that ends early, a wrong checksum beside a PNG's texels) is an error too.
    bool refusesDamage = false;
};

struct ImageSize
{
    std::uint32_t width = 0, height = 0;
    std::uint64_t decodedBytes = 0; ///< what decodeImage's Image::bytes will hold
};

enum class ImageFileKind : std::uint8_t
{
    Unknown,
    Png,
    Jpeg,
    Webp,
    Ktx2,
    Hdr
};

/// Told by the first bytes (16 suffice), never by a name.
ImageFileKind imageFileKind(std::span<const std::byte> bytes);
/// "PNG", "JPEG", "WebP", "KTX2", "HDR"; "unknown".
std::string_view toString(ImageFileKind kind);

/// Reads the header alone. Unsupported: none of the formats above, or a kind of one that is not read (named in the message:
/// CMYK JPEG, animated WebP, cubes, arrays, volumes and Basis Universal in KTX2). BadFile: broken. OutOfBudget: past the limits.
Result<ImageSize> readImageSize(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits = {});

/// Decodes, with hasAlpha and contentHash set. `name` goes into the image and into messages. Gamma, colour profiles,
/// orientation and transfer functions are ignored (as glTF asks): whoever uses the image knows whether it is colour.
/// - PNG, JPEG, WebP: Rgba8, one mip. 16-bit PNG is reduced to 8 bits; palettes, grey and tRNS are expanded.
/// - KTX2: the file's format and mips, as they are; three channels become four. R8 means grey, Rg8 grey and alpha, as everywhere
///   here. hasAlpha of block-compressed images tells whether the format can hold alpha that matters (Bc3, Bc7, Bc1 with alpha).
/// - HDR: Rgba32F, linear, alpha one; EXPOSURE lines are ignored, as most viewers do.
Result<Image> decodeImage(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits = {});

/// Sets hasAlpha (from level 0; of block-compressed images: kept) and contentHash (of format, size, mips and bytes).
void updateImageFacts(Image& image);

} // namespace dl
