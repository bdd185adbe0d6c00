// drawloom/gpu/vulkan/detail/stream_player.h - records a command stream into a Vulkan command buffer. Used by submit.
#pragma once

#include "drawloom/gpu/command_stream.h"
#include "drawloom/gpu/vulkan/detail/host_pool.h"
#include "drawloom/gpu/vulkan/detail/logical_device.h"
#include "drawloom/gpu/vulkan/detail/objects.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace dl::gpu::vulkan
{

struct PendingReadback
{
    std::uint64_t token = 0;
    std::uint64_t bytes = 0;
    HostSlice slice;
};

/// One submission's command buffer and what must be handed out when it completes.
struct Recording
{
    VkCommandBuffer commands = VK_NULL_HANDLE;
    SubmissionIndex submission = 0;
    std::vector<PendingReadback> readbacks;
};

class StreamPlayer
{
public:
    StreamPlayer(const LogicalDevice& device, Objects& objects, HostPool& uploads, HostPool& readbacks)
        : m_device(device), m_vk(device.vk()), m_objects(objects), m_uploads(uploads), m_readbacks(readbacks)
    {
    }

    /// BadFile: not a well-formed stream. OutOfMemory: no staging memory. The command buffer is then useless.
    Result<void> play(std::span<const std::byte> stream, Recording& recording);

private:
    Result<void> playCommand(const CommandView& command);
    Result<void> playTransfer(const CommandView& command);
    void playPassState(const CommandView& command);
    void playDraw(const CommandView& command);

    Result<void> writeBuffer(const CommandView& command);
    Result<void> writeTexture(const CommandView& command);
    void copyBufferToBuffer(const CopyBufferToBufferCmd& cmd);
    void copyBufferTexture(const CopyBufferTextureCmd& cmd, bool isToTexture);
    void copyTextureToTexture(const CopyTextureToTextureCmd& cmd);
    void clearBuffer(const ClearBufferCmd& cmd);
    void resolveQueries(const ResolveQueriesCmd& cmd);
    Result<void> readback(const ReadbackBufferCmd& cmd);
    void barriers(const CommandView& command);
    void addTextureBarrier(const TextureBarrier& barrier);
    void addBufferBarrier(const BufferBarrier& barrier);

    void beginRenderPass(const CommandView& command);
    void endRenderPass();
    void beginComputePass(const CommandView& command);
    void endComputePass();
    VkRenderingAttachmentInfo colorInfo(const ColorAttachment& attachment) const;
    VkRenderingAttachmentInfo depthInfo(const DepthAttachment& attachment) const;
    void beginPass(QuerySetId querySet, std::uint32_t beginQuery, std::uint32_t endQuery);
    void writeTimestamp(std::uint32_t query);
    void setViewport(const SetViewportCmd& cmd);
    void pushLabel(std::span<const std::byte> text);
    void popLabel();

    void setPipeline(PipelineId id);
    void setBindGroup(const CommandView& command);
    void bindGroups();
    void drawIndexedIndirect(const DrawIndexedIndirectCmd& cmd);

    struct BoundGroup
    {
        VkDescriptorSet set = VK_NULL_HANDLE;
        std::uint32_t offsetCount = 0;
        std::array<std::uint32_t, kMaxDynamicOffsets> offsets = {};
    };

    const LogicalDevice& m_device;
    const VolkDeviceTable& m_vk;
    Objects& m_objects;
    HostPool& m_uploads;
    HostPool& m_readbacks;

    // Of the stream being played.
    VkCommandBuffer m_commands = VK_NULL_HANDLE;
    Recording* m_recording = nullptr;
    // Of the pass being played.
    const Pipeline* m_pipeline = nullptr;
    std::array<BoundGroup, kMaxGroups> m_groups;
    std::uint32_t m_dirtyGroups = 0; // bit per group
    QuerySetId m_querySet;
    std::uint32_t m_endQuery = 0;
    // Reused, so that a warm player allocates nothing.
    std::vector<VkImageMemoryBarrier2> m_imageBarriers;
    std::vector<VkBufferMemoryBarrier2> m_bufferBarriers;
};

} // namespace dl::gpu::vulkan
