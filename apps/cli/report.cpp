#include "apps/cli/report.h"

#include <nlohmann/json.hpp>

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
        {"draws", pass.draws}, {"drawCalls", pass.drawCalls}, {"triangles", pass.triangles}, {"cpuMs", ms(pass.cpuMs)}};
    json["whyNotOneDraw"] = Json::object();
    for (const auto& [field, count] : pass.breaks)
        json["whyNotOneDraw"][std::string(field)] = count;
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

Json lodsToJson(const FrameLods& lods)
{
    std::size_t count = lods.instances.size();
    while (count > 1 && lods.instances[count - 1] == 0)
        --count;
    return {{"instances", std::vector<std::uint32_t>(lods.instances.begin(), lods.instances.begin() + static_cast<std::ptrdiff_t>(count))},
        {"triangles", lods.triangles}, {"trianglesSaved", static_cast<std::int64_t>(lods.trianglesAtFinest - lods.triangles)}};
}

Json pickToJson(const PickResult& pick)
{
    Json json = {{"x", pick.x}, {"y", pick.y}, {"node", nullptr}};
    if (pick.nodeIndex != kNoIndex)
        json["node"] = {{"input", pick.input}, {"index", pick.nodeIndex}, {"name", pick.nodeName}};
    return json;
}

} // namespace

std::string reportToJson(const Report& report)
{
    const FrameStats& frame = report.frame;
    Json json;
    json["drawloomReport"] = kReportVersion;
    json["inputs"] = report.inputs;
    json["picture"] = {{"file", report.hasPicture ? Json("picture.png") : Json(nullptr)}, {"width", report.width},
        {"height", report.height}, {"frames", report.frames}, {"view", report.view}};
    json["scene"] = countsToJson(report.scene);
    json["device"] = {{"name", report.deviceName}, {"driver", report.deviceDriver}, {"backend", report.backend}};
    Json passes = Json::array();
    for (const PassFrameStats& pass : frame.passes)
        passes.push_back(passToJson(pass));
    const FrameStageMs& t = frame.cpuMs;
    json["frame"] = {{"drawsBefore", frame.drawsBefore}, {"draws", frame.draws}, {"drawCalls", frame.drawCalls},
        {"cpuMs", {{"edits", ms(t.edits)}, {"cull", ms(t.cull)}, {"sort", ms(t.sort)}, {"join", ms(t.join)}, {"encode", ms(t.encode)},
                      {"submit", ms(t.submit)}}},
        {"lods", lodsToJson(frame.lods)}, {"pipelines", frame.pipelineCount}, {"shaderModules", frame.shaderModuleCount},
        {"environmentMakes", frame.environmentMakeCount}, {"passes", passes}};
    json["memory"] = memoryToJson(frame.memory);
    json["refusals"] = Json::array();
    for (const FrameRefusal& refusal : frame.refusals)
        json["refusals"].push_back(
            {{"subject", refusal.subject}, {"stage", refusal.stage}, {"code", refusal.code}, {"detail", refusal.detail}});
    json["importIssues"] = issuesToJson(report.importIssues);
    if (report.validation)
        json["validation"] = {{"faults", report.validation->faults}, {"warnings", report.validation->warnings}};
    if (report.lodBuild)
        json["lodBuild"] = {{"meshes", report.lodBuild->meshes}, {"builtMeshes", report.lodBuild->builtMeshes},
            {"levels", report.lodBuild->levels}, {"ms", ms(report.lodBuild->ms)}};
    if (report.pick)
        json["pick"] = pickToJson(*report.pick);
    return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

} // namespace dl::cli
