#include "tests/cli/program_fixture.h"

#include <algorithm>
#include <cstdlib>
#include <fcntl.h>
#include <fstream>
#include <map>
#include <spawn.h>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace dl
{
namespace
{

namespace fs = std::filesystem;

/// Removed when the test program ends.
const fs::path& workFolder()
{
    struct Folder
    {
        fs::path path;
        Folder()
        {
            std::string pattern = (fs::temp_directory_path() / "drawloom-cli-XXXXXX").string();
            path = mkdtemp(pattern.data()) != nullptr ? pattern : "";
        }
        ~Folder()
        {
            std::error_code ignored;
            fs::remove_all(path, ignored);
        }
    };
    static const Folder folder;
    return folder.path;
}

} // namespace

std::string readText(const fs::path& path)
{
    const std::ifstream file(path, std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

void writeText(const fs::path& path, const std::string& text)
{
    std::ofstream(path, std::ios::binary) << text;
}

nlohmann::json parseJson(const std::string& text)
{
    nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
    EXPECT_FALSE(json.is_discarded()) << "not JSON: " << text.substr(0, 200);
    return json.is_discarded() ? nlohmann::json() : json;
}

ProgramResult runProgram(const std::string& program, const std::vector<std::string>& arguments, const std::string& stdoutPath)
{
    const std::string outPath = stdoutPath.empty() ? (workFolder() / "stdout").string() : stdoutPath;
    const std::string errPath = (workFolder() / "stderr").string();
    posix_spawn_file_actions_t files;
    posix_spawn_file_actions_init(&files);
    posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, outPath.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&files, STDERR_FILENO, errPath.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    const std::string measuredPath = (workFolder() / "measured").string();
    posix_spawn_file_actions_addopen(&files, 3, measuredPath.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    std::vector<std::string> words = {DRAWLOOM_MEASURED_RUN, program};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    pid_t child = 0;
    const int spawned = posix_spawn(&child, DRAWLOOM_MEASURED_RUN, &files, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&files);
    ProgramResult result;
    int ended = 0;
    if (spawned == 0 && waitpid(child, &ended, 0) == child && WIFEXITED(ended) && WEXITSTATUS(ended) == 0)
    {
        int status = 0;
        std::ifstream(measuredPath) >> status >> result.cpuSeconds >> result.maxRssBytes;
        result.exitCode = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    }
    result.out = stdoutPath.empty() ? readText(outPath) : "";
    result.err = readText(errPath);
    return result;
}

Program::Program()
{
    const std::string name = ::testing::UnitTest::GetInstance()->current_test_info()->name();
    std::string safe = name;
    std::replace(safe.begin(), safe.end(), '/', '-');
    m_folder = workFolder() / safe;
    fs::create_directories(m_folder);
}

Program::~Program()
{
    std::error_code ignored;
    fs::remove_all(m_folder, ignored);
}

ProgramResult Program::drawloom(const std::vector<std::string>& arguments, const std::string& stdoutPath)
{
    return runProgram(DRAWLOOM_PROGRAM, arguments, stdoutPath);
}

ProgramResult Program::done(const std::vector<std::string>& arguments)
{
    ProgramResult result = drawloom(arguments);
    const auto says = [&](const char* word) { return std::find(arguments.begin(), arguments.end(), word) != arguments.end(); };
    const bool saysClean = says("--validate") && !says("--quiet") && !says("--json");
    EXPECT_EQ(result.exitCode, 0) << ::testing::PrintToString(arguments);
    EXPECT_EQ(result.err, saysClean ? "drawloom: validation: no findings\n" : "") << ::testing::PrintToString(arguments);
    return result;
}

void Program::fails(int exitCode, const std::string& text, const std::vector<std::string>& arguments, const std::string& stdoutPath)
{
    const ProgramResult result = drawloom(arguments, stdoutPath);
    const std::string what = ::testing::PrintToString(arguments) + ": " + result.err;
    EXPECT_EQ(result.exitCode, exitCode) << what;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << what;
    EXPECT_EQ(result.err.rfind("drawloom: ", 0), 0U) << what;
    EXPECT_NE(result.err.find(text), std::string::npos) << what << "lacks: " << text;
    EXPECT_EQ(result.out, "") << what;
}

std::string Program::scene(const std::string& name)
{
    const fs::path file = workFolder() / (name + ".glb");
    if (!fs::exists(file))
    {
        const ProgramResult made = runProgram(DRAWLOOM_SCENES_PROGRAM, {workFolder().string(), name});
        EXPECT_EQ(made.exitCode, 0) << made.err;
    }
    return file.string();
}

bool hasDriver(const std::string& namePart)
{
    static std::map<std::string, bool> known;
    if (const auto found = known.find(namePart); found != known.end())
        return found->second;
    const std::string out = (workFolder() / "driver").string();
    // An input that draws nothing tells quickly.
    const fs::path file = workFolder() / "nothing.gltf";
    writeText(file, R"({"asset": {"version": "2.0"}, "scenes": [{"nodes": []}], "scene": 0})");
    const ProgramResult tried =
        runProgram(DRAWLOOM_PROGRAM, {"render", file.string(), "--out", out, "--size", "8x8", "--driver", namePart});
    return known[namePart] = tried.exitCode != 4; // whatever else is wrong is for the tests to find
}

} // namespace dl
