#include "drawloom/render/picture_readback.h"

#include "drawloom/render/render_target.h"

namespace dl
{

std::optional<Image> unpackPictureReadback(std::uint64_t token, std::span<const std::byte> bytes)
{
    const auto width = static_cast<std::uint32_t>(token >> 16U & 0xFFFFU);
    const auto height = static_cast<std::uint32_t>(token & 0xFFFFU);
    if (width == 0 || height == 0 || token != pictureToken(width, height))
        return std::nullopt;
    std::optional<std::vector<std::byte>> rows = unpadRows(bytes, width * 4U, height);
    if (!rows)
        return std::nullopt;
    Image image;
    image.name = "picture";
    image.format = ImageFormat::Rgba8;
    image.width = width;
    image.height = height;
    image.bytes = std::move(*rows);
    return image;
}

} // namespace dl
