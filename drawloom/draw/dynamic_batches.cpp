// drawloom/draw/dynamic_batches.cpp - one buffer, written from its start every frame: uploads are ordered in the stream, so
// frames in flight need no copies of their own.
#include "drawloom/draw/dynamic_batches.h"

namespace dl
{

Result<std::unique_ptr<DynamicBatches>> DynamicBatches::create(DrawLibrary& library, std::uint32_t capacityBytes)
{
    std::unique_ptr<DynamicBatches> batches(new DynamicBatches(library, capacityBytes));
    const gpu::BufferDesc desc = {
        "dynamic batches", capacityBytes, gpu::BufferUsage::Vertex | gpu::BufferUsage::Index | gpu::BufferUsage::CopyDst};
    DL_TRY_ASSIGN(batches->m_buffer, library.device().createBuffer(desc));
    batches->m_bytes.reserve(capacityBytes);
    return batches;
}

DynamicBatches::~DynamicBatches()
{
    if (m_buffer)
        m_library.device().destroy(m_buffer);
}

void DynamicBatches::beginFrame()
{
    m_bytes.clear();
    m_batches.clear();
    m_refusedCount = 0;
}

Result<void> DynamicBatches::add(const DynamicBatchDesc& desc)
{
    const VertexFactoryDesc* factory = m_library.findFactory(desc.factory);
    if (factory == nullptr || desc.indices.empty())
        return Error{ErrorCode::InvalidArgument, "a dynamic batch needs a vertex factory and at least one index"};
    std::size_t bytes = desc.indices.size_bytes();
    for (const FactoryStream& stream : factory->streams)
    {
        const auto slot = static_cast<std::size_t>(stream.source) - static_cast<std::size_t>(StreamSource::External0);
        if (stream.source < StreamSource::External0 || desc.vertices[slot].empty() || desc.vertices[slot].size() % stream.stride != 0)
            return Error{ErrorCode::InvalidArgument, "dynamic batch with vertex factory \"" + factory->name +
                                                         "\": each stream is external and holds whole vertices of its stride"};
        bytes += desc.vertices[slot].size();
    }
    if (m_bytes.size() + bytes > m_capacityBytes)
    {
        ++m_refusedCount;
        return Error{ErrorCode::OutOfBudget, "dynamic batches: " + std::to_string(m_bytes.size() + bytes) + " of " +
                                                 std::to_string(m_capacityBytes) + " bytes; raise capacityBytes"};
    }
    Batch batch;
    batch.command = m_library.makeCommand(desc.pass, desc.factory, desc.material, desc.topology, BatchFlags());
    if (batch.command.refusal != ReasonCode::None)
        return Error{ErrorCode::Unsupported, "dynamic batch refused: " + std::string(reasonInfo(batch.command.refusal).name)};
    batch.command.explicitOrder = desc.explicitOrder;
    batch.pass = desc.pass;
    batch.viewMask = desc.viewMask;
    batch.instanceId = desc.instanceId;
    batch.centre = desc.centre;
    const auto append = [this](std::span<const std::byte> data)
    {
        const std::uint64_t offset = m_bytes.size();
        m_bytes.insert(m_bytes.end(), data.begin(), data.end());
        return offset;
    };
    for (std::size_t slot = 0; slot < 4; ++slot)
        if (!desc.vertices[slot].empty())
        {
            batch.geometry.vertexBuffers[slot] = m_buffer;
            batch.geometry.vertexOffsets[slot] = append(desc.vertices[slot]);
        }
    batch.geometry.indexBuffer = m_buffer;
    batch.geometry.indexOffset = append(std::as_bytes(desc.indices));
    batch.geometry.indexCount = static_cast<std::uint32_t>(desc.indices.size());
    m_batches.push_back(batch);
    return {};
}

void DynamicBatches::flush(gpu::CommandStream& stream)
{
    if (m_bytes.empty())
        return;
    const gpu::AccessFlags reads = gpu::Access::VertexRead | gpu::Access::IndexRead;
    const gpu::BufferBarrier before = {m_buffer, reads, gpu::Access::CopyWrite};
    const gpu::BufferBarrier after = {m_buffer, gpu::Access::CopyWrite, reads};
    stream.barriers({}, std::span(&before, 1));
    stream.writeBuffer(m_buffer, 0, m_bytes);
    stream.barriers({}, std::span(&after, 1));
}

} // namespace dl
