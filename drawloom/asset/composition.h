// drawloom/asset/composition.h - loads scenes: glTF files, and compositions (*.scene.json), which place many glTF files
// in one scene. The format is described in docs/formats.md. Called by programs and tests.
#pragma once

#include "drawloom/asset/gltf_import.h"
#include "drawloom/asset/scene_description.h"
#include "drawloom/core/result.h"

#include <cstdint>
#include <filesystem>

namespace dl
{

struct CompositionSettings
{
    GltfImportSettings import;                 ///< for each asset
    std::uint64_t maxFileBytes = 64ULL << 20U; ///< of the composition itself
    std::uint32_t maxNodeCount = 1U << 20U;    ///< of the composed scene
    std::uint32_t maxInstanceCount = 1U << 22U;
};

/// Imports every named asset once, shares its meshes, materials and images, and repeats its nodes for every placement.
/// Errors name the file, the place in it ("placements[3].attachTo.node") and what is wrong. Import issues of the assets
/// are kept, with the asset's name in front of `where`.
Result<SceneDescription> loadComposition(const std::filesystem::path& path, const CompositionSettings& settings = {});

/// Whether loadScene takes a file of this name: .glb, .gltf or .scene.json in any case.
bool isSceneFile(const std::filesystem::path& path);

/// .glb and .gltf through importGltf, .scene.json through loadComposition; Unsupported for any other name.
Result<SceneDescription> loadScene(const std::filesystem::path& path, const CompositionSettings& settings = {});

} // namespace dl
