// tests/fuzz/fuzz_image.cpp - any bytes through the PNG and JPEG decoders: an image of the size that its header told, or
// one error, nothing else.
#include "drawloom/asset/image_decode.h"

#include <cstdint>
#include <cstdlib>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const dl::ImageLimits limits{.maxSideTexels = 1024, .maxTexels = 1U << 18U};
    const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
    const dl::Result<dl::ImageSize> told = dl::readImageSize(bytes, "fuzz", limits);
    const dl::Result<dl::Image> image = dl::decodeImage(bytes, "fuzz", limits);
    if (!image)
    {
        if (image.error().message.empty())
            std::abort();
        return 0;
    }
    if (!told || told->width != image->width || told->height != image->height || image->bytes.size() != image->levelBytes(0))
        std::abort();
    return 0;
}
