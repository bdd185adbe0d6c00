// drawloom/asset/detail/gltf_variants.h - KHR_materials_variants: names, and what a primitive wears under each.
#pragma once

#include "drawloom/asset/detail/gltf_object.h"

namespace dl::detail
{

/// The names, into SceneDescription::variants. Before meshes are read.
void readVariants(GltfState& state);
/// `out.materialIndex` must be read already.
void readVariantMaterials(const GltfObject& primitive, Primitive& out);

} // namespace dl::detail
