// drawloom/asset/detail/gltf_export_variants.h - KHR_materials_variants of a .glb.
#pragma once

#include "drawloom/asset/detail/json_writer.h"
#include "drawloom/asset/scene_description.h"

namespace dl::detail
{

/// The names, a member of the root's `extensions`; nothing if the scene has none.
void writeVariants(JsonWriter& json, const SceneDescription& scene);
/// The primitive's `extensions`. It wears `materialIndex` in the file; where applyVariant chose another than the file's own,
/// variants without an entry are mapped to that, so that they keep it.
void writeVariantMaterials(JsonWriter& json, const SceneDescription& scene, const Primitive& primitive);

} // namespace dl::detail
