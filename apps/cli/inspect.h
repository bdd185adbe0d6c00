// apps/cli/inspect.h - `drawloom inspect FILE [--json] [--strict] [--max-memory MIB]`: what is in a scene or image file and what is wrong
// with it.
#pragma once

#include "apps/cli/input_file.h"

#include <cstdint>
#include <filesystem>

namespace dl::cli
{

struct InspectOptions
{
    std::filesystem::path input; ///< .glb, .gltf or .scene.json, .png, .jpg
    std::uint64_t maxMemoryMiB = kDefaultMemoryMiB;
    bool isJson = false;
    bool isStrict = false; ///< what would be a warning is an error
};

/// Prints to stdout; an error is one line on stderr. Returns the exit code: 0 done, 3 bad input.
int runInspect(const InspectOptions& options);

} // namespace dl::cli
