// drawloom/resource/property_heap.h - the words of `properties` (G3 binding 3): material lists of instances and the values
// of property layouts. A copy on the CPU, changed words uploaded by the flush.
#pragma once

#include "drawloom/resource/dirty_ranges.h"
#include "drawloom/resource/growable_buffer.h"
#include "drawloom/resource/range_allocator.h"
#include "drawloom/resource/resource_ids.h"
#include "drawloom/resource/write_batch.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace dl
{

/// Owner thread only. Word 0 is reserved, so that offset 0 can stand for "nothing".
class PropertyHeap
{
public:
    PropertyHeap(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount);

    /// OutOfBudget: the buffer's limit (32 Mi words); OutOfMemory: the device's. Failed: unchanged. The words are zero.
    Result<RangeAllocation> allocate(std::uint32_t wordCount);
    void free(const RangeAllocation& range);
    void write(std::uint32_t firstWord, std::span<const std::uint32_t> words);
    std::span<const std::uint32_t> words() const { return m_words; }

    /// The materialRef of a list (one index per part, at least one). Equal lists share their words; each acquire needs a
    /// release.
    Result<std::uint32_t> acquireMaterialList(std::span<const MaterialTableIndex> list);
    void addMaterialListRef(std::uint32_t materialRef);
    void releaseMaterialList(std::uint32_t materialRef);
    std::size_t materialListCount() const { return m_lists.size(); }

    /// Makes the buffer, so that it can be bound.
    Result<void> prepare();
    void collectWrites(WriteBatch& batch);
    const GrowableBuffer& buffer() const { return m_buffer; }

private:
    struct List
    {
        RangeAllocation range;
        std::uint64_t hash = 0;
        std::uint32_t refCount = 0;
    };
    GrowableBuffer m_buffer;
    RangeAllocator m_ranges;
    std::vector<std::uint32_t> m_words;
    DirtyRanges m_dirty;
    std::vector<DirtyRange> m_scratch;
    std::unordered_map<std::uint32_t, List> m_lists;                ///< by materialRef
    std::unordered_multimap<std::uint64_t, std::uint32_t> m_byHash; ///< hash -> materialRef
};

} // namespace dl
