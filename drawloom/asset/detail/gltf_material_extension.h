// drawloom/asset/detail/gltf_material_extension.h - material extensions that are read and kept through export, but not drawn.
#pragma once

#include "drawloom/asset/detail/gltf_object.h"

namespace dl::detail
{

/// Extensions of this kind: the base metallic-roughness material is drawn in their place.
bool isKeptMaterialExtension(std::string_view name);
/// `extension` is the object of a kept extension. `out.name` is left to the caller.
void readMaterialExtension(const GltfObject& extension, MaterialExtension& out);
/// A textureInfo: image, sampler, UV set, transform.
TextureRef readTextureInfo(const GltfObject& info);

} // namespace dl::detail
