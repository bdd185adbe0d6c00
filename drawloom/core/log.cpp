#include "drawloom/core/log.h"

#include <atomic>

namespace dl
{
namespace
{
std::atomic<LogSink*> s_sink{nullptr};
}

LogSink* setLogSink(LogSink* sink)
{
    return s_sink.exchange(sink);
}

void log(LogLevel level, std::string_view line)
{
    if (LogSink* sink = s_sink.load(); sink != nullptr)
        sink->write(level, line);
}

} // namespace dl
