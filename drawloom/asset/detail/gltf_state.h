// drawloom/asset/detail/gltf_state.h - what all stages of one glTF import share: the JSON lists, the scene that is made,
// issues, the memory budget and the first error. Readers of single properties are in gltf_object.h.
#pragma once

#include "drawloom/asset/detail/json.h"
#include "drawloom/asset/gltf_import.h"
#include "drawloom/core/byte_buffer.h"
#include "drawloom/core/file_read.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dl::detail
{

inline constexpr const char* kWebpExtension = "EXT_texture_webp";
inline constexpr const char* kBasisExtension = "KHR_texture_basisu"; ///< never read; other sources are looked for

/// One entry of the file's `buffers`, read when first used.
struct GltfBuffer
{
    bool isLoaded = false;
    std::span<const std::byte> bytes; ///< into `owned` or the GLB's BIN chunk
    ByteBuffer owned;
};

/// Tight elements of an accessor that has them from a Draco stream.
struct DecodedAccessor
{
    std::uint32_t index = kNoIndex;
    std::vector<std::byte> bytes;
};

/// The file's lists, as JSON.
struct GltfLists
{
    std::vector<JsonValue> accessors, animations, buffers, bufferViews, cameras, images, lights, materials, meshes, nodes, samplers, scenes,
        skins, textures;
};

constexpr std::uint32_t kUnusedImage = kNoIndex - 1; ///< in GltfState::imageFallbacks: no texture has named it yet

/// After the first error all readers return defaults; each stage looks at failed() where it would go on with them.
struct GltfState
{
    GltfState(const GltfImportSettings& settingsIn, const std::filesystem::path& folder) : settings(settingsIn), baseFolder(folder) {}

    const GltfImportSettings& settings;
    std::filesystem::path baseFolder; ///< empty: no external files
    std::optional<JsonDocument> json;
    std::optional<std::span<const std::byte>> binChunk;
    bool isGlb = false;
    std::vector<std::string> containerFaults; ///< GltfContainer::faults
    GltfLists lists;
    std::vector<GltfBuffer> buffers;
    std::vector<std::vector<std::byte>> decodedViews; ///< by buffer view: what EXT_meshopt_compression gave, once used
    std::vector<DecodedAccessor> decodedAccessors;    ///< of the primitive that is being read
    SceneDescription scene;
    std::vector<std::uint32_t> imageFallbacks; ///< by image: the one that takes its place if it can not be read; kNoIndex: none
    std::vector<std::uint32_t> nodeOrder;      ///< file's node index -> index in scene.nodes
    std::uint64_t usedBytes = 0, zeroCount = 0;
    std::optional<Error> error;

    bool failed() const { return error.has_value(); }
    /// For a file beside the scene's: no more than a file may have, and than the budget still holds.
    FileReadSettings readingSettings() const;
    /// Keeps the first error. Returns false, so that readers can `return state.fail(...)`.
    bool fail(ErrorCode code, const std::string& where, const std::string& message);
    void warn(const char* code, const std::string& where, const std::string& message);
    /// Fails if there was a warning; the message lists them.
    void refuseWarnings();
    void note(const char* code, const std::string& where, const std::string& message);
    /// Counts memory that is about to be taken; fails past maxDecodedBytes.
    bool takeBytes(std::uint64_t bytes, const std::string& where);
    bool takeBytes(std::uint64_t count, std::uint64_t elementBytes, const std::string& where);
    /// The same for what the file holds no bytes for, which maxZeroCount bounds, too: a short file can not ask for much.
    bool takeZeros(std::uint64_t count, std::uint64_t elementBytes, const std::string& where);
};

// The stages, in the order in which gltf_import.cpp runs them.
void readMaterials(GltfState& state);
void readImages(GltfState& state);
void readMeshes(GltfState& state);
void readCameras(GltfState& state);
void readLights(GltfState& state);
void readNodes(GltfState& state);
void readSkins(GltfState& state);
void readAnimations(GltfState& state);

} // namespace dl::detail
