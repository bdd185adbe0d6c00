// drawloom/core/assert.h - a caller's bug stops here; the handler can be replaced (tests, engines with their own dialog).
#pragma once

namespace dl
{

/// Called with the failed expression, a sentence that says what the caller did wrong, and the place.
/// If it returns, the program goes on as if the assertion were not there.
using AssertHandler = void (*)(const char* expression, const char* message, const char* file, int line);

/// Replaces the handler and returns the old one; nullptr restores the default (print to stderr, abort). Any thread,
/// but not while another thread may be asserting.
AssertHandler setAssertHandler(AssertHandler handler);

void reportAssert(const char* expression, const char* message, const char* file, int line);

} // namespace dl

/// Cheap check of a caller's contract; compiled in unless DL_ASSERTS=0.
#ifndef DL_ASSERTS
#define DL_ASSERTS 1
#endif
#if DL_ASSERTS
#define DL_ASSERT(expression, message)                                                                                                     \
    (static_cast<bool>(expression) ? void(0) : ::dl::reportAssert(#expression, message, __FILE__, __LINE__))
#else
#define DL_ASSERT(expression, message) void(0)
#endif

/// Walks whole structures; on in debug and sanitizer builds only (DL_VALIDATION=1).
#ifndef DL_VALIDATION
#define DL_VALIDATION 0
#endif
#if DL_VALIDATION
#define DL_VALIDATE(expression, message) DL_ASSERT(expression, message)
#else
#define DL_VALIDATE(expression, message) void(0)
#endif
