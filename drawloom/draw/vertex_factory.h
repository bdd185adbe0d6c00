// drawloom/draw/vertex_factory.h - where a shader's vertex attributes come from. Layouts are checked against the shader
// archive's inputs when a batch meets a pass, and against themselves at registration.
#pragma once

#include "drawloom/core/id.h"
#include "drawloom/core/result.h"
#include "drawloom/gpu/shader_archive.h"
#include "drawloom/gpu/types.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace dl
{

using VertexFactoryId = Id<struct VertexFactoryTag>;

/// Which of a factory's attributes a pass may read.
enum class StreamSet : std::uint8_t
{
    Full,
    Position,
    PositionNormal,
};

/// The buffer behind a stream. Pool* are the streams of a geometry page; External* are those of an ExternalGeometry.
enum class StreamSource : std::uint8_t
{
    PoolPosition,
    PoolNormal,
    PoolUv,
    External0,
    External1,
    External2,
    External3,
};
constexpr std::uint32_t kStreamSourceCount = 7;

/// What an attribute is for: decides the stream sets that hold it.
enum class AttributeRole : std::uint8_t
{
    Position,
    Normal, ///< normals and tangents
    Other,
};

struct FactoryAttribute
{
    std::string name;           ///< as in the shader, for messages
    std::uint32_t location = 0; ///< in the shader
    gpu::VertexFormat format = gpu::VertexFormat::Float32x3;
    std::uint32_t offset = 0; ///< bytes within the stride, multiple of 4
    AttributeRole role = AttributeRole::Other;
};

struct FactoryStream
{
    StreamSource source = StreamSource::PoolPosition;
    std::uint32_t stride = 0; ///< bytes, multiple of 4
    std::vector<FactoryAttribute> attributes;
};

struct VertexFactoryDesc
{
    std::string name; ///< the middle part of entry names, "rigid"
    std::vector<FactoryStream> streams;
};

/// The streams of the geometry pool, read by input assembler.
VertexFactoryDesc rigidFactoryDesc();
/// Position, normal and tangent from the deform heap (storage buffer); the rest from the pool's uv stream.
VertexFactoryDesc deformedFactoryDesc();

/// InvalidArgument, naming factory, attribute and bytes: attributes of a stream overlap, one lies outside the stride, an
/// offset or stride is not a multiple of 4, a location or source is used twice, a name is empty.
Result<void> checkVertexFactory(const VertexFactoryDesc& desc);

/// InvalidArgument, naming shader, factory and attribute: an input has no attribute, or another kind of format, or lies
/// outside the stream set (then the code of the message is Unsupported).
Result<void> checkVertexInputs(const VertexFactoryDesc& factory, StreamSet set, const gpu::ShaderEntry& shader);

/// The streams that a shader reads, in the factory's order; indices into VertexFactoryDesc::streams. The k-th is bound to
/// vertex buffer slot k.
std::vector<std::uint32_t> streamsReadBy(const VertexFactoryDesc& factory, const gpu::ShaderEntry& shader);

} // namespace dl
