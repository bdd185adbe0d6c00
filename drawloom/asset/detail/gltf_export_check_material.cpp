// drawloom/asset/detail/gltf_export_check_material.cpp - materials that can not be written as glTF.
#include "drawloom/asset/detail/gltf_export_check_values.h"
#include "drawloom/asset/detail/json.h"

#include <span>

namespace dl::detail
{
namespace
{

constexpr std::size_t kMaxKeptDepth = 60; // of the 64 that the import takes: the root, materials, material, extensions

Result<void> checkTexture(const SceneDescription& scene, const TextureRef& texture, const std::string& where)
{
    if (!isIndex(texture.imageIndex, scene.images.size()))
        return invalid(where, "names image " + std::to_string(texture.imageIndex) + " of " + std::to_string(scene.images.size()));
    if (texture.isPresent() && texture.uvSet > 1)
        return invalid(where, "a texture reads UV set " + std::to_string(texture.uvSet) + "; meshes have 0 and 1");
    if (!isFinite(&texture.uvOffset.x, 2) || !isFinite(&texture.uvScale.x, 2) || !std::isfinite(texture.uvRotation))
        return invalid(where, "a texture has a number that is not finite");
    return {};
}

/// The text as it will be written, with a stand-in for each textureInfo's members.
Result<void> checkKeptJson(const MaterialExtension& extension, const std::string& where)
{
    if (extension.json.size() != extension.textures.size() + 1)
        return invalid(where, extension.name + " needs one text more than it has textures");
    std::string text;
    for (std::size_t i = 0; i < extension.json.size(); ++i)
        text += (i == 0 ? "" : "\"index\":0") + extension.json[i];
    const Result<JsonDocument> json = JsonDocument::parse(std::as_bytes(std::span(text)), kMaxKeptDepth);
    if (!json)
        return invalid(where, extension.name + " is kept as text that is no JSON: " + json.error().message);
    if (json->root().kind() != JsonKind::Object)
        return invalid(where, extension.name + " is kept as JSON that is no object");
    return {};
}

Result<void> checkKept(const Material& material, const std::string& where)
{
    std::vector<std::string_view> names = {"KHR_materials_unlit", "KHR_materials_emissive_strength"}; // written from fields
    for (const MaterialExtension& extension : material.keptExtensions)
    {
        if (extension.name.empty())
            return invalid(where, "keeps an extension without a name");
        if (std::find(names.begin(), names.end(), extension.name) != names.end())
            return invalid(where, "keeps " + extension.name + " twice, or beside the field that it is written from");
        names.push_back(extension.name);
        DL_TRY(checkKeptJson(extension, where));
    }
    return {};
}

Result<void> checkMaterial(const SceneDescription& scene, std::size_t index)
{
    const Material& m = scene.materials[index];
    const std::string where = whereOf("materials", index, m.name);
    Result<void> textures = {};
    m.forEachTexture(
        [&](const TextureRef& texture)
        {
            if (textures)
                textures = checkTexture(scene, texture, where);
        });
    DL_TRY(textures);
    DL_TRY(checkKept(m, where));
    const float numbers[] = {m.metallicFactor, m.roughnessFactor, m.normalScale, m.occlusionStrength, m.alphaCutoff};
    if (!isFinite(&m.baseColorFactor.x, 4) || !isFinite(&m.emissiveFactor.x, 3) || !isFinite(numbers, std::size(numbers)))
        return invalid(where, "has a number that is not finite");
    return {};
}

} // namespace

Result<void> checkMaterials(const SceneDescription& scene)
{
    for (std::size_t i = 0; i < scene.materials.size(); ++i)
        DL_TRY(checkMaterial(scene, i));
    return {};
}

} // namespace dl::detail
