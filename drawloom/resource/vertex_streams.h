// drawloom/resource/vertex_streams.h - the three vertex streams of the geometry pool, as bytes and as layouts for pipelines,
// and the packing of a CPU primitive into them. Used by the geometry pool's callers and by vertex factories.
#pragma once

#include "drawloom/asset/mesh.h"
#include "drawloom/core/result.h"
#include "drawloom/gpu/descs.h"
#include "drawloom/resource/gpu_structs.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dl
{

constexpr std::uint32_t kPositionStream = 0, kNormalStream = 1, kUvStream = 2, kVertexStreamCount = 3;

/// Stream 1: unit vectors as snorm16; normal[3] is 0, tangent[3] is +-32767.
struct VertexNormal
{
    std::int16_t normal[4] = {0, 0, 32767, 0};
    std::int16_t tangent[4] = {32767, 0, 0, 32767};
};
static_assert(sizeof(VertexNormal) == kNormalStrideBytes);

/// Stream 2.
struct VertexUv
{
    float uv0[2] = {0, 0};
    float uv1[2] = {0, 0};
    std::uint8_t color[4] = {255, 255, 255, 255}; ///< linear
    std::uint32_t part = 0;                       ///< index into the instance's material list
};
static_assert(sizeof(VertexUv) == kUvStrideBytes);

/// Skin stream: four influences; weights are unorm16 and sum to 65535.
struct SkinRecord
{
    std::uint16_t joints[4] = {0, 0, 0, 0};
    std::uint16_t weights[4] = {65535, 0, 0, 0};
};
static_assert(sizeof(SkinRecord) == 16);

/// Stride and attributes of stream 0, 1 or 2 (locations as in the contract of the shaders).
gpu::VertexBufferLayout vertexStreamLayout(std::uint32_t stream);

/// A primitive ready for the pool. All streams have vertexCount elements.
struct MeshData
{
    std::string name; ///< for messages and labels
    std::vector<vec3> positions;
    std::vector<VertexNormal> normals;
    std::vector<VertexUv> uvs;
    std::vector<std::uint32_t> indices; ///< each < vertexCount
    std::vector<SkinRecord> skin;       ///< vertexCount x skinSetCount, record = vertex * setCount + set; empty: rigid
    std::uint32_t skinSetCount = 0;     ///< 0, 1 or 2
    std::vector<float> morph;           ///< target-major: (target * vertexCount + vertex) * words
    std::uint32_t morphTargetCount = 0;
    bool hasMorphNormals = false, hasMorphTangents = false; ///< words = 3 + 3 (normals) + 3 (tangents)
    bool hasFlatNormals = false;                            ///< deformed vertices 3i to 3i + 2 take their triangle's normal

    std::uint32_t vertexCount() const { return static_cast<std::uint32_t>(positions.size()); }
    std::uint32_t morphWords() const { return 3U + (hasMorphNormals ? 3U : 0U) + (hasMorphTangents ? 3U : 0U); }
    bool isDeformed() const { return skinSetCount != 0 || morphTargetCount != 0; }
};

/// Packs `primitive`; `part` goes into every vertex. Absent attributes get defaults: normal +Z, a tangent perpendicular to
/// the normal, uv 0 (uv1 = uv0 where only uv0 is there), colour white. Weights are normalised; a vertex without weight
/// follows joint 0.
/// InvalidArgument: no vertices, arrays of different sizes, indices out of range or not a multiple of 3, non-finite positions.
Result<MeshData> packPrimitive(const Primitive& primitive, std::uint32_t part, std::string_view name = {});

/// What GeometryPool::add checks: sizes of the streams and range of the indices.
Result<void> validateMeshData(const MeshData& data);

} // namespace dl
