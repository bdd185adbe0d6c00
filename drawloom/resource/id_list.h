// drawloom/resource/id_list.h - the frame's instance ids (G3 binding 1), written by the draw build, uploaded whole by the flush.
#pragma once

#include "drawloom/resource/growable_buffer.h"
#include "drawloom/resource/write_batch.h"

#include <cstdint>
#include <span>
#include <vector>

namespace dl
{

/// Owner thread only; disjoint parts of one allocation may be filled by several threads.
class IdList
{
public:
    IdList(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount);

    /// Forgets the ids of the last frame, keeps the memory.
    void beginFrame() { m_count = 0; }
    /// First index of `count` consecutive places (firstInstance of a draw); fill them through `at`. OutOfBudget: past
    /// 32 Mi ids; unchanged.
    Result<std::uint32_t> allocate(std::uint32_t count);
    /// Valid until the next allocate.
    std::span<std::uint32_t> at(std::uint32_t first, std::uint32_t count) { return std::span(m_ids).subspan(first, count); }
    std::uint32_t size() const { return m_count; }

    Result<void> prepare();
    void collectWrites(WriteBatch& batch);
    const GrowableBuffer& buffer() const { return m_buffer; }

private:
    GrowableBuffer m_buffer;
    std::vector<std::uint32_t> m_ids;
    std::uint32_t m_count = 0;
};

} // namespace dl
