// tests/fuzz/fuzz_codec.cpp - any bytes through one image decoder: an image whose bytes are those of its size, or one error.
// Built once for each codec; the first bytes are made those of its files, so that mutations never leave it. Limits are
// small, so that a large allocation is a finding and not a slow run.
#include "drawloom/asset/image_decode.h"
#include "tests/fuzz/fuzz_reached.h"

#include <cstring>
#include <vector>

namespace
{

constexpr dl::ImageFileKind kKind = dl::ImageFileKind::DL_FUZZ_KIND;

constexpr std::string_view magic()
{
    switch (kKind)
    {
    case dl::ImageFileKind::Png: return "\x89PNG\r\n\x1a\n";
    case dl::ImageFileKind::Jpeg: return "\xff\xd8\xff";
    case dl::ImageFileKind::Ktx2: return "\xabKTX 20\xbb\r\n\x1a\n";
    case dl::ImageFileKind::Hdr: return "#?RADIANCE";
    default: return "RIFF";
    }
}

std::vector<std::byte> withMagic(const std::uint8_t* data, std::size_t size)
{
    std::vector<std::byte> bytes(std::max<std::size_t>(size, 16));
    if (size != 0)
        std::memcpy(bytes.data(), data, size);
    std::memcpy(bytes.data(), magic().data(), magic().size());
    if (kKind == dl::ImageFileKind::Webp)
        std::memcpy(bytes.data() + 8, "WEBP", 4);
    return bytes;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    using dl::fuzz::require;
    const std::vector<std::byte> bytes = withMagic(data, size);
    require(dl::imageFileKind(bytes) == kKind);
    dl::ImageLimits limits{.maxSideTexels = 2048, .maxTexels = 1U << 18U, .maxDecodedBytes = 4U << 20U};
    const dl::Result<dl::ImageSize> header = dl::readImageSize(bytes, "fuzz", limits);
    const dl::Result<dl::Image> image = dl::decodeImage(bytes, "fuzz", limits);
    if (!image)
    {
        require(!image.error().message.empty());
        return 0;
    }
    DL_FUZZ_REACHED("decoded");
    require(header.has_value() && header->width == image->width && header->height == image->height);
    require(header->decodedBytes == image->bytes.size() && image->bytes.size() <= limits.maxDecodedBytes);
    require(image->bytes.size() == image->levelOffset(image->mipCount));
    limits.refusesDamage = true;
    const dl::Result<dl::Image> whole = dl::decodeImage(bytes, "fuzz", limits);
    require(!whole || whole->bytes == image->bytes);
    return 0;
}
