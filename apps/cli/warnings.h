// apps/cli/warnings.h - what went wrong and did not stop the run, on stderr. For render_command.cpp.
#pragma once

#include "apps/cli/report.h"

namespace dl::cli
{

/// The first few warnings of the importer and refusals, a line each, then how many more the report lists.
void printWarnings(const Report& report);

} // namespace dl::cli
