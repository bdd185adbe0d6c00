// drawloom/asset/gltf_import.cpp - opens a glTF, checks its head and runs the stages of detail/ over its lists.
#include "drawloom/asset/gltf_import.h"

#include "drawloom/asset/detail/gltf_check.h"
#include "drawloom/asset/detail/gltf_material_extension.h"
#include "drawloom/asset/detail/gltf_object.h"
#include "drawloom/asset/detail/gltf_source.h"
#include "drawloom/asset/detail/gltf_variants.h"
#include "drawloom/core/file_read.h"
#include "drawloom/core/trace.h"

#include <algorithm>
#include <array>

namespace dl
{
namespace
{

using detail::GltfObject;
using detail::GltfState;
using detail::JsonValue;

constexpr std::size_t kMaxJsonDepth = 64; // deep enough for extras that nest, shallow enough for any stack

constexpr std::size_t kMaxShownNames = 800; // bytes of names that one message lists

constexpr std::string_view kReadExtensions[] = {"KHR_texture_transform", "KHR_materials_unlit", "KHR_materials_emissive_strength",
    "KHR_lights_punctual", "KHR_mesh_quantization", "EXT_mesh_gpu_instancing", "EXT_texture_webp", "EXT_meshopt_compression",
    "KHR_draco_mesh_compression", "KHR_materials_variants", "MSFT_lod"};

bool isReadExtension(std::string_view name)
{
    return detail::isKeptMaterialExtension(name) ||
           std::find(std::begin(kReadExtensions), std::end(kReadExtensions), name) != std::end(kReadExtensions);
}

/// "2.1" -> {2, 1}
struct Version
{
    std::uint32_t major = 0, minor = 0;
    bool isValid = false;
};

Version parseVersion(std::string_view text)
{
    Version out;
    std::uint32_t* number = &out.major;
    bool hasDigit = false;
    for (const char c : text)
    {
        if (c == '.' && number == &out.major && hasDigit)
        {
            number = &out.minor;
            hasDigit = false;
        }
        else if (c >= '0' && c <= '9' && *number < 100000)
        {
            *number = *number * 10 + static_cast<std::uint32_t>(c - '0');
            hasDigit = true;
        }
        else
            return out;
    }
    out.isValid = hasDigit && number == &out.minor;
    return out;
}

void checkAsset(const GltfObject& root)
{
    const std::optional<GltfObject> asset = root.object("asset");
    if (root.state().failed())
        return;
    if (!asset)
    {
        root.fail("asset", "is required: this is no glTF 2.0");
        return;
    }
    const std::string_view text = asset->text("version");
    const Version version = parseVersion(text);
    const std::string shown = "\"" + std::string(text.substr(0, 32)) + "\"";
    if (!version.isValid)
        asset->fail("version", shown + " is no version such as \"2.0\"");
    else if (version.major != 2)
        root.state().fail(ErrorCode::Unsupported, "asset.version", shown + " is not read, only glTF 2");
    const Version least = parseVersion(asset->text("minVersion"));
    const std::string leastShown = "\"" + std::string(asset->text("minVersion").substr(0, 32)) + "\"";
    if (!asset->has("minVersion"))
        return;
    if (!least.isValid || least.major != 2 || least.minor > version.minor)
        root.state().fail(ErrorCode::Unsupported, "asset.minVersion", leastShown + " is not at most the version " + shown);
    else if (least.minor > 0)
        root.state().warn("newer-version", "asset.minVersion", leastShown + " is above 2.0; what 2.0 does not have is not read");
}

std::vector<std::string> readNames(const GltfObject& root, const char* key)
{
    std::vector<std::string> out;
    const std::optional<JsonValue> value = root.value().find(key);
    if (!value)
        return out;
    if (value->kind() != detail::JsonKind::Array)
        root.fail(key, "must be an array of strings");
    for (const JsonValue element : value->elements())
    {
        if (!element.string())
            root.fail(key, "must hold strings");
        out.emplace_back(element.string().value_or(std::string_view()));
    }
    return out;
}

/// A file may require Basis Universal and still offer another source for each of its textures.
bool isReadWithoutBasis(const GltfObject& root)
{
    const std::vector<GltfObject> textures = root.objects("textures");
    return std::all_of(textures.begin(), textures.end(), [](const GltfObject& texture)
        { return !texture.extension(detail::kBasisExtension) || texture.has("source") || texture.extension(detail::kWebpExtension); });
}

void checkExtensions(const GltfObject& root)
{
    GltfState& state = root.state();
    const std::vector<std::string> required = readNames(root, "extensionsRequired");
    state.scene.extensionsUsed = readNames(root, "extensionsUsed");
    const bool requiresBasis = std::find(required.begin(), required.end(), detail::kBasisExtension) != required.end();
    const bool isBasisSpared = requiresBasis && isReadWithoutBasis(root);
    std::string refused;
    for (const std::string& name : required)
        if (!isReadExtension(name) && !(name == detail::kBasisExtension && isBasisSpared) && refused.size() < kMaxShownNames)
            refused += (refused.empty() ? "" : ", ") + detail::shortText(name);
    if (refused.size() >= kMaxShownNames)
        refused += " and others";
    if (!refused.empty())
        state.fail(
            ErrorCode::Unsupported, "extensionsRequired", "the file can not be read without " + refused + ", which is not supported");
    for (const std::string& name : state.scene.extensionsUsed)
        if (!isReadExtension(name))
            state.note("extension-ignored", "extensionsUsed", detail::shortText(name) + " is not read; the file is used without it");
}

void readLists(const GltfObject& root)
{
    GltfState& state = root.state();
    detail::GltfLists& lists = state.lists;
    lists.accessors = readObjectList(root, "accessors");
    lists.animations = readObjectList(root, "animations");
    lists.buffers = readObjectList(root, "buffers");
    lists.bufferViews = readObjectList(root, "bufferViews");
    lists.cameras = readObjectList(root, "cameras");
    lists.images = readObjectList(root, "images");
    lists.materials = readObjectList(root, "materials");
    lists.meshes = readObjectList(root, "meshes");
    lists.nodes = readObjectList(root, "nodes");
    lists.samplers = readObjectList(root, "samplers");
    lists.scenes = readObjectList(root, "scenes");
    lists.skins = readObjectList(root, "skins");
    lists.textures = readObjectList(root, "textures");
    if (const std::optional<GltfObject> lights = root.extension("KHR_lights_punctual"))
        lists.lights = readObjectList(*lights, "lights");
    state.buffers.resize(lists.buffers.size());
    state.decodedViews.resize(lists.bufferViews.size());
    state.imageFallbacks.assign(lists.images.size(), detail::kUnusedImage);
}

/// In the order of their needs: meshes look at materials, nodes at meshes, skins and animations at nodes.
void runStages(GltfState& state)
{
    const GltfObject root(state, state.json->root());
    struct Stage
    {
        const char* name;
        void (*run)(GltfState&);
    };
    constexpr Stage kStages[] = {{"import variants", detail::readVariants}, {"import materials", detail::readMaterials},
        {"import images", detail::readImages}, {"import meshes", detail::readMeshes}, {"import cameras", detail::readCameras},
        {"import lights", detail::readLights}, {"import nodes", detail::readNodes}, {"import skins", detail::readSkins},
        {"import animations", detail::readAnimations}};
    checkAsset(root);
    checkExtensions(root);
    readLists(root);
    for (const Stage& stage : kStages)
        if (!state.failed())
        {
            DL_TRACE_SCOPE(stage.name);
            stage.run(state);
        }
}

Result<detail::JsonDocument> parseJson(std::span<const std::byte> text, std::size_t paddingBytes)
{
    DL_TRACE_SCOPE("import JSON");
    return detail::JsonDocument::parse(text, kMaxJsonDepth, paddingBytes);
}

/// A file as far as it is worth reading.
struct FileBytes
{
    ByteBuffer owned;
    std::span<const std::byte> bytes;
    std::size_t paddingBytes = 0;  ///< can be read behind them
    std::uint64_t unreadBytes = 0; ///< of the file, behind what a GLB's header counts
};

/// The head first: a file of gigabytes, sparse perhaps, may say there that it is not worth its memory.
Result<FileBytes> readTraced(const std::filesystem::path& path, const GltfImportSettings& settings)
{
    DL_TRACE_SCOPE("import read");
    std::array<std::byte, detail::kGlbHeadBytes> first{};
    DL_TRY_ASSIGN(const FileHead head, readFileHead(path, first));
    FileReadSettings reading{.maxBytes = settings.maxFileBytes, .limitName = "maxFileBytes"};
    FileBytes out;
    if (head.fileBytes != 0)
    {
        const std::span<const std::byte> seen(first.data(), head.readBytes);
        DL_TRY_ASSIGN(reading.firstBytes, detail::wantedFileBytes(seen, head.fileBytes, settings.maxJsonBytes));
        out.unreadBytes = head.fileBytes - reading.firstBytes;
    }
    DL_TRY_ASSIGN(out.owned, readFile(path, reading));
    out.bytes = out.owned;
    out.paddingBytes = ByteBuffer::kPaddingBytes;
    return out;
}

Result<SceneDescription> importBytes(const FileBytes& file, const std::filesystem::path& baseFolder, const GltfImportSettings& settings)
{
    const std::span<const std::byte> bytes = file.bytes;
    DL_TRACE_SCOPE("importGltf");
    if (bytes.size() > settings.maxFileBytes)
        return Error{ErrorCode::OutOfBudget,
            std::to_string(bytes.size()) + " bytes, past the limit of " + std::to_string(settings.maxFileBytes) + "; raise maxFileBytes"};
    DL_TRY_ASSIGN(const detail::GltfContainer container, detail::openContainer(bytes));
    if (container.json.size() > settings.maxJsonBytes)
        return detail::jsonTooLong(container.json.size(), settings.maxJsonBytes);
    GltfState state(settings, baseFolder);
    const std::byte* const jsonEnd = container.json.data() + container.json.size();
    const auto behindJson = static_cast<std::size_t>(bytes.data() + bytes.size() - jsonEnd);
    DL_TRY_ASSIGN(state.json, parseJson(container.json, behindJson + file.paddingBytes));
    if (state.json->root().kind() != detail::JsonKind::Object)
        return Error{ErrorCode::BadFile, "JSON: the file's root is no object"};
    state.binChunk = container.bin;
    state.isGlb = container.isGlb;
    state.containerFaults = container.faults;
    if (const std::uint64_t trailing = container.trailingBytes + file.unreadBytes; trailing != 0)
        state.warn("trailing-bytes", "GLB", std::to_string(trailing) + " bytes after its end are ignored");
    runStages(state);
    if (settings.checksFormat && !state.failed())
        detail::FormatCheck(state).run();
    if (settings.isStrict)
        state.refuseWarnings();
    if (state.failed())
        return std::move(*state.error);
    return std::move(state.scene);
}

} // namespace

Result<SceneDescription> importGltfFromMemory(
    std::span<const std::byte> bytes, const std::filesystem::path& baseFolder, const GltfImportSettings& settings)
{
    FileBytes file;
    file.bytes = bytes;
    return importBytes(file, baseFolder, settings);
}

Result<SceneDescription> importGltf(const std::filesystem::path& path, const GltfImportSettings& settings)
{
    const std::string where = "while importing \"" + path.filename().string() + "\"";
    Result<FileBytes> file = readTraced(path, settings);
    if (!file)
        return withContext(std::move(file).error(), where);
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    Result<SceneDescription> scene = importBytes(*file, folder, settings);
    if (!scene)
        return withContext(std::move(scene).error(), where);
    scene->name = path.filename().string();
    return scene;
}

} // namespace dl
