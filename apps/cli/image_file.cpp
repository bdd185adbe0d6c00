#include "apps/cli/image_file.h"

#include "drawloom/asset/image_decode.h"
#include "drawloom/core/file_read.h"

#include <string>

namespace dl::cli
{
namespace
{

constexpr std::uint64_t kMaxFileBytes = 1ULL << 30U;
constexpr ImageLimits kEnvironmentLimits = {.maxSideTexels = 8192, .maxTexels = 8192 * 4096};

} // namespace

Result<ByteBuffer> readImageFile(const std::filesystem::path& path)
{
    return readFile(path, kMaxFileBytes);
}

Result<Image> loadEnvironmentPicture(const std::filesystem::path& path)
{
    DL_TRY_ASSIGN(const ByteBuffer bytes, readImageFile(path));
    const ImageFileKind kind = imageFileKind(bytes);
    if (kind != ImageFileKind::Hdr)
        return Error{ErrorCode::Unsupported, "\"" + path.string() + "\": --environment takes a Radiance .hdr, and this is " +
                                                 (kind == ImageFileKind::Unknown ? std::string("none") : std::string(toString(kind)))};
    Result<Image> image = decodeImage(bytes, path.filename().string(), kEnvironmentLimits);
    if (!image)
        return withContext(std::move(image).error(), "while reading \"" + path.string() + "\"");
    if (image->width != 2 * image->height)
        return Error{ErrorCode::Unsupported,
            "\"" + path.string() + "\": --environment takes an equirectangular picture, twice as wide as high, and this has " +
                std::to_string(image->width) + " x " + std::to_string(image->height) + " texels"};
    return image;
}

} // namespace dl::cli
