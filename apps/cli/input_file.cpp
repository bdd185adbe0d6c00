#include "apps/cli/input_file.h"

#include <algorithm>
#include <string>

namespace dl::cli
{

Result<SceneDescription> loadInput(const std::filesystem::path& path, GltfImportSettings settings, std::uint64_t maxMemoryMiB)
{
    settings.maxDecodedBytes = maxMemoryMiB << 20U;
    settings.maxFileBytes = std::min(settings.maxFileBytes, settings.maxDecodedBytes);
    Result<SceneDescription> scene = loadScene(path, {.import = settings});
    if (scene || scene.error().code != ErrorCode::OutOfBudget)
        return scene;
    Error error = std::move(scene).error();
    const bool isOurs = error.message.find("maxDecodedBytes") != std::string::npos ||
                        (error.message.find("maxFileBytes") != std::string::npos && settings.maxFileBytes == settings.maxDecodedBytes);
    if (isOurs)
        error.message += " (--max-memory, now " + std::to_string(maxMemoryMiB) + " MiB)";
    return error;
}

} // namespace dl::cli
