// drawloom/gpu/vulkan/detail/stream_transfers.cpp - what stands outside passes: uploads, copies, barriers, readbacks.
#include "drawloom/gpu/vulkan/detail/stream_player.h"

#include "drawloom/gpu/vulkan/detail/access.h"
#include "drawloom/gpu/vulkan/detail/conversions.h"

#include <cstring>
#include <string>

namespace dl::gpu::vulkan
{
namespace
{

/// Copies and views count layers or depth slices in one number; Vulkan has two.
VkImageSubresourceLayers subresource(const Texture& texture, const TextureRegion& region)
{
    const bool is3d = texture.dimension == TextureDimension::D3;
    return {aspectOf(texture.format), region.mip, is3d ? 0 : region.layerOrZ, is3d ? 1 : region.layersOrDepth};
}

VkOffset3D offsetOf(const Texture& texture, const TextureRegion& region)
{
    const bool is3d = texture.dimension == TextureDimension::D3;
    return {
        static_cast<std::int32_t>(region.x), static_cast<std::int32_t>(region.y), is3d ? static_cast<std::int32_t>(region.layerOrZ) : 0};
}

VkExtent3D extentOf(const Texture& texture, const TextureRegion& region)
{
    return {region.width, region.height, texture.dimension == TextureDimension::D3 ? region.layersOrDepth : 1};
}

/// Rows of blocks of a region, tightly packed.
struct RegionRows
{
    std::uint64_t rowBytes = 0, rowCount = 0;
};
RegionRows rowsOf(Format format, const TextureRegion& region)
{
    const FormatInfo& info = formatInfo(format);
    const std::uint64_t edge = info.blockTexels;
    return {(region.width + edge - 1) / edge * info.blockBytes, (region.height + edge - 1) / edge};
}

} // namespace

Result<void> StreamPlayer::playTransfer(const CommandView& command)
{
    switch (command.op)
    {
    case Op::WriteBuffer: return writeBuffer(command);
    case Op::WriteTexture: return writeTexture(command);
    case Op::CopyBufferToBuffer: copyBufferToBuffer(command.record<CopyBufferToBufferCmd>()); break;
    case Op::CopyBufferToTexture: copyBufferTexture(command.record<CopyBufferTextureCmd>(), true); break;
    case Op::CopyTextureToBuffer: copyBufferTexture(command.record<CopyBufferTextureCmd>(), false); break;
    case Op::CopyTextureToTexture: copyTextureToTexture(command.record<CopyTextureToTextureCmd>()); break;
    case Op::ClearBuffer: clearBuffer(command.record<ClearBufferCmd>()); break;
    case Op::ResolveQueries: resolveQueries(command.record<ResolveQueriesCmd>()); break;
    case Op::ReadbackBuffer: return readback(command.record<ReadbackBufferCmd>());
    case Op::Barriers: barriers(command); break;
    default: break;
    }
    return {};
}

Result<void> StreamPlayer::writeBuffer(const CommandView& command)
{
    const auto cmd = command.record<WriteBufferCmd>();
    if (cmd.dataBytes == 0)
        return {};
    DL_TRY_ASSIGN(const HostSlice slice, m_uploads.allocate(cmd.dataBytes, m_recording->submission));
    std::memcpy(slice.data, command.trailing<WriteBufferCmd>().data(), cmd.dataBytes);
    const VkBufferCopy region{slice.offset, cmd.offset, cmd.dataBytes};
    m_vk.vkCmdCopyBuffer(m_commands, slice.buffer, m_objects.buffers.get(cmd.buffer).handle, 1, &region);
    return {};
}

Result<void> StreamPlayer::writeTexture(const CommandView& command)
{
    const auto cmd = command.record<WriteTextureCmd>();
    const Texture& texture = m_objects.textures.get(cmd.region.texture);
    const auto [rowBytes, rowCount] = rowsOf(texture.format, cmd.region);
    const std::uint64_t layerCount = cmd.region.layersOrDepth;
    if (rowBytes == 0 || rowCount == 0 || layerCount == 0)
        return {};
    const std::uint64_t pitch = cmd.bytesPerRow;
    const std::uint64_t layerPitch = pitch * cmd.rowsPerLayer;
    if ((layerCount - 1) * layerPitch + (rowCount - 1) * pitch + rowBytes > cmd.dataBytes)
        return Error{ErrorCode::InvalidArgument, "writeTexture of " + std::to_string(cmd.region.width) + "x" +
                                                     std::to_string(cmd.region.height) + " texels: " + std::to_string(cmd.dataBytes) +
                                                     " bytes are too few for bytesPerRow " + std::to_string(cmd.bytesPerRow)};
    // Rows go tightly into staging memory, whatever their pitch was: Vulkan counts pitches in texels.
    DL_TRY_ASSIGN(const HostSlice slice, m_uploads.allocate(layerCount * rowCount * rowBytes, m_recording->submission));
    const std::byte* const source = command.trailing<WriteTextureCmd>().data();
    std::byte* target = slice.data;
    for (std::uint64_t layer = 0; layer < layerCount; ++layer)
        for (std::uint64_t row = 0; row < rowCount; ++row, target += rowBytes)
            std::memcpy(target, source + layer * layerPitch + row * pitch, rowBytes);
    VkBufferImageCopy region{};
    region.bufferOffset = slice.offset;
    region.imageSubresource = subresource(texture, cmd.region);
    region.imageOffset = offsetOf(texture, cmd.region);
    region.imageExtent = extentOf(texture, cmd.region);
    m_vk.vkCmdCopyBufferToImage(m_commands, slice.buffer, texture.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    return {};
}

void StreamPlayer::copyBufferToBuffer(const CopyBufferToBufferCmd& cmd)
{
    if (cmd.bytes == 0)
        return;
    const VkBufferCopy region{cmd.sourceOffset, cmd.targetOffset, cmd.bytes};
    m_vk.vkCmdCopyBuffer(m_commands, m_objects.buffers.get(cmd.source).handle, m_objects.buffers.get(cmd.target).handle, 1, &region);
}

void StreamPlayer::copyBufferTexture(const CopyBufferTextureCmd& cmd, bool isToTexture)
{
    const Texture& texture = m_objects.textures.get(cmd.region.texture);
    const VkBuffer buffer = m_objects.buffers.get(cmd.buffer).handle;
    const FormatInfo& info = formatInfo(texture.format);
    VkBufferImageCopy region{};
    region.bufferOffset = cmd.offset;
    region.bufferRowLength = cmd.bytesPerRow / info.blockBytes * info.blockTexels;
    region.bufferImageHeight = cmd.rowsPerLayer * info.blockTexels;
    region.imageSubresource = subresource(texture, cmd.region);
    region.imageOffset = offsetOf(texture, cmd.region);
    region.imageExtent = extentOf(texture, cmd.region);
    if (isToTexture)
        m_vk.vkCmdCopyBufferToImage(m_commands, buffer, texture.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
    else
        m_vk.vkCmdCopyImageToBuffer(m_commands, texture.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, buffer, 1, &region);
}

void StreamPlayer::copyTextureToTexture(const CopyTextureToTextureCmd& cmd)
{
    const Texture& source = m_objects.textures.get(cmd.source.texture);
    const Texture& target = m_objects.textures.get(cmd.target.texture);
    VkImageCopy region{};
    region.srcSubresource = subresource(source, cmd.source);
    region.srcOffset = offsetOf(source, cmd.source);
    region.dstSubresource = subresource(target, cmd.target);
    region.dstOffset = offsetOf(target, cmd.target);
    region.extent = extentOf(source, cmd.source);
    m_vk.vkCmdCopyImage(
        m_commands, source.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, target.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, 1, &region);
}

void StreamPlayer::clearBuffer(const ClearBufferCmd& cmd)
{
    if (cmd.bytes != 0)
        m_vk.vkCmdFillBuffer(m_commands, m_objects.buffers.get(cmd.buffer).handle, cmd.offset, cmd.bytes, 0);
}

void StreamPlayer::resolveQueries(const ResolveQueriesCmd& cmd)
{
    const QuerySet& set = m_objects.querySets.get(cmd.querySet);
    const VkBuffer target = m_objects.buffers.get(cmd.target).handle;
    for (std::uint32_t i = 0; i < cmd.count; ++i)
    {
        const std::uint32_t query = cmd.first + i;
        const std::uint64_t offset = cmd.targetOffset + std::uint64_t{i} * sizeof(std::uint64_t);
        DL_ASSERT(query < set.hasValue.size(), "timestamp query out of range");
        if (set.hasValue[query])
            m_vk.vkCmdCopyQueryPoolResults(
                m_commands, set.handle, query, 1, target, offset, sizeof(std::uint64_t), VK_QUERY_RESULT_64_BIT | VK_QUERY_RESULT_WAIT_BIT);
        else // never written: 0, as in WebGPU; waiting for it would hang
            m_vk.vkCmdFillBuffer(m_commands, target, offset, sizeof(std::uint64_t), 0);
    }
}

Result<void> StreamPlayer::readback(const ReadbackBufferCmd& cmd)
{
    PendingReadback pending{cmd.token, cmd.bytes, {}};
    if (cmd.bytes != 0)
    {
        DL_TRY_ASSIGN(pending.slice, m_readbacks.allocate(cmd.bytes, m_recording->submission));
        const VkBufferCopy region{cmd.offset, pending.slice.offset, cmd.bytes};
        m_vk.vkCmdCopyBuffer(m_commands, m_objects.buffers.get(cmd.buffer).handle, pending.slice.buffer, 1, &region);
    }
    m_recording->readbacks.push_back(pending);
    return {};
}

void StreamPlayer::barriers(const CommandView& command)
{
    const auto cmd = command.record<BarriersCmd>();
    m_imageBarriers.clear();
    m_bufferBarriers.clear();
    for (std::uint32_t i = 0; i < cmd.textureCount; ++i)
        addTextureBarrier(command.element<BarriersCmd, TextureBarrier>(i));
    const std::size_t buffersAt = cmd.textureCount * sizeof(TextureBarrier);
    for (std::uint32_t i = 0; i < cmd.bufferCount; ++i)
        addBufferBarrier(command.element<BarriersCmd, BufferBarrier>(i, buffersAt));
    VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
    info.imageMemoryBarrierCount = static_cast<std::uint32_t>(m_imageBarriers.size());
    info.pImageMemoryBarriers = m_imageBarriers.data();
    info.bufferMemoryBarrierCount = static_cast<std::uint32_t>(m_bufferBarriers.size());
    info.pBufferMemoryBarriers = m_bufferBarriers.data();
    if (info.imageMemoryBarrierCount + info.bufferMemoryBarrierCount > 0)
        m_vk.vkCmdPipelineBarrier2(m_commands, &info);
}

void StreamPlayer::addTextureBarrier(const TextureBarrier& barrier)
{
    Texture& texture = m_objects.textures.get(barrier.texture);
    Scope before = scopeBefore(barrier.before);
    VkImageLayout oldLayout = layoutOf(texture.format, barrier.before);
    if (texture.isInForeignState)
    {
        texture.isInForeignState = false;
        texture.takenBySubmission = m_recording->submission;
        before = {texture.foreignStages, texture.foreignAccesses};
        oldLayout = barrier.before ? texture.foreignLayout : VK_IMAGE_LAYOUT_UNDEFINED;
    }
    const Scope after = scopeAfter(barrier.after);
    VkImageMemoryBarrier2 info{VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2};
    info.srcStageMask = before.stages;
    info.srcAccessMask = before.accesses;
    info.dstStageMask = after.stages;
    info.dstAccessMask = after.accesses;
    info.oldLayout = oldLayout;
    info.newLayout = layoutOf(texture.format, barrier.after);
    info.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    info.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    info.image = texture.handle;
    info.subresourceRange = {aspectOf(texture.format), barrier.baseMip, barrier.mipCount, barrier.baseLayer, barrier.layerCount};
    if (barrier.after)
        m_imageBarriers.push_back(info);
}

void StreamPlayer::addBufferBarrier(const BufferBarrier& barrier)
{
    const Scope before = scopeBefore(barrier.before);
    const Scope after = scopeAfter(barrier.after);
    VkBufferMemoryBarrier2 info{VK_STRUCTURE_TYPE_BUFFER_MEMORY_BARRIER_2};
    info.srcStageMask = before.stages;
    info.srcAccessMask = before.accesses;
    info.dstStageMask = after.stages;
    info.dstAccessMask = after.accesses;
    info.srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    info.dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED;
    info.buffer = m_objects.buffers.get(barrier.buffer).handle;
    info.size = VK_WHOLE_SIZE;
    if (barrier.after)
        m_bufferBarriers.push_back(info);
}

} // namespace dl::gpu::vulkan
