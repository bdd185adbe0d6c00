// drawloom/resource/mover_heap.h - previous transforms of the instances that moved in this frame (G3 binding 5), three vec4
// each, packed without gaps. Sparse: a frame in which nothing moves owns nothing. Read by velocity passes.
#pragma once

#include "drawloom/core/maths.h"
#include "drawloom/resource/growable_buffer.h"
#include "drawloom/resource/resource_ids.h"
#include "drawloom/resource/write_batch.h"

#include <cstdint>
#include <span>
#include <vector>

namespace dl
{

constexpr std::uint32_t kNotMoving = UINT32_MAX;

/// Owner thread only. Memory follows the largest number of movers that a frame ever had.
class MoverHeap
{
public:
    MoverHeap(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount);

    /// Forgets the movers of the last frame.
    void beginFrame();
    /// Where the instance was in the last frame, relative to the cell it is in now. The first call of a frame wins (several
    /// moves of one frame are one). Returns the slot; OutOfBudget past the buffer's limit (2.7 M movers).
    Result<std::uint32_t> record(HeapId id, const Affine& previous);
    /// First vec4 of the mover in the buffer is 3 x slot; kNotMoving when it did not move in this frame.
    std::uint32_t slotOf(HeapId id) const;
    /// Heap ids by slot.
    std::span<const HeapId> movers() const { return m_ids; }

    Result<void> prepare();
    void collectWrites(WriteBatch& batch);
    const GrowableBuffer& buffer() const { return m_buffer; }

private:
    std::uint32_t findCell(HeapId id) const;
    void growTable();

    GrowableBuffer m_buffer;
    std::vector<Affine> m_previous;
    std::vector<HeapId> m_ids;
    std::vector<std::uint32_t> m_table; ///< open addressing: slot + 1, 0 is empty; a power of two
};

} // namespace dl
