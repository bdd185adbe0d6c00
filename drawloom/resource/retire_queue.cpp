#include "drawloom/resource/retire_queue.h"

namespace dl
{

void RetireQueue::retire(gpu::BufferId id, std::uint64_t bytes, MemoryAmount* amount)
{
    if (id)
        m_buffers.push_back({id, bytes, amount});
}

void RetireQueue::retire(gpu::TextureId id, std::uint64_t bytes, MemoryAmount* amount, MemoryAmount* formatAmount)
{
    if (id)
        m_textures.push_back({id, bytes, amount, formatAmount});
}

void RetireQueue::retire(gpu::TextureViewId id)
{
    if (id)
        m_views.push_back(id);
}

void RetireQueue::retire(gpu::BindGroupId id)
{
    if (id)
        m_bindGroups.push_back(id);
}

void RetireQueue::destroyAll()
{
    for (const gpu::BindGroupId id : m_bindGroups)
        m_device->destroy(id);
    m_bindGroups.clear();
    for (const Buffer& buffer : m_buffers)
    {
        m_device->destroy(buffer.id);
        if (buffer.amount != nullptr)
            buffer.amount->remove(buffer.bytes);
    }
    m_buffers.clear();
    const bool isHolding = m_isHoldingTextures;
    m_isHoldingTextures = false;
    if (isHolding)
        return;
    for (const gpu::TextureViewId id : m_views)
        m_device->destroy(id);
    m_views.clear();
    for (const Texture& texture : m_textures)
    {
        m_device->destroy(texture.id);
        if (texture.amount != nullptr)
            texture.amount->remove(texture.bytes);
        if (texture.formatAmount != nullptr)
            texture.formatAmount->remove(texture.bytes);
    }
    m_textures.clear();
}

} // namespace dl
