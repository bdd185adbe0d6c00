// drawloom/gpu/vulkan/detail/conversions.cpp - tables from the interface's enumerators to Vulkan's, in declaration order.
#include "drawloom/gpu/vulkan/detail/conversions.h"

#include <cstddef>

namespace dl::gpu::vulkan
{
namespace
{

template <class T, std::size_t N, class E> T look(const T (&table)[N], E value)
{
    const auto index = static_cast<std::size_t>(value);
    DL_ASSERT(index < N, "enumerator out of its range");
    return table[index < N ? index : 0];
}

VkFlags bit(bool isSet, VkFlags flag)
{
    return isSet ? flag : 0U;
}

constexpr VkFormat kFormats[] = {
    VK_FORMAT_UNDEFINED,
    VK_FORMAT_R8_UNORM,
    VK_FORMAT_R8_UINT,
    VK_FORMAT_R8G8_UNORM,
    VK_FORMAT_R8G8B8A8_UNORM,
    VK_FORMAT_R8G8B8A8_SRGB,
    VK_FORMAT_R8G8B8A8_SNORM,
    VK_FORMAT_R8G8B8A8_UINT,
    VK_FORMAT_B8G8R8A8_UNORM,
    VK_FORMAT_B8G8R8A8_SRGB,
    VK_FORMAT_R16_UINT,
    VK_FORMAT_R16_SFLOAT,
    VK_FORMAT_R16G16_SFLOAT,
    VK_FORMAT_R16G16B16A16_SFLOAT,
    VK_FORMAT_R16G16B16A16_UINT,
    VK_FORMAT_R32_UINT,
    VK_FORMAT_R32_SFLOAT,
    VK_FORMAT_R32G32_UINT,
    VK_FORMAT_R32G32_SFLOAT,
    VK_FORMAT_R32G32B32A32_UINT,
    VK_FORMAT_R32G32B32A32_SFLOAT,
    VK_FORMAT_A2B10G10R10_UNORM_PACK32,
    VK_FORMAT_B10G11R11_UFLOAT_PACK32,
    VK_FORMAT_D16_UNORM,
    VK_FORMAT_D32_SFLOAT,
    VK_FORMAT_BC1_RGBA_UNORM_BLOCK,
    VK_FORMAT_BC1_RGBA_SRGB_BLOCK,
    VK_FORMAT_BC3_UNORM_BLOCK,
    VK_FORMAT_BC3_SRGB_BLOCK,
    VK_FORMAT_BC4_UNORM_BLOCK,
    VK_FORMAT_BC5_UNORM_BLOCK,
    VK_FORMAT_BC6H_UFLOAT_BLOCK,
    VK_FORMAT_BC7_UNORM_BLOCK,
    VK_FORMAT_BC7_SRGB_BLOCK,
};
static_assert(std::size(kFormats) == static_cast<std::size_t>(Format::BC7RgbaUnormSrgb) + 1);

constexpr VkFormat kVertexFormats[] = {
    VK_FORMAT_R32G32_SFLOAT,
    VK_FORMAT_R32G32B32_SFLOAT,
    VK_FORMAT_R32G32B32A32_SFLOAT,
    VK_FORMAT_R8G8B8A8_UNORM,
    VK_FORMAT_R8G8B8A8_SNORM,
    VK_FORMAT_R8G8B8A8_UINT,
    VK_FORMAT_R16G16_UNORM,
    VK_FORMAT_R16G16B16A16_UNORM,
    VK_FORMAT_R16G16_SNORM,
    VK_FORMAT_R16G16B16A16_SNORM,
    VK_FORMAT_R16G16_UINT,
    VK_FORMAT_R16G16B16A16_UINT,
    VK_FORMAT_R16G16_SFLOAT,
    VK_FORMAT_R16G16B16A16_SFLOAT,
    VK_FORMAT_R32_UINT,
    VK_FORMAT_R32G32_UINT,
    VK_FORMAT_R32G32B32A32_UINT,
    VK_FORMAT_R32_SINT,
};
static_assert(std::size(kVertexFormats) == static_cast<std::size_t>(VertexFormat::Sint32) + 1);

constexpr VkCompareOp kCompareOps[] = {VK_COMPARE_OP_NEVER, VK_COMPARE_OP_LESS, VK_COMPARE_OP_EQUAL, VK_COMPARE_OP_LESS_OR_EQUAL,
    VK_COMPARE_OP_GREATER, VK_COMPARE_OP_NOT_EQUAL, VK_COMPARE_OP_GREATER_OR_EQUAL, VK_COMPARE_OP_ALWAYS};
constexpr VkCullModeFlags kCullModes[] = {VK_CULL_MODE_NONE, VK_CULL_MODE_FRONT_BIT, VK_CULL_MODE_BACK_BIT};
constexpr VkPrimitiveTopology kTopologies[] = {VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST, VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP,
    VK_PRIMITIVE_TOPOLOGY_LINE_LIST, VK_PRIMITIVE_TOPOLOGY_POINT_LIST};
// Src, Dst are WebGPU's "src", "dst": the colour for the colour equation, the alpha for the alpha equation, as Vulkan's are.
constexpr VkBlendFactor kBlendFactors[] = {VK_BLEND_FACTOR_ZERO, VK_BLEND_FACTOR_ONE, VK_BLEND_FACTOR_SRC_COLOR,
    VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR, VK_BLEND_FACTOR_SRC_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA, VK_BLEND_FACTOR_DST_COLOR,
    VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR, VK_BLEND_FACTOR_DST_ALPHA, VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA};
constexpr VkBlendOp kBlendOps[] = {VK_BLEND_OP_ADD, VK_BLEND_OP_SUBTRACT, VK_BLEND_OP_REVERSE_SUBTRACT, VK_BLEND_OP_MIN, VK_BLEND_OP_MAX};
constexpr VkSamplerAddressMode kAddressModes[] = {
    VK_SAMPLER_ADDRESS_MODE_REPEAT, VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT, VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE};
constexpr VkImageViewType kViewTypes[] = {
    VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_VIEW_TYPE_2D_ARRAY, VK_IMAGE_VIEW_TYPE_CUBE, VK_IMAGE_VIEW_TYPE_3D};

} // namespace

VkFormat toVk(Format format)
{
    return look(kFormats, format);
}

VkFormat toVk(VertexFormat format)
{
    return look(kVertexFormats, format);
}

VkCompareOp toVk(CompareOp op)
{
    return look(kCompareOps, op);
}

VkCullModeFlags toVk(CullMode mode)
{
    return look(kCullModes, mode);
}

VkFrontFace toVk(FrontFace face)
{
    // The negative viewport height puts clip space's +y at the top of the picture, where Vulkan's rule of counter-clockwise
    // (by sign of the area in framebuffer coordinates) is the eye's, and WebGPU's.
    return face == FrontFace::CounterClockwise ? VK_FRONT_FACE_COUNTER_CLOCKWISE : VK_FRONT_FACE_CLOCKWISE;
}

VkPrimitiveTopology toVk(Topology topology)
{
    return look(kTopologies, topology);
}

VkBlendFactor toVk(BlendFactor factor)
{
    return look(kBlendFactors, factor);
}

VkBlendOp toVk(BlendOp op)
{
    return look(kBlendOps, op);
}

VkSamplerAddressMode toVk(AddressMode mode)
{
    return look(kAddressModes, mode);
}

VkFilter toVk(Filter filter)
{
    return filter == Filter::Nearest ? VK_FILTER_NEAREST : VK_FILTER_LINEAR;
}

VkImageViewType toVk(TextureDimension dimension)
{
    return look(kViewTypes, dimension);
}

VkIndexType toVk(IndexFormat format)
{
    return format == IndexFormat::Uint16 ? VK_INDEX_TYPE_UINT16 : VK_INDEX_TYPE_UINT32;
}

VkShaderStageFlags toVk(ShaderStages stages)
{
    VkShaderStageFlags flags = 0;
    flags |= bit(stages.contains(ShaderStage::Vertex), VK_SHADER_STAGE_VERTEX_BIT);
    flags |= bit(stages.contains(ShaderStage::Fragment), VK_SHADER_STAGE_FRAGMENT_BIT);
    flags |= bit(stages.contains(ShaderStage::Compute), VK_SHADER_STAGE_COMPUTE_BIT);
    return flags;
}

VkBufferUsageFlags toVk(BufferUsages usage)
{
    VkBufferUsageFlags flags = 0;
    flags |= bit(usage.contains(BufferUsage::CopySrc), VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    flags |= bit(usage.intersects(BufferUsage::CopyDst | BufferUsage::QueryResolve), VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    flags |= bit(usage.contains(BufferUsage::Vertex), VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    flags |= bit(usage.contains(BufferUsage::Index), VK_BUFFER_USAGE_INDEX_BUFFER_BIT);
    flags |= bit(usage.contains(BufferUsage::Uniform), VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    flags |= bit(usage.contains(BufferUsage::Storage), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
    flags |= bit(usage.contains(BufferUsage::Indirect), VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT);
    return flags;
}

VkImageUsageFlags toVk(TextureUsages usage)
{
    VkImageUsageFlags flags = 0;
    flags |= bit(usage.contains(TextureUsage::CopySrc), VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
    flags |= bit(usage.contains(TextureUsage::CopyDst), VK_IMAGE_USAGE_TRANSFER_DST_BIT);
    flags |= bit(usage.contains(TextureUsage::Sampled), VK_IMAGE_USAGE_SAMPLED_BIT);
    flags |= bit(usage.contains(TextureUsage::Storage), VK_IMAGE_USAGE_STORAGE_BIT);
    flags |= bit(usage.contains(TextureUsage::ColorAttachment), VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT);
    flags |= bit(usage.contains(TextureUsage::DepthAttachment), VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
    return flags;
}

VkDescriptorType toVk(BindingType type, bool hasDynamicOffset)
{
    switch (type)
    {
    case BindingType::UniformBuffer:
        return hasDynamicOffset ? VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC : VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    case BindingType::ReadOnlyStorageBuffer:
    case BindingType::StorageBuffer:
        return hasDynamicOffset ? VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC : VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
    case BindingType::StorageTexture: return VK_DESCRIPTOR_TYPE_STORAGE_IMAGE;
    case BindingType::FilteringSampler:
    case BindingType::NonFilteringSampler:
    case BindingType::ComparisonSampler: return VK_DESCRIPTOR_TYPE_SAMPLER;
    case BindingType::SampledTexture:
    case BindingType::UnfilterableTexture:
    case BindingType::UintTexture:
    case BindingType::DepthTexture: break;
    }
    return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
}

Format srgbTwin(Format format)
{
    switch (format)
    {
    case Format::RGBA8Unorm: return Format::RGBA8UnormSrgb;
    case Format::RGBA8UnormSrgb: return Format::RGBA8Unorm;
    case Format::BGRA8Unorm: return Format::BGRA8UnormSrgb;
    case Format::BGRA8UnormSrgb: return Format::BGRA8Unorm;
    case Format::BC1RgbaUnorm: return Format::BC1RgbaUnormSrgb;
    case Format::BC1RgbaUnormSrgb: return Format::BC1RgbaUnorm;
    case Format::BC3RgbaUnorm: return Format::BC3RgbaUnormSrgb;
    case Format::BC3RgbaUnormSrgb: return Format::BC3RgbaUnorm;
    case Format::BC7RgbaUnorm: return Format::BC7RgbaUnormSrgb;
    case Format::BC7RgbaUnormSrgb: return Format::BC7RgbaUnorm;
    default: return Format::None;
    }
}

VkImageAspectFlags aspectOf(Format format)
{
    const bool isDepth = format == Format::Depth16Unorm || format == Format::Depth32Float;
    return isDepth ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
}

} // namespace dl::gpu::vulkan
