#include "drawloom/asset/detail/json_fault.h"

#include "drawloom/asset/detail/json.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace dl::detail
{
namespace
{

std::string faultOf(const std::string& text)
{
    const std::optional<JsonFault> fault = findJsonFault(text);
    return fault ? std::to_string(fault->line) + ":" + std::to_string(fault->column) + " " + fault->problem : "fine";
}

} // namespace

TEST(JsonFault, NamesLineColumnAndWhatIsMissing)
{
    EXPECT_EQ(faultOf("{\"a\": [1, -2.5e+3, \"\\u00e9\", {}, [], true, false, null]}"), "fine");
    EXPECT_EQ(faultOf(""), "1:1 the text ends too early");
    EXPECT_EQ(faultOf("{\n \"a\": 1\n \"b\": 2}"), "3:2 a comma or } is expected");
    EXPECT_EQ(faultOf("[1 2]"), "1:4 a comma or ] is expected");
    EXPECT_EQ(faultOf("[1,]"), "1:4 a value is expected: an object, array, string, number, true, false or null");
    EXPECT_EQ(faultOf("{\"a\": 1,}"), "1:9 a name in double quotes is expected");
    EXPECT_EQ(faultOf("{a: 1}"), "1:2 a name in double quotes is expected");
    EXPECT_EQ(faultOf("{\"a\" 1}"), "1:6 a colon is expected");
    EXPECT_EQ(faultOf("{\"\xc3\xa9\xc3\xa9\": nope}"), "1:8 a value is expected: an object, array, string, number, true, false or null");
    EXPECT_EQ(faultOf("[01]"), "1:3 a number may not begin with 0");
    EXPECT_EQ(faultOf("[1.]"), "1:4 a digit is expected");
    EXPECT_EQ(faultOf("[\"a\nb\"]"), "1:4 a string is not closed before the end of the line");
    EXPECT_EQ(faultOf("[\"C:\\data\"]"), "1:6 an unknown escape: a backslash is written \\\\");
    EXPECT_EQ(faultOf("[\"\\u12g4\"]"), "1:7 \\u needs four hexadecimal digits");
    EXPECT_EQ(faultOf("{} {}"), "1:4 nothing may follow the end of the outermost value");
    EXPECT_EQ(faultOf("[\"abc"), "1:6 the text ends too early");
    EXPECT_EQ(faultOf("[[[1"), "1:5 the text ends too early");
}

/// Texts that are nearly JSON: whatever the scanner calls a fault the parser refuses, and the other way round.
TEST(JsonFault, AgreesWithTheParser)
{
    const unsigned seed = std::random_device{}();
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    const std::string good = R"({"a":[1,-2.5e+3,"x\n\u00e9",{}],"b":{"c":true,"d":null,"e":0.25}})";
    const std::string alphabet = R"({}[]",:\0123456789.eE+-truefalsn )";
    int refused = 0;
    for (int i = 0; i < 20000; ++i)
    {
        std::string text = good;
        for (std::size_t edits = 1 + random() % 3; edits > 0; --edits)
        {
            const std::size_t at = random() % text.size();
            const char c = alphabet[random() % alphabet.size()];
            if (random() % 3 == 0)
                text.erase(at, 1);
            else if (random() % 2 == 0)
                text[at] = c;
            else
                text.insert(at, 1, c);
        }
        const bool isParsed = static_cast<bool>(JsonDocument::parse(std::as_bytes(std::span(text)), 16));
        refused += isParsed ? 0 : 1;
        const bool isFine = !findJsonFault(text);
        // A number beyond double and half a surrogate pair are well formed, and refused.
        ASSERT_TRUE(isParsed == isFine || (isFine && !isParsed && text.find_first_of("eEu") != std::string::npos)) << text;
    }
    EXPECT_GT(refused, 5000);
}

} // namespace dl::detail
