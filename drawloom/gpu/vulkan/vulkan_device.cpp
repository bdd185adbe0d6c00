// drawloom/gpu/vulkan/vulkan_device.cpp - the public functions, over detail/.
#include "drawloom/gpu/vulkan/vulkan_device.h"

#include "drawloom/core/log.h"
#include "drawloom/gpu/vulkan/detail/access.h"
#include "drawloom/gpu/vulkan/detail/device.h"
#include "drawloom/gpu/vulkan/detail/instance.h"
#include "drawloom/gpu/vulkan/detail/pipeline_cache_file.h"

namespace dl::gpu
{

Result<std::vector<VulkanDriverInfo>> listVulkanDrivers()
{
    DL_TRY_ASSIGN(const auto instance, vulkan::Instance::create(false, {}));
    DL_TRY_ASSIGN(const auto devices, vulkan::enumeratePhysicalDevices(*instance));
    std::vector<VulkanDriverInfo> drivers;
    for (const vulkan::PhysicalDevice& device : devices)
        drivers.push_back(device.driver);
    return drivers;
}

Result<std::unique_ptr<Device>> createVulkanDevice(const VulkanDeviceSettings& settings)
{
    DL_TRY_ASSIGN(auto instance, vulkan::Instance::create(settings.enableKhronosValidation, settings.onMessage));
    DL_TRY_ASSIGN(const auto devices, vulkan::enumeratePhysicalDevices(*instance));
    DL_TRY_ASSIGN(const vulkan::PhysicalDevice chosen, vulkan::choosePhysicalDevice(devices, settings.driverNamePart));
    DL_TRY_ASSIGN(auto logical, vulkan::LogicalDevice::create(std::move(instance), chosen));
    if (settings.pipelineCacheFolder.empty())
        return vulkan::VulkanDevice::create(std::move(logical), settings.pipelineCacheData);
    const std::filesystem::path path = vulkan::pipelineCachePath(settings.pipelineCacheFolder, logical->properties());
    const Result<ByteBuffer> data = vulkan::readPipelineCache(path, logical->properties());
    if (!data && data.error().code != ErrorCode::NotFound)
        log(LogLevel::Warning, data.error().message + "; pipelines are compiled anew");
    return vulkan::VulkanDevice::create(std::move(logical), data ? std::span<const std::byte>(*data) : std::span<const std::byte>());
}

Result<std::unique_ptr<Device>> adoptVulkanDevice(const VulkanAdoptDesc& desc)
{
    DL_TRY_ASSIGN(auto logical, vulkan::LogicalDevice::adopt(desc));
    return vulkan::VulkanDevice::create(std::move(logical), {});
}

Result<TextureId> importVulkanTexture(Device& device, const VulkanImportDesc& desc)
{
    return static_cast<vulkan::VulkanDevice&>(device).importTexture(desc);
}

VkImageLayout vulkanImageLayout(Format format, AccessFlags access)
{
    return vulkan::layoutOf(format, access);
}

std::vector<std::byte> vulkanPipelineCacheData(Device& device)
{
    return static_cast<const vulkan::VulkanDevice&>(device).pipelineCacheData();
}

Result<void> saveVulkanPipelineCache(Device& device, const std::filesystem::path& folder)
{
    const auto& vulkanDevice = static_cast<const vulkan::VulkanDevice&>(device);
    const VkPhysicalDeviceProperties& properties = vulkanDevice.properties();
    return vulkan::writePipelineCache(vulkan::pipelineCachePath(folder, properties), properties, vulkanDevice.pipelineCacheData());
}

} // namespace dl::gpu
