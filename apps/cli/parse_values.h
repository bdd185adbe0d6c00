// apps/cli/parse_values.h - the values that options take, read strictly: all of the text, no blanks, no overflow, no NaN.
// Called by main.cpp.
#pragma once

#include "drawloom/core/maths.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

namespace dl::cli
{

/// "3"; no sign.
std::optional<std::uint32_t> parseUint(std::string_view text);

using UintPair = std::pair<std::uint32_t, std::uint32_t>;

/// "640x400" with the separator 'x', "320,200" with ','.
std::optional<UintPair> parseUintPair(std::string_view text, char separator);

/// Finite numbers only.
std::optional<float> parseFloat(std::string_view text);

/// "1,2.5,-3"; each at most 1e9 in size.
std::optional<vec3> parseVector(std::string_view text);

} // namespace dl::cli
