// drawloom/asset/detail/json_writer.h - writes compact JSON, numbers in their shortest exact form. For the exporter.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace dl::detail
{

/// The caller pairs begin and end, and gives a key to every member of an object.
class JsonWriter
{
public:
    void beginObject() { open('{'); }
    void beginObject(std::string_view name) { key(name), open('{'); }
    void endObject() { close('}'); }
    void beginArray() { open('['); }
    void beginArray(std::string_view name) { key(name), open('['); }
    void endArray() { close(']'); }

    void key(std::string_view name);
    void value(std::string_view text);
    void value(const char* text) { value(std::string_view(text)); }
    void value(bool flag) { raw(flag ? "true" : "false"); }
    /// Finite; the exporter checks before.
    void value(float number);
    template <std::unsigned_integral T> void value(T number) { raw(std::to_string(number)); }

    template <class T> void member(std::string_view name, const T& content)
    {
        key(name);
        value(content);
    }
    void member(std::string_view name, std::span<const float> numbers);
    void member(std::string_view name, std::span<const std::uint32_t> numbers);

    const std::string& text() const { return m_text; }
    void reserve(std::size_t bytes) { m_text.reserve(bytes); }

private:
    void open(char bracket);
    void close(char bracket);
    void raw(std::string_view text);
    void separate();
    void quote(std::string_view text);

    std::string m_text;
    bool m_needsComma = false;
};

} // namespace dl::detail
