// drawloom/gpu/vulkan/detail/stream_passes.cpp - passes: attachments, viewport, timestamps.
#include "drawloom/gpu/vulkan/detail/stream_player.h"

#include "drawloom/gpu/vulkan/detail/access.h"
#include "drawloom/gpu/vulkan/detail/conversions.h"

namespace dl::gpu::vulkan
{
namespace
{

VkAttachmentLoadOp loadOp(LoadOp op)
{
    return op == LoadOp::Load ? VK_ATTACHMENT_LOAD_OP_LOAD : VK_ATTACHMENT_LOAD_OP_CLEAR;
}

VkAttachmentStoreOp storeOp(StoreOp op)
{
    return op == StoreOp::Store ? VK_ATTACHMENT_STORE_OP_STORE : VK_ATTACHMENT_STORE_OP_DONT_CARE;
}

VkClearColorValue clearColor(const ColorAttachment& attachment, Format format)
{
    VkClearColorValue value{};
    const bool isInteger = formatInfo(format).isInteger;
    for (std::size_t channel = 0; channel < 4; ++channel)
        if (isInteger)
            value.uint32[channel] = static_cast<std::uint32_t>(attachment.clear[channel]);
        else
            value.float32[channel] = attachment.clear[channel];
    return value;
}

} // namespace

VkRenderingAttachmentInfo StreamPlayer::colorInfo(const ColorAttachment& attachment) const
{
    VkRenderingAttachmentInfo info{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    if (!attachment.view)
        return info;
    const TextureView& view = m_objects.views.get(attachment.view);
    info.imageView = view.handle;
    info.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    info.loadOp = loadOp(attachment.load);
    info.storeOp = storeOp(attachment.store);
    info.clearValue.color = clearColor(attachment, view.format);
    if (attachment.resolveView)
    {
        info.resolveMode = formatInfo(view.format).isInteger ? VK_RESOLVE_MODE_SAMPLE_ZERO_BIT : VK_RESOLVE_MODE_AVERAGE_BIT;
        info.resolveImageView = m_objects.views.get(attachment.resolveView).handle;
        info.resolveImageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    }
    return info;
}

VkRenderingAttachmentInfo StreamPlayer::depthInfo(const DepthAttachment& attachment) const
{
    VkRenderingAttachmentInfo info{VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO};
    const TextureView& view = m_objects.views.get(attachment.view);
    const bool isReadOnly = attachment.isReadOnly != 0;
    info.imageView = view.handle;
    info.imageLayout = layoutOf(view.format, isReadOnly ? Access::DepthRead : Access::DepthWrite);
    info.loadOp = isReadOnly ? VK_ATTACHMENT_LOAD_OP_LOAD : loadOp(attachment.load);
    // A store, even of unchanged texels, would be a write that races with shaders sampling the attachment.
    info.storeOp = isReadOnly ? VK_ATTACHMENT_STORE_OP_NONE : storeOp(attachment.store);
    info.clearValue.depthStencil.depth = attachment.clear;
    return info;
}

void StreamPlayer::beginRenderPass(const CommandView& command)
{
    const auto cmd = command.record<BeginRenderPassCmd>();
    pushLabel(command.trailing<BeginRenderPassCmd>().subspan(cmd.colorCount * sizeof(ColorAttachment), cmd.labelBytes));
    beginPass(cmd.querySet, cmd.beginQuery, cmd.endQuery);

    std::array<VkRenderingAttachmentInfo, kMaxColorAttachments> colors;
    for (std::uint32_t i = 0; i < cmd.colorCount; ++i)
        colors[i] = colorInfo(command.element<BeginRenderPassCmd, ColorAttachment>(i));
    VkRenderingAttachmentInfo depth{};
    VkRenderingInfo info{VK_STRUCTURE_TYPE_RENDERING_INFO};
    info.renderArea.extent = {cmd.width, cmd.height};
    info.layerCount = 1;
    info.colorAttachmentCount = cmd.colorCount;
    info.pColorAttachments = colors.data();
    if (cmd.depth.view)
    {
        depth = depthInfo(cmd.depth);
        info.pDepthAttachment = &depth;
    }
    m_vk.vkCmdBeginRendering(m_commands, &info);
    setViewport({0.0f, 0.0f, static_cast<float>(cmd.width), static_cast<float>(cmd.height), 0.0f, 1.0f});
    m_vk.vkCmdSetScissor(m_commands, 0, 1, &info.renderArea);
}

void StreamPlayer::endRenderPass()
{
    m_vk.vkCmdEndRendering(m_commands);
    writeTimestamp(m_endQuery);
    popLabel();
}

void StreamPlayer::beginComputePass(const CommandView& command)
{
    const auto cmd = command.record<BeginComputePassCmd>();
    pushLabel(command.trailing<BeginComputePassCmd>().first(cmd.labelBytes));
    beginPass(cmd.querySet, cmd.beginQuery, cmd.endQuery);
}

void StreamPlayer::endComputePass()
{
    writeTimestamp(m_endQuery);
    popLabel();
}

/// Nothing is carried over from the pass before, as in WebGPU.
void StreamPlayer::beginPass(QuerySetId querySet, std::uint32_t beginQuery, std::uint32_t endQuery)
{
    m_pipeline = nullptr;
    m_groups = {};
    m_dirtyGroups = 0;
    m_querySet = querySet;
    m_endQuery = endQuery;
    if (!querySet)
        return;
    QuerySet& set = m_objects.querySets.get(querySet);
    for (const std::uint32_t query : {beginQuery, endQuery})
    {
        DL_ASSERT(query < set.hasValue.size(), "timestamp query out of range");
        m_vk.vkCmdResetQueryPool(m_commands, set.handle, query, 1);
        set.hasValue[query] = false;
    }
    writeTimestamp(beginQuery);
}

void StreamPlayer::writeTimestamp(std::uint32_t query)
{
    if (!m_querySet)
        return;
    QuerySet& set = m_objects.querySets.get(m_querySet);
    if (set.hasValue[query]) // begin and end are one query: the first one stands
        return;
    m_vk.vkCmdWriteTimestamp2(m_commands, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, set.handle, query);
    set.hasValue[query] = true;
}

void StreamPlayer::setViewport(const SetViewportCmd& cmd)
{
    // Clip space is y-up, as WGSL has it; Vulkan's is y-down: the negative height turns it.
    const VkViewport viewport{cmd.x, cmd.y + cmd.height, cmd.width, -cmd.height, cmd.minDepth, cmd.maxDepth};
    m_vk.vkCmdSetViewport(m_commands, 0, 1, &viewport);
}

} // namespace dl::gpu::vulkan
