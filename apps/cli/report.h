// apps/cli/report.h - report.json and report.html of `drawloom render`. The JSON is described in docs/formats.md; a
// change of its meaning raises kReportVersion.
#pragma once

#include "apps/cli/device_choice.h"
#include "apps/cli/scene_counts.h"
#include "drawloom/asset/scene_description.h"
#include "drawloom/core/result.h"
#include "drawloom/render/frame_stats.h"

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace dl::cli
{

constexpr int kReportVersion = 1;

/// What --pick found.
struct PickResult
{
    std::uint32_t x = 0, y = 0;         ///< texel
    std::uint32_t nodeIndex = kNoIndex; ///< none: sky
    std::string nodeName, input;
};

/// What --build-lods did.
struct LodBuildCounts
{
    std::uint64_t meshes = 0, builtMeshes = 0, levels = 0;
    double ms = 0.0;
};

struct Report
{
    std::vector<std::string> inputs;
    std::string view; ///< "" or a debug view's name
    std::uint32_t width = 0, height = 0, frames = 0;
    SceneCounts scene;
    std::string deviceName, deviceDriver, backend;
    FrameStats frame; ///< of the last frame
    std::vector<ImportIssue> importIssues;
    std::optional<LodBuildCounts> lodBuild;
    bool hasPicture = false; ///< picture.png was written
    std::optional<PickResult> pick;
    std::optional<ValidationCounts> validation; ///< with --validate
};

std::string reportToJson(const Report& report);

/// One self-contained page; `picture` (PNG bytes, none without a picture) is put into it.
std::string reportToHtml(const Report& report, std::span<const std::byte> picture);

} // namespace dl::cli
