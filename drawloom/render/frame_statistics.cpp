// What the last frame did, gathered from the parts that did it.
#include "drawloom/render/detail/renderer_impl.h"
#include "drawloom/render/shadow_pass.h"

#include <algorithm>
#include <cstdio>

namespace dl
{
namespace
{

constexpr std::uint32_t kOwnPipelines = 5; // sky, tonemap, deform, two of the environment; a module each

void setCurrent(CurrentPeakBytes& bytes, std::uint64_t current)
{
    bytes.current = current;
    bytes.peak = std::max(bytes.peak, current);
}

void setMeshPass(PassFrameStats& pass, const PassStats& mesh)
{
    pass.isMeshPass = true;
    pass.batches = mesh.batches;
    pass.commands = mesh.commands;
    pass.drawsBefore = static_cast<std::uint32_t>(mesh.drawsBefore);
    pass.draws = mesh.draws;
    pass.drawCalls = mesh.drawCalls;
    for (std::size_t i = 0; i < mesh.breaks.size(); ++i)
        if (mesh.breaks[i] != 0)
            pass.breaks.emplace_back(toString(static_cast<JoinBreak>(i)), mesh.breaks[i]);
    pass.triangles = mesh.triangles;
    pass.cpuMs = mesh.cpuMs;
}

void copyAmount(CurrentPeakBytes& bytes, const MemoryAmount& amount)
{
    bytes = {amount.current, amount.peak};
}

FrameRefusal describe(const LightRefusal& refusal, std::uint32_t reachingCount)
{
    const LightReasonInfo& info = lightReasonInfo(refusal.reason);
    std::string detail(info.text);
    if (refusal.reason == LightReason::OverCap)
    {
        char numbers[160];
        std::snprintf(numbers, sizeof(numbers),
            " %u lights reach the view, the most are %u (kMaxLights); this one's influence is %.3g lux.", reachingCount, kMaxLights,
            static_cast<double>(refusal.influenceLux));
        detail += numbers;
    }
    const std::string number = std::to_string(refusal.index);
    return {refusal.name.empty() ? "light " + number : "light " + number + " \"" + refusal.name + "\"", "lights", std::string(info.name),
        std::move(detail)};
}

} // namespace

void Renderer::Impl::collectStats(double editsMs, double submitMs)
{
    const StageTimes times = draws->stageTimes();
    stats.cpuMs = {
        .edits = editsMs, .cull = times.cullMs, .sort = times.sortMs, .join = times.joinMs, .encode = times.encodeMs, .submit = submitMs};
    const LodStats& lods = draws->lodStats();
    stats.lods = {.instances = lods.instances, .triangles = lods.triangles, .trianglesAtFinest = lods.trianglesAtFinest};
    stats.drawsBefore = 0;
    stats.draws = stats.drawCalls = 0;
    std::size_t count = 0;
    for (const graph::PassReport& report : graph.passes())
    {
        if (report.isCulled)
            continue;
        if (count == stats.passes.size())
            stats.passes.emplace_back();
        PassFrameStats& pass = stats.passes[count++];
        pass.name.assign(report.name);
        pass.gpuMs = timer.passMs(report.name);
        pass.isMeshPass = false;
        pass.batches = pass.commands = 0;
        pass.cpuMs = 0;
        const bool isFullscreen = std::find(fullscreenPasses.begin(), fullscreenPasses.end(), report.name) != fullscreenPasses.end();
        pass.drawsBefore = pass.draws = pass.drawCalls = isFullscreen ? 1 : 0;
        pass.breaks.clear();
        pass.triangles = isFullscreen ? 1 : 0;
        for (const PassStats& mesh : draws->passStats())
            if (mesh.name == report.name)
                setMeshPass(pass, mesh);
        if (const std::uint32_t cascade = cascadeOfPass(report.name); cascade < views.cascades.count)
            setMeshPass(pass, draws->viewStats(shadowPass, FrameViews::kFirstCascade + cascade));
        stats.drawsBefore += pass.drawsBefore;
        stats.draws += pass.draws;
        stats.drawCalls += pass.drawCalls;
    }
    stats.passes.resize(count);
    stats.pipelineCount = static_cast<std::uint32_t>(library->counters().pipelinesCreated) + kOwnPipelines;
    stats.shaderModuleCount = static_cast<std::uint32_t>(library->counters().shaderModulesCreated) + kOwnPipelines;
    stats.environmentMakeCount = environment.makeCount();
    collectMemory();
}

void Renderer::Impl::collectMemory()
{
    const ResourceMemory& memory = resources->memory();
    FrameMemory& out = stats.memory;
    copyAmount(out.meshBytes, memory.meshBytes);
    copyAmount(out.textureBytes, memory.textureBytes);
    copyAmount(out.instanceBytes, memory.instanceBytes);
    const graph::GraphStats& graphStats = graph.stats();
    const std::uint64_t targets = picture.bytes() + objectIds.bytes() + environment.bytes();
    setCurrent(out.transientBytes, graphStats.transientBytes + targets);
    setCurrent(out.transientBytesWithoutAliasing, graphStats.transientBytesWithoutAliasing + targets);
    const gpu::DeviceMemoryStats device_ = device.memoryStats();
    out.stagingBytes = {
        std::max(device_.stagingBytes, memory.stagingBytes.current), std::max(device_.stagingPeakBytes, memory.stagingBytes.peak)};
    std::size_t count = 0;
    for (std::size_t format = 0; format < memory.textureBytesByFormat.size(); ++format)
    {
        const MemoryAmount& amount = memory.textureBytesByFormat[format];
        if (amount.peak == 0)
            continue;
        if (count == out.textureBytesByFormat.size())
            out.textureBytesByFormat.emplace_back();
        auto& [name, bytes] = out.textureBytesByFormat[count++];
        name.assign(gpu::formatInfo(static_cast<gpu::Format>(format)).name);
        copyAmount(bytes, amount);
    }
    out.textureBytesByFormat.resize(count);
}

std::vector<FrameRefusal> Renderer::collectRefusals(bool includeFilters) const
{
    std::vector<Refusal> refusals;
    m_impl->library->collectRefusals(refusals, includeFilters);
    m_impl->draws->collectRefusals(refusals);
    const std::vector<Refusal>& edits = m_impl->refusedEdits;
    refusals.insert(refusals.end(), edits.begin(), edits.end());
    if (const std::uint64_t more = m_impl->refusedEditCount - edits.size(); more != 0)
        refusals.push_back(
            {"further edits", "edits", edits.back().code, edits.back().codeName, std::to_string(more) + " more were refused"});
    std::vector<FrameRefusal> out;
    for (Refusal& refusal : refusals)
        out.push_back({std::move(refusal.subject), std::move(refusal.stage), std::move(refusal.codeName), std::move(refusal.detail)});
    for (const LightRefusal& refusal : m_impl->lights.refusals())
        out.push_back(describe(refusal, m_impl->lights.reachingCount()));
    return out;
}

const FrameStats& Renderer::stats() const
{
    return m_impl->stats;
}

} // namespace dl
