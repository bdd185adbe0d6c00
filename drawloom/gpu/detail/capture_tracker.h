// drawloom/gpu/detail/capture_tracker.h - follows live objects, their states and contents, so that a snapshot can be
// written at any time. Driven by the capture device.
#pragma once

#include "drawloom/gpu/detail/capture_events.h"
#include "drawloom/gpu/detail/content_store.h"

namespace dl::gpu
{

class CaptureTracker
{
public:
    /// Remembers a creation that succeeded.
    void add(CapturedObject object);
    void remove(ObjectKind kind, std::uint32_t index, std::uint32_t generation);
    /// Plays the copies of a stream that was submitted, and follows its barriers.
    void follow(std::span<const std::byte> stream);
    /// Creations in their order, then contents and states.
    void writeSnapshot(std::vector<std::byte>& body);

private:
    struct Entry
    {
        CapturedObject object;
        bool isAlive = true;
    };
    /// Of one buffer (one state) or texture (one per mip and layer).
    struct States
    {
        std::vector<AccessFlags> states;
        std::uint32_t layerCount = 1;
        bool isGpuWritten = false;
    };
    bool hasDependencies(const CapturedObject& object) const;
    bool isAlive(ObjectKind kind, std::uint32_t index, std::uint32_t generation) const;
    void markNeeded(std::vector<bool>& needed) const;
    std::size_t entryOf(ObjectKind kind, std::uint32_t index, std::uint32_t generation) const;
    void barriers(const CommandView& view);
    void firstCopy(BufferId id, Access access);
    void compact();

    std::vector<Entry> m_entries; // in order of creation; dead ones stay while layouts and modules may be needed
    std::size_t m_deadCount = 0;
    IdMap<BufferId, States> m_buffers;
    IdMap<TextureId, States> m_textures;
    ContentStore m_contents;
};

} // namespace dl::gpu
