// drawloom/resource/uniform_ring.h - small uniform structs of one frame (ViewUniforms, DeformJob), read with dynamic offsets of
// kUniformStrideBytes; uploaded whole by the flush.
#pragma once

#include "drawloom/resource/gpu_structs.h"
#include "drawloom/resource/growable_buffer.h"
#include "drawloom/resource/write_batch.h"

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace dl
{

/// Owner thread only.
class UniformRing
{
public:
    UniformRing(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount, const char* label);

    /// Forgets the last frame's, keeps the memory.
    void beginFrame() { m_used = 0; }
    /// Dynamic offset of a copy of `value`. OutOfBudget past 65,536 structs of 256 bytes.
    template <class T> Result<std::uint32_t> push(const T& value)
    {
        static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= kUniformStrideBytes);
        return pushBytes(&value, sizeof(T));
    }
    std::uint32_t count() const { return m_used / kUniformStrideBytes; }

    Result<void> prepare();
    void collectWrites(WriteBatch& batch);
    const GrowableBuffer& buffer() const { return m_buffer; }

private:
    Result<std::uint32_t> pushBytes(const void* data, std::size_t bytes);

    GrowableBuffer m_buffer;
    std::vector<std::byte> m_bytes;
    std::uint32_t m_used = 0;
};

} // namespace dl
