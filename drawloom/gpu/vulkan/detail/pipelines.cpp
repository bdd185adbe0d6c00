// drawloom/gpu/vulkan/detail/pipelines.cpp - layouts, cache, compute pipelines, lifetimes.
#include "drawloom/gpu/vulkan/detail/pipelines.h"

#include "drawloom/gpu/vulkan/detail/errors.h"

#include <algorithm>
#include <cstring>
#include <string>

namespace dl::gpu::vulkan
{
namespace
{

/// Drivers trust the data's body, so a header of another driver or a torn file must not reach them.
bool isCacheOfDevice(std::span<const std::byte> data, const VkPhysicalDeviceProperties& properties)
{
    VkPipelineCacheHeaderVersionOne header{};
    if (data.size() < sizeof(header))
        return false;
    std::memcpy(&header, data.data(), sizeof(header));
    return header.headerSize == sizeof(header) && header.headerVersion == VK_PIPELINE_CACHE_HEADER_VERSION_ONE &&
           header.vendorID == properties.vendorID && header.deviceID == properties.deviceID &&
           std::memcmp(header.pipelineCacheUUID, properties.pipelineCacheUUID, VK_UUID_SIZE) == 0;
}

} // namespace

PipelineFactory::~PipelineFactory()
{
    const VolkDeviceTable& vk = m_device.vk();
    for (const SharedLayout& layout : m_layouts)
        vk.vkDestroyPipelineLayout(m_device.handle(), layout.handle, nullptr);
    vk.vkDestroyDescriptorSetLayout(m_device.handle(), m_emptyLayout, nullptr);
    vk.vkDestroyPipelineCache(m_device.handle(), m_cache, nullptr);
}

Result<void> PipelineFactory::create(std::span<const std::byte> cacheData)
{
    VkPipelineCacheCreateInfo cacheInfo{VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO};
    if (isCacheOfDevice(cacheData, m_device.properties()))
    {
        cacheInfo.initialDataSize = cacheData.size();
        cacheInfo.pInitialData = cacheData.data();
    }
    VkResult result = m_device.vk().vkCreatePipelineCache(m_device.handle(), &cacheInfo, nullptr, &m_cache);
    if (result != VK_SUCCESS)
        return makeError(result, "create the pipeline cache");
    const VkDescriptorSetLayoutCreateInfo emptyInfo{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    result = m_device.vk().vkCreateDescriptorSetLayout(m_device.handle(), &emptyInfo, nullptr, &m_emptyLayout);
    if (result != VK_SUCCESS)
        return makeError(result, "create the empty descriptor set layout");
    return {};
}

Result<void> PipelineFactory::acquireLayout(Pipeline& pipeline)
{
    const GroupLayouts& groups = pipeline.groups;
    for (SharedLayout& shared : m_layouts)
        if (shared.groups == groups)
        {
            shared.userCount += 1;
            pipeline.layout = shared.handle;
            return {};
        }
    std::array<VkDescriptorSetLayout, kMaxGroups> sets{};
    std::uint32_t setCount = 0;
    for (std::uint32_t group = 0; group < kMaxGroups; ++group)
    {
        sets[group] = groups[group] ? m_objects.layouts.get(groups[group]).handle : m_emptyLayout;
        setCount = groups[group] ? group + 1 : setCount;
    }
    VkPipelineLayoutCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO};
    info.setLayoutCount = setCount;
    info.pSetLayouts = sets.data();
    SharedLayout shared{groups, VK_NULL_HANDLE, 1};
    const VkResult result = m_device.vk().vkCreatePipelineLayout(m_device.handle(), &info, nullptr, &shared.handle);
    if (result != VK_SUCCESS)
        return makeError(result, "create a pipeline layout of " + std::to_string(setCount) + " groups");
    m_layouts.push_back(shared);
    pipeline.layout = shared.handle;
    return {};
}

void PipelineFactory::releaseLayout(VkPipelineLayout layout)
{
    const auto found =
        std::find_if(m_layouts.begin(), m_layouts.end(), [layout](const SharedLayout& shared) { return shared.handle == layout; });
    if (found == m_layouts.end() || --found->userCount != 0)
        return;
    m_device.vk().vkDestroyPipelineLayout(m_device.handle(), layout, nullptr);
    m_layouts.erase(found);
}

Result<PipelineJob> PipelineFactory::prepareCompute(const ComputePipelineDesc& desc)
{
    PipelineJob job;
    job.label = desc.label;
    job.pipeline.bindPoint = VK_PIPELINE_BIND_POINT_COMPUTE;
    std::copy_n(desc.layouts.begin(), std::min<std::size_t>(desc.layouts.size(), kMaxGroups), job.pipeline.groups.begin());
    DL_TRY(acquireLayout(job.pipeline));
    job.compile = [&device = m_device, cache = m_cache, label = job.label, entry = std::string(desc.entry), layout = job.pipeline.layout,
                      module = m_objects.modules.get(desc.module).handle](VkPipeline& handle)
    {
        VkComputePipelineCreateInfo info{VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO};
        info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
        info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
        info.stage.module = module;
        info.stage.pName = entry.c_str();
        info.layout = layout;
        const VkResult result = device.vk().vkCreateComputePipelines(device.handle(), cache, 1, &info, nullptr, &handle);
        if (result == VK_SUCCESS)
            device.setName(VK_OBJECT_TYPE_PIPELINE, handleBits(handle), label);
        return result;
    };
    return job;
}

void PipelineFactory::destroy(const Pipeline& pipeline)
{
    m_device.vk().vkDestroyPipeline(m_device.handle(), pipeline.handle, nullptr);
    releaseLayout(pipeline.layout);
}

std::vector<std::byte> PipelineFactory::cacheData() const
{
    std::size_t bytes = 0;
    std::vector<std::byte> data;
    if (m_device.vk().vkGetPipelineCacheData(m_device.handle(), m_cache, &bytes, nullptr) != VK_SUCCESS)
        return data;
    data.resize(bytes);
    if (m_device.vk().vkGetPipelineCacheData(m_device.handle(), m_cache, &bytes, data.data()) != VK_SUCCESS)
        data.clear();
    return data;
}

} // namespace dl::gpu::vulkan
