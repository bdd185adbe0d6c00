// tests/asset/image_files.h - encoded PNG and JPEG files in memory for decoder tests.
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

} // namespace dl::test
