// Draws with the Vulkan device of an existing engine: here, one that this program makes itself and links libvulkan for.
// Nothing of the engine's is destroyed. usage: sample_adopted_device [OUT.png]
#include "box.h"
#include "sample.h"

#include "drawloom/gpu/vulkan/vulkan_device.h"

#include <vulkan/vulkan.h>

#include <cstdio>

namespace dl::samples
{
namespace
{

/// What an engine has already. The adopted device needs Vulkan 1.3 with these three features.
struct Engine
{
    gpu::VulkanAdoptDesc vulkan;

    ~Engine()
    {
        vkDestroyDevice(vulkan.device, nullptr);
        if (vulkan.instance != VK_NULL_HANDLE)
            vkDestroyInstance(vulkan.instance, nullptr);
    }

    bool start()
    {
        VkApplicationInfo application{.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO, .apiVersion = VK_API_VERSION_1_3};
        VkInstanceCreateInfo instance{.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO, .pApplicationInfo = &application};
        if (vkCreateInstance(&instance, nullptr, &vulkan.instance) != VK_SUCCESS)
            return false;
        std::uint32_t count = 1;
        vkEnumeratePhysicalDevices(vulkan.instance, &count, &vulkan.physicalDevice);
        if (count == 0)
            return false;
        VkPhysicalDeviceVulkan13Features features13{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
        features13.synchronization2 = features13.dynamicRendering = VK_TRUE;
        VkPhysicalDeviceVulkan12Features features12{.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES, .pNext = &features13};
        features12.timelineSemaphore = VK_TRUE;
        const float priority = 1.0f;
        VkDeviceQueueCreateInfo queue{.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
        VkDeviceCreateInfo device{.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO, .pNext = &features12};
        device.queueCreateInfoCount = 1;
        device.pQueueCreateInfos = &queue;
        device.pEnabledFeatures = &vulkan.enabledFeatures; // the adopted device is told the same
        if (vkCreateDevice(vulkan.physicalDevice, &device, nullptr, &vulkan.device) != VK_SUCCESS)
            return false;
        vkGetDeviceQueue(vulkan.device, vulkan.queueFamily, 0, &vulkan.queue);
        return true;
    }
};

Result<void> run(const Arguments& arguments)
{
    Engine engine; // outlives the adopted device
    if (!engine.start())
        return Error{ErrorCode::Unsupported, "no Vulkan driver that an engine could use"};
    DL_TRY_ASSIGN(const std::unique_ptr<gpu::Device> device, gpu::adoptVulkanDevice(engine.vulkan));
    DL_TRY_ASSIGN(const std::unique_ptr<Renderer> renderer, Renderer::create(*device));
    DL_TRY_ASSIGN(const Box box, addBox(*renderer, "box", {.baseColorFactor = {0.2f, 0.4f, 0.8f, 1}, .metallicFactor = 0}));
    InstanceDesc instance;
    instance.meshSet = box.meshSet;
    renderer->registry().add(instance);
    FrameDesc frame;
    frame.camera = lookAtCamera({1.5, 1.2, 2.0}, {0.0, 0.0, 0.0});
    return writePicture(*renderer, frame, arguments.out);
}

} // namespace
} // namespace dl::samples

int main(int argc, char** argv)
{
    using namespace dl::samples;
    return runSample(argc, argv, {"adopted_device", "Draws with the Vulkan device of an existing engine.", false}, &run);
}
