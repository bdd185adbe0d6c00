// apps/cli/exit_codes.h - what the program's exit code means; the same for every command.
#pragma once

#include "drawloom/core/result.h"

#include <cstdint>
#include <string>

namespace dl::cli
{

enum ExitCode : int
{
    kDone = 0,
    kInternal = 1, ///< a result that should not be possible; please report
    kUsage = 2,
    kBadInput = 3,
    kNoDevice = 4, ///< no device, or lost
};

/// `drawloom: message` as one line to stderr, whatever the message holds.
void say(std::string message);
/// "1 fault", "2 faults"
std::string counted(std::uint64_t count, const char* what);
/// kNoDevice for a lost device and refused memory, else kBadInput.
ExitCode exitCodeOf(const Error& error);
/// Prints `drawloom: message` as one line to stderr and returns the code that belongs to the error.
int fail(const Error& error);
int fail(ExitCode code, const char* message);

} // namespace dl::cli
