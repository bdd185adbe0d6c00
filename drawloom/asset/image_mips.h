// drawloom/asset/image_mips.h - full mip chains on the CPU by an area (box) filter that is exact for any size.
#pragma once

#include "drawloom/asset/image.h"

namespace dl
{

/// Levels from width x height down to 1x1.
std::uint32_t fullMipCount(std::uint32_t width, std::uint32_t height);

/// Replaces all levels but the first by a full chain and updates contentHash. Each texel is the mean of the area it
/// covers in the level above, with fractional weights at odd sizes. Srgb: colour is averaged in linear light, alpha as it
/// is. Not for BC formats (a caller's bug). Cost: about 15 ns a texel of level 0 for Srgb Rgba8.
void buildMips(Image& image, ImageEncoding encoding);

} // namespace dl
