#include "drawloom/resource/instance_heap.h"

#include <algorithm>

namespace dl
{

namespace
{
constexpr std::uint32_t kMaxPages = kInstanceHeapPageMask + 1U;
constexpr std::uint32_t kFirstRecordCount = 1024;
constexpr std::uint32_t kPageBits = kInstanceHeapPageMask << kInstanceHeapPageShift;
static_assert(kInstancePageCapacity == 1U << kHeapPageShift);
} // namespace

InstanceHeap::Page::Page(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount)
    : buffer(device, retired, amount,
          {"instances", gpu::BufferUsage::Storage, gpu::Access::StorageRead, kFirstRecordCount * sizeof(InstanceRecord),
              std::uint64_t(kInstancePageCapacity) * sizeof(InstanceRecord)}),
      dirty(8, 2)
{
}

InstanceHeap::InstanceHeap(gpu::Device& device, RetireQueue& retired, PropertyHeap& properties, MemoryAmount& amount)
    : m_device(&device), m_retired(&retired), m_properties(&properties), m_amount(&amount)
{
}

// Invalid without an error: the page is full.
Result<RangeAllocation> InstanceHeap::allocateInPage(Page& page, std::uint32_t count)
{
    const RangeAllocation range = page.ranges.allocate(count);
    if (range.isValid())
        return range;
    const std::uint64_t needed = std::uint64_t(page.ranges.capacity()) + count - page.ranges.freeTailCount();
    if (needed * sizeof(InstanceRecord) > page.buffer.maxBytes())
        return RangeAllocation();
    DL_TRY(page.buffer.reserve(needed * sizeof(InstanceRecord)));
    const auto capacity = static_cast<std::uint32_t>(page.buffer.bytes() / sizeof(InstanceRecord));
    page.records.resize(capacity);
    page.dirty.resize(capacity);
    page.dirty.markAll(); // a new object
    page.ranges.grow(capacity);
    return page.ranges.allocate(count);
}

Result<RangeAllocation> InstanceHeap::allocateRecords(std::uint32_t count, std::uint32_t& pageIndex)
{
    for (pageIndex = 0; pageIndex < m_pages.size(); ++pageIndex)
    {
        DL_TRY_ASSIGN(const RangeAllocation range, allocateInPage(*m_pages[pageIndex], count));
        if (range.isValid())
            return range;
    }
    if (m_pages.size() == kMaxPages)
        return Error{ErrorCode::OutOfBudget, "the instance heap is full: " + std::to_string(kMaxPages) + " pages of " +
                                                 std::to_string(kInstancePageCapacity) + " records; free blocks first"};
    auto page = std::make_unique<Page>(*m_device, *m_retired, *m_amount);
    DL_TRY_ASSIGN(const RangeAllocation range, allocateInPage(*page, count));
    if (!range.isValid())
        return Error{ErrorCode::OutOfRange, "a block of " + std::to_string(count) + " instances is larger than a page of " +
                                                std::to_string(page->buffer.maxBytes() / sizeof(InstanceRecord))};
    m_pages.push_back(std::move(page));
    return range;
}

Result<InstanceBlockId> InstanceHeap::allocateBlock(std::uint32_t count, const PropertyLayout* layout, const MaterialParams* material)
{
    if (count == 0 || count > kInstancePageCapacity)
        return Error{ErrorCode::OutOfRange,
            "a block of " + std::to_string(count) + " instances; 1 to " + std::to_string(kInstancePageCapacity) + " are possible"};
    const std::uint64_t words = layout == nullptr ? 0 : layout->blockWords() + std::uint64_t(layout->instanceWords()) * count;
    if (words > UINT32_MAX)
        return Error{ErrorCode::OutOfRange, "the properties of a block of " + std::to_string(count) + " instances do not fit the heap"};
    InstanceBlock block;
    block.count = count;
    block.layout = layout;
    if (words != 0)
    {
        DL_TRY_ASSIGN(block.properties, m_properties->allocate(static_cast<std::uint32_t>(words)));
    }
    std::uint32_t page = 0;
    Result<RangeAllocation> records = allocateRecords(count, page);
    if (!records)
    {
        if (block.properties.isValid())
            m_properties->free(block.properties);
        return std::move(records).error();
    }
    block.records = *records;
    block.firstId = page << kHeapPageShift | block.records.offset;
    for (std::uint32_t i = 0; i < count; ++i)
    {
        InstanceRecord& record = m_pages[page]->records[block.records.offset + i];
        record = InstanceRecord{};
        record.flags = page << kInstanceHeapPageShift;
        if (words != 0)
            record.propertyOffset = block.properties.offset + layout->blockWords() + i * layout->instanceWords();
    }
    m_pages[page]->dirty.mark(block.records.offset, count);
    if (words != 0)
        writeDefaults(block, material);
    return m_blocks.add(block);
}

void InstanceHeap::writeDefaults(const InstanceBlock& block, const MaterialParams* material)
{
    const PropertyLayout& layout = *block.layout;
    m_words.assign(layout.blockWords() + layout.instanceWords(), 0U);
    const std::span<std::uint32_t> blockWords = std::span(m_words).first(layout.blockWords());
    const std::span<std::uint32_t> instanceWords = std::span(m_words).subspan(layout.blockWords());
    if (layout.hasLink())
        instanceWords[0] = block.properties.offset;
    for (std::size_t i = 0; i < layout.properties().size(); ++i)
    {
        const PropertyDesc& property = layout.properties()[i];
        const PropertyLocation& location = layout.locations()[i];
        std::uint32_t* target = (location.rate == PropertyRate::PerBlock ? blockWords : instanceWords).data() + location.wordOffset;
        if (property.materialWord != kNoMaterialWord && material != nullptr)
            __builtin_memcpy(target, reinterpret_cast<const std::byte*>(material) + std::size_t(property.materialWord) * 4,
                std::size_t(property.wordCount) * 4);
        else
            std::copy_n(property.defaultWords.begin(), property.wordCount, target);
    }
    if (!blockWords.empty())
        m_properties->write(block.properties.offset, blockWords);
    for (std::uint32_t i = 0; i < block.count && !instanceWords.empty(); ++i)
        m_properties->write(block.properties.offset + layout.blockWords() + i * layout.instanceWords(), instanceWords);
}

bool InstanceHeap::freeBlock(InstanceBlockId id)
{
    const InstanceBlock* block = m_blocks.find(id);
    if (block == nullptr)
        return false;
    m_pages[heapPage(block->firstId)]->ranges.free(block->records);
    if (block->properties.isValid())
        m_properties->free(block->properties);
    return m_blocks.remove(id);
}

InstanceRecord& InstanceHeap::touch(HeapId id)
{
    DL_ASSERT(heapPage(id) < m_pages.size(), "no such page of the instance heap");
    Page& page = *m_pages[heapPage(id)];
    page.dirty.mark(heapIndex(id), 1);
    return page.records[heapIndex(id)];
}

void InstanceHeap::write(InstanceBlockId id, std::uint32_t i, const InstanceRecord& record)
{
    const InstanceBlock& block = m_blocks.get(id);
    DL_ASSERT(i < block.count, "an instance behind its block's end");
    InstanceRecord& target = touch(block.firstId + i);
    const std::uint32_t propertyOffset = target.propertyOffset;
    target = record;
    target.propertyOffset = propertyOffset;
    target.flags = (record.flags & ~kPageBits) | heapPage(block.firstId) << kInstanceHeapPageShift;
}

void InstanceHeap::setTransform(HeapId id, const Affine& cellRelative)
{
    InstanceRecord& record = touch(id);
    record.row0 = cellRelative.rows[0];
    record.row1 = cellRelative.rows[1];
    record.row2 = cellRelative.rows[2];
}

void InstanceHeap::setFlags(HeapId id, std::uint32_t flags)
{
    InstanceRecord& record = touch(id);
    record.flags = (flags & ~kPageBits) | heapPage(id) << kInstanceHeapPageShift;
}

void InstanceHeap::writeProperty(InstanceBlockId id, std::uint32_t index, std::uint32_t i, std::span<const std::uint32_t> words)
{
    const InstanceBlock& block = m_blocks.get(id);
    DL_ASSERT(block.layout != nullptr && index < block.layout->locations().size() && i < block.count, "no such property or instance");
    const PropertyLocation& location = block.layout->locations()[index];
    DL_ASSERT(words.size() == location.wordCount, "a property's words are written together");
    std::uint32_t first = block.properties.offset + location.wordOffset;
    if (location.rate == PropertyRate::PerInstance)
        first += block.layout->blockWords() + i * block.layout->instanceWords();
    m_properties->write(first, words);
}

std::uint32_t InstanceHeap::liveRecordCount() const
{
    std::uint32_t count = 0;
    for (const auto& page : m_pages)
        count += page->ranges.usedCount();
    return count;
}

void InstanceHeap::collectWrites(WriteBatch& batch)
{
    for (const auto& page : m_pages)
    {
        m_scratch.clear();
        page->dirty.collect(m_scratch);
        for (const DirtyRange& range : m_scratch)
            batch.write(page->buffer, std::uint64_t(range.first) * sizeof(InstanceRecord),
                std::as_bytes(std::span(page->records).subspan(range.first, range.count)));
    }
}

} // namespace dl
