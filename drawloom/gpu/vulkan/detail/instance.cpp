// drawloom/gpu/vulkan/detail/instance.cpp - loader, instance, validation messages.
#include "drawloom/gpu/vulkan/detail/instance.h"

#include "drawloom/core/log.h"
#include "drawloom/gpu/vulkan/detail/errors.h"

#include <cstdlib>
#include <cstring>
#include <string>
#include <unistd.h>
#include <utility>

namespace dl::gpu::vulkan
{
namespace
{

constexpr const char* kValidationLayer = "VK_LAYER_KHRONOS_validation";
// Where Debian's chromium package keeps SwiftShader, out of the loader's search path.
constexpr const char* kSwiftShaderDriver = "/usr/lib/chromium/vk_swiftshader_icd.json";
constexpr const char* kAddDriverFiles = "VK_ADD_DRIVER_FILES";

/// Lets the loader see SwiftShader while it looks for drivers, unless the user chose drivers by environment.
class ExtraDriverScope
{
public:
    ExtraDriverScope()
    {
        for (const char* name : {kAddDriverFiles, "VK_DRIVER_FILES", "VK_ICD_FILENAMES"})
            if (std::getenv(name) != nullptr)
                return;
        if (access(kSwiftShaderDriver, R_OK) == 0)
            m_isSet = setenv(kAddDriverFiles, kSwiftShaderDriver, 0) == 0;
    }
    ~ExtraDriverScope()
    {
        if (m_isSet)
            unsetenv(kAddDriverFiles);
    }
    ExtraDriverScope(const ExtraDriverScope&) = delete;
    ExtraDriverScope& operator=(const ExtraDriverScope&) = delete;

private:
    bool m_isSet = false;
};

VKAPI_ATTR VkBool32 VKAPI_CALL onDebugMessage(VkDebugUtilsMessageSeverityFlagBitsEXT severity, VkDebugUtilsMessageTypeFlagsEXT type,
    const VkDebugUtilsMessengerCallbackDataEXT* data, void* user)
{
    // The loader reports drivers that it can not load as general messages: no business of a frame.
    if ((type & (VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT)) == 0)
        return VK_FALSE;
    VulkanMessage message;
    message.isError = severity == VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    message.name = data->pMessageIdName != nullptr ? data->pMessageIdName : "";
    message.text = data->pMessage != nullptr ? data->pMessage : "";
    const auto& handler = *static_cast<const VulkanMessageHandler*>(user);
    if (handler)
        handler(message);
    else
        log(message.isError ? LogLevel::Error : LogLevel::Warning, message.text);
    return VK_FALSE;
}

VkDebugUtilsMessengerCreateInfoEXT messengerInfo(VulkanMessageHandler* handler)
{
    VkDebugUtilsMessengerCreateInfoEXT info{VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT};
    info.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT;
    info.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT | VK_DEBUG_UTILS_MESSAGE_TYPE_PERFORMANCE_BIT_EXT;
    info.pfnUserCallback = onDebugMessage;
    info.pUserData = handler;
    return info;
}

bool hasLayer(const char* name)
{
    std::uint32_t count = 0;
    vkEnumerateInstanceLayerProperties(&count, nullptr);
    std::vector<VkLayerProperties> layers(count);
    vkEnumerateInstanceLayerProperties(&count, layers.data());
    for (const VkLayerProperties& layer : layers)
        if (std::strcmp(layer.layerName, name) == 0)
            return true;
    return false;
}

bool hasInstanceExtension(const char* name)
{
    std::uint32_t count = 0;
    vkEnumerateInstanceExtensionProperties(nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> extensions(count);
    vkEnumerateInstanceExtensionProperties(nullptr, &count, extensions.data());
    for (const VkExtensionProperties& extension : extensions)
        if (std::strcmp(extension.extensionName, name) == 0)
            return true;
    return false;
}

Result<void> loadLoader(PFN_vkGetInstanceProcAddr custom)
{
    if (custom != nullptr)
        volkInitializeCustom(custom);
    else if (volkInitialize() != VK_SUCCESS)
        return Error{ErrorCode::NotFound, "no Vulkan loader (libvulkan.so.1): install the package libvulkan1 and a driver"};
    if (volkGetInstanceVersion() < VK_API_VERSION_1_3)
        return Error{ErrorCode::Unsupported, "the Vulkan loader is older than 1.3"};
    return {};
}

} // namespace

Result<std::unique_ptr<Instance>> Instance::create(bool enableValidation, VulkanMessageHandler onMessage)
{
    DL_TRY(loadLoader(nullptr));
    const ExtraDriverScope extraDrivers;
    if (enableValidation && !hasLayer(kValidationLayer))
        return Error{ErrorCode::Unsupported, "VK_LAYER_KHRONOS_validation is not installed: install the package vulkan-validationlayers"};
    const bool hasDebugUtils = hasInstanceExtension(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);

    auto instance = std::make_unique<Instance>();
    instance->m_onMessage = std::move(onMessage);
    std::vector<const char*> extensions;
    if (hasDebugUtils)
        extensions.push_back(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    VkApplicationInfo application{VK_STRUCTURE_TYPE_APPLICATION_INFO};
    application.pEngineName = "Drawloom";
    application.apiVersion = VK_API_VERSION_1_3;
    VkInstanceCreateInfo info{VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO};
    info.pApplicationInfo = &application;
    VkDebugUtilsMessengerCreateInfoEXT messenger = messengerInfo(&instance->m_onMessage);
    const VkValidationFeatureEnableEXT enables[] = {VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT};
    VkValidationFeaturesEXT validation{VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT};
    if (enableValidation)
    {
        extensions.push_back(VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME); // the layer offers it
        validation.enabledValidationFeatureCount = 1;
        validation.pEnabledValidationFeatures = enables;
        info.pNext = &validation;
        validation.pNext = hasDebugUtils ? &messenger : nullptr;
        info.enabledLayerCount = 1;
        info.ppEnabledLayerNames = &kValidationLayer;
    }
    info.enabledExtensionCount = static_cast<std::uint32_t>(extensions.size());
    info.ppEnabledExtensionNames = extensions.data();
    if (const VkResult result = vkCreateInstance(&info, nullptr, &instance->m_instance); result != VK_SUCCESS)
    {
        if (result == VK_ERROR_INCOMPATIBLE_DRIVER)
            return Error{ErrorCode::NotFound, "no Vulkan driver: install the package mesa-vulkan-drivers"};
        return makeError(result, "create a Vulkan instance");
    }
    instance->m_isOwned = true;
    instance->loadFunctions(hasDebugUtils);
    if (enableValidation && hasDebugUtils)
        vkCreateDebugUtilsMessengerEXT(instance->m_instance, &messenger, nullptr, &instance->m_messenger);
    return instance;
}

Result<std::unique_ptr<Instance>> Instance::adopt(VkInstance handle, PFN_vkGetInstanceProcAddr getProcAddr, bool hasDebugUtils)
{
    DL_TRY(loadLoader(getProcAddr));
    auto instance = std::make_unique<Instance>();
    instance->m_instance = handle;
    instance->loadFunctions(hasDebugUtils);
    return instance;
}

void Instance::loadFunctions(bool hasDebugUtils)
{
    volkLoadInstanceOnly(m_instance);
    m_functions.getInstanceProcAddr = vkGetInstanceProcAddr;
    m_functions.getDeviceProcAddr = vkGetDeviceProcAddr;
    m_functions.destroyInstance = vkDestroyInstance;
    m_functions.getImageFormatProperties = vkGetPhysicalDeviceImageFormatProperties;
    m_functions.getFormatProperties = vkGetPhysicalDeviceFormatProperties;
    if (!hasDebugUtils)
        return;
    m_functions.destroyMessenger = vkDestroyDebugUtilsMessengerEXT;
    m_functions.setObjectName = vkSetDebugUtilsObjectNameEXT;
    m_functions.cmdBeginLabel = vkCmdBeginDebugUtilsLabelEXT;
    m_functions.cmdEndLabel = vkCmdEndDebugUtilsLabelEXT;
}

Instance::~Instance()
{
    if (m_messenger != VK_NULL_HANDLE)
        m_functions.destroyMessenger(m_instance, m_messenger, nullptr);
    if (m_isOwned)
        m_functions.destroyInstance(m_instance, nullptr);
}

} // namespace dl::gpu::vulkan
