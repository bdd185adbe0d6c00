// drawloom/asset/detail/image_codec.h - one reader per image file format behind image_decode.h, which tells the format. Each
// reads the size without decoding, and checks it against the limits before it takes memory for texels.
#pragma once

#include "drawloom/asset/image_decode.h"

#include <string>

namespace dl::detail
{

struct ImageCodec
{
    Result<ImageSize> (*readSize)(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits);
    /// Leaves hasAlpha and contentHash to the caller.
    Result<Image> (*decode)(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits);
};

extern const ImageCodec kPngCodec;
extern const ImageCodec kJpegCodec;
extern const ImageCodec kWebpCodec;
extern const ImageCodec kKtx2Codec;
extern const ImageCodec kHdrCodec;

/// `image "NAME": ` and the message.
Error imageError(ErrorCode code, std::string_view name, const std::string& message);

/// BadFile: no texels. OutOfBudget: past a limit, counting all of mipCount levels in `format`.
Result<ImageSize> checkImageSize(std::uint64_t width, std::uint64_t height, ImageFormat format, std::uint32_t mipCount,
    std::string_view name, const ImageLimits& limits);

/// One Rgba8 level of zeros.
Image makeRgba8(ImageSize size, std::string_view name);

} // namespace dl::detail
