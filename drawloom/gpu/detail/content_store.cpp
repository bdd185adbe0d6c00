// drawloom/gpu/detail/content_store.cpp - row by row copies with every range checked: streams may come from files.
#include "drawloom/gpu/detail/content_store.h"

#include <algorithm>
#include <cstring>

namespace dl::gpu
{
namespace
{

bool isInside(std::uint64_t offset, std::uint64_t bytes, std::uint64_t size)
{
    return offset <= size && bytes <= size - offset;
}

/// A region as rows of blocks: how many, how long, where in the texture's bytes.
struct BlockRows
{
    std::uint64_t rowBytes, rowCount, sliceCount;
    std::uint64_t offset, rowPitch, slicePitch;
};

BlockRows blockRows(const TextureShape& shape, const TextureRegion& r)
{
    const FormatInfo& info = formatInfo(shape.format);
    const std::uint64_t edge = info.blockTexels;
    const std::uint64_t pitch = (shape.mipWidth(r.mip) + edge - 1) / edge * info.blockBytes;
    const std::uint64_t slice = shape.sliceBytes(r.mip);
    return {.rowBytes = (r.width + edge - 1) / edge * info.blockBytes,
        .rowCount = (r.height + edge - 1) / edge,
        .sliceCount = r.layersOrDepth,
        .offset = shape.mipOffset(r.mip) + r.layerOrZ * slice + r.y / edge * pitch + r.x / edge * info.blockBytes,
        .rowPitch = pitch,
        .slicePitch = slice};
}

void copyRows(const BlockRows& rows, std::byte* target, std::uint64_t targetRow, std::uint64_t targetSlice, const std::byte* source,
    std::uint64_t sourceRow, std::uint64_t sourceSlice)
{
    for (std::uint64_t z = 0; z < rows.sliceCount; ++z)
        for (std::uint64_t y = 0; y < rows.rowCount; ++y)
            std::memcpy(target + z * targetSlice + y * targetRow, source + z * sourceSlice + y * sourceRow, rows.rowBytes);
}

} // namespace

TextureShape TextureShape::of(const TextureDesc& desc)
{
    return {.format = desc.format,
        .isVolume = desc.dimension == TextureDimension::D3,
        .width = desc.width,
        .height = desc.height,
        .depthOrLayers = desc.depthOrLayers,
        .mipCount = std::min(desc.mipCount, kMaxMipCount)};
}

std::uint32_t TextureShape::mipWidth(std::uint32_t mip) const
{
    return std::max(width >> mip, 1U);
}

std::uint32_t TextureShape::mipHeight(std::uint32_t mip) const
{
    return std::max(height >> mip, 1U);
}

std::uint32_t TextureShape::sliceCount(std::uint32_t mip) const
{
    return isVolume ? std::max(depthOrLayers >> mip, 1U) : depthOrLayers;
}

std::uint64_t TextureShape::sliceBytes(std::uint32_t mip) const
{
    return textureLevelBytes(format, mipWidth(mip), mipHeight(mip), 1);
}

std::uint64_t TextureShape::mipOffset(std::uint32_t mip) const
{
    std::uint64_t offset = 0;
    for (std::uint32_t i = 0; i < mip; ++i)
        offset += mipBytes(i);
    return offset;
}

bool TextureShape::contains(const TextureRegion& r) const
{
    if (r.mip >= mipCount || r.width == 0 || r.height == 0 || r.layersOrDepth == 0)
        return false;
    const std::uint32_t w = mipWidth(r.mip), h = mipHeight(r.mip);
    const std::uint32_t edge = formatInfo(format).blockTexels;
    if (!isInside(r.x, r.width, w) || !isInside(r.y, r.height, h) || !isInside(r.layerOrZ, r.layersOrDepth, sliceCount(r.mip)))
        return false;
    const bool isWidthWhole = r.width % edge == 0 || r.x + r.width == w;
    const bool isHeightWhole = r.height % edge == 0 || r.y + r.height == h;
    return r.x % edge == 0 && r.y % edge == 0 && isWidthWhole && isHeightWhole;
}

std::uint64_t LinearLayout::requiredBytes(const TextureShape& shape, const TextureRegion& region) const
{
    const BlockRows rows = blockRows(shape, region);
    std::uint64_t slices = 0;
    if (__builtin_mul_overflow(bytesPerRow * rowsPerSlice, rows.sliceCount - 1, &slices) || slices > UINT64_MAX / 2)
        return UINT64_MAX;
    return slices + (rows.rowCount - 1) * bytesPerRow + rows.rowBytes;
}

std::span<const std::byte> ContentStore::bufferContent(BufferId id) const
{
    const BufferContent* buffer = m_buffers.find(id);
    return buffer != nullptr && buffer->isWritten ? std::span<const std::byte>(buffer->content) : std::span<const std::byte>();
}

std::span<const std::byte> ContentStore::textureContent(TextureId id) const
{
    const TextureContent* texture = m_textures.find(id);
    return texture != nullptr && texture->isWritten ? std::span<const std::byte>(texture->content) : std::span<const std::byte>();
}

const TextureShape* ContentStore::textureShape(TextureId id) const
{
    const TextureContent* texture = m_textures.find(id);
    return texture != nullptr ? &texture->shape : nullptr;
}

std::span<std::byte> ContentStore::range(BufferId id, std::uint64_t offset, std::uint64_t bytes, bool isWriting)
{
    BufferContent* buffer = m_buffers.find(id);
    if (buffer == nullptr || !isInside(offset, bytes, buffer->bytes))
        return {};
    if (buffer->content.empty())
        buffer->content.resize(buffer->bytes);
    buffer->isWritten = buffer->isWritten || isWriting;
    return std::span(buffer->content).subspan(offset, bytes);
}

bool ContentStore::readRange(BufferId id, std::uint64_t offset, std::uint64_t bytes, std::vector<std::byte>& out) const
{
    const BufferContent* buffer = m_buffers.find(id);
    if (buffer == nullptr || !isInside(offset, bytes, buffer->bytes))
        return false;
    if (buffer->content.empty())
        out.resize(out.size() + bytes);
    else
        out.insert(out.end(), buffer->content.begin() + static_cast<std::ptrdiff_t>(offset),
            buffer->content.begin() + static_cast<std::ptrdiff_t>(offset + bytes));
    return true;
}

std::span<std::byte> ContentStore::allTexels(TextureId id, bool isWriting)
{
    TextureContent* texture = m_textures.find(id);
    if (texture == nullptr)
        return {};
    if (texture->content.empty())
        texture->content.resize(texture->shape.totalBytes());
    texture->isWritten = texture->isWritten || isWriting;
    return texture->content;
}

bool ContentStore::writeTexture(const TextureRegion& region, LinearLayout layout, std::span<const std::byte> data)
{
    TextureContent* texture = m_textures.find(region.texture);
    if (texture == nullptr || !texture->shape.contains(region) || layout.requiredBytes(texture->shape, region) > data.size())
        return false;
    const BlockRows rows = blockRows(texture->shape, region);
    std::byte* target = allTexels(region.texture, true).data() + rows.offset;
    copyRows(rows, target, rows.rowPitch, rows.slicePitch, data.data(), layout.bytesPerRow, layout.bytesPerRow * layout.rowsPerSlice);
    return true;
}

bool ContentStore::copyBufferToTexture(const CopyBufferTextureCmd& cmd)
{
    BufferContent* buffer = m_buffers.find(cmd.buffer);
    if (buffer == nullptr || cmd.offset > buffer->bytes)
        return false;
    const std::span<const std::byte> source = range(cmd.buffer, cmd.offset, buffer->bytes - cmd.offset, false);
    return writeTexture(cmd.region, {.bytesPerRow = cmd.bytesPerRow, .rowsPerSlice = cmd.rowsPerLayer}, source);
}

bool ContentStore::copyTextureToBuffer(const CopyBufferTextureCmd& cmd)
{
    const TextureContent* texture = m_textures.find(cmd.region.texture);
    if (texture == nullptr || !texture->shape.contains(cmd.region))
        return false;
    const LinearLayout layout{.bytesPerRow = cmd.bytesPerRow, .rowsPerSlice = cmd.rowsPerLayer};
    const std::span<std::byte> target = writableRange(cmd.buffer, cmd.offset, layout.requiredBytes(texture->shape, cmd.region));
    if (target.empty())
        return false;
    const BlockRows rows = blockRows(texture->shape, cmd.region);
    const std::byte* source = allTexels(cmd.region.texture, false).data() + rows.offset;
    const std::uint64_t targetSlice = layout.bytesPerRow * layout.rowsPerSlice;
    copyRows(rows, target.data(), layout.bytesPerRow, targetSlice, source, rows.rowPitch, rows.slicePitch);
    return true;
}

bool ContentStore::copyTexture(const CopyTextureToTextureCmd& cmd)
{
    const TextureContent* source = m_textures.find(cmd.source.texture);
    const TextureContent* target = m_textures.find(cmd.target.texture);
    if (source == nullptr || target == nullptr || !source->shape.contains(cmd.source) || !target->shape.contains(cmd.target))
        return false;
    const BlockRows from = blockRows(source->shape, cmd.source), to = blockRows(target->shape, cmd.target);
    if (from.rowBytes != to.rowBytes || from.rowCount != to.rowCount || from.sliceCount != to.sliceCount)
        return false;
    // Through scratch memory: both regions may lie in one texture.
    m_scratch.resize(from.rowBytes * from.rowCount * from.sliceCount);
    const std::uint64_t scratchSlice = from.rowBytes * from.rowCount;
    const std::byte* sourceBytes = allTexels(cmd.source.texture, false).data() + from.offset;
    copyRows(from, m_scratch.data(), from.rowBytes, scratchSlice, sourceBytes, from.rowPitch, from.slicePitch);
    std::byte* targetBytes = allTexels(cmd.target.texture, true).data() + to.offset;
    copyRows(to, targetBytes, to.rowPitch, to.slicePitch, m_scratch.data(), from.rowBytes, scratchSlice);
    return true;
}

bool ContentStore::execute(const CommandView& view)
{
    switch (view.op)
    {
    case Op::WriteBuffer:
    {
        const auto cmd = view.record<WriteBufferCmd>();
        const auto data = view.trailing<WriteBufferCmd>();
        const std::span<std::byte> target = writableRange(cmd.buffer, cmd.offset, data.size());
        std::copy(data.begin(), data.begin() + static_cast<std::ptrdiff_t>(target.size()), target.begin());
        return target.size() == data.size();
    }
    case Op::WriteTexture:
    {
        const auto cmd = view.record<WriteTextureCmd>();
        return writeTexture(
            cmd.region, {.bytesPerRow = cmd.bytesPerRow, .rowsPerSlice = cmd.rowsPerLayer}, view.trailing<WriteTextureCmd>());
    }
    case Op::CopyBufferToBuffer:
    {
        const auto cmd = view.record<CopyBufferToBufferCmd>();
        const std::span<std::byte> target = writableRange(cmd.target, cmd.targetOffset, cmd.bytes);
        const std::span<const std::byte> source = range(cmd.source, cmd.sourceOffset, cmd.bytes, false);
        if (source.size() != cmd.bytes || target.size() != cmd.bytes)
            return false;
        if (!target.empty())
            std::memmove(target.data(), source.data(), source.size());
        return true;
    }
    case Op::CopyBufferToTexture: return copyBufferToTexture(view.record<CopyBufferTextureCmd>());
    case Op::CopyTextureToBuffer: return copyTextureToBuffer(view.record<CopyBufferTextureCmd>());
    case Op::CopyTextureToTexture: return copyTexture(view.record<CopyTextureToTextureCmd>());
    case Op::ClearBuffer:
    {
        const auto cmd = view.record<ClearBufferCmd>();
        const std::span<std::byte> target = writableRange(cmd.buffer, cmd.offset, cmd.bytes);
        std::fill(target.begin(), target.end(), std::byte(0));
        return target.size() == cmd.bytes;
    }
    default: return true;
    }
}

} // namespace dl::gpu
