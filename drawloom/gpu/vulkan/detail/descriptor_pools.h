// drawloom/gpu/vulkan/detail/descriptor_pools.h - descriptor sets for bind groups, from pools that are added as needed.
#pragma once

#include "drawloom/core/result.h"
#include "drawloom/gpu/vulkan/detail/objects.h"

#include <cstdint>
#include <vector>

namespace dl::gpu::vulkan
{

class DescriptorPools
{
public:
    DescriptorPools(VkDevice device, const VolkDeviceTable& vk) : m_device(device), m_vk(vk) {}
    ~DescriptorPools();
    DescriptorPools(const DescriptorPools&) = delete;
    DescriptorPools& operator=(const DescriptorPools&) = delete;

    /// A set of one layout; its content is the caller's to write.
    Result<BindGroup> allocate(VkDescriptorSetLayout layout, const DescriptorCounts& counts);
    void free(const BindGroup& group);

private:
    struct Pool
    {
        VkDescriptorPool handle = VK_NULL_HANDLE;
        std::uint32_t freeSets = 0;
        DescriptorCounts freeDescriptors = {};
    };

    bool hasRoom(const Pool& pool, const DescriptorCounts& counts) const;
    VkResult tryAllocate(std::uint32_t poolIndex, VkDescriptorSetLayout layout, BindGroup& group);
    Result<std::uint32_t> addPool(const DescriptorCounts& counts);

    VkDevice m_device;
    const VolkDeviceTable& m_vk;
    std::vector<Pool> m_pools;
    std::uint32_t m_lastPool = 0; // where the last set came from: most likely to have room
};

} // namespace dl::gpu::vulkan
