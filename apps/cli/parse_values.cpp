#include "apps/cli/parse_values.h"

#include <charconv>
#include <cmath>

namespace dl::cli
{
namespace
{

template <class T> std::optional<T> parseWhole(std::string_view text)
{
    T value{};
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || end != text.data() + text.size())
        return std::nullopt;
    return value;
}

} // namespace

std::optional<std::uint32_t> parseUint(std::string_view text)
{
    return parseWhole<std::uint32_t>(text);
}

std::optional<UintPair> parseUintPair(std::string_view text, char separator)
{
    const std::size_t at = text.find(separator);
    if (at == std::string_view::npos)
        return std::nullopt;
    const auto first = parseWhole<std::uint32_t>(text.substr(0, at));
    const auto second = parseWhole<std::uint32_t>(text.substr(at + 1));
    if (!first || !second)
        return std::nullopt;
    return UintPair{*first, *second};
}

std::optional<float> parseFloat(std::string_view text)
{
    const std::optional<float> value = parseWhole<float>(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<vec3> parseVector(std::string_view text)
{
    constexpr float kMaxSize = 1e9f;
    vec3 v(0.0f);
    for (int i = 0; i < 3; ++i)
    {
        const std::size_t at = i < 2 ? text.find(',') : text.size();
        if (at == std::string_view::npos)
            return std::nullopt;
        const std::optional<float> value = parseFloat(text.substr(0, at));
        if (!value || std::abs(*value) > kMaxSize)
            return std::nullopt;
        v[i] = *value;
        text.remove_prefix(i < 2 ? at + 1 : at);
    }
    return v;
}

} // namespace dl::cli
