// drawloom/gpu/vulkan/detail/device_submit.cpp - submissions and what they answer.
#include "drawloom/gpu/vulkan/detail/device.h"

#include "drawloom/gpu/vulkan/detail/errors.h"

#include <algorithm>
#include <iterator>

namespace dl::gpu::vulkan
{

Result<SubmissionIndex> VulkanDevice::submit(std::span<const std::byte> stream)
{
    DL_TRY(checkAlive());
    retire();
    DL_TRY(checkAlive());
    DL_TRY(beginRecording());
    Recording& recording = *m_freeRecordings.back();
    if (auto played = m_player->play(stream, recording); !played)
    {
        abandonRecording();
        return std::move(played).error();
    }
    DL_TRY(finishRecording(recording));

    VkCommandBufferSubmitInfo commands{VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO};
    commands.commandBuffer = recording.commands;
    VkSemaphoreSubmitInfo signal{VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO};
    signal.semaphore = m_timeline;
    signal.value = recording.submission;
    signal.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    VkSubmitInfo2 info{VK_STRUCTURE_TYPE_SUBMIT_INFO_2};
    info.commandBufferInfoCount = 1;
    info.pCommandBufferInfos = &commands;
    info.signalSemaphoreInfoCount = 1;
    info.pSignalSemaphoreInfos = &signal;
    if (const VkResult result = m_logical->vk().vkQueueSubmit2(m_logical->queue(), 1, &info, VK_NULL_HANDLE); result != VK_SUCCESS)
    {
        abandonRecording();
        return fail(result, "submit");
    }
    m_submitted = recording.submission;
    m_inFlight.push_back(std::move(m_freeRecordings.back()));
    m_freeRecordings.pop_back();
    return m_submitted;
}

/// Begins the last of m_freeRecordings.
Result<void> VulkanDevice::beginRecording()
{
    const VolkDeviceTable& vk = m_logical->vk();
    if (m_freeRecordings.empty())
    {
        auto recording = std::make_unique<Recording>();
        VkCommandBufferAllocateInfo info{VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO};
        info.commandPool = m_commandPool;
        info.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY;
        info.commandBufferCount = 1;
        if (const VkResult result = vk.vkAllocateCommandBuffers(m_logical->handle(), &info, &recording->commands); result != VK_SUCCESS)
            return fail(result, "allocate a command buffer");
        m_freeRecordings.push_back(std::move(recording));
    }
    Recording& recording = *m_freeRecordings.back();
    recording.submission = m_submitted + 1;
    recording.readbacks.clear();
    VkCommandBufferBeginInfo begin{VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
    if (const VkResult result = vk.vkBeginCommandBuffer(recording.commands, &begin); result != VK_SUCCESS)
        return fail(result, "begin a command buffer");
    return {};
}

Result<void> VulkanDevice::finishRecording(Recording& recording)
{
    const VolkDeviceTable& vk = m_logical->vk();
    if (!recording.readbacks.empty())
    {
        VkMemoryBarrier2 toHost{VK_STRUCTURE_TYPE_MEMORY_BARRIER_2};
        toHost.srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT;
        toHost.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT;
        toHost.dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT;
        toHost.dstAccessMask = VK_ACCESS_2_HOST_READ_BIT;
        VkDependencyInfo info{VK_STRUCTURE_TYPE_DEPENDENCY_INFO};
        info.memoryBarrierCount = 1;
        info.pMemoryBarriers = &toHost;
        vk.vkCmdPipelineBarrier2(recording.commands, &info);
    }
    if (const VkResult result = vk.vkEndCommandBuffer(recording.commands); result != VK_SUCCESS)
    {
        abandonRecording();
        return fail(result, "end a command buffer");
    }
    return {};
}

/// The recording goes back as it was: timestamps that it would have written count as never written, foreign images that it
/// would have taken over are foreign again.
void VulkanDevice::abandonRecording()
{
    m_logical->vk().vkResetCommandBuffer(m_freeRecordings.back()->commands, 0);
    m_objects.querySets.forEach([](QuerySetId, QuerySet& set) { std::fill(set.hasValue.begin(), set.hasValue.end(), false); });
    m_objects.textures.forEach(
        [this](TextureId, Texture& texture)
        {
            if (texture.takenBySubmission == m_submitted + 1)
                texture.isInForeignState = true;
        });
}

void VulkanDevice::retire()
{
    if (m_isLost || m_inFlight.empty())
        return;
    std::uint64_t value = 0;
    const VkResult result = m_logical->vk().vkGetSemaphoreCounterValue(m_logical->handle(), m_timeline, &value);
    if (result != VK_SUCCESS)
    {
        if (result == VK_ERROR_DEVICE_LOST)
            markLost("waiting for submission " + std::to_string(m_inFlight.front()->submission));
        return;
    }
    // A lost device's semaphore may hold any value.
    m_completed = std::max(m_completed, std::min(value, m_submitted));
    std::size_t count = 0;
    while (count < m_inFlight.size() && m_inFlight[count]->submission <= m_completed)
        complete(*m_inFlight[count++]);
    const auto end = m_inFlight.begin() + static_cast<std::ptrdiff_t>(count);
    std::move(m_inFlight.begin(), end, std::back_inserter(m_freeRecordings));
    m_inFlight.erase(m_inFlight.begin(), end);
    if (count == 0)
        return;
    m_uploads->retire(m_completed);
    m_readbacks->retire(m_completed);
    collectGraves();
}

void VulkanDevice::complete(Recording& recording)
{
    for (const PendingReadback& readback : recording.readbacks)
    {
        Completion completion;
        completion.kind = CompletionKind::Readback;
        completion.submission = recording.submission;
        completion.token = readback.token;
        if (readback.bytes > 0)
        {
            vmaInvalidateAllocation(m_allocator, readback.slice.allocation, readback.slice.offset, readback.bytes);
            completion.bytes.assign(readback.slice.data, readback.slice.data + readback.bytes);
        }
        m_completions.push_back(std::move(completion));
    }
    Completion done;
    done.kind = CompletionKind::SubmissionDone;
    done.submission = recording.submission;
    m_completions.push_back(std::move(done));
}

void VulkanDevice::poll(std::vector<Completion>& completions)
{
    retire();
    collectPipelines();
    std::move(m_completions.begin(), m_completions.end(), std::back_inserter(completions));
    m_completions.clear();
}

Result<void> VulkanDevice::waitIdle()
{
    DL_TRY(checkAlive());
    VkSemaphoreWaitInfo info{VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO};
    info.semaphoreCount = 1;
    info.pSemaphores = &m_timeline;
    info.pValues = &m_submitted;
    const VkResult result = m_logical->vk().vkWaitSemaphores(m_logical->handle(), &info, UINT64_MAX);
    if (result != VK_SUCCESS)
        return fail(result, "waitIdle");
    m_pipelineCompiler.wait();
    collectPipelines();
    retire();
    return checkAlive();
}

} // namespace dl::gpu::vulkan
