// apps/samples/sample.h - what the samples share so that each can be about its one matter: a device, a box, a picture file.
#pragma once

#include "drawloom/asset/material.h"
#include "drawloom/gpu/device.h"
#include "drawloom/render/offscreen.h"

#include <memory>
#include <string>
#include <string_view>

namespace dl::samples
{

/// usage of every sample: sample_NAME [OUT.png [DRIVER]]
struct Arguments
{
    std::string out;             ///< path of the picture
    std::string driver = "auto"; ///< as VulkanDeviceSettings::driverNamePart
};
Arguments parseArguments(int argc, char** argv, std::string_view defaultOut);

Result<std::unique_ptr<gpu::Device>> createDevice(const Arguments& arguments);

/// A unit cube around the origin with one material, in the renderer's library.
Result<MeshSetId> addBox(Renderer& renderer, std::string_view name, const Material& material);

/// Draws until everything is there, then once more, and writes that picture.
Result<void> writePicture(Renderer& renderer, const FrameDesc& frame, const std::string& path);

/// Prints an error to stderr; the program's exit code.
int finish(const Result<void>& result);

} // namespace dl::samples
