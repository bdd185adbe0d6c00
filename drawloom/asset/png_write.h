// drawloom/asset/png_write.h - encodes images as PNG through libspng. Used by the exporter, the picture writers and tests.
#pragma once

#include "drawloom/asset/image.h"
#include "drawloom/core/result.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace dl
{

/// Level 0 of a R8, Rg8 (as grey + alpha), Rgba8, R16 or Rgba16 image, losslessly; Unsupported for other formats,
/// InvalidArgument where `bytes` is shorter than the size says. Rgba8 without any alpha below one is written as RGB.
Result<std::vector<std::byte>> encodePng(const Image& image);

/// As above, into a file.
Result<void> writePng(const std::filesystem::path& path, const Image& image);

} // namespace dl
