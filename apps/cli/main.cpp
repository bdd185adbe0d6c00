// drawloom: the command-line program. Parses arguments and calls the commands; exit codes in exit_codes.h.
#include "apps/cli/exit_codes.h"
#include "apps/cli/inspect.h"
#include "apps/cli/parse_values.h"
#include "apps/cli/render_options.h"
#include "drawloom/core/log.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace
{

using namespace dl;
using namespace dl::cli;

constexpr std::uint32_t kMaxPictureSize = 8192;
constexpr std::uint32_t kMaxFrames = 100000;
constexpr std::uint32_t kMaxThreads = 256;
constexpr float kMaxTimeSeconds = 1e6f;
constexpr std::size_t kMaxShownChars = 64; ///< of a value that is refused

/// An option whose text `read` turns into a value; `wanted` says what it takes, `type` shortly for the help.
template <class Read>
CLI::Option* addParsed(CLI::App& command, const std::string& name, std::string type, Read read, const std::string& wanted, std::string help)
{
    return command
        .add_option_function<std::string>(
            name,
            [name, read, wanted](const std::string& text)
            {
                if (!read(text))
                    throw CLI::ValidationError(name, "takes " + wanted + ", got \"" + text.substr(0, kMaxShownChars) + "\"");
            },
            std::move(help))
        ->type_name(std::move(type));
}

/// One of a few words.
CLI::Option* addWord(CLI::App& command, const std::string& name, std::string& word, std::vector<std::string> words, std::string help)
{
    std::string wanted;
    for (std::size_t i = 0; i < words.size(); ++i)
        wanted += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    const auto read = [&word, words = std::move(words)](const std::string& text)
    {
        const bool isKnown = std::find(words.begin(), words.end(), text) != words.end();
        if (isKnown)
            word = text;
        return isKnown;
    };
    return addParsed(command, name, "WORD", read, wanted, std::move(help));
}

/// An empty word is most often a shell variable that is not set.
std::string refuseEmpty(const std::string& text)
{
    return text.empty() ? "needs a value, got an empty word" : "";
}

bool readSize(const std::string& text, RenderOptions& o)
{
    const std::optional<UintPair> size = parseUintPair(text, 'x');
    if (!size || size->first == 0 || size->second == 0 || size->first > kMaxPictureSize || size->second > kMaxPictureSize)
        return false;
    o.width = size->first;
    o.height = size->second;
    return true;
}

template <class T> bool take(std::optional<T> value, std::optional<T>& out)
{
    out = value;
    return value.has_value();
}

bool readCount(const std::string& text, std::uint32_t least, std::uint32_t most, std::uint32_t& count)
{
    const std::optional<std::uint32_t> value = parseUint(text);
    if (!value || *value < least || *value > most)
        return false;
    count = *value;
    return true;
}

bool readNumber(const std::string& text, float least, float most, float& number)
{
    const std::optional<float> value = parseFloat(text);
    if (!value || *value < least || *value > most)
        return false;
    number = *value;
    return true;
}

void addMemory(CLI::App& command, std::uint64_t& memoryMiB)
{
    command.add_option("--max-memory", memoryMiB, "How much memory an input's geometry, animations and images may fill, MiB")
        ->check(CLI::Range(std::uint64_t(1), kMaxMemoryMiB))
        ->type_name("MIB")
        ->capture_default_str();
}

void addEnvironment(CLI::App& render, RenderOptions& o)
{
    CLI::Option* file =
        render
            .add_option("--environment", o.environmentFile,
                "A Radiance .hdr (equirectangular) that lights and surrounds the scene; then only lights of the files add to it")
            ->check(refuseEmpty)
            ->type_name("FILE");
    addParsed(
        render, "--environment-rotation", "DEGREES",
        [&o](const std::string& text) { return readNumber(text, -3600.0f, 3600.0f, o.environmentRotationDegrees); },
        "degrees, -3600 to 3600", "Turns the environment about the vertical, counter-clockwise seen from above [0]")
        ->needs(file);
    addParsed(
        render, "--environment-intensity", "FACTOR", [&o](const std::string& text)
        { return readNumber(text, 0.0f, 1000.0f, o.environmentIntensity); }, "a factor, 0 to 1000", "Times the environment's radiance [1]")
        ->needs(file);
}

void addDeviceOptions(CLI::App& command, DeviceOptions& device)
{
    addWord(command, "--backend", device.backend, {"vulkan", "null"}, "What draws: vulkan, or null, which makes no picture [vulkan]");
    command
        .add_option("--driver", device.driver, "Vulkan: part of a driver's or device's name, or auto (finds chromium's SwiftShader too)")
        ->check(refuseEmpty)
        ->type_name("NAME-PART")
        ->capture_default_str();
    command
        .add_option("--pipeline-cache", device.pipelineCacheFolder,
            "Keep what the driver compiled in this folder, one file a driver, and take it from there in the next run")
        ->check(refuseEmpty)
        ->type_name("FOLDER");
    command.add_flag("--validate", device.isValidating, "Check every call and command; findings go to stderr, a fault fails the command");
}

void addCamera(CLI::App& render, CameraOptions& camera)
{
    const auto vectorInto = [](std::optional<vec3>& out)
    { return [&out](const std::string& text) { return take(parseVector(text), out); }; };
    CLI::Option* name =
        render.add_option("--camera", camera.name, "A camera of the file by name [a composition's own, else the scene fits]")
            ->check(refuseEmpty)
            ->type_name("NAME");
    CLI::Option* orbit = addParsed(render, "--orbit", "YAW,PITCH,DIST", vectorInto(camera.orbit),
        "YAW,PITCH,DIST: degrees and metres (DIST 0 fits the scene), as in 35,20,0",
        "Looks at the scene's centre from there; degrees, metres; DIST 0 fits the scene");
    CLI::Option* eye = addParsed(
        render, "--eye", "X,Y,Z", vectorInto(camera.eye), "X,Y,Z in metres, as in 1,2.5,-3", "Where the camera stands; needs --target");
    CLI::Option* target = addParsed(
        render, "--target", "X,Y,Z", vectorInto(camera.target), "X,Y,Z in metres, as in 1,2.5,-3", "What the camera looks at; needs --eye");
    eye->needs(target);
    target->needs(eye);
    name->excludes(orbit)->excludes(eye);
    orbit->excludes(eye);
}

void addRender(CLI::App& app, RenderOptions& o)
{
    CLI::App& render = *app.add_subcommand("render", "Draw glTF files or a composition; write picture.png and report");
    render.add_option("INPUT", o.inputs, "A .glb, a .gltf, or a composition (*.scene.json); several are drawn together")
        ->required()
        ->check(refuseEmpty)
        ->type_name("FILE");
    render.add_option("--out", o.outFolder, "Folder for the results; made if absent")->required()->check(refuseEmpty)->type_name("DIR");
    addParsed(
        render, "--size", "WxH", [&o](const std::string& text) { return readSize(text, o); },
        "WIDTHxHEIGHT, each 1 to " + std::to_string(kMaxPictureSize) + ", as in 640x400", "Picture size [640x400]");
    addParsed(
        render, "--msaa", "1|4",
        [&o](const std::string& text) { return (text == "1" || text == "4") && readCount(text, 1, 4, o.sampleCount); }, "1 or 4",
        "Samples a texel; 4 smooths edges and the alpha of cut-out materials [1]");
    addParsed(
        render, "--frames", "N", [&o](const std::string& text) { return readCount(text, 1, kMaxFrames, o.frames); },
        "a whole number, 1 to " + std::to_string(kMaxFrames), "Frames to draw; the last one is written [1]");
    addParsed(
        render, "--time", "S", [&o](const std::string& text) { return readNumber(text, 0.0f, kMaxTimeSeconds, o.timeSeconds); },
        "seconds, 0 to 1000000", "Animation time of the first frame, seconds; later ones follow at 60 a second [0]");
    render.add_option("--animation", o.animation, "Which animation plays, by name or index [0]; inputs that lack it stay at rest")
        ->check(refuseEmpty)
        ->type_name("NAME|INDEX");
    render.add_flag("--build-lods", o.buildLods, "Make levels of detail for meshes that have none");
    addCamera(render, o.camera);
    addEnvironment(render, o);
    addDeviceOptions(render, o.device);
    render.add_option("--lose-device-at", o.device.loseAtSubmission)->group(""); // for tests
    CLI::Option* view = addWord(render, "--view", o.view, {"batches", "overdraw", "normals", "albedo", "lod", "mips", "velocity"},
        "Draw a debug view: batches (coloured by what kept a draw from joining the one before, docs/debugging.md), overdraw, normals, "
        "albedo, lod, mips, velocity "
        "(since the frame before: grey rests, red goes right, green up)");
    addParsed(
        render, "--pick", "X,Y", [&o](const std::string& text) { return take(parseUintPair(text, ','), o.pick); },
        "X,Y in texels from the top left corner", "Say which node is seen at a texel, from the top left corner")
        ->excludes(view);
    addWord(render, "--submission", o.submission, {"each", "joined", "indirect"},
        "How draws reach the device: each (one for each object and section), joined (equal ones as instanced draws), or indirect (runs of "
        "those as one multi-draw, where the device can) [indirect]");
    addWord(render, "--shadows", o.shadows, {"on", "off"}, "Shadows of the sun: on or off [on]");
    addMemory(render, o.maxMemoryMiB);
    render.add_flag("--strict", o.isStrict, "Refuse files with faults (missing images, broken rules of glTF) instead of reporting them");
    render.add_flag("--report", o.report, "Write report.json and report.html");
    render.add_flag("--dump-commands", o.dumpCommands, "Write commands.txt: the last frame's command stream as text");
    render.add_option("--capture", o.captureFile, "Write the last frame as a capture that `drawloom replay` plays")
        ->check(refuseEmpty)
        ->type_name("FILE");
    render.add_option("--trace", o.traceFile, "Write CPU spans as Chrome/Perfetto JSON")->check(refuseEmpty)->type_name("FILE");
    addParsed(
        render, "--threads", "N", [&o](const std::string& text) { return readCount(text, 0, kMaxThreads, o.threads); },
        "a whole number, 0 to " + std::to_string(kMaxThreads), "Threads of the frame, 0: one per core [0]");
    render.add_flag("--quiet", o.isQuiet, "Say nothing but errors");
    render.add_flag("--json", o.isJson, "Print the report to stdout as JSON and nothing else");
}

void addReplay(CLI::App& app, ReplayOptions& o)
{
    CLI::App& replay = *app.add_subcommand("replay", "Play a capture again and write its pictures");
    replay.add_option("CAPTURE", o.captureFile, "A file of `drawloom render --capture`")->required()->check(refuseEmpty)->type_name("");
    replay.add_option("--out", o.outFolder, "Folder for the picture; without it only the counts are printed")
        ->check(refuseEmpty)
        ->type_name("DIR");
    addDeviceOptions(replay, o.device);
    replay.add_flag("--quiet", o.isQuiet, "Say nothing but errors");
    replay.add_flag("--json", o.isJson, "Print the counts as JSON");
}

struct InspectArguments
{
    std::string file;
    std::uint64_t maxMemoryMiB = kDefaultMemoryMiB;
    bool isJson = false;
    bool isStrict = false;
};

void addInspect(CLI::App& app, InspectArguments& o)
{
    CLI::App& inspect = *app.add_subcommand("inspect", "Say what is in a file and what is wrong with it");
    inspect.add_option("FILE", o.file, "A .glb, a .gltf, a composition (*.scene.json) or an image (PNG, JPEG, WebP, KTX2, HDR)")
        ->required()
        ->check(refuseEmpty)
        ->type_name("");
    addMemory(inspect, o.maxMemoryMiB);
    inspect.add_flag("--json", o.isJson, "As JSON");
    inspect.add_flag("--strict", o.isStrict, "Refuse what would be a warning");
}

int run(int argc, char** argv)
{
    CLI::App app("Drawloom turns scenes of many meshes, materials and textures into few draw calls.", "drawloom");
    app.require_subcommand(1);
    app.set_version_flag("--version", DRAWLOOM_VERSION);
    RenderOptions render;
    ReplayOptions replay;
    InspectArguments inspect;
    addRender(app, render);
    addInspect(app, inspect);
    addReplay(app, replay);
    const auto isAsked = [&](const CLI::App* command) { return command->check_name(argv[1]); };
    if (argc < 2)
        return fail(kUsage, "no command: there are render, inspect and replay (see drawloom --help)");
    if (argv[1][0] != '-' && app.get_subcommands(isAsked).empty())
        return fail(
            kUsage, ("no command \"" + std::string(argv[1]) + "\": there are render, inspect and replay (see drawloom --help)").c_str());
    try
    {
        app.parse(argc, argv);
    }
    catch (const CLI::Success& success) // --help, --version
    {
        return app.exit(success);
    }
    catch (const CLI::ParseError& error)
    {
        const std::string command = app.get_subcommands().empty() ? "" : app.get_subcommands().front()->get_name() + " ";
        return fail(kUsage, (std::string(error.what()) + " (see drawloom " + command + "--help)").c_str());
    }
    if (app.got_subcommand("render"))
        return runRender(render);
    if (app.got_subcommand("replay"))
        return runReplay(replay);
    return runInspect(
        {.input = inspect.file, .maxMemoryMiB = inspect.maxMemoryMiB, .isJson = inspect.isJson, .isStrict = inspect.isStrict});
}

/// What the library says outside of return values.
class WarningSink final : public LogSink
{
    void write(LogLevel level, std::string_view line) override
    {
        if (level >= LogLevel::Warning)
            say(std::string(line));
    }
};

} // namespace

int main(int argc, char** argv)
{
    try
    {
        static WarningSink warnings;
        setLogSink(&warnings);
        const int code = run(argc, argv);
        if ((std::fflush(stdout) != 0 || std::ferror(stdout) != 0) && code == kDone)
            return fail(kBadInput, "cannot write to standard output: is the disk full?");
        return code;
    }
    catch (const std::exception& error)
    {
        return fail(kInternal, error.what());
    }
}
