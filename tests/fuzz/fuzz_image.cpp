// tests/fuzz/fuzz_image.cpp - any bytes through the image decoders: an image whose bytes are those of its size, or one error.
// Limits are small, so that a large allocation is a finding and not a slow run. Corpus: image files of every format.
#include "drawloom/asset/image_decode.h"

#include <cstdlib>

namespace
{

void require(bool holds)
{
    if (!holds)
        std::abort();
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    const dl::ImageLimits limits{.maxSideTexels = 2048, .maxTexels = 1U << 18U, .maxDecodedBytes = 4U << 20U};
    const std::span<const std::byte> bytes = std::as_bytes(std::span(data, size));
    const dl::Result<dl::ImageSize> header = dl::readImageSize(bytes, "fuzz", limits);
    const dl::Result<dl::Image> image = dl::decodeImage(bytes, "fuzz", limits);
    if (!image)
    {
        require(!image.error().message.empty());
        return 0;
    }
    require(header.has_value() && header->width == image->width && header->height == image->height);
    require(header->decodedBytes == image->bytes.size() && image->bytes.size() <= limits.maxDecodedBytes);
    require(image->bytes.size() == image->levelOffset(image->mipCount));
    return 0;
}
