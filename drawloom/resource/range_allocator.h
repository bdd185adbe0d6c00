// drawloom/resource/range_allocator.h - hands out ranges of a linear space [0, capacity): vertices, words, records. Two-level
// segregated fit (Masmano et al., "TLSF: a new dynamic memory allocator for real-time systems", ECRTS 2004) with the nodes
// outside the managed space. Used by the geometry pool and the heaps.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace dl
{

/// One allocated range. `node` belongs to the allocator.
struct RangeAllocation
{
    static constexpr std::uint32_t kNone = UINT32_MAX;
    std::uint32_t offset = 0, count = 0;
    std::uint32_t node = kNone;
    bool isValid() const { return node != kNone; }
};

/// allocate and free are O(1) but for a full space, where one size class is searched; free neighbours are merged at once.
/// Same calls give the same offsets. Not thread safe. Allocates memory only when there are more ranges than ever before.
class RangeAllocator
{
public:
    explicit RangeAllocator(std::uint32_t capacity = 0);

    /// Invalid when no free range holds `count` (> 0); the allocator is then unchanged.
    RangeAllocation allocate(std::uint32_t count);
    /// Of an allocation of this allocator, once.
    void free(const RangeAllocation& allocation);
    /// Adds room at the end. `capacity` is not smaller than now.
    void grow(std::uint32_t capacity);

    std::uint32_t capacity() const { return m_capacity; }
    std::uint32_t usedCount() const { return m_used; }
    std::uint32_t freeCount() const { return m_capacity - m_used; }
    std::uint32_t freeRangeCount() const { return m_freeRanges; }
    std::uint32_t allocationCount() const { return m_allocations; }
    /// Largest count that allocate would take now.
    std::uint32_t largestFreeRange() const;
    /// Free room that ends at the capacity: what a growing space can build on.
    std::uint32_t freeTailCount() const { return m_last != kNone && m_nodes[m_last].isFree ? m_nodes[m_last].count : 0; }
    /// Walks everything; false when an invariant is broken. For tests and DL_VALIDATE.
    bool isConsistent() const;

private:
    static constexpr std::uint32_t kNone = UINT32_MAX;
    static constexpr std::uint32_t kSubBits = 3, kSubCount = 1U << kSubBits, kClassCount = 32;
    struct Node
    {
        std::uint32_t offset = 0, count = 0;
        std::uint32_t previous = kNone, next = kNone;         ///< neighbours in the space
        std::uint32_t previousFree = kNone, nextFree = kNone; ///< same size class
        bool isFree = false;
    };
    struct SizeClass
    {
        std::uint32_t major = 0, minor = 0;
    };
    static SizeClass classOf(std::uint32_t count);

    std::uint32_t newNode();
    void releaseNode(std::uint32_t node);
    void pushFree(std::uint32_t node);
    void popFree(std::uint32_t node);
    std::uint32_t findFree(std::uint32_t count) const;
    void mergeWithNext(std::uint32_t node);

    std::vector<Node> m_nodes;
    std::vector<std::uint32_t> m_unusedNodes;
    std::array<std::array<std::uint32_t, kSubCount>, kClassCount> m_heads{};
    std::uint32_t m_majorMask = 0;
    std::array<std::uint8_t, kClassCount> m_minorMasks{};
    std::uint32_t m_first = kNone, m_last = kNone; ///< in the space
    std::uint32_t m_capacity = 0, m_used = 0, m_freeRanges = 0, m_allocations = 0;
};

} // namespace dl
