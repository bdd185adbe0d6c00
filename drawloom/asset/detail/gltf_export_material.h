// drawloom/asset/detail/gltf_export_material.h - materials, textures and samplers of a glTF that is written.
#pragma once

#include "drawloom/asset/detail/json_writer.h"
#include "drawloom/asset/scene_description.h"

#include <set>
#include <string>

namespace dl::detail
{

/// "materials", "textures" and "samplers"; adds the names of the extensions that they use.
void writeMaterials(JsonWriter& json, const SceneDescription& scene, std::set<std::string>& extensionsUsed);

} // namespace dl::detail
