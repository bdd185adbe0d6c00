// drawloom/gpu/vulkan/detail/host_pool.cpp
#include "drawloom/gpu/vulkan/detail/host_pool.h"

#include "drawloom/gpu/vulkan/detail/errors.h"

#include <algorithm>
#include <bit>
#include <string>

namespace dl::gpu::vulkan
{
namespace
{

constexpr std::uint64_t kMinChunkBytes = 1ULL << 20U;
// Idle chunks beyond this go back to the driver: a level load must not keep its peak for good.
constexpr std::uint64_t kMaxIdleBytes = 64ULL << 20U;
// Texel blocks are up to 16 bytes; 64 keeps copies on cache lines.
constexpr std::uint64_t kAlignment = 64;

} // namespace

HostPool::~HostPool()
{
    for (const Chunk& chunk : m_chunks)
        destroyChunk(chunk);
}

void HostPool::destroyChunk(const Chunk& chunk)
{
    vmaDestroyBuffer(m_allocator, chunk.buffer, chunk.allocation);
}

Result<HostSlice> HostPool::allocate(std::uint64_t bytes, SubmissionIndex submission)
{
    const bool hasRoom = m_current < m_chunks.size() && m_chunks[m_current].bytes - m_chunks[m_current].usedBytes >= bytes;
    if (!hasRoom)
    {
        DL_TRY_ASSIGN(m_current, findChunk(bytes));
    }
    Chunk& chunk = m_chunks[m_current];
    const std::uint64_t offset = chunk.usedBytes;
    chunk.usedBytes = std::min(chunk.bytes, (offset + bytes + kAlignment - 1) / kAlignment * kAlignment);
    chunk.lastSubmission = submission;
    return HostSlice{chunk.buffer, chunk.allocation, offset, chunk.data + offset};
}

Result<std::size_t> HostPool::findChunk(std::uint64_t bytes)
{
    for (std::size_t i = 0; i < m_chunks.size(); ++i)
        if (m_chunks[i].usedBytes == 0 && m_chunks[i].bytes >= bytes)
            return i;
    return addChunk(bytes);
}

Result<std::size_t> HostPool::addChunk(std::uint64_t bytes)
{
    // Each chunk at least as large as all before it together (to 16 MiB): few chunks, whatever the load.
    const std::uint64_t floorBytes = std::clamp(std::bit_ceil(m_allocatedBytes + 1), kMinChunkBytes, 16 * kMinChunkBytes);
    Chunk chunk;
    chunk.bytes = std::max(floorBytes, (bytes + kAlignment - 1) / kAlignment * kAlignment);
    VkBufferCreateInfo info{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    info.size = chunk.bytes;
    info.usage = m_direction == Direction::Upload ? VK_BUFFER_USAGE_TRANSFER_SRC_BIT : VK_BUFFER_USAGE_TRANSFER_DST_BIT;
    VmaAllocationCreateInfo allocation{};
    allocation.usage = VMA_MEMORY_USAGE_AUTO_PREFER_HOST;
    allocation.flags = VMA_ALLOCATION_CREATE_MAPPED_BIT;
    allocation.flags |= m_direction == Direction::Upload ? VMA_ALLOCATION_CREATE_HOST_ACCESS_SEQUENTIAL_WRITE_BIT
                                                         : VMA_ALLOCATION_CREATE_HOST_ACCESS_RANDOM_BIT;
    if (m_direction == Direction::Upload)
        allocation.requiredFlags = VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VmaAllocationInfo allocated{};
    const VkResult result = vmaCreateBuffer(m_allocator, &info, &allocation, &chunk.buffer, &chunk.allocation, &allocated);
    if (result != VK_SUCCESS)
        return makeError(result, "allocate " + std::to_string(chunk.bytes) + " bytes of staging memory");
    chunk.data = static_cast<std::byte*>(allocated.pMappedData);
    m_chunks.push_back(chunk);
    m_allocatedBytes += chunk.bytes;
    m_peakBytes = std::max(m_peakBytes, m_allocatedBytes);
    return m_chunks.size() - 1;
}

void HostPool::retire(SubmissionIndex completed)
{
    std::uint64_t idleBytes = 0;
    std::size_t kept = 0;
    for (std::size_t i = 0; i < m_chunks.size(); ++i)
    {
        Chunk chunk = m_chunks[i];
        if (chunk.lastSubmission <= completed)
        {
            chunk.usedBytes = 0;
            if (idleBytes + chunk.bytes > kMaxIdleBytes)
            {
                destroyChunk(chunk);
                m_allocatedBytes -= chunk.bytes;
                continue;
            }
            idleBytes += chunk.bytes;
        }
        if (i == m_current)
            m_current = kept;
        m_chunks[kept++] = chunk;
    }
    m_chunks.resize(kept);
}

} // namespace dl::gpu::vulkan
