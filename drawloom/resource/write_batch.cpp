#include "drawloom/resource/write_batch.h"

#include <array>

namespace dl
{

namespace
{
constexpr gpu::AccessFlags kCopyWrite = gpu::Access::CopyWrite;
constexpr gpu::AccessFlags kCopyRead = gpu::Access::CopyRead;
} // namespace

void WriteBatch::write(GrowableBuffer& target, std::uint64_t offset, std::span<const std::byte> data)
{
    if (data.empty())
        return;
    DL_ASSERT(offset % 4 == 0 && data.size() % 4 == 0, "buffer writes are multiples of four bytes");
    DL_ASSERT(target.id() && offset + data.size() <= target.bytes(), "a write behind the buffer's end");
    if (target.state != kCopyWrite)
    {
        m_bufferBarriers.push_back({target.id(), target.state, kCopyWrite});
        target.state = kCopyWrite;
        m_touched.push_back(&target);
    }
    m_buffers.push_back({target.id(), offset, data});
}

void WriteBatch::write(
    const gpu::TextureRegion& region, std::uint32_t bytesPerRow, std::uint32_t rowsPerLayer, std::span<const std::byte> data)
{
    m_textureWrites.push_back({region, bytesPerRow, rowsPerLayer, data});
}

void WriteBatch::copyNow(gpu::CommandStream& stream, GrowableBuffer& source, GrowableBuffer& target, std::uint64_t sourceOffset,
    std::uint64_t targetOffset, std::uint64_t bytes)
{
    DL_ASSERT(&source != &target, "a copy within one buffer");
    const std::array before = {
        gpu::BufferBarrier{source.id(), source.state, kCopyRead}, gpu::BufferBarrier{target.id(), target.state, kCopyWrite}};
    stream.barriers({}, before);
    stream.copyBufferToBuffer({source.id(), target.id(), sourceOffset, targetOffset, bytes});
    source.state = source.reads();
    target.state = target.reads();
    const std::array after = {
        gpu::BufferBarrier{source.id(), kCopyRead, source.state}, gpu::BufferBarrier{target.id(), kCopyWrite, target.state}};
    stream.barriers({}, after);
}

void WriteBatch::copyFromOld(
    gpu::CommandStream& stream, gpu::BufferId source, gpu::AccessFlags sourceState, GrowableBuffer& target, std::uint64_t bytes)
{
    const std::array before = {
        gpu::BufferBarrier{source, sourceState, kCopyRead}, gpu::BufferBarrier{target.id(), target.state, kCopyWrite}};
    stream.barriers({}, before);
    stream.copyBufferToBuffer({source, target.id(), 0, 0, bytes});
    target.state = target.reads();
    const std::array after = {gpu::BufferBarrier{target.id(), kCopyWrite, target.state}};
    stream.barriers({}, after);
}

void WriteBatch::emit(gpu::CommandStream& stream)
{
    m_lastBytes = 0;
    if (!m_texturesBefore.empty() || !m_bufferBarriers.empty())
        stream.barriers(m_texturesBefore, m_bufferBarriers);
    for (const BufferWrite& write : m_buffers)
    {
        stream.writeBuffer(write.buffer, write.offset, write.data);
        m_lastBytes += write.data.size();
    }
    for (const TextureWrite& write : m_textureWrites)
    {
        stream.writeTexture(write.region, write.bytesPerRow, write.rowsPerLayer, write.data);
        m_lastBytes += write.data.size();
    }
    for (const gpu::CopyTextureToTextureCmd& copy : m_textureCopies)
        stream.copyTextureToTexture(copy);
    m_bufferBarriers.clear();
    for (GrowableBuffer* buffer : m_touched)
    {
        buffer->state = buffer->reads();
        m_bufferBarriers.push_back({buffer->id(), kCopyWrite, buffer->state});
    }
    if (!m_texturesAfter.empty() || !m_bufferBarriers.empty())
        stream.barriers(m_texturesAfter, m_bufferBarriers);
    m_touched.clear();
    m_buffers.clear();
    m_textureWrites.clear();
    m_textureCopies.clear();
    m_texturesBefore.clear();
    m_texturesAfter.clear();
    m_bufferBarriers.clear();
}

} // namespace dl
