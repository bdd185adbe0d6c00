#include "drawloom/asset/png_write.h"

#include <spng.h>

#include <cstdlib>
#include <fstream>
#include <memory>
#include <span>
#include <string>

namespace dl
{
namespace
{

constexpr int kCompressionLevel = 5; // larger levels cost several times the time for a few per cent

struct ContextDeleter
{
    void operator()(spng_ctx* context) const { spng_ctx_free(context); }
};

Error pngError(const Image& image, const char* step, int code)
{
    return Error{ErrorCode::Io, "image \"" + image.name + "\": PNG encoding failed (" + step + "): " + spng_strerror(code)};
}

struct PngLayout
{
    std::uint8_t bitDepth = 8;
    std::uint8_t colorType = 0;
};

Result<PngLayout> layoutOf(const Image& image)
{
    switch (image.format)
    {
    case ImageFormat::R8: return PngLayout{8, SPNG_COLOR_TYPE_GRAYSCALE};
    case ImageFormat::Rg8: return PngLayout{8, SPNG_COLOR_TYPE_GRAYSCALE_ALPHA};
    case ImageFormat::Rgba8: return PngLayout{8, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA};
    case ImageFormat::R16: return PngLayout{16, SPNG_COLOR_TYPE_GRAYSCALE};
    case ImageFormat::Rgba16: return PngLayout{16, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA};
    default: break;
    }
    return Error{ErrorCode::Unsupported, "image \"" + image.name + "\": PNG holds neither float nor block-compressed texels"};
}

bool isOpaque(std::span<const std::byte> texels)
{
    for (std::size_t i = 3; i < texels.size(); i += 4)
        if (texels[i] != std::byte{255})
            return false;
    return true;
}

std::vector<std::byte> withoutAlpha(std::span<const std::byte> texels)
{
    std::vector<std::byte> out;
    out.reserve(texels.size() / 4 * 3);
    for (std::size_t i = 0; i < texels.size(); i += 4)
        out.insert(out.end(), {texels[i], texels[i + 1], texels[i + 2]});
    return out;
}

} // namespace

Result<std::vector<std::byte>> encodePng(const Image& image)
{
    DL_TRY_ASSIGN(PngLayout layout, layoutOf(image));
    if (image.width == 0 || image.height == 0 || image.bytes.size() < image.levelBytes(0))
        return Error{ErrorCode::InvalidArgument, "image \"" + image.name + "\": " + std::to_string(image.width) + "x" +
                                                     std::to_string(image.height) + " texels do not lie in " +
                                                     std::to_string(image.bytes.size()) + " bytes"};
    std::span<const std::byte> texels(image.bytes.data(), image.levelBytes(0));
    std::vector<std::byte> packed;
    if (image.format == ImageFormat::Rgba8 && isOpaque(texels))
    {
        packed = withoutAlpha(texels);
        texels = packed;
        layout.colorType = SPNG_COLOR_TYPE_TRUECOLOR;
    }

    const std::unique_ptr<spng_ctx, ContextDeleter> context(spng_ctx_new(SPNG_CTX_ENCODER));
    if (!context)
        return Error{ErrorCode::OutOfMemory, "image \"" + image.name + "\": no memory for the PNG encoder"};
    spng_ihdr header{};
    header.width = image.width;
    header.height = image.height;
    header.bit_depth = layout.bitDepth;
    header.color_type = layout.colorType;
    spng_set_option(context.get(), SPNG_ENCODE_TO_BUFFER, 1);
    spng_set_option(context.get(), SPNG_IMG_COMPRESSION_LEVEL, kCompressionLevel);
    if (const int code = spng_set_ihdr(context.get(), &header); code != 0)
        return pngError(image, "header", code);
    if (const int code = spng_encode_image(context.get(), texels.data(), texels.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE); code != 0)
        return pngError(image, "texels", code);
    std::size_t size = 0;
    int code = 0;
    const std::unique_ptr<void, decltype(&std::free)> buffer(spng_get_png_buffer(context.get(), &size, &code), &std::free);
    if (!buffer || code != 0)
        return pngError(image, "end", code);
    const auto* bytes = static_cast<const std::byte*>(buffer.get());
    return std::vector<std::byte>(bytes, bytes + size);
}

Result<void> writePng(const std::filesystem::path& path, const Image& image)
{
    DL_TRY_ASSIGN(const std::vector<std::byte> bytes, encodePng(image));
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    file.close();
    if (!file)
        return Error{ErrorCode::Io, "can not write \"" + path.string() + "\""};
    return {};
}

} // namespace dl
