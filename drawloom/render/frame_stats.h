// drawloom/render/frame_stats.h - what one frame did, as plain data: the renderer fills it, reports and overlays read it.
// The sums are tested against what the null device counted.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dl
{

/// CPU time of the frame's stages, milliseconds.
struct FrameStageMs
{
    double edits = 0, cull = 0, sort = 0, join = 0, encode = 0, submit = 0;
};

struct PassFrameStats
{
    std::string name;
    bool isMeshPass = false;
    std::uint32_t batches = 0;     ///< declared sections (of mesh sets and their LODs) that were offered to the pass
    std::uint32_t commands = 0;    ///< those that it accepted: cached commands
    std::uint32_t drawsBefore = 0; ///< one per visible (instance, section, view)
    std::uint32_t draws = 0;       ///< instanced draws, after joining
    std::uint32_t drawCalls = 0;   ///< recorded: a multi-draw is one
    /// Why one draw became several: draws by the field that broke them from the one before, in order of comparison; names of JoinBreak.
    std::vector<std::pair<std::string_view, std::uint32_t>> breaks;
    std::uint64_t triangles = 0;
    double cpuMs = 0;
    double gpuMs = -1; ///< -1: the device has no timestamps, or none arrived yet
};

/// What the choice of LOD did to the main camera: each visible instance once, whatever passes draw it.
struct FrameLods
{
    std::array<std::uint32_t, 8> instances = {}; ///< by the LOD that is drawn
    std::uint64_t triangles = 0, trianglesAtFinest = 0;
};

struct CurrentPeakBytes
{
    std::uint64_t current = 0, peak = 0;
};

struct FrameMemory
{
    CurrentPeakBytes meshBytes, textureBytes, instanceBytes, transientBytes, transientBytesWithoutAliasing, stagingBytes;
    std::vector<std::pair<std::string, CurrentPeakBytes>> textureBytesByFormat; ///< sorted by format name
};

/// Something that was not drawn, not joined, not merged, and why. `code` is one of docs/reason_codes.md.
struct FrameRefusal
{
    std::string subject, stage, code, detail;
};

struct FrameStats
{
    std::uint32_t drawsBefore = 0;
    std::uint32_t draws = 0, drawCalls = 0;
    FrameStageMs cpuMs;
    std::vector<PassFrameStats> passes;
    FrameLods lods;
    FrameMemory memory;
    std::vector<FrameRefusal> refusals;
    std::uint64_t environmentMakeCount = 0; ///< since the renderer was created: how often the sky or picture was filtered
    std::uint32_t pipelineCount = 0, shaderModuleCount = 0;
};

} // namespace dl
