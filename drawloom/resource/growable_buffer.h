// drawloom/resource/growable_buffer.h - a buffer behind a slot: grows by doubling into a new object, tells its users by a
// version, and knows the barrier state that the stream left it in (gpu/barrier_model.h).
#pragma once

#include "drawloom/gpu/device.h"
#include "drawloom/resource/memory_stats.h"
#include "drawloom/resource/retire_queue.h"

#include <cstdint>
#include <string>

namespace dl
{

struct GrowableBufferDesc
{
    const char* label = "";
    gpu::BufferUsages usage;
    gpu::AccessFlags reads; ///< every access that it serves outside uploads; its state between flushes
    std::uint64_t firstBytes = 4096;
    std::uint64_t maxBytes = std::uint64_t(128) << 20U; ///< cut to the device's limits
    bool isExact = false; ///< reserve makes just the bytes it is asked for: the owner doubles in units of its own
};

/// Owner thread only. Content is lost by growing unless the owner copies it (oldId in GrowResult).
class GrowableBuffer
{
public:
    GrowableBuffer(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount, const GrowableBufferDesc& desc);
    ~GrowableBuffer();
    GrowableBuffer(const GrowableBuffer&) = delete;
    GrowableBuffer& operator=(const GrowableBuffer&) = delete;

    /// Makes room for `bytes`. OutOfBudget: past maxBytes; OutOfMemory: the device's. Failed: unchanged.
    /// True when the object changed. `retireOld` false leaves the old object to the caller (id() before the call).
    Result<bool> reserve(std::uint64_t bytes, bool retireOld = true);
    /// Gives the object away: the buffer is empty again.
    void release();

    gpu::BufferId id() const { return m_id; }
    std::uint64_t bytes() const { return m_bytes; }
    std::uint64_t maxBytes() const { return m_desc.maxBytes; }
    /// Grows with each new object; 0: none yet.
    std::uint32_t version() const { return m_version; }
    const char* label() const { return m_desc.label; }
    gpu::AccessFlags reads() const { return m_desc.reads; }

    gpu::AccessFlags state; ///< kept by WriteBatch

private:
    gpu::Device* m_device;
    RetireQueue* m_retired;
    MemoryAmount* m_amount;
    GrowableBufferDesc m_desc;
    gpu::BufferId m_id;
    std::uint64_t m_bytes = 0;
    std::uint32_t m_version = 0;
};

} // namespace dl
