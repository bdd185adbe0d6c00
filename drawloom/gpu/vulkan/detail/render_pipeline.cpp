// drawloom/gpu/vulkan/detail/render_pipeline.cpp - a RenderPipelineDesc as Vulkan's state structs, with dynamic rendering;
// viewport and scissor are the only dynamic state.
#include "drawloom/gpu/vulkan/detail/pipelines.h"

#include "drawloom/gpu/vulkan/detail/conversions.h"
#include "drawloom/gpu/vulkan/detail/errors.h"

#include <algorithm>
#include <memory>
#include <string>

namespace dl::gpu::vulkan
{
namespace
{

VkPipelineShaderStageCreateInfo stageInfo(VkShaderStageFlagBits stage, VkShaderModule module, const std::string& entry)
{
    VkPipelineShaderStageCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO};
    info.stage = stage;
    info.module = module;
    info.pName = entry.c_str();
    return info;
}

void fillVertexInput(const RenderPipelineDesc& desc, std::vector<VkVertexInputBindingDescription>& bindings,
    std::vector<VkVertexInputAttributeDescription>& attributes)
{
    for (std::uint32_t slot = 0; slot < desc.vertexBuffers.size(); ++slot)
    {
        const VertexBufferLayout& layout = desc.vertexBuffers[slot];
        if (layout.attributes.empty())
            continue;
        const VkVertexInputRate rate = layout.isPerInstance ? VK_VERTEX_INPUT_RATE_INSTANCE : VK_VERTEX_INPUT_RATE_VERTEX;
        bindings.push_back({slot, layout.stride, rate});
        for (const VertexAttribute& attribute : layout.attributes)
            attributes.push_back({attribute.location, slot, toVk(attribute.format), attribute.offset});
    }
}

VkPipelineRasterizationStateCreateInfo rasterInfo(const RenderPipelineDesc& desc, const VkPhysicalDeviceFeatures& features)
{
    VkPipelineRasterizationStateCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO};
    info.polygonMode = VK_POLYGON_MODE_FILL;
    info.cullMode = toVk(desc.cullMode);
    info.frontFace = toVk(desc.frontFace);
    info.lineWidth = 1.0f;
    info.depthBiasEnable = desc.depth.bias != 0 || desc.depth.biasSlope != 0.0f ? VK_TRUE : VK_FALSE;
    info.depthBiasConstantFactor = static_cast<float>(desc.depth.bias);
    info.depthBiasSlopeFactor = desc.depth.biasSlope;
    info.depthBiasClamp = features.depthBiasClamp == VK_TRUE ? desc.depth.biasClamp : 0.0f;
    return info;
}

VkPipelineDepthStencilStateCreateInfo depthInfo(const DepthState& depth)
{
    VkPipelineDepthStencilStateCreateInfo info{VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO};
    const bool isUsed = depth.format != Format::None && (depth.isWriting || depth.compare != CompareOp::Always);
    info.depthTestEnable = isUsed ? VK_TRUE : VK_FALSE;
    info.depthWriteEnable = depth.isWriting ? VK_TRUE : VK_FALSE;
    info.depthCompareOp = toVk(depth.compare);
    info.maxDepthBounds = 1.0f;
    return info;
}

VkPipelineColorBlendAttachmentState blendInfo(const ColorTargetState& target)
{
    VkPipelineColorBlendAttachmentState info{};
    info.blendEnable = target.isBlended ? VK_TRUE : VK_FALSE;
    info.srcColorBlendFactor = toVk(target.blend.srcColor);
    info.dstColorBlendFactor = toVk(target.blend.dstColor);
    info.colorBlendOp = toVk(target.blend.colorOp);
    info.srcAlphaBlendFactor = toVk(target.blend.srcAlpha);
    info.dstAlphaBlendFactor = toVk(target.blend.dstAlpha);
    info.alphaBlendOp = toVk(target.blend.alphaOp);
    info.colorWriteMask = target.writeMask; // the interface's bits are Vulkan's
    return info;
}

/// A desc that owns what it names.
struct OwnedDesc
{
    RenderPipelineDesc desc;
    std::string label, vertexEntry, fragmentEntry;
    std::vector<VertexBufferLayout> buffers;
    std::vector<std::vector<VertexAttribute>> attributes;
    std::vector<ColorTargetState> targets;

    explicit OwnedDesc(const RenderPipelineDesc& d)
        : desc(d), label(d.label), vertexEntry(d.vertexEntry), fragmentEntry(d.fragmentEntry),
          buffers(d.vertexBuffers.begin(), d.vertexBuffers.end()), targets(d.colorTargets.begin(), d.colorTargets.end())
    {
        for (VertexBufferLayout& buffer : buffers)
            attributes.emplace_back(buffer.attributes.begin(), buffer.attributes.end());
        for (std::size_t i = 0; i < buffers.size(); ++i)
            buffers[i].attributes = attributes[i];
        desc.label = label;
        desc.layouts = {}; // the pipeline layout stands for them
        desc.vertexEntry = vertexEntry;
        desc.fragmentEntry = fragmentEntry;
        desc.vertexBuffers = buffers;
        desc.colorTargets = targets;
    }
    OwnedDesc(const OwnedDesc&) = delete;
    OwnedDesc& operator=(const OwnedDesc&) = delete;
};

/// Called on any thread: touches the device's functions and the cache alone.
VkResult compile(const LogicalDevice& device, VkPipelineCache cache, const OwnedDesc& owned, VkPipelineLayout layout,
    VkShaderModule vertexModule, VkShaderModule fragmentModule, VkPipeline& handle)
{
    const RenderPipelineDesc& desc = owned.desc;
    std::vector<VkPipelineShaderStageCreateInfo> stages;
    stages.push_back(stageInfo(VK_SHADER_STAGE_VERTEX_BIT, vertexModule, owned.vertexEntry));
    if (fragmentModule != VK_NULL_HANDLE)
        stages.push_back(stageInfo(VK_SHADER_STAGE_FRAGMENT_BIT, fragmentModule, owned.fragmentEntry));

    std::vector<VkVertexInputBindingDescription> bindings;
    std::vector<VkVertexInputAttributeDescription> attributes;
    fillVertexInput(desc, bindings, attributes);
    VkPipelineVertexInputStateCreateInfo vertexInput{VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO};
    vertexInput.vertexBindingDescriptionCount = static_cast<std::uint32_t>(bindings.size());
    vertexInput.pVertexBindingDescriptions = bindings.data();
    vertexInput.vertexAttributeDescriptionCount = static_cast<std::uint32_t>(attributes.size());
    vertexInput.pVertexAttributeDescriptions = attributes.data();
    VkPipelineInputAssemblyStateCreateInfo assembly{VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO};
    assembly.topology = toVk(desc.topology);
    // WebGPU's strips always restart at the largest index.
    assembly.primitiveRestartEnable = desc.topology == Topology::TriangleStrip ? VK_TRUE : VK_FALSE;
    VkPipelineViewportStateCreateInfo viewport{VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO};
    viewport.viewportCount = 1;
    viewport.scissorCount = 1;
    const VkPipelineRasterizationStateCreateInfo raster = rasterInfo(desc, device.enabledFeatures());
    VkPipelineMultisampleStateCreateInfo multisample{VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO};
    multisample.rasterizationSamples = static_cast<VkSampleCountFlagBits>(desc.sampleCount);
    multisample.alphaToCoverageEnable = desc.alphaToCoverage ? VK_TRUE : VK_FALSE;
    const VkPipelineDepthStencilStateCreateInfo depth = depthInfo(desc.depth);
    std::vector<VkPipelineColorBlendAttachmentState> blends;
    std::vector<VkFormat> formats;
    for (const ColorTargetState& target : desc.colorTargets)
    {
        blends.push_back(blendInfo(target));
        formats.push_back(toVk(target.format));
    }
    VkPipelineColorBlendStateCreateInfo blend{VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO};
    blend.attachmentCount = static_cast<std::uint32_t>(blends.size());
    blend.pAttachments = blends.data();
    const VkDynamicState dynamicStates[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
    VkPipelineDynamicStateCreateInfo dynamic{VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO};
    dynamic.dynamicStateCount = 2;
    dynamic.pDynamicStates = dynamicStates;
    VkPipelineRenderingCreateInfo rendering{VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO};
    rendering.colorAttachmentCount = static_cast<std::uint32_t>(formats.size());
    rendering.pColorAttachmentFormats = formats.data();
    rendering.depthAttachmentFormat = toVk(desc.depth.format);

    VkGraphicsPipelineCreateInfo info{VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO};
    info.pNext = &rendering;
    info.stageCount = static_cast<std::uint32_t>(stages.size());
    info.pStages = stages.data();
    info.pVertexInputState = &vertexInput;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewport;
    info.pRasterizationState = &raster;
    info.pMultisampleState = &multisample;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blend;
    info.pDynamicState = &dynamic;
    info.layout = layout;
    const VkResult result = device.vk().vkCreateGraphicsPipelines(device.handle(), cache, 1, &info, nullptr, &handle);
    if (result == VK_SUCCESS)
        device.setName(VK_OBJECT_TYPE_PIPELINE, handleBits(handle), desc.label);
    return result;
}

} // namespace

Result<PipelineJob> PipelineFactory::prepareRender(const RenderPipelineDesc& desc)
{
    PipelineJob job;
    job.label = desc.label;
    std::copy_n(desc.layouts.begin(), std::min<std::size_t>(desc.layouts.size(), kMaxGroups), job.pipeline.groups.begin());
    DL_TRY(acquireLayout(job.pipeline));
    const VkShaderModule vertex = m_objects.modules.get(desc.vertexModule).handle;
    const VkShaderModule fragment = desc.fragmentModule ? m_objects.modules.get(desc.fragmentModule).handle : VK_NULL_HANDLE;
    job.compile = [&device = m_device, cache = m_cache, owned = std::make_shared<const OwnedDesc>(desc), layout = job.pipeline.layout,
                      vertex, fragment](VkPipeline& handle) { return compile(device, cache, *owned, layout, vertex, fragment, handle); };
    return job;
}

} // namespace dl::gpu::vulkan
