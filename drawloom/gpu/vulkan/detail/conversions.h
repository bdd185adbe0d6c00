// drawloom/gpu/vulkan/detail/conversions.h - the interface's enumerators as Vulkan's. Pure functions.
#pragma once

#include "drawloom/gpu/descs.h"

#include <volk.h>

namespace dl::gpu::vulkan
{

VkFormat toVk(Format format);
VkFormat toVk(VertexFormat format);
VkCompareOp toVk(CompareOp op);
VkCullModeFlags toVk(CullMode mode);
VkFrontFace toVk(FrontFace face);
VkPrimitiveTopology toVk(Topology topology);
VkBlendFactor toVk(BlendFactor factor);
VkBlendOp toVk(BlendOp op);
VkSamplerAddressMode toVk(AddressMode mode);
VkFilter toVk(Filter filter);
VkImageViewType toVk(TextureDimension dimension);
VkIndexType toVk(IndexFormat format);
VkShaderStageFlags toVk(ShaderStages stages);
VkBufferUsageFlags toVk(BufferUsages usage);
VkImageUsageFlags toVk(TextureUsages usage);
VkDescriptorType toVk(BindingType type, bool hasDynamicOffset);

/// The same texels read the other way (sRGB or linear); None if the format has no twin.
Format srgbTwin(Format format);
VkImageAspectFlags aspectOf(Format format);

} // namespace dl::gpu::vulkan
