// drawloom/resource/retire_queue.h - objects that were replaced but that the stream being recorded may still name. They are
// destroyed once that stream was submitted; the device keeps them alive until it has completed.
#pragma once

#include "drawloom/gpu/device.h"
#include "drawloom/resource/memory_stats.h"

#include <vector>

namespace dl
{

/// Used by all parts of GpuResources. Not thread safe.
class RetireQueue
{
public:
    explicit RetireQueue(gpu::Device& device) : m_device(&device) {}
    ~RetireQueue()
    {
        m_isHoldingTextures = false;
        destroyAll();
    }
    RetireQueue(const RetireQueue&) = delete;
    RetireQueue& operator=(const RetireQueue&) = delete;

    /// The bytes leave `amount` (may be null) when the object is destroyed.
    void retire(gpu::BufferId id, std::uint64_t bytes = 0, MemoryAmount* amount = nullptr);
    void retire(gpu::TextureId id, std::uint64_t bytes = 0, MemoryAmount* amount = nullptr, MemoryAmount* formatAmount = nullptr);
    void retire(gpu::TextureViewId id);
    void retire(gpu::BindGroupId id);

    /// After the stream that may name them was submitted. Bind groups and views go before what they name.
    void destroyAll();
    /// Holds textures and views back over the next destroyAll: a bind group that names them could not be replaced yet.
    void holdTextures() { m_isHoldingTextures = true; }

private:
    struct Buffer
    {
        gpu::BufferId id;
        std::uint64_t bytes = 0;
        MemoryAmount* amount = nullptr;
    };
    struct Texture
    {
        gpu::TextureId id;
        std::uint64_t bytes = 0;
        MemoryAmount* amount = nullptr;
        MemoryAmount* formatAmount = nullptr;
    };
    gpu::Device* m_device;
    std::vector<Buffer> m_buffers;
    std::vector<Texture> m_textures;
    std::vector<gpu::TextureViewId> m_views;
    std::vector<gpu::BindGroupId> m_bindGroups;
    bool m_isHoldingTextures = false;
};

} // namespace dl
