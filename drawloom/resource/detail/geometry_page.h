// drawloom/resource/detail/geometry_page.h - one page of the geometry pool: six growable buffers and the allocators of their
// elements. For geometry_pool*.cpp.
#pragma once

#include "drawloom/resource/geometry_pool.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>

namespace dl
{

/// Bytes per element, by GeometryPool::Stream.
constexpr std::array<std::uint64_t, 6> kStreamStrides = {
    kPositionStrideBytes, kNormalStrideBytes, kUvStrideBytes, 4, sizeof(SkinRecord), 4};

/// A buffer that keeps its content when it grows: the old object is copied by the next emitCopies. Growing again before
/// that copies from the first object, the one in between was never named by a stream.
struct GeometryPool::StreamBuffer
{
    StreamBuffer(
        gpu::Device& gpuDevice, RetireQueue& retireQueue, MemoryAmount& amount, const GrowableBufferDesc& desc, std::uint64_t strideBytes)
        : device(&gpuDevice), retired(&retireQueue), meshBytes(&amount), buffer(gpuDevice, retireQueue, amount, desc), stride(strideBytes)
    {
    }
    ~StreamBuffer()
    {
        if (!oldId)
            return;
        device->destroy(oldId);
        meshBytes->remove(oldBytes);
    }
    StreamBuffer(const StreamBuffer&) = delete;
    StreamBuffer& operator=(const StreamBuffer&) = delete;

    Result<void> grow(std::uint32_t elementCount);
    void release();
    void emitCopy(gpu::CommandStream& stream);

    gpu::Device* device;
    RetireQueue* retired;
    MemoryAmount* meshBytes;
    GrowableBuffer buffer;
    std::uint64_t stride;
    gpu::BufferId oldId; ///< to be copied from; none: nothing to copy
    gpu::AccessFlags oldState;
    std::uint64_t oldBytes = 0;
};

struct GeometryPool::Page
{
    Page(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount, const GeometryPoolSettings& settings);

    std::array<std::unique_ptr<StreamBuffer>, StreamCount> streams;
    RangeAllocator vertices, indices, skin, morph;
    std::uint32_t maxVertices = 0, maxIndices = 0, maxSkin = 0, maxMorph = 0;
};

/// Capacity (doubled, at most maxCount) at which `count` surely fits; 0: never.
inline std::uint32_t grownCapacity(const RangeAllocator& ranges, std::uint32_t count, std::uint32_t firstCount, std::uint32_t maxCount)
{
    const std::uint64_t needed = std::uint64_t(ranges.capacity()) + count - ranges.freeTailCount();
    if (needed > maxCount)
        return 0;
    std::uint64_t capacity = std::max<std::uint64_t>({std::uint64_t(ranges.capacity()) * 2, firstCount, 1});
    while (capacity < needed)
        capacity *= 2;
    return static_cast<std::uint32_t>(std::min<std::uint64_t>(capacity, maxCount));
}

} // namespace dl
