#include "apps/cli/inspect_image.h"

#include "drawloom/asset/image_decode.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace dl::cli
{
namespace
{

constexpr std::uint64_t kMaxFileBytes = 1ULL << 30U;

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File openFile(const std::filesystem::path& path)
{
    return {std::fopen(path.c_str(), "rb"), &std::fclose};
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

std::string_view formatName(ImageFormat format)
{
    static constexpr std::string_view kNames[] = {
        "R8", "RG8", "RGBA8", "R16", "RGBA16", "RGBA32F", "BC1", "BC3", "BC4", "BC5", "BC6H", "BC7"};
    return kNames[static_cast<std::size_t>(format)];
}

bool looksLikeImage(const std::filesystem::path& path)
{
    std::string extension = path.extension().string();
    std::transform(
        extension.begin(), extension.end(), extension.begin(), [](char c) { return c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c; });
    for (const char* known : {".png", ".jpg", ".jpeg", ".webp", ".ktx2", ".hdr"})
        if (extension == known)
            return true;
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored))
        return false;
    std::array<std::byte, 16> head{};
    const File file = openFile(path);
    const std::size_t count = file ? std::fread(head.data(), 1, head.size(), file.get()) : 0;
    return imageFileKind(std::span(head.data(), count)) != ImageFileKind::Unknown;
}

Result<nlohmann::ordered_json> inspectImage(const std::filesystem::path& path)
{
    DL_TRY_ASSIGN(const std::vector<std::byte> bytes, readImageFile(path));
    Result<Image> image = decodeImage(bytes, path.filename().string());
    if (!image)
        return withContext(std::move(image).error(), "while reading \"" + path.string() + "\"");
    return nlohmann::ordered_json{{"inspectVersion", 1}, {"name", path.filename().string()},
        {"image", {{"format", toString(imageFileKind(bytes))}, {"width", image->width}, {"height", image->height},
                      {"alpha", image->hasAlpha}, {"texels", formatName(image->format)}, {"mips", image->mipCount},
                      {"bytes", image->bytes.size()}, {"fileBytes", bytes.size()}}}};
}

} // namespace dl::cli
