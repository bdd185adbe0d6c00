// tests/gpu_vulkan/adopt_test.cpp - an engine's own device and images, and failures injected between us and its driver.
#include "vulkan_fixture.h"

#include <volk.h>

#include <cstring>

namespace dl::gpu
{
namespace
{

// What the injected driver does; see the wrappers below.
VkResult gSubmitResult = VK_SUCCESS;
VkResult gAllocateResult = VK_SUCCESS;
PFN_vkGetInstanceProcAddr gInstanceProcAddr = nullptr;
PFN_vkGetDeviceProcAddr gDeviceProcAddr = nullptr;
PFN_vkQueueSubmit2 gQueueSubmit2 = nullptr;
PFN_vkAllocateMemory gAllocateMemory = nullptr;

VKAPI_ATTR VkResult VKAPI_CALL failingSubmit(VkQueue queue, std::uint32_t count, const VkSubmitInfo2* submits, VkFence fence)
{
    return gSubmitResult != VK_SUCCESS ? gSubmitResult : gQueueSubmit2(queue, count, submits, fence);
}

VKAPI_ATTR VkResult VKAPI_CALL failingAllocate(
    VkDevice device, const VkMemoryAllocateInfo* info, const VkAllocationCallbacks* callbacks, VkDeviceMemory* memory)
{
    return gAllocateResult != VK_SUCCESS ? gAllocateResult : gAllocateMemory(device, info, callbacks, memory);
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL injectedDeviceProc(VkDevice device, const char* name)
{
    const PFN_vkVoidFunction real = gDeviceProcAddr(device, name);
    if (std::strcmp(name, "vkQueueSubmit2") == 0)
    {
        gQueueSubmit2 = reinterpret_cast<PFN_vkQueueSubmit2>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(failingSubmit);
    }
    if (std::strcmp(name, "vkAllocateMemory") == 0)
    {
        gAllocateMemory = reinterpret_cast<PFN_vkAllocateMemory>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(failingAllocate);
    }
    return real;
}

VKAPI_ATTR PFN_vkVoidFunction VKAPI_CALL injectedInstanceProc(VkInstance instance, const char* name)
{
    const PFN_vkVoidFunction real = gInstanceProcAddr(instance, name);
    if (std::strcmp(name, "vkGetDeviceProcAddr") == 0)
    {
        gDeviceProcAddr = reinterpret_cast<PFN_vkGetDeviceProcAddr>(real);
        return reinterpret_cast<PFN_vkVoidFunction>(injectedDeviceProc);
    }
    return real;
}

VKAPI_ATTR VkBool32 VKAPI_CALL collect(
    VkDebugUtilsMessageSeverityFlagBitsEXT, VkDebugUtilsMessageTypeFlagsEXT, const VkDebugUtilsMessengerCallbackDataEXT* data, void* user)
{
    static_cast<std::vector<std::string>*>(user)->emplace_back(data->pMessage);
    return VK_FALSE;
}

/// Stands for an engine: a raw instance and device of lavapipe under the layer.
class VulkanAdopted : public VulkanTest
{
protected:
    void SetUp() override
    {
        if (!isDriverPresent("lavapipe"))
            GTEST_SKIP() << "the Vulkan driver lavapipe is not installed";
        gSubmitResult = gAllocateResult = VK_SUCCESS;
        ASSERT_EQ(volkInitialize(), VK_SUCCESS);
        createInstance();
        ASSERT_NE(m_desc.instance, VkInstance{});
        createEngineDevice();
        ASSERT_NE(m_desc.device, VkDevice{});
    }

    void TearDown() override
    {
        m_device.reset();
        if (m_desc.instance == VK_NULL_HANDLE)
            return;
        volkInitialize();
        volkLoadInstance(m_desc.instance);
        if (m_image != VK_NULL_HANDLE)
        {
            vkDestroyImage(m_desc.device, m_image, nullptr);
            vkFreeMemory(m_desc.device, m_memory, nullptr);
        }
        vkDestroyDevice(m_desc.device, nullptr);
        vkDestroyDebugUtilsMessengerEXT(m_desc.instance, m_messenger, nullptr);
        vkDestroyInstance(m_desc.instance, nullptr);
        for (const std::string& message : m_messages)
            ADD_FAILURE() << message;
    }

    void createInstance()
    {
        VkDebugUtilsMessengerCreateInfoEXT messenger{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
        messenger.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
        messenger.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT;
        messenger.pfnUserCallback = collect;
        messenger.pUserData = &m_messages;
        VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
        application.apiVersion = VK_API_VERSION_1_3;
        const char* const layer = "VK_LAYER_KHRONOS_validation";
        const char* const extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
        VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
        info.pApplicationInfo = &application;
        info.enabledLayerCount = 1;
        info.ppEnabledLayerNames = &layer;
        info.enabledExtensionCount = 1;
        info.ppEnabledExtensionNames = &extension;
        ASSERT_EQ(vkCreateInstance(&info, nullptr, &m_desc.instance), VK_SUCCESS);
        volkLoadInstance(m_desc.instance);
        ASSERT_EQ(vkCreateDebugUtilsMessengerEXT(m_desc.instance, &messenger, nullptr, &m_messenger), VK_SUCCESS);
        m_desc.hasDebugUtils = true;
    }

    void createEngineDevice()
    {
        std::uint32_t count = 8;
        VkPhysicalDevice devices[8] = {};
        vkEnumeratePhysicalDevices(m_desc.instance, &count, devices);
        for (std::uint32_t i = 0; i < count; ++i)
        {
            VkPhysicalDeviceProperties properties{};
            vkGetPhysicalDeviceProperties(devices[i], &properties);
            if (std::strstr(properties.deviceName, "llvmpipe") != nullptr)
                m_desc.physicalDevice = devices[i];
        }
        VkPhysicalDeviceVulkan13Features features13{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES};
        features13.dynamicRendering = features13.synchronization2 = VK_TRUE;
        VkPhysicalDeviceVulkan12Features features12{VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES};
        features12.pNext = &features13;
        features12.timelineSemaphore = VK_TRUE;
        const float priority = 1.0f;
        VkDeviceQueueCreateInfo queue{VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO};
        queue.queueCount = 1;
        queue.pQueuePriorities = &priority;
        VkDeviceCreateInfo info{VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO};
        info.pNext = &features12;
        info.queueCreateInfoCount = 1;
        info.pQueueCreateInfos = &queue;
        ASSERT_EQ(vkCreateDevice(m_desc.physicalDevice, &info, nullptr, &m_desc.device), VK_SUCCESS);
        vkGetDeviceQueue(m_desc.device, 0, 0, &m_desc.queue);
    }

    void adopt()
    {
        auto adopted = adoptVulkanDevice(m_desc);
        ASSERT_TRUE(adopted) << adopted.error().message;
        m_device = std::move(adopted).value();
    }
    /// The injected driver stands between the backend and the engine's device.
    void adoptInjected()
    {
        gInstanceProcAddr = vkGetInstanceProcAddr;
        m_desc.getInstanceProcAddr = injectedInstanceProc;
        adopt();
    }

    void createEngineImage(std::uint32_t size)
    {
        VkImageCreateInfo info{VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO};
        info.imageType = VK_IMAGE_TYPE_2D;
        info.format = VK_FORMAT_R8G8B8A8_UNORM;
        info.extent = {size, size, 1};
        info.mipLevels = info.arrayLayers = 1;
        info.samples = VK_SAMPLE_COUNT_1_BIT;
        info.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT;
        ASSERT_EQ(vkCreateImage(m_desc.device, &info, nullptr, &m_image), VK_SUCCESS);
        VkMemoryRequirements requirements{};
        vkGetImageMemoryRequirements(m_desc.device, m_image, &requirements);
        VkMemoryAllocateInfo allocate{VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO};
        allocate.allocationSize = requirements.size;
        ASSERT_EQ(vkAllocateMemory(m_desc.device, &allocate, nullptr, &m_memory), VK_SUCCESS);
        ASSERT_EQ(vkBindImageMemory(m_desc.device, m_image, m_memory, 0), VK_SUCCESS);
    }

    VulkanAdoptDesc m_desc;
    VkDebugUtilsMessengerEXT m_messenger = VK_NULL_HANDLE;
    VkImage m_image = VK_NULL_HANDLE;
    VkDeviceMemory m_memory = VK_NULL_HANDLE;
};

TEST_F(VulkanAdopted, DrawsIntoAForeignImageAndLeavesTheDeviceToItsOwner)
{
    createEngineImage(16);
    adopt();
    EXPECT_FALSE(device().info().features.contains(Feature::MultiDrawIndirect)) << "the engine did not enable it";
    VulkanImportDesc import;
    import.image = m_image;
    import.texture.width = import.texture.height = 16;
    import.texture.usage = TextureUsage::ColorAttachment | TextureUsage::CopySrc;
    const auto texture = importVulkanTexture(device(), import);
    ASSERT_TRUE(texture) << texture.error().message;
    const Target target{*texture, makeView(*texture), 16, 16};
    CommandStream stream;
    barrier(stream, target.texture, {}, Access::ColorWrite);
    beginPass(stream, target);
    stream.setPipeline(makePipeline("vsCorner", "fsWhite"));
    stream.draw({3, 1, 0, 0});
    stream.endRenderPass();
    readTexture(stream, target, Access::ColorWrite, 1);
    run(stream);
    EXPECT_EQ(picture(target, 1).at(1, 1), kWhite);
    EXPECT_EQ(picture(target, 1).at(14, 14), kBlack);
    EXPECT_EQ(vulkanImageLayout(Format::RGBA8Unorm, Access::CopyRead), VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
    device().destroy(*texture);
    EXPECT_EQ(device().memoryStats().textureBytes, 0U) << "a foreign image is not our memory";
    m_device.reset();
    EXPECT_EQ(vkDeviceWaitIdle(m_desc.device), VK_SUCCESS) << "the engine's device goes on";
}

TEST_F(VulkanAdopted, ForeignLayoutIsWhereTheFirstBarrierStarts)
{
    createEngineImage(8);
    adopt();
    VulkanImportDesc import;
    import.image = m_image;
    import.texture.width = import.texture.height = 8;
    import.texture.usage = TextureUsage::ColorAttachment | TextureUsage::CopySrc;
    const auto first = importVulkanTexture(device(), import);
    ASSERT_TRUE(first);
    const Target engine{*first, makeView(*first), 8, 8};
    CommandStream stream;
    barrier(stream, engine.texture, {}, Access::ColorWrite);
    beginPass(stream, engine, {0, 1, 0, 1});
    stream.endRenderPass();
    run(stream);
    // Imported again in the layout that the pass left it in, and read without being discarded.
    import.layout = vulkanImageLayout(Format::RGBA8Unorm, Access::ColorWrite);
    const auto second = importVulkanTexture(device(), import);
    ASSERT_TRUE(second);
    const Target target{*second, {}, 8, 8};
    barrier(stream, target.texture, Access::SampledRead, Access::CopyWrite);
    stream.writeTexture({target.texture, 0, 0, 0, 0, 8, 8, 1}, 32, 8, std::vector<std::byte>(8)); // refused: too short
    EXPECT_FALSE(device().submit(stream.bytes()));
    stream.clear();
    readTexture(stream, target, Access::SampledRead, 1); // its owner's state counts, not the stream's claim
    run(stream);
    EXPECT_EQ(picture(target, 1).at(3, 3), (Picture::Pixel{0, 255, 0, 255}));
}

TEST_F(VulkanAdopted, IncompleteDescsAreRefused)
{
    VulkanAdoptDesc desc = m_desc;
    desc.queue = VK_NULL_HANDLE;
    const auto adopted = adoptVulkanDevice(desc);
    ASSERT_FALSE(adopted);
    EXPECT_EQ(adopted.error().code, ErrorCode::InvalidArgument);
    adopt();
    const auto texture = importVulkanTexture(device(), {});
    ASSERT_FALSE(texture);
    EXPECT_EQ(texture.error().code, ErrorCode::InvalidArgument);
}

TEST_F(VulkanAdopted, ALostDeviceIsToldOnceAndEveryLaterCallFails)
{
    adoptInjected();
    const BufferId buffer = makeBuffer(64, BufferUsage::CopyDst);
    ASSERT_TRUE(device().submit({}));
    gSubmitResult = VK_ERROR_DEVICE_LOST;
    const auto lost = device().submit({});
    ASSERT_FALSE(lost);
    EXPECT_EQ(lost.error().code, ErrorCode::DeviceLost);
    gSubmitResult = VK_SUCCESS; // once lost, always lost
    EXPECT_EQ(device().submit({}).error().code, ErrorCode::DeviceLost);
    EXPECT_EQ(device().createBuffer({"late", 64, BufferUsage::CopyDst}).error().code, ErrorCode::DeviceLost);
    EXPECT_EQ(device().createSampler({}).error().code, ErrorCode::DeviceLost);
    EXPECT_EQ(device().waitIdle().error().code, ErrorCode::DeviceLost);
    for (int i = 0; i < 2; ++i)
        device().poll(m_completions);
    int lostCount = 0;
    for (const Completion& completion : m_completions)
        lostCount += completion.kind == CompletionKind::DeviceLost ? 1 : 0;
    EXPECT_EQ(lostCount, 1);
    device().destroy(buffer);
    // The driver under the injected loss is alive: let it finish, so that the layer sees nothing destroyed in use.
    EXPECT_EQ(vkDeviceWaitIdle(m_desc.device), VK_SUCCESS);
}

TEST_F(VulkanAdopted, RefusedMemoryIsAnErrorAndTheDeviceGoesOn)
{
    createEngineImage(16);
    adoptInjected();
    gAllocateResult = VK_ERROR_OUT_OF_DEVICE_MEMORY;
    const auto buffer = device().createBuffer({"unlucky", 64U << 20U, BufferUsage::CopyDst});
    ASSERT_FALSE(buffer);
    EXPECT_EQ(buffer.error().code, ErrorCode::OutOfMemory);
    EXPECT_NE(buffer.error().message.find("unlucky"), std::string::npos);
    TextureDesc desc;
    desc.width = desc.height = 2048;
    desc.usage = TextureUsage::Sampled;
    const auto texture = device().createTexture(desc);
    ASSERT_FALSE(texture);
    EXPECT_EQ(texture.error().code, ErrorCode::OutOfMemory);
    // An upload into an image that is not ours: the staging memory is the first that the backend asks for.
    VulkanImportDesc import;
    import.image = m_image;
    import.texture.width = import.texture.height = 16;
    import.texture.usage = TextureUsage::CopyDst | TextureUsage::CopySrc;
    const auto imported = importVulkanTexture(device(), import);
    ASSERT_TRUE(imported);
    const Target target{*imported, {}, 16, 16};
    CommandStream stream;
    barrier(stream, target.texture, {}, Access::CopyWrite);
    stream.writeTexture({target.texture, 0, 0, 0, 0, 16, 16, 1}, 64, 16, std::vector<std::byte>(1024, std::byte{255}));
    const auto refused = device().submit(stream.bytes());
    ASSERT_FALSE(refused) << "no staging memory";
    EXPECT_EQ(refused.error().code, ErrorCode::OutOfMemory);
    gAllocateResult = VK_SUCCESS;
    readTexture(stream, target, Access::CopyWrite, 1);
    run(stream);
    EXPECT_EQ(picture(target, 1).at(15, 15), kWhite);
    EXPECT_EQ(device().memoryStats().textureBytes, 0U);
}

} // namespace
} // namespace dl::gpu
