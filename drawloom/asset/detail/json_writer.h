// drawloom/asset/detail/json_writer.h - writes compact JSON, numbers in their shortest exact form, text as UTF-8 (what is none
// becomes U+FFFD). For the exporter.
#pragma once

#include <concepts>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

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
    void value(double number);
    void null() { raw("null"); }
    template <std::unsigned_integral T> void value(T number) { raw(std::to_string(number)); }

    template <class T> void member(std::string_view name, const T& content)
    {
        key(name);
        value(content);
    }
    void member(std::string_view name, std::span<const float> numbers);
    void member(std::string_view name, std::span<const std::uint32_t> numbers);

    /// Whole JSON texts, or the inside of the object that is open (as take() left it).
    void append(std::string_view json) { m_text += json; }
    const std::string& text() const { return m_text; }
    /// Hands out the text so far, in the middle of what is open.
    std::string take() { return std::exchange(m_text, std::string()); }
    /// The open object has members in a text that take() gave.
    void continueObject() { m_needsComma = true; }
    void beginMembers() { m_needsComma = false; }
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
