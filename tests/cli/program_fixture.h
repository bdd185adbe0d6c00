// tests/cli/program_fixture.h - runs the built program as a user does, and gives tests scenes and a folder of their own.
#pragma once

#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace dl
{

struct ProgramResult
{
    int exitCode = -1; ///< -1: did not end by itself
    std::string out, err;
    double cpuSeconds = 0.0;       ///< user and system
    std::uint64_t maxRssBytes = 0; ///< the most memory that it held
};

/// Runs `program` with stdout and stderr caught, `stdoutPath` instead if it is not empty. Never a terminal.
ProgramResult runProgram(const std::string& program, const std::vector<std::string>& arguments, const std::string& stdoutPath = "");

std::string readText(const std::filesystem::path& path);
void writeText(const std::filesystem::path& path, const std::string& text);

/// Parsed, or a failure of the test and null.
nlohmann::json parseJson(const std::string& text);

class Program : public ::testing::Test
{
protected:
    Program();
    ~Program() override;

    ProgramResult drawloom(const std::vector<std::string>& arguments, const std::string& stdoutPath = "");
    /// Expects success and silence on stderr, or with --validate the one line that there was nothing to say.
    ProgramResult done(const std::vector<std::string>& arguments);
    /// Expects the code, exactly one line on stderr that holds `text`, and nothing on stdout.
    void fails(int exitCode, const std::string& text, const std::vector<std::string>& arguments, const std::string& stdoutPath = "");
    /// A generated scene as .glb; made once per run of the tests.
    static std::string scene(const std::string& name);
    std::string path(const std::string& name) const { return (m_folder / name).string(); }

private:
    std::filesystem::path m_folder;
};

/// "llvmpipe", "swiftshader"; what is not installed is skipped by the tests.
bool hasDriver(const std::string& namePart);

} // namespace dl
