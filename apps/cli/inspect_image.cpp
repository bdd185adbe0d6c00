#include "apps/cli/inspect_image.h"

#include "apps/cli/image_file.h"
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

using File = std::unique_ptr<std::FILE, int (*)(std::FILE*)>;

File openFile(const std::filesystem::path& path)
{
    return {std::fopen(path.c_str(), "rb"), &std::fclose};
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

Result<nlohmann::ordered_json> inspectImage(const std::filesystem::path& path, bool isStrict)
{
    DL_TRY_ASSIGN(const ByteBuffer bytes, readImageFile(path));
    const std::string name = path.filename().string();
    nlohmann::ordered_json issues = nlohmann::ordered_json::array();
    Result<Image> image = decodeImage(bytes, name, {.refusesDamage = true});
    if (!image && !isStrict)
    {
        issues.push_back({{"severity", "warning"}, {"code", "damaged-image"}, {"where", name}, {"message", image.error().message}});
        image = decodeImage(bytes, name);
    }
    if (!image)
        return withContext(std::move(image).error(), "while reading \"" + path.string() + "\"");
    return nlohmann::ordered_json{{"inspectVersion", 1}, {"name", name},
        {"image", {{"format", toString(imageFileKind(bytes))}, {"width", image->width}, {"height", image->height},
                      {"alpha", image->hasAlpha}, {"texels", formatName(image->format)}, {"mips", image->mipCount},
                      {"bytes", image->bytes.size()}, {"fileBytes", bytes.size()}}},
        {"issues", std::move(issues)}};
}

} // namespace dl::cli
