// drawloom/core/log.h - the library's only way to say something outside a return value. Silent until a sink is set.
#pragma once

#include <cstdint>
#include <string_view>

namespace dl
{

enum class LogLevel : std::uint8_t
{
    Debug,
    Info,
    Warning,
    Error,
};

/// Receives one line without a line end. Called from any thread; the sink locks if it must.
class LogSink
{
public:
    virtual ~LogSink() = default;
    virtual void write(LogLevel level, std::string_view line) = 0;
};

/// The sink is not owned and must outlive its use; nullptr silences. Returns the old one.
LogSink* setLogSink(LogSink* sink);
void log(LogLevel level, std::string_view line);

} // namespace dl
