// drawloom/gpu/vulkan/detail/objects.h - what stands behind each id, and the tables that hold them.
#pragma once

#include "drawloom/core/id.h"
#include "drawloom/gpu/commands.h"
#include "drawloom/gpu/descs.h"
#include "drawloom/gpu/vulkan/detail/vma.h"

#include <array>
#include <cstdint>
#include <vector>

namespace dl::gpu::vulkan
{

constexpr std::uint32_t kMaxGroups = 4;

struct Buffer
{
    VkBuffer handle = VK_NULL_HANDLE;
    VmaAllocation allocation = VK_NULL_HANDLE;
    std::uint64_t bytes = 0;
    std::uint64_t allocatedBytes = 0;
};

struct Texture
{
    VkImage handle = VK_NULL_HANDLE;
    VmaAllocation allocation = VK_NULL_HANDLE; ///< none: imported, not ours to destroy
    std::uint64_t allocatedBytes = 0;
    Format format = Format::None;
    TextureDimension dimension = TextureDimension::D2;
    TextureUsages usage;
    // An imported image comes in a state that only its owner knows; the first barrier takes it from there.
    bool isInForeignState = false;
    std::uint64_t takenBySubmission = 0; ///< which took it: if it fails, the image is foreign still
    VkImageLayout foreignLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    VkPipelineStageFlags2 foreignStages = 0;
    VkAccessFlags2 foreignAccesses = 0;
};

struct TextureView
{
    VkImageView handle = VK_NULL_HANDLE;
    Format format = Format::None;
};

struct Sampler
{
    VkSampler handle = VK_NULL_HANDLE;
};

struct ShaderModule
{
    VkShaderModule handle = VK_NULL_HANDLE;
};

/// Descriptors by type, in the order of kDescriptorTypes.
constexpr std::array kDescriptorTypes = {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC,
    VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE,
    VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, VK_DESCRIPTOR_TYPE_SAMPLER};
using DescriptorCounts = std::array<std::uint32_t, kDescriptorTypes.size()>;

struct BindGroupLayout
{
    VkDescriptorSetLayout handle = VK_NULL_HANDLE;
    std::vector<BindGroupLayoutEntry> entries;
    DescriptorCounts counts = {};
};

struct BindGroup
{
    VkDescriptorSet handle = VK_NULL_HANDLE;
    std::uint32_t poolIndex = 0;
    DescriptorCounts counts = {};
};

using GroupLayouts = std::array<BindGroupLayoutId, kMaxGroups>;

struct Pipeline
{
    VkPipeline handle = VK_NULL_HANDLE;       ///< none: not compiled yet, or it failed
    VkPipelineLayout layout = VK_NULL_HANDLE; ///< owned by the PipelineLayoutCache
    VkPipelineBindPoint bindPoint = VK_PIPELINE_BIND_POINT_GRAPHICS;
    GroupLayouts groups = {}; ///< none: the group is unused
    bool isCompiling = false; ///< a job holds the layout
};

struct QuerySet
{
    VkQueryPool handle = VK_NULL_HANDLE;
    std::vector<bool> hasValue; ///< waiting for one that was never written would hang
};

struct Objects
{
    SlotTable<BufferId, Buffer> buffers;
    SlotTable<TextureId, Texture> textures;
    SlotTable<TextureViewId, TextureView> views;
    SlotTable<SamplerId, Sampler> samplers;
    SlotTable<ShaderModuleId, ShaderModule> modules;
    SlotTable<BindGroupLayoutId, BindGroupLayout> layouts;
    SlotTable<BindGroupId, BindGroup> groups;
    SlotTable<PipelineId, Pipeline> pipelines;
    SlotTable<QuerySetId, QuerySet> querySets;
};

} // namespace dl::gpu::vulkan
