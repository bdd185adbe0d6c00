// drawloom/asset/detail/image_ktx2.cpp - KTX 2.0 textures with one 2D image and its mips, plain or in Zstandard frames; what
// is stored otherwise is refused by name. Follows the Khronos KTX File Format Specification 2.0 and, for Basis Universal's
// colour models, the Khronos Data Format Specification 1.3.
#include "drawloom/asset/detail/image_codec.h"
#include "drawloom/asset/image_mips.h"

#include <zstd.h>

#include <array>
#include <cstring>
#include <vector>

namespace dl::detail
{
namespace
{

constexpr std::size_t kHeaderBytes = 80;
constexpr std::size_t kLevelEntryBytes = 24;

/// A Vulkan format number and the image that it becomes. Three-channel texels get a fourth channel of ones.
struct FormatRow
{
    std::uint32_t vkFormat;
    ImageFormat format;
    bool isRgb = false;
    bool hasAlpha = false; ///< of block formats: alpha may be below one
};
constexpr FormatRow kFormats[] = {
    {9, ImageFormat::R8},
    {15, ImageFormat::R8}, // R8 UNORM, SRGB
    {16, ImageFormat::Rg8},
    {22, ImageFormat::Rg8}, // R8G8
    {23, ImageFormat::Rgba8, true},
    {29, ImageFormat::Rgba8, true}, // R8G8B8
    {37, ImageFormat::Rgba8},
    {43, ImageFormat::Rgba8}, // R8G8B8A8
    {70, ImageFormat::R16},
    {91, ImageFormat::Rgba16},   // R16, R16G16B16A16 UNORM
    {109, ImageFormat::Rgba32F}, // R32G32B32A32 SFLOAT
    {131, ImageFormat::Bc1},
    {132, ImageFormat::Bc1}, // BC1 RGB UNORM, SRGB
    {133, ImageFormat::Bc1, false, true},
    {134, ImageFormat::Bc1, false, true}, // BC1 RGBA
    {137, ImageFormat::Bc3, false, true},
    {138, ImageFormat::Bc3, false, true},
    {139, ImageFormat::Bc4},
    {141, ImageFormat::Bc5},  // UNORM
    {143, ImageFormat::Bc6h}, // UFLOAT
    {145, ImageFormat::Bc7, false, true},
    {146, ImageFormat::Bc7, false, true},
};

/// Formats that people meet and this reader refuses.
struct FormatName
{
    std::uint32_t first, last;
    const char* name;
};
constexpr FormatName kRefusedNames[] = {{30, 36, "8-bit BGR"}, {44, 50, "8-bit BGRA"}, {71, 75, "signed or integer 16-bit texels"},
    {76, 76, "16-bit floats"}, {77, 83, "16-bit RG"}, {84, 90, "16-bit RGB"}, {97, 97, "16-bit floats"}, {100, 108, "32-bit texels"},
    {124, 130, "depth texels"}, {135, 136, "BC2"}, {140, 140, "signed BC4"}, {142, 142, "signed BC5"}, {144, 144, "signed BC6H"},
    {147, 156, "ETC2 or EAC"}, {157, 184, "ASTC"}};

enum class Supercompression : std::uint32_t
{
    None = 0,
    BasisLz = 1,
    Zstd = 2,
    Zlib = 3
};

struct Level
{
    std::span<const std::byte> stored;
    std::size_t texelBytes = 0; ///< before supercompression and before expansion to four channels
};

struct Header
{
    FormatRow format = {};
    ImageSize size;
    std::uint32_t mipCount = 1;
    bool isZstd = false;
    std::array<Level, 32> levels; ///< by mip
};

/// Little-endian numbers of a file that is long enough there.
std::uint64_t readNumber(std::span<const std::byte> bytes, std::size_t at, std::size_t byteCount)
{
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < byteCount; ++i)
        value |= std::to_integer<std::uint64_t>(bytes[at + i]) << (8 * i);
    return value;
}

std::uint32_t readU32(std::span<const std::byte> bytes, std::size_t at)
{
    return static_cast<std::uint32_t>(readNumber(bytes, at, 4));
}

Error badKtx(std::string_view name, const std::string& message)
{
    return imageError(ErrorCode::BadFile, name, "KTX2: " + message);
}

Error unsupported(std::string_view name, const std::string& message)
{
    return imageError(ErrorCode::Unsupported, name, "KTX2: " + message);
}

bool liesInside(std::span<const std::byte> bytes, std::uint64_t offset, std::uint64_t count)
{
    return offset <= bytes.size() && count <= bytes.size() - offset;
}

/// The colour model of the basic data format descriptor: 166 UASTC, 163 ETC1S. The block starts after the total size.
Result<std::uint32_t> readColorModel(std::span<const std::byte> bytes, std::string_view name)
{
    constexpr std::uint32_t kTotalSizeBytes = 4, kBlockHeaderBytes = 24;
    const std::uint32_t offset = readU32(bytes, 48);
    const std::uint32_t count = readU32(bytes, 52);
    if (!liesInside(bytes, offset, count))
        return badKtx(name, "the data format descriptor ends past the file's end");
    if (count < kTotalSizeBytes + kBlockHeaderBytes || readU32(bytes, offset) != count)
        return badKtx(name, "the data format descriptor of " + std::to_string(count) + " bytes is broken");
    return readU32(bytes, offset + kTotalSizeBytes + 8) & 0xffU;
}

Error unknownFormat(std::uint32_t vkFormat, std::string_view name)
{
    for (const FormatName& refused : kRefusedNames)
        if (vkFormat >= refused.first && vkFormat <= refused.last)
            return unsupported(name,
                std::string(refused.name) + " (VkFormat " + std::to_string(vkFormat) + ") are not read; convert to 8-bit RGBA or BC7");
    return unsupported(name, "VkFormat " + std::to_string(vkFormat) + " is not read; convert to 8-bit RGBA or BC7");
}

Result<FormatRow> readFormat(std::span<const std::byte> bytes, std::string_view name)
{
    DL_TRY_ASSIGN(const std::uint32_t colorModel, readColorModel(bytes, name));
    const std::uint32_t vkFormat = readU32(bytes, 12);
    const std::uint32_t scheme = readU32(bytes, 44);
    constexpr const char* kAdvice = " is not read; add a PNG, JPEG or WebP beside it, or transcode it to BC7";
    if (scheme == static_cast<std::uint32_t>(Supercompression::BasisLz) || (vkFormat == 0 && colorModel == 163))
        return unsupported(name, std::string("Basis Universal (ETC1S)") + kAdvice);
    if (vkFormat == 0 && colorModel == 166)
        return unsupported(name, std::string("Basis Universal (UASTC)") + kAdvice);
    if (scheme == static_cast<std::uint32_t>(Supercompression::Zlib))
        return unsupported(name, "zlib supercompression is not read; use Zstandard");
    if (scheme > static_cast<std::uint32_t>(Supercompression::Zlib))
        return unsupported(name, "supercompression scheme " + std::to_string(scheme) + " is not known");
    for (const FormatRow& row : kFormats)
        if (row.vkFormat == vkFormat)
            return row;
    return unknownFormat(vkFormat, name);
}

Result<void> checkShape(std::span<const std::byte> bytes, std::string_view name)
{
    const std::uint32_t depth = readU32(bytes, 28);
    const std::uint32_t layerCount = readU32(bytes, 32);
    const std::uint32_t faceCount = readU32(bytes, 36);
    if (readU32(bytes, 24) == 0)
        return unsupported(name, "a 1D texture; only 2D ones are read");
    if (depth > 0)
        return unsupported(name, "a 3D texture (depth " + std::to_string(depth) + "); only 2D ones are read");
    if (faceCount == 6)
        return unsupported(name, "a cube texture; only 2D ones are read");
    if (faceCount != 1)
        return badKtx(name, std::to_string(faceCount) + " faces; 1 or 6 are possible");
    if (layerCount > 0)
        return unsupported(name, "an array texture of " + std::to_string(layerCount) + " layers; only 2D ones are read");
    return {};
}

Result<void> readLevels(std::span<const std::byte> bytes, std::string_view name, Header& header)
{
    if (!liesInside(bytes, kHeaderBytes, std::uint64_t(header.mipCount) * kLevelEntryBytes))
        return badKtx(name, "cut off in the level index");
    Image shape;
    shape.format = header.format.format;
    shape.width = header.size.width;
    shape.height = header.size.height;
    for (std::uint32_t mip = 0; mip < header.mipCount; ++mip)
    {
        const std::size_t at = kHeaderBytes + mip * kLevelEntryBytes;
        const std::uint64_t offset = readNumber(bytes, at, 8);
        const std::uint64_t storedBytes = readNumber(bytes, at + 8, 8);
        const std::uint64_t statedBytes = readNumber(bytes, at + 16, 8);
        const std::size_t texelBytes = header.format.isRgb ? shape.levelBytes(mip) / 4 * 3 : shape.levelBytes(mip);
        const std::string level = "level " + std::to_string(mip);
        if (!liesInside(bytes, offset, storedBytes))
            return badKtx(name, level + " of " + std::to_string(storedBytes) + " bytes ends past the file's end");
        if (statedBytes != texelBytes || (!header.isZstd && storedBytes != texelBytes))
            return badKtx(name, level + " has " + std::to_string(header.isZstd ? statedBytes : storedBytes) + " bytes, its size needs " +
                                    std::to_string(texelBytes));
        header.levels[mip] = {bytes.subspan(static_cast<std::size_t>(offset), static_cast<std::size_t>(storedBytes)), texelBytes};
    }
    return {};
}

Result<Header> readHeader(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    if (bytes.size() < kHeaderBytes)
        return badKtx(name, "cut off after " + std::to_string(bytes.size()) + " bytes, in the header");
    Header header;
    DL_TRY_ASSIGN(header.format, readFormat(bytes, name));
    DL_TRY(checkShape(bytes, name));
    const std::uint32_t width = readU32(bytes, 20);
    const std::uint32_t height = readU32(bytes, 24);
    const std::uint32_t levelCount = readU32(bytes, 40);
    header.isZstd = readU32(bytes, 44) == static_cast<std::uint32_t>(Supercompression::Zstd);
    header.mipCount = levelCount == 0 ? 1 : levelCount; // none: the reader may make the others
    if (header.mipCount > fullMipCount(width, height))
        return badKtx(name, std::to_string(levelCount) + " levels; " + std::to_string(width) + " x " + std::to_string(height) +
                                " texels have at most " + std::to_string(fullMipCount(width, height)));
    DL_TRY_ASSIGN(header.size, checkImageSize(width, height, header.format.format, header.mipCount, name, limits));
    DL_TRY(readLevels(bytes, name, header));
    return header;
}

/// The frame must say or turn out to hold exactly what the level needs; it is never trusted with more room.
Result<void> decompress(const Level& level, std::string_view name, std::byte* out)
{
    const unsigned long long stated = ZSTD_getFrameContentSize(level.stored.data(), level.stored.size());
    if (stated == ZSTD_CONTENTSIZE_ERROR)
        return badKtx(name, "a level holds no Zstandard frame");
    if (stated != ZSTD_CONTENTSIZE_UNKNOWN && stated != level.texelBytes)
        return badKtx(
            name, "a Zstandard frame holds " + std::to_string(stated) + " bytes, its level needs " + std::to_string(level.texelBytes));
    const std::size_t written = ZSTD_decompress(out, level.texelBytes, level.stored.data(), level.stored.size());
    if (ZSTD_isError(written) != 0U)
        return badKtx(name, std::string("Zstandard: ") + ZSTD_getErrorName(written));
    if (written != level.texelBytes)
        return badKtx(
            name, "a Zstandard frame holds " + std::to_string(written) + " bytes, its level needs " + std::to_string(level.texelBytes));
    return {};
}

void expandRgb(std::span<const std::byte> rgb, std::byte* out)
{
    for (std::size_t i = 0; i < rgb.size() / 3; ++i)
    {
        std::memcpy(out + i * 4, rgb.data() + i * 3, 3);
        out[i * 4 + 3] = std::byte{255};
    }
}

Result<ImageSize> readKtx2Size(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    DL_TRY_ASSIGN(const Header header, readHeader(bytes, name, limits));
    return header.size;
}

Result<Image> decodeKtx2(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    DL_TRY_ASSIGN(const Header header, readHeader(bytes, name, limits));
    Image image;
    image.name = name;
    image.format = header.format.format;
    image.width = header.size.width;
    image.height = header.size.height;
    image.mipCount = header.mipCount;
    image.hasAlpha = header.format.hasAlpha;
    image.bytes.resize(static_cast<std::size_t>(header.size.decodedBytes));
    std::vector<std::byte> rgb;
    for (std::uint32_t mip = 0; mip < header.mipCount; ++mip)
    {
        const Level& level = header.levels[mip];
        std::byte* out = image.bytes.data() + image.levelOffset(mip);
        std::span<const std::byte> texels = level.stored;
        if (header.isZstd)
        {
            rgb.resize(header.format.isRgb ? level.texelBytes : 0);
            std::byte* target = header.format.isRgb ? rgb.data() : out;
            DL_TRY(decompress(level, name, target));
            texels = {target, level.texelBytes};
        }
        if (header.format.isRgb)
            expandRgb(texels, out);
        else if (!header.isZstd)
            std::memcpy(out, texels.data(), texels.size());
    }
    return image;
}

} // namespace

const ImageCodec kKtx2Codec = {readKtx2Size, decodeKtx2};

} // namespace dl::detail
