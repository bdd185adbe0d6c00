// drawloom/gpu/vulkan/detail/descriptor_pools.cpp
#include "drawloom/gpu/vulkan/detail/descriptor_pools.h"

#include "drawloom/gpu/vulkan/detail/errors.h"

#include <algorithm>
#include <string>

namespace dl::gpu::vulkan
{
namespace
{

constexpr std::uint32_t kSetsPerPool = 256;
// Per pool, in the order of kDescriptorTypes: about what 256 bind groups of a frame hold.
constexpr DescriptorCounts kDescriptorsPerPool = {256, 256, 1024, 256, 1024, 64, 512};

} // namespace

DescriptorPools::~DescriptorPools()
{
    for (const Pool& pool : m_pools)
        m_vk.vkDestroyDescriptorPool(m_device, pool.handle, nullptr);
}

bool DescriptorPools::hasRoom(const Pool& pool, const DescriptorCounts& counts) const
{
    if (pool.freeSets == 0)
        return false;
    for (std::size_t type = 0; type < counts.size(); ++type)
        if (pool.freeDescriptors[type] < counts[type])
            return false;
    return true;
}

Result<BindGroup> DescriptorPools::allocate(VkDescriptorSetLayout layout, const DescriptorCounts& counts)
{
    BindGroup group;
    group.counts = counts;
    const auto poolCount = static_cast<std::uint32_t>(m_pools.size());
    for (std::uint32_t i = 0; i < poolCount; ++i)
    {
        const std::uint32_t poolIndex = (m_lastPool + i) % poolCount;
        if (!hasRoom(m_pools[poolIndex], counts))
            continue;
        const VkResult result = tryAllocate(poolIndex, layout, group);
        if (result == VK_SUCCESS)
            return group;
        // A pool of sets that come and go can be full of holes: the next one, or a new one, serves.
        if (result != VK_ERROR_FRAGMENTED_POOL && result != VK_ERROR_OUT_OF_POOL_MEMORY)
            return makeError(result, "allocate a descriptor set");
    }
    DL_TRY_ASSIGN(const std::uint32_t poolIndex, addPool(counts));
    if (const VkResult result = tryAllocate(poolIndex, layout, group); result != VK_SUCCESS)
        return makeError(result, "allocate a descriptor set from a new pool");
    return group;
}

VkResult DescriptorPools::tryAllocate(std::uint32_t poolIndex, VkDescriptorSetLayout layout, BindGroup& group)
{
    Pool& pool = m_pools[poolIndex];
    VkDescriptorSetAllocateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO};
    info.descriptorPool = pool.handle;
    info.descriptorSetCount = 1;
    info.pSetLayouts = &layout;
    const VkResult result = m_vk.vkAllocateDescriptorSets(m_device, &info, &group.handle);
    if (result != VK_SUCCESS)
        return result;
    group.poolIndex = poolIndex;
    pool.freeSets -= 1;
    for (std::size_t type = 0; type < group.counts.size(); ++type)
        pool.freeDescriptors[type] -= group.counts[type];
    m_lastPool = poolIndex;
    return VK_SUCCESS;
}

Result<std::uint32_t> DescriptorPools::addPool(const DescriptorCounts& counts)
{
    Pool pool;
    pool.freeSets = kSetsPerPool;
    std::array<VkDescriptorPoolSize, kDescriptorTypes.size()> sizes{};
    for (std::size_t type = 0; type < counts.size(); ++type)
    {
        pool.freeDescriptors[type] = std::max(kDescriptorsPerPool[type], counts[type]);
        sizes[type] = {kDescriptorTypes[type], pool.freeDescriptors[type]};
    }
    VkDescriptorPoolCreateInfo info{VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO};
    info.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT;
    info.maxSets = pool.freeSets;
    info.poolSizeCount = static_cast<std::uint32_t>(sizes.size());
    info.pPoolSizes = sizes.data();
    if (const VkResult result = m_vk.vkCreateDescriptorPool(m_device, &info, nullptr, &pool.handle); result != VK_SUCCESS)
        return makeError(result, "create descriptor pool " + std::to_string(m_pools.size()));
    m_pools.push_back(pool);
    return static_cast<std::uint32_t>(m_pools.size() - 1);
}

void DescriptorPools::free(const BindGroup& group)
{
    Pool& pool = m_pools[group.poolIndex];
    m_vk.vkFreeDescriptorSets(m_device, pool.handle, 1, &group.handle);
    pool.freeSets += 1;
    for (std::size_t type = 0; type < group.counts.size(); ++type)
        pool.freeDescriptors[type] += group.counts[type];
}

} // namespace dl::gpu::vulkan
