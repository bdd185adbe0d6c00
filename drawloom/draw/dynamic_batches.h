// drawloom/draw/dynamic_batches.h - geometry that lives one frame: particles, debug lines, UI. Vertices go into a transient
// ring on the device; the draws join their pass's order.
#pragma once

#include "drawloom/draw/draw_library.h"
#include "drawloom/gpu/command_stream.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace dl
{

struct DynamicBatchDesc
{
    MeshPassId pass;
    std::uint64_t viewMask = ~0ULL; ///< views of the pass's kinds that see it
    VertexFactoryId factory;        ///< streams External0..3 only
    MaterialId material;            ///< its alpha mode chooses the shader, its texture set is bound if read
    gpu::Topology topology = gpu::Topology::TriangleList;
    std::span<const std::byte> vertices[4]; ///< by External stream; copied
    std::span<const std::uint32_t> indices; ///< copied
    std::uint32_t instanceId = 0;           ///< instance heap id that the shader may read
    vec3 centre = vec3(0.0f);               ///< relative to the frame's origin, for sorting
    std::uint8_t explicitOrder = 128;
};

/// One thread. Batches hold from `add` to the next `beginFrame`.
class DynamicBatches
{
public:
    /// `capacityBytes` of vertices and indices in one frame.
    static Result<std::unique_ptr<DynamicBatches>> create(DrawLibrary& library, std::uint32_t capacityBytes = 4U << 20U);
    ~DynamicBatches();

    void beginFrame();
    /// OutOfBudget: the ring is full (counted as DynamicRingFull); Unsupported: no permutation for factory, material and pass.
    Result<void> add(const DynamicBatchDesc& desc);
    /// Emits the frame's upload with its barriers; outside passes, before the draws.
    void flush(gpu::CommandStream& stream);

    struct Batch
    {
        DrawCommand command;
        ExternalGeometry geometry;
        MeshPassId pass;
        std::uint64_t viewMask = 0;
        std::uint32_t instanceId = 0;
        vec3 centre = vec3(0.0f);
    };
    std::span<const Batch> batches() const { return m_batches; }
    std::uint32_t refusedCount() const { return m_refusedCount; }

private:
    DynamicBatches(DrawLibrary& library, std::uint32_t capacityBytes) : m_library(library), m_capacityBytes(capacityBytes) {}
    DrawLibrary& m_library;
    std::uint32_t m_capacityBytes;
    std::uint32_t m_refusedCount = 0;
    gpu::BufferId m_buffer;
    std::vector<std::byte> m_bytes;
    std::vector<Batch> m_batches;
};

} // namespace dl
