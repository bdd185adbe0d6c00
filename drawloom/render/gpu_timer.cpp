#include "drawloom/render/gpu_timer.h"

#include <algorithm>
#include <cstring>

namespace dl
{

Result<GpuTimer> GpuTimer::create(gpu::Device& device)
{
    GpuTimer timer;
    if (!device.info().features.contains(gpu::Feature::TimestampQuery))
        return timer;
    DL_TRY_ASSIGN(const gpu::QuerySetId querySet, device.createQuerySet({.label = "pass times", .count = kMaxQueryCount}));
    timer.m_querySet = {device, querySet};
    DL_TRY_ASSIGN(
        const gpu::BufferId buffer, device.createBuffer({.label = "pass times",
                                        .bytes = kMaxQueryCount * sizeof(std::uint64_t),
                                        .usage = gpu::BufferUsage::QueryResolve | gpu::BufferUsage::CopySrc | gpu::BufferUsage::CopyDst}));
    timer.m_buffer = {device, buffer};
    timer.m_msPerTick = static_cast<double>(device.info().timestampPeriodNs) * 1e-6;
    return timer;
}

graph::GraphTimestamps GpuTimer::timestamps() const
{
    return {.querySet = m_querySet.id(), .firstQuery = 0, .queryCount = isEnabled() ? kMaxQueryCount : 0};
}

void GpuTimer::readBack(const graph::RenderGraph& graph, gpu::CommandStream& stream)
{
    if (!isEnabled())
        return;
    auto frame = std::find_if(m_frames.begin(), m_frames.end(), [](const Frame& f) { return f.token == 0; });
    if (frame == m_frames.end())
    {
        m_frames.emplace_back();
        frame = m_frames.end() - 1;
    }
    frame->sampleCount = 0;
    std::uint32_t queryCount = 0;
    for (const graph::PassReport& pass : graph.passes())
    {
        if (pass.isCulled || pass.beginQuery == graph::kNoIndex)
            continue;
        if (frame->sampleCount == frame->samples.size())
            frame->samples.emplace_back();
        Sample& sample = frame->samples[frame->sampleCount++];
        sample.name.assign(pass.name);
        sample.begin = pass.beginQuery;
        sample.end = pass.endQuery;
        queryCount = std::max(queryCount, pass.endQuery + 1);
    }
    if (queryCount == 0)
        return;
    frame->token = ++m_use.lastToken;
    const gpu::BufferBarrier toWrite{
        m_buffer.id(), m_use.isBufferUsed ? gpu::AccessFlags(gpu::Access::CopyRead) : gpu::AccessFlags(), gpu::Access::CopyWrite};
    stream.barriers({}, std::span(&toWrite, 1));
    stream.resolveQueries({.querySet = m_querySet.id(), .first = 0, .count = queryCount, .target = m_buffer.id(), .targetOffset = 0});
    const gpu::BufferBarrier toRead{m_buffer.id(), gpu::Access::CopyWrite, gpu::Access::CopyRead};
    stream.barriers({}, std::span(&toRead, 1));
    stream.readbackBuffer(m_buffer.id(), 0, queryCount * sizeof(std::uint64_t), kTimerTokenBase + frame->token);
    m_use.isBufferUsed = true;
}

void GpuTimer::onCompletion(const gpu::Completion& completion)
{
    if (completion.kind != gpu::CompletionKind::Readback || completion.token <= kTimerTokenBase)
        return;
    const auto frame =
        std::find_if(m_frames.begin(), m_frames.end(), [&](const Frame& f) { return f.token == completion.token - kTimerTokenBase; });
    if (frame == m_frames.end())
        return;
    frame->token = 0;
    m_passMs.clear();
    for (std::size_t i = 0; i < frame->sampleCount; ++i)
    {
        const Sample& sample = frame->samples[i];
        std::uint64_t ticks[2] = {0, 0};
        if ((sample.end + 1) * sizeof(std::uint64_t) > completion.bytes.size())
            continue;
        std::memcpy(&ticks[0], completion.bytes.data() + sample.begin * sizeof(std::uint64_t), sizeof(std::uint64_t));
        std::memcpy(&ticks[1], completion.bytes.data() + sample.end * sizeof(std::uint64_t), sizeof(std::uint64_t));
        if (ticks[1] >= ticks[0])
            m_passMs.emplace_back(sample.name, static_cast<double>(ticks[1] - ticks[0]) * m_msPerTick);
    }
}

void GpuTimer::undo(const Use& before)
{
    for (Frame& frame : m_frames)
        if (frame.token > before.lastToken)
            frame.token = 0;
    m_use.isBufferUsed = before.isBufferUsed; // tokens are never given twice
}

double GpuTimer::passMs(std::string_view name) const
{
    for (const auto& [pass, ms] : m_passMs)
        if (pass == name)
            return ms;
    return -1;
}

} // namespace dl
