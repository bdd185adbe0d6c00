#include "tests/asset/image_files.h"

#include <spng.h>
#include <turbojpeg.h>
#include <zstd.h>

#include <algorithm>
#include <cstdlib>

namespace dl::test
{

std::vector<std::byte> encodePngFile(
    std::uint32_t width, std::uint32_t height, std::uint8_t colorType, std::uint8_t bitDepth, std::span<const std::byte> texels)
{
    spng_ctx* context = spng_ctx_new(SPNG_CTX_ENCODER);
    spng_set_option(context, SPNG_ENCODE_TO_BUFFER, 1);
    spng_ihdr header = {};
    header.width = width;
    header.height = height;
    header.color_type = colorType;
    header.bit_depth = bitDepth;
    spng_set_ihdr(context, &header);
    spng_encode_image(context, texels.data(), texels.size(), SPNG_FMT_PNG, SPNG_ENCODE_FINALIZE);
    std::size_t size = 0;
    int code = 0;
    void* data = spng_get_png_buffer(context, &size, &code);
    const auto* bytes = static_cast<const std::byte*>(data);
    std::vector<std::byte> out(bytes, bytes + size);
    std::free(data);
    spng_ctx_free(context);
    return out;
}

std::vector<std::byte> onePixelPng(std::uint8_t r, std::uint8_t g, std::uint8_t b, std::uint8_t a)
{
    const std::uint8_t texel[4] = {r, g, b, a};
    return encodePngFile(1, 1, SPNG_COLOR_TYPE_TRUECOLOR_ALPHA, 8, std::as_bytes(std::span(texel)));
}

namespace
{
std::vector<std::byte> encodeJpegFile(
    const std::vector<unsigned char>& texels, std::uint32_t width, std::uint32_t height, int pixelFormat, int subsampling, int flags)
{
    const tjhandle handle = tjInitCompress();
    unsigned char* data = nullptr;
    unsigned long size = 0;
    tjCompress2(
        handle, texels.data(), static_cast<int>(width), 0, static_cast<int>(height), pixelFormat, &data, &size, subsampling, 100, flags);
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    std::vector<std::byte> out(bytes, bytes + size);
    tjFree(data);
    tjDestroy(handle);
    return out;
}

/// Little-endian, with zeros above.
void put(std::vector<std::byte>& out, std::uint64_t value, std::size_t byteCount)
{
    for (std::size_t i = 0; i < byteCount; ++i, value >>= 8U)
        out.push_back(static_cast<std::byte>(value & 0xFFU));
}

std::vector<std::byte> zstdFrame(const std::vector<std::byte>& bytes)
{
    std::vector<std::byte> out(ZSTD_compressBound(bytes.size()));
    out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 3));
    return out;
}
} // namespace

std::vector<std::byte> greyJpegFile(std::uint32_t width, std::uint32_t height, std::uint8_t grey)
{
    return encodeJpegFile(std::vector<unsigned char>(std::size_t(width) * height, grey), width, height, TJPF_GRAY, TJSAMP_GRAY, 0);
}

std::vector<std::byte> cmykJpegFile()
{
    return encodeJpegFile(std::vector<unsigned char>(16 * 16 * 4, 60), 16, 16, TJPF_CMYK, TJSAMP_444, 0);
}

std::vector<std::byte> progressiveJpegFile(std::uint8_t grey)
{
    return encodeJpegFile(std::vector<unsigned char>(16 * 16 * 3, grey), 16, 16, TJPF_RGB, TJSAMP_420, TJFLAG_PROGRESSIVE);
}

std::vector<std::byte> encodeKtx2File(const Ktx2Desc& desc)
{
    constexpr std::uint64_t kDescriptorBytes = 28;
    std::vector<std::byte> out;
    for (const char c : {'\xab', 'K', 'T', 'X', ' ', '2', '0', '\xbb', '\r', '\n', '\x1a', '\n'})
        out.push_back(static_cast<std::byte>(c));
    const std::uint64_t descriptorAt = 80 + 24 * desc.levels.size();
    for (const std::uint64_t value : {std::uint64_t(desc.vkFormat), std::uint64_t(1), std::uint64_t(desc.width), std::uint64_t(desc.height),
             std::uint64_t(desc.depth), std::uint64_t(desc.layerCount), std::uint64_t(desc.faceCount), std::uint64_t(desc.levelCount),
             std::uint64_t(desc.scheme), descriptorAt, kDescriptorBytes, std::uint64_t(0), std::uint64_t(0)})
        put(out, value, 4);
    put(out, 0, 16); // no supercompression data
    std::vector<std::byte> body;
    for (const std::vector<std::byte>& level : desc.levels)
    {
        const std::vector<std::byte> stored = desc.scheme == 2 ? zstdFrame(level) : level;
        put(out, descriptorAt + kDescriptorBytes + body.size(), 8);
        put(out, stored.size(), 8);
        put(out, level.size(), 8);
        body.insert(body.end(), stored.begin(), stored.end());
    }
    put(out, kDescriptorBytes, 4);
    put(out, 0, 8);
    put(out, desc.colorModel, 4);
    put(out, 0, 12);
    out.insert(out.end(), body.begin(), body.end());
    return out;
}

} // namespace dl::test
