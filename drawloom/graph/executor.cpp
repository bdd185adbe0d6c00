// Applies a plan: borrows the objects, records barriers, passes and callbacks.
#include "drawloom/graph/detail/graph_state.h"

#include <algorithm>

namespace dl::graph
{

/// Objects for the plan's slots, ids for all transients. On an error the loans end and nothing was recorded.
Result<void> GraphState::realise()
{
    slotObjects.clear();
    for (const PlanSlot& slot : plan->slots)
    {
        DL_TRY_ASSIGN(const std::uint32_t object,
            pool.borrow(description.resources[slot.prototype], slot.usageBits, resourceName(slot.prototype), frame));
        slotObjects.push_back(object);
    }
    for (std::uint32_t r = 0; r < plan->resources.size(); ++r)
        if (plan->resources[r].slot != kNoIndex)
        {
            const ObjectPool::Object& object = pool.object(slotObjects[plan->resources[r].slot]);
            resources[r].texture = object.texture;
            resources[r].buffer = object.buffer;
        }
    return {};
}

void GraphState::recordBarriers(gpu::CommandStream& stream, std::uint32_t first, std::uint32_t count)
{
    if (count == 0)
        return;
    textureBarriers.clear();
    bufferBarriers.clear();
    for (const PlanBarrier& barrier : std::span(plan->barriers).subspan(first, count))
    {
        const ResourceDecl& resource = resources[barrier.resource];
        const SubresourceRange& range = barrier.range;
        if (description.resources[barrier.resource].kind == ResourceKind::Texture)
            textureBarriers.push_back(
                {resource.texture, range.baseMip, range.mipCount, range.baseLayer, range.layerCount, barrier.before, barrier.after});
        else
            bufferBarriers.push_back({resource.buffer, barrier.before, barrier.after});
    }
    stream.barriers(textureBarriers, bufferBarriers);
}

Result<gpu::TextureViewId> GraphState::view(std::uint32_t resource, const SubresourceRange& range, const PassViewDesc& desc)
{
    const PlanResource& texture = description.resources[resource];
    const bool isAllLayers = range.baseLayer == 0 && range.layerCount == texture.layerCount();
    const gpu::TextureDimension dimension = desc.dimension.value_or(isAllLayers ? texture.dimension : gpu::TextureDimension::D2);
    const bool isWhole = isAllLayers && range.baseMip == 0 && range.mipCount == texture.mipCount && dimension == texture.dimension &&
                         desc.aspect == gpu::TextureAspect::All && desc.format == gpu::Format::None;
    if (isWhole && resources[resource].view)
        return resources[resource].view;
    return pool.view({resourceName(resource), resources[resource].texture, desc.format, dimension, desc.aspect, range.baseMip,
                         range.mipCount, range.baseLayer, range.layerCount},
        frame);
}

Result<gpu::TextureViewId> GraphState::attachmentView(std::uint32_t access)
{
    if (access == kNoIndex)
        return gpu::TextureViewId{};
    PassViewDesc desc;
    desc.dimension = gpu::TextureDimension::D2;
    return view(description.accesses[access].resource, description.accesses[access].range, desc);
}

Result<void> GraphState::beginRenderPass(std::uint32_t pass, gpu::CommandStream& stream, const GraphTimestamps& timestamps)
{
    const PassDecl& decl = passes[pass];
    const auto storeOf = [&](std::uint32_t access)
    { return plan->isContentNeeded[access] != 0 ? gpu::StoreOp::Store : gpu::StoreOp::Discard; };
    std::array<gpu::ColorAttachment, kMaxColorAttachments> colors;
    for (std::uint32_t i = 0; i < decl.colorCount; ++i)
    {
        const ColorDecl& color = decl.colors[i];
        DL_TRY_ASSIGN(colors[i].view, attachmentView(color.access));
        DL_TRY_ASSIGN(colors[i].resolveView, attachmentView(color.resolveAccess));
        colors[i].load = color.target.load;
        colors[i].store = storeOf(color.access);
        std::copy(std::begin(color.target.clear), std::end(color.target.clear), colors[i].clear);
    }
    gpu::RenderPassDesc desc{.label = passName(pass),
        .width = decl.width,
        .height = decl.height,
        .colors = std::span(colors).first(decl.colorCount),
        .depth = {},
        .querySet = reports[pass].beginQuery != kNoIndex ? timestamps.querySet : gpu::QuerySetId{}};
    if (desc.querySet)
    {
        desc.beginQuery = reports[pass].beginQuery;
        desc.endQuery = reports[pass].endQuery;
    }
    if (decl.depth.access != kNoIndex)
    {
        DL_TRY_ASSIGN(desc.depth.view, attachmentView(decl.depth.access));
        desc.depth.load = decl.depth.target.load;
        desc.depth.store = decl.depth.isReadOnly ? gpu::StoreOp::Store : storeOf(decl.depth.access);
        desc.depth.isReadOnly = decl.depth.isReadOnly ? 1 : 0;
        desc.depth.clear = decl.depth.target.clear;
    }
    stream.beginRenderPass(desc);
    return {};
}

/// Hands extracted objects over to the caller: pinned until releaseExtracted.
void GraphState::finishExtractions()
{
    for (const std::uint32_t r : extractions)
    {
        ObjectPool::Object& object = pool.object(slotObjects[plan->resources[r].slot]);
        object.isPinned = true;
        const PlanResource& resource = description.resources[r];
        extracted.push_back({object.texture,
            {{}, resource.format, resource.dimension, resource.width, resource.height, resource.depthOrLayers, resource.mipCount,
                resource.sampleCount, gpu::TextureUsages(object.usageBits)},
            resource.final});
    }
}

Result<void> RenderGraph::execute(gpu::CommandStream& stream, const GraphTimestamps& timestamps)
{
    GraphState& state = *m_state;
    if (!state.isCompiled)
        return Error{ErrorCode::InvalidArgument, "render graph: execute comes once after a successful compile"};
    state.isCompiled = false;
    const Result<void> realised = state.realise();
    if (!realised)
    {
        state.pool.giveBackAll();
        return withContext(realised.error(), "while making the render graph's transients");
    }
    std::uint32_t query = timestamps.firstQuery;
    PassContext context;
    context.m_state = m_state.get();
    context.m_stream = &stream;
    for (std::uint32_t p = 0; p < state.passes.size() && !state.error; ++p)
    {
        const PassPlan& passPlan = state.plan->passes[p];
        if (passPlan.cullReason != CullReason::None)
            continue;
        state.recordBarriers(stream, passPlan.firstBarrier, passPlan.barrierCount);
        PassDecl& pass = state.passes[p];
        const PassKind kind = state.description.passes[p].kind;
        PassReport& report = state.reports[p];
        if (timestamps.querySet && kind != PassKind::Copy && query + 2 - timestamps.firstQuery <= timestamps.queryCount)
        {
            report.beginQuery = query++;
            report.endQuery = query++;
        }
        const bool isTimed = report.beginQuery != kNoIndex;
        if (kind == PassKind::Raster)
        {
            if (auto begun = state.beginRenderPass(p, stream, timestamps); !begun)
            {
                state.error = withContext(begun.error(), "while beginning a pass of the render graph");
                break;
            }
        }
        else if (kind == PassKind::Compute)
            stream.beginComputePass({report.name, isTimed ? timestamps.querySet : gpu::QuerySetId{}, isTimed ? report.beginQuery : 0,
                isTimed ? report.endQuery : 0});
        else
            stream.pushDebugGroup(report.name);
        context.m_pass = p;
        context.m_width = pass.width;
        context.m_height = pass.height;
        if (pass.function)
            pass.function(context);
        if (kind == PassKind::Raster)
            stream.endRenderPass();
        else if (kind == PassKind::Compute)
            stream.endComputePass();
        else
            stream.popDebugGroup();
    }
    if (!state.error)
    {
        state.recordBarriers(stream, state.plan->firstFinalBarrier, state.plan->finalBarrierCount);
        state.finishExtractions();
    }
    state.pool.giveBackAll();
    state.pool.addTo(state.stats);
    if (state.error)
        return *state.error;
    return {};
}

Result<ExtractedTexture> RenderGraph::extracted(ExtractionId id) const
{
    if (id.index >= m_state->extracted.size())
        return Error{ErrorCode::NotFound, "render graph: nothing was extracted under this id; ask after execute, before beginFrame"};
    return m_state->extracted[id.index];
}

void RenderGraph::releaseExtracted(const ExtractedTexture& texture)
{
    ObjectPool::Object* object = m_state->pool.findTexture(texture.texture);
    DL_ASSERT(object != nullptr && object->isPinned, "releaseExtracted of a texture that is not extracted");
    if (object == nullptr)
        return;
    object->isPinned = false;
    object->lastFrame = m_state->frame;
}

gpu::TextureId PassContext::texture(TextureHandle handle)
{
    return m_state->isDeclared(m_pass, handle.frameStamp, handle.index, ResourceKind::Texture) ? m_state->resources[handle.index].texture
                                                                                               : gpu::TextureId{};
}

gpu::BufferId PassContext::buffer(BufferHandle handle)
{
    return m_state->isDeclared(m_pass, handle.frameStamp, handle.index, ResourceKind::Buffer) ? m_state->resources[handle.index].buffer
                                                                                              : gpu::BufferId{};
}

gpu::TextureViewId PassContext::view(TextureHandle handle, const PassViewDesc& desc)
{
    if (!m_state->isDeclared(m_pass, handle.frameStamp, handle.index, ResourceKind::Texture))
        return {};
    const std::optional<SubresourceRange> range = m_state->declaredRange(m_pass, handle.index, desc.range);
    if (!range)
        return {};
    Result<gpu::TextureViewId> view = m_state->view(handle.index, *range, desc);
    if (view)
        return *view;
    fail(view.error());
    return {};
}

gpu::BindGroupId PassContext::bindGroup(gpu::BindGroupLayoutId layout, std::span<const gpu::BindGroupEntry> entries, std::string_view label)
{
    if (m_state->error) // an entry may be one that could not be made
        return {};
    Result<gpu::BindGroupId> group = m_state->pool.bindGroup({label, layout, entries}, m_state->frame);
    if (group)
        return *group;
    fail(group.error());
    return {};
}

void PassContext::fail(Error error)
{
    if (!m_state->error)
        m_state->error = withContext(std::move(error), "while executing pass \"" + std::string(m_state->passName(m_pass)) + "\"");
}

/// Did the pass declare this resource? Notes the mistake if not.
bool GraphState::isDeclared(std::uint32_t pass, std::uint64_t handleStamp, std::uint32_t index, ResourceKind kind)
{
    if (!checkHandle(handleStamp, index, 0, kind, passName(pass), true))
        return false;
    for (const PlanAccess& access : accessesOf(pass))
        if (access.resource == index)
            return true;
    failPass(pass, "uses \"" + std::string(resourceName(index)) + "\" without having declared it; add read() or write() to the pass");
    return false;
}

/// The range that a view may have: all of it declared by the pass.
std::optional<SubresourceRange> GraphState::declaredRange(std::uint32_t pass, std::uint32_t resource, SubresourceRange range)
{
    const auto accesses = accessesOf(pass);
    if (range == SubresourceRange{})
        return std::find_if(accesses.begin(), accesses.end(), [&](const PlanAccess& a) { return a.resource == resource; })->range;
    range = resolveRange(description.resources[resource], range);
    const auto isCovered = [&](std::uint32_t mip, std::uint32_t layer)
    {
        return std::any_of(accesses.begin(), accesses.end(),
            [&](const PlanAccess& a)
            {
                return a.resource == resource && mip - a.range.baseMip < a.range.mipCount && layer - a.range.baseLayer < a.range.layerCount;
            });
    };
    bool isInside = range.mipCount > 0 && range.layerCount > 0;
    for (std::uint32_t layer = range.baseLayer; isInside && layer - range.baseLayer < range.layerCount; ++layer)
        for (std::uint32_t mip = range.baseMip; isInside && mip - range.baseMip < range.mipCount; ++mip)
            isInside = isCovered(mip, layer);
    if (isInside)
        return range;
    failPass(pass, "views mips " + std::to_string(range.baseMip) + "+" + std::to_string(range.mipCount) + ", layers " +
                       std::to_string(range.baseLayer) + "+" + std::to_string(range.layerCount) + " of \"" +
                       std::string(resourceName(resource)) + "\", which it did not declare");
    return std::nullopt;
}

} // namespace dl::graph
