// drawloom/core/file_write.h - a whole file at once, replaced or left as it was.
#pragma once

#include "drawloom/core/result.h"

#include <cstddef>
#include <filesystem>
#include <span>

namespace dl
{

/// Writes to a new file of a name of its own beside `path` first and renames it, so that a full disk leaves the old file. Links
/// are followed; what exists and is no regular file (a device, a pipe) is written to as it is. Io: names the path and why.
Result<void> writeFile(const std::filesystem::path& path, std::span<const std::byte> bytes);

} // namespace dl
