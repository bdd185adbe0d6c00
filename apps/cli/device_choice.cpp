#include "apps/cli/device_choice.h"

#include "drawloom/gpu/null_device.h"
#include "drawloom/gpu/validation_device.h"
#include "drawloom/gpu/vulkan/vulkan_device.h"

#include <cstdio>

namespace dl::cli
{

void printClean(const ValidationCounts& counts)
{
    if (counts.warnings == 0)
        std::fputs("drawloom: validation: no findings\n", stderr);
    else
        std::fprintf(stderr, "drawloom: validation: no faults, %u warnings\n", counts.warnings);
}

void ChosenDevice::report(bool isError, const char* who, std::string_view text)
{
    std::fprintf(stderr, "drawloom: %s %s: %.*s\n", who, isError ? "fault" : "warning", static_cast<int>(text.size()), text.data());
    (isError ? m_counts.faults : m_counts.warnings) += 1;
}

Result<void> ChosenDevice::createBase(const DeviceOptions& options)
{
    if (options.backend == "null")
    {
        m_base = gpu::createNullDevice({.loseAtSubmission = options.loseAtSubmission});
        m_hasPixels = false;
        return {};
    }
    gpu::VulkanDeviceSettings settings;
    settings.driverNamePart = options.driver;
    settings.pipelineCacheFolder = options.pipelineCacheFolder;
    settings.enableKhronosValidation = options.isValidating;
    settings.onMessage = [this](const gpu::VulkanMessage& message) { report(message.isError, "Khronos validation", message.text); };
    Result<std::unique_ptr<gpu::Device>> device = gpu::createVulkanDevice(settings);
    if (!device && device.error().code == ErrorCode::Unsupported && options.isValidating)
    {
        std::fprintf(stderr, "drawloom: %s; our own validation goes on without it\n", device.error().message.c_str());
        settings.enableKhronosValidation = false;
        device = gpu::createVulkanDevice(settings);
    }
    if (!device)
        return std::move(device).error();
    m_base = std::move(device).value();
    m_pipelineCacheFolder = options.pipelineCacheFolder;
    return {};
}

Result<void> ChosenDevice::savePipelineCache()
{
    return m_pipelineCacheFolder.empty() ? Result<void>() : gpu::saveVulkanPipelineCache(*m_base, m_pipelineCacheFolder);
}

Result<std::unique_ptr<ChosenDevice>> ChosenDevice::create(const DeviceOptions& options, bool isCapturing)
{
    std::unique_ptr<ChosenDevice> chosen(new ChosenDevice);
    DL_TRY(chosen->createBase(options));
    chosen->m_outer = chosen->m_base.get();
    if (options.isValidating || options.isChecking)
    {
        gpu::ValidationSettings settings;
        settings.handler = [self = chosen.get()](const gpu::ValidationMessage& message)
        { self->report(message.isError, "validation", message.text); };
        chosen->m_validation = gpu::createValidationDevice(*chosen->m_outer, settings);
        chosen->m_outer = chosen->m_validation.get();
    }
    if (isCapturing)
    {
        chosen->m_capture = gpu::createCaptureDevice(*chosen->m_outer);
        chosen->m_outer = chosen->m_capture.get();
    }
    return chosen;
}

} // namespace dl::cli
