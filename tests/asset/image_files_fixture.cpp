#include "tests/asset/image_files.h"

#include <spng.h>
#include <turbojpeg.h>

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

std::vector<std::byte> greyJpegFile(std::uint32_t width, std::uint32_t height, std::uint8_t grey)
{
    const std::vector<unsigned char> texels(std::size_t(width) * height, grey);
    const tjhandle handle = tjInitCompress();
    unsigned char* data = nullptr;
    unsigned long size = 0;
    tjCompress2(handle, texels.data(), static_cast<int>(width), 0, static_cast<int>(height), TJPF_GRAY, &data, &size, TJSAMP_GRAY, 100, 0);
    const auto* bytes = reinterpret_cast<const std::byte*>(data);
    std::vector<std::byte> out(bytes, bytes + size);
    tjFree(data);
    tjDestroy(handle);
    return out;
}

} // namespace dl::test
