// drawloom/gpu/detail/validation_reporter.h - hands messages to the handler and counts them.
#pragma once

#include "drawloom/gpu/validation_device.h"

#include <string>

namespace dl::gpu
{

class ValidationReporter
{
public:
    explicit ValidationReporter(ValidationSettings settings) : m_settings(std::move(settings)) {}

    const ValidationSettings& settings() const { return m_settings; }
    ValidationStats& stats() { return m_stats; }
    /// Starts the message budget of a stream.
    void beginStream()
    {
        m_streamMessageCount = 0;
        m_streamErrorCount = 0;
        m_firstError.clear();
    }
    std::uint64_t streamErrorCount() const { return m_streamErrorCount; }
    const std::string& firstStreamError() const { return m_firstError; }

    void report(ValidationRule rule, std::string text, bool isError = true);
    void reportInStream(ValidationRule rule, std::string text, bool isError = true);

private:
    ValidationSettings m_settings;
    ValidationStats m_stats;
    std::uint64_t m_streamMessageCount = 0, m_streamErrorCount = 0;
    std::string m_firstError;
};

} // namespace dl::gpu
