// drawloom/asset/detail/image_png.cpp - PNG through libspng, which checks every chunk's length and sum.
#include "drawloom/asset/detail/image_codec.h"

#include <spng.h>

#include <memory>

namespace dl::detail
{
namespace
{

constexpr std::size_t kMaxChunkBytes = std::size_t(64) << 20; // of text and profile chunks, which are not kept
constexpr std::uint64_t kMaxDeflateRatio = 1032;              // 258 bytes for each quarter byte: the format's own limit

struct ContextDeleter
{
    void operator()(spng_ctx* context) const { spng_ctx_free(context); }
};
using Context = std::unique_ptr<spng_ctx, ContextDeleter>;

Result<Context> openPng(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    Context context(spng_ctx_new(0));
    if (!context)
        return imageError(ErrorCode::OutOfMemory, name, "no memory for the PNG decoder");
    spng_set_crc_action(context.get(), SPNG_CRC_ERROR, limits.refusesDamage ? SPNG_CRC_ERROR : SPNG_CRC_DISCARD);
    spng_set_chunk_limits(context.get(), kMaxChunkBytes, kMaxChunkBytes);
    if (const int code = spng_set_png_buffer(context.get(), bytes.data(), bytes.size()); code != 0)
        return imageError(ErrorCode::BadFile, name, std::string("PNG: ") + spng_strerror(code));
    return context;
}

std::uint64_t bitsPerTexel(const spng_ihdr& header)
{
    const std::uint64_t channels = header.color_type == SPNG_COLOR_TYPE_TRUECOLOR         ? 3
                                   : header.color_type == SPNG_COLOR_TYPE_GRAYSCALE_ALPHA ? 2
                                   : header.color_type == SPNG_COLOR_TYPE_TRUECOLOR_ALPHA ? 4
                                                                                          : 1;
    return channels * header.bit_depth;
}

Result<ImageSize> readHeader(spng_ctx* context, std::size_t fileBytes, std::string_view name, const ImageLimits& limits)
{
    spng_ihdr header = {};
    if (const int code = spng_get_ihdr(context, &header); code == SPNG_EOVERFLOW)
        return imageError(ErrorCode::OutOfBudget, name,
            "PNG: a row of its texels exceeds the limit of " + std::to_string(limits.maxSideTexels) + " a side");
    else if (code != 0)
        return imageError(ErrorCode::BadFile, name, std::string("PNG header: ") + spng_strerror(code));
    DL_TRY_ASSIGN(const ImageSize size, checkImageSize(header.width, header.height, ImageFormat::Rgba8, 1, name, limits));
    // A small file can not hold many texels: found before memory is taken for them.
    const std::uint64_t packedBytes = std::uint64_t(header.width) * header.height * bitsPerTexel(header) / 8;
    if (packedBytes > std::uint64_t(fileBytes) * kMaxDeflateRatio)
        return imageError(ErrorCode::BadFile, name,
            "PNG: " + std::to_string(header.width) + " x " + std::to_string(header.height) + " texels can not be in " +
                std::to_string(fileBytes) + " bytes; the file is cut off or forged");
    return size;
}

Result<ImageSize> readPngSize(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    DL_TRY_ASSIGN(const Context context, openPng(bytes, name, limits));
    return readHeader(context.get(), bytes.size(), name, limits);
}

Result<Image> decodePng(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    DL_TRY_ASSIGN(const Context context, openPng(bytes, name, limits));
    DL_TRY_ASSIGN(const ImageSize size, readHeader(context.get(), bytes.size(), name, limits));
    Image image = makeRgba8(size, name);
    if (const int code = spng_decode_image(context.get(), image.bytes.data(), image.bytes.size(), SPNG_FMT_RGBA8, SPNG_DECODE_TRNS);
        code != 0)
        return imageError(ErrorCode::BadFile, name, std::string("PNG: ") + spng_strerror(code));
    if (!limits.refusesDamage)
        return image;
    if (const int code = spng_decode_chunks(context.get()); code != 0) // those behind the texels
        return imageError(ErrorCode::BadFile, name, std::string("PNG: ") + spng_strerror(code));
    return image;
}

} // namespace

const ImageCodec kPngCodec = {readPngSize, decodePng};

} // namespace dl::detail
