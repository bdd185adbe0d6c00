// drawloom/asset/image_decode.h - PNG (libspng) and JPEG (libjpeg-turbo) to CPU images. Used by the importers.
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
    std::uint64_t maxTexels = std::uint64_t(1) << 26;
};

struct ImageSize
{
    std::uint32_t width = 0, height = 0;
};

/// Reads the header alone. The format is told by the first bytes, never by a name.
/// Unsupported: neither PNG nor JPEG. BadFile: broken header. OutOfBudget: past the limits.
Result<ImageSize> readImageSize(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits = {});

/// Decodes to Rgba8, one mip, with hasAlpha and contentHash set. 16-bit PNG is reduced to 8 bits, palettes and grey are
/// expanded, gamma and colour profiles are ignored (as glTF asks). `name` goes into the image and into messages.
Result<Image> decodeImage(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits = {});

/// Sets hasAlpha (from level 0) and contentHash (of format, size, mips and bytes) from the texels.
void updateImageFacts(Image& image);

} // namespace dl
