#include "drawloom/graph/render_graph.h"

#include "drawloom/graph/detail/graph_state.h"

#include <algorithm>
#include <atomic>
#include <cmath>

namespace dl::graph
{

namespace
{

/// Distinct for every frame of every graph of the process: what makes foreign handles recognisable.
std::uint64_t nextFrameStamp()
{
    static std::atomic<std::uint64_t> next{1};
    return next.fetch_add(1, std::memory_order_relaxed);
}

std::uint64_t textureBytes(const PlanResource& texture)
{
    std::uint64_t bytes = 0;
    for (std::uint32_t mip = 0; mip < texture.mipCount; ++mip)
    {
        const bool isVolume = texture.dimension == gpu::TextureDimension::D3;
        const std::uint32_t depth = isVolume ? std::max(1U, texture.depthOrLayers >> mip) : texture.depthOrLayers;
        bytes += gpu::textureLevelBytes(texture.format, std::max(1U, texture.width >> mip), std::max(1U, texture.height >> mip), depth);
    }
    return bytes * texture.sampleCount;
}

std::uint32_t scaled(std::uint32_t texels, float scale)
{
    return std::max(1U, static_cast<std::uint32_t>(std::ceil(static_cast<float>(texels) * scale)));
}

} // namespace

RenderGraph::RenderGraph(gpu::Device& device, const GraphSettings& settings) : m_state(std::make_unique<GraphState>(device, settings))
{
    beginFrame();
}
RenderGraph::~RenderGraph() = default;
RenderGraph::RenderGraph(RenderGraph&&) noexcept = default;
RenderGraph& RenderGraph::operator=(RenderGraph&&) noexcept = default;

void RenderGraph::beginFrame()
{
    GraphState& state = *m_state;
    ++state.frame;
    state.frameStamp = nextFrameStamp();
    state.isCompiled = false;
    state.plan = nullptr;
    state.description.clear();
    state.description.isAliasing = state.settings.isAliasing ? 1 : 0;
    state.passes.clear();
    state.resources.clear();
    state.extractions.clear();
    state.extracted.clear();
    state.names.clear();
    state.error.reset();
    state.reports.clear();
    state.warnings.clear();
    if (state.frame > state.settings.keepFrames)
        state.pool.age(state.frame - state.settings.keepFrames);
}

TextureHandle RenderGraph::createTexture(const GraphTextureDesc& desc)
{
    GraphState& state = *m_state;
    std::uint32_t width = desc.size.width;
    std::uint32_t height = desc.size.height;
    if (desc.size.relativeTo)
    {
        const TextureHandle to = desc.size.relativeTo;
        if (!state.checkHandle(to.frameStamp, to.index, to.version, ResourceKind::Texture, desc.label, true))
            return {};
        width = scaled(state.description.resources[to.index].width, desc.size.scale);
        height = scaled(state.description.resources[to.index].height, desc.size.scale);
    }
    PlanResource resource;
    resource.format = desc.format;
    resource.dimension = desc.dimension;
    resource.width = width;
    resource.height = height;
    resource.depthOrLayers = desc.depthOrLayers;
    resource.mipCount = desc.mipCount == kFullMipChain ? gpu::fullMipCount(std::max(1U, width), std::max(1U, height)) : desc.mipCount;
    resource.sampleCount = desc.sampleCount;
    resource.extraUsageBits = desc.extraUsage.bits;
    const std::uint32_t limit = state.device->info().limits.maxTextureSize;
    if (width == 0 || height == 0 || width > limit || height > limit || desc.depthOrLayers == 0 || desc.format == gpu::Format::None ||
        resource.mipCount > gpu::fullMipCount(width, height))
    {
        state.fail(ErrorCode::InvalidArgument, "render graph: texture \"" + std::string(desc.label) + "\" of " + std::to_string(width) +
                                                   "x" + std::to_string(height) + "x" + std::to_string(desc.depthOrLayers) +
                                                   " texels with " + std::to_string(resource.mipCount) +
                                                   " mips can not be made; sizes go from 1 to " + std::to_string(limit));
        return {};
    }
    resource.bytes = textureBytes(resource);
    return state.textureHandle(state.addResource(resource, desc.label));
}

BufferHandle RenderGraph::createBuffer(const GraphBufferDesc& desc)
{
    PlanResource resource;
    resource.kind = ResourceKind::Buffer;
    resource.bytes = desc.bytes;
    resource.extraUsageBits = desc.extraUsage.bits;
    if (desc.bytes == 0 || desc.bytes % 4 != 0)
    {
        m_state->fail(ErrorCode::InvalidArgument,
            "render graph: buffer \"" + std::string(desc.label) + "\" of " + std::to_string(desc.bytes) + " bytes; give a multiple of 4");
        return {};
    }
    return m_state->bufferHandle(m_state->addResource(resource, desc.label));
}

TextureHandle RenderGraph::importTexture(const ImportedTextureDesc& desc)
{
    PlanResource resource;
    resource.origin = ResourceOrigin::Imported;
    resource.format = desc.format;
    resource.dimension = desc.dimension;
    resource.width = desc.width;
    resource.height = desc.height;
    resource.depthOrLayers = desc.depthOrLayers;
    resource.mipCount = desc.mipCount;
    resource.sampleCount = desc.sampleCount;
    resource.initial = desc.initial;
    resource.final = desc.final;
    const std::uint32_t index = m_state->addResource(resource, desc.label);
    m_state->resources[index].texture = desc.texture;
    m_state->resources[index].view = desc.view;
    if (!desc.texture)
        m_state->fail(ErrorCode::InvalidArgument, "render graph: import \"" + std::string(desc.label) + "\" names no texture");
    return m_state->textureHandle(index);
}

BufferHandle RenderGraph::importBuffer(const ImportedBufferDesc& desc)
{
    PlanResource resource;
    resource.kind = ResourceKind::Buffer;
    resource.origin = ResourceOrigin::Imported;
    resource.bytes = desc.bytes;
    resource.initial = desc.initial;
    resource.final = desc.final;
    const std::uint32_t index = m_state->addResource(resource, desc.label);
    m_state->resources[index].buffer = desc.buffer;
    if (!desc.buffer)
        m_state->fail(ErrorCode::InvalidArgument, "render graph: import \"" + std::string(desc.label) + "\" names no buffer");
    return m_state->bufferHandle(index);
}

TextureHandle RenderGraph::importTexture(const ExtractedTexture& texture, std::string_view label)
{
    const gpu::TextureDesc& desc = texture.desc;
    return importTexture({label, texture.texture, {}, desc.format, desc.dimension, desc.width, desc.height, desc.depthOrLayers,
        desc.mipCount, desc.sampleCount, texture.access, texture.access});
}

ExtractionId RenderGraph::extractTexture(TextureHandle texture, gpu::AccessFlags final)
{
    GraphState& state = *m_state;
    if (!state.checkHandle(texture.frameStamp, texture.index, texture.version, ResourceKind::Texture, "extractTexture"))
        return {};
    PlanResource& resource = state.description.resources[texture.index];
    if (resource.origin != ResourceOrigin::Transient || !final)
    {
        state.fail(ErrorCode::InvalidArgument, "render graph: \"" + std::string(state.resourceName(texture.index)) +
                                                   "\" can not be extracted: only transients can, with a final access other than None");
        return {};
    }
    resource.flags |= ResourceFlag::Extracted;
    resource.final = final;
    state.extractions.push_back(texture.index);
    return {static_cast<std::uint32_t>(state.extractions.size() - 1)};
}

RasterPassBuilder RenderGraph::addRasterPass(std::string_view name)
{
    return {*m_state, m_state->addPass(PassKind::Raster, name)};
}
PassBuilder RenderGraph::addComputePass(std::string_view name)
{
    return {*m_state, m_state->addPass(PassKind::Compute, name)};
}
PassBuilder RenderGraph::addCopyPass(std::string_view name)
{
    return {*m_state, m_state->addPass(PassKind::Copy, name)};
}

Result<void> RenderGraph::compile()
{
    GraphState& state = *m_state;
    if (state.error)
        return *state.error;
    state.warnings.clear();
    const std::uint64_t hash = state.description.hash();
    CachedPlan* cached = &state.plans[0];
    bool isFound = false;
    for (CachedPlan& candidate : state.plans)
    {
        if (candidate.lastFrame != 0 && candidate.hash == hash && candidate.description == state.description)
        {
            cached = &candidate;
            isFound = true;
            break;
        }
        if (candidate.lastFrame < cached->lastFrame)
            cached = &candidate;
    }
    if (!isFound)
    {
        state.planner.plan(state.description, cached->plan);
        cached->description = state.description;
        cached->hash = hash;
        ++state.stats.plansMade;
    }
    cached->lastFrame = state.frame;
    state.stats.isPlanReused = isFound;
    for (const PlanIssue& issue : cached->plan.issues)
    {
        if (isError(issue.code))
            return Error{ErrorCode::InvalidArgument, state.describe(issue)};
        state.warnings.push_back(state.describe(issue));
    }
    state.plan = &cached->plan;
    state.isCompiled = true;
    state.makeReports();
    return {};
}

std::span<const std::string> RenderGraph::warnings() const
{
    return m_state->warnings;
}
std::span<const PassReport> RenderGraph::passes() const
{
    return m_state->reports;
}
std::uint32_t RenderGraph::sampleCount(TextureHandle texture) const
{
    const bool isKnown = texture.frameStamp == m_state->frameStamp && texture.index < m_state->description.resources.size();
    return isKnown ? m_state->description.resources[texture.index].sampleCount : 0;
}
const GraphStats& RenderGraph::stats() const
{
    return m_state->stats;
}
const GraphPlan& RenderGraph::plan() const
{
    DL_ASSERT(m_state->plan != nullptr, "ask for the plan after compile");
    return *m_state->plan;
}
const GraphDescription& RenderGraph::description() const
{
    return m_state->description;
}
std::string_view RenderGraph::passName(std::uint32_t pass) const
{
    return m_state->passName(pass);
}
std::string_view RenderGraph::resourceName(std::uint32_t resource) const
{
    return m_state->resourceName(resource);
}

} // namespace dl::graph
