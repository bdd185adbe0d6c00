// drawloom/render/picture_readback.h - recognises the renderer's own picture readbacks by their tokens, so that a replayed
// capture gives its pictures without knowing the renderer.
#pragma once

#include "drawloom/asset/image.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace dl
{

/// Token of a picture of this size. Bits: 61 marks a picture, 16..31 width, 0..15 height.
constexpr std::uint64_t pictureToken(std::uint32_t width, std::uint32_t height)
{
    return 1ULL << 61U | std::uint64_t(width) << 16U | height;
}

/// The picture in a readback's bytes (rows padded to 256 bytes), or nothing if the token is not a picture's or the bytes
/// are too few.
std::optional<Image> unpackPictureReadback(std::uint64_t token, std::span<const std::byte> bytes);

} // namespace dl
