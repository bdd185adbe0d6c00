// apps/cli/render_options.h - what the user asked `drawloom render` and `drawloom replay` to do. Filled by main.cpp.
#pragma once

#include "apps/cli/input_file.h"
#include "drawloom/core/maths.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace dl::cli
{

struct CameraOptions
{
    std::string name;          ///< a camera of the file
    std::optional<vec3> orbit; ///< yaw and pitch in degrees, distance in metres (0: so that the scene fits)
    std::optional<vec3> eye, target;
};

struct DeviceOptions
{
    std::string backend = "vulkan"; ///< vulkan | null
    std::string driver = "auto";
    std::string pipelineCacheFolder;    ///< empty: none
    bool isValidating = false;          ///< ours and, where installed, the Khronos layer
    bool isChecking = false;            ///< ours alone
    std::uint64_t loseAtSubmission = 0; ///< null only, for tests: that submission loses the device; 0 never
};

struct RenderOptions
{
    std::vector<std::string> inputs;
    std::string outFolder;
    std::uint64_t maxMemoryMiB = kDefaultMemoryMiB; ///< of each input
    std::uint32_t width = 640, height = 400;
    std::uint32_t frames = 1;
    std::uint32_t sampleCount = 1; ///< 1 or 4 a texel
    float timeSeconds = 0.0f;
    std::string animation; ///< name or index; empty: the first
    bool buildLods = false;
    CameraOptions camera;
    std::string environmentFile; ///< a Radiance .hdr; empty: the sky
    float environmentRotationDegrees = 0.0f, environmentIntensity = 1.0f;
    DeviceOptions device;
    std::optional<std::pair<std::uint32_t, std::uint32_t>> pick; ///< texel
    std::string view;                                            ///< "" | batches | overdraw | normals | albedo | lod | mips | velocity
    std::string submission = "indirect";                         ///< each | joined | indirect
    std::string shadows = "on";                                  ///< on | off
    bool isStrict = false;                                       ///< files with faults are refused
    bool report = false;
    bool dumpCommands = false;
    std::string captureFile, traceFile;
    bool isQuiet = false;
    bool isJson = false;
    std::uint32_t threads = 0; ///< 0: one per core
};

struct ReplayOptions
{
    std::string captureFile;
    std::string outFolder;
    DeviceOptions device;
    bool isQuiet = false;
    bool isJson = false;
};

int runRender(const RenderOptions& options);
int runReplay(const ReplayOptions& options);

} // namespace dl::cli
