// apps/cli/input_file.h - how the commands load their inputs: within a budget of memory that the user can raise.
#pragma once

#include "drawloom/asset/composition.h"

#include <cstdint>
#include <filesystem>

namespace dl::cli
{

/// Below what the library allows: a program meets files from anywhere, and few scenes need as much.
inline constexpr std::uint64_t kDefaultMemoryMiB = 2048;
inline constexpr std::uint64_t kMaxMemoryMiB = 1U << 20U;

/// loadScene with settings.maxDecodedBytes (and no file longer) by `maxMemoryMiB`; an error that names this limit names the option.
Result<SceneDescription> loadInput(const std::filesystem::path& path, GltfImportSettings settings, std::uint64_t maxMemoryMiB);

} // namespace dl::cli
