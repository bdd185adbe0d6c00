// drawloom/asset/detail/image_webp.cpp - still WebP images, lossy and lossless, through libwebp.
#include "drawloom/asset/detail/image_codec.h"

#include <webp/decode.h>

namespace dl::detail
{
namespace
{

std::string statusText(VP8StatusCode status)
{
    switch (status)
    {
    case VP8_STATUS_OUT_OF_MEMORY: return "no memory for the decoder";
    case VP8_STATUS_SUSPENDED:
    case VP8_STATUS_NOT_ENOUGH_DATA: return "the file is cut off";
    case VP8_STATUS_UNSUPPORTED_FEATURE: return "a feature that the decoder does not know";
    default: return "broken bitstream";
    }
}

Error webpError(VP8StatusCode status, std::string_view name)
{
    const ErrorCode code = status == VP8_STATUS_OUT_OF_MEMORY         ? ErrorCode::OutOfMemory
                           : status == VP8_STATUS_UNSUPPORTED_FEATURE ? ErrorCode::Unsupported
                                                                      : ErrorCode::BadFile;
    return imageError(code, name, "WebP: " + statusText(status));
}

Result<ImageSize> readWebpSize(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    WebPBitstreamFeatures features = {};
    const VP8StatusCode status = WebPGetFeatures(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), &features);
    if (status != VP8_STATUS_OK || features.width < 0 || features.height < 0)
        return webpError(status, name);
    if (features.has_animation != 0)
        return imageError(ErrorCode::Unsupported, name, "animated WebP; save one frame of it");
    return checkImageSize(
        static_cast<std::uint64_t>(features.width), static_cast<std::uint64_t>(features.height), ImageFormat::Rgba8, 1, name, limits);
}

Result<Image> decodeWebp(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    DL_TRY_ASSIGN(const ImageSize size, readWebpSize(bytes, name, limits));
    WebPDecoderConfig config;
    if (WebPInitDecoderConfig(&config) == 0)
        return imageError(ErrorCode::Unsupported, name, "WebP: the libwebp that is installed does not match its headers");
    Image image = makeRgba8(size, name);
    config.output.colorspace = MODE_RGBA;
    config.output.is_external_memory = 1;
    config.output.u.RGBA.rgba = reinterpret_cast<std::uint8_t*>(image.bytes.data());
    config.output.u.RGBA.stride = static_cast<int>(size.width * 4);
    config.output.u.RGBA.size = image.bytes.size();
    const VP8StatusCode status = WebPDecode(reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size(), &config);
    WebPFreeDecBuffer(&config.output);
    if (status != VP8_STATUS_OK)
        return webpError(status, name);
    return image;
}

} // namespace

const ImageCodec kWebpCodec = {readWebpSize, decodeWebp};

} // namespace dl::detail
