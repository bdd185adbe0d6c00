// apps/cli/report.h - report.json and report.html of `drawloom render`. The JSON is described in docs/formats.md; a
// change of its meaning raises kReportVersion.
#pragma once

#include "drawloom/asset/scene_description.h"
#include "drawloom/core/result.h"
#include "drawloom/render/frame_stats.h"

#include <cstddef>
#include <span>
#include <string>

namespace dl::cli
{

constexpr int kReportVersion = 1;

/// Counts of the loaded scene. instances: mesh nodes with their instance lists; triangles: as drawn by all instances.
struct SceneCounts
{
    std::uint64_t nodes = 0, meshes = 0, primitives = 0, materials = 0, textures = 0, triangles = 0, instances = 0, skins = 0,
                  morphTargets = 0;
};
SceneCounts countScene(const SceneDescription& scene);

struct Report
{
    std::string input; ///< file names, comma separated
    std::string view;  ///< "" or a debug view's name
    std::uint32_t width = 0, height = 0, frames = 0;
    SceneCounts scene;
    std::string deviceName, deviceDriver, backend;
    FrameStats frame; ///< of the last frame
    std::vector<ImportIssue> importIssues;
};

std::string reportToJson(const Report& report);

/// One self-contained page; `picture` (PNG bytes) is put into it.
std::string reportToHtml(const Report& report, std::span<const std::byte> picture);

} // namespace dl::cli
