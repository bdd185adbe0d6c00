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
    std::string line(message); // file names and drivers' texts may hold anything
    std::replace_if(line.begin(), line.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20; }, ' ');
    std::fprintf(stderr, "drawloom: %s\n", line.c_str());
    return code;
}

} // namespace dl::cli
