// drawloom/gpu/vulkan/detail/access.cpp - one table row per access.
#include "drawloom/gpu/vulkan/detail/access.h"

#include "drawloom/gpu/vulkan/detail/conversions.h"

namespace dl::gpu::vulkan
{
namespace
{

constexpr VkPipelineStageFlags2 kShaderStages =
    VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT | VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT;
constexpr VkPipelineStageFlags2 kDepthStages = VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT;

struct Row
{
    Access access;
    Scope scope;
};

constexpr Row kRows[] = {
    {Access::IndirectRead, {VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT, VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT}},
    {Access::IndexRead, {VK_PIPELINE_STAGE_2_INDEX_INPUT_BIT, VK_ACCESS_2_INDEX_READ_BIT}},
    {Access::VertexRead, {VK_PIPELINE_STAGE_2_VERTEX_ATTRIBUTE_INPUT_BIT, VK_ACCESS_2_VERTEX_ATTRIBUTE_READ_BIT}},
    {Access::UniformRead, {kShaderStages, VK_ACCESS_2_UNIFORM_READ_BIT}},
    {Access::StorageRead, {kShaderStages, VK_ACCESS_2_SHADER_STORAGE_READ_BIT}},
    {Access::SampledRead, {kShaderStages, VK_ACCESS_2_SHADER_SAMPLED_READ_BIT}},
    {Access::DepthRead, {kDepthStages, VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT}},
    {Access::CopyRead, {VK_PIPELINE_STAGE_2_COPY_BIT, VK_ACCESS_2_TRANSFER_READ_BIT}},
    {Access::StorageWrite, {kShaderStages, VK_ACCESS_2_SHADER_STORAGE_READ_BIT | VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT}},
    // The resolve of a pass runs in this stage with this access as well.
    {Access::ColorWrite,
        {VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT, VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT}},
    {Access::DepthWrite, {kDepthStages, VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT}},
    // vkCmdFillBuffer is a clear, copies of query results are copies.
    {Access::CopyWrite, {VK_PIPELINE_STAGE_2_COPY_BIT | VK_PIPELINE_STAGE_2_CLEAR_BIT, VK_ACCESS_2_TRANSFER_WRITE_BIT}},
};

constexpr VkAccessFlags2 kWriteBits = VK_ACCESS_2_SHADER_STORAGE_WRITE_BIT | VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT |
                                      VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT;

} // namespace

Scope scopeAfter(AccessFlags access)
{
    Scope scope;
    for (const Row& row : kRows)
        if (access.contains(row.access))
        {
            scope.stages |= row.scope.stages;
            scope.accesses |= row.scope.accesses;
        }
    return scope;
}

Scope scopeBefore(AccessFlags access)
{
    if (!access)
        return {VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, VK_ACCESS_2_MEMORY_WRITE_BIT};
    Scope scope = scopeAfter(access);
    scope.accesses &= kWriteBits;
    return scope;
}

VkImageLayout sampledLayout(Format format)
{
    return aspectOf(format) == VK_IMAGE_ASPECT_DEPTH_BIT ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_READ_ONLY_OPTIMAL
                                                         : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
}

VkImageLayout layoutOf(Format format, AccessFlags access)
{
    if (!access)
        return VK_IMAGE_LAYOUT_UNDEFINED;
    if (access.contains(Access::DepthRead) || access == AccessFlags(Access::SampledRead))
        return sampledLayout(format);
    switch (static_cast<Access>(access.bits))
    {
    case Access::CopyRead: return VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    case Access::CopyWrite: return VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL;
    case Access::ColorWrite: return VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    case Access::DepthWrite: return VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL;
    default: return VK_IMAGE_LAYOUT_GENERAL;
    }
}

} // namespace dl::gpu::vulkan
