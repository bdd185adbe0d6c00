// drawloom/resource/write_batch.h - collects the writes of one flush, so that all barriers before them are one command and
// all barriers behind them another. Used by GpuResources; the parts add to it.
#pragma once

#include "drawloom/gpu/command_stream.h"
#include "drawloom/resource/growable_buffer.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace dl
{

/// Spans must stay valid until emit. Warm, it allocates nothing. Not thread safe.
class WriteBatch
{
public:
    /// Multiples of 4. Ranges of one buffer must not overlap.
    void write(GrowableBuffer& target, std::uint64_t offset, std::span<const std::byte> data);
    /// To a texture that is brought to CopyWrite by beginTexture.
    void write(const gpu::TextureRegion& region, std::uint32_t bytesPerRow, std::uint32_t rowsPerLayer, std::span<const std::byte> data);
    /// Copies between textures: the source in CopyRead, the target in CopyWrite (both by the barriers of the caller).
    void copy(const gpu::CopyTextureToTextureCmd& cmd) { m_textureCopies.push_back(cmd); }
    void barrierBefore(const gpu::TextureBarrier& barrier) { m_texturesBefore.push_back(barrier); }
    void barrierAfter(const gpu::TextureBarrier& barrier) { m_texturesAfter.push_back(barrier); }

    /// Whole-buffer or range copy, emitted at once with its own barriers (rare: growth and relocation).
    static void copyNow(gpu::CommandStream& stream, GrowableBuffer& source, GrowableBuffer& target, std::uint64_t sourceOffset,
        std::uint64_t targetOffset, std::uint64_t bytes);
    /// The same from an object that is about to be retired, in `sourceState`.
    static void copyFromOld(
        gpu::CommandStream& stream, gpu::BufferId source, gpu::AccessFlags sourceState, GrowableBuffer& target, std::uint64_t bytes);

    /// Appends barriers, writes, copies, barriers, and forgets them. Every buffer is left in its `reads` state.
    void emit(gpu::CommandStream& stream);

    bool isEmpty() const { return m_buffers.empty() && m_textureWrites.empty() && m_textureCopies.empty(); }
    std::uint64_t lastEmittedBytes() const { return m_lastBytes; }

private:
    struct BufferWrite
    {
        gpu::BufferId buffer;
        std::uint64_t offset = 0;
        std::span<const std::byte> data;
    };
    struct TextureWrite
    {
        gpu::TextureRegion region;
        std::uint32_t bytesPerRow = 0, rowsPerLayer = 0;
        std::span<const std::byte> data;
    };
    std::vector<GrowableBuffer*> m_touched;
    std::vector<BufferWrite> m_buffers;
    std::vector<TextureWrite> m_textureWrites;
    std::vector<gpu::CopyTextureToTextureCmd> m_textureCopies;
    std::vector<gpu::TextureBarrier> m_texturesBefore, m_texturesAfter;
    std::vector<gpu::BufferBarrier> m_bufferBarriers;
    std::uint64_t m_lastBytes = 0;
};

} // namespace dl
