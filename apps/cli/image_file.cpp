#include "apps/cli/image_file.h"

#include "drawloom/asset/image_decode.h"

#include <cstdio>
#include <memory>
#include <string>

namespace dl::cli
{
namespace
{

constexpr std::uint64_t kMaxFileBytes = 1ULL << 30U;
constexpr ImageLimits kEnvironmentLimits = {.maxSideTexels = 8192, .maxTexels = 8192 * 4096};

} // namespace

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
    const std::unique_ptr<std::FILE, int (*)(std::FILE*)> file(std::fopen(path.c_str(), "rb"), &std::fclose);
    if (!file || std::fread(bytes.data(), 1, bytes.size(), file.get()) != bytes.size())
        return Error{ErrorCode::Io, "\"" + path.string() + "\": can not be read"};
    return bytes;
}

Result<Image> loadEnvironmentPicture(const std::filesystem::path& path)
{
    DL_TRY_ASSIGN(const std::vector<std::byte> bytes, readImageFile(path));
    const ImageFileKind kind = imageFileKind(bytes);
    if (kind != ImageFileKind::Hdr)
        return Error{ErrorCode::Unsupported, "\"" + path.string() + "\": --environment takes a Radiance .hdr, and this is " +
                                                 (kind == ImageFileKind::Unknown ? std::string("none") : std::string(toString(kind)))};
    Result<Image> image = decodeImage(bytes, path.filename().string(), kEnvironmentLimits);
    if (!image)
        return withContext(std::move(image).error(), "while reading \"" + path.string() + "\"");
    return image;
}

} // namespace dl::cli
