#include "drawloom/resource/range_allocator.h"

#include "drawloom/core/assert.h"

#include <algorithm>
#include <bit>

namespace dl
{

RangeAllocator::RangeAllocator(std::uint32_t capacity)
{
    for (auto& row : m_heads)
        row.fill(kNone);
    grow(capacity);
}

// Counts below kSubCount have a class each (major 0); above, `major` is the power of two and `minor` the next three bits.
RangeAllocator::SizeClass RangeAllocator::classOf(std::uint32_t count)
{
    if (count < kSubCount)
        return {0, count};
    const auto log2 = static_cast<std::uint32_t>(std::bit_width(count)) - 1U;
    return {log2 - kSubBits + 1U, (count >> (log2 - kSubBits)) & (kSubCount - 1U)};
}

std::uint32_t RangeAllocator::newNode()
{
    if (!m_unusedNodes.empty())
    {
        const std::uint32_t node = m_unusedNodes.back();
        m_unusedNodes.pop_back();
        m_nodes[node] = Node{};
        return node;
    }
    m_nodes.emplace_back();
    m_unusedNodes.reserve(m_nodes.capacity());
    return static_cast<std::uint32_t>(m_nodes.size() - 1);
}

void RangeAllocator::releaseNode(std::uint32_t node)
{
    m_nodes[node] = Node{};
    m_unusedNodes.push_back(node);
}

void RangeAllocator::pushFree(std::uint32_t node)
{
    Node& n = m_nodes[node];
    const SizeClass c = classOf(n.count);
    std::uint32_t& head = m_heads[c.major][c.minor];
    n.isFree = true;
    n.previousFree = kNone;
    n.nextFree = head;
    if (head != kNone)
        m_nodes[head].previousFree = node;
    head = node;
    m_majorMask |= 1U << c.major;
    m_minorMasks[c.major] = static_cast<std::uint8_t>(m_minorMasks[c.major] | (1U << c.minor));
    ++m_freeRanges;
}

void RangeAllocator::popFree(std::uint32_t node)
{
    Node& n = m_nodes[node];
    const SizeClass c = classOf(n.count);
    std::uint32_t& head = m_heads[c.major][c.minor];
    if (n.previousFree != kNone)
        m_nodes[n.previousFree].nextFree = n.nextFree;
    else
        head = n.nextFree;
    if (n.nextFree != kNone)
        m_nodes[n.nextFree].previousFree = n.previousFree;
    if (head == kNone)
    {
        m_minorMasks[c.major] = static_cast<std::uint8_t>(m_minorMasks[c.major] & ~(1U << c.minor));
        if (m_minorMasks[c.major] == 0)
            m_majorMask &= ~(1U << c.major);
    }
    n.isFree = false;
    n.previousFree = n.nextFree = kNone;
    --m_freeRanges;
}

// First the latest freed range of the same class, if it fits (close fits keep the large ranges whole), then the classes in
// which every range is large enough, then the own class range by range: without it a space could refuse what it holds.
std::uint32_t RangeAllocator::findFree(std::uint32_t count) const
{
    const SizeClass own = classOf(count);
    if (const std::uint32_t head = m_heads[own.major][own.minor]; head != kNone && m_nodes[head].count >= count)
        return head;
    const std::uint32_t laterMinors = m_minorMasks[own.major] & (0xFFU << (own.minor + 1U)) & 0xFFU;
    if (laterMinors != 0)
        return m_heads[own.major][static_cast<std::uint32_t>(std::countr_zero(laterMinors))];
    const std::uint32_t laterMajors = own.major + 1U < kClassCount ? m_majorMask & (~0U << (own.major + 1U)) : 0U;
    if (laterMajors != 0)
    {
        const auto major = static_cast<std::uint32_t>(std::countr_zero(laterMajors));
        return m_heads[major][static_cast<std::uint32_t>(std::countr_zero(m_minorMasks[major]))];
    }
    for (std::uint32_t node = m_heads[own.major][own.minor]; node != kNone; node = m_nodes[node].nextFree)
        if (m_nodes[node].count >= count)
            return node;
    return kNone;
}

RangeAllocation RangeAllocator::allocate(std::uint32_t count)
{
    DL_ASSERT(count > 0, "an empty range");
    const std::uint32_t node = count == 0 ? kNone : findFree(count);
    if (node == kNone)
        return {};
    popFree(node);
    const std::uint32_t rest = m_nodes[node].count - count;
    if (rest != 0)
    {
        const std::uint32_t tail = newNode();
        Node& n = m_nodes[node];
        Node& t = m_nodes[tail];
        n.count = count;
        t.offset = n.offset + count;
        t.count = rest;
        t.previous = node;
        t.next = n.next;
        (t.next != kNone ? m_nodes[t.next].previous : m_last) = tail;
        n.next = tail;
        pushFree(tail);
    }
    m_used += count;
    ++m_allocations;
    return {m_nodes[node].offset, count, node};
}

// Joins `node` (in no free list) with its free right neighbour.
void RangeAllocator::mergeWithNext(std::uint32_t node)
{
    const std::uint32_t next = m_nodes[node].next;
    if (next == kNone || !m_nodes[next].isFree)
        return;
    popFree(next);
    m_nodes[node].count += m_nodes[next].count;
    m_nodes[node].next = m_nodes[next].next;
    (m_nodes[next].next != kNone ? m_nodes[m_nodes[next].next].previous : m_last) = node;
    releaseNode(next);
}

void RangeAllocator::free(const RangeAllocation& allocation)
{
    std::uint32_t node = allocation.node;
    const bool isOurs = node < m_nodes.size() && !m_nodes[node].isFree && m_nodes[node].count == allocation.count &&
                        m_nodes[node].offset == allocation.offset && allocation.count != 0;
    DL_ASSERT(isOurs, "freed twice, or a range of another allocator");
    if (!isOurs)
        return;
    m_used -= allocation.count;
    --m_allocations;
    mergeWithNext(node);
    const std::uint32_t previous = m_nodes[node].previous;
    if (previous != kNone && m_nodes[previous].isFree)
    {
        popFree(previous);
        pushFree(node); // mergeWithNext takes it out again
        mergeWithNext(previous);
        node = previous;
    }
    pushFree(node);
}

void RangeAllocator::grow(std::uint32_t capacity)
{
    DL_ASSERT(capacity >= m_capacity, "an allocator only grows");
    if (capacity <= m_capacity)
        return;
    const std::uint32_t added = capacity - m_capacity;
    if (m_last != kNone && m_nodes[m_last].isFree)
    {
        popFree(m_last);
        m_nodes[m_last].count += added;
        pushFree(m_last);
    }
    else
    {
        const std::uint32_t node = newNode();
        m_nodes[node].offset = m_capacity;
        m_nodes[node].count = added;
        m_nodes[node].previous = m_last;
        (m_last != kNone ? m_nodes[m_last].next : m_first) = node;
        m_last = node;
        pushFree(node);
    }
    m_capacity = capacity;
}

std::uint32_t RangeAllocator::largestFreeRange() const
{
    if (m_majorMask == 0)
        return 0;
    const auto major = static_cast<std::uint32_t>(std::bit_width(m_majorMask)) - 1U;
    const auto minor = static_cast<std::uint32_t>(std::bit_width(static_cast<std::uint32_t>(m_minorMasks[major]))) - 1U;
    std::uint32_t largest = 0;
    for (std::uint32_t node = m_heads[major][minor]; node != kNone; node = m_nodes[node].nextFree)
        largest = std::max(largest, m_nodes[node].count);
    return largest;
}

bool RangeAllocator::isConsistent() const
{
    std::uint32_t offset = 0, used = 0, freeRanges = 0, previous = kNone;
    bool wasFree = false;
    for (std::uint32_t node = m_first; node != kNone; node = m_nodes[node].next)
    {
        const Node& n = m_nodes[node];
        if (n.offset != offset || n.count == 0 || n.previous != previous || (wasFree && n.isFree))
            return false;
        offset += n.count;
        used += n.isFree ? 0 : n.count;
        freeRanges += n.isFree ? 1U : 0U;
        wasFree = n.isFree;
        previous = node;
    }
    return offset == m_capacity && used == m_used && freeRanges == m_freeRanges && previous == m_last;
}

} // namespace dl
