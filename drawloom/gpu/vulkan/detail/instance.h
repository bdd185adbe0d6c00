// drawloom/gpu/vulkan/detail/instance.h - loads Vulkan, makes the instance (validation, SwiftShader made findable) and
// chooses the driver. Used by vulkan_device.cpp.
#pragma once

#include "drawloom/core/result.h"
#include "drawloom/gpu/vulkan/vulkan_device.h"

#include <volk.h>

#include <memory>
#include <vector>

namespace dl::gpu::vulkan
{

/// The instance-level functions that live as long as a device. A copy, because volk's globals change with each instance.
struct InstanceFunctions
{
    PFN_vkGetInstanceProcAddr getInstanceProcAddr = nullptr;
    PFN_vkGetDeviceProcAddr getDeviceProcAddr = nullptr;
    PFN_vkDestroyInstance destroyInstance = nullptr;
    PFN_vkGetPhysicalDeviceImageFormatProperties getImageFormatProperties = nullptr;
    PFN_vkGetPhysicalDeviceFormatProperties getFormatProperties = nullptr;
    PFN_vkDestroyDebugUtilsMessengerEXT destroyMessenger = nullptr;
    PFN_vkSetDebugUtilsObjectNameEXT setObjectName = nullptr; ///< nullptr: no VK_EXT_debug_utils
    PFN_vkCmdBeginDebugUtilsLabelEXT cmdBeginLabel = nullptr;
    PFN_vkCmdEndDebugUtilsLabelEXT cmdEndLabel = nullptr;
};

/// Owns a VkInstance, or refers to an adopter's.
class Instance
{
public:
    Instance() = default;
    ~Instance();
    Instance(const Instance&) = delete;
    Instance& operator=(const Instance&) = delete;

    static Result<std::unique_ptr<Instance>> create(bool enableValidation, VulkanMessageHandler onMessage);
    static Result<std::unique_ptr<Instance>> adopt(VkInstance instance, PFN_vkGetInstanceProcAddr getProcAddr, bool hasDebugUtils);

    VkInstance handle() const { return m_instance; }
    const InstanceFunctions& functions() const { return m_functions; }
    /// Messages of the validation layer go to the handler, within the call that causes them.
    bool hasMessenger() const { return m_messenger != VK_NULL_HANDLE; }

private:
    void loadFunctions(bool hasDebugUtils);

    VkInstance m_instance = VK_NULL_HANDLE;
    VkDebugUtilsMessengerEXT m_messenger = VK_NULL_HANDLE;
    VulkanMessageHandler m_onMessage; // the messenger points here
    InstanceFunctions m_functions;
    bool m_isOwned = false;
};

struct PhysicalDevice
{
    VkPhysicalDevice handle = VK_NULL_HANDLE;
    std::uint32_t queueFamily = 0;
    VulkanDriverInfo driver;
    VkPhysicalDeviceType type = VK_PHYSICAL_DEVICE_TYPE_OTHER;
    VkDriverId driverId = VK_DRIVER_ID_MAX_ENUM;
};

/// All of them, in the loader's order, unusable ones with the reason.
Result<std::vector<PhysicalDevice>> enumeratePhysicalDevices(const Instance& instance);
/// NotFound with the list of those seen.
Result<PhysicalDevice> choosePhysicalDevice(const std::vector<PhysicalDevice>& devices, std::string_view namePart);
/// Name, driver and queue family of one device.
PhysicalDevice describePhysicalDevice(VkPhysicalDevice handle);

} // namespace dl::gpu::vulkan
