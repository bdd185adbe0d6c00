// drawloom/gpu/vulkan/detail/logical_device.h - the VkDevice, its functions and what it can do.
#pragma once

#include "drawloom/gpu/vulkan/detail/instance.h"

#include <volk.h>

#include <memory>

namespace dl::gpu::vulkan
{

/// Owns the VkDevice, or refers to an adopter's; owns the instance wrapper behind it.
class LogicalDevice
{
public:
    LogicalDevice() = default;
    ~LogicalDevice();
    LogicalDevice(const LogicalDevice&) = delete;
    LogicalDevice& operator=(const LogicalDevice&) = delete;

    static Result<std::unique_ptr<LogicalDevice>> create(std::unique_ptr<Instance> instance, const PhysicalDevice& physical);
    static Result<std::unique_ptr<LogicalDevice>> adopt(const VulkanAdoptDesc& desc);

    VkDevice handle() const { return m_device; }
    VkPhysicalDevice physicalDevice() const { return m_physical; }
    VkQueue queue() const { return m_queue; }
    std::uint32_t queueFamily() const { return m_queueFamily; }
    const Instance& instance() const { return *m_instance; }
    const InstanceFunctions& instanceFunctions() const { return m_instance->functions(); }
    const VolkDeviceTable& vk() const { return m_table; }
    const DeviceInfo& info() const { return m_info; }
    const VkPhysicalDeviceProperties& properties() const { return m_properties; }
    const VkPhysicalDeviceFeatures& enabledFeatures() const { return m_enabled; }

    /// Shows in validation messages and debuggers; empty labels cost nothing.
    void setName(VkObjectType type, std::uint64_t object, std::string_view label) const;

private:
    void load(const PhysicalDevice& physical, bool hasDrawIndirectCount);
    void fillLimits();
    void fillFeatures(bool hasDrawIndirectCount);

    std::unique_ptr<Instance> m_instance;
    VkPhysicalDevice m_physical = VK_NULL_HANDLE;
    VkDevice m_device = VK_NULL_HANDLE;
    VkQueue m_queue = VK_NULL_HANDLE;
    std::uint32_t m_queueFamily = 0;
    VolkDeviceTable m_table = {};
    VkPhysicalDeviceProperties m_properties = {};
    VkPhysicalDeviceFeatures m_enabled = {};
    DeviceInfo m_info;
    bool m_isOwned = false;
};

template <class T> std::uint64_t handleBits(T handle)
{
    return (std::uint64_t)handle; // a pointer on 64-bit systems, an integer on others: only this cast serves both
}

} // namespace dl::gpu::vulkan
