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

namespace
{

/// Length of the UTF-8 sequence (RFC 3629) that text starts with; 0: none.
std::size_t sequenceLength(std::string_view text)
{
    const auto byteAt = [&](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    const unsigned first = byteAt(0);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xc2 && first < 0xe0 ? 2
                               : first >= 0xe0 && first < 0xf0 ? 3
                               : first >= 0xf0 && first < 0xf5 ? 4
                                                               : 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((byteAt(i) & 0xc0U) != 0x80U)
            return 0;
    const unsigned second = byteAt(1);
    const bool isForbidden = (first == 0xe0 && second < 0xa0) || (first == 0xed && second >= 0xa0) || (first == 0xf0 && second < 0x90) ||
                             (first == 0xf4 && second >= 0x90); // longer than needed, surrogates, past U+10FFFF
    return isForbidden ? 0 : length;
}

} // namespace

void JsonWriter::quote(std::string_view text)
{
    static constexpr char kHex[] = "0123456789abcdef";
    m_text += '"';
    for (std::size_t i = 0; i < text.size(); ++i)
    {
        const char c = text[i];
        const auto code = static_cast<unsigned char>(c);
        if (code >= 0x80)
        {
            const std::size_t length = sequenceLength(text.substr(i));
            m_text += length != 0 ? text.substr(i, length) : std::string_view("\xef\xbf\xbd"); // U+FFFD
            i += length != 0 ? length - 1 : 0;
            continue;
        }
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
