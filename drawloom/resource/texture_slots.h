// drawloom/resource/texture_slots.h - textures behind stable slots, with only the resident mips in memory. Other mips mean
// another texture object in the same slot: published when all its levels have arrived, the old one destroyed after the last
// stream that names it. Used by the asset store and by texture sets.
#pragma once

#include "drawloom/asset/image.h"
#include "drawloom/resource/resource_ids.h"
#include "drawloom/resource/retire_queue.h"
#include "drawloom/resource/upload_queue.h"
#include "drawloom/resource/write_batch.h"

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace dl
{

constexpr std::uint32_t kMaxMipCount = 15;
constexpr std::uint32_t kNoMip = UINT32_MAX;

struct TextureSlotDesc
{
    std::string label;
    gpu::Format format = gpu::Format::RGBA8Unorm;
    std::uint32_t width = 0, height = 0; ///< of mip 0
    std::uint32_t mipCount = 1;          ///< of the whole texture, at most a full chain
};

/// The device format for an image of this encoding. Unsupported: 16-bit images (convert first) or sRGB with one or two channels.
Result<gpu::Format> textureFormat(ImageFormat format, ImageEncoding encoding);

struct TextureSlotState
{
    std::uint32_t residentMip = kNoMip; ///< finest mip that can be sampled; kNoMip: none, a neutral texture stands in
    std::uint32_t pendingMip = kNoMip;  ///< finest mip of the texture that is being filled; kNoMip: none
    std::uint32_t wantedMip = kNoMip;   ///< finest mip that somebody asks for; kNoMip: nobody
    std::uint32_t generation = 0;       ///< grows with each published content
};

/// Owner thread only.
class TextureSlots
{
public:
    TextureSlots(gpu::Device& device, RetireQueue& retired, UploadQueue& uploads, ResourceMemory& memory);
    ~TextureSlots();
    TextureSlots(const TextureSlots&) = delete;
    TextureSlots& operator=(const TextureSlots&) = delete;

    /// A slot without resident mips. InvalidArgument: size or mips out of range, blocks that do not fit, depth formats.
    Result<TextureSlotId> add(const TextureSlotDesc& desc);
    /// A slot that keeps the image as the source of its mips, with mips from `firstMip` on queued (clamped to smallestBaseMip).
    Result<TextureSlotId> add(std::shared_ptr<const Image> image, ImageEncoding encoding, std::uint32_t firstMip = 0);
    /// False for a stale id. Texture sets that still name it show the neutral texture.
    bool remove(TextureSlotId id);
    bool contains(TextureSlotId id) const { return m_slots.contains(id); }

    /// Makes mips baseMip.. the resident ones. `levels` are the mips baseMip, baseMip + 1, ... up to where the resident ones
    /// (copied on the GPU) take over; empty when the slot keeps its image or when mips are only dropped. Published by the flush
    /// in which the last byte went out. A call while another is pending replaces it.
    /// InvalidArgument: mip past smallestBaseMip, levels missing or of a wrong size. StaleId. OutOfMemory. Failed: unchanged.
    Result<void> setResidentMips(
        TextureSlotId id, std::uint32_t baseMip, std::span<const UploadPayload> levels = {}, std::int32_t priority = 0);
    /// Destroys all mips; the neutral texture stands in.
    void evict(TextureSlotId id);
    void setWantedMip(TextureSlotId id, std::uint32_t mip) { m_slots.get(id).state.wantedMip = mip; }

    const TextureSlotState& state(TextureSlotId id) const { return m_slots.get(id).state; }
    const TextureSlotDesc& desc(TextureSlotId id) const { return m_slots.get(id).desc; }
    /// The view of the resident mips; none without any.
    gpu::TextureViewId view(TextureSlotId id) const { return m_slots.get(id).live.view; }
    gpu::TextureId texture(TextureSlotId id) const { return m_slots.get(id).live.texture; }
    /// Coarsest mip that may be the first of a texture: the last, or for BC the last whose sides are whole blocks.
    static std::uint32_t smallestBaseMip(const TextureSlotDesc& desc);
    /// Bytes of mips baseMip.. .
    static std::uint64_t mipTailBytes(const TextureSlotDesc& desc, std::uint32_t baseMip);

    /// Barriers and copies of textures that are being filled, and publication of those that became full. Around the drain of
    /// the upload queue: before it and after it.
    void beginUploads(WriteBatch& batch);
    void publish(WriteBatch& batch);
    /// Slots whose content changed since the last call of clearChanged.
    std::span<const TextureSlotId> changed() const { return m_changed; }
    void clearChanged() { m_changed.clear(); }

    std::uint32_t textureCount() const { return m_textureCount; } ///< objects that live or are being filled
    std::size_t size() const { return m_slots.size(); }

private:
    struct Object
    {
        gpu::TextureId texture;
        gpu::TextureViewId view;
        std::uint32_t baseMip = kNoMip;
        std::uint64_t bytes = 0;
    };
    struct Slot
    {
        TextureSlotDesc desc;
        TextureSlotState state;
        std::shared_ptr<const Image> image;
        Object live, pending;
        std::array<UploadId, kMaxMipCount> uploads; ///< of pending, by mip
        std::uint32_t copiedMip = kNoMip;           ///< mips from here on come from the live texture
        bool isReady = false;                       ///< in CopyWrite state
        bool isListed = false;                      ///< in m_filling
    };
    Result<Object> createObject(const TextureSlotDesc& desc, std::uint32_t baseMip);
    void retire(Slot& slot, Object& object);
    void cancelPending(Slot& slot);
    bool isFull(const Slot& slot) const;
    void markChanged(TextureSlotId id, Slot& slot);
    Result<void> checkLevels(
        const Slot& slot, std::uint32_t baseMip, std::span<const UploadPayload> levels, std::uint32_t& copiedMip) const;

    gpu::Device* m_device;
    RetireQueue* m_retired;
    UploadQueue* m_uploads;
    ResourceMemory* m_memory;
    SlotTable<TextureSlotId, Slot> m_slots;
    std::vector<TextureSlotId> m_filling;
    std::vector<TextureSlotId> m_changed;
    std::uint32_t m_textureCount = 0;
};

} // namespace dl
