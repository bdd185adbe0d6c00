// drawloom/asset/image.cpp - sizes of image formats and mip levels.
#include "drawloom/asset/image.h"

namespace dl
{

std::uint32_t imageBlockBytes(ImageFormat format)
{
    switch (format)
    {
    case ImageFormat::R8: return 1;
    case ImageFormat::Rg8: return 2;
    case ImageFormat::Rgba8: return 4;
    case ImageFormat::R16: return 2;
    case ImageFormat::Rgba16: return 8;
    case ImageFormat::Rgba32F: return 16;
    case ImageFormat::Bc1:
    case ImageFormat::Bc4: return 8;
    case ImageFormat::Bc3:
    case ImageFormat::Bc5:
    case ImageFormat::Bc6h:
    case ImageFormat::Bc7: return 16;
    }
    return 0;
}

std::uint32_t imageBlockTexels(ImageFormat format)
{
    return format >= ImageFormat::Bc1 ? 4 : 1;
}

std::size_t Image::levelBytes(std::uint32_t mip) const
{
    const std::size_t side = imageBlockTexels(format);
    const std::size_t columns = (levelWidth(mip) + side - 1) / side;
    const std::size_t rows = (levelHeight(mip) + side - 1) / side;
    return columns * rows * imageBlockBytes(format);
}

std::size_t Image::levelOffset(std::uint32_t mip) const
{
    std::size_t offset = 0;
    for (std::uint32_t level = 0; level < mip; ++level)
        offset += levelBytes(level);
    return offset;
}

} // namespace dl
