// tests/asset/image_files.h - encoded PNG, JPEG and KTX2 files in memory for decoder tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dl::test
{

/// `colorType` and `bitDepth` as PNG numbers them; texels in PNG's layout (16 bits in the machine's order).
std::vector<std::byte> encodePngFile(
    std::uint32_t width, std::uint32_t height, std::uint8_t colorType, std::uint8_t bitDepth, std::span<const std::byte> texels);
/// RGBA, 8 bits, one colour.
std::vector<std::byte> onePixelPng(std::uint8_t r, std::uint8_t g, std::uint8_t b, std::uint8_t a);
/// One grey everywhere, quality 100.
std::vector<std::byte> greyJpegFile(std::uint32_t width, std::uint32_t height, std::uint8_t grey);
/// 16x16 texels in Adobe's four inks.
std::vector<std::byte> cmykJpegFile();
/// 16x16 grey texels, coded in several scans.
std::vector<std::byte> progressiveJpegFile(std::uint8_t grey);

/// Header fields as the KTX 2.0 specification numbers them; levels[0] is the largest, texels tightly packed.
struct Ktx2Desc
{
    std::uint32_t vkFormat = 37, width = 1, height = 1, depth = 0, layerCount = 0, faceCount = 1;
    std::uint32_t levelCount = 1; ///< as written; 0: "make them yourself"
    std::uint32_t scheme = 0;     ///< 2: levels become Zstandard frames
    std::uint32_t colorModel = 1;
    std::vector<std::vector<std::byte>> levels;
};
std::vector<std::byte> encodeKtx2File(const Ktx2Desc& desc);

} // namespace dl::test
