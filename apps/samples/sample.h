// apps/samples/sample.h - what the samples share so that each can be about its one matter: a device, a picture file.
#pragma once

#include "drawloom/gpu/device.h"
#include "drawloom/render/offscreen.h"

#include <memory>
#include <string>
#include <string_view>

namespace dl::samples
{

/// usage of the samples: sample_NAME [OUT.png [DRIVER]]
struct Arguments
{
    std::string out;             ///< path of the picture
    std::string driver = "auto"; ///< as VulkanDeviceSettings::driverNamePart
};

struct SampleAbout
{
    const char* name; ///< without sample_
    const char* what; ///< one sentence for --help
    bool takesDriver = true;
};

/// The main function of every sample: reads the words, runs, prints an error to stderr. Returns the exit code, with
/// the meaning that `drawloom` gives it: 0 done (or --help), 1 a fault of ours, 2 words that it does not know, 3 a picture that can
/// not be written, 4 no device, or lost. The picture is NAME.png unless it is named.
int runSample(int argc, char** argv, const SampleAbout& about, Result<void> (*run)(const Arguments& arguments));

Result<std::unique_ptr<gpu::Device>> createDevice(const Arguments& arguments);

/// Draws until everything is there, then once more, and writes that picture.
Result<void> writePicture(Renderer& renderer, const FrameDesc& frame, const std::string& path);

} // namespace dl::samples
