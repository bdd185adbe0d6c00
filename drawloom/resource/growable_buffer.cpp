#include "drawloom/resource/growable_buffer.h"

#include <algorithm>
#include <utility>

namespace dl
{

GrowableBuffer::GrowableBuffer(gpu::Device& device, RetireQueue& retired, MemoryAmount& amount, const GrowableBufferDesc& desc)
    : m_device(&device), m_retired(&retired), m_amount(&amount), m_desc(desc)
{
    const gpu::Limits& limits = device.info().limits;
    std::uint64_t limit = limits.maxBufferBytes;
    if (desc.usage.intersects(gpu::BufferUsage::Storage))
        limit = std::min(limit, limits.maxStorageBindingBytes);
    m_desc.maxBytes = std::min(m_desc.maxBytes, limit) & ~std::uint64_t(3);
    m_desc.firstBytes = std::min(m_desc.firstBytes, m_desc.maxBytes);
}

GrowableBuffer::~GrowableBuffer()
{
    if (!m_id)
        return;
    m_device->destroy(m_id);
    m_amount->remove(m_bytes);
}

Result<bool> GrowableBuffer::reserve(std::uint64_t bytes, bool retireOld)
{
    if (m_id && bytes <= m_bytes)
        return false;
    if (bytes > m_desc.maxBytes)
        return Error{ErrorCode::OutOfBudget, std::string("buffer \"") + m_desc.label + "\" would need " + std::to_string(bytes) +
                                                 " bytes, its limit is " + std::to_string(m_desc.maxBytes) +
                                                 "; use fewer or smaller objects"};
    std::uint64_t grown = m_desc.isExact ? bytes : std::max(m_desc.firstBytes, m_bytes);
    while (grown < bytes)
        grown *= 2;
    grown = std::min((grown + 3U) & ~std::uint64_t(3), m_desc.maxBytes);
    gpu::BufferDesc desc;
    desc.label = m_desc.label;
    desc.bytes = grown;
    desc.usage = m_desc.usage | gpu::BufferUsage::CopyDst;
    DL_TRY_ASSIGN(const gpu::BufferId id, m_device->createBuffer(desc));
    if (retireOld)
        m_retired->retire(m_id, m_bytes, m_amount);
    m_id = id;
    m_bytes = grown;
    m_amount->add(grown);
    m_version += 1;
    state = gpu::AccessFlags();
    return true;
}

void GrowableBuffer::release()
{
    if (!m_id)
        return;
    m_retired->retire(m_id, m_bytes, m_amount);
    m_id = {};
    m_bytes = 0;
    m_version += 1;
    state = gpu::AccessFlags();
}

} // namespace dl
