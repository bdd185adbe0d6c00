// drawloom/asset/detail/draco_decode.h - the port to the Draco library (bitstreams 2.0 to 2.2, meshes alone). The library
// may throw, and takes the sizes that a stream claims: here they are held against what the caller expects, before it
// allocates, and every exception becomes an error.
#pragma once

#include "drawloom/asset/detail/gltf_accessor.h"

namespace dl::detail
{

struct DracoAttribute
{
    std::uint32_t uniqueId = 0; ///< Draco's own, which survives reordering
    std::uint32_t componentCount = 0;
    ComponentType componentType = ComponentType::Float; ///< of the values that are wanted
};

struct DracoRequest
{
    std::span<const std::byte> bytes;
    std::uint64_t pointCount = 0;    ///< the stream must have as many
    std::uint64_t maxIndexCount = 0; ///< the stream may have fewer
    std::vector<DracoAttribute> attributes;
};

struct DracoMesh
{
    std::vector<std::uint32_t> indices;         ///< triangle list, each below pointCount
    std::vector<std::vector<std::byte>> values; ///< by requested attribute: pointCount tight elements
};

/// BadFile: damaged, or other counts and types than asked for. Unsupported: a point cloud, a bitstream before 2.0.
/// OutOfMemory: the library could not get what the stream needs.
Result<DracoMesh> decodeDraco(const DracoRequest& request);

} // namespace dl::detail
