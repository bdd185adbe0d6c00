// drawloom/asset/gltf_export.cpp - runs the stages of detail/ over a SceneDescription and packs what they wrote as a .glb.
#include "drawloom/asset/gltf_export.h"

#include "drawloom/asset/detail/gltf_export_check.h"
#include "drawloom/asset/detail/gltf_export_material.h"
#include "drawloom/asset/detail/gltf_export_variants.h"
#include "drawloom/asset/detail/gltf_export_writer.h"
#include "drawloom/asset/png_write.h"
#include "drawloom/core/file_write.h"
#include "drawloom/core/parallel.h"
#include "drawloom/core/trace.h"

namespace dl
{
namespace
{

using detail::GltfExport;

Result<void> writeImages(GltfExport& out)
{
    if (out.scene.images.empty())
        return {};
    std::vector<Result<std::vector<std::byte>>> files(out.scene.images.size(), std::vector<std::byte>());
    parallelFor(out.scene.images.size(), 1,
        [&](std::size_t begin, std::size_t end)
        {
            for (std::size_t i = begin; i < end; ++i)
                files[i] = encodePng(out.scene.images[i]);
        });
    out.json.beginArray("images");
    for (std::size_t i = 0; i < files.size(); ++i)
    {
        if (!files[i])
            return withContext(files[i].error(), "images[" + std::to_string(i) + "]");
        out.json.beginObject();
        if (!out.scene.images[i].name.empty())
            out.json.member("name", out.scene.images[i].name);
        out.json.member("mimeType", "image/png");
        out.json.member("bufferView", out.buffer.addView(*files[i]));
        out.json.endObject();
    }
    out.json.endArray();
    return {};
}

void writeRootExtensions(GltfExport& out)
{
    if (out.scene.lights.empty() && out.scene.variants.empty())
        return;
    out.json.beginObject("extensions");
    detail::writeLights(out);
    if (!out.scene.variants.empty())
        out.extensionsUsed.insert("KHR_materials_variants");
    detail::writeVariants(out.json, out.scene);
    out.json.endObject();
}

void writeBuffer(GltfExport& out)
{
    out.buffer.writeViews(out.json);
    out.json.beginArray("buffers");
    out.json.beginObject();
    out.json.member("byteLength", out.buffer.bytes().size());
    out.json.endObject();
    out.json.endArray();
}

void writeExtensions(GltfExport& out, std::string_view key, const std::set<std::string>& names)
{
    if (names.empty())
        return;
    out.json.beginArray(key);
    for (const std::string& name : names)
        out.json.value(name);
    out.json.endArray();
}

/// Header, JSON chunk padded with spaces, binary chunk padded with zeros.
Result<std::vector<std::byte>> pack(const GltfExport& file)
{
    const std::string& json = file.json.text();
    const std::size_t jsonBytes = (json.size() + 3) / 4 * 4;
    const std::size_t binBytes = (file.buffer.bytes().size() + 3) / 4 * 4;
    const std::size_t totalBytes = 12 + 8 + jsonBytes + (binBytes == 0 ? 0 : 8 + binBytes);
    if (totalBytes > 0xffffffffU)
        return Error{ErrorCode::OutOfRange, "the scene needs " + std::to_string(totalBytes) + " bytes; a .glb holds 4 GiB - 1"};
    std::vector<std::byte> out;
    out.reserve(totalBytes);
    const auto word = [&out](std::size_t value)
    {
        for (int shift = 0; shift < 32; shift += 8)
            out.push_back(static_cast<std::byte>((value >> shift) & 255U));
    };
    word(0x46546c67U); // "glTF"
    word(2);
    word(totalBytes);
    word(jsonBytes);
    word(0x4e4f534aU); // "JSON"
    const auto* text = reinterpret_cast<const std::byte*>(json.data());
    out.insert(out.end(), text, text + json.size());
    out.resize(out.size() + jsonBytes - json.size(), std::byte{' '});
    if (binBytes != 0)
    {
        word(binBytes);
        word(0x004e4942U); // "BIN"
        out.insert(out.end(), file.buffer.bytes().begin(), file.buffer.bytes().end());
        out.resize(totalBytes, std::byte{0});
    }
    return out;
}

Result<std::vector<std::byte>> writeGlb(const SceneDescription& scene)
{
    DL_TRY(detail::checkExportable(scene));
    GltfExport out(scene);
    out.json.beginObject();
    out.json.beginObject("asset");
    out.json.member("version", "2.0");
    out.json.member("generator", "Drawloom");
    out.json.endObject();
    detail::writeNodes(out);
    detail::writeMeshes(out);
    detail::writeMaterials(out.json, scene, out.extensionsUsed);
    DL_TRY(writeImages(out));
    detail::writeSkins(out);
    detail::writeAnimations(out);
    detail::writeCameras(out);
    writeRootExtensions(out);
    if (out.buffer.hasAccessors())
        out.buffer.writeAccessors(out.json);
    if (out.buffer.hasViews())
        writeBuffer(out);
    writeExtensions(out, "extensionsUsed", out.extensionsUsed);
    writeExtensions(out, "extensionsRequired", out.extensionsRequired);
    out.json.endObject();
    return pack(out);
}

} // namespace

Result<std::vector<std::byte>> exportGlbToMemory(const SceneDescription& scene)
{
    DL_TRACE_SCOPE("exportGlb");
    return writeGlb(scene);
}

Result<void> exportGlb(const SceneDescription& scene, const std::filesystem::path& path)
{
    DL_TRY_ASSIGN(const std::vector<std::byte> bytes, exportGlbToMemory(scene));
    return writeFile(path, bytes);
}

} // namespace dl
