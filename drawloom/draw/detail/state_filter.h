// drawloom/draw/detail/state_filter.h - writes draws into a command stream and leaves out state that is set already. Slots
// (pipeline, texture set, mesh range) are resolved here, at encode. Part of DrawFrame.
#pragma once

#include "drawloom/draw/draw_frame.h"
#include "drawloom/resource/geometry_pool.h"

#include <array>
#include <cstdint>

namespace dl::detail
{

class StateFilter
{
public:
    StateFilter(const DrawTables& tables, GpuResources& resources, const EncodeBindings& bindings, gpu::CommandStream& stream);

    /// A draw of the geometry pool.
    void draw(const DrawRecord& record, std::uint32_t firstId);
    /// Draws of the geometry pool that differ from `first` by their triangles and instances alone: `count` arguments from the
    /// `firstArgument`-th on.
    void multiDraw(const DrawRecord& first, std::uint32_t firstArgument, std::uint32_t count);
    /// A draw of a user's or the transient ring's buffers.
    void draw(const DrawRecord& record, const ExternalGeometry& geometry, std::uint32_t firstId);

private:
    struct Vertex
    {
        gpu::BufferId buffer;
        std::uint64_t offset = 0;
    };
    void setPoolState(const DrawRecord& record);
    void setPipeline(const PipelineSlot& slot);
    void setGroups(const PipelineSlot& slot, const DrawRecord& record);
    void setGroup(std::uint32_t group, gpu::BindGroupId id);
    void setBuffers(const PipelineSlot& slot, const std::array<Vertex, kStreamSourceCount>& sources, Vertex index);

    const DrawTables& m_tables;
    GpuResources& m_resources;
    const EncodeBindings& m_bindings;
    gpu::CommandStream& m_stream;
    gpu::PipelineId m_pipeline;
    std::uint8_t m_groupMask = 0;
    std::array<gpu::BindGroupId, 4> m_groups = {};
    std::array<Vertex, 4> m_vertices = {};
    Vertex m_index;
};

} // namespace dl::detail
