#include "apps/cli/report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace dl::cli
{
namespace
{

using Json = nlohmann::ordered_json;

Json currentPeak(const CurrentPeakBytes& bytes)
{
    return {{"current", bytes.current}, {"peak", bytes.peak}};
}

/// Milliseconds with three decimals: more is noise.
double ms(double value)
{
    return std::round(value * 1000.0) / 1000.0;
}

Json passToJson(const PassFrameStats& pass)
{
    Json json = {{"name", pass.name}, {"batches", pass.batches}, {"commands", pass.commands}, {"drawsBefore", pass.drawsBefore},
        {"draws", pass.draws}, {"triangles", pass.triangles}, {"cpuMs", ms(pass.cpuMs)}};
    json["gpuMs"] = pass.gpuMs < 0 ? Json(nullptr) : Json(ms(pass.gpuMs));
    return json;
}

Json memoryToJson(const FrameMemory& memory)
{
    Json texture = currentPeak(memory.textureBytes);
    texture["byFormat"] = Json::object();
    for (const auto& [format, bytes] : memory.textureBytesByFormat)
        texture["byFormat"][format] = currentPeak(bytes);
    return {{"meshBytes", currentPeak(memory.meshBytes)}, {"textureBytes", texture}, {"instanceBytes", currentPeak(memory.instanceBytes)},
        {"transientBytes", currentPeak(memory.transientBytes)},
        {"transientBytesWithoutAliasing", currentPeak(memory.transientBytesWithoutAliasing)},
        {"stagingBytes", currentPeak(memory.stagingBytes)}};
}

const char* severityName(IssueSeverity severity)
{
    switch (severity)
    {
    case IssueSeverity::Info: return "info";
    case IssueSeverity::Warning: return "warning";
    case IssueSeverity::Error: return "error";
    }
    return "error";
}

} // namespace

SceneCounts countScene(const SceneDescription& scene)
{
    SceneCounts counts;
    counts.nodes = scene.nodes.size();
    counts.meshes = scene.meshes.size();
    counts.materials = scene.materials.size();
    counts.textures = scene.images.size();
    counts.skins = scene.skins.size();
    std::vector<std::uint64_t> meshTriangles;
    for (const Mesh& mesh : scene.meshes)
    {
        counts.primitives += mesh.primitives.size();
        std::uint64_t triangles = 0;
        std::size_t targets = 0;
        for (const Primitive& primitive : mesh.primitives)
        {
            triangles += primitive.triangleCount();
            targets = std::max(targets, primitive.morphTargets.size());
        }
        counts.morphTargets += targets;
        meshTriangles.push_back(triangles);
    }
    for (const Node& node : scene.nodes)
    {
        if (node.meshIndex == kNoIndex)
            continue;
        const std::uint64_t copies = node.instances.empty() ? 1 : node.instances.size();
        counts.instances += copies;
        counts.triangles += copies * meshTriangles[node.meshIndex];
    }
    return counts;
}

std::string reportToJson(const Report& report)
{
    const FrameStats& frame = report.frame;
    Json json;
    json["drawloomReport"] = kReportVersion;
    json["input"] = report.input;
    json["picture"] = {{"width", report.width}, {"height", report.height}, {"frames", report.frames}, {"view", report.view}};
    const SceneCounts& s = report.scene;
    json["scene"] = {{"nodes", s.nodes}, {"meshes", s.meshes}, {"primitives", s.primitives}, {"materials", s.materials},
        {"textures", s.textures}, {"triangles", s.triangles}, {"instances", s.instances}, {"skins", s.skins},
        {"morphTargets", s.morphTargets}};
    json["device"] = {{"name", report.deviceName}, {"driver", report.deviceDriver}, {"backend", report.backend}};
    Json passes = Json::array();
    for (const PassFrameStats& pass : frame.passes)
        passes.push_back(passToJson(pass));
    const FrameStageMs& t = frame.cpuMs;
    json["frame"] = {{"drawsBefore", frame.drawsBefore}, {"draws", frame.draws},
        {"cpuMs", {{"edits", ms(t.edits)}, {"cull", ms(t.cull)}, {"sort", ms(t.sort)}, {"join", ms(t.join)}, {"encode", ms(t.encode)},
                      {"submit", ms(t.submit)}}},
        {"pipelines", frame.pipelineCount}, {"shaderModules", frame.shaderModuleCount}, {"passes", passes}};
    json["memory"] = memoryToJson(frame.memory);
    json["refusals"] = Json::array();
    for (const FrameRefusal& refusal : frame.refusals)
        json["refusals"].push_back(
            {{"subject", refusal.subject}, {"stage", refusal.stage}, {"code", refusal.code}, {"detail", refusal.detail}});
    json["importIssues"] = Json::array();
    for (const ImportIssue& issue : report.importIssues)
        json["importIssues"].push_back(
            {{"severity", severityName(issue.severity)}, {"code", issue.code}, {"where", issue.where}, {"message", issue.message}});
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace dl::cli
