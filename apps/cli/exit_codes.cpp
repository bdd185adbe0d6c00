#include "apps/cli/exit_codes.h"

#include <cstdio>

namespace dl::cli
{

int fail(const Error& error)
{
    switch (error.code)
    {
    case ErrorCode::DeviceLost:
    case ErrorCode::OutOfMemory: return fail(kNoDevice, error.message.c_str());
    default: return fail(kBadInput, error.message.c_str());
    }
}

int fail(ExitCode code, const char* message)
{
    std::fprintf(stderr, "drawloom: %s\n", message);
    return code;
}

} // namespace dl::cli
