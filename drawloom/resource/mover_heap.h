// drawloom/resource/mover_heap.h - previous transforms of the instances that moved since the last drawn frame (G3 binding 5),
// found by heap id through a hash table in the same buffer. Sparse: a frame in which nothing moves owns nothing, and no
// instance record changes when a motion ends. Read by velocity passes (draw/shaders/previous_transform.wgsl).
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
/// The buffer, in words: {cell mask, first transform in vec4s, 0, 0}, cells of {heap id + 1 (0: empty), slot or kNotMoving},
/// transforms of three vec4 rows. Uploaded only in frames that want it.
class MoverHeap
{
public:
    MoverHeap(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount);

    /// Where the instance was in the last drawn frame, relative to the cell it is in now. The first call of a frame wins (several
    /// moves of one frame are one). Returns the slot; OutOfBudget past the buffer's limit (1.6 M movers).
    Result<std::uint32_t> record(HeapId id, const Affine& previous);
    /// The instance did not move but jumped, or its id changes hands: what this frame recorded of it does not count, nor what it
    /// records again. Without a record: nothing; who records later in that frame compares frameNumber() with that of the jump.
    void forget(HeapId id);
    /// The instance went to another cell since it was recorded: `shift` is from the new cell's origin to the old one's. Without a
    /// record: nothing.
    void changeCell(HeapId id, vec3 shift);
    /// kNotMoving when it did not move since the last drawn frame.
    std::uint32_t slotOf(HeapId id) const;
    /// Heap ids by slot, the forgotten ones too.
    std::span<const HeapId> movers() const { return m_ids; }
    /// Changes with each drawn frame: tells whether something happened since the last one. Never 0.
    std::uint64_t frameNumber() const { return m_frameNumber; }

    /// Whether the frame that is built reads the buffer. Before GpuResources::flush; holds until it is changed.
    void setWanted(bool isWanted) { m_isWanted = isWanted; }
    Result<void> prepare();
    void collectWrites(WriteBatch& batch);
    /// The frame was submitted: where things are now is where they were for the next one.
    void onFrameDrawn();
    const GrowableBuffer& buffer() const { return m_buffer; }

private:
    std::uint32_t findCell(HeapId id) const;
    std::uint32_t insert(HeapId id);
    void growTable();
    std::size_t uploadWords() const;

    GrowableBuffer m_buffer;
    std::vector<Affine> m_previous;
    std::vector<HeapId> m_ids;
    std::vector<std::uint8_t> m_isForgotten; ///< by slot
    std::vector<std::uint32_t> m_table;      ///< open addressing: slot + 1, 0 is empty; a power of two
    std::vector<std::uint32_t> m_upload;
    std::uint64_t m_frameNumber = 1;
    bool m_isWanted = false;
};

} // namespace dl
