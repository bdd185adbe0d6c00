#include "bench/plain_draws.h"

#include "drawloom/render/standard_passes.h"
#include "drawloom/resource/gpu_resources.h"

#include <algorithm>
#include <array>

namespace dl::bench
{
namespace
{

/// State of the stream, to leave out what is set already.
struct Bound
{
    gpu::PipelineId pipeline;
    std::array<gpu::BindGroupId, 4> groups = {};
    std::array<gpu::BufferId, 4> vertices = {};
    gpu::BufferId index;
};

void setGroup(Bound& bound, std::uint32_t group, gpu::BindGroupId id, std::span<const std::uint32_t> offsets, gpu::CommandStream& stream)
{
    if (bound.groups[group] == id)
        return;
    bound.groups[group] = id;
    stream.setBindGroup(group, id, offsets);
}

} // namespace

PlainDraws::PlainDraws(DrawLibrary& library, gpu::Device& device, std::uint32_t width, std::uint32_t height)
    : m_library(library), m_width(width), m_height(height)
{
    const auto make = [&](gpu::Format format, gpu::TextureUsage usage, gpu::TextureId& texture, gpu::TextureViewId& view)
    {
        texture = device.createTexture({.label = "plain", .format = format, .width = width, .height = height, .usage = usage}).value();
        view = device.createTextureView({.label = "plain", .texture = texture}).value();
    };
    make(kHdrFormat, gpu::TextureUsage::ColorAttachment, m_color, m_colorView);
    make(kDepthFormat, gpu::TextureUsage::DepthAttachment, m_depth, m_depthView);
}

void PlainDraws::setVisible(const VisibleRunSink& sink)
{
    m_runs.assign(sink.runs().begin(), sink.runs().end());
    m_objects.clear();
    for (std::uint32_t run = 0; run < m_runs.size(); ++run)
        for (std::uint32_t i = m_runs[run].firstInstance; i < m_runs[run].firstInstance + m_runs[run].instanceCount; ++i)
            m_objects.push_back({sink.ids()[i], run, i});
    std::sort(m_objects.begin(), m_objects.end(), [](const Object& a, const Object& b) { return a.heapId < b.heapId; });
}

void PlainDraws::record(std::uint32_t viewUniformOffset, gpu::CommandStream& stream)
{
    m_drawCount = 0;
    const gpu::TextureBarrier barriers[] = {{m_color, 0, 1, 0, 1, gpu::AccessFlags(), gpu::Access::ColorWrite},
        {m_depth, 0, 1, 0, 1, gpu::AccessFlags(), gpu::Access::DepthWrite}};
    stream.barriers(barriers, {});
    for (const char* name : {"depth", "opaque"})
    {
        gpu::ColorAttachment color;
        color.view = m_colorView;
        gpu::RenderPassDesc desc;
        desc.label = name;
        desc.width = m_width;
        desc.height = m_height;
        desc.colors = std::span(&color, *name == 'o' ? 1U : 0U);
        desc.depth.view = m_depthView;
        stream.beginRenderPass(desc);
        stream.setViewport({0, 0, static_cast<float>(m_width), static_cast<float>(m_height), 0, 1});
        stream.setScissor({0, 0, m_width, m_height});
        recordPass(m_library.findPass(name), viewUniformOffset, stream);
        stream.endRenderPass();
    }
}

void PlainDraws::recordPass(MeshPassId pass, std::uint32_t viewUniformOffset, gpu::CommandStream& stream)
{
    const DrawTables& tables = m_library.tables();
    GpuResources& resources = m_library.resources();
    Bound bound;
    for (const Object& object : m_objects)
    {
        const VisibleRun& run = m_runs[object.run];
        const DrawTables::Lod& lod = tables.sets[run.meshSet.index].lods[run.lod];
        for (std::uint32_t batch = lod.firstBatch; batch < lod.firstBatch + lod.batchCount; ++batch)
        {
            const DrawCommand& command = tables.passes[pass.index].commands[batch];
            if (command.refusal != ReasonCode::None)
                continue;
            const PipelineSlot& slot = tables.pipelines[command.pipelines[run.isMirrored]];
            if (bound.pipeline != slot.pipeline)
            {
                bound = {};
                bound.pipeline = slot.pipeline;
                stream.setPipeline(slot.pipeline);
            }
            setGroup(bound, kFrameGroup, resources.bindings().frameGroup(), std::span(&viewUniformOffset, 1), stream);
            if ((slot.groupMask & 4U) != 0)
                setGroup(bound, kTextureSetGroup, resources.textureSets().bindGroup(tables.materials[command.material.index].textureSet),
                    {}, stream);
            setGroup(bound, kLibraryGroup, resources.bindings().libraryGroup(heapPage(object.heapId)), {}, stream);
            const MeshRange& range = resources.geometry().range(command.range);
            const GeometryPage page = resources.geometry().page(range.pageIndex);
            const gpu::BufferId streams[] = {page.position, page.normal, page.uv};
            for (std::uint32_t i = 0; i < slot.vertexStreamCount; ++i)
            {
                const gpu::BufferId buffer = streams[static_cast<std::size_t>(slot.streams[i])];
                if (bound.vertices[i] == buffer)
                    continue;
                bound.vertices[i] = buffer;
                stream.setVertexBuffer(i, buffer);
            }
            if (bound.index != page.index)
                stream.setIndexBuffer(bound.index = page.index, gpu::IndexFormat::Uint32);
            stream.drawIndexed({range.indexCount, 1, range.firstIndex, static_cast<std::int32_t>(range.baseVertex), object.place, 0});
            ++m_drawCount;
        }
    }
}

} // namespace dl::bench
