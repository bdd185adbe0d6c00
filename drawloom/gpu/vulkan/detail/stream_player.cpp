// drawloom/gpu/vulkan/detail/stream_player.cpp - the walk over a stream, bindings and draws. Transfers stand in
// stream_transfers.cpp, passes in stream_passes.cpp.
#include "drawloom/gpu/vulkan/detail/stream_player.h"

#include "drawloom/gpu/vulkan/detail/conversions.h"

#include <algorithm>
#include <cstring>

namespace dl::gpu::vulkan
{

Result<void> StreamPlayer::play(std::span<const std::byte> stream, Recording& recording)
{
    m_commands = recording.commands;
    m_recording = &recording;
    CommandReader reader(stream);
    while (!reader.isAtEnd())
    {
        DL_TRY_ASSIGN(const CommandView command, reader.next());
        DL_TRY(playCommand(command));
    }
    return {};
}

Result<void> StreamPlayer::playCommand(const CommandView& command)
{
    if (command.op < Op::BeginRenderPass)
        return playTransfer(command);
    if (command.op >= Op::Draw && command.op <= Op::DispatchIndirect)
        playDraw(command);
    else
        playPassState(command);
    return {};
}

void StreamPlayer::playPassState(const CommandView& command)
{
    switch (command.op)
    {
    case Op::BeginRenderPass: beginRenderPass(command); break;
    case Op::EndRenderPass: endRenderPass(); break;
    case Op::BeginComputePass: beginComputePass(command); break;
    case Op::EndComputePass: endComputePass(); break;
    case Op::SetPipeline: setPipeline(command.record<SetPipelineCmd>().pipeline); break;
    case Op::SetBindGroup: setBindGroup(command); break;
    case Op::SetVertexBuffer:
    {
        const auto cmd = command.record<SetVertexBufferCmd>();
        m_vk.vkCmdBindVertexBuffers(m_commands, cmd.slot, 1, &m_objects.buffers.get(cmd.buffer).handle, &cmd.offset);
        break;
    }
    case Op::SetIndexBuffer:
    {
        const auto cmd = command.record<SetIndexBufferCmd>();
        m_vk.vkCmdBindIndexBuffer(m_commands, m_objects.buffers.get(cmd.buffer).handle, cmd.offset, toVk(cmd.format));
        break;
    }
    case Op::SetViewport: setViewport(command.record<SetViewportCmd>()); break;
    case Op::SetScissor:
    {
        const auto cmd = command.record<SetScissorCmd>();
        const VkRect2D rect{{static_cast<std::int32_t>(cmd.x), static_cast<std::int32_t>(cmd.y)}, {cmd.width, cmd.height}};
        m_vk.vkCmdSetScissor(m_commands, 0, 1, &rect);
        break;
    }
    case Op::PushDebugGroup: pushLabel(command.trailing<PushDebugGroupCmd>()); break;
    case Op::PopDebugGroup: popLabel(); break;
    default: break;
    }
}

void StreamPlayer::setPipeline(PipelineId id)
{
    const Pipeline& pipeline = m_objects.pipelines.get(id);
    // Sets stay bound up to the first group whose layout differs; from there on they must be bound again.
    if (m_pipeline == nullptr || m_pipeline->layout != pipeline.layout)
    {
        std::uint32_t group = 0;
        while (m_pipeline != nullptr && group < kMaxGroups && m_pipeline->groups[group] == pipeline.groups[group])
            ++group;
        for (; group < kMaxGroups; ++group)
            m_dirtyGroups |= 1U << group;
    }
    m_pipeline = &pipeline;
    m_vk.vkCmdBindPipeline(m_commands, pipeline.bindPoint, pipeline.handle);
}

void StreamPlayer::setBindGroup(const CommandView& command)
{
    const auto cmd = command.record<SetBindGroupCmd>();
    DL_ASSERT(cmd.group < kMaxGroups && cmd.offsetCount <= kMaxDynamicOffsets, "bind group or offsets out of range");
    BoundGroup& bound = m_groups[cmd.group];
    bound.set = m_objects.groups.get(cmd.bindGroup).handle;
    bound.offsetCount = cmd.offsetCount;
    for (std::uint32_t i = 0; i < cmd.offsetCount; ++i)
        bound.offsets[i] = command.element<SetBindGroupCmd, std::uint32_t>(i);
    m_dirtyGroups |= 1U << cmd.group;
}

void StreamPlayer::bindGroups()
{
    DL_ASSERT(m_pipeline != nullptr, "draw or dispatch without a pipeline");
    for (std::uint32_t group = 0; group < kMaxGroups && m_dirtyGroups != 0; ++group)
    {
        const BoundGroup& bound = m_groups[group];
        // A group that this pipeline does not use stays dirty for one that does.
        if ((m_dirtyGroups & (1U << group)) == 0 || bound.set == VK_NULL_HANDLE || !m_pipeline->groups[group])
            continue;
        m_vk.vkCmdBindDescriptorSets(
            m_commands, m_pipeline->bindPoint, m_pipeline->layout, group, 1, &bound.set, bound.offsetCount, bound.offsets.data());
        m_dirtyGroups &= ~(1U << group);
    }
}

void StreamPlayer::playDraw(const CommandView& command)
{
    bindGroups();
    switch (command.op)
    {
    case Op::Draw:
    {
        const auto cmd = command.record<DrawCmd>();
        m_vk.vkCmdDraw(m_commands, cmd.vertexCount, cmd.instanceCount, cmd.firstVertex, cmd.firstInstance);
        break;
    }
    case Op::DrawIndexed:
    {
        const auto cmd = command.record<DrawIndexedCmd>();
        m_vk.vkCmdDrawIndexed(m_commands, cmd.indexCount, cmd.instanceCount, cmd.firstIndex, cmd.baseVertex, cmd.firstInstance);
        break;
    }
    case Op::DrawIndexedIndirect: drawIndexedIndirect(command.record<DrawIndexedIndirectCmd>()); break;
    case Op::Dispatch:
    {
        const auto cmd = command.record<DispatchCmd>();
        m_vk.vkCmdDispatch(m_commands, cmd.x, cmd.y, cmd.z);
        break;
    }
    case Op::DispatchIndirect:
    {
        const auto cmd = command.record<DispatchIndirectCmd>();
        m_vk.vkCmdDispatchIndirect(m_commands, m_objects.buffers.get(cmd.buffer).handle, cmd.offset);
        break;
    }
    default: break;
    }
}

void StreamPlayer::drawIndexedIndirect(const DrawIndexedIndirectCmd& cmd)
{
    constexpr std::uint32_t kStride = sizeof(VkDrawIndexedIndirectCommand);
    const VkBuffer buffer = m_objects.buffers.get(cmd.buffer).handle;
    const bool isMulti = m_device.info().features.contains(Feature::MultiDrawIndirect);
    const std::uint32_t perCall =
        isMulti ? std::min(cmd.drawCount, m_device.properties().limits.maxDrawIndirectCount) : std::min(cmd.drawCount, 1U);
    for (std::uint32_t first = 0; first < cmd.drawCount; first += perCall)
    {
        const std::uint32_t count = std::min(perCall, cmd.drawCount - first);
        m_vk.vkCmdDrawIndexedIndirect(m_commands, buffer, cmd.offset + std::uint64_t{first} * kStride, count, kStride);
    }
}

void StreamPlayer::pushLabel(std::span<const std::byte> text)
{
    if (m_device.instanceFunctions().cmdBeginLabel == nullptr)
        return;
    char name[128];
    const std::size_t length = std::min(text.size(), sizeof(name) - 1);
    if (length > 0)
        std::memcpy(name, text.data(), length);
    name[length] = '\0';
    VkDebugUtilsLabelEXT label{VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT};
    label.pLabelName = name;
    m_device.instanceFunctions().cmdBeginLabel(m_commands, &label);
}

void StreamPlayer::popLabel()
{
    if (m_device.instanceFunctions().cmdEndLabel != nullptr)
        m_device.instanceFunctions().cmdEndLabel(m_commands);
}

} // namespace dl::gpu::vulkan
