// drawloom/gpu/vulkan/vulkan_device.h - makes a gpu::Device on Vulkan 1.3: one of our own, or one that adopts an engine's
// VkDevice. Seen by apps and tests only. Vulkan is loaded at run time, so a program that never calls this needs no loader.
#pragma once

#include "drawloom/core/result.h"
#include "drawloom/gpu/device.h"

#include <vulkan/vulkan_core.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dl::gpu
{

struct VulkanMessage
{
    bool isError = false; ///< else a warning
    std::string_view name;
    std::string_view text;
};
/// Called during any call of the device, on its thread.
using VulkanMessageHandler = std::function<void(const VulkanMessage&)>;

struct VulkanDeviceSettings
{
    /// Part of a device's or driver's name, any case ("lavapipe", "llvmpipe", "swiftshader", "nvidia"); "auto": a hardware
    /// GPU if there is one, else lavapipe, else SwiftShader.
    std::string driverNamePart = "auto";
    /// VK_LAYER_KHRONOS_validation with synchronization validation; Unsupported when the layer is not installed.
    bool enableKhronosValidation = false;
    VulkanMessageHandler onMessage; ///< empty: messages go to dl::log
    /// What vulkanPipelineCacheData returned in an earlier run; data of another driver is ignored.
    std::span<const std::byte> pipelineCacheData;
    /// Where saveVulkanPipelineCache of an earlier run wrote; instead of pipelineCacheData. Empty: none. A file that is torn, changed or
    /// another driver's is left alone and logged as a warning: pipelines are then compiled as without.
    std::filesystem::path pipelineCacheFolder;
};

struct VulkanDriverInfo
{
    std::string deviceName; ///< "llvmpipe (LLVM 15.0.6, 256 bits)"
    std::string driverName; ///< "llvmpipe Mesa 22.3.6 (LLVM 15.0.6)"
    bool isHardware = false;
    std::string whyUnusable; ///< empty: can be used
};

/// Every Vulkan device the loader finds, chromium's SwiftShader included. NotFound: no loader or no driver.
Result<std::vector<VulkanDriverInfo>> listVulkanDrivers();

/// SwiftShader crashes on a shader module that declares a texture or sampler in a group which the pipeline's layout lacks,
/// even if the entry point does not use it: give each set of bind group layouts a module of its own.
/// NotFound: no usable driver has that name; the message lists those seen. While it looks for drivers it may set
/// VK_ADD_DRIVER_FILES for the process (restored before it returns), so no other thread may call getenv meanwhile.
Result<std::unique_ptr<Device>> createVulkanDevice(const VulkanDeviceSettings& settings);

/// An engine's own device. It must be of Vulkan 1.3 with dynamicRendering, synchronization2 and timelineSemaphore enabled,
/// must outlive the Device, and its queue must not be used by another thread during submit and waitIdle.
struct VulkanAdoptDesc
{
    VkInstance instance = VK_NULL_HANDLE;
    VkPhysicalDevice physicalDevice = VK_NULL_HANDLE;
    VkDevice device = VK_NULL_HANDLE;
    VkQueue queue = VK_NULL_HANDLE; ///< graphics and compute
    std::uint32_t queueFamily = 0;
    /// Exactly the core features that were enabled on `device`; decides what DeviceInfo::features lists.
    VkPhysicalDeviceFeatures enabledFeatures = {};
    bool hasDrawIndirectCount = false;
    bool hasDebugUtils = false;                              ///< VK_EXT_debug_utils is enabled on the instance
    PFN_vkGetInstanceProcAddr getInstanceProcAddr = nullptr; ///< nullptr: the loader's
};
Result<std::unique_ptr<Device>> adoptVulkanDevice(const VulkanAdoptDesc& desc);

/// A VkImage of someone else (a swapchain's, an engine's target) as a texture. The first barrier of a stream that names it
/// takes it from `layout`, `stages`, `accesses`; later barriers follow our own rules (vulkanImageLayout). destroy forgets
/// the image and destroys only our views.
struct VulkanImportDesc
{
    VkImage image = VK_NULL_HANDLE;
    TextureDesc texture; ///< as the image was created
    VkImageLayout layout = VK_IMAGE_LAYOUT_UNDEFINED;
    VkPipelineStageFlags2 stages = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
    VkAccessFlags2 accesses = VK_ACCESS_2_MEMORY_WRITE_BIT;
};
/// `device` was made by createVulkanDevice or adoptVulkanDevice (not a decorator around it). InvalidArgument: no image.
Result<TextureId> importVulkanTexture(Device& device, const VulkanImportDesc& desc);

/// The layout an image has between a barrier to `access` and the next one: what an engine's own barrier must start from.
VkImageLayout vulkanImageLayout(Format format, AccessFlags access);

/// For VulkanDeviceSettings::pipelineCacheData of the next run; empty if the driver has none. `device` as above.
std::vector<std::byte> vulkanPipelineCacheData(Device& device);
/// The same into a file of the folder, which is made if need be: one for each driver and version, replaced as a whole, proved by a hash.
/// Io: names the path and why. `device` as above.
Result<void> saveVulkanPipelineCache(Device& device, const std::filesystem::path& folder);

} // namespace dl::gpu
