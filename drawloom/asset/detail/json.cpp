#include "drawloom/asset/detail/json.h"

#include "drawloom/asset/detail/json_fault.h"
#include "drawloom/core/huge_pages.h"

#define SIMDJSON_EXCEPTIONS 0
#include <simdjson.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

namespace dl::detail
{
namespace
{

using simdjson::dom::element;

constexpr double kLargestExactInteger = 9007199254740992.0; // 2^53

static_assert(sizeof(JsonValue) == sizeof(element));

Error badJson(simdjson::error_code code, std::string_view text)
{
    const std::optional<JsonFault> fault = findJsonFault(text);
    if (!fault) // depth, encoding, a number that no double holds
        return Error{ErrorCode::BadFile, std::string("JSON: ") + simdjson::error_message(code)};
    return Error{ErrorCode::BadFile,
        "JSON: line " + std::to_string(fault->line) + ", column " + std::to_string(fault->column) + ": " + fault->problem};
}

element toElement(JsonValue value)
{
    return std::bit_cast<element>(value);
}

JsonValue fromElement(element value)
{
    return std::bit_cast<JsonValue>(value);
}

} // namespace

JsonKind JsonValue::kind() const
{
    switch (toElement(*this).type())
    {
    case simdjson::dom::element_type::ARRAY: return JsonKind::Array;
    case simdjson::dom::element_type::OBJECT: return JsonKind::Object;
    case simdjson::dom::element_type::STRING: return JsonKind::String;
    case simdjson::dom::element_type::BOOL: return JsonKind::Bool;
    case simdjson::dom::element_type::NULL_VALUE: return JsonKind::Null;
    default: return JsonKind::Number;
    }
}

std::optional<bool> JsonValue::boolean() const
{
    bool value = false;
    return toElement(*this).get_bool().get(value) == simdjson::SUCCESS ? std::optional<bool>(value) : std::nullopt;
}

std::optional<double> JsonValue::number() const
{
    double value = 0.0;
    return toElement(*this).get_double().get(value) == simdjson::SUCCESS ? std::optional<double>(value) : std::nullopt;
}

std::optional<std::uint64_t> JsonValue::count() const
{
    const std::optional<double> value = number();
    if (!value || *value < 0.0 || *value > kLargestExactInteger || std::floor(*value) != *value)
        return std::nullopt;
    return static_cast<std::uint64_t>(*value);
}

std::optional<std::string_view> JsonValue::string() const
{
    std::string_view value;
    return toElement(*this).get_string().get(value) == simdjson::SUCCESS ? std::optional<std::string_view>(value) : std::nullopt;
}

std::optional<JsonValue> JsonValue::find(std::string_view key) const
{
    simdjson::dom::object object;
    element value;
    if (toElement(*this).get_object().get(object) != simdjson::SUCCESS || object.at_key(key).get(value) != simdjson::SUCCESS)
        return std::nullopt;
    return fromElement(value);
}

std::vector<JsonValue> JsonValue::elements() const
{
    std::vector<JsonValue> out;
    simdjson::dom::array array;
    if (toElement(*this).get_array().get(array) != simdjson::SUCCESS)
        return out;
    out.reserve(array.size());
    for (const element value : array)
        out.push_back(fromElement(value));
    return out;
}

std::vector<std::pair<std::string_view, JsonValue>> JsonValue::members() const
{
    std::vector<std::pair<std::string_view, JsonValue>> out;
    simdjson::dom::object object;
    if (toElement(*this).get_object().get(object) != simdjson::SUCCESS)
        return out;
    for (const simdjson::dom::key_value_pair member : object)
        out.emplace_back(member.key, fromElement(member.value));
    return out;
}

std::optional<std::size_t> JsonValue::numbers(std::span<double> out) const
{
    simdjson::dom::array array;
    if (toElement(*this).get_array().get(array) != simdjson::SUCCESS)
        return std::nullopt;
    std::size_t count = 0;
    for (const element value : array)
    {
        double number = 0.0;
        if (value.get_double().get(number) != simdjson::SUCCESS)
            return std::nullopt;
        if (count < out.size())
            out[count] = number;
        ++count;
    }
    return count;
}

struct JsonDocument::Parser
{
    simdjson::dom::parser parser;
    element root;
};

namespace
{

/// What both allocate() made for a text of this size, of which parsing fills a part: a tape of up to a word a byte, the strings, and
/// where the tokens start. Most of the time of a long text goes into first touches of it otherwise.
void adviseBuffers(simdjson::dom::parser& parser, std::size_t size)
{
    adviseHugePages(parser.doc.tape.get(), size * sizeof(std::uint64_t));
    adviseHugePages(parser.doc.string_buf.get(), size / 3 * 5);
    adviseHugePages(parser.implementation->structural_indexes.get(), size * sizeof(std::uint32_t));
}

} // namespace

JsonDocument::JsonDocument(std::unique_ptr<Parser> parser) : m_parser(std::move(parser))
{
}
JsonDocument::JsonDocument(JsonDocument&&) noexcept = default;
JsonDocument& JsonDocument::operator=(JsonDocument&&) noexcept = default;
JsonDocument::~JsonDocument() = default;

Result<JsonDocument> JsonDocument::parse(std::span<const std::byte> text, std::size_t maxDepth, std::size_t paddingBytes)
{
    const auto* data = reinterpret_cast<const std::uint8_t*>(text.data());
    std::size_t size = text.size();
    if (size >= 3 && data[0] == 0xef && data[1] == 0xbb && data[2] == 0xbf) // a byte order mark, which some editors leave
    {
        data += 3;
        size -= 3;
    }
    if (size == 0) // simdjson would copy from null
        return Error{ErrorCode::BadFile, std::string("JSON: ") + simdjson::error_message(simdjson::EMPTY)};
    auto parser = std::make_unique<Parser>();
    simdjson::error_code code = parser->parser.allocate(size, maxDepth);
    if (code == simdjson::SUCCESS)
        code = parser->parser.doc.allocate(std::max(size, simdjson::dom::MINIMAL_DOCUMENT_CAPACITY));
    if (code == simdjson::SUCCESS)
    {
        adviseBuffers(parser->parser, size);
        code = parser->parser.parse(data, size, paddingBytes < simdjson::SIMDJSON_PADDING).get(parser->root);
    }
    if (code != simdjson::SUCCESS)
        return badJson(code, {reinterpret_cast<const char*>(data), size});
    return JsonDocument(std::move(parser));
}

JsonValue JsonDocument::root() const
{
    return fromElement(m_parser->root);
}

} // namespace dl::detail
