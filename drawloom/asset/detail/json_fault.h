// drawloom/asset/detail/json_fault.h - where a text stops being JSON (RFC 8259), for messages: the parser behind json.h is fast
// and does not say. Called by JsonDocument::parse once it has failed.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace dl::detail
{

struct JsonFault
{
    std::size_t line = 1, column = 1; ///< from 1; columns count characters of UTF-8
    const char* problem = "";         ///< "a value is expected"
};

/// The first fault; nullopt where the text is well formed (depth and UTF-8 are not looked at). Linear, no recursion.
std::optional<JsonFault> findJsonFault(std::string_view text);

} // namespace dl::detail
