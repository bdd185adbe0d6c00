#include "drawloom/core/assert.h"

#include <cstdio>
#include <cstdlib>

namespace dl
{
namespace
{

void printAndAbort(const char* expression, const char* message, const char* file, int line)
{
    std::fprintf(stderr, "drawloom: assertion failed: %s (%s) at %s:%d\n", message, expression, file, line);
    std::abort();
}

AssertHandler s_handler = &printAndAbort;

} // namespace

AssertHandler setAssertHandler(AssertHandler handler)
{
    const AssertHandler old = s_handler;
    s_handler = handler != nullptr ? handler : &printAndAbort;
    return old;
}

void reportAssert(const char* expression, const char* message, const char* file, int line)
{
    s_handler(expression, message, file, line);
}

} // namespace dl
