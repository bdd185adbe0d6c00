// drawloom/gpu/vulkan/detail/pipelines.h - pipeline layouts (shared by content) and, from descs, what the compiler's threads make
// pipelines of.
#pragma once

#include "drawloom/core/result.h"
#include "drawloom/gpu/vulkan/detail/logical_device.h"
#include "drawloom/gpu/vulkan/detail/objects.h"
#include "drawloom/gpu/vulkan/detail/pipeline_compiler.h"

#include <cstddef>
#include <span>
#include <vector>

namespace dl::gpu::vulkan
{

class PipelineFactory
{
public:
    PipelineFactory(const LogicalDevice& device, const Objects& objects) : m_device(device), m_objects(objects) {}
    ~PipelineFactory();
    PipelineFactory(const PipelineFactory&) = delete;
    PipelineFactory& operator=(const PipelineFactory&) = delete;

    /// `cacheData`: of an earlier run; ignored if it is not this driver's.
    Result<void> create(std::span<const std::byte> cacheData);
    /// Jobs without an id. The factory outlives them, the modules live until they are done.
    Result<PipelineJob> prepareRender(const RenderPipelineDesc& desc);
    Result<PipelineJob> prepareCompute(const ComputePipelineDesc& desc);
    /// Its submissions are complete; it may have no handle.
    void destroy(const Pipeline& pipeline);
    std::vector<std::byte> cacheData() const;

private:
    struct SharedLayout
    {
        GroupLayouts groups = {};
        VkPipelineLayout handle = VK_NULL_HANDLE;
        std::uint32_t userCount = 0;
    };

    /// Sets pipeline.layout by pipeline.groups.
    Result<void> acquireLayout(Pipeline& pipeline);
    void releaseLayout(VkPipelineLayout layout);

    const LogicalDevice& m_device;
    const Objects& m_objects;
    VkPipelineCache m_cache = VK_NULL_HANDLE;
    VkDescriptorSetLayout m_emptyLayout = VK_NULL_HANDLE; // stands for unused groups
    std::vector<SharedLayout> m_layouts;
};

} // namespace dl::gpu::vulkan
