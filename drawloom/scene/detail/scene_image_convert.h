// drawloom/scene/detail/scene_image_convert.h - what the texture formats of the standard materials need of an image: colour
// formats as they are, grey spread over three channels, wide texels narrowed, mips made where the file brings none.
#pragma once

#include "drawloom/asset/image.h"
#include "drawloom/core/result.h"

namespace dl::detail
{

/// How a material looks at an image.
enum class ImageUse : std::uint8_t
{
    Data,   ///< linear: metallic-roughness, occlusion
    Color,  ///< sRGB: base colour, emissive
    Normal, ///< linear, x and y at least
};
ImageEncoding encodingOf(ImageUse use);

/// The image as Rgba8, Bc1, Bc3, Bc6h or Bc7. One and two channels (R8, Rg8, R16, Bc4) mean grey and alpha, except Bc5, whose
/// third channel is that of a unit normal for Normal, else zero. Floats are clamped to 0..1. Other mips than those of the file
/// are made if it has but one.
/// Unsupported: a block-compressed image where `hasBc` is false, or whose sides are no multiples of 4; names what to change.
Result<Image> convertForUse(const Image& source, ImageUse use, bool hasBc);

} // namespace dl::detail
