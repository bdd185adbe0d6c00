// The importer's codes stand where they are used; this holds the table of docs/reason_codes.md against them.
#include "tests/cli/program_fixture.h"

#include <set>

namespace dl
{
namespace
{

bool isCode(const std::string& text)
{
    return text.find('-', 1) != std::string::npos && text[0] != '-' &&
           text.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789-") == std::string::npos;
}

/// Words between two `quote` characters that look like codes.
std::set<std::string> quotedCodes(const std::string& text, char quote)
{
    std::set<std::string> codes;
    for (std::size_t at = text.find(quote); at != std::string::npos; at = text.find(quote, at + 1))
    {
        const std::size_t end = text.find(quote, at + 1);
        if (end != std::string::npos && isCode(text.substr(at + 1, end - at - 1)))
            codes.insert(text.substr(at + 1, end - at - 1));
    }
    return codes;
}

} // namespace

TEST(ImportCodes, AreTheOnesInTheDocumentation)
{
    std::set<std::string> used;
    for (const char* room : {"drawloom/asset", "drawloom/scene"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(room))
            if (entry.path().extension() == ".cpp")
                used.merge(quotedCodes(readText(entry.path()), '"'));
    const std::string text = readText("docs/reason_codes.md");
    const std::size_t begin = text.find("\n## Import\n");
    ASSERT_NE(begin, std::string::npos);
    const std::set<std::string> documented = quotedCodes(text.substr(begin, text.find("\n## ", begin + 1) - begin), '`');
    EXPECT_EQ(used, documented);
    EXPECT_GT(used.size(), 20U);
}

} // namespace dl
