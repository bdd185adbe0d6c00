// drawloom: the command-line program. Parses arguments and calls the commands; exit codes in exit_codes.h.
#include "apps/cli/exit_codes.h"
#include "apps/cli/inspect.h"
#include "apps/cli/render_options.h"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <string>
#include <vector>

namespace
{

using namespace dl;
using namespace dl::cli;

constexpr std::uint32_t kMaxPictureSize = 8192;

/// "640x400"
std::string parseSize(const std::string& text, RenderOptions& options)
{
    unsigned width = 0;
    unsigned height = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%ux%u%c", &width, &height, &rest) != 2 || width == 0 || height == 0 || width > kMaxPictureSize ||
        height > kMaxPictureSize)
        return "takes WIDTHxHEIGHT, each 1 to " + std::to_string(kMaxPictureSize) + ", as in 640x400";
    options.width = width;
    options.height = height;
    return "";
}

/// "1,2.5,-3"
std::string parseVector(const std::string& text, const char* meaning, std::optional<vec3>& out)
{
    vec3 v(0.0f);
    char rest = 0;
    if (std::sscanf(text.c_str(), "%f,%f,%f%c", &v.x, &v.y, &v.z, &rest) != 3 || !(std::abs(v.x) + std::abs(v.y) + std::abs(v.z) < 1e9f))
        return std::string("takes three numbers: ") + meaning;
    out = v;
    return "";
}

/// "320,200"
std::string parsePick(const std::string& text, RenderOptions& options)
{
    unsigned x = 0;
    unsigned y = 0;
    char rest = 0;
    if (std::sscanf(text.c_str(), "%u,%u%c", &x, &y, &rest) != 2)
        return "takes X,Y in texels from the top left corner";
    options.pick = {x, y};
    return "";
}

void addDeviceOptions(CLI::App& command, DeviceOptions& device)
{
    command.add_option("--backend", device.backend, "What draws")->check(CLI::IsMember({"vulkan", "null"}))->capture_default_str();
    command.add_option("--driver", device.driver, "Part of a driver's or device's name, or auto (finds chromium's SwiftShader too)")
        ->capture_default_str();
    command.add_flag(
        "--validate", device.isValidating, "Check every call and command; messages go to stderr, a fault ends with exit code 1");
}

void addRender(CLI::App& app, RenderOptions& o)
{
    CLI::App& render = *app.add_subcommand("render", "Draw glTF files or a composition; write picture.png and report");
    render.add_option("INPUT", o.inputs, "A .glb, a .gltf, or a composition (*.scene.json); several are drawn together")->required();
    render.add_option("--out", o.outFolder, "Folder for the results; made if absent")->required();
    render.add_option_function<std::string>(
        "--size",
        [&o](const std::string& text)
        {
            if (const std::string error = parseSize(text, o); !error.empty())
                throw CLI::ValidationError("--size", error);
        },
        "Picture size [640x400]");
    render.add_option("--frames", o.frames, "Frames to draw; the last one is written")
        ->check(CLI::Range(1U, 100000U))
        ->capture_default_str();
    render.add_option("--time", o.timeSeconds, "Animation time of the first frame, seconds; later ones follow at 60 a second")
        ->check(CLI::Range(0.0f, 1e6f))
        ->capture_default_str();
    auto* name = render.add_option("--camera", o.camera.name, "A camera of the file by name");
    auto* orbit = render.add_option_function<std::string>(
        "--orbit",
        [&o](const std::string& text)
        {
            if (const std::string error =
                    parseVector(text, "YAW,PITCH,DIST in degrees and metres (DIST 0: fits the scene)", o.camera.orbit);
                !error.empty())
                throw CLI::ValidationError("--orbit", error);
        },
        "YAW,PITCH,DIST around the scene's centre");
    auto* eye = render.add_option_function<std::string>(
        "--eye",
        [&o](const std::string& text)
        {
            if (const std::string error = parseVector(text, "X,Y,Z in metres", o.camera.eye); !error.empty())
                throw CLI::ValidationError("--eye", error);
        },
        "X,Y,Z of the camera; needs --target");
    auto* target = render.add_option_function<std::string>(
        "--target",
        [&o](const std::string& text)
        {
            if (const std::string error = parseVector(text, "X,Y,Z in metres", o.camera.target); !error.empty())
                throw CLI::ValidationError("--target", error);
        },
        "X,Y,Z that the camera looks at");
    eye->needs(target);
    target->needs(eye);
    name->excludes(orbit)->excludes(eye);
    orbit->excludes(eye);
    addDeviceOptions(render, o.device);
    render.add_option("--view", o.view, "Draw a debug view")->check(CLI::IsMember({"batches", "overdraw", "normals", "albedo"}));
    render
        .add_option_function<std::string>(
            "--pick",
            [&o](const std::string& text)
            {
                if (const std::string error = parsePick(text, o); !error.empty())
                    throw CLI::ValidationError("--pick", error);
            },
            "X,Y of a texel: print the node that is seen there")
        ->excludes("--view");
    render.add_flag("--report", o.report, "Write report.json and report.html");
    render.add_flag("--dump-commands", o.dumpCommands, "Write commands.txt: the last frame's command stream as text");
    render.add_option("--capture", o.captureFile, "Write the last frame as a capture that `drawloom replay` plays");
    render.add_option("--trace", o.traceFile, "Write CPU spans as Chrome/Perfetto JSON");
    render.add_option("--threads", o.threads, "Threads of the frame, 0: one per core")->check(CLI::Range(0U, 256U))->capture_default_str();
    render.add_flag("--quiet", o.isQuiet, "Say nothing but errors");
    render.add_flag("--json", o.isJson, "Print the report to stdout as JSON and nothing else");
}

void addReplay(CLI::App& app, ReplayOptions& o)
{
    CLI::App& replay = *app.add_subcommand("replay", "Play a capture again and write its pictures");
    replay.add_option("CAPTURE", o.captureFile, "A file of `drawloom render --capture`")->required();
    replay.add_option("--out", o.outFolder, "Folder for the picture; without it only the counts are printed");
    addDeviceOptions(replay, o.device);
    replay.add_flag("--quiet", o.isQuiet, "Say nothing but errors");
    replay.add_flag("--json", o.isJson, "Print the counts as JSON");
}

struct InspectArguments
{
    std::string file;
    bool isJson = false;
};

void addInspect(CLI::App& app, InspectArguments& o)
{
    CLI::App& inspect = *app.add_subcommand("inspect", "Say what is in a file and what is wrong with it");
    inspect.add_option("FILE", o.file, "A .glb, .gltf, composition, or image")->required();
    inspect.add_flag("--json", o.isJson, "As JSON");
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
        std::string line = error.what();
        for (char& c : line)
            c = c == '\n' ? ' ' : c;
        std::fprintf(stderr, "drawloom: %s (see drawloom --help)\n", line.c_str());
        return kUsage;
    }
    if (app.got_subcommand("render"))
        return runRender(render);
    if (app.got_subcommand("replay"))
        return runReplay(replay);
    return runInspect({.input = inspect.file, .isJson = inspect.isJson}, stdout, stderr);
}

} // namespace

int main(int argc, char** argv)
{
    try
    {
        return run(argc, argv);
    }
    catch (const std::exception& error)
    {
        std::fprintf(stderr, "drawloom: %s\n", error.what());
        return kInternal;
    }
}
