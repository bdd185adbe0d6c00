// drawloom/asset/detail/json_writer.cpp - see the header.
#include "drawloom/asset/detail/json_writer.h"

#include <charconv>

namespace dl::detail
{

void JsonWriter::separate()
{
    if (m_needsComma)
        m_text += ',';
    m_needsComma = true;
}

void JsonWriter::open(char bracket)
{
    separate();
    m_text += bracket;
    m_needsComma = false;
}

void JsonWriter::close(char bracket)
{
    m_text += bracket;
    m_needsComma = true;
}

void JsonWriter::raw(std::string_view text)
{
    separate();
    m_text += text;
}

void JsonWriter::quote(std::string_view text)
{
    static constexpr char kHex[] = "0123456789abcdef";
    m_text += '"';
    for (const char c : text)
    {
        const auto code = static_cast<unsigned char>(c);
        if (c == '"' || c == '\\')
            m_text += '\\';
        if (code >= 0x20)
        {
            m_text += c;
            continue;
        }
        m_text += "\\u00";
        m_text += kHex[code >> 4U];
        m_text += kHex[code & 15U];
    }
    m_text += '"';
}

void JsonWriter::key(std::string_view name)
{
    separate();
    quote(name);
    m_text += ':';
    m_needsComma = false;
}

void JsonWriter::value(std::string_view text)
{
    separate();
    quote(text);
}

void JsonWriter::value(float number)
{
    char buffer[32];
    const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof(buffer), number);
    raw(std::string_view(buffer, static_cast<std::size_t>(end.ptr - buffer)));
}

void JsonWriter::value(double number)
{
    char buffer[32];
    const std::to_chars_result end = std::to_chars(buffer, buffer + sizeof(buffer), number);
    raw(std::string_view(buffer, static_cast<std::size_t>(end.ptr - buffer)));
}

void JsonWriter::member(std::string_view name, std::span<const float> numbers)
{
    beginArray(name);
    for (const float number : numbers)
        value(number);
    endArray();
}

void JsonWriter::member(std::string_view name, std::span<const std::uint32_t> numbers)
{
    beginArray(name);
    for (const std::uint32_t number : numbers)
        value(number);
    endArray();
}

} // namespace dl::detail
