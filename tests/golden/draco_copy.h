// tests/golden/draco_copy.h - a glTF with its geometry compressed by Draco's own encoder, for files that exist only plain.
#pragma once

#include "drawloom/core/result.h"

#include <filesystem>

namespace dl::golden
{

/// Writes FOLDER/draco.gltf, draco.bin and copies of the images. For files of one mesh with one primitive; positions, normals and
/// the first UVs are kept.
Result<std::filesystem::path> writeDracoCopy(const std::filesystem::path& gltf, const std::filesystem::path& folder);

} // namespace dl::golden
