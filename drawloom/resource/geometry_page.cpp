#include "drawloom/resource/detail/geometry_page.h"

#include "drawloom/resource/write_batch.h"

namespace dl
{

namespace
{
constexpr std::array<const char*, 6> kStreamLabels = {
    "geometry positions", "geometry normals", "geometry uvs", "geometry indices", "geometry skin", "geometry morph"};
}

Result<void> GeometryPool::StreamBuffer::grow(std::uint32_t elementCount)
{
    const gpu::BufferId before = buffer.id();
    const gpu::AccessFlags stateBefore = buffer.state;
    const std::uint64_t bytesBefore = buffer.bytes();
    DL_TRY_ASSIGN(const bool isNew, buffer.reserve(elementCount * stride, false));
    if (!isNew || !before)
        return {};
    if (oldId || !stateBefore) // a copy is due already, or nothing was ever written
    {
        retired->retire(before, bytesBefore, meshBytes);
        return {};
    }
    oldId = before;
    oldState = stateBefore;
    oldBytes = bytesBefore;
    return {};
}

void GeometryPool::StreamBuffer::release()
{
    retired->retire(oldId, oldBytes, meshBytes);
    oldId = {};
    buffer.release();
}

void GeometryPool::StreamBuffer::emitCopy(gpu::CommandStream& stream)
{
    if (!oldId)
        return;
    WriteBatch::copyFromOld(stream, oldId, oldState, buffer, oldBytes);
    retired->retire(oldId, oldBytes, meshBytes);
    oldId = {};
}

GeometryPool::Page::Page(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount, const GeometryPoolSettings& settings)
{
    using gpu::Access;
    using gpu::BufferUsage;
    const gpu::BufferUsages copies = BufferUsage::CopySrc | BufferUsage::CopyDst;
    for (std::uint32_t i = 0; i < StreamCount; ++i)
    {
        GrowableBufferDesc desc;
        desc.label = kStreamLabels[i];
        desc.isExact = true;
        desc.maxBytes = settings.maxBufferBytes;
        desc.usage = copies | BufferUsage::Storage;
        desc.reads = Access::StorageRead;
        if (i <= Uv)
        {
            desc.usage |= BufferUsage::Vertex;
            desc.reads |= Access::VertexRead;
        }
        if (i == Index)
        {
            desc.usage = copies | BufferUsage::Index;
            desc.reads = Access::IndexRead;
        }
        streams[i] = std::make_unique<StreamBuffer>(device, retired, amount, desc, kStreamStrides[i]);
    }
    const auto maxCount = [this](Stream stream)
    {
        return static_cast<std::uint32_t>(
            std::min<std::uint64_t>(streams[stream]->buffer.maxBytes() / kStreamStrides[stream], UINT32_MAX / 2));
    };
    maxVertices = std::min({maxCount(Position), maxCount(Normal), maxCount(Uv)});
    maxIndices = maxCount(Index);
    maxSkin = maxCount(Skin);
    maxMorph = maxCount(Morph);
}

} // namespace dl
