// drawloom/asset/gltf_export.h - writes a SceneDescription as one binary glTF 2.0 file, which any viewer shows the same:
// meshes, materials (KHR_texture_transform, KHR_materials_unlit, KHR_materials_emissive_strength), images as PNG, skins,
// morph targets, animations, cameras, lights (KHR_lights_punctual). Reading it back gives the same description.
#pragma once

#include "drawloom/asset/scene_description.h"
#include "drawloom/core/result.h"

#include <cstddef>
#include <filesystem>
#include <vector>

namespace dl
{

/// The whole .glb in memory; at most 4 GiB - 1 (OutOfRange beyond). Node::instances become EXT_mesh_gpu_instancing where
/// every instance is a TRS, else child nodes with the mesh, its levels and its weights. InvalidArgument names what breaks the
/// promises of scene_description.h, mesh.h or material.h, and where: an index, joint or UV set out of range, a wrong length, a
/// number that is not finite, kept JSON that is none. Unsupported: an image that PNG can not hold (float, block compressed).
/// Only level 0 of an image is written.
Result<std::vector<std::byte>> exportGlbToMemory(const SceneDescription& scene);

/// As above, into a file (written beside it first, then renamed: a failed call leaves an old file as it was).
Result<void> exportGlb(const SceneDescription& scene, const std::filesystem::path& path);

} // namespace dl
