#include "drawloom/resource/property_heap.h"

#include "drawloom/core/hash.h"

#include <algorithm>

namespace dl
{

PropertyHeap::PropertyHeap(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount)
    : m_buffer(device, retired, amount, {"properties", gpu::BufferUsage::Storage, gpu::Access::StorageRead, 16384}), m_dirty(16, 2)
{
}

Result<RangeAllocation> PropertyHeap::allocate(std::uint32_t wordCount)
{
    DL_ASSERT(wordCount > 0, "no words");
    RangeAllocation range = m_ranges.allocate(wordCount);
    if (!range.isValid())
    {
        const std::uint64_t reserved = m_ranges.capacity() == 0 ? 1 : 0;
        const std::uint64_t needed = std::uint64_t(m_ranges.capacity()) + reserved + wordCount - m_ranges.freeTailCount();
        DL_TRY(m_buffer.reserve(needed * 4));
        const auto capacity = static_cast<std::uint32_t>(m_buffer.bytes() / 4);
        m_words.resize(capacity);
        m_dirty.resize(capacity);
        m_dirty.markAll(); // a new object, or its first content
        m_ranges.grow(capacity);
        if (reserved != 0)
            m_ranges.allocate(1);
        range = m_ranges.allocate(wordCount);
    }
    std::fill_n(m_words.begin() + range.offset, wordCount, 0U);
    m_dirty.mark(range.offset, wordCount);
    return range;
}

void PropertyHeap::free(const RangeAllocation& range)
{
    m_ranges.free(range);
}

void PropertyHeap::write(std::uint32_t firstWord, std::span<const std::uint32_t> words)
{
    DL_ASSERT(firstWord <= m_words.size() && words.size() <= m_words.size() - firstWord, "words outside the heap");
    std::copy(words.begin(), words.end(), m_words.begin() + firstWord);
    m_dirty.mark(firstWord, static_cast<std::uint32_t>(words.size()));
}

Result<std::uint32_t> PropertyHeap::acquireMaterialList(std::span<const MaterialTableIndex> list)
{
    if (list.empty())
        return Error{ErrorCode::InvalidArgument, "a material list needs one material per part, it has none"};
    const std::uint64_t hash = hashBytes(std::as_bytes(list));
    const auto [first, last] = m_byHash.equal_range(hash);
    for (auto it = first; it != last; ++it)
    {
        List& known = m_lists.at(it->second);
        if (known.range.count == list.size() && std::equal(list.begin(), list.end(), m_words.begin() + known.range.offset))
        {
            known.refCount += 1;
            return it->second;
        }
    }
    DL_TRY_ASSIGN(const RangeAllocation range, allocate(static_cast<std::uint32_t>(list.size())));
    write(range.offset, list);
    m_lists.emplace(range.offset, List{range, hash, 1});
    m_byHash.emplace(hash, range.offset);
    return range.offset;
}

void PropertyHeap::addMaterialListRef(std::uint32_t materialRef)
{
    const auto it = m_lists.find(materialRef);
    DL_ASSERT(it != m_lists.end(), "no material list at this offset");
    if (it != m_lists.end())
        it->second.refCount += 1;
}

void PropertyHeap::releaseMaterialList(std::uint32_t materialRef)
{
    const auto it = m_lists.find(materialRef);
    DL_ASSERT(it != m_lists.end(), "no material list at this offset");
    if (it == m_lists.end() || --it->second.refCount != 0)
        return;
    const auto [first, last] = m_byHash.equal_range(it->second.hash);
    for (auto entry = first; entry != last; ++entry)
        if (entry->second == materialRef)
        {
            m_byHash.erase(entry);
            break;
        }
    m_ranges.free(it->second.range);
    m_lists.erase(it);
}

Result<void> PropertyHeap::prepare()
{
    if (m_ranges.capacity() != 0)
        return {};
    DL_TRY_ASSIGN(const RangeAllocation first, allocate(1)); // the group binds a buffer even when nobody owns words
    m_ranges.free(first);
    return {};
}

void PropertyHeap::collectWrites(WriteBatch& batch)
{
    m_scratch.clear();
    m_dirty.collect(m_scratch);
    for (const DirtyRange& range : m_scratch)
        batch.write(m_buffer, std::uint64_t(range.first) * 4, std::as_bytes(std::span(m_words).subspan(range.first, range.count)));
}

} // namespace dl
