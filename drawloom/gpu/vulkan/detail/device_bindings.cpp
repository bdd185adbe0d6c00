// drawloom/gpu/vulkan/detail/device_bindings.cpp - shader modules, bind groups and pipelines.
#include "drawloom/gpu/vulkan/detail/device.h"

#include "drawloom/gpu/vulkan/detail/access.h"
#include "drawloom/gpu/vulkan/detail/conversions.h"
#include "drawloom/gpu/vulkan/detail/errors.h"

#include <algorithm>
#include <string>

namespace dl::gpu::vulkan
{
namespace
{

std::size_t typeIndex(VkDescriptorType type)
{
    return static_cast<std::size_t>(std::find(kDescriptorTypes.begin(), kDescriptorTypes.end(), type) - kDescriptorTypes.begin());
}

} // namespace

Result<ShaderModuleId> VulkanDevice::createShaderModule(const ShaderModuleDesc& desc)
{
    DL_TRY(checkAlive());
    const std::string subject = "create shader module \"" + std::string(desc.label) + "\"";
    constexpr std::uint32_t kMagic = 0x07230203;
    if (desc.spirv.size() < 5 || desc.spirv[0] != kMagic)
        return Error{ErrorCode::InvalidArgument, subject + ": it has no SPIR-V, which the Vulkan backend needs"};
    VkShaderModuleCreateInfo createInfo{VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO};
    createInfo.codeSize = desc.spirv.size_bytes();
    createInfo.pCode = desc.spirv.data();
    ShaderModule module;
    const VkResult result = m_logical->vk().vkCreateShaderModule(m_logical->handle(), &createInfo, nullptr, &module.handle);
    if (result != VK_SUCCESS)
        return fail(result, subject);
    m_logical->setName(VK_OBJECT_TYPE_SHADER_MODULE, handleBits(module.handle), desc.label);
    return m_objects.modules.add(module);
}

Result<BindGroupLayoutId> VulkanDevice::createBindGroupLayout(const BindGroupLayoutDesc& desc)
{
    DL_TRY(checkAlive());
    BindGroupLayout layout;
    layout.entries.assign(desc.entries.begin(), desc.entries.end());
    std::vector<VkDescriptorSetLayoutBinding> bindings;
    for (const BindGroupLayoutEntry& entry : desc.entries)
    {
        const VkDescriptorType type = toVk(entry.type, entry.hasDynamicOffset);
        bindings.push_back({entry.binding, type, 1, toVk(entry.visibility), nullptr});
        layout.counts[typeIndex(type)] += 1;
    }
    VkDescriptorSetLayoutCreateInfo createInfo{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO};
    createInfo.bindingCount = static_cast<std::uint32_t>(bindings.size());
    createInfo.pBindings = bindings.data();
    const VkResult result = m_logical->vk().vkCreateDescriptorSetLayout(m_logical->handle(), &createInfo, nullptr, &layout.handle);
    if (result != VK_SUCCESS)
        return fail(result, "create bind group layout \"" + std::string(desc.label) + "\"");
    m_logical->setName(VK_OBJECT_TYPE_DESCRIPTOR_SET_LAYOUT, handleBits(layout.handle), desc.label);
    return m_objects.layouts.add(std::move(layout));
}

Result<BindGroupId> VulkanDevice::createBindGroup(const BindGroupDesc& desc)
{
    DL_TRY(checkAlive());
    const BindGroupLayout& layout = m_objects.layouts.get(desc.layout);
    if (desc.entries.size() != layout.entries.size())
        return Error{ErrorCode::InvalidArgument, "create bind group \"" + std::string(desc.label) +
                                                     "\": " + std::to_string(desc.entries.size()) + " entries for a layout of " +
                                                     std::to_string(layout.entries.size())};
    DL_TRY_ASSIGN(const BindGroup group, m_descriptorPools->allocate(layout.handle, layout.counts));
    writeDescriptors(group.handle, layout, desc.entries);
    m_logical->setName(VK_OBJECT_TYPE_DESCRIPTOR_SET, handleBits(group.handle), desc.label);
    return m_objects.groups.add(group);
}

void VulkanDevice::writeDescriptors(VkDescriptorSet set, const BindGroupLayout& layout, std::span<const BindGroupEntry> entries)
{
    std::vector<VkDescriptorBufferInfo> buffers(entries.size());
    std::vector<VkDescriptorImageInfo> images(entries.size());
    std::vector<VkWriteDescriptorSet> writes(entries.size());
    for (std::size_t i = 0; i < entries.size(); ++i)
    {
        const BindGroupEntry& entry = entries[i];
        const BindGroupLayoutEntry& slot = layout.entries[i];
        VkWriteDescriptorSet& write = writes[i];
        write = {VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET};
        write.dstSet = set;
        write.dstBinding = slot.binding;
        write.descriptorCount = 1;
        write.descriptorType = toVk(slot.type, slot.hasDynamicOffset);
        write.pBufferInfo = &buffers[i];
        write.pImageInfo = &images[i];
        if (slot.type <= BindingType::StorageBuffer)
        {
            const Buffer& buffer = m_objects.buffers.get(entry.buffer);
            buffers[i] = {buffer.handle, entry.offset, entry.bytes != 0 ? entry.bytes : buffer.bytes - entry.offset};
        }
        else if (slot.type <= BindingType::StorageTexture)
        {
            const TextureView& view = m_objects.views.get(entry.view);
            const bool isStorage = slot.type == BindingType::StorageTexture;
            images[i] = {VK_NULL_HANDLE, view.handle, isStorage ? VK_IMAGE_LAYOUT_GENERAL : sampledLayout(view.format)};
        }
        else
            images[i].sampler = m_objects.samplers.get(entry.sampler).handle;
    }
    m_logical->vk().vkUpdateDescriptorSets(m_logical->handle(), static_cast<std::uint32_t>(writes.size()), writes.data(), 0, nullptr);
}

PipelineId VulkanDevice::compile(PipelineJob job)
{
    Pipeline pending = job.pipeline;
    pending.isCompiling = true;
    job.id = m_objects.pipelines.add(pending);
    const PipelineId id = job.id;
    m_pipelineCompiler.add(std::move(job));
    return id;
}

Result<PipelineId> VulkanDevice::createRenderPipeline(const RenderPipelineDesc& desc)
{
    DL_TRY(checkAlive());
    DL_TRY_ASSIGN(PipelineJob job, m_pipelineFactory->prepareRender(desc));
    return compile(std::move(job));
}

Result<PipelineId> VulkanDevice::createComputePipeline(const ComputePipelineDesc& desc)
{
    DL_TRY(checkAlive());
    DL_TRY_ASSIGN(PipelineJob job, m_pipelineFactory->prepareCompute(desc));
    return compile(std::move(job));
}

void VulkanDevice::collectPipelines()
{
    for (PipelineJob& job : m_pipelineCompiler.take())
    {
        Pipeline* pipeline = m_objects.pipelines.find(job.id);
        if (pipeline == nullptr) // destroyed meanwhile
        {
            m_pipelineFactory->destroy(job.pipeline);
            continue;
        }
        *pipeline = job.pipeline;
        Completion completion;
        completion.kind = job.result == VK_SUCCESS ? CompletionKind::PipelineReady : CompletionKind::PipelineFailed;
        completion.pipeline = job.id;
        if (job.result != VK_SUCCESS)
        {
            Error error = fail(job.result, "create pipeline \"" + job.label + "\"");
            completion.code = error.code;
            completion.message = std::move(error.message);
        }
        m_completions.push_back(std::move(completion));
    }
    if (m_modulesInUse.empty() || !m_pipelineCompiler.isIdle())
        return;
    for (const ShaderModule& module : m_modulesInUse)
        m_logical->vk().vkDestroyShaderModule(m_logical->handle(), module.handle, nullptr);
    m_modulesInUse.clear();
}

} // namespace dl::gpu::vulkan
