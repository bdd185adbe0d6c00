// drawloom/core/detail/parallel_stats.h - the counters behind parallelStats(), shared by the three back ends.
#pragma once

#include "drawloom/core/parallel.h"

namespace dl::detail
{
/// Called by every back end once per chunk, on the thread that ran it.
void countChunk();
} // namespace dl::detail
