#include "drawloom/resource/library_bindings.h"

#include "drawloom/core/hash.h"
#include "drawloom/resource/deform_heap.h"
#include "drawloom/resource/geometry_pool.h"
#include "drawloom/resource/id_list.h"
#include "drawloom/resource/instance_heap.h"
#include "drawloom/resource/material_table.h"
#include "drawloom/resource/mover_heap.h"
#include "drawloom/resource/property_heap.h"
#include "drawloom/resource/uniform_ring.h"

#include <array>

namespace dl
{

namespace
{
using gpu::BindGroupLayoutEntry;
using gpu::BindingType;
using gpu::ShaderStage;

constexpr gpu::ShaderStages kVertex = ShaderStage::Vertex;
constexpr gpu::ShaderStages kVertexFragment = ShaderStage::Vertex | ShaderStage::Fragment;
constexpr gpu::ShaderStages kCompute = ShaderStage::Compute;

BindGroupLayoutEntry bufferEntry(
    std::uint32_t binding, gpu::ShaderStages stages, BindingType type, std::size_t minBytes, bool hasDynamicOffset = false)
{
    BindGroupLayoutEntry entry;
    entry.binding = binding;
    entry.visibility = stages;
    entry.type = type;
    entry.hasDynamicOffset = hasDynamicOffset;
    entry.minBytes = static_cast<std::uint32_t>(minBytes);
    return entry;
}

gpu::BindGroupEntry bind(std::uint32_t binding, gpu::BufferId buffer, std::uint64_t bytes = 0)
{
    gpu::BindGroupEntry entry;
    entry.binding = binding;
    entry.buffer = buffer;
    entry.bytes = bytes;
    return entry;
}
} // namespace

LibraryBindings::LibraryBindings(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount, const LibrarySources& sources)
    : m_device(&device), m_retired(&retired), m_sources(sources),
      m_frameBuffer(
          device, retired, amount, {"frame uniforms", gpu::BufferUsage::Uniform, gpu::Access::UniformRead, sizeof(FrameUniforms)}),
      m_dummy(device, retired, amount, {"empty stream", gpu::BufferUsage::Storage, gpu::Access::StorageRead, 16})
{
}

LibraryBindings::~LibraryBindings()
{
    for (const Group& group : m_libraryGroups)
        m_retired->retire(group.id);
    for (const Group& group : m_deformGroups)
        m_retired->retire(group.id);
    m_retired->retire(m_frameGroup.id);
    m_retired->retire(m_jobGroup.id);
    m_retired->retire(m_emptyGroup);
    m_retired->destroyAll(); // groups before their layouts
    for (const gpu::BindGroupLayoutId layout :
        {m_layouts.frame, m_layouts.empty, m_layouts.textureSet, m_layouts.library, m_layouts.deformJob, m_layouts.deformPage})
        if (layout)
            m_device->destroy(layout);
}

Result<void> LibraryBindings::createLayouts()
{
    const std::array frame = {bufferEntry(0, kVertexFragment, BindingType::UniformBuffer, sizeof(FrameUniforms)),
        bufferEntry(1, kVertexFragment, BindingType::UniformBuffer, sizeof(ViewUniforms), true)};
    DL_TRY_ASSIGN(m_layouts.frame, m_device->createBindGroupLayout({"frame", frame}));
    DL_TRY_ASSIGN(m_layouts.empty, m_device->createBindGroupLayout({"empty", {}}));

    std::array<BindGroupLayoutEntry, kMaterialTextureCount * 2> textures;
    for (std::uint32_t i = 0; i < textures.size(); ++i)
    {
        textures[i].binding = i;
        textures[i].visibility = ShaderStage::Fragment;
        textures[i].type = i < kMaterialTextureCount ? BindingType::SampledTexture : BindingType::FilteringSampler;
    }
    DL_TRY_ASSIGN(m_layouts.textureSet, m_device->createBindGroupLayout({"texture set", textures}));

    constexpr BindingType kRead = BindingType::ReadOnlyStorageBuffer;
    const std::array library = {bufferEntry(0, kVertex, kRead, sizeof(InstanceRecord)), bufferEntry(1, kVertex, kRead, 4),
        bufferEntry(2, kVertexFragment, kRead, sizeof(MaterialParams)), bufferEntry(3, kVertex, kRead, 4),
        bufferEntry(4, kVertex, kRead, 4), bufferEntry(5, kVertex, kRead, 16), bufferEntry(6, kVertex, kRead, 4)};
    DL_TRY_ASSIGN(m_layouts.library, m_device->createBindGroupLayout({"library", library}));

    const std::array job = {bufferEntry(0, kCompute, BindingType::UniformBuffer, sizeof(DeformJob), true)};
    DL_TRY_ASSIGN(m_layouts.deformJob, m_device->createBindGroupLayout({"deform job", job}));
    const std::array page = {bufferEntry(0, kCompute, kRead, 4), bufferEntry(1, kCompute, kRead, 4), bufferEntry(2, kCompute, kRead, 4),
        bufferEntry(3, kCompute, kRead, 16), bufferEntry(4, kCompute, kRead, 4), bufferEntry(5, kCompute, kRead, 4),
        bufferEntry(6, kCompute, BindingType::StorageBuffer, 4)};
    DL_TRY_ASSIGN(m_layouts.deformPage, m_device->createBindGroupLayout({"deform page", page}));
    return {};
}

Result<void> LibraryBindings::initialise()
{
    DL_TRY(createLayouts());
    DL_TRY_ASSIGN(m_emptyGroup, m_device->createBindGroup({"empty", m_layouts.empty, {}}));
    DL_TRY(m_frameBuffer.reserve(sizeof(FrameUniforms)));
    DL_TRY(m_dummy.reserve(16));
    return {};
}

void LibraryBindings::collectWrites(WriteBatch& batch)
{
    static constexpr std::array<std::byte, 16> kZeros{};
    batch.write(m_frameBuffer, 0, std::as_bytes(std::span<const FrameUniforms, 1>(&m_frame, 1)));
    if (!m_dummy.state)
        batch.write(m_dummy, 0, kZeros);
}

Result<void> LibraryBindings::rebuild(
    Group& group, const char* label, gpu::BindGroupLayoutId layout, std::span<const gpu::BindGroupEntry> entries)
{
    std::uint64_t key = entries.size();
    for (const gpu::BindGroupEntry& entry : entries)
        key = hashCombine(key, std::uint64_t(entry.buffer.generation) << 32U | entry.buffer.index);
    if (group.id && group.key == key)
        return {};
    DL_TRY_ASSIGN(const gpu::BindGroupId id, m_device->createBindGroup({label, layout, entries}));
    m_retired->retire(group.id);
    group = {id, key};
    ++m_created;
    return {};
}

Result<void> LibraryBindings::updateLibraryGroup(std::uint32_t page)
{
    const std::array entries = {bind(0, m_sources.instances->pageBuffer(page).id()), bind(1, m_sources.ids->buffer().id()),
        bind(2, m_sources.materials->buffer().id()), bind(3, m_sources.properties->buffer().id()), bind(4, m_sources.deform->output().id()),
        bind(5, m_sources.movers->buffer().id()), bind(6, m_sources.deform->previous().id())};
    return rebuild(m_libraryGroups[page], "library", m_layouts.library, entries);
}

Result<void> LibraryBindings::updateDeformGroup(std::uint32_t page)
{
    const GeometryPage buffers = m_sources.geometry->page(page);
    Group& group = m_deformGroups[page];
    if (!buffers.position || (!buffers.skin && !buffers.morph))
    {
        m_retired->retire(group.id);
        group = {};
        return {};
    }
    const std::array entries = {bind(0, buffers.position), bind(1, buffers.normal), bind(2, buffers.skin ? buffers.skin : m_dummy.id()),
        bind(3, m_sources.deform->joints().id()), bind(4, buffers.morph ? buffers.morph : m_dummy.id()),
        bind(5, m_sources.deform->morphWeights().id()), bind(6, m_sources.deform->output().id())};
    return rebuild(group, "deform page", m_layouts.deformPage, entries);
}

Result<void> LibraryBindings::update()
{
    const std::array frame = {
        bind(0, m_frameBuffer.id(), sizeof(FrameUniforms)), bind(1, m_sources.views->buffer().id(), sizeof(ViewUniforms))};
    DL_TRY(rebuild(m_frameGroup, "frame", m_layouts.frame, frame));
    const std::array job = {bind(0, m_sources.deform->jobs().buffer().id(), sizeof(DeformJob))};
    DL_TRY(rebuild(m_jobGroup, "deform job", m_layouts.deformJob, job));
    m_libraryGroups.resize(m_sources.instances->pageCount());
    for (std::uint32_t page = 0; page < m_libraryGroups.size(); ++page)
        DL_TRY(updateLibraryGroup(page));
    m_deformGroups.resize(m_sources.geometry->pageBound());
    for (std::uint32_t page = 0; page < m_deformGroups.size(); ++page)
        DL_TRY(updateDeformGroup(page));
    return {};
}

} // namespace dl
