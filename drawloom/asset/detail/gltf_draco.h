// drawloom/asset/detail/gltf_draco.h - KHR_draco_mesh_compression: a primitive's accessors filled from a Draco stream.
#pragma once

#include "drawloom/asset/detail/gltf_object.h"

namespace dl::detail
{

/// Decodes the stream of `primitive`: indices into `out`, attributes into state.decodedAccessors, where openAccessor finds
/// them until the caller clears that list. `extension` is the primitive's KHR_draco_mesh_compression. False after a failure.
bool readDraco(const GltfObject& primitive, const GltfObject& extension, std::uint64_t mode, Primitive& out);

} // namespace dl::detail
