// drawloom/asset/detail/gltf_meshopt.h - EXT_meshopt_compression: buffer views that are decoded on first use.
#pragma once

#include "drawloom/asset/detail/gltf_accessor.h"

namespace dl::detail
{

/// True if the buffer is marked as the place of uncompressed data that the file may leave out.
bool isFallbackBuffer(const GltfObject& buffer);
/// Opens a compressed view: `extension` is its EXT_meshopt_compression. The decoded bytes stay in the state, so that views
/// which many accessors use are decoded once. False after state.fail().
bool openMeshoptView(const GltfObject& view, std::uint32_t viewIndex, const GltfObject& extension, GltfBufferView& out);

} // namespace dl::detail
