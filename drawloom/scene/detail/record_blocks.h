// drawloom/scene/detail/record_blocks.h - hands out single records of the instance heap from blocks of 1024, one pool for each
// property layout. Part of SceneRegistry.
#pragma once

#include "drawloom/core/result.h"
#include "drawloom/resource/resource_ids.h"

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

namespace dl
{
class InstanceHeap;
class PropertyLayout;
} // namespace dl

namespace dl::detail
{

constexpr std::uint32_t kNoOwner = UINT32_MAX;

struct RecordPlace
{
    std::uint32_t blockIndex = 0; ///< into RecordBlocks
    std::uint32_t record = 0;
    HeapId heapId = 0;
};

/// allocate and free are O(1) but for the making of a block (1024 records), owner is O(log blocks).
class RecordBlocks
{
public:
    explicit RecordBlocks(InstanceHeap& heap) : m_heap(heap) {}
    ~RecordBlocks();
    RecordBlocks(const RecordBlocks&) = delete;
    RecordBlocks& operator=(const RecordBlocks&) = delete;

    Result<RecordPlace> allocate(const PropertyLayout* layout, std::uint32_t owner);
    /// The last record of a block frees the block, unless it is the only one with room.
    void free(const RecordPlace& place);
    InstanceBlockId blockId(const RecordPlace& place) const { return m_blocks[place.blockIndex].id; }
    /// kNoOwner: nobody's.
    std::uint32_t owner(HeapId id) const;

private:
    struct Block
    {
        InstanceBlockId id; ///< none: released, the entry is reused
        HeapId firstId = 0;
        const PropertyLayout* layout = nullptr;
        std::uint32_t openPosition = 0; ///< in its layout's list of open blocks, while it has room
        std::vector<std::uint32_t> freeRecords, owners;
    };
    Result<std::uint32_t> makeBlock(const PropertyLayout* layout);
    void open(std::uint32_t index);
    void close(std::uint32_t index);

    InstanceHeap& m_heap;
    std::vector<Block> m_blocks;
    std::vector<std::uint32_t> m_released;
    std::unordered_map<const PropertyLayout*, std::vector<std::uint32_t>> m_open; ///< blocks with room; the last one is filled first
    std::map<HeapId, std::uint32_t> m_byFirstId;
};

} // namespace dl::detail
