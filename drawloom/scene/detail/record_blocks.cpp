// drawloom/scene/detail/record_blocks.cpp - see the header.
#include "drawloom/scene/detail/record_blocks.h"

#include "drawloom/resource/instance_heap.h"

#include <iterator>

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

void RecordBlocks::open(std::uint32_t index)
{
    std::vector<std::uint32_t>& list = m_open[m_blocks[index].layout];
    m_blocks[index].openPosition = static_cast<std::uint32_t>(list.size());
    list.push_back(index);
}

void RecordBlocks::close(std::uint32_t index)
{
    std::vector<std::uint32_t>& list = m_open[m_blocks[index].layout];
    const std::uint32_t position = m_blocks[index].openPosition;
    list[position] = list.back();
    m_blocks[list[position]].openPosition = position;
    list.pop_back();
}

Result<std::uint32_t> RecordBlocks::makeBlock(const PropertyLayout* layout)
{
    DL_TRY_ASSIGN(const InstanceBlockId id, m_heap.allocateBlock(kBlockRecords, layout));
    auto index = static_cast<std::uint32_t>(m_blocks.size());
    if (m_released.empty())
        m_blocks.emplace_back();
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
    m_byFirstId.emplace(block.firstId, index);
    open(index);
    return index;
}

Result<RecordPlace> RecordBlocks::allocate(const PropertyLayout* layout, std::uint32_t owner)
{
    const auto list = m_open.find(layout);
    RecordPlace place;
    if (list != m_open.end() && !list->second.empty())
        place.blockIndex = list->second.back();
    else
    {
        DL_TRY_ASSIGN(place.blockIndex, makeBlock(layout));
    }
    Block& block = m_blocks[place.blockIndex];
    place.record = block.freeRecords.back();
    place.heapId = block.firstId + place.record;
    block.freeRecords.pop_back();
    block.owners[place.record] = owner;
    if (block.freeRecords.empty())
        close(place.blockIndex);
    return place;
}

void RecordBlocks::free(const RecordPlace& place)
{
    Block& block = m_blocks[place.blockIndex];
    block.owners[place.record] = kNoOwner;
    block.freeRecords.push_back(place.record);
    if (block.freeRecords.size() == 1)
        open(place.blockIndex);
    if (block.freeRecords.size() < kBlockRecords || m_open[block.layout].size() < 2)
        return;
    close(place.blockIndex);
    m_byFirstId.erase(block.firstId);
    m_heap.freeBlock(block.id);
    block.id = {};
    m_released.push_back(place.blockIndex);
}

std::uint32_t RecordBlocks::owner(HeapId id) const
{
    const auto after = m_byFirstId.upper_bound(id);
    if (after == m_byFirstId.begin())
        return kNoOwner;
    const Block& block = m_blocks[std::prev(after)->second];
    return id - block.firstId < kBlockRecords ? block.owners[id - block.firstId] : kNoOwner;
}

} // namespace dl::detail
