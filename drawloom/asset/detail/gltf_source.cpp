#include "drawloom/asset/detail/gltf_source.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <system_error>

namespace dl::detail
{
namespace
{

constexpr std::uint32_t kGlbMagic = 0x46546c67U;
constexpr std::uint32_t kJsonChunk = 0x4e4f534aU;
constexpr std::uint32_t kBinChunk = 0x004e4942U;
constexpr std::size_t kGlbHeaderBytes = 12;
constexpr std::size_t kMaxFaults = 8;
constexpr std::size_t kChunkHeaderBytes = 8;
static_assert(kGlbHeadBytes == kGlbHeaderBytes + kChunkHeaderBytes);

std::uint32_t readUint32(std::span<const std::byte> bytes, std::size_t offset)
{
    std::uint32_t value = 0;
    for (std::size_t i = 0; i < 4; ++i)
        value |= std::to_integer<std::uint32_t>(bytes[offset + i]) << (8 * i);
    return value;
}

Error badGlb(const std::string& message)
{
    return Error{ErrorCode::BadFile, "GLB: " + message};
}

Error chunkPastEnd(std::size_t chunk, std::uint64_t chunkBytes)
{
    return badGlb("chunk " + std::to_string(chunk) + " of " + std::to_string(chunkBytes) + " bytes ends past the file's end");
}

int hexDigit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

int base64Digit(char c)
{
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+' || c == '-')
        return 62;
    return c == '/' || c == '_' ? 63 : -1;
}

Result<ByteBuffer> decodeBase64(std::string_view text)
{
    while (!text.empty() && text.back() == '=')
        text.remove_suffix(1);
    ByteBuffer out(text.size() / 4 * 3 + text.size() % 4 * 3 / 4);
    std::size_t size = 0;
    std::uint32_t bits = 0;
    int bitCount = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const int digit = base64Digit(text[i]);
        if (digit < 0)
            return Error{ErrorCode::BadFile, "data URI: character " + std::to_string(i) + " of the data is not base64"};
        bits = (bits << 6U) | static_cast<std::uint32_t>(digit);
        bitCount += 6;
        if (bitCount >= 8)
        {
            bitCount -= 8;
            out.data()[size++] = static_cast<std::byte>((bits >> bitCount) & 0xffU);
        }
    }
    return out;
}

bool hasParentSegment(std::string_view path)
{
    std::size_t begin = 0;
    while (begin <= path.size())
    {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        if (path.substr(begin, end - begin) == "..")
            return true;
        begin = end + 1;
    }
    return false;
}

Error refusedUri(std::string_view uri, const std::string& why)
{
    return Error{ErrorCode::InvalidArgument, "URI \"" + shortText(uri) + "\" is refused: " + why};
}

bool isInside(const std::filesystem::path& folder, const std::filesystem::path& path)
{
    const auto difference = std::mismatch(folder.begin(), folder.end(), path.begin(), path.end());
    return difference.first == folder.end();
}

bool isGlb(std::span<const std::byte> head)
{
    return head.size() >= 4 && readUint32(head, 0) == kGlbMagic;
}

/// How long the GLB is by its header; `fileBytes` are there.
Result<std::uint64_t> glbBytes(std::span<const std::byte> head, std::uint64_t fileBytes)
{
    if (head.size() < kGlbHeadBytes)
        return badGlb("cut off after " + std::to_string(head.size()) + " bytes, before the first chunk");
    if (const std::uint32_t version = readUint32(head, 4); version != 2)
        return Error{ErrorCode::Unsupported, "GLB: container version " + std::to_string(version) + ", only 2 is read"};
    const std::uint64_t length = readUint32(head, 8);
    if (length > fileBytes)
        return badGlb("cut off, its header says " + std::to_string(length) + " bytes, there are " + std::to_string(fileBytes));
    return length;
}

} // namespace

Error jsonTooLong(std::uint64_t jsonBytes, std::uint64_t maxJsonBytes)
{
    return Error{ErrorCode::OutOfBudget, "the JSON part has " + std::to_string(jsonBytes) + " bytes, past the limit of " +
                                             std::to_string(maxJsonBytes) + "; raise maxJsonBytes"};
}

Result<std::uint64_t> wantedFileBytes(std::span<const std::byte> head, std::uint64_t fileBytes, std::uint64_t maxJsonBytes)
{
    if (!isGlb(head))
        return fileBytes > maxJsonBytes ? Result<std::uint64_t>(jsonTooLong(fileBytes, maxJsonBytes)) : fileBytes;
    DL_TRY_ASSIGN(const std::uint64_t wanted, glbBytes(head, fileBytes));
    const std::uint64_t jsonBytes = readUint32(head, kGlbHeaderBytes);
    if (jsonBytes + kGlbHeadBytes > wanted)
        return chunkPastEnd(0, jsonBytes);
    return jsonBytes > maxJsonBytes ? Result<std::uint64_t>(jsonTooLong(jsonBytes, maxJsonBytes)) : wanted;
}

Result<GltfContainer> openContainer(std::span<const std::byte> bytes)
{
    GltfContainer out;
    if (!isGlb(bytes))
    {
        out.json = bytes;
        if (bytes.size() >= 3 && bytes[0] == std::byte{0xef} && bytes[1] == std::byte{0xbb} && bytes[2] == std::byte{0xbf})
            out.faults.emplace_back("the text starts with a byte order mark");
        return out;
    }
    DL_TRY_ASSIGN(const std::uint64_t length, glbBytes(bytes, bytes.size()));
    out.isGlb = true;
    out.trailingBytes = bytes.size() - length;
    bytes = bytes.first(static_cast<std::size_t>(length));
    std::size_t offset = kGlbHeaderBytes;
    for (std::size_t chunk = 0; offset + kChunkHeaderBytes <= bytes.size(); ++chunk)
    {
        const std::size_t chunkBytes = readUint32(bytes, offset);
        const std::uint32_t type = readUint32(bytes, offset + 4);
        offset += kChunkHeaderBytes;
        if (chunkBytes > bytes.size() - offset)
            return chunkPastEnd(chunk, chunkBytes);
        if (chunk == 0 && type != kJsonChunk)
            return badGlb("the first chunk is not JSON");
        if (chunk == 0)
            out.json = bytes.subspan(offset, chunkBytes);
        else if (chunk == 1 && type == kBinChunk)
            out.bin = bytes.subspan(offset, chunkBytes);
        else if ((type == kJsonChunk || type == kBinChunk) && out.faults.size() < kMaxFaults)
            out.faults.push_back("chunk " + std::to_string(chunk) + " is a JSON or BIN chunk at the wrong place; it is not read");
        offset += chunkBytes;
    }
    if (out.json.empty())
        return badGlb("no JSON chunk");
    return out;
}

bool isDataUri(std::string_view uri)
{
    constexpr std::string_view kScheme = "data:";
    return uri.size() >= kScheme.size() &&
           std::equal(kScheme.begin(), kScheme.end(), uri.begin(), [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b + 32 : b); });
}

Result<ByteBuffer> decodeDataUri(std::string_view uri)
{
    const std::size_t comma = uri.find(',');
    if (comma == std::string_view::npos)
        return Error{ErrorCode::BadFile, "data URI without a comma before its data"};
    const std::string_view data = uri.substr(comma + 1);
    if (uri.substr(0, comma).ends_with(";base64"))
        return data.find('%') == std::string_view::npos ? decodeBase64(data) : decodeBase64(decodePercent(data));
    const std::string text = decodePercent(data);
    ByteBuffer out(text.size());
    if (!text.empty())
        std::memcpy(out.data(), text.data(), text.size());
    return out;
}

std::string decodePercent(std::string_view text)
{
    std::string out;
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const int high = text[i] == '%' && i + 2 < text.size() ? hexDigit(text[i + 1]) : -1;
        const int low = high >= 0 ? hexDigit(text[i + 2]) : -1;
        if (low >= 0)
        {
            out.push_back(static_cast<char>(high * 16 + low));
            i += 2;
        }
        else
            out.push_back(text[i]);
    }
    return out;
}

Result<std::filesystem::path> resolveInside(const std::filesystem::path& folder, std::string_view uri)
{
    std::string relative = decodePercent(uri);
    std::replace(relative.begin(), relative.end(), '\\', '/'); // as some exporters on Windows write
    if (relative.empty() || relative.find('\0') != std::string::npos)
        return refusedUri(uri, "it names no file");
    if (relative.front() == '/')
        return refusedUri(uri, "it is absolute, only files beside the glTF are read");
    if (relative.find(':') < relative.find('/'))
        return refusedUri(uri, "it has a scheme or a drive, only files beside the glTF are read");
    if (hasParentSegment(relative))
        return refusedUri(uri, "it leaves the glTF's folder by \"..\"");
    if (folder.empty())
        return Error{ErrorCode::NotFound, "\"" + shortText(uri) + "\" is external, and the glTF has no folder"};
    std::error_code code;
    const std::filesystem::path root = std::filesystem::canonical(folder, code);
    if (code)
        return Error{ErrorCode::NotFound, "folder \"" + folder.string() + "\": " + code.message()};
    const std::filesystem::path path = std::filesystem::canonical(root / relative, code);
    if (code)
        return Error{ErrorCode::NotFound, "\"" + shortText(uri) + "\": " + code.message()};
    if (!isInside(root, path))
        return refusedUri(uri, "it leaves the glTF's folder through a symbolic link");
    return path;
}

std::string shortText(std::string_view text, std::size_t most)
{
    if (text.size() <= most)
        return std::string(text);
    while (most > 0 && (static_cast<unsigned char>(text[most]) & 0xc0U) == 0x80U) // not within a character of UTF-8
        --most;
    return std::string(text.substr(0, most)) + "...";
}

} // namespace dl::detail
