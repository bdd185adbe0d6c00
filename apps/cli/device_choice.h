// apps/cli/device_choice.h - makes the device that the options ask for, with its decorators.
#pragma once

#include "apps/cli/render_options.h"
#include "drawloom/core/result.h"
#include "drawloom/gpu/capture.h"
#include "drawloom/gpu/device.h"

#include <memory>
#include <string>
#include <vector>

namespace dl::cli
{

/// The outermost device is `device()`. With validation its messages are printed to stderr and counted.
class ChosenDevice
{
public:
    static Result<std::unique_ptr<ChosenDevice>> create(const DeviceOptions& options, bool isCapturing);

    gpu::Device& device() { return *m_outer; }
    bool hasPixels() const { return m_hasPixels; } ///< the null device draws nothing
    gpu::CaptureDevice* capture() { return m_capture; }
    std::uint32_t messageCount() const { return m_messageCount; }

private:
    ChosenDevice() = default;
    std::unique_ptr<gpu::Device> m_base, m_validation, m_captureOwner;
    gpu::Device* m_outer = nullptr;
    gpu::CaptureDevice* m_capture = nullptr;
    bool m_hasPixels = true;
    std::uint32_t m_messageCount = 0;
};

} // namespace dl::cli
