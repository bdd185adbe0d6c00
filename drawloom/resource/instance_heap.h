// drawloom/resource/instance_heap.h - the records of all instances (G3 binding 0), in pages of 2^20, handed out as blocks to
// whoever owns instances (registry, static world, vegetation). A copy on the CPU; changed records are uploaded by the flush.
#pragma once

#include "drawloom/resource/dirty_ranges.h"
#include "drawloom/resource/gpu_structs.h"
#include "drawloom/resource/growable_buffer.h"
#include "drawloom/resource/property_heap.h"
#include "drawloom/resource/property_layout.h"
#include "drawloom/resource/range_allocator.h"
#include "drawloom/resource/resource_ids.h"

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace dl
{

struct InstanceBlock
{
    HeapId firstId = 0; ///< ids of a block are consecutive and within one page
    std::uint32_t count = 0;
    const PropertyLayout* layout = nullptr;
    RangeAllocation records, properties;
};

/// Owner thread only, but records() of different blocks may be filled by different threads between markDirty calls.
class InstanceHeap
{
public:
    InstanceHeap(gpu::Device& device, RetireQueue& retired, PropertyHeap& properties, MemoryAmount& amount);

    /// `layout` (null: no properties) must outlive the block; `material` gives defaults to properties that ask for them.
    /// Records are zero but for propertyOffset and the page bits. OutOfRange: 0 or more than a page holds. OutOfBudget: all 32
    /// pages are full. OutOfMemory: the device's. Failed: unchanged.
    Result<InstanceBlockId> allocateBlock(
        std::uint32_t count, const PropertyLayout* layout = nullptr, const MaterialParams* material = nullptr);
    /// The records may be handed out again at once: uploads are ordered behind the streams that read them.
    bool freeBlock(InstanceBlockId id);

    const InstanceBlock& block(InstanceBlockId id) const { return m_blocks.get(id); }
    bool contains(InstanceBlockId id) const { return m_blocks.contains(id); }

    /// Writes one record; propertyOffset and the page bits of the flags are the heap's own and set by it.
    void write(InstanceBlockId id, std::uint32_t i, const InstanceRecord& record);
    /// The same by heap id, without a look-up of the block: for moves of many.
    void setTransform(HeapId id, const Affine& cellRelative);
    void setFlags(HeapId id, std::uint32_t flags);
    const InstanceRecord& record(HeapId id) const { return m_pages[heapPage(id)]->records[heapIndex(id)]; }

    /// Value of property `index` of the block's layout, for instance i (ignored for PerBlock). Sizes must match.
    void writeProperty(InstanceBlockId id, std::uint32_t index, std::uint32_t i, std::span<const std::uint32_t> words);

    std::uint32_t pageCount() const { return static_cast<std::uint32_t>(m_pages.size()); }
    const GrowableBuffer& pageBuffer(std::uint32_t page) const { return m_pages[page]->buffer; }
    std::uint32_t blockCount() const { return static_cast<std::uint32_t>(m_blocks.size()); }
    std::uint32_t liveRecordCount() const;

    void collectWrites(WriteBatch& batch);

private:
    struct Page
    {
        Page(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount);
        GrowableBuffer buffer;
        RangeAllocator ranges;
        std::vector<InstanceRecord> records;
        DirtyRanges dirty;
    };
    Result<RangeAllocation> allocateInPage(Page& page, std::uint32_t count);
    Result<RangeAllocation> allocateRecords(std::uint32_t count, std::uint32_t& pageIndex);
    void writeDefaults(const InstanceBlock& block, const MaterialParams* material);
    InstanceRecord& touch(HeapId id);

    gpu::Device* m_device;
    RetireQueue* m_retired;
    PropertyHeap* m_properties;
    MemoryAmount* m_amount;
    std::vector<std::unique_ptr<Page>> m_pages;
    SlotTable<InstanceBlockId, InstanceBlock> m_blocks;
    std::vector<DirtyRange> m_scratch;
    std::vector<std::uint32_t> m_words;
};

} // namespace dl
