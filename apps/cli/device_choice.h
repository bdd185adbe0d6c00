// apps/cli/device_choice.h - makes the device that the options ask for, with its decorators.
#pragma once

#include "apps/cli/render_options.h"
#include "drawloom/core/result.h"
#include "drawloom/gpu/capture.h"
#include "drawloom/gpu/device.h"

#include <memory>

namespace dl::cli
{

class ChosenDevice
{
public:
    /// NotFound, Unsupported: no such driver; the message lists those that were seen.
    static Result<std::unique_ptr<ChosenDevice>> create(const DeviceOptions& options, bool isCapturing);

    /// The outermost decorator.
    gpu::Device& device() { return *m_outer; }
    /// The null device draws nothing.
    bool hasPixels() const { return m_hasPixels; }
    gpu::CaptureDevice* capture() { return m_capture.get(); }
    /// Faults that validation printed to stderr; warnings are printed and not counted.
    std::uint32_t faultCount() const { return m_faultCount; }

private:
    ChosenDevice() = default;
    Result<void> createBase(const DeviceOptions& options);
    void report(bool isError, const char* who, std::string_view text);

    std::unique_ptr<gpu::Device> m_base, m_validation; ///< destroyed in reverse order: decorators first
    std::unique_ptr<gpu::CaptureDevice> m_capture;
    gpu::Device* m_outer = nullptr;
    bool m_hasPixels = true;
    std::uint32_t m_faultCount = 0;
};

} // namespace dl::cli
