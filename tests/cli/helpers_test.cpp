// The programs and scripts around drawloom have its habits: help on stdout, one line on stderr and code 2 for unknown words.
#include "tests/cli/program_fixture.h"

#include <algorithm>

namespace dl
{
namespace
{

std::string sample(const char* name)
{
    return (std::filesystem::path(DRAWLOOM_PROGRAM).parent_path() / (std::string("sample_") + name)).string();
}

void expectUsage(const std::string& program, const std::vector<std::string>& words)
{
    const ProgramResult result = runProgram(program, words);
    const std::string what = program + " " + ::testing::PrintToString(words) + ": " + result.err;
    EXPECT_EQ(result.exitCode, 2) << what;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << what;
    EXPECT_NE(result.err.find("usage: "), std::string::npos) << what;
    EXPECT_EQ(result.out, "") << what;
}

class Samples : public Program
{
};
class Scripts : public Program
{
};

} // namespace

TEST_F(Samples, SayHowTheyAreCalled)
{
    for (const char* name : {"render_scene", "draw_source", "custom_mesh_pass", "adopted_device"})
    {
        if (!std::filesystem::exists(sample(name)) && std::string_view(name) == "adopted_device")
            continue; // built where the Vulkan loader's development files are
        for (const char* help : {"--help", "-h"})
        {
            const ProgramResult result = runProgram(sample(name), {help});
            EXPECT_EQ(result.exitCode, 0) << name;
            EXPECT_EQ(result.out.rfind("usage: sample_" + std::string(name), 0), 0U) << result.out;
            EXPECT_EQ(result.err, "") << name;
        }
        expectUsage(sample(name), {"--bogus"});
        expectUsage(sample(name), {path("a.png"), "b", "c"});
    }
    expectUsage(sample("render_scene"), {});
    if (std::filesystem::exists(sample("adopted_device")))
        expectUsage(sample("adopted_device"), {path("a.png"), "llvmpipe"}); // the engine has chosen its driver
}

TEST_F(Samples, EndWithTheCodesOfTheProgram)
{
    const auto endsWith = [](int exitCode, const char* name, const std::vector<std::string>& words)
    {
        const ProgramResult result = runProgram(sample(name), words);
        EXPECT_EQ(result.exitCode, exitCode) << name << ": " << result.err;
        EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    };
    endsWith(3, "render_scene", {path("absent.glb")});
    writeText(path("broken.glb"), "glTF, but not much of it");
    endsWith(3, "render_scene", {path("broken.glb")});
    endsWith(4, "draw_source", {path("a.png"), "no driver of this name"});
    if (hasDriver("llvmpipe"))
        endsWith(3, "draw_source", {path("absent/a.png"), "llvmpipe"});
}

TEST_F(Samples, DrawSourceFreesAllThatItMade)
{
    if (!hasDriver("llvmpipe"))
        GTEST_SKIP() << "the Vulkan driver llvmpipe is not installed";
    const ProgramResult result = runProgram(sample("draw_source"), {path("field.png"), "llvmpipe"});
    EXPECT_EQ(result.exitCode, 0) << result.err;
    EXPECT_NE(result.out.find("left behind: 0 meshes, 0 materials, 0 blocks\n"), std::string::npos) << result.out;
    EXPECT_TRUE(std::filesystem::exists(path("field.png")));
}

TEST_F(Scripts, RefuseUnknownWords)
{
    for (const char* script : {"scripts/format", "scripts/demo"})
    {
        expectUsage(script, {"--bogus"});
        expectUsage(script, {""});
    }
    expectUsage("scripts/format", {"--check", "more"});
}

} // namespace dl
