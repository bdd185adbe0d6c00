// drawloom/gpu/vulkan/detail/logical_device.cpp - features asked for, limits reported.
#include "drawloom/gpu/vulkan/detail/logical_device.h"

#include "drawloom/gpu/vulkan/detail/conversions.h"
#include "drawloom/gpu/vulkan/detail/errors.h"

#include <algorithm>
#include <cstring>

namespace dl::gpu::vulkan
{
namespace
{

/// Of what the device has, what the interface uses. No bufferDeviceAddress: RenderDoc's capture fails with it on lavapipe.
VkPhysicalDeviceFeatures wantedFeatures(const VkPhysicalDeviceFeatures& available)
{
    VkPhysicalDeviceFeatures wanted{};
    wanted.independentBlend = VK_TRUE;
    wanted.fullDrawIndexUint32 = VK_TRUE;
    wanted.multiDrawIndirect = available.multiDrawIndirect;
    wanted.drawIndirectFirstInstance = available.drawIndirectFirstInstance;
    wanted.samplerAnisotropy = available.samplerAnisotropy;
    wanted.textureCompressionBC = available.textureCompressionBC;
    wanted.depthBiasClamp = available.depthBiasClamp;
    wanted.fragmentStoresAndAtomics = available.fragmentStoresAndAtomics;
    wanted.sampleRateShading = available.sampleRateShading;
    wanted.imageCubeArray = available.imageCubeArray;
    wanted.shaderClipDistance = available.shaderClipDistance;
    return wanted;
}

} // namespace

Result<std::unique_ptr<LogicalDevice>> LogicalDevice::create(std::unique_ptr<Instance> instance, const PhysicalDevice& physical)
{
    VkPhysicalDeviceVulkan13Features available13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features available12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    available12.pNext = &available13;
    VkPhysicalDeviceFeatures2 available{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    available.pNext = &available12;
    vkGetPhysicalDeviceFeatures2(physical.handle, &available);

    VkPhysicalDeviceVulkan13Features wanted13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    wanted13.dynamicRendering = VK_TRUE;
    wanted13.synchronization2 = VK_TRUE;
    wanted13.maintenance4 = available13.maintenance4;
    wanted13.shaderZeroInitializeWorkgroupMemory = available13.shaderZeroInitializeWorkgroupMemory;
    VkPhysicalDeviceVulkan12Features wanted12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    wanted12.pNext = &wanted13;
    wanted12.timelineSemaphore = VK_TRUE;
    wanted12.drawIndirectCount = available12.drawIndirectCount;
    VkPhysicalDeviceFeatures2 wanted{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    wanted.pNext = &wanted12;
    wanted.features = wantedFeatures(available.features);

    const float priority = 1.0f;
    VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
    queue.queueFamilyIndex = physical.queueFamily;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
    info.pNext = &wanted;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    auto device = std::make_unique<LogicalDevice>();
    device->m_instance = std::move(instance);
    if (const VkResult result = vkCreateDevice(physical.handle, &info, nullptr, &device->m_device); result != VK_SUCCESS)
        return makeError(result, "create a Vulkan device on " + physical.driver.deviceName);
    device->m_isOwned = true;
    device->m_enabled = wanted.features;
    device->m_queueFamily = physical.queueFamily;
    device->load(physical, wanted12.drawIndirectCount == VK_TRUE);
    device->m_table.vkGetDeviceQueue(device->m_device, physical.queueFamily, 0, &device->m_queue);
    return device;
}

Result<std::unique_ptr<LogicalDevice>> LogicalDevice::adopt(const VulkanAdoptDesc& desc)
{
    if (desc.instance == VK_NULL_HANDLE || desc.physicalDevice == VK_NULL_HANDLE || desc.device == VK_NULL_HANDLE ||
        desc.queue == VK_NULL_HANDLE)
        return Error{ErrorCode::InvalidArgument, "adopt a Vulkan device: instance, physicalDevice, device and queue must all be given"};
    auto device = std::make_unique<LogicalDevice>();
    DL_TRY_ASSIGN(device->m_instance, Instance::adopt(desc.instance, desc.getInstanceProcAddr, desc.hasDebugUtils));
    const PhysicalDevice physical = describePhysicalDevice(desc.physicalDevice);
    if (!physical.driver.whyUnusable.empty())
        return Error{ErrorCode::Unsupported, "adopt " + physical.driver.deviceName + ": " + physical.driver.whyUnusable};
    device->m_device = desc.device;
    device->m_queue = desc.queue;
    device->m_queueFamily = desc.queueFamily;
    device->m_enabled = desc.enabledFeatures;
    device->load(physical, desc.hasDrawIndirectCount);
    return device;
}

LogicalDevice::~LogicalDevice()
{
    if (m_isOwned)
        m_table.vkDestroyDevice(m_device, nullptr);
}

void LogicalDevice::load(const PhysicalDevice& physical, bool hasDrawIndirectCount)
{
    m_physical = physical.handle;
    volkLoadDeviceTable(&m_table, m_device);
    vkGetPhysicalDeviceProperties(m_physical, &m_properties);
    m_info.name = physical.driver.deviceName;
    m_info.driver = physical.driver.driverName;
    m_info.backend = "vulkan";
    m_info.timestampPeriodNs = m_properties.limits.timestampPeriod;
    fillLimits();
    fillFeatures(hasDrawIndirectCount);
}

void LogicalDevice::fillLimits()
{
    const VkPhysicalDeviceLimits& device = m_properties.limits;
    VkPhysicalDeviceVulkan11Properties properties11{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_PROPERTIES};
    VkPhysicalDeviceVulkan13Properties properties13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_PROPERTIES};
    properties11.pNext = &properties13;
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    properties.pNext = &properties11;
    vkGetPhysicalDeviceProperties2(m_physical, &properties);

    const Limits promised;
    Limits& limits = m_info.limits;
    limits.maxTextureSize = std::min(device.maxImageDimension2D, device.maxImageDimensionCube);
    limits.maxTextureLayers = device.maxImageArrayLayers;
    limits.maxBufferBytes = std::min(properties13.maxBufferSize, properties11.maxMemoryAllocationSize);
    limits.maxStorageBindingBytes = device.maxStorageBufferRange;
    limits.maxUniformBindingBytes = device.maxUniformBufferRange;
    limits.maxSampledTexturesPerStage = device.maxPerStageDescriptorSampledImages;
    limits.maxSamplersPerStage = device.maxPerStageDescriptorSamplers;
    limits.maxStorageBuffersPerStage = device.maxPerStageDescriptorStorageBuffers;
    // Streams and pipelines have room for the promised number of these.
    limits.maxVertexBuffers = std::min(device.maxVertexInputBindings, promised.maxVertexBuffers);
    limits.maxColorAttachments = std::min(device.maxColorAttachments, promised.maxColorAttachments);
    limits.maxBindGroups = std::min(device.maxBoundDescriptorSets, promised.maxBindGroups);
    limits.minUniformOffsetAlignment = static_cast<std::uint32_t>(device.minUniformBufferOffsetAlignment);
    limits.minStorageOffsetAlignment = static_cast<std::uint32_t>(device.minStorageBufferOffsetAlignment);
    limits.maxComputeWorkgroupSize = std::min(device.maxComputeWorkGroupInvocations, device.maxComputeWorkGroupSize[0]);
    limits.maxComputeWorkgroupsPerDimension =
        std::min({device.maxComputeWorkGroupCount[0], device.maxComputeWorkGroupCount[1], device.maxComputeWorkGroupCount[2]});
}

void LogicalDevice::fillFeatures(bool hasDrawIndirectCount)
{
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(m_physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(m_physical, &count, families.data());
    VkFormatProperties float32{};
    vkGetPhysicalDeviceFormatProperties(m_physical, VK_FORMAT_R32G32B32A32_SFLOAT, &float32);

    Features& features = m_info.features;
    const auto add = [&features](bool isThere, Feature feature)
    {
        if (isThere)
            features |= feature;
    };
    add(m_enabled.textureCompressionBC == VK_TRUE, Feature::TextureCompressionBc);
    add(m_queueFamily < count && families[m_queueFamily].timestampValidBits > 0, Feature::TimestampQuery);
    add(m_enabled.drawIndirectFirstInstance == VK_TRUE, Feature::IndirectFirstInstance);
    add(m_enabled.multiDrawIndirect == VK_TRUE, Feature::MultiDrawIndirect);
    add(hasDrawIndirectCount, Feature::MultiDrawIndirectCount);
    add((float32.optimalTilingFeatures & VK_FORMAT_FEATURE_SAMPLED_IMAGE_FILTER_LINEAR_BIT) != 0, Feature::Float32Filterable);
}

void LogicalDevice::setName(VkObjectType type, std::uint64_t object, std::string_view label) const
{
    if (instanceFunctions().setObjectName == nullptr || label.empty())
        return;
    char name[128];
    const std::size_t length = std::min(label.size(), sizeof(name) - 1);
    std::memcpy(name, label.data(), length);
    name[length] = '\0';
    VkDebugUtilsObjectNameInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT};
    info.objectType = type;
    info.objectHandle = object;
    info.pObjectName = name;
    instanceFunctions().setObjectName(m_device, &info);
}

} // namespace dl::gpu::vulkan
