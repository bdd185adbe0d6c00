// drawloom/gpu/vulkan/detail/driver_choice.cpp - what the loader found, and which of it a name part or "auto" means.
#include "drawloom/gpu/vulkan/detail/instance.h"

#include "drawloom/gpu/vulkan/detail/errors.h"

#include <algorithm>
#include <optional>
#include <string>

namespace dl::gpu::vulkan
{
namespace
{

std::optional<std::uint32_t> findQueueFamily(VkPhysicalDevice handle)
{
    std::uint32_t count = 0;
    vkGetPhysicalDeviceQueueFamilyProperties(handle, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    vkGetPhysicalDeviceQueueFamilyProperties(handle, &count, families.data());
    constexpr VkQueueFlags kNeeded = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    for (std::uint32_t family = 0; family < count; ++family)
        if ((families[family].queueFlags & kNeeded) == kNeeded)
            return family;
    return std::nullopt;
}

/// Empty: the device has what the backend is built on.
std::string findMissing(VkPhysicalDevice handle, std::uint32_t apiVersion)
{
    if (apiVersion < VK_API_VERSION_1_3)
        return "Vulkan " + std::to_string(VK_API_VERSION_MAJOR(apiVersion)) + "." + std::to_string(VK_API_VERSION_MINOR(apiVersion)) +
               ", 1.3 is needed";
    VkPhysicalDeviceVulkan13Features features13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
    VkPhysicalDeviceVulkan12Features features12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
    features12.pNext = &features13;
    VkPhysicalDeviceFeatures2 features{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    features.pNext = &features12;
    vkGetPhysicalDeviceFeatures2(handle, &features);
    std::string missing;
    const auto need = [&missing](VkBool32 isThere, const char* name)
    {
        if (isThere == VK_FALSE)
            missing += (missing.empty() ? "lacks " : ", ") + std::string(name);
    };
    need(features13.dynamicRendering, "dynamicRendering");
    need(features13.synchronization2, "synchronization2");
    need(features12.timelineSemaphore, "timelineSemaphore");
    need(features.features.independentBlend, "independentBlend");
    need(features.features.fullDrawIndexUint32, "fullDrawIndexUint32");
    return missing;
}

std::string lower(std::string_view text)
{
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    return result;
}

bool hasName(const PhysicalDevice& device, std::string_view part)
{
    std::string names = device.driver.deviceName + "\n" + device.driver.driverName;
    if (device.driverId == VK_DRIVER_ID_MESA_LLVMPIPE)
        names += "\nlavapipe"; // the name that people use; the driver calls itself llvmpipe
    return lower(names).find(lower(part)) != std::string::npos;
}

/// Higher is better, for "auto".
int rank(const PhysicalDevice& device)
{
    switch (device.type)
    {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return 6;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return 5;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return 4;
    default: break;
    }
    if (device.driverId == VK_DRIVER_ID_MESA_LLVMPIPE)
        return 3;
    return device.driverId == VK_DRIVER_ID_GOOGLE_SWIFTSHADER ? 2 : 1;
}

} // namespace

PhysicalDevice describePhysicalDevice(VkPhysicalDevice handle)
{
    VkPhysicalDeviceDriverProperties driver{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES};
    VkPhysicalDeviceProperties2 properties{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2};
    properties.pNext = &driver;
    vkGetPhysicalDeviceProperties2(handle, &properties);
    PhysicalDevice device;
    device.handle = handle;
    device.type = properties.properties.deviceType;
    device.driverId = driver.driverID;
    device.driver.deviceName = properties.properties.deviceName;
    device.driver.driverName = driver.driverName;
    if (driver.driverInfo[0] != '\0')
        device.driver.driverName += std::string(" ") + driver.driverInfo;
    device.driver.isHardware = rank(device) > 3;
    device.driver.whyUnusable = findMissing(handle, properties.properties.apiVersion);
    if (const auto family = findQueueFamily(handle))
        device.queueFamily = *family;
    else
        device.driver.whyUnusable = "no queue for graphics and compute";
    return device;
}

Result<std::vector<PhysicalDevice>> enumeratePhysicalDevices(const Instance& instance)
{
    std::uint32_t count = 0;
    VkResult result = vkEnumeratePhysicalDevices(instance.handle(), &count, nullptr);
    std::vector<VkPhysicalDevice> handles(count);
    if (result == VK_SUCCESS)
        result = vkEnumeratePhysicalDevices(instance.handle(), &count, handles.data());
    if (result != VK_SUCCESS && result != VK_INCOMPLETE)
        return makeError(result, "list the Vulkan devices");
    handles.resize(count);
    std::vector<PhysicalDevice> devices;
    for (const VkPhysicalDevice handle : handles)
        devices.push_back(describePhysicalDevice(handle));
    return devices;
}

Result<PhysicalDevice> choosePhysicalDevice(const std::vector<PhysicalDevice>& devices, std::string_view namePart)
{
    const PhysicalDevice* best = nullptr;
    for (const PhysicalDevice& device : devices)
    {
        const bool isCandidate = device.driver.whyUnusable.empty() && (namePart == "auto" || hasName(device, namePart));
        if (isCandidate && (best == nullptr || rank(device) > rank(*best)))
            best = &device;
    }
    if (best != nullptr)
        return *best;
    std::string message = "no usable Vulkan driver has \"" + std::string(namePart) + "\" in its name; seen:";
    if (devices.empty())
        message += " none (install the package mesa-vulkan-drivers)";
    for (const PhysicalDevice& device : devices)
    {
        message += &device == devices.data() ? " " : "; ";
        message += device.driver.deviceName + " [" + device.driver.driverName + "]";
        if (!device.driver.whyUnusable.empty())
            message += " (unusable: " + device.driver.whyUnusable + ")";
    }
    return Error{ErrorCode::NotFound, std::move(message)};
}

} // namespace dl::gpu::vulkan
