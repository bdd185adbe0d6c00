// drawloom/asset/detail/json.h - a read-only JSON tree over simdjson's DOM, which json.cpp alone includes. Values are two
// words that point into their document. Nesting is limited, so that walking a tree can not exhaust the stack.
#pragma once

#include "drawloom/core/result.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace dl::detail
{

enum class JsonKind : std::uint8_t
{
    Null,
    Bool,
    Number,
    String,
    Array,
    Object
};

/// Valid as long as its document. A value that is not of the asked kind gives nullopt or nothing.
class JsonValue
{
public:
    JsonKind kind() const;
    std::optional<bool> boolean() const;
    std::optional<double> number() const;
    /// Also of 4.0 (glTF allows it); not of negative or fractional numbers, nor of such above 2^53.
    std::optional<std::uint64_t> count() const;
    std::optional<std::string_view> string() const;
    std::optional<JsonValue> find(std::string_view key) const;
    std::vector<JsonValue> elements() const;
    std::vector<std::pair<std::string_view, JsonValue>> members() const;
    /// Number of elements of an array; stores the first out.size() numbers. nullopt: no array of numbers alone.
    std::optional<std::size_t> numbers(std::span<double> out) const;

private:
    friend class JsonDocument;
    const void* m_document = nullptr;
    std::size_t m_position = 0;
};

class JsonDocument
{
public:
    /// BadFile: says what is wrong with the text. Copies what it needs. `paddingBytes`: how much can be read behind the text, of
    /// any content; with less than 64 a copy of the text is made first.
    static Result<JsonDocument> parse(std::span<const std::byte> text, std::size_t maxDepth, std::size_t paddingBytes = 0);
    JsonDocument(JsonDocument&&) noexcept;
    JsonDocument& operator=(JsonDocument&&) noexcept;
    ~JsonDocument();

    JsonValue root() const;

private:
    struct Parser;
    explicit JsonDocument(std::unique_ptr<Parser> parser);
    std::unique_ptr<Parser> m_parser;
};

} // namespace dl::detail
