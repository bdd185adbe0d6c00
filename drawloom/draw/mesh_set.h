// drawloom/draw/mesh_set.h - what a source's instances look like: levels of detail of sections, each a range of the geometry
// pool (or buffers of a user) with a vertex factory and a material part. Knows nothing of passes.
#pragma once

#include "drawloom/core/id.h"
#include "drawloom/core/maths.h"
#include "drawloom/draw/vertex_factory.h"
#include "drawloom/resource/resource_ids.h"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace dl
{

using MeshSetId = Id<struct MeshSetTag>;
using SurfaceId = Id<struct SurfaceTag>;
using ExternalGeometryId = Id<struct ExternalGeometryTag>;

constexpr std::uint32_t kMaxLodCount = 8;

/// Buffers of a user, for factories with External streams. The buffers stay the user's and outlive the mesh sets.
struct ExternalGeometry
{
    std::array<gpu::BufferId, 4> vertexBuffers = {};
    std::array<std::uint64_t, 4> vertexOffsets = {};
    gpu::BufferId indexBuffer; ///< uint32
    std::uint64_t indexOffset = 0;
    std::uint32_t firstIndex = 0, indexCount = 0;
    std::int32_t baseVertex = 0;
};

enum class BatchFlag : std::uint32_t
{
    Selected = 1,
    NoShadow = 2,
    User0 = 1U << 16U, ///< this bit and those above are the user's
};
using BatchFlags = gpu::Flags<BatchFlag>;

struct MeshSection
{
    MeshRangeId range;           ///< in the geometry pool, or
    ExternalGeometryId external; ///< a user's buffers
    VertexFactoryId factory;     ///< none: rigid
    std::uint32_t part = 0;      ///< into MeshSetDesc::materials; the same number stands in the vertices
    /// A piece of the range's indices, so that levels of detail may share the vertices of one range. 0 indices: all of them.
    std::uint32_t firstIndex = 0, indexCount = 0;
    gpu::Topology topology = gpu::Topology::TriangleList;
};

struct MeshLod
{
    /// Used while the bounding sphere's diameter covers at least this part of the picture's height (cull::screenSize).
    float minScreenSize = 0.0f;
    std::vector<MeshSection> sections;
};

struct MeshSetDesc
{
    std::string name;
    std::vector<MeshLod> lods;         ///< 1..kMaxLodCount, finest first, minScreenSize falling
    std::vector<MaterialId> materials; ///< one per part
    Aabb bounds;
    float uvDensity = 0.0f; ///< UV units per metre, for mip demand; 0: unknown
    BatchFlags flags;
    std::uint8_t explicitOrder = 128; ///< blended passes draw smaller ones first, before depth decides
};

/// Answers about a mesh set that sources need.
struct MeshSetInfo
{
    Aabb bounds;
    float uvDensity = 0.0f;
    std::uint32_t lodCount = 0;
    std::array<float, kMaxLodCount> minScreenSizes = {};
    std::uint32_t materialRef = 0; ///< for InstanceRecord::materialRef
    std::uint32_t partCount = 0;
};

} // namespace dl
