// bench/bench_import.cpp - import time by stage, MB/s and peak memory on the larger shared models and on generated files of
// 50 MB (JSON-heavy, binary-heavy), beside what tinygltf takes on the same file. Both run in processes of their own, in turn,
// and medians are compared. usage: bench_import [--runs N] [FILE...]
#include "bench/import_files.h"
#include "drawloom/asset/gltf_import.h"
#include "drawloom/core/hash.h"
#include "drawloom/core/trace.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

namespace
{

namespace fs = std::filesystem;
using namespace dl;

constexpr std::size_t kGeneratedBytes = 50'000'000;
constexpr const char* kStages[] = {"read", "JSON", "materials", "images", "meshes", "nodes", "animations"};

struct Measured
{
    double ms = 0.0;
    double peakMb = 0.0;
    std::map<std::string, double> stageMs;
    std::uint64_t hash = 0; ///< of what was read, so that a wrong answer is never fast
};

double median(std::vector<double> values)
{
    std::sort(values.begin(), values.end());
    return values.empty() ? 0.0 : values[values.size() / 2];
}

std::uint64_t hashOf(const SceneDescription& scene)
{
    std::uint64_t hash = scene.nodes.size();
    for (const Mesh& mesh : scene.meshes)
        for (const Primitive& primitive : mesh.primitives)
            hash = hashBytes(std::as_bytes(std::span(primitive.indices)), hashBytes(std::as_bytes(std::span(primitive.positions)), hash));
    for (const Image& image : scene.images)
        hash = hash * 31 + image.contentHash;
    return hash;
}

/// In this process: the lines that the parent reads.
int importHere(const fs::path& file, int runs)
{
    std::vector<double> total;
    std::map<std::string, std::vector<double>> stages;
    std::uint64_t hash = 0;
    for (int i = 0; i < runs; ++i)
    {
        TraceRecorder recorder;
        setTraceRecorder(&recorder);
        const std::uint64_t begin = nowNs();
        const Result<SceneDescription> scene = importGltf(file);
        total.push_back(static_cast<double>(nowNs() - begin) * 1e-6);
        setTraceRecorder(nullptr);
        if (!scene)
        {
            std::fprintf(stderr, "%s\n", scene.error().message.c_str());
            return 1;
        }
        hash = hashOf(*scene);
        for (const nlohmann::json& event :
            nlohmann::json::parse(recorder.toJson(), nullptr, false).value("traceEvents", nlohmann::json::array()))
            if (const std::string name = event.value("name", ""); name.starts_with("import ") && event.contains("dur"))
                stages[name.substr(7)].push_back(event.at("dur").get<double>() * 1e-3);
    }
    nlohmann::json out = {{"ms", median(total)}, {"peakMb", bench::peakMb()}, {"hash", hash}, {"stages", nlohmann::json::object()}};
    for (const auto& [name, times] : stages)
        out["stages"][name] = median(times);
    std::printf("%s\n", out.dump().c_str());
    return 0;
}

/// Runs a program and returns its standard output. Empty: it failed.
std::string runChild(const std::vector<std::string>& words)
{
    int ends[2] = {};
    if (pipe(ends) != 0)
        return {};
    const pid_t child = fork();
    if (child == 0)
    {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        std::vector<char*> argv;
        for (const std::string& word : words)
            argv.push_back(const_cast<char*>(word.c_str()));
        argv.push_back(nullptr);
        execv(argv[0], argv.data());
        _exit(127);
    }
    close(ends[1]);
    std::string text;
    char buffer[4096];
    for (ssize_t got = 0; (got = read(ends[0], buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(got));
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? text : std::string();
}

/// The file itself and what a .gltf names beside it, roughly: its folder's files of the same model are not all its own.
double fileMb(const fs::path& file)
{
    double bytes = static_cast<double>(fs::file_size(file));
    if (file.extension() == ".gltf" && fs::file_size(file) < 10'000'000)
        for (const auto& entry : fs::directory_iterator(file.parent_path()))
            if (entry.path() != file && entry.is_regular_file())
                bytes += static_cast<double>(entry.file_size());
    return bytes * 1e-6;
}

/// False: the file can not be imported; said on stderr.
bool printRow(const fs::path& file, int runs, const fs::path& self)
{
    Measured ours, peer;
    std::vector<double> oursMs, peerMs;
    const fs::path peerProgram = self.parent_path() / "import_peer";
    // In turn, three times, so that a busy machine slows both.
    for (int round = 0; round < 3; ++round)
    {
        const nlohmann::json out =
            nlohmann::json::parse(runChild({self.string(), "--child", file.string(), std::to_string(runs)}), nullptr, false);
        if (out.is_discarded())
            return false;
        oursMs.push_back(out.at("ms").get<double>());
        ours.hash = out.at("hash").get<std::uint64_t>();
        ours.peakMb = std::max(ours.peakMb, out.at("peakMb").get<double>());
        for (const auto& [name, ms] : out.at("stages").items())
            ours.stageMs[name] = round == 0 ? ms.get<double>() : std::min(ours.stageMs[name], ms.get<double>());
        if (const std::string text = runChild({peerProgram.string(), file.string(), std::to_string(runs)}); !text.empty())
        {
            char* rest = nullptr;
            peerMs.push_back(std::strtod(text.c_str(), &rest));
            peer.peakMb = std::max(peer.peakMb, std::strtod(rest, nullptr));
        }
    }
    ours.ms = median(oursMs);
    peer.ms = median(peerMs);
    const double mb = fileMb(file);
    std::printf(
        "%-28s %7.1f MB %9.1f ms %8.1f MB/s %7.0f MB peak", file.filename().string().c_str(), mb, ours.ms, mb / ours.ms * 1e3, ours.peakMb);
    if (peer.ms > 0.0)
        std::printf(" | tinygltf %9.1f ms %7.0f MB peak | %5.2f x", peer.ms, peer.peakMb, peer.ms / ours.ms);
    std::printf("  hash %016llx\n   ", static_cast<unsigned long long>(ours.hash));
    for (const char* stage : kStages)
        if (const auto found = ours.stageMs.find(stage); found != ours.stageMs.end() && found->second >= 0.05)
            std::printf(" %s %.1f ms (%.0f MB/s)", stage, found->second, mb / found->second * 1e3);
    std::printf("\n");
    std::fflush(stdout);
    return true;
}

} // namespace

int main(int argc, char** argv)
try
{
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() == 3 && words[0] == "--child")
        return importHere(words[1], std::atoi(words[2].c_str()));
    int runs = 5;
    std::vector<fs::path> files;
    for (std::size_t i = 0; i < words.size(); ++i)
    {
        const bool isRuns = words[i] == "--runs" && i + 1 < words.size();
        runs = isRuns ? std::atoi(words[++i].c_str()) : runs;
        if (isRuns && runs > 0)
            continue;
        if (isRuns || words[i].starts_with("-"))
        {
            const bool isHelp = words[i] == "--help";
            std::fprintf(isHelp ? stdout : stderr, "usage: bench_import [--runs N] [FILE...]     (N: 1 or more, default 5)\n");
            return isHelp ? 0 : 2;
        }
        files.emplace_back(words[i]);
    }
    const fs::path folder = fs::temp_directory_path() / ("drawloom-bench-" + std::to_string(getpid()));
    fs::create_directories(folder);
    if (files.empty())
    {
        bench::writeJsonHeavy(folder / "json-heavy.gltf", kGeneratedBytes);
        bench::writeBinaryHeavy(folder / "binary-heavy.glb", kGeneratedBytes);
        files = {folder / "json-heavy.gltf", folder / "binary-heavy.glb"};
        for (const char* name : {"town/town.glb", "kaykit-adventurers/characters/Knight.glb", "flight-helmet/FlightHelmet.gltf",
                 "scifi-helmet/SciFiHelmet.gltf", "many-cubes/many-cubes.gltf"})
            if (const fs::path file = fs::path("../shared/assets") / name; fs::exists(file))
                files.push_back(file);
    }
    const fs::path self = fs::canonical("/proc/self/exe");
    bool isDone = true;
    for (const fs::path& file : files)
        isDone = printRow(file, runs, self) && isDone;
    fs::remove_all(folder);
    return isDone ? 0 : 3;
}
catch (const std::exception& problem) // files that come and go, memory
{
    std::fprintf(stderr, "bench_import: %s\n", problem.what());
    return 1;
}
