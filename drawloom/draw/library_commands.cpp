// drawloom/draw/library_commands.cpp - where a batch meets a pass: filter, pipeline slot, cached command, refusal.
#include "drawloom/draw/detail/library_impl.h"

#include "drawloom/resource/gpu_resources.h"

#include <algorithm>

namespace dl
{

namespace
{
MaterialAlpha alphaOf(std::uint32_t materialFlags)
{
    if ((materialFlags & kMaterialBlendedBit) != 0)
        return MaterialAlpha::Blended;
    return (materialFlags & kMaterialAlphaMaskBit) != 0 ? MaterialAlpha::Masked : MaterialAlpha::Opaque;
}

const MeshPassShader& shaderOf(const MeshPassDesc& pass, MaterialAlpha alpha)
{
    return alpha == MaterialAlpha::Opaque ? pass.opaque : alpha == MaterialAlpha::Masked ? pass.masked : pass.blended;
}

gpu::CullMode cullModeOf(CullRule rule, bool isDoubleSided)
{
    switch (rule)
    {
    case CullRule::None: return gpu::CullMode::None;
    case CullRule::Back: return gpu::CullMode::Back;
    case CullRule::Front: return gpu::CullMode::Front;
    case CullRule::Material: break;
    }
    return isDoubleSided ? gpu::CullMode::None : gpu::CullMode::Back;
}

ReasonCode refusalOfAlpha(const MeshPassDesc& pass, MaterialAlpha alpha)
{
    switch (alpha)
    {
    case MaterialAlpha::Opaque: return pass.opaque.shader.empty() ? ReasonCode::PassTakesNoOpaque : ReasonCode::None;
    case MaterialAlpha::Masked: return pass.masked.shader.empty() ? ReasonCode::PassTakesNoMasked : ReasonCode::None;
    case MaterialAlpha::Blended: break;
    }
    return pass.blended.shader.empty() ? ReasonCode::PassTakesNoBlended : ReasonCode::None;
}
} // namespace

BatchInfo DrawLibrary::Impl::infoOf(const MeshSet& set, std::string_view factory, std::uint32_t part, MaterialId material) const
{
    const Material& m = materials[material.index];
    BatchInfo info;
    info.meshSet = set.desc.name;
    info.part = part;
    info.factory = factory;
    info.surface = surfaces[m.surfaceIndex];
    info.alpha = alphaOf(m.flags);
    info.isDoubleSided = (m.flags & kMaterialDoubleSidedBit) != 0;
    info.materialFlags = m.flags;
    info.flags = set.desc.flags;
    return info;
}

std::uint32_t DrawLibrary::Impl::pipelineOf(std::uint32_t passIndex, const BatchInfo& info, MaterialId material, VertexFactoryId factory,
    gpu::Topology topology, bool isMirrored, std::uint32_t surfaceIndex)
{
    const DrawTables::Pass& pass = tables.passes[passIndex];
    detail::PipelineRequest request;
    request.shader = &shaderOf(*pass.desc, info.alpha);
    const gpu::CullMode cullMode = cullModeOf(pass.desc->cull, info.isDoubleSided);
    // Depth from both sides is the same for either winding.
    const bool seesWinding = cullMode != gpu::CullMode::None || !pass.desc->colorTargets.empty();
    request.key.stateIndex = pass.stateIndex;
    request.key.shaderIndex = pipelines.indexOf(*request.shader);
    request.key.factoryIndex = factory.index;
    request.key.surfaceIndex = surfaceIndex;
    request.key.cullMode = static_cast<std::uint32_t>(cullMode);
    request.key.isMirrored = isMirrored && seesWinding ? 1U : 0U;
    request.key.topology = static_cast<std::uint32_t>(topology);
    request.pass = pass.desc;
    request.factory = factories.find(factory);
    request.factoryId = factory;
    request.surface = info.surface;
    request.material = materials[material.index].name;
    return pipelines.acquire(request);
}

DrawCommand DrawLibrary::Impl::buildCommand(std::uint32_t passIndex, const BatchInfo& info, MaterialId material, VertexFactoryId factory,
    gpu::Topology topology, bool isMirroredWanted)
{
    const MeshPassDesc& pass = *tables.passes[passIndex].desc;
    DrawCommand command;
    command.material = material;
    command.refusal = refusalOfAlpha(pass, info.alpha);
    if (command.refusal == ReasonCode::None)
        command.refusal = pass.filter(info, pass.filterContext);
    if (command.refusal != ReasonCode::None)
        return command;
    command.pipelines[0] = pipelineOf(passIndex, info, material, factory, topology, false, materials[material.index].surfaceIndex);
    if (isMirroredWanted)
        command.pipelines[1] = pipelineOf(passIndex, info, material, factory, topology, true, materials[material.index].surfaceIndex);
    const PipelineSlot& slot = tables.pipelines[command.pipelines[0]];
    if (slot.state == PipelineState::Failed)
        command.refusal = slot.refusal;
    return command;
}

DrawCommand DrawLibrary::Impl::buildCommand(std::uint32_t passIndex, const MeshSet& set, const MeshSection& section, bool isMirroredWanted)
{
    const MaterialId material = set.desc.materials[section.part];
    const BatchInfo info = infoOf(set, factories.get(section.factory).name, section.part, material);
    DrawCommand command = buildCommand(passIndex, info, material, section.factory, section.topology, isMirroredWanted);
    command.range = section.range;
    command.external = section.external;
    command.explicitOrder = set.desc.explicitOrder;
    return command;
}

void DrawLibrary::Impl::buildBatch(std::uint32_t passIndex, std::uint32_t batchIndex, bool isRebuild)
{
    const DrawTables::Batch& batch = tables.batches[batchIndex];
    const MeshSet& set = sets.get(batch.meshSet);
    DrawTables::Pass& pass = tables.passes[passIndex];
    DrawCommand& slot = pass.commands[batchIndex];
    if (isRebuild)
    {
        pass.commandCount -= slot.refusal == ReasonCode::None ? 1U : 0U;
        ++counters.commandRebuilds;
    }
    else
    {
        ++pass.batchCount;
        ++counters.commandsBuilt;
    }
    slot = buildCommand(passIndex, set, batch.section, tables.sets[batch.meshSet.index].hasMirrored);
    pass.commandCount += slot.refusal == ReasonCode::None ? 1U : 0U;
}

/// What a batch was refused may be had now; its mirrored pipeline was not asked for while it was refused.
void DrawLibrary::Impl::rebuildRefused(std::uint32_t pipelineSlot)
{
    for (std::uint32_t pass = 0; pass < tables.passes.size(); ++pass)
        for (std::uint32_t i = 0; i < tables.passes[pass].commands.size(); ++i)
        {
            const DrawCommand& command = tables.passes[pass].commands[i];
            if (command.refusal == ReasonCode::PipelineFailed && command.pipelines[0] == pipelineSlot)
                buildBatch(pass, i, true);
        }
}

void DrawLibrary::Impl::retryPipelines()
{
    for (std::size_t i = 0; i < pipelines.retries().size();)
    {
        detail::PipelineRetry& retry = pipelines.retries()[i];
        const std::uint32_t slot = retry.slot;
        if (--retry.wait != 0)
        {
            ++i;
            continue;
        }
        const PipelineKey key = tables.pipelines[slot].key;
        const detail::PipelineOrigin origin = pipelines.origin(slot);
        const auto pass = std::find_if(tables.passes.begin(), tables.passes.end(),
            [&](const DrawTables::Pass& p) { return p.generation != 0 && p.stateIndex == key.stateIndex; });
        DL_ASSERT(pass != tables.passes.end(), "a state outlived its passes");
        const detail::PipelineRequest request{key, pass->desc, &pipelines.shader(key.shaderIndex), factories.find(origin.factory),
            origin.factory, surfaces[key.surfaceIndex], origin.material};
        if (pipelines.retry(i, request))
            rebuildRefused(slot);
        else
            ++i;
    }
}

void DrawLibrary::Impl::rebuildMaterial(MaterialId material)
{
    // Rare (an alpha mode or culling changes) and linear in the batches, so that materials need no list of their users.
    for (std::uint32_t i = 0; i < tables.batches.size(); ++i)
    {
        const MeshSet* set = sets.find(tables.batches[i].meshSet);
        if (set == nullptr || set->desc.materials[tables.batches[i].section.part] != material)
            continue;
        for (std::uint32_t pass = 0; pass < tables.passes.size(); ++pass)
            if (tables.passes[pass].generation != 0)
                buildBatch(pass, i, true);
    }
}

DrawCommand DrawLibrary::makeCommand(
    MeshPassId pass, VertexFactoryId factory, MaterialId material, gpu::Topology topology, BatchFlags flags)
{
    Impl& impl = *m_impl;
    DL_ASSERT(impl.passes.contains(pass) && impl.factories.contains(factory), "stale pass or factory");
    Impl::MeshSet set;
    set.desc.name = "dynamic";
    set.desc.flags = flags;
    const BatchInfo info = impl.infoOf(set, impl.factories.get(factory).name, 0, material);
    return impl.buildCommand(pass.index, info, material, factory, topology, false);
}

std::uint32_t DrawLibrary::fallbackPipeline(std::uint32_t passIndex, std::uint32_t batchIndex, bool isMirrored)
{
    Impl& impl = *m_impl;
    const DrawTables::Batch& batch = impl.tables.batches[batchIndex];
    const Impl::MeshSet& set = impl.sets.get(batch.meshSet);
    const MaterialId material = set.desc.materials[batch.section.part];
    BatchInfo info = impl.infoOf(set, impl.factories.get(batch.section.factory).name, batch.section.part, material);
    info.surface = impl.surfaces[0];
    return impl.pipelineOf(passIndex, info, material, batch.section.factory, batch.section.topology, isMirrored, 0);
}

void DrawLibrary::requestMirrored(MeshSetId id)
{
    Impl& impl = *m_impl;
    const Impl::MeshSet* set = impl.sets.find(id);
    if (set == nullptr || impl.tables.sets[id.index].hasMirrored)
        return;
    impl.tables.sets[id.index].hasMirrored = true;
    for (std::uint32_t pass = 0; pass < impl.tables.passes.size(); ++pass)
        for (std::uint32_t i = set->firstBatch; i < set->firstBatch + set->batchCount; ++i)
        {
            DrawTables::Pass& table = impl.tables.passes[pass];
            if (table.generation == 0 || table.commands[i].refusal != ReasonCode::None)
                continue;
            const MeshSection& section = impl.tables.batches[i].section;
            const MaterialId material = set->desc.materials[section.part];
            const BatchInfo info = impl.infoOf(*set, impl.factories.get(section.factory).name, section.part, material);
            table.commands[i].pipelines[1] =
                impl.pipelineOf(pass, info, material, section.factory, section.topology, true, impl.materials[material.index].surfaceIndex);
        }
}

void DrawLibrary::onCompletion(const gpu::Completion& completion)
{
    m_impl->pipelines.onCompletion(completion);
    if (completion.kind == gpu::CompletionKind::SubmissionDone)
        m_impl->retryPipelines();
    if (completion.kind != gpu::CompletionKind::PipelineFailed)
        return;
    for (DrawTables::Pass& pass : m_impl->tables.passes)
        for (DrawCommand& command : pass.commands)
        {
            const std::uint32_t slot = command.pipelines[0];
            if (command.refusal != ReasonCode::None || slot == kNoPipelineSlot ||
                m_impl->tables.pipelines[slot].state != PipelineState::Failed)
                continue;
            command.refusal = ReasonCode::PipelineFailed;
            --pass.commandCount;
        }
}

std::string DrawLibrary::Impl::subjectOf(std::uint32_t batchIndex) const
{
    const DrawTables::Batch& batch = tables.batches[batchIndex];
    const MeshSetDesc& set = sets.get(batch.meshSet).desc;
    return set.name + " part " + std::to_string(batch.part) + " (" + materials[set.materials[batch.section.part].index].name + ")";
}

void DrawLibrary::collectRefusals(std::vector<Refusal>& refusals, bool includeFilters) const
{
    const Impl& impl = *m_impl;
    for (std::uint32_t i = 0; i < impl.tables.batches.size(); ++i)
    {
        if (!impl.sets.contains(impl.tables.batches[i].meshSet))
            continue;
        for (const DrawTables::Pass& pass : impl.tables.passes)
        {
            if (pass.generation == 0 || pass.commands[i].refusal == ReasonCode::None)
                continue;
            const DrawCommand& command = pass.commands[i];
            const ReasonInfo& info = reasonInfo(command.refusal);
            if (!info.isFailure && !includeFilters)
                continue;
            const std::size_t user = static_cast<std::size_t>(command.refusal) - kFirstUserReason;
            const bool isUser = static_cast<std::uint16_t>(command.refusal) >= kFirstUserReason && user < pass.desc->userReasons.size();
            refusals.push_back({impl.subjectOf(i), pass.desc->name, command.refusal,
                isUser ? pass.desc->userReasons[user] : std::string(info.name),
                command.pipelines[0] != kNoPipelineSlot ? impl.tables.pipelines[command.pipelines[0]].message : std::string(info.text)});
        }
    }
}

} // namespace dl
