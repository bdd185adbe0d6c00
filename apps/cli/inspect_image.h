// apps/cli/inspect_image.h - `drawloom inspect` for image files: PNG, JPEG, WebP, KTX2 and HDR, told by their first bytes.
#pragma once

#include "drawloom/asset/image.h"
#include "drawloom/core/result.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>
#include <string_view>

namespace dl::cli
{

/// "RGBA8", "BC7"
std::string_view formatName(ImageFormat format);

/// By extension, or by the first bytes where the extension says nothing.
bool looksLikeImage(const std::filesystem::path& path);

/// {inspectVersion, name, image {format, width, height, alpha, texels, mips, bytes, fileBytes}}; decodes all of it, so that damage is
/// found. NotFound, Io, BadFile, Unsupported, OutOfBudget.
Result<nlohmann::ordered_json> inspectImage(const std::filesystem::path& path, bool isStrict);

} // namespace dl::cli
