// drawloom/scene/detail/record_blocks.cpp - see the header.
#include "drawloom/scene/detail/record_blocks.h"

#include "drawloom/resource/instance_heap.h"

namespace dl::detail
{

namespace
{
constexpr std::uint32_t kBlockRecords = 1024;
}

RecordBlocks::~RecordBlocks()
{
    for (const Block& block : m_blocks)
        if (block.id)
            m_heap.freeBlock(block.id);
}

Result<RecordPlace> RecordBlocks::allocate(const PropertyLayout* layout, std::uint32_t owner)
{
    std::uint32_t index = kNoOwner;
    // Newest first: the common case is a block that was just made.
    for (std::size_t i = m_blocks.size(); i-- > 0 && index == kNoOwner;)
        if (m_blocks[i].id && m_blocks[i].layout == layout && !m_blocks[i].freeRecords.empty())
            index = static_cast<std::uint32_t>(i);
    if (index == kNoOwner)
    {
        DL_TRY_ASSIGN(const InstanceBlockId id, m_heap.allocateBlock(kBlockRecords, layout));
        if (m_released.empty())
        {
            index = static_cast<std::uint32_t>(m_blocks.size());
            m_blocks.emplace_back();
        }
        else
        {
            index = m_released.back();
            m_released.pop_back();
        }
        Block& block = m_blocks[index];
        block.id = id;
        block.firstId = m_heap.block(id).firstId;
        block.layout = layout;
        block.owners.assign(kBlockRecords, kNoOwner);
        block.freeRecords.clear();
        for (std::uint32_t i = kBlockRecords; i-- > 0;)
            block.freeRecords.push_back(i);
    }
    Block& block = m_blocks[index];
    RecordPlace place;
    place.blockIndex = index;
    place.record = block.freeRecords.back();
    place.heapId = block.firstId + place.record;
    block.freeRecords.pop_back();
    block.owners[place.record] = owner;
    return place;
}

void RecordBlocks::free(const RecordPlace& place)
{
    Block& block = m_blocks[place.blockIndex];
    block.owners[place.record] = kNoOwner;
    block.freeRecords.push_back(place.record);
    if (block.freeRecords.size() < kBlockRecords)
        return;
    for (const Block& other : m_blocks)
        if (&other != &block && other.id && other.layout == block.layout && !other.freeRecords.empty())
        {
            m_heap.freeBlock(block.id);
            block.id = {};
            m_released.push_back(place.blockIndex);
            return;
        }
}

std::uint32_t RecordBlocks::owner(HeapId id) const
{
    for (const Block& block : m_blocks)
        if (block.id && id >= block.firstId && id - block.firstId < block.owners.size())
            return block.owners[id - block.firstId];
    return kNoOwner;
}

} // namespace dl::detail
