#include "drawloom/resource/texture_slots.h"

#include <algorithm>

namespace dl
{

namespace
{
constexpr gpu::AccessFlags kSampled = gpu::Access::SampledRead;
constexpr gpu::AccessFlags kCopyRead = gpu::Access::CopyRead;
constexpr gpu::AccessFlags kCopyWrite = gpu::Access::CopyWrite;

std::uint32_t levelSide(std::uint32_t side, std::uint32_t mip)
{
    return std::max(side >> mip, 1U);
}

std::uint64_t levelBytes(const TextureSlotDesc& desc, std::uint32_t mip)
{
    return gpu::textureLevelBytes(desc.format, levelSide(desc.width, mip), levelSide(desc.height, mip), 1);
}

Error badSlot(const TextureSlotDesc& desc, const std::string& what)
{
    return {ErrorCode::InvalidArgument, "texture \"" + desc.label + "\" (" + std::to_string(desc.width) + "x" +
                                            std::to_string(desc.height) + ", " + std::to_string(desc.mipCount) + " mips): " + what};
}
} // namespace

Result<gpu::Format> textureFormat(ImageFormat format, ImageEncoding encoding)
{
    const bool isSrgb = encoding == ImageEncoding::Srgb;
    switch (format)
    {
    case ImageFormat::Rgba8: return isSrgb ? gpu::Format::RGBA8UnormSrgb : gpu::Format::RGBA8Unorm;
    case ImageFormat::Bc1: return isSrgb ? gpu::Format::BC1RgbaUnormSrgb : gpu::Format::BC1RgbaUnorm;
    case ImageFormat::Bc3: return isSrgb ? gpu::Format::BC3RgbaUnormSrgb : gpu::Format::BC3RgbaUnorm;
    case ImageFormat::Bc7: return isSrgb ? gpu::Format::BC7RgbaUnormSrgb : gpu::Format::BC7RgbaUnorm;
    case ImageFormat::Rgba32F: return gpu::Format::RGBA32Float;
    case ImageFormat::Bc6h: return gpu::Format::BC6hRgbUfloat;
    default: break;
    }
    if (!isSrgb)
        switch (format)
        {
        case ImageFormat::R8: return gpu::Format::R8Unorm;
        case ImageFormat::Rg8: return gpu::Format::RG8Unorm;
        case ImageFormat::Bc4: return gpu::Format::BC4RUnorm;
        case ImageFormat::Bc5: return gpu::Format::BC5RgUnorm;
        default: break;
        }
    return Error{ErrorCode::Unsupported, "no texture format holds images of format " + std::to_string(static_cast<int>(format)) +
                                             (isSrgb ? " in sRGB" : "") + "; convert to Rgba8 first"};
}

TextureSlots::TextureSlots(gpu::Device& device, RetireQueue& retired, UploadQueue& uploads, ResourceMemory& memory)
    : m_device(&device), m_retired(&retired), m_uploads(&uploads), m_memory(&memory)
{
}

TextureSlots::~TextureSlots()
{
    m_slots.forEach(
        [this](TextureSlotId, Slot& slot)
        {
            cancelPending(slot);
            retire(slot, slot.live);
        });
}

std::uint32_t TextureSlots::smallestBaseMip(const TextureSlotDesc& desc)
{
    std::uint32_t mip = desc.mipCount - 1;
    const std::uint32_t block = gpu::formatInfo(desc.format).blockTexels;
    while (mip > 0 && (levelSide(desc.width, mip) % block != 0 || levelSide(desc.height, mip) % block != 0))
        --mip;
    return mip;
}

std::uint64_t TextureSlots::mipTailBytes(const TextureSlotDesc& desc, std::uint32_t baseMip)
{
    std::uint64_t bytes = 0;
    for (std::uint32_t mip = baseMip; mip < desc.mipCount; ++mip)
        bytes += levelBytes(desc, mip);
    return bytes;
}

Result<TextureSlotId> TextureSlots::add(const TextureSlotDesc& desc)
{
    const std::uint32_t maxSide = std::min(m_device->info().limits.maxTextureSize, 1U << (kMaxMipCount - 1U));
    if (desc.width == 0 || desc.height == 0 || desc.width > maxSide || desc.height > maxSide)
        return badSlot(desc, "sides of 1 to " + std::to_string(maxSide) + " texels are possible; scale it down");
    if (desc.mipCount == 0 || desc.mipCount > gpu::fullMipCount(desc.width, desc.height))
        return badSlot(desc, "more mips than a full chain, or none");
    if (desc.format == gpu::Format::None || gpu::formatInfo(desc.format).isDepth || gpu::formatInfo(desc.format).isInteger)
        return badSlot(desc, "a format that can not be filtered");
    const gpu::FormatInfo& info = gpu::formatInfo(desc.format);
    if (desc.width % info.blockTexels != 0 || desc.height % info.blockTexels != 0)
        return badSlot(desc, "sides of compressed textures are multiples of " + std::to_string(info.blockTexels));
    Slot slot;
    slot.desc = desc;
    return m_slots.add(std::move(slot));
}

Result<TextureSlotId> TextureSlots::add(std::shared_ptr<const Image> image, ImageEncoding encoding, std::uint32_t firstMip)
{
    DL_ASSERT(image != nullptr, "no image");
    DL_TRY_ASSIGN(const gpu::Format format, textureFormat(image->format, encoding));
    const TextureSlotDesc desc{image->name, format, image->width, image->height, image->mipCount};
    DL_TRY_ASSIGN(const TextureSlotId id, add(desc));
    if (image->bytes.size() < mipTailBytes(desc, 0))
    {
        m_slots.remove(id);
        return badSlot(desc,
            "the image holds " + std::to_string(image->bytes.size()) + " bytes, its mips need " + std::to_string(mipTailBytes(desc, 0)));
    }
    m_slots.get(id).image = std::move(image);
    Result<void> queued = setResidentMips(id, std::min(firstMip, smallestBaseMip(desc)));
    if (!queued)
    {
        m_slots.remove(id);
        return std::move(queued).error();
    }
    return id;
}

void TextureSlots::retire(Slot& slot, Object& object)
{
    if (!object.texture)
        return;
    m_retired->retire(object.view);
    m_retired->retire(
        object.texture, object.bytes, &m_memory->textureBytes, &m_memory->textureBytesByFormat[static_cast<std::size_t>(slot.desc.format)]);
    object = {};
    --m_textureCount;
}

void TextureSlots::cancelPending(Slot& slot)
{
    for (UploadId& upload : slot.uploads)
    {
        m_uploads->cancel(upload);
        upload = {};
    }
    retire(slot, slot.pending);
    slot.state.pendingMip = kNoMip;
    slot.copiedMip = kNoMip;
    slot.isReady = false;
}

bool TextureSlots::remove(TextureSlotId id)
{
    Slot* slot = m_slots.find(id);
    if (slot == nullptr)
        return false;
    cancelPending(*slot);
    retire(*slot, slot->live);
    m_changed.push_back(id);
    return m_slots.remove(id);
}

void TextureSlots::evict(TextureSlotId id)
{
    Slot& slot = m_slots.get(id);
    cancelPending(slot);
    if (!slot.live.texture)
        return;
    retire(slot, slot.live);
    slot.state.residentMip = kNoMip;
    markChanged(id, slot);
}

void TextureSlots::markChanged(TextureSlotId id, Slot& slot)
{
    slot.state.generation += 1;
    m_changed.push_back(id);
}

Result<TextureSlots::Object> TextureSlots::createObject(const TextureSlotDesc& slotDesc, std::uint32_t baseMip)
{
    gpu::TextureDesc desc;
    desc.label = slotDesc.label;
    desc.format = slotDesc.format;
    desc.width = levelSide(slotDesc.width, baseMip);
    desc.height = levelSide(slotDesc.height, baseMip);
    desc.mipCount = slotDesc.mipCount - baseMip;
    desc.usage = gpu::TextureUsage::Sampled | gpu::TextureUsage::CopyDst | gpu::TextureUsage::CopySrc;
    Object object;
    DL_TRY_ASSIGN(object.texture, m_device->createTexture(desc));
    gpu::TextureViewDesc viewDesc;
    viewDesc.label = slotDesc.label;
    viewDesc.texture = object.texture;
    viewDesc.mipCount = desc.mipCount;
    Result<gpu::TextureViewId> view = m_device->createTextureView(viewDesc);
    if (!view)
    {
        m_device->destroy(object.texture);
        return std::move(view).error();
    }
    object.view = *view;
    object.baseMip = baseMip;
    object.bytes = mipTailBytes(slotDesc, baseMip);
    m_memory->textureBytes.add(object.bytes);
    m_memory->textureBytesByFormat[static_cast<std::size_t>(slotDesc.format)].add(object.bytes);
    ++m_textureCount;
    return object;
}

// Which mips come from where: [baseMip, copiedMip) by upload, [copiedMip, mipCount) from the live texture.
Result<void> TextureSlots::checkLevels(
    const Slot& slot, std::uint32_t baseMip, std::span<const UploadPayload> levels, std::uint32_t& copiedMip) const
{
    const TextureSlotDesc& desc = slot.desc;
    if (baseMip > smallestBaseMip(desc))
        return badSlot(desc, "mip " + std::to_string(baseMip) + " can not be the first one; the coarsest that can is " +
                                 std::to_string(smallestBaseMip(desc)));
    copiedMip = slot.live.texture ? std::max(slot.live.baseMip, baseMip) : desc.mipCount;
    if (slot.image != nullptr && levels.empty())
        return {};
    const std::uint32_t needed = copiedMip - baseMip;
    if (levels.size() < needed)
        return badSlot(desc, std::to_string(levels.size()) + " levels were given, mips " + std::to_string(baseMip) + " to " +
                                 std::to_string(copiedMip) + " are needed");
    for (std::uint32_t i = 0; i < needed; ++i)
        if (levels[i].data == nullptr || levels[i].bytes != levelBytes(desc, baseMip + i))
            return badSlot(desc, "mip " + std::to_string(baseMip + i) + " has " + std::to_string(levels[i].bytes) + " bytes, " +
                                     std::to_string(levelBytes(desc, baseMip + i)) + " are right");
    return {};
}

Result<void> TextureSlots::setResidentMips(
    TextureSlotId id, std::uint32_t baseMip, std::span<const UploadPayload> levels, std::int32_t priority)
{
    Slot* slot = m_slots.find(id);
    if (slot == nullptr)
        return Error{ErrorCode::StaleId, "texture slot " + std::to_string(id.index) + " was removed before its mips arrived"};
    std::uint32_t copiedMip = 0;
    DL_TRY(checkLevels(*slot, baseMip, levels, copiedMip));
    if (baseMip == slot->state.pendingMip)
        return {};
    if (slot->live.texture && baseMip == slot->live.baseMip)
    {
        cancelPending(*slot);
        return {};
    }
    DL_TRY_ASSIGN(const Object object, createObject(slot->desc, baseMip));
    cancelPending(*slot);
    slot->pending = object;
    slot->state.pendingMip = baseMip;
    slot->copiedMip = copiedMip;
    for (std::uint32_t mip = baseMip; mip < copiedMip; ++mip)
    {
        UploadPayload payload;
        if (slot->image != nullptr && levels.empty())
            payload = {std::shared_ptr<const std::byte>(slot->image, slot->image->bytes.data() + slot->image->levelOffset(mip)),
                levelBytes(slot->desc, mip)};
        else
            payload = levels[mip - baseMip];
        const TextureUploadTarget target{
            object.texture, slot->desc.format, mip - baseMip, levelSide(slot->desc.width, mip), levelSide(slot->desc.height, mip)};
        slot->uploads[mip] = m_uploads->addTexture(target, std::move(payload), priority);
    }
    if (!slot->isListed)
    {
        slot->isListed = true;
        m_filling.push_back(id);
    }
    return {};
}

void TextureSlots::beginUploads(WriteBatch& batch)
{
    for (const TextureSlotId id : m_filling)
    {
        Slot* slot = m_slots.find(id);
        if (slot == nullptr || !slot->pending.texture || slot->isReady)
            continue;
        const std::uint32_t mipCount = slot->desc.mipCount - slot->pending.baseMip;
        batch.barrierBefore({slot->pending.texture, 0, mipCount, 0, 1, gpu::AccessFlags(), kCopyWrite});
        slot->isReady = true;
    }
}

bool TextureSlots::isFull(const Slot& slot) const
{
    for (std::uint32_t mip = slot.pending.baseMip; mip < slot.copiedMip; ++mip)
        if (m_uploads->isPending(slot.uploads[mip]))
            return false;
    return true;
}

// Copies what the old texture shares, in the same batch as the last uploads; the old one is retired right away: the stream
// that holds the copy was not submitted yet.
void TextureSlots::publish(WriteBatch& batch)
{
    std::size_t kept = 0;
    for (const TextureSlotId id : m_filling)
    {
        Slot* slot = m_slots.find(id);
        if (slot == nullptr)
            continue;
        if (!slot->pending.texture)
        {
            slot->isListed = false;
            continue;
        }
        if (!isFull(*slot))
        {
            m_filling[kept++] = id;
            continue;
        }
        const Object& from = slot->live;
        const Object& to = slot->pending;
        for (std::uint32_t mip = slot->copiedMip; mip < slot->desc.mipCount; ++mip)
        {
            gpu::CopyTextureToTextureCmd copy;
            copy.source.texture = from.texture;
            copy.source.mip = mip - from.baseMip;
            copy.source.width = levelSide(slot->desc.width, mip);
            copy.source.height = levelSide(slot->desc.height, mip);
            copy.target = copy.source;
            copy.target.texture = to.texture;
            copy.target.mip = mip - to.baseMip;
            batch.copy(copy);
        }
        if (slot->copiedMip < slot->desc.mipCount)
            batch.barrierBefore({from.texture, 0, slot->desc.mipCount - from.baseMip, 0, 1, kSampled, kCopyRead});
        batch.barrierAfter({to.texture, 0, slot->desc.mipCount - to.baseMip, 0, 1, kCopyWrite, kSampled});
        retire(*slot, slot->live);
        slot->live = slot->pending;
        slot->pending = {};
        slot->state.residentMip = slot->live.baseMip;
        slot->state.pendingMip = kNoMip;
        slot->isListed = false;
        slot->isReady = false;
        markChanged(id, *slot);
    }
    m_filling.resize(kept);
}

} // namespace dl
