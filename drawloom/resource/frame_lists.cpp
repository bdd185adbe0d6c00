// The lists that are written anew each frame and uploaded whole: IdList, IndirectList, UniformRing.
#include "drawloom/core/assert.h"
#include "drawloom/resource/detail/fresh_buffer.h"
#include "drawloom/resource/id_list.h"
#include "drawloom/resource/indirect_list.h"
#include "drawloom/resource/uniform_ring.h"

#include <algorithm>
#include <cstring>

namespace dl
{

IdList::IdList(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount)
    : m_buffer(device, retired, amount, {"instance ids", gpu::BufferUsage::Storage, gpu::Access::StorageRead, 16384})
{
}

Result<std::uint32_t> IdList::allocate(std::uint32_t count)
{
    const std::uint64_t needed = std::uint64_t(m_count) + count;
    if (needed * 4 > m_buffer.maxBytes())
        return Error{ErrorCode::OutOfBudget, "the id list of one frame would hold " + std::to_string(needed) + " instances, its limit is " +
                                                 std::to_string(m_buffer.maxBytes() / 4) + "; draw fewer instances or views"};
    if (needed > m_ids.size())
        m_ids.resize(std::max<std::size_t>(static_cast<std::size_t>(needed), m_ids.size() * 2));
    const std::uint32_t first = m_count;
    m_count += count;
    return first;
}

Result<void> IdList::prepare()
{
    DL_TRY(m_buffer.reserve(std::max<std::uint64_t>(m_count, 1) * 4));
    return {};
}

void IdList::collectWrites(WriteBatch& batch)
{
    writeList(batch, m_buffer, std::as_bytes(std::span(m_ids).first(m_count)));
}

IndirectList::IndirectList(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount)
    : m_buffer(device, retired, amount, {"draw arguments", gpu::BufferUsage::Indirect, gpu::Access::IndirectRead, 4096})
{
}

std::span<IndirectArguments> IndirectList::allocate(std::uint32_t count)
{
    DL_ASSERT(count <= capacity(), "more draw arguments than capacity()");
    if (count > m_arguments.size())
        m_arguments.resize(std::max<std::size_t>(count, m_arguments.size() * 2));
    m_count = count;
    return std::span(m_arguments).first(count);
}

Result<void> IndirectList::prepare()
{
    if (m_count == 0)
        return {};
    DL_TRY(m_buffer.reserve(std::uint64_t(m_count) * sizeof(IndirectArguments)));
    return {};
}

void IndirectList::collectWrites(WriteBatch& batch)
{
    if (m_count != 0)
        batch.write(m_buffer, 0, std::as_bytes(std::span(m_arguments).first(m_count)));
}

UniformRing::UniformRing(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount, const char* label)
    : m_buffer(device, retired, amount,
          {label, gpu::BufferUsage::Uniform, gpu::Access::UniformRead, std::uint64_t(kMaxViews) * kUniformStrideBytes,
              std::uint64_t(65536) * kUniformStrideBytes})
{
}

Result<std::uint32_t> UniformRing::pushBytes(const void* data, std::size_t bytes)
{
    if (std::uint64_t(m_used) + kUniformStrideBytes > m_buffer.maxBytes())
        return Error{ErrorCode::OutOfBudget,
            std::string("uniform ring \"") + m_buffer.label() + "\" is full with " + std::to_string(count()) + " structs in one frame"};
    if (m_used + kUniformStrideBytes > m_bytes.size())
        m_bytes.resize(std::max<std::size_t>(m_bytes.size() * 2, std::size_t(16) * kUniformStrideBytes));
    std::memcpy(m_bytes.data() + m_used, data, bytes);
    std::memset(m_bytes.data() + m_used + bytes, 0, kUniformStrideBytes - bytes);
    const std::uint32_t offset = m_used;
    m_used += kUniformStrideBytes;
    return offset;
}

Result<void> UniformRing::prepare()
{
    DL_TRY(m_buffer.reserve(std::max(m_used, kUniformStrideBytes)));
    return {};
}

void UniformRing::collectWrites(WriteBatch& batch)
{
    writeList(batch, m_buffer, std::span(m_bytes).first(m_used));
}

} // namespace dl
