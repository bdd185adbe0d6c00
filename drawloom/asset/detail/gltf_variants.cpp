// drawloom/asset/detail/gltf_variants.cpp - see the header.
#include "drawloom/asset/detail/gltf_variants.h"

#include <algorithm>

namespace dl::detail
{
namespace
{

constexpr const char* kExtension = "KHR_materials_variants";

} // namespace

void readVariants(GltfState& state)
{
    const GltfObject root(state, state.json->root());
    const std::optional<GltfObject> extension = root.extension(kExtension);
    if (!extension)
        return;
    for (const GltfObject& variant : extension->objects("variants"))
        state.scene.variants.emplace_back(variant.text("name"));
}

void readVariantMaterials(const GltfObject& primitive, Primitive& out)
{
    GltfState& state = primitive.state();
    const std::optional<GltfObject> extension = primitive.extension(kExtension);
    if (!extension || state.failed())
        return;
    out.variantMaterials.push_back({kNoIndex, out.materialIndex});
    std::vector<bool> isMapped(state.scene.variants.size(), false);
    for (const GltfObject& mapping : extension->objects("mappings"))
    {
        const std::uint32_t material = mapping.requiredIndex("material", state.scene.materials.size());
        for (const std::uint32_t variant : mapping.indexList("variants", state.scene.variants.size()))
        {
            if (isMapped[variant])
                state.warn("variant-mapped-twice", mapping.path("variants"),
                    "variant " + std::to_string(variant) + " has a material already; the first one stays");
            else
                out.variantMaterials.push_back({variant, material});
            isMapped[variant] = true;
        }
    }
}

} // namespace dl::detail
