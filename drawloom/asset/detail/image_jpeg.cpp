// drawloom/asset/detail/image_jpeg.cpp - JPEG, baseline and progressive, through libjpeg-turbo's TurboJPEG interface.
#include "drawloom/asset/detail/image_codec.h"

#include <turbojpeg.h>

#include <memory>

namespace dl::detail
{
namespace
{

struct HandleDeleter
{
    void operator()(void* handle) const { tjDestroy(handle); }
};
using Handle = std::unique_ptr<void, HandleDeleter>;

Result<ImageSize> readHeader(tjhandle handle, std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    if (handle == nullptr)
        return imageError(ErrorCode::OutOfMemory, name, "no memory for the JPEG decoder");
    int width = 0;
    int height = 0;
    int subsampling = 0;
    int colourspace = 0;
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    if (tjDecompressHeader3(handle, data, static_cast<unsigned long>(bytes.size()), &width, &height, &subsampling, &colourspace) != 0 ||
        width < 0 || height < 0)
        return imageError(ErrorCode::BadFile, name, std::string("JPEG header: ") + tjGetErrorStr2(handle));
    if (colourspace == TJCS_CMYK || colourspace == TJCS_YCCK)
        return imageError(ErrorCode::Unsupported, name, "JPEG in CMYK; save it as RGB");
    return checkImageSize(static_cast<std::uint64_t>(width), static_cast<std::uint64_t>(height), ImageFormat::Rgba8, 1, name, limits);
}

Result<ImageSize> readJpegSize(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    const Handle handle(tjInitDecompress());
    return readHeader(handle.get(), bytes, name, limits);
}

Result<Image> decodeJpeg(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    const Handle handle(tjInitDecompress());
    DL_TRY_ASSIGN(const ImageSize size, readHeader(handle.get(), bytes, name, limits));
    Image image = makeRgba8(size, name);
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    auto* out = reinterpret_cast<unsigned char*>(image.bytes.data());
    // Warnings (a cut-off tail, stray bytes) leave a usable picture; scans are limited against progressive-scan bombs.
    if (tjDecompress2(handle.get(), data, static_cast<unsigned long>(bytes.size()), out, static_cast<int>(size.width), 0,
            static_cast<int>(size.height), TJPF_RGBA, TJFLAG_ACCURATEDCT | TJFLAG_LIMITSCANS) != 0 &&
        (limits.refusesDamage || tjGetErrorCode(handle.get()) != TJERR_WARNING))
        return imageError(ErrorCode::BadFile, name, std::string("JPEG: ") + tjGetErrorStr2(handle.get()));
    return image;
}

} // namespace

const ImageCodec kJpegCodec = {readJpegSize, decodeJpeg};

} // namespace dl::detail
