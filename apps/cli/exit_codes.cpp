#include "apps/cli/exit_codes.h"

#include <algorithm>
#include <cstdio>
#include <string>

namespace dl::cli
{

ExitCode exitCodeOf(const Error& error)
{
    switch (error.code)
    {
    case ErrorCode::DeviceLost:
    case ErrorCode::OutOfMemory: return kNoDevice;
    default: return kBadInput;
    }
}

int fail(const Error& error)
{
    return fail(exitCodeOf(error), error.message.c_str());
}

int fail(ExitCode code, const char* message)
{
    say(message);
    return code;
}

void say(std::string message)
{
    // File names and drivers' texts may hold anything.
    std::replace_if(message.begin(), message.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    std::fprintf(stderr, "drawloom: %s\n", message.c_str());
}

std::string counted(std::uint64_t count, const char* what)
{
    return std::to_string(count) + " " + what + (count == 1 ? "" : "s");
}

} // namespace dl::cli
