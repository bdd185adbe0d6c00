// drawloom/gpu/vulkan/detail/device.cpp - life of a device and the death of its objects.
#include "drawloom/gpu/vulkan/detail/device.h"

#include "drawloom/gpu/vulkan/detail/errors.h"

#include <algorithm>
#include <type_traits>

namespace dl::gpu::vulkan
{

Result<std::unique_ptr<Device>> VulkanDevice::create(std::unique_ptr<LogicalDevice> logical, std::span<const std::byte> pipelineCacheData)
{
    auto device = std::make_unique<VulkanDevice>(std::move(logical));
    DL_TRY(device->initialize(pipelineCacheData));
    return std::unique_ptr<Device>(std::move(device));
}

Result<void> VulkanDevice::initialize(std::span<const std::byte> pipelineCacheData)
{
    const VolkDeviceTable& vk = m_logical->vk();
    VmaVulkanFunctions functions{};
    functions.vkGetInstanceProcAddr = m_logical->instanceFunctions().getInstanceProcAddr;
    functions.vkGetDeviceProcAddr = m_logical->instanceFunctions().getDeviceProcAddr;
    VmaAllocatorCreateInfo allocatorInfo{};
    // One thread at a time is the interface's rule.
    allocatorInfo.flags = VMA_ALLOCATOR_CREATE_EXTERNALLY_SYNCHRONIZED_BIT;
    allocatorInfo.instance = m_logical->instance().handle();
    allocatorInfo.physicalDevice = m_logical->physicalDevice();
    allocatorInfo.device = m_logical->handle();
    allocatorInfo.vulkanApiVersion = VK_API_VERSION_1_3;
    allocatorInfo.pVulkanFunctions = &functions;
    if (const VkResult result = vmaCreateAllocator(&allocatorInfo, &m_allocator); result != VK_SUCCESS)
        return makeError(result, "create the memory allocator");

    VkCommandPoolCreateInfo poolInfo{VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO};
    poolInfo.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
    poolInfo.queueFamilyIndex = m_logical->queueFamily();
    if (const VkResult result = vk.vkCreateCommandPool(m_logical->handle(), &poolInfo, nullptr, &m_commandPool); result != VK_SUCCESS)
        return makeError(result, "create the command pool");

    VkSemaphoreTypeCreateInfo timelineInfo{VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO};
    timelineInfo.semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE;
    VkSemaphoreCreateInfo semaphoreInfo{VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    semaphoreInfo.pNext = &timelineInfo;
    if (const VkResult result = vk.vkCreateSemaphore(m_logical->handle(), &semaphoreInfo, nullptr, &m_timeline); result != VK_SUCCESS)
        return makeError(result, "create the timeline semaphore");

    m_descriptorPools.emplace(m_logical->handle(), vk);
    m_uploads.emplace(m_allocator, HostPool::Direction::Upload);
    m_readbacks.emplace(m_allocator, HostPool::Direction::Readback);
    m_player.emplace(*m_logical, m_objects, *m_uploads, *m_readbacks);
    m_pipelineFactory.emplace(*m_logical, m_objects);
    return m_pipelineFactory->create(pipelineCacheData);
}

VulkanDevice::~VulkanDevice()
{
    const VolkDeviceTable& vk = m_logical->vk();
    const VkDevice device = m_logical->handle();
    if (m_submitted > m_completed)
        // Not vkDeviceWaitIdle: an adopted device has other users. A lost device answers at once.
        (void)waitIdle();
    m_pipelineCompiler.wait();
    collectPipelines();
    m_graveyard.collect(UINT64_MAX, [this](const auto& object) { kill(object); });
    m_objects.groups.forEach([this](BindGroupId, const BindGroup& group) { kill(group); });
    m_objects.layouts.forEach([this](BindGroupLayoutId, const BindGroupLayout& layout) { kill(layout); });
    m_objects.pipelines.forEach([this](PipelineId, const Pipeline& pipeline) { kill(pipeline); });
    m_objects.modules.forEach([this](ShaderModuleId, const ShaderModule& module) { kill(module); });
    m_objects.samplers.forEach([this](SamplerId, const Sampler& sampler) { kill(sampler); });
    m_objects.views.forEach([this](TextureViewId, const TextureView& view) { kill(view); });
    m_objects.textures.forEach([this](TextureId, const Texture& texture) { kill(texture); });
    m_objects.buffers.forEach([this](BufferId, const Buffer& buffer) { kill(buffer); });
    m_objects.querySets.forEach([this](QuerySetId, const QuerySet& set) { kill(set); });
    m_player.reset();
    m_pipelineFactory.reset();
    m_descriptorPools.reset();
    m_uploads.reset();
    m_readbacks.reset();
    vk.vkDestroySemaphore(device, m_timeline, nullptr);
    vk.vkDestroyCommandPool(device, m_commandPool, nullptr);
    vmaDestroyAllocator(m_allocator);
}

Result<void> VulkanDevice::checkAlive() const
{
    if (m_isLost)
        return Error{ErrorCode::DeviceLost, "the device \"" + m_logical->info().name + "\" is lost: create a new one"};
    return {};
}

void VulkanDevice::markLost(std::string_view during)
{
    if (m_isLost)
        return;
    m_isLost = true;
    Completion completion;
    completion.kind = CompletionKind::DeviceLost;
    completion.submission = m_submitted;
    completion.message = "the device \"" + m_logical->info().name + "\" was lost during " + std::string(during);
    m_completions.push_back(std::move(completion));
}

Error VulkanDevice::fail(VkResult result, std::string_view subject)
{
    if (result == VK_ERROR_DEVICE_LOST)
        markLost(subject);
    return makeError(result, subject);
}

template <class Table, class IdType> void VulkanDevice::bury(Table& table, IdType id)
{
    if (auto* object = table.find(id))
    {
        m_graveyard.add(m_submitted, std::move(*object));
        table.remove(id);
        collectGraves();
    }
}

void VulkanDevice::collectGraves()
{
    m_graveyard.collect(m_completed, [this](const auto& object) { kill(object); });
}

template <class T> void VulkanDevice::kill(const T& object)
{
    const VolkDeviceTable& vk = m_logical->vk();
    const VkDevice device = m_logical->handle();
    if constexpr (std::is_same_v<T, Buffer>)
    {
        vmaDestroyBuffer(m_allocator, object.handle, object.allocation);
        m_memory.bufferBytes -= object.allocatedBytes;
    }
    else if constexpr (std::is_same_v<T, Texture>)
    {
        if (object.allocation != VK_NULL_HANDLE)
            vmaDestroyImage(m_allocator, object.handle, object.allocation);
        m_memory.textureBytes -= object.allocatedBytes;
    }
    else if constexpr (std::is_same_v<T, TextureView>)
        vk.vkDestroyImageView(device, object.handle, nullptr);
    else if constexpr (std::is_same_v<T, Sampler>)
        vk.vkDestroySampler(device, object.handle, nullptr);
    else if constexpr (std::is_same_v<T, ShaderModule>)
        vk.vkDestroyShaderModule(device, object.handle, nullptr);
    else if constexpr (std::is_same_v<T, BindGroupLayout>)
        vk.vkDestroyDescriptorSetLayout(device, object.handle, nullptr);
    else if constexpr (std::is_same_v<T, BindGroup>)
        m_descriptorPools->free(object);
    else if constexpr (std::is_same_v<T, Pipeline>)
        m_pipelineFactory->destroy(object);
    else
        vk.vkDestroyQueryPool(device, object.handle, nullptr);
}

void VulkanDevice::destroy(BufferId id)
{
    bury(m_objects.buffers, id);
}

void VulkanDevice::destroy(TextureId id)
{
    bury(m_objects.textures, id);
}

void VulkanDevice::destroy(TextureViewId id)
{
    bury(m_objects.views, id);
}

void VulkanDevice::destroy(SamplerId id)
{
    bury(m_objects.samplers, id);
}

void VulkanDevice::destroy(ShaderModuleId id)
{
    ShaderModule* module = m_objects.modules.find(id);
    if (module == nullptr || m_pipelineCompiler.isIdle())
        return bury(m_objects.modules, id);
    m_modulesInUse.push_back(*module);
    m_objects.modules.remove(id);
}

void VulkanDevice::destroy(BindGroupLayoutId id)
{
    bury(m_objects.layouts, id);
}

void VulkanDevice::destroy(BindGroupId id)
{
    bury(m_objects.groups, id);
}

void VulkanDevice::destroy(PipelineId id)
{
    if (const Pipeline* pipeline = m_objects.pipelines.find(id); pipeline != nullptr && pipeline->isCompiling)
        m_objects.pipelines.remove(id); // no stream names it; its job holds the rest
    else
        bury(m_objects.pipelines, id);
}

void VulkanDevice::destroy(QuerySetId id)
{
    bury(m_objects.querySets, id);
}

DeviceMemoryStats VulkanDevice::memoryStats() const
{
    DeviceMemoryStats stats = m_memory;
    stats.stagingBytes = m_uploads->allocatedBytes() + m_readbacks->allocatedBytes();
    stats.stagingPeakBytes = m_uploads->peakBytes() + m_readbacks->peakBytes();
    return stats;
}

} // namespace dl::gpu::vulkan
