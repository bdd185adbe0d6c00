// drawloom/asset/detail/image_hdr.cpp - Radiance pictures (.hdr): shared-exponent RGBE texels, flat or run-length coded in the
// old and the new way, after G. Ward, "Real Pixels" (Graphics Gems II) and Radiance's file format notes.
#include "drawloom/asset/detail/image_codec.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <vector>

namespace dl::detail
{
namespace
{

constexpr std::size_t kMaxHeaderBytes = 65536;
constexpr std::uint32_t kLeastNewRunWidth = 8, kMostNewRunWidth = 32767; // rows of other widths never use new run lengths

struct Header
{
    ImageSize size;
    std::size_t texelsAt = 0;
    bool isBottomUp = false, isRightToLeft = false;
};

Error badHdr(std::string_view name, const std::string& message)
{
    return imageError(ErrorCode::BadFile, name, "HDR: " + message);
}

/// The next line, without its end; false at the end of the file.
bool takeLine(std::string_view text, std::size_t& at, std::string_view& line)
{
    const std::size_t end = text.find('\n', at);
    if (end == std::string_view::npos)
        return false;
    line = text.substr(at, end - at);
    if (!line.empty() && line.back() == '\r')
        line.remove_suffix(1);
    at = end + 1;
    return true;
}

/// One "-Y 512" of the resolution line; moves past it.
bool takeAxis(std::string_view& line, char axis, bool& isNegative, std::uint64_t& count)
{
    if (line.size() < 4 || (line[0] != '+' && line[0] != '-') || line[1] != axis || line[2] != ' ')
        return false;
    isNegative = line[0] == '-';
    const char* begin = line.data() + 3;
    const char* end = line.data() + line.size();
    const auto [stop, error] = std::from_chars(begin, end, count);
    if (error != std::errc() || stop == begin)
        return false;
    line.remove_prefix(static_cast<std::size_t>(stop - line.data()));
    while (!line.empty() && line.front() == ' ')
        line.remove_prefix(1);
    return true;
}

Result<Header> readHeader(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    const std::string_view text(reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kMaxHeaderBytes));
    Header header;
    std::string_view line;
    do
    {
        if (!takeLine(text, header.texelsAt, line))
            return badHdr(name, "the header has no end");
        if (line.starts_with("FORMAT=") && line != "FORMAT=32-bit_rle_rgbe")
            return imageError(ErrorCode::Unsupported, name, "HDR: " + std::string(line.substr(0, 40)) + " is not read; save it as RGBE");
    } while (!line.empty());
    if (!takeLine(text, header.texelsAt, line))
        return badHdr(name, "the header has no line with the size");
    std::string_view rest = line;
    std::uint64_t width = 0;
    std::uint64_t height = 0;
    bool isTopDown = false;
    if (rest.size() > 1 && rest[1] == 'X')
        return imageError(ErrorCode::Unsupported, name, "HDR: stored by columns (\"" + std::string(line.substr(0, 40)) + "\"); rotate it");
    if (!takeAxis(rest, 'Y', isTopDown, height) || !takeAxis(rest, 'X', header.isRightToLeft, width) || !rest.empty())
        return badHdr(name, "\"" + std::string(line.substr(0, 40)) + "\" is no size such as \"-Y 512 +X 1024\"");
    header.isBottomUp = !isTopDown;
    DL_TRY_ASSIGN(header.size, checkImageSize(width, height, ImageFormat::Rgba32F, 1, name, limits));
    return header;
}

/// Reads rows of RGBE texels; every method returns false where the file is broken or ends.
class RowReader
{
public:
    RowReader(std::span<const std::byte> bytes, std::uint32_t width) : m_bytes(bytes), m_width(width), m_row(std::size_t(width) * 4) {}

    const std::vector<std::uint8_t>& row() const { return m_row; }

    bool readRow()
    {
        std::uint8_t head[4];
        if (!peek(head))
            return false;
        const bool isNew = m_width >= kLeastNewRunWidth && m_width <= kMostNewRunWidth && head[0] == 2 && head[1] == 2 && head[2] < 128;
        if (!isNew)
            return readFlatRow();
        if ((std::uint32_t(head[2]) << 8U | head[3]) != m_width)
            return false;
        m_at += 4;
        for (std::size_t channel = 0; channel < 4; ++channel)
            if (!readChannel(channel))
                return false;
        return true;
    }

private:
    bool peek(std::uint8_t (&texel)[4]) const
    {
        if (m_bytes.size() - m_at < 4)
            return false;
        std::memcpy(texel, m_bytes.data() + m_at, 4);
        return true;
    }

    /// Texels as they are; 1,1,1,n repeats the one before n times, several in a row count in base 256.
    bool readFlatRow()
    {
        std::uint32_t shift = 0;
        for (std::uint32_t x = 0; x < m_width;)
        {
            std::uint8_t texel[4];
            if (!peek(texel))
                return false;
            m_at += 4;
            if (texel[0] != 1 || texel[1] != 1 || texel[2] != 1)
            {
                std::memcpy(&m_row[std::size_t(x) * 4], texel, 4);
                ++x;
                shift = 0;
                continue;
            }
            const std::uint64_t count = shift < 32 ? std::uint64_t(texel[3]) << shift : m_width;
            if (x == 0 || count > m_width - x)
                return false;
            for (std::uint64_t i = 0; i < count; ++i, ++x)
                std::memcpy(&m_row[std::size_t(x) * 4], &m_row[std::size_t(x - 1) * 4], 4);
            shift += 8;
        }
        return true;
    }

    /// A count up to 128 and so many bytes, or 128 + a count and one byte to repeat.
    bool readChannel(std::size_t channel)
    {
        for (std::uint32_t x = 0; x < m_width;)
        {
            if (m_bytes.size() - m_at < 2)
                return false;
            const auto code = std::to_integer<std::uint32_t>(m_bytes[m_at++]);
            const bool isRun = code > 128;
            const std::uint32_t count = isRun ? code - 128 : code;
            if (count == 0 || count > m_width - x || m_bytes.size() - m_at < (isRun ? 1U : count))
                return false;
            for (std::uint32_t i = 0; i < count; ++i, ++x)
                m_row[std::size_t(x) * 4 + channel] = std::to_integer<std::uint8_t>(m_bytes[m_at + (isRun ? 0 : i)]);
            m_at += isRun ? 1 : count;
        }
        return true;
    }

    std::span<const std::byte> m_bytes;
    std::size_t m_at = 0;
    std::uint32_t m_width;
    std::vector<std::uint8_t> m_row;
};

void writeFloats(const std::vector<std::uint8_t>& row, bool isReversed, std::byte* out)
{
    const std::size_t width = row.size() / 4;
    for (std::size_t x = 0; x < width; ++x)
    {
        const std::uint8_t* texel = &row[(isReversed ? width - 1 - x : x) * 4];
        const float scale = texel[3] == 0 ? 0.0f : std::ldexp(1.0f, int(texel[3]) - (128 + 8));
        const float rgba[4] = {float(texel[0]) * scale, float(texel[1]) * scale, float(texel[2]) * scale, 1.0f};
        std::memcpy(out + x * sizeof rgba, rgba, sizeof rgba);
    }
}

void flipRows(Image& image)
{
    const std::size_t stride = image.bytes.size() / image.height;
    for (std::size_t y = 0; y < image.height / 2; ++y)
        std::swap_ranges(image.bytes.begin() + static_cast<std::ptrdiff_t>(y * stride),
            image.bytes.begin() + static_cast<std::ptrdiff_t>((y + 1) * stride),
            image.bytes.end() - static_cast<std::ptrdiff_t>((y + 1) * stride));
}

Result<ImageSize> readHdrSize(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    DL_TRY_ASSIGN(const Header header, readHeader(bytes, name, limits));
    return header.size;
}

Result<Image> decodeHdr(std::span<const std::byte> bytes, std::string_view name, const ImageLimits& limits)
{
    DL_TRY_ASSIGN(const Header header, readHeader(bytes, name, limits));
    Image image;
    image.name = name;
    image.format = ImageFormat::Rgba32F;
    image.width = header.size.width;
    image.height = header.size.height;
    image.bytes.reserve(image.levelBytes(0)); // rows are touched as they arrive: a cut-off file costs what it holds
    RowReader reader(bytes.subspan(header.texelsAt), image.width);
    const std::size_t stride = std::size_t(image.width) * 16;
    for (std::uint32_t y = 0; y < image.height; ++y)
    {
        if (!reader.readRow())
            return badHdr(name, "row " + std::to_string(y) + " of " + std::to_string(image.height) + " is broken or cut off");
        image.bytes.resize(image.bytes.size() + stride);
        writeFloats(reader.row(), header.isRightToLeft, image.bytes.data() + y * stride);
    }
    if (header.isBottomUp)
        flipRows(image);
    return image;
}

} // namespace

const ImageCodec kHdrCodec = {readHdrSize, decodeHdr};

} // namespace dl::detail
