// apps/cli/inspect_image.h - `drawloom inspect` for image files: PNG and JPEG, told by their first bytes.
#pragma once

#include "drawloom/core/result.h"

#include <nlohmann/json_fwd.hpp>

#include <filesystem>

namespace dl::cli
{

/// By extension, or by the first bytes where the extension says nothing.
bool looksLikeImage(const std::filesystem::path& path);

/// {inspectVersion, name, image {format, width, height, alpha, fileBytes}}; decodes all of it, so that damage is found.
/// NotFound, Io, BadFile, Unsupported, OutOfBudget.
Result<nlohmann::ordered_json> inspectImage(const std::filesystem::path& path);

} // namespace dl::cli
