#include "drawloom/asset/detail/gltf_object.h"

#include "drawloom/asset/detail/gltf_source.h"

#include <cmath>

namespace dl::detail
{

GltfObject::GltfObject(GltfState& state, JsonValue value, const char* list, std::size_t index)
    : m_state(&state), m_value(value), m_key(list), m_index(index)
{
}

GltfObject::GltfObject(GltfState& state, JsonValue value) : m_state(&state), m_value(value)
{
}

GltfObject::GltfObject(const GltfObject& parent, JsonValue value, const char* key, std::size_t index)
    : m_state(parent.m_state), m_value(value), m_parent(&parent), m_key(key), m_index(index)
{
}

std::string GltfObject::bare() const
{
    std::string out = m_parent != nullptr ? m_parent->bare() : std::string();
    if (!out.empty())
        out += '.';
    out += m_key;
    if (m_index != SIZE_MAX)
        out += '[' + std::to_string(m_index) + ']';
    return out;
}

std::string GltfObject::path() const
{
    std::string out = bare();
    if (const std::optional<JsonValue> name = m_value.find("name"); name && name->string())
        out += " \"" + shortText(*name->string()) + '"';
    return out;
}

std::string GltfObject::path(std::string_view key) const
{
    const std::string out = bare();
    return out.empty() ? shortText(key) : out + '.' + shortText(key);
}

bool GltfObject::fail(const std::string& message) const
{
    return m_state->fail(ErrorCode::BadFile, path(), message);
}

bool GltfObject::fail(std::string_view key, const std::string& message) const
{
    return m_state->fail(ErrorCode::BadFile, path(key), message);
}

std::optional<JsonValue> GltfObject::find(std::string_view key) const
{
    return m_value.find(key);
}

float GltfObject::number(std::string_view key, float fallback) const
{
    const std::optional<JsonValue> value = find(key);
    if (!value)
        return fallback;
    const std::optional<double> number = value->number();
    if (!number || !std::isfinite(static_cast<float>(*number)))
    {
        fail(key, "must be a finite number");
        return fallback;
    }
    return static_cast<float>(*number);
}

float GltfObject::number(std::string_view key, float fallback, float least, float most) const
{
    const float value = number(key, fallback);
    if (value >= least && value <= most)
        return value;
    m_state->warn("clamped-value", path(key), std::to_string(value) + " is out of range and was clamped");
    return value < least ? least : most;
}

std::uint64_t GltfObject::count(std::string_view key, std::uint64_t fallback) const
{
    const std::optional<JsonValue> value = find(key);
    if (!value)
        return fallback;
    const std::optional<std::uint64_t> number = value->count();
    if (!number)
        fail(key, "must be a whole number, zero or more");
    return number.value_or(fallback);
}

std::uint64_t GltfObject::requiredCount(std::string_view key) const
{
    if (!has(key))
        fail(key, "is required");
    return count(key, 0);
}

bool GltfObject::flag(std::string_view key, bool fallback) const
{
    const std::optional<JsonValue> value = find(key);
    if (!value)
        return fallback;
    const std::optional<bool> flag = value->boolean();
    if (!flag)
        fail(key, "must be true or false");
    return flag.value_or(fallback);
}

std::string_view GltfObject::text(std::string_view key) const
{
    const std::optional<JsonValue> value = find(key);
    if (!value)
        return {};
    const std::optional<std::string_view> text = value->string();
    if (!text)
        fail(key, "must be a string");
    return text.value_or(std::string_view());
}

std::uint32_t GltfObject::index(std::string_view key, std::size_t limit) const
{
    const std::optional<JsonValue> value = find(key);
    if (!value)
        return kNoIndex;
    const std::optional<std::uint64_t> number = value->count();
    if (!number)
        fail(key, "must be an index, a whole number");
    else if (*number >= limit)
        fail(key, "index " + std::to_string(*number) + " is out of range, there are " + std::to_string(limit));
    else
        return static_cast<std::uint32_t>(*number);
    return kNoIndex;
}

std::uint32_t GltfObject::requiredIndex(std::string_view key, std::size_t limit) const
{
    if (!has(key))
        fail(key, "is required");
    return index(key, limit);
}

bool GltfObject::numbers(std::string_view key, std::span<float> out) const
{
    const std::optional<JsonValue> value = find(key);
    if (!value)
        return false;
    double storage[16] = {};
    const std::span<double> read(storage, out.size());
    if (value->numbers(read) != out.size())
        return fail(key, "must be an array of " + std::to_string(out.size()) + " numbers");
    for (std::size_t i = 0; i < out.size(); ++i)
    {
        if (!std::isfinite(static_cast<float>(read[i])))
            return fail(key, "must hold finite numbers");
        out[i] = static_cast<float>(read[i]);
    }
    return true;
}

std::vector<float> GltfObject::numberList(std::string_view key) const
{
    std::vector<float> out;
    const std::optional<JsonValue> value = find(key);
    if (!value)
        return out;
    if (value->kind() != JsonKind::Array)
        fail(key, "must be an array of numbers");
    for (const JsonValue element : value->elements())
    {
        const std::optional<double> number = element.number();
        if (!number || !std::isfinite(static_cast<float>(*number)))
            fail(key, "must hold finite numbers");
        out.push_back(static_cast<float>(number.value_or(0.0)));
    }
    return out;
}

std::vector<std::uint32_t> GltfObject::indexList(std::string_view key, std::size_t limit) const
{
    std::vector<std::uint32_t> out;
    const std::optional<JsonValue> value = find(key);
    if (!value)
        return out;
    if (value->kind() != JsonKind::Array)
        fail(key, "must be an array of indices");
    for (const JsonValue element : value->elements())
    {
        const std::optional<std::uint64_t> number = element.count();
        if (!number || *number >= limit)
        {
            fail(key, number ? "index " + std::to_string(*number) + " is out of range, there are " + std::to_string(limit)
                             : std::string("must hold indices, whole numbers"));
            return {};
        }
        out.push_back(static_cast<std::uint32_t>(*number));
    }
    return out;
}

std::optional<GltfObject> GltfObject::object(const char* key) const
{
    const std::optional<JsonValue> value = find(key);
    if (!value)
        return std::nullopt;
    if (value->kind() != JsonKind::Object)
    {
        fail(key, "must be an object");
        return std::nullopt;
    }
    return GltfObject(*this, *value, key);
}

std::optional<GltfObject> GltfObject::extension(const char* name) const
{
    const std::optional<JsonValue> extensions = find("extensions");
    const std::optional<JsonValue> value = extensions ? extensions->find(name) : std::nullopt;
    if (!value)
        return std::nullopt;
    if (value->kind() != JsonKind::Object)
    {
        fail(name, "must be an object");
        return std::nullopt;
    }
    return GltfObject(*this, *value, name);
}

std::vector<GltfObject> GltfObject::objects(const char* key) const
{
    std::vector<GltfObject> out;
    for (const JsonValue value : readObjectList(*this, key))
        out.push_back(GltfObject(*this, value, key, out.size()));
    return out;
}

std::vector<JsonValue> readObjectList(const GltfObject& parent, const char* key)
{
    const std::optional<JsonValue> value = parent.value().find(key);
    if (!value)
        return {};
    if (value->kind() != JsonKind::Array)
    {
        parent.fail(key, "must be an array");
        return {};
    }
    std::vector<JsonValue> elements = value->elements();
    for (std::size_t i = 0; i < elements.size(); ++i)
        if (elements[i].kind() != JsonKind::Object)
        {
            parent.fail(std::string(key) + '[' + std::to_string(i) + ']', "must be an object");
            return {};
        }
    return elements;
}

} // namespace dl::detail
