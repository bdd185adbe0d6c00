// apps/cli/inspect.h - `drawloom inspect FILE [--json]`: what is in a scene file and what is wrong with it.
#pragma once

#include <cstdio>
#include <filesystem>

namespace dl::cli
{

struct InspectOptions
{
    std::filesystem::path input; ///< .glb, .gltf or .scene.json
    bool isJson = false;
};

/// Prints to `out`; errors as one line to `err`. Returns the exit code: 0 done, 3 bad input.
int runInspect(const InspectOptions& options, std::FILE* out, std::FILE* err);

} // namespace dl::cli
