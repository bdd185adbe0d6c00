// drawloom/gpu/vulkan/detail/device.h - gpu::Device on Vulkan: tables of objects, submissions, completions. Creation of
// memory-backed objects stands in device_resources.cpp, the rest in device.cpp and device_submit.cpp.
#pragma once

#include "drawloom/gpu/vulkan/detail/descriptor_pools.h"
#include "drawloom/gpu/vulkan/detail/graveyard.h"
#include "drawloom/gpu/vulkan/detail/host_pool.h"
#include "drawloom/gpu/vulkan/detail/logical_device.h"
#include "drawloom/gpu/vulkan/detail/objects.h"
#include "drawloom/gpu/vulkan/detail/pipelines.h"
#include "drawloom/gpu/vulkan/detail/stream_player.h"

#include <memory>
#include <optional>
#include <vector>

namespace dl::gpu::vulkan
{

class VulkanDevice final : public Device
{
public:
    explicit VulkanDevice(std::unique_ptr<LogicalDevice> logical)
        : m_logical(std::move(logical)), m_pipelineCompiler(m_logical->instance().hasMessenger())
    {
    }
    ~VulkanDevice() override;
    VulkanDevice(const VulkanDevice&) = delete;
    VulkanDevice& operator=(const VulkanDevice&) = delete;

    static Result<std::unique_ptr<Device>> create(std::unique_ptr<LogicalDevice> logical, std::span<const std::byte> pipelineCacheData);

    const DeviceInfo& info() const override { return m_logical->info(); }

    Result<BufferId> createBuffer(const BufferDesc& desc) override;
    Result<TextureId> createTexture(const TextureDesc& desc) override;
    Result<TextureViewId> createTextureView(const TextureViewDesc& desc) override;
    Result<SamplerId> createSampler(const SamplerDesc& desc) override;
    Result<ShaderModuleId> createShaderModule(const ShaderModuleDesc& desc) override;
    Result<BindGroupLayoutId> createBindGroupLayout(const BindGroupLayoutDesc& desc) override;
    Result<BindGroupId> createBindGroup(const BindGroupDesc& desc) override;
    Result<PipelineId> createRenderPipeline(const RenderPipelineDesc& desc) override;
    Result<PipelineId> createComputePipeline(const ComputePipelineDesc& desc) override;
    Result<QuerySetId> createQuerySet(const QuerySetDesc& desc) override;

    void destroy(BufferId id) override;
    void destroy(TextureId id) override;
    void destroy(TextureViewId id) override;
    void destroy(SamplerId id) override;
    void destroy(ShaderModuleId id) override;
    void destroy(BindGroupLayoutId id) override;
    void destroy(BindGroupId id) override;
    void destroy(PipelineId id) override;
    void destroy(QuerySetId id) override;

    Result<SubmissionIndex> submit(std::span<const std::byte> stream) override;
    void poll(std::vector<Completion>& completions) override;
    Result<void> waitIdle() override;
    DeviceMemoryStats memoryStats() const override;

    Result<TextureId> importTexture(const VulkanImportDesc& desc);
    const VkPhysicalDeviceProperties& properties() const { return m_logical->properties(); }
    std::vector<std::byte> pipelineCacheData() const { return m_pipelineFactory->cacheData(); }

private:
    Result<void> initialize(std::span<const std::byte> pipelineCacheData);
    Result<void> checkAlive() const;
    /// The error of a failed call; a lost device is remembered and reported once.
    Error fail(VkResult result, std::string_view subject);
    void markLost(std::string_view during);

    template <class Table, class IdType> void bury(Table& table, IdType id);
    template <class T> void kill(const T& object);
    void collectGraves();

    Result<void> beginRecording();
    Result<void> finishRecording(Recording& recording);
    void abandonRecording();
    void retire();
    void complete(Recording& recording);
    PipelineId compile(PipelineJob job);
    /// Pipelines that became ready or failed, and what waited for the compiler to be done.
    void collectPipelines();
    void writeDescriptors(VkDescriptorSet set, const BindGroupLayout& layout, std::span<const BindGroupEntry> entries);

    std::unique_ptr<LogicalDevice> m_logical;
    VmaAllocator m_allocator = VK_NULL_HANDLE;
    VkCommandPool m_commandPool = VK_NULL_HANDLE;
    VkSemaphore m_timeline = VK_NULL_HANDLE; // counts completed submissions
    Objects m_objects;
    std::optional<DescriptorPools> m_descriptorPools;
    std::optional<PipelineFactory> m_pipelineFactory;
    PipelineCompiler m_pipelineCompiler;
    std::vector<ShaderModule> m_modulesInUse; ///< destroyed while pipelines are compiled
    std::optional<HostPool> m_uploads;
    std::optional<HostPool> m_readbacks;
    std::optional<StreamPlayer> m_player;

    std::vector<std::unique_ptr<Recording>> m_freeRecordings;
    std::vector<std::unique_ptr<Recording>> m_inFlight; // oldest first
    std::vector<Completion> m_completions;              // waiting for poll
    Graveyard m_graveyard;
    SubmissionIndex m_submitted = 0;
    SubmissionIndex m_completed = 0;
    bool m_isLost = false;
    DeviceMemoryStats m_memory;
};

} // namespace dl::gpu::vulkan
