// drawloom/draw/detail/state_filter.cpp - see the header.
#include "drawloom/draw/detail/state_filter.h"

#include "drawloom/resource/gpu_resources.h"

namespace dl::detail
{

StateFilter::StateFilter(const DrawTables& tables, GpuResources& resources, const EncodeBindings& bindings, gpu::CommandStream& stream)
    : m_tables(tables), m_resources(resources), m_bindings(bindings), m_stream(stream)
{
}

void StateFilter::setPipeline(const PipelineSlot& slot)
{
    if (slot.pipeline == m_pipeline)
        return;
    m_pipeline = slot.pipeline;
    m_stream.setPipeline(slot.pipeline);
    // Layouts that differ in a group disturb that group and those above it (Vulkan, "Pipeline Layout Compatibility").
    for (std::uint32_t group = 0; group < 4; ++group)
        if (((slot.groupMask ^ m_groupMask) >> group & 1U) != 0)
        {
            for (std::uint32_t above = group; above < 4; ++above)
                m_groups[above] = {};
            break;
        }
    m_groupMask = slot.groupMask;
}

void StateFilter::setGroup(std::uint32_t group, gpu::BindGroupId id)
{
    if (m_groups[group] == id)
        return;
    m_groups[group] = id;
    if (group == kFrameGroup)
        m_stream.setBindGroup(group, id, std::span(&m_bindings.viewUniformOffset, 1));
    else
        m_stream.setBindGroup(group, id);
}

void StateFilter::setGroups(const PipelineSlot& slot, const DrawRecord& record)
{
    if ((slot.groupMask & 1U) != 0)
        setGroup(kFrameGroup, m_bindings.frame);
    if ((slot.groupMask & 2U) != 0)
        setGroup(kPassGroup, m_bindings.pass);
    if ((slot.groupMask & 4U) != 0)
        setGroup(kTextureSetGroup, m_resources.textureSets().bindGroup(record.textureSet));
    if ((slot.groupMask & 8U) != 0)
        setGroup(kLibraryGroup, m_resources.bindings().libraryGroup(record.heapPage));
}

void StateFilter::setBuffers(const PipelineSlot& slot, const std::array<Vertex, kStreamSourceCount>& sources, Vertex index)
{
    for (std::uint32_t i = 0; i < slot.vertexStreamCount; ++i)
    {
        const Vertex& source = sources[static_cast<std::size_t>(slot.streams[i])];
        if (m_vertices[i].buffer == source.buffer && m_vertices[i].offset == source.offset)
            continue;
        m_vertices[i] = source;
        m_stream.setVertexBuffer(i, source.buffer, source.offset);
    }
    if (m_index.buffer == index.buffer && m_index.offset == index.offset)
        return;
    m_index = index;
    m_stream.setIndexBuffer(index.buffer, gpu::IndexFormat::Uint32, index.offset);
}

void StateFilter::setPoolState(const DrawRecord& record)
{
    const PipelineSlot& slot = m_tables.pipelines[record.pipelineSlot];
    const GeometryPage page = m_resources.geometry().page(record.geometryPage);
    std::array<Vertex, kStreamSourceCount> sources = {};
    sources[static_cast<std::size_t>(StreamSource::PoolPosition)].buffer = page.position;
    sources[static_cast<std::size_t>(StreamSource::PoolNormal)].buffer = page.normal;
    sources[static_cast<std::size_t>(StreamSource::PoolUv)].buffer = page.uv;
    setPipeline(slot);
    setGroups(slot, record);
    setBuffers(slot, sources, {page.index, 0});
}

void StateFilter::draw(const DrawRecord& record, std::uint32_t firstId)
{
    setPoolState(record);
    const MeshRange& range = m_resources.geometry().range(record.range);
    m_stream.drawIndexed({record.indexCount, record.instanceCount, range.firstIndex + record.firstIndex,
        static_cast<std::int32_t>(range.baseVertex), firstId + record.firstId, 0});
}

void StateFilter::multiDraw(const DrawRecord& first, std::uint32_t firstArgument, std::uint32_t count)
{
    setPoolState(first);
    m_stream.drawIndexedIndirect(
        m_resources.indirectDraws().buffer().id(), std::uint64_t(firstArgument) * sizeof(IndirectArguments), count);
}

void StateFilter::draw(const DrawRecord& record, const ExternalGeometry& geometry, std::uint32_t firstId)
{
    const PipelineSlot& slot = m_tables.pipelines[record.pipelineSlot];
    std::array<Vertex, kStreamSourceCount> sources = {};
    for (std::size_t i = 0; i < 4; ++i)
        sources[static_cast<std::size_t>(StreamSource::External0) + i] = {geometry.vertexBuffers[i], geometry.vertexOffsets[i]};
    setPipeline(slot);
    setGroups(slot, record);
    setBuffers(slot, sources, {geometry.indexBuffer, geometry.indexOffset});
    m_stream.drawIndexed(
        {geometry.indexCount, record.instanceCount, geometry.firstIndex, geometry.baseVertex, firstId + record.firstId, 0});
}

} // namespace dl::detail
