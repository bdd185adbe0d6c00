// drawloom/gpu/vulkan/detail/device_resources.cpp - buffers, textures, views, samplers, timestamps.
#include "drawloom/gpu/vulkan/detail/device.h"

#include "drawloom/gpu/vulkan/detail/conversions.h"
#include "drawloom/gpu/vulkan/detail/errors.h"

#include <algorithm>
#include <string>

namespace dl::gpu::vulkan
{
namespace
{

std::string quoted(std::string_view kind, std::string_view label)
{
    return std::string(kind) + " \"" + std::string(label) + "\"";
}

std::string describe(const TextureDesc& desc)
{
    return quoted("create texture", desc.label) + " of " + std::to_string(desc.width) + "x" + std::to_string(desc.height) + "x" +
           std::to_string(desc.depthOrLayers) + ", " + std::to_string(desc.mipCount) + " mips, " + std::to_string(desc.sampleCount) +
           " samples, " + std::string(formatInfo(desc.format).name);
}

VkImageCreateInfo imageInfo(const TextureDesc& desc)
{
    const bool is3d = desc.dimension == TextureDimension::D3;
    VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
    info.imageType = is3d ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D;
    info.format = toVk(desc.format);
    info.extent = {desc.width, desc.height, is3d ? desc.depthOrLayers : 1};
    info.mipLevels = desc.mipCount;
    info.arrayLayers = is3d ? 1 : desc.depthOrLayers;
    info.samples = static_cast<VkSampleCountFlagBits>(desc.sampleCount);
    info.tiling = VK_IMAGE_TILING_OPTIMAL;
    info.usage = toVk(desc.usage);
    info.initialLayout = VK_IMAGE_LAYOUT_UNDEFINED;
    if (desc.dimension == TextureDimension::Cube)
        info.flags |= VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT;
    if (srgbTwin(desc.format) != Format::None)
        info.flags |= VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT;
    return info;
}

} // namespace

Result<BufferId> VulkanDevice::createBuffer(const BufferDesc& desc)
{
    DL_TRY(checkAlive());
    const std::string subject = quoted("create buffer", desc.label) + " of " + std::to_string(desc.bytes) + " bytes";
    if (desc.bytes == 0)
        return Error{ErrorCode::InvalidArgument, subject + ": a buffer holds at least 4 bytes"};
    if (desc.bytes > info().limits.maxBufferBytes)
        return Error{ErrorCode::OutOfMemory,
            subject + ": the device's largest buffer has " + std::to_string(info().limits.maxBufferBytes) + " bytes"};
    VkBufferCreateInfo bufferInfo{VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO};
    bufferInfo.size = desc.bytes;
    bufferInfo.usage = toVk(desc.usage);
    VmaAllocationCreateInfo allocationInfo{};
    allocationInfo.usage = VMA_MEMORY_USAGE_AUTO_PREFER_DEVICE;
    VmaAllocationInfo allocated{};
    Buffer buffer;
    buffer.bytes = desc.bytes;
    const VkResult result = vmaCreateBuffer(m_allocator, &bufferInfo, &allocationInfo, &buffer.handle, &buffer.allocation, &allocated);
    if (result != VK_SUCCESS)
        return fail(result, subject);
    buffer.allocatedBytes = allocated.size;
    m_memory.bufferBytes += allocated.size;
    m_memory.bufferPeakBytes = std::max(m_memory.bufferPeakBytes, m_memory.bufferBytes);
    m_logical->setName(VK_OBJECT_TYPE_BUFFER, handleBits(buffer.handle), desc.label);
    return m_objects.buffers.add(buffer);
}

Result<TextureId> VulkanDevice::createTexture(const TextureDesc& desc)
{
    DL_TRY(checkAlive());
    VkImageCreateInfo createInfo = imageInfo(desc);
    // The twin's views may lack a usage that this format has (storage of sRGB), and the other way round.
    if ((createInfo.flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT) != 0 && desc.usage.contains(TextureUsage::Storage))
        createInfo.flags |= VK_IMAGE_CREATE_EXTENDED_USAGE_BIT;
    const VkFormat viewFormats[] = {toVk(desc.format), toVk(srgbTwin(desc.format))};
    VkImageFormatListCreateInfo formatList{VK_STRUCTURE_TYPE_IMAGE_FORMAT_LIST_CREATE_INFO};
    formatList.viewFormatCount = 2;
    formatList.pViewFormats = viewFormats;
    if ((createInfo.flags & VK_IMAGE_CREATE_MUTABLE_FORMAT_BIT) != 0)
        createInfo.pNext = &formatList;

    VkImageFormatProperties properties{};
    const VkResult supported = m_logical->instanceFunctions().getImageFormatProperties(m_logical->physicalDevice(), createInfo.format,
        createInfo.imageType, createInfo.tiling, createInfo.usage, createInfo.flags, &properties);
    if (supported != VK_SUCCESS)
        return fail(supported, describe(desc) + ": not supported by this device with these usages");
    if (createInfo.extent.width > properties.maxExtent.width || createInfo.extent.height > properties.maxExtent.height ||
        createInfo.extent.depth > properties.maxExtent.depth || createInfo.arrayLayers > properties.maxArrayLayers ||
        createInfo.mipLevels > properties.maxMipLevels || (createInfo.samples & properties.sampleCounts) == 0)
        return Error{ErrorCode::Unsupported,
            describe(desc) + ": this device allows " + std::to_string(properties.maxExtent.width) + "x" +
                std::to_string(properties.maxExtent.height) + "x" + std::to_string(properties.maxExtent.depth) + ", " +
                std::to_string(properties.maxArrayLayers) + " layers, " + std::to_string(properties.maxMipLevels) +
                " mips, sample counts by mask " + std::to_string(properties.sampleCounts)};
    VmaAllocationCreateInfo allocationInfo{};
    allocationInfo.usage = VMA_MEMORY_USAGE_AUTO_PREFER_DEVICE;
    VmaAllocationInfo allocated{};
    Texture texture;
    texture.format = desc.format;
    texture.dimension = desc.dimension;
    texture.usage = desc.usage;
    const VkResult result = vmaCreateImage(m_allocator, &createInfo, &allocationInfo, &texture.handle, &texture.allocation, &allocated);
    if (result != VK_SUCCESS)
        return fail(result, describe(desc));
    texture.allocatedBytes = allocated.size;
    m_memory.textureBytes += allocated.size;
    m_memory.texturePeakBytes = std::max(m_memory.texturePeakBytes, m_memory.textureBytes);
    m_logical->setName(VK_OBJECT_TYPE_IMAGE, handleBits(texture.handle), desc.label);
    return m_objects.textures.add(texture);
}

Result<TextureId> VulkanDevice::importTexture(const VulkanImportDesc& desc)
{
    DL_TRY(checkAlive());
    if (desc.image == VK_NULL_HANDLE)
        return Error{ErrorCode::InvalidArgument, quoted("import texture", desc.texture.label) + ": no image given"};
    Texture texture;
    texture.handle = desc.image;
    texture.format = desc.texture.format;
    texture.dimension = desc.texture.dimension;
    texture.usage = desc.texture.usage;
    texture.isInForeignState = true;
    texture.foreignLayout = desc.layout;
    texture.foreignStages = desc.stages;
    texture.foreignAccesses = desc.accesses;
    return m_objects.textures.add(texture);
}

Result<TextureViewId> VulkanDevice::createTextureView(const TextureViewDesc& desc)
{
    DL_TRY(checkAlive());
    const Texture& texture = m_objects.textures.get(desc.texture);
    TextureView view;
    view.format = desc.format == Format::None ? texture.format : desc.format;
    VkImageViewCreateInfo createInfo{VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO};
    createInfo.image = texture.handle;
    createInfo.viewType = toVk(desc.dimension);
    createInfo.format = toVk(view.format);
    createInfo.subresourceRange = {aspectOf(texture.format), desc.baseMip, desc.mipCount, desc.baseLayer, desc.layerCount};
    // sRGB formats can not be storage: a view by the sRGB twin leaves that usage out.
    VkImageViewUsageCreateInfo usage{VK_STRUCTURE_TYPE_IMAGE_VIEW_USAGE_CREATE_INFO};
    usage.usage = toVk(texture.usage);
    if (formatInfo(view.format).isSrgb && texture.usage.contains(TextureUsage::Storage))
    {
        usage.usage &= ~static_cast<VkImageUsageFlags>(VK_IMAGE_USAGE_STORAGE_BIT);
        createInfo.pNext = &usage;
    }
    const VkResult result = m_logical->vk().vkCreateImageView(m_logical->handle(), &createInfo, nullptr, &view.handle);
    if (result != VK_SUCCESS)
        return fail(result, quoted("create texture view", desc.label));
    m_logical->setName(VK_OBJECT_TYPE_IMAGE_VIEW, handleBits(view.handle), desc.label);
    return m_objects.views.add(view);
}

Result<SamplerId> VulkanDevice::createSampler(const SamplerDesc& desc)
{
    DL_TRY(checkAlive());
    VkSamplerCreateInfo createInfo{VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO};
    createInfo.magFilter = toVk(desc.magFilter);
    createInfo.minFilter = toVk(desc.minFilter);
    createInfo.mipmapMode = desc.mipFilter == Filter::Nearest ? VK_SAMPLER_MIPMAP_MODE_NEAREST : VK_SAMPLER_MIPMAP_MODE_LINEAR;
    createInfo.addressModeU = toVk(desc.addressU);
    createInfo.addressModeV = toVk(desc.addressV);
    createInfo.addressModeW = toVk(desc.addressW);
    createInfo.minLod = desc.minLod;
    createInfo.maxLod = desc.maxLod;
    if (desc.maxAnisotropy > 1 && m_logical->enabledFeatures().samplerAnisotropy == VK_TRUE)
    {
        createInfo.anisotropyEnable = VK_TRUE;
        createInfo.maxAnisotropy = std::min(static_cast<float>(desc.maxAnisotropy), m_logical->properties().limits.maxSamplerAnisotropy);
    }
    createInfo.compareEnable = desc.isComparison ? VK_TRUE : VK_FALSE;
    createInfo.compareOp = toVk(desc.compare);
    Sampler sampler;
    const VkResult result = m_logical->vk().vkCreateSampler(m_logical->handle(), &createInfo, nullptr, &sampler.handle);
    if (result != VK_SUCCESS)
        return fail(result, quoted("create sampler", desc.label));
    m_logical->setName(VK_OBJECT_TYPE_SAMPLER, handleBits(sampler.handle), desc.label);
    return m_objects.samplers.add(sampler);
}

Result<QuerySetId> VulkanDevice::createQuerySet(const QuerySetDesc& desc)
{
    DL_TRY(checkAlive());
    if (!info().features.contains(Feature::TimestampQuery))
        return Error{ErrorCode::Unsupported, quoted("create query set", desc.label) + ": this device has no timestamps"};
    VkQueryPoolCreateInfo createInfo{VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO};
    createInfo.queryType = VK_QUERY_TYPE_TIMESTAMP;
    createInfo.queryCount = desc.count;
    QuerySet set;
    set.hasValue.assign(desc.count, false);
    const VkResult result = m_logical->vk().vkCreateQueryPool(m_logical->handle(), &createInfo, nullptr, &set.handle);
    if (result != VK_SUCCESS)
        return fail(result, quoted("create query set", desc.label) + " of " + std::to_string(desc.count));
    m_logical->setName(VK_OBJECT_TYPE_QUERY_POOL, handleBits(set.handle), desc.label);
    return m_objects.querySets.add(std::move(set));
}

} // namespace dl::gpu::vulkan
