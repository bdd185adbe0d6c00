// drawloom/resource/indirect_list.h - the frame's draw arguments for multi-draw-indirect, written by the draw build, uploaded whole
// by the flush. Empty in frames that draw directly.
#pragma once

#include "drawloom/resource/growable_buffer.h"
#include "drawloom/resource/write_batch.h"

#include <cstdint>
#include <span>
#include <vector>

namespace dl
{

/// As the GPU reads them (gpu::DrawIndexedIndirectCmd).
struct IndirectArguments
{
    std::uint32_t indexCount = 0, instanceCount = 0, firstIndex = 0;
    std::int32_t baseVertex = 0;
    std::uint32_t firstInstance = 0;
};
static_assert(sizeof(IndirectArguments) == 20);

/// Owner thread only; disjoint parts of one allocation may be filled by several threads.
class IndirectList
{
public:
    IndirectList(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount);

    /// Forgets the arguments of the last frame, keeps the memory.
    void beginFrame() { m_count = 0; }
    /// Arguments that one frame may have.
    std::uint32_t capacity() const { return static_cast<std::uint32_t>(m_buffer.maxBytes() / sizeof(IndirectArguments)); }
    /// The frame's arguments, `count` (<= capacity()) from the buffer's start; once a frame.
    std::span<IndirectArguments> allocate(std::uint32_t count);

    Result<void> prepare();
    void collectWrites(WriteBatch& batch);
    const GrowableBuffer& buffer() const { return m_buffer; }

private:
    GrowableBuffer m_buffer;
    std::vector<IndirectArguments> m_arguments;
    std::uint32_t m_count = 0;
};

} // namespace dl
