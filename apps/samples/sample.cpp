#include "sample.h"

#include "drawloom/asset/png_write.h"
#include "drawloom/gpu/vulkan/vulkan_device.h"

#include <cstdio>

namespace dl::samples
{
namespace
{

/// What `drawloom` means by them (apps/cli/exit_codes.h): samples read no files, so that what is not found is a driver.
int exitCodeOf(const Error& error)
{
    switch (error.code)
    {
    case ErrorCode::Io: return 3;
    case ErrorCode::NotFound:
    case ErrorCode::Unsupported:
    case ErrorCode::OutOfMemory:
    case ErrorCode::DeviceLost: return 4;
    default: return 1;
    }
}

} // namespace

int runSample(int argc, char** argv, const SampleAbout& about, Result<void> (*run)(const Arguments& arguments))
{
    const std::string_view first = argc > 1 ? argv[1] : "";
    const bool isHelp = first == "--help" || first == "-h";
    if (isHelp || argc > (about.takesDriver ? 3 : 2) || first.substr(0, 1) == "-")
    {
        std::fprintf(
            isHelp ? stdout : stderr, "usage: sample_%s [OUT.png%s]   %s\n", about.name, about.takesDriver ? " [DRIVER]" : "", about.what);
        return isHelp ? 0 : 2;
    }
    Arguments arguments;
    arguments.out = argc > 1 ? std::string(first) : std::string(about.name) + ".png";
    if (argc > 2)
        arguments.driver = argv[2];
    const Result<void> result = run(arguments);
    if (!result)
        std::fprintf(stderr, "sample_%s: %s\n", about.name, result.error().message.c_str());
    return result ? 0 : exitCodeOf(result.error());
}

Result<std::unique_ptr<gpu::Device>> createDevice(const Arguments& arguments)
{
    gpu::VulkanDeviceSettings settings;
    settings.driverNamePart = arguments.driver;
    return gpu::createVulkanDevice(settings);
}

Result<void> writePicture(Renderer& renderer, const FrameDesc& frame, const std::string& path)
{
    DL_TRY_ASSIGN(const OffscreenPicture result, renderOffscreen(renderer, {}, frame));
    DL_TRY(writePng(path, result.picture));
    std::printf("wrote %s\n", path.c_str());
    return {};
}

} // namespace dl::samples
