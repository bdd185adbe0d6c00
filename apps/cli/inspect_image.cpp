#include "apps/cli/inspect_image.h"

#include "drawloom/asset/image_decode.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace dl::cli
{
namespace
{

constexpr std::uint64_t kMaxFileBytes = 1ULL << 30U;
constexpr std::array<unsigned char, 4> kPngMagic = {0x89, 'P', 'N', 'G'};
constexpr std::array<unsigned char, 3> kJpegMagic = {0xFF, 0xD8, 0xFF};

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File openFile(const std::filesystem::path& path)
{
    return {std::fopen(path.c_str(), "rb"), &std::fclose};
}

template <std::size_t N> bool startsWith(std::span<const std::byte> bytes, const std::array<unsigned char, N>& magic)
{
    return bytes.size() >= N && std::memcmp(bytes.data(), magic.data(), N) == 0;
}

Result<std::vector<std::byte>> readImageFile(const std::filesystem::path& path)
{
    std::error_code error;
    const std::filesystem::file_status status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status))
        return Error{ErrorCode::NotFound, "\"" + path.string() + "\": no such file"};
    if (!std::filesystem::is_regular_file(status))
        return Error{ErrorCode::Io, "\"" + path.string() + "\": not a regular file"};
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    if (error || size > kMaxFileBytes)
        return Error{ErrorCode::OutOfBudget, "\"" + path.string() + "\": larger than 1 GiB"};
    std::vector<std::byte> bytes(static_cast<std::size_t>(size));
    const File file = openFile(path);
    if (!file || std::fread(bytes.data(), 1, bytes.size(), file.get()) != bytes.size())
        return Error{ErrorCode::Io, "\"" + path.string() + "\": can not be read"};
    return bytes;
}

} // namespace

bool looksLikeImage(const std::filesystem::path& path)
{
    for (const char* extension : {".png", ".jpg", ".jpeg", ".PNG", ".JPG", ".JPEG"})
        if (path.extension() == extension)
            return true;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored))
        return false;
    std::array<std::byte, 4> head{};
    const File file = openFile(path);
    const std::size_t count = file ? std::fread(head.data(), 1, head.size(), file.get()) : 0;
    const std::span<const std::byte> bytes(head.data(), count);
    return startsWith(bytes, kPngMagic) || startsWith(bytes, kJpegMagic);
}

Result<nlohmann::ordered_json> inspectImage(const std::filesystem::path& path)
{
    DL_TRY_ASSIGN(const std::vector<std::byte> bytes, readImageFile(path));
    Result<Image> image = decodeImage(bytes, path.filename().string());
    if (!image)
        return withContext(std::move(image).error(), "while reading \"" + path.string() + "\"");
    return nlohmann::ordered_json{{"inspectVersion", 1}, {"name", path.filename().string()},
        {"image", {{"format", startsWith(bytes, kPngMagic) ? "PNG" : "JPEG"}, {"width", image->width}, {"height", image->height},
                      {"alpha", image->hasAlpha}, {"fileBytes", bytes.size()}}}};
}

} // namespace dl::cli
