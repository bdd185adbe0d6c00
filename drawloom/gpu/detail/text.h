// drawloom/gpu/detail/text.h - printf into a string, for messages and dumps.
#pragma once

#include <cstdarg>
#include <cstdio>
#include <string>

namespace dl::gpu
{

/// Appends without allocating once `out` has the room.
[[gnu::format(printf, 2, 3)]] inline void appendFormat(std::string& out, const char* format, ...)
{
    char buffer[512];
    va_list arguments;
    va_start(arguments, format);
    const int count = std::vsnprintf(buffer, sizeof(buffer), format, arguments);
    va_end(arguments);
    if (count > 0)
        out.append(buffer, static_cast<std::size_t>(count) < sizeof(buffer) ? static_cast<std::size_t>(count) : sizeof(buffer) - 1);
}

[[gnu::format(printf, 1, 2)]] inline std::string formatText(const char* format, ...)
{
    char buffer[1024];
    va_list arguments;
    va_start(arguments, format);
    const int count = std::vsnprintf(buffer, sizeof(buffer), format, arguments);
    va_end(arguments);
    return count < 0 ? std::string() : std::string(buffer);
}

} // namespace dl::gpu
