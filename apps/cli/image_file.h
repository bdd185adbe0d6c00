// apps/cli/image_file.h - image files by path, with messages that name the file.
#pragma once

#include "drawloom/asset/image.h"
#include "drawloom/core/byte_buffer.h"
#include "drawloom/core/result.h"

#include <filesystem>

namespace dl::cli
{

/// NotFound, Io (not a regular file, unreadable), OutOfBudget (larger than 1 GiB).
Result<ByteBuffer> readImageFile(const std::filesystem::path& path);

/// For `--environment`: a Radiance .hdr, told by its content, of up to 8192 texels a side. Unsupported: any other kind of image.
Result<Image> loadEnvironmentPicture(const std::filesystem::path& path);

} // namespace dl::cli
