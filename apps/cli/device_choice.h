// apps/cli/device_choice.h - makes the device that the options ask for, with its decorators.
#pragma once

#include "apps/cli/render_options.h"
#include "drawloom/core/result.h"
#include "drawloom/gpu/capture.h"
#include "drawloom/gpu/device.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>

namespace dl::cli
{

/// Findings so far.
struct ValidationCounts
{
    std::uint32_t faults = 0, warnings = 0;
};

/// One line to stderr that validation found no fault, so that silence is not mistaken for it.
void printClean(const ValidationCounts& counts);

class ChosenDevice
{
public:
    /// NotFound, Unsupported: no such driver; the message lists those that were seen.
    static Result<std::unique_ptr<ChosenDevice>> create(const DeviceOptions& options, bool isCapturing);

    /// The outermost decorator.
    gpu::Device& device() { return *m_outer; }
    /// The null device draws nothing.
    bool hasPixels() const { return m_hasPixels; }
    /// Where --pipeline-cache says, if it does.
    Result<void> savePipelineCache();
    gpu::CaptureDevice* capture() { return m_capture.get(); }
    /// What validation printed to stderr so far; nullopt when nothing is validated.
    std::optional<ValidationCounts> validation() const { return m_validation ? std::optional<ValidationCounts>(m_counts) : std::nullopt; }

private:
    ChosenDevice() = default;
    Result<void> createBase(const DeviceOptions& options);
    void report(bool isError, const char* who, std::string_view text);

    std::unique_ptr<gpu::Device> m_base, m_validation; ///< destroyed in reverse order: decorators first
    std::unique_ptr<gpu::CaptureDevice> m_capture;
    gpu::Device* m_outer = nullptr;
    std::string m_pipelineCacheFolder; ///< empty: none
    bool m_hasPixels = true;
    ValidationCounts m_counts;
};

} // namespace dl::cli
