// drawloom/asset/detail/gltf_export_variants.cpp - see the header.
#include "drawloom/asset/detail/gltf_export_variants.h"

#include <algorithm>

namespace dl::detail
{
namespace
{

constexpr const char* kExtension = "KHR_materials_variants";

/// By variant: its material; kNoIndex where the primitive has no entry for it.
std::vector<std::uint32_t> materialsOf(const SceneDescription& scene, const Primitive& primitive)
{
    std::vector<std::uint32_t> out(scene.variants.size(), kNoIndex);
    std::uint32_t unmapped = kNoIndex;
    for (const VariantMaterial& entry : primitive.variantMaterials)
        if (entry.variantIndex == kNoIndex)
            unmapped = entry.materialIndex != primitive.materialIndex ? entry.materialIndex : kNoIndex;
    out.assign(out.size(), unmapped);
    for (const VariantMaterial& entry : primitive.variantMaterials)
        if (entry.variantIndex != kNoIndex)
            out[entry.variantIndex] = entry.materialIndex;
    return out;
}

} // namespace

void writeVariants(JsonWriter& json, const SceneDescription& scene)
{
    if (scene.variants.empty())
        return;
    json.beginObject(kExtension);
    json.beginArray("variants");
    for (const std::string& name : scene.variants)
    {
        json.beginObject();
        json.member("name", name);
        json.endObject();
    }
    json.endArray();
    json.endObject();
}

void writeVariantMaterials(JsonWriter& json, const SceneDescription& scene, const Primitive& primitive)
{
    if (primitive.variantMaterials.size() < 2) // no entry but the file's own material
        return;
    const std::vector<std::uint32_t> materials = materialsOf(scene, primitive);
    if (std::count(materials.begin(), materials.end(), kNoIndex) == std::ssize(materials))
        return;
    json.beginObject("extensions");
    json.beginObject(kExtension);
    json.beginArray("mappings");
    for (std::uint32_t variant = 0; variant < materials.size(); ++variant)
    {
        if (materials[variant] == kNoIndex)
            continue;
        json.beginObject();
        json.member("material", materials[variant]);
        json.member("variants", std::span<const std::uint32_t>(&variant, 1));
        json.endObject();
    }
    json.endArray();
    json.endObject();
    json.endObject();
}

} // namespace dl::detail
