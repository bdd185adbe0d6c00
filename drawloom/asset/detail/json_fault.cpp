#include "drawloom/asset/detail/json_fault.h"

#include <string>

namespace dl::detail
{
namespace
{

bool isDigit(char c)
{
    return c >= '0' && c <= '9';
}

bool isHexDigit(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
}

/// Each step returns whether the text is well formed so far, and leaves m_at where it is not.
class Scanner
{
public:
    explicit Scanner(std::string_view text) : m_text(text) {}

    bool document()
    {
        bool isFine = value();
        while (isFine && !m_open.empty())
            isFine = member();
        if (!isFine)
            return false;
        skipBlanks();
        return m_at == m_text.size() || fail("nothing may follow the end of the outermost value");
    }

    JsonFault fault() const
    {
        JsonFault fault;
        fault.problem = m_at < m_text.size() ? m_problem : "the text ends too early";
        for (const char c : m_text.substr(0, m_at))
        {
            fault.column = c == '\n' ? 1 : fault.column + ((static_cast<unsigned char>(c) & 0xc0U) != 0x80U ? 1 : 0);
            fault.line += c == '\n' ? 1 : 0;
        }
        return fault;
    }

private:
    char peek() const { return m_at < m_text.size() ? m_text[m_at] : '\0'; }
    bool fail(const char* problem)
    {
        m_problem = problem;
        return false;
    }
    void skipBlanks()
    {
        while (peek() == ' ' || peek() == '\t' || peek() == '\r' || peek() == '\n')
            ++m_at;
    }
    bool take(char c, const char* problem)
    {
        skipBlanks();
        if (peek() != c)
            return fail(problem);
        ++m_at;
        skipBlanks();
        return true;
    }

    /// One step inside the innermost array or object: its end, or an element with the comma before it.
    bool member()
    {
        skipBlanks();
        const char close = m_open.back();
        if (peek() == close)
        {
            ++m_at;
            m_open.pop_back();
            m_isFirst = false;
            return true;
        }
        if (!m_isFirst && !take(',', close == '}' ? "a comma or } is expected" : "a comma or ] is expected"))
            return false;
        if (close != '}')
            return value();
        if (peek() != '"')
            return fail("a name in double quotes is expected");
        return string() && take(':', "a colon is expected") && value();
    }

    bool value()
    {
        skipBlanks();
        m_isFirst = peek() == '{' || peek() == '[';
        switch (peek())
        {
        case '{': m_open += '}'; break;
        case '[': m_open += ']'; break;
        case '"': return string();
        case 't': return word("true");
        case 'f': return word("false");
        case 'n': return word("null");
        default: return number();
        }
        ++m_at;
        return true;
    }

    bool word(std::string_view expected)
    {
        if (m_text.substr(m_at, expected.size()) != expected)
            return fail("a value is expected: an object, array, string, number, true, false or null");
        m_at += expected.size();
        return true;
    }

    bool digits()
    {
        if (!isDigit(peek()))
            return fail("a digit is expected");
        while (isDigit(peek()))
            ++m_at;
        return true;
    }

    bool number()
    {
        if (peek() != '-' && !isDigit(peek()))
            return fail("a value is expected: an object, array, string, number, true, false or null");
        m_at += peek() == '-' ? 1 : 0;
        if (peek() == '0')
            ++m_at;
        else if (!digits())
            return false;
        if (isDigit(peek()))
            return fail("a number may not begin with 0");
        if (peek() == '.')
        {
            ++m_at;
            if (!digits())
                return false;
        }
        if (peek() != 'e' && peek() != 'E')
            return true;
        ++m_at;
        m_at += peek() == '+' || peek() == '-' ? 1 : 0;
        return digits();
    }

    bool string()
    {
        for (++m_at; m_at < m_text.size() && peek() != '"'; ++m_at)
        {
            if (static_cast<unsigned char>(peek()) < 0x20)
                return fail("a string is not closed before the end of the line");
            if (peek() == '\\' && !escape())
                return false;
        }
        if (m_at == m_text.size())
            return fail("");
        ++m_at;
        return true;
    }

    bool escape()
    {
        ++m_at;
        if (std::string_view("\"\\/bfnrt").find(peek()) != std::string_view::npos)
            return true;
        if (peek() != 'u')
            return fail("an unknown escape: a backslash is written \\\\");
        for (int i = 0; i < 4; ++i)
        {
            ++m_at;
            if (!isHexDigit(peek()))
                return fail("\\u needs four hexadecimal digits");
        }
        return true;
    }

    std::string_view m_text;
    std::size_t m_at = 0;
    std::string m_open; ///< closing brackets still to come
    bool m_isFirst = false;
    const char* m_problem = "";
};

} // namespace

std::optional<JsonFault> findJsonFault(std::string_view text)
{
    Scanner scanner(text);
    if (scanner.document())
        return std::nullopt;
    return scanner.fault();
}

} // namespace dl::detail
