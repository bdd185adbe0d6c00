// tests/fuzz/fuzz_reached.h - marks that a fuzzer came to the place it is for, not only to the header checks in front of it;
// run_short fails a fuzzer whose marks are not in its log.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace dl::fuzz
{

/// Prints the mark once a run.
#define DL_FUZZ_REACHED(mark)                                                                                                              \
    do                                                                                                                                     \
    {                                                                                                                                      \
        static const int isPrinted = std::fprintf(stderr, "reached: %s\n", mark);                                                          \
        (void)isPrinted;                                                                                                                   \
    } while (false)

inline void require(bool holds)
{
    if (!holds)
        std::abort();
}

} // namespace dl::fuzz
