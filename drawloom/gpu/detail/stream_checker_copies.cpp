// drawloom/gpu/detail/stream_checker_copies.cpp - writes, copies, clears, readbacks and barriers.
#include "drawloom/gpu/detail/stream_checker.h"
#include "drawloom/gpu/detail/validation_descs.h"

namespace dl::gpu
{
namespace
{

constexpr std::uint32_t kRowAlignment = 256; ///< of linear rows in buffers, as WebGPU asks

unsigned long long wide(std::uint64_t value)
{
    return value;
}

} // namespace

void StreamChecker::copyCommand(const CommandView& view)
{
    m_place = m_hazards.place(std::string("in ") + std::string(toString(view.op)));
    switch (view.op)
    {
    case Op::WriteBuffer: return writeBuffer(view.record<WriteBufferCmd>());
    case Op::WriteTexture: return writeTexture(view.record<WriteTextureCmd>());
    case Op::CopyBufferToBuffer: return copyBufferToBuffer(view.record<CopyBufferToBufferCmd>());
    case Op::CopyBufferToTexture: return copyBufferTexture(view.record<CopyBufferTextureCmd>(), true);
    case Op::CopyTextureToBuffer: return copyBufferTexture(view.record<CopyBufferTextureCmd>(), false);
    case Op::CopyTextureToTexture: return copyTexture(view.record<CopyTextureToTextureCmd>());
    case Op::ClearBuffer: return clearBuffer(view.record<ClearBufferCmd>());
    case Op::ResolveQueries: return resolveQueries(view.record<ResolveQueriesCmd>());
    case Op::ReadbackBuffer: return readback(view.record<ReadbackBufferCmd>());
    default: return barriers(view);
    }
}

bool StreamChecker::isRangeRight(const BufferRecord& buffer, std::uint64_t offset, std::uint64_t bytes, std::uint64_t alignment)
{
    if (offset % alignment == 0 && bytes % 4 == 0 && offset <= buffer.bytes && bytes <= buffer.bytes - offset)
        return true;
    error(ValidationRule::CopyRange, "bytes %llu+%llu of buffer \"%s\" with %llu: outside, offset no multiple of %llu or size none of 4",
        wide(offset), wide(bytes), buffer.label.c_str(), wide(buffer.bytes), wide(alignment));
    return false;
}

void StreamChecker::writeBuffer(const WriteBufferCmd& cmd)
{
    BufferRecord* buffer = find(cmd.buffer, BufferUsage::CopyDst);
    if (buffer != nullptr && isRangeRight(*buffer, cmd.offset, cmd.dataBytes, 4))
        m_hazards.writeBufferByCopy(*buffer, cmd.offset, cmd.dataBytes, copySite());
}

void StreamChecker::clearBuffer(const ClearBufferCmd& cmd)
{
    BufferRecord* buffer = find(cmd.buffer, BufferUsage::CopyDst);
    if (buffer != nullptr && isRangeRight(*buffer, cmd.offset, cmd.bytes, 4))
        m_hazards.writeBufferByCopy(*buffer, cmd.offset, cmd.bytes, copySite());
}

void StreamChecker::copyBufferToBuffer(const CopyBufferToBufferCmd& cmd)
{
    BufferRecord* source = find(cmd.source, BufferUsage::CopySrc);
    BufferRecord* target = find(cmd.target, BufferUsage::CopyDst);
    if (source == nullptr || target == nullptr)
        return;
    if (source == target)
        return error(ValidationRule::CopyRange, "source and target are buffer \"%s\"", source->label.c_str());
    if (!isRangeRight(*source, cmd.sourceOffset, cmd.bytes, 4) || !isRangeRight(*target, cmd.targetOffset, cmd.bytes, 4))
        return;
    m_hazards.useBuffer(*source, Access::CopyRead, copySite());
    m_hazards.writeBufferByCopy(*target, cmd.targetOffset, cmd.bytes, copySite());
}

void StreamChecker::readback(const ReadbackBufferCmd& cmd)
{
    BufferRecord* buffer = find(cmd.buffer, BufferUsage::CopySrc);
    if (buffer != nullptr && isRangeRight(*buffer, cmd.offset, cmd.bytes, 4))
        m_hazards.useBuffer(*buffer, Access::CopyRead, copySite());
}

void StreamChecker::resolveQueries(const ResolveQueriesCmd& cmd)
{
    const QuerySetRecord* set = findObject(m_objects.querySets, cmd.querySet, ObjectKind::QuerySet);
    BufferRecord* target = find(cmd.target, BufferUsage::QueryResolve);
    if (set != nullptr && std::uint64_t(cmd.first) + cmd.count > set->count)
        error(ValidationRule::QueryRange, "queries %u+%u of set \"%s\" with %u", cmd.first, cmd.count, set->label.c_str(), set->count);
    const std::uint64_t bytes = std::uint64_t(cmd.count) * 8;
    if (target != nullptr && isRangeRight(*target, cmd.targetOffset, bytes, kRowAlignment))
        m_hazards.writeBufferByCopy(*target, cmd.targetOffset, bytes, copySite());
}

TextureRecord* StreamChecker::findRegion(const TextureRegion& region, TextureUsage usage)
{
    TextureRecord* texture = findObject(m_objects.textures, region.texture, ObjectKind::Texture);
    if (texture == nullptr)
        return nullptr;
    const char* label = texture->label.c_str();
    if (!texture->usage.contains(usage))
        error(ValidationRule::UsageFlags, "texture \"%s\" was not created with usage %s", label,
            usage == TextureUsage::CopySrc ? "CopySrc" : "CopyDst");
    if (texture->shape.contains(region))
        return texture;
    error(ValidationRule::CopyRange,
        "texels %ux%ux%u at %u,%u,%u of mip %u lie outside texture \"%s\" (%ux%ux%u, %u mips) or split a block", region.width,
        region.height, region.layersOrDepth, region.x, region.y, region.layerOrZ, region.mip, label, texture->shape.width,
        texture->shape.height, texture->shape.depthOrLayers, texture->shape.mipCount);
    return nullptr;
}

bool StreamChecker::isLinearRight(
    const TextureRecord& texture, const TextureRegion& region, LinearLayout layout, std::uint64_t availableBytes)
{
    const FormatInfo& format = formatInfo(texture.shape.format);
    const std::uint64_t rowBytes = textureLevelBytes(texture.shape.format, region.width, 1, 1);
    const std::uint64_t rowCount = (region.height + format.blockTexels - 1U) / format.blockTexels;
    const bool areSlicesApart = region.layersOrDepth == 1 || layout.rowsPerSlice >= rowCount;
    if (texture.sampleCount != 1)
        return error(ValidationRule::CopyRange, "texture \"%s\" is multisampled", texture.label.c_str()), false;
    if (layout.bytesPerRow >= rowBytes && areSlicesApart && layout.requiredBytes(texture.shape, region) <= availableBytes)
        return true;
    error(ValidationRule::CopyRange,
        "texture \"%s\": %llu bytes per row (at least %llu), %llu rows per layer (at least %llu), %llu bytes of data",
        texture.label.c_str(), wide(layout.bytesPerRow), wide(rowBytes), wide(layout.rowsPerSlice), wide(rowCount), wide(availableBytes));
    return false;
}

void StreamChecker::writeTexture(const WriteTextureCmd& cmd)
{
    TextureRecord* texture = findRegion(cmd.region, TextureUsage::CopyDst);
    const LinearLayout layout{.bytesPerRow = cmd.bytesPerRow, .rowsPerSlice = cmd.rowsPerLayer};
    if (texture != nullptr && isLinearRight(*texture, cmd.region, layout, cmd.dataBytes))
        m_hazards.writeTextureByCopy(*texture, cmd.region, copySite());
}

void StreamChecker::readTextureByCopy(TextureRecord& texture, const TextureRegion& region)
{
    const bool isVolume = texture.shape.isVolume;
    const SubresourceRange range{
        .baseMip = region.mip, .baseLayer = isVolume ? 0 : region.layerOrZ, .layerCount = isVolume ? 1 : region.layersOrDepth};
    m_hazards.useTexture(texture, range, Access::CopyRead, copySite(), true);
}

void StreamChecker::copyBufferTexture(const CopyBufferTextureCmd& cmd, bool isToTexture)
{
    BufferRecord* buffer = find(cmd.buffer, isToTexture ? BufferUsage::CopySrc : BufferUsage::CopyDst);
    TextureRecord* texture = findRegion(cmd.region, isToTexture ? TextureUsage::CopyDst : TextureUsage::CopySrc);
    if (buffer == nullptr || texture == nullptr)
        return;
    const std::uint64_t alignment = std::max<std::uint64_t>(formatInfo(texture->shape.format).blockBytes, 4);
    if (cmd.offset % alignment != 0 || cmd.bytesPerRow % kRowAlignment != 0 || cmd.offset > buffer->bytes)
        return error(ValidationRule::CopyRange, "buffer \"%s\", offset %llu (a multiple of %llu), %u bytes per row (a multiple of %u)",
            buffer->label.c_str(), wide(cmd.offset), wide(alignment), cmd.bytesPerRow, kRowAlignment);
    const LinearLayout layout{.bytesPerRow = cmd.bytesPerRow, .rowsPerSlice = cmd.rowsPerLayer};
    if (!isLinearRight(*texture, cmd.region, layout, buffer->bytes - cmd.offset))
        return;
    if (isToTexture)
    {
        m_hazards.useBuffer(*buffer, Access::CopyRead, copySite());
        return m_hazards.writeTextureByCopy(*texture, cmd.region, copySite());
    }
    readTextureByCopy(*texture, cmd.region);
    m_hazards.writeBufferByCopy(*buffer, cmd.offset, layout.requiredBytes(texture->shape, cmd.region), copySite());
}

void StreamChecker::copyTexture(const CopyTextureToTextureCmd& cmd)
{
    TextureRecord* source = findRegion(cmd.source, TextureUsage::CopySrc);
    TextureRecord* target = findRegion(cmd.target, TextureUsage::CopyDst);
    if (source == nullptr || target == nullptr)
        return;
    const bool isSameSize = cmd.source.width == cmd.target.width && cmd.source.height == cmd.target.height &&
                            cmd.source.layersOrDepth == cmd.target.layersOrDepth;
    if (!isSameSize || !areTwins(source->shape.format, target->shape.format) || source->sampleCount != target->sampleCount)
        return error(ValidationRule::CopyRange, "textures \"%s\" and \"%s\" differ in format, samples, or the regions in size",
            source->label.c_str(), target->label.c_str());
    readTextureByCopy(*source, cmd.source);
    m_hazards.writeTextureByCopy(*target, cmd.target, copySite());
}

void StreamChecker::barriers(const CommandView& view)
{
    const auto cmd = view.record<BarriersCmd>();
    m_hazards.beginBarriers();
    for (std::uint32_t i = 0; i < cmd.textureCount; ++i)
    {
        const auto barrier = view.element<BarriersCmd, TextureBarrier>(i);
        if (TextureRecord* texture = findObject(m_objects.textures, barrier.texture, ObjectKind::Texture))
            m_hazards.barrier(*texture, barrier);
    }
    for (std::uint32_t i = 0; i < cmd.bufferCount; ++i)
    {
        const auto barrier = view.element<BarriersCmd, BufferBarrier>(i, cmd.textureCount * sizeof(TextureBarrier));
        if (BufferRecord* buffer = findObject(m_objects.buffers, barrier.buffer, ObjectKind::Buffer))
            m_hazards.barrier(*buffer, barrier);
    }
}

} // namespace dl::gpu
