// drawloom/gpu/vulkan/detail/host_pool.h - host-visible memory that lives until a submission completes: uploads on their
// way to the device, readbacks on their way home. Grows in chunks, reuses them, allocates nothing once warm.
#pragma once

#include "drawloom/core/result.h"
#include "drawloom/gpu/device.h"
#include "drawloom/gpu/vulkan/detail/vma.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dl::gpu::vulkan
{

struct HostSlice
{
    VkBuffer buffer = VK_NULL_HANDLE;
    VmaAllocation allocation = VK_NULL_HANDLE;
    std::uint64_t offset = 0;
    std::byte* data = nullptr;
};

class HostPool
{
public:
    enum class Direction : std::uint8_t
    {
        Upload,
        Readback
    };

    HostPool(VmaAllocator allocator, Direction direction) : m_allocator(allocator), m_direction(direction) {}
    ~HostPool();
    HostPool(const HostPool&) = delete;
    HostPool& operator=(const HostPool&) = delete;

    /// `bytes` that stay valid until `submission` completes, at an offset that suits every copy. OutOfMemory.
    Result<HostSlice> allocate(std::uint64_t bytes, SubmissionIndex submission);
    /// Everything up to `completed` is finished: its chunks are free again.
    void retire(SubmissionIndex completed);

    std::uint64_t allocatedBytes() const { return m_allocatedBytes; }
    std::uint64_t peakBytes() const { return m_peakBytes; }

private:
    struct Chunk
    {
        VkBuffer buffer = VK_NULL_HANDLE;
        VmaAllocation allocation = VK_NULL_HANDLE;
        std::byte* data = nullptr;
        std::uint64_t bytes = 0;
        std::uint64_t usedBytes = 0;
        SubmissionIndex lastSubmission = 0;
    };

    Result<std::size_t> findChunk(std::uint64_t bytes);
    Result<std::size_t> addChunk(std::uint64_t bytes);
    void destroyChunk(const Chunk& chunk);

    VmaAllocator m_allocator;
    Direction m_direction;
    std::vector<Chunk> m_chunks;
    std::size_t m_current = 0;
    std::uint64_t m_allocatedBytes = 0;
    std::uint64_t m_peakBytes = 0;
};

} // namespace dl::gpu::vulkan
