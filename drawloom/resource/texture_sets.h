// drawloom/resource/texture_sets.h - what group G2 binds: five textures and five samplers behind one stable slot. Equal sets are
// one set; its bind group is made anew only when the content of one of its texture slots changed, once per flush.
#pragma once

#include "drawloom/resource/gpu_structs.h"
#include "drawloom/resource/resource_ids.h"
#include "drawloom/resource/retire_queue.h"
#include "drawloom/resource/sampler_cache.h"
#include "drawloom/resource/texture_slots.h"

#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace dl
{

/// In the order of kTextureBaseColor ...; an empty slot id means the neutral texture of that place.
struct TextureSetDesc
{
    std::array<TextureSlotId, kMaterialTextureCount> slots;
    std::array<SamplerSettings, kMaterialTextureCount> samplers;
    friend bool operator==(const TextureSetDesc&, const TextureSetDesc&) = default;
};

struct TextureSetStats
{
    std::uint32_t setCount = 0;
    std::uint64_t bindGroupsCreated = 0;      ///< since the start
    std::uint32_t bindGroupsCreatedFrame = 0; ///< by the last flush
    std::uint64_t bindGroupFailures = 0;      ///< tried again in the next flush, the old group stays
};

/// Owner thread only.
class TextureSets
{
public:
    TextureSets(gpu::Device& device, RetireQueue& retired, TextureSlots& slots, SamplerCache& samplers, ResourceMemory& memory);
    ~TextureSets();
    TextureSets(const TextureSets&) = delete;
    TextureSets& operator=(const TextureSets&) = delete;

    /// Neutral textures (white; normal map (0.5, 0.5, 1)) of 1x1. Once, before acquire.
    Result<void> initialise(gpu::BindGroupLayoutId layout);

    /// Reference-counted. StaleId: a slot id that is no longer there. The group exists after the next flush.
    Result<TextureSetId> acquire(const TextureSetDesc& desc);
    void addRef(TextureSetId id) { m_sets.get(id).refCount += 1; }
    /// False for a stale id; the last release retires the group.
    bool release(TextureSetId id);
    bool contains(TextureSetId id) const { return m_sets.contains(id); }

    /// Resolve at encode, after the flush; none before the first one.
    gpu::BindGroupId bindGroup(TextureSetId id) const { return m_sets.get(id).group; }
    const TextureSetDesc& desc(TextureSetId id) const { return m_sets.get(id).desc; }

    /// Uploads the neutral textures in the first flush.
    void collectWrites(WriteBatch& batch);
    /// Rebuilds the groups of the sets that hold a changed slot, and new ones.
    void update();
    const TextureSetStats& stats() const { return m_stats; }

private:
    struct Set
    {
        TextureSetDesc desc;
        std::uint64_t hash = 0;
        std::uint32_t refCount = 0;
        gpu::BindGroupId group;
        bool isTouched = false;
    };
    struct Neutral
    {
        gpu::TextureId texture;
        gpu::TextureViewId view;
    };
    void touch(TextureSetId id, Set& set);
    bool rebuild(Set& set);
    void link(TextureSetId id, const Set& set);
    void unlink(TextureSetId id, const Set& set);

    gpu::Device* m_device;
    RetireQueue* m_retired;
    TextureSlots* m_slots;
    SamplerCache* m_samplers;
    ResourceMemory* m_memory;
    gpu::BindGroupLayoutId m_layout;
    std::array<Neutral, kMaterialTextureCount> m_neutral;
    bool m_isNeutralWritten = false;
    SlotTable<TextureSetId, Set> m_sets;
    std::unordered_multimap<std::uint64_t, TextureSetId> m_byHash;
    std::vector<std::vector<TextureSetId>> m_users; ///< by texture slot index
    std::vector<TextureSetId> m_touched, m_failed;
    TextureSetStats m_stats;
};

} // namespace dl
