// drawloom/asset/gltf_import.h - reads glTF 2.0 (.gltf with files and data URIs, .glb) into a SceneDescription.
// Follows the Khronos glTF 2.0 specification; called by programs, the asset store and the merge tools.
// A file is hostile: every offset, count and index is checked, and memory is bounded by the settings before it is taken.
#pragma once

#include "drawloom/asset/scene_description.h"
#include "drawloom/core/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>

namespace dl
{

struct GltfImportSettings
{
    std::uint64_t maxFileBytes = std::uint64_t(2) << 30;    ///< of every file read: the glTF, each buffer, each image
    std::uint64_t maxJsonBytes = std::uint64_t(256) << 20;  ///< of the JSON part
    std::uint64_t maxDecodedBytes = std::uint64_t(4) << 30; ///< geometry, animation, images and files of one import together
    std::uint64_t maxZeroCount = std::uint64_t(8) << 20;    ///< elements of accessors without data (but sparse), of one import together
    std::uint64_t maxImageTexels = std::uint64_t(1) << 26;  ///< of one image: 8192 x 8192
    std::uint64_t maxVertexCount = std::uint64_t(1) << 26;  ///< of one primitive, after conversion to a triangle list
    bool decodeImages = true;  ///< false: images keep name, size 0x0 and no bytes (inspection, geometry-only tools)
    bool isStrict = false;     ///< true: Warning issues are an error, which lists the first
    bool checksFormat = false; ///< true: what glTF forbids and the import does not mind is listed too (Warning "spec-violation")
};

/// Extensions: KHR_texture_transform, KHR_materials_unlit, KHR_materials_emissive_strength, KHR_lights_punctual,
/// KHR_mesh_quantization, EXT_mesh_gpu_instancing, EXT_texture_webp, EXT_meshopt_compression, KHR_draco_mesh_compression,
/// KHR_materials_variants (applyVariant) and MSFT_lod (Node::lods) are read. Material extensions that are not drawn
/// (clearcoat, transmission, ...) are kept in Material::keptExtensions. Others are refused by name when required (Unsupported)
/// and otherwise named in `issues` and, for materials, in Material::unusedExtensions; the tables are in docs/formats.md.
///
/// Strips and fans become lists; points and lines are dropped with an issue. Missing normals become flat ones (vertices
/// unshared); missing tangents are MikkTSpace's where a normal map and its UVs exist (vertices split where they differ).
/// Nodes outside the default scene stay (joints and animations may name them) but draw nothing. A missing or broken image is a neutral 1x1
/// with an issue. Images of one source are one, the first (SceneDescription::images is shorter than the file's list then, unless
/// decodeImages is false). A WebP that can not be read gives way to the texture's other source. KHR_texture_basisu is not read: the
/// texture's other source is used; where there is none, the file is refused if it requires the extension, else the texture counts as
/// missing. URIs never leave the file's folder: absolute ones, `..` and symbolic links that lead out are refused by name.
///
/// Errors: NotFound, Io (reading), BadFile (content), Unsupported (required extension, glTF 1.0), OutOfBudget (names the
/// setting to raise). The message names the object, as in `meshes[2].primitives[0]: ...`.
Result<SceneDescription> importGltf(const std::filesystem::path& path, const GltfImportSettings& settings = {});

/// The same from memory. `baseFolder` is where relative URIs start; empty: external files count as missing.
Result<SceneDescription> importGltfFromMemory(
    std::span<const std::byte> bytes, const std::filesystem::path& baseFolder, const GltfImportSettings& settings = {});

} // namespace dl
