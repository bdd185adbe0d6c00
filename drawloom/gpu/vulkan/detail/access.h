// drawloom/gpu/vulkan/detail/access.h - the barrier model (gpu/barrier_model.h) as synchronization2 stages, accesses and
// image layouts. Pure functions.
#pragma once

#include "drawloom/gpu/commands.h"

#include <volk.h>

namespace dl::gpu::vulkan
{

struct Scope
{
    VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_NONE;
    VkAccessFlags2 accesses = VK_ACCESS_2_NONE;
};

/// What a barrier waits for: None waits for everything, reads need no memory dependency.
Scope scopeBefore(AccessFlags access);
/// What a barrier protects.
Scope scopeAfter(AccessFlags access);

VkImageLayout layoutOf(Format format, AccessFlags access);
/// The layout that a descriptor of a sampled texture names: the one both SampledRead and DepthRead|SampledRead give.
VkImageLayout sampledLayout(Format format);

} // namespace dl::gpu::vulkan
