// drawloom/gpu/detail/stream_checker_draws.cpp - what is set inside passes, and draws and dispatches that use it.
#include "drawloom/gpu/detail/stream_checker.h"
#include "drawloom/gpu/detail/validation_descs.h"

namespace dl::gpu
{
namespace
{

constexpr std::uint64_t kIndirectDrawBytes = 20, kIndirectDispatchBytes = 12;

unsigned long long wide(std::uint64_t value)
{
    return value;
}

AccessFlags accessOf(BindingType type)
{
    switch (type)
    {
    case BindingType::UniformBuffer: return Access::UniformRead;
    case BindingType::ReadOnlyStorageBuffer: return Access::StorageRead;
    case BindingType::StorageBuffer:
    case BindingType::StorageTexture: return Access::StorageWrite;
    default: return Access::SampledRead;
    }
}

} // namespace

void StreamChecker::drawCommand(const CommandView& view)
{
    switch (view.op)
    {
    case Op::SetPipeline: return setPipeline(view.record<SetPipelineCmd>().pipeline);
    case Op::SetBindGroup: return setBindGroup(view);
    case Op::SetVertexBuffer: return setVertexBuffer(view.record<SetVertexBufferCmd>());
    case Op::SetIndexBuffer: return setIndexBuffer(view.record<SetIndexBufferCmd>());
    case Op::SetViewport: return setViewport(view.record<SetViewportCmd>());
    case Op::SetScissor: return setScissor(view.record<SetScissorCmd>());
    case Op::Draw: return draw(view.record<DrawCmd>());
    case Op::DrawIndexed: return drawIndexed(view.record<DrawIndexedCmd>());
    case Op::DrawIndexedIndirect: return drawIndexedIndirect(view.record<DrawIndexedIndirectCmd>());
    case Op::Dispatch: return dispatch(view.record<DispatchCmd>());
    default:
    {
        const auto cmd = view.record<DispatchIndirectCmd>();
        if (const PipelineRecord* pipeline = readyPipeline())
            useGroups(*pipeline);
        return indirectArguments(cmd.buffer, cmd.offset, kIndirectDispatchBytes);
    }
    }
}

void StreamChecker::setPipeline(PipelineId id)
{
    m_pipeline = {};
    const PipelineRecord* pipeline = findObject(m_objects.pipelines, id, ObjectKind::Pipeline);
    if (pipeline == nullptr)
        return;
    m_pipeline = id;
    for (GroupSlot& slot : m_groups)
        slot.isDirty = slot.isSet;
    const char* label = pipeline->label.c_str();
    if (!pipeline->isReady)
        error(ValidationRule::PipelineNotReady, "pipeline \"%s\": PipelineReady was not polled yet, or it failed", label);
    if (pipeline->isCompute != (m_pass == Pass::Compute))
        return error(ValidationRule::PipelineForPass, "%s pipeline \"%s\" in the other kind of pass",
            pipeline->isCompute ? "compute" : "render", label);
    if (pipeline->isCompute)
        return;
    if (pipeline->colors != m_colorFormats || pipeline->depth != m_depthFormat)
        error(ValidationRule::PipelineForPass, "pipeline \"%s\" has %zu colour targets and depth %s, the pass %zu and %s, or other formats",
            label, pipeline->colors.size(), formatInfo(pipeline->depth).name.data(), m_colorFormats.size(),
            formatInfo(m_depthFormat).name.data());
    if (m_sampleCount != 0 && pipeline->sampleCount != m_sampleCount)
        error(ValidationRule::PipelineForPass, "pipeline \"%s\" has %u samples, the pass %u", label, pipeline->sampleCount, m_sampleCount);
    if (pipeline->isDepthWriting && m_isDepthReadOnly && m_depthFormat != Format::None)
        error(ValidationRule::PipelineForPass, "pipeline \"%s\" writes depth, which is read-only in this pass", label);
}

void StreamChecker::setBindGroup(const CommandView& view)
{
    const auto cmd = view.record<SetBindGroupCmd>();
    if (cmd.group >= std::min<std::size_t>(m_info.limits.maxBindGroups, kMaxGroups))
        return error(ValidationRule::MissingBindGroup, "group %u, allowed 0 to %u", cmd.group, m_info.limits.maxBindGroups - 1);
    GroupSlot& slot = m_groups[cmd.group];
    slot = {};
    const GroupRecord* group = findObject(m_objects.groups, cmd.bindGroup, ObjectKind::BindGroup);
    if (group == nullptr)
        return;
    slot = {.group = cmd.bindGroup, .isSet = true, .isDirty = true};
    if (cmd.offsetCount != group->dynamicCount)
        return error(ValidationRule::DynamicOffsets, "%u dynamic offsets, bind group \"%s\" takes %u", cmd.offsetCount,
            group->label.c_str(), group->dynamicCount);
    std::uint32_t next = 0;
    for (std::size_t i = 0; i < group->layout.size(); ++i)
    {
        if (!group->layout[i].hasDynamicOffset)
            continue;
        const std::uint64_t offset = view.element<SetBindGroupCmd, std::uint32_t>(next++);
        const bool isUniform = group->layout[i].type == BindingType::UniformBuffer;
        const std::uint32_t alignment = isUniform ? m_info.limits.minUniformOffsetAlignment : m_info.limits.minStorageOffsetAlignment;
        const BindGroupEntry& entry = group->entries[i];
        const BufferRecord* buffer = m_objects.buffers.find(entry.buffer);
        const std::uint64_t size = buffer != nullptr ? buffer->bytes : UINT64_MAX;
        const std::uint64_t bytes = entry.bytes != 0 ? entry.bytes : size - entry.offset;
        if (offset % alignment != 0 || entry.offset + offset + bytes > size)
            error(ValidationRule::DynamicOffsets,
                "bind group \"%s\" binding %u: offset %llu + %llu + %llu bytes of %llu, or no multiple of %u", group->label.c_str(),
                entry.binding, wide(entry.offset), wide(offset), wide(bytes), wide(size), alignment);
    }
}

void StreamChecker::setVertexBuffer(const SetVertexBufferCmd& cmd)
{
    if (cmd.slot >= std::min<std::size_t>(m_info.limits.maxVertexBuffers, kMaxVertexSlots))
        return error(ValidationRule::MissingVertexBuffer, "slot %u, allowed 0 to %u", cmd.slot, m_info.limits.maxVertexBuffers - 1);
    m_vertexSlots[cmd.slot] = {};
    const BufferRecord* buffer = find(cmd.buffer, BufferUsage::Vertex);
    if (buffer == nullptr)
        return;
    if (cmd.offset % 4 != 0 || cmd.offset > buffer->bytes)
        error(ValidationRule::DrawRange, "offset %llu of buffer \"%s\" with %llu bytes, or no multiple of 4", wide(cmd.offset),
            buffer->label.c_str(), wide(buffer->bytes));
    m_vertexSlots[cmd.slot] = {.buffer = cmd.buffer, .offset = cmd.offset, .isSet = true};
}

void StreamChecker::setIndexBuffer(const SetIndexBufferCmd& cmd)
{
    m_hasIndexBuffer = false;
    const BufferRecord* buffer = find(cmd.buffer, BufferUsage::Index);
    if (buffer == nullptr)
        return;
    const std::uint64_t indexBytes = cmd.format == IndexFormat::Uint16 ? 2 : 4;
    if (cmd.offset % indexBytes != 0 || cmd.offset > buffer->bytes)
        error(ValidationRule::DrawRange, "offset %llu of buffer \"%s\" with %llu bytes, or no multiple of %llu", wide(cmd.offset),
            buffer->label.c_str(), wide(buffer->bytes), wide(indexBytes));
    m_indexBuffer = cmd.buffer;
    m_indexFormat = cmd.format;
    m_indexOffset = cmd.offset;
    m_hasIndexBuffer = true;
}

void StreamChecker::setViewport(const SetViewportCmd& cmd)
{
    const bool isInside = cmd.x >= 0 && cmd.y >= 0 && cmd.width > 0 && cmd.height > 0 && cmd.x + cmd.width <= float(m_width) &&
                          cmd.y + cmd.height <= float(m_height);
    if (!isInside || !(cmd.minDepth >= 0 && cmd.minDepth <= cmd.maxDepth && cmd.maxDepth <= 1))
        error(ValidationRule::ViewportScissor, "viewport %g,%g %gx%g depth %g to %g in a target of %ux%u", double(cmd.x), double(cmd.y),
            double(cmd.width), double(cmd.height), double(cmd.minDepth), double(cmd.maxDepth), m_width, m_height);
}

void StreamChecker::setScissor(const SetScissorCmd& cmd)
{
    if (std::uint64_t(cmd.x) + cmd.width > m_width || std::uint64_t(cmd.y) + cmd.height > m_height)
        error(ValidationRule::ViewportScissor, "scissor %u,%u %ux%u in a target of %ux%u", cmd.x, cmd.y, cmd.width, cmd.height, m_width,
            m_height);
}

const PipelineRecord* StreamChecker::readyPipeline()
{
    const PipelineRecord* pipeline = m_objects.pipelines.find(m_pipeline);
    if (pipeline == nullptr)
        error(ValidationRule::MissingPipeline, "no pipeline is set in this pass");
    return pipeline;
}

void StreamChecker::useGroups(const PipelineRecord& pipeline)
{
    for (std::size_t i = 0; i < pipeline.layouts.size() && i < kMaxGroups; ++i)
    {
        if (!pipeline.hasLayout[i])
            continue;
        GroupSlot& slot = m_groups[i];
        const GroupRecord* group = slot.isSet ? m_objects.groups.find(slot.group) : nullptr;
        if (group == nullptr)
        {
            error(ValidationRule::MissingBindGroup, "pipeline \"%s\" needs bind group %zu", pipeline.label.c_str(), i);
            continue;
        }
        if (!slot.isDirty)
            continue;
        slot.isDirty = false;
        if (group->layout != pipeline.layouts[i])
            error(ValidationRule::BindGroupLayoutMismatch, "bind group \"%s\" has another layout than group %zu of pipeline \"%s\"",
                group->label.c_str(), i, pipeline.label.c_str());
        useGroup(*group);
    }
}

void StreamChecker::useGroup(const GroupRecord& group)
{
    for (std::size_t i = 0; i < group.entries.size(); ++i)
    {
        const BindGroupEntry& entry = group.entries[i];
        const BindingType type = group.layout[i].type;
        const AccessFlags access = accessOf(type);
        if (isSamplerBinding(type))
        {
            if (m_objects.samplers.find(entry.sampler) == nullptr)
                error(ValidationRule::ViewOfDestroyedObject, "bind group \"%s\" binding %u: its sampler was destroyed", group.label.c_str(),
                    entry.binding);
            continue;
        }
        if (isBufferBinding(type))
        {
            if (BufferRecord* buffer = m_objects.buffers.find(entry.buffer))
                m_hazards.useBuffer(*buffer, access, passSite());
            else
                error(ValidationRule::ViewOfDestroyedObject, "bind group \"%s\" binding %u: its buffer was destroyed", group.label.c_str(),
                    entry.binding);
            continue;
        }
        const ViewRecord* view = m_objects.views.find(entry.view);
        TextureRecord* texture = view != nullptr ? m_objects.textures.find(view->desc.texture) : nullptr;
        if (texture == nullptr)
        {
            error(ValidationRule::ViewOfDestroyedObject, "bind group \"%s\" binding %u: its view or texture was destroyed",
                group.label.c_str(), entry.binding);
            continue;
        }
        const SubresourceRange range{.baseMip = view->desc.baseMip,
            .mipCount = view->desc.mipCount,
            .baseLayer = view->desc.baseLayer,
            .layerCount = view->desc.layerCount};
        m_hazards.useTexture(*texture, range, access, passSite(), type != BindingType::StorageTexture);
    }
}

void StreamChecker::useVertexBuffers(const PipelineRecord& pipeline, std::uint64_t firstVertex, std::uint64_t vertexCount,
    std::uint64_t firstInstance, std::uint64_t instanceCount)
{
    for (std::size_t i = 0; i < pipeline.vertexBuffers.size() && i < kMaxVertexSlots; ++i)
    {
        const VertexBufferRecord& layout = pipeline.vertexBuffers[i];
        const VertexSlot& slot = m_vertexSlots[i];
        BufferRecord* buffer = slot.isSet ? m_objects.buffers.find(slot.buffer) : nullptr;
        if (buffer == nullptr)
        {
            error(ValidationRule::MissingVertexBuffer, "pipeline \"%s\" needs vertex buffer %zu", pipeline.label.c_str(), i);
            continue;
        }
        m_hazards.useBuffer(*buffer, Access::VertexRead, passSite());
        const std::uint64_t count = layout.isPerInstance ? instanceCount : vertexCount;
        const std::uint64_t first = layout.isPerInstance ? firstInstance : firstVertex;
        if (count == 0)
            continue;
        const std::uint64_t end = slot.offset + (first + count - 1) * layout.stride + layout.usedBytes;
        if (end > buffer->bytes)
            error(ValidationRule::DrawRange, "%s %llu+%llu end at byte %llu of buffer \"%s\" with %llu",
                layout.isPerInstance ? "instances" : "vertices", wide(first), wide(count), wide(end), buffer->label.c_str(),
                wide(buffer->bytes));
    }
}

BufferRecord* StreamChecker::useIndexBuffer()
{
    BufferRecord* buffer = m_hasIndexBuffer ? m_objects.buffers.find(m_indexBuffer) : nullptr;
    if (buffer == nullptr)
        error(ValidationRule::MissingIndexBuffer, "no index buffer is set in this pass");
    else
        m_hazards.useBuffer(*buffer, Access::IndexRead, passSite());
    return buffer;
}

void StreamChecker::draw(const DrawCmd& cmd)
{
    const PipelineRecord* pipeline = readyPipeline();
    if (pipeline == nullptr)
        return;
    useGroups(*pipeline);
    useVertexBuffers(*pipeline, cmd.firstVertex, cmd.vertexCount, cmd.firstInstance, cmd.instanceCount);
}

void StreamChecker::drawIndexed(const DrawIndexedCmd& cmd)
{
    const PipelineRecord* pipeline = readyPipeline();
    if (pipeline == nullptr)
        return;
    useGroups(*pipeline);
    useVertexBuffers(*pipeline, 0, 0, cmd.firstInstance, cmd.instanceCount); // which vertices, only the indices know
    const BufferRecord* buffer = useIndexBuffer();
    if (buffer == nullptr)
        return;
    const std::uint64_t indexBytes = m_indexFormat == IndexFormat::Uint16 ? 2 : 4;
    const std::uint64_t end = m_indexOffset + (std::uint64_t(cmd.firstIndex) + cmd.indexCount) * indexBytes;
    if (end > buffer->bytes)
        error(ValidationRule::DrawRange, "indices %u+%u end at byte %llu of buffer \"%s\" with %llu", cmd.firstIndex, cmd.indexCount,
            wide(end), buffer->label.c_str(), wide(buffer->bytes));
}

void StreamChecker::indirectArguments(BufferId id, std::uint64_t offset, std::uint64_t bytes)
{
    BufferRecord* buffer = find(id, BufferUsage::Indirect);
    if (buffer == nullptr)
        return;
    m_hazards.useBuffer(*buffer, Access::IndirectRead, passSite());
    if (offset % 4 != 0 || offset > buffer->bytes || bytes > buffer->bytes - offset)
        error(ValidationRule::DrawRange, "arguments %llu+%llu of buffer \"%s\" with %llu bytes, or no multiple of 4", wide(offset),
            wide(bytes), buffer->label.c_str(), wide(buffer->bytes));
}

void StreamChecker::drawIndexedIndirect(const DrawIndexedIndirectCmd& cmd)
{
    if (cmd.drawCount > 1 && !m_info.features.contains(Feature::MultiDrawIndirect))
        error(ValidationRule::FeatureMissing, "%u draws in one command need MultiDrawIndirect", cmd.drawCount);
    const PipelineRecord* pipeline = readyPipeline();
    if (pipeline == nullptr)
        return;
    useGroups(*pipeline);
    useVertexBuffers(*pipeline, 0, 0, 0, 0);
    useIndexBuffer();
    indirectArguments(cmd.buffer, cmd.offset, cmd.drawCount * kIndirectDrawBytes);
}

void StreamChecker::dispatch(const DispatchCmd& cmd)
{
    const std::uint32_t limit = m_info.limits.maxComputeWorkgroupsPerDimension;
    if (std::max({cmd.x, cmd.y, cmd.z}) > limit)
        error(ValidationRule::DispatchRange, "%ux%ux%u workgroups, allowed %u each", cmd.x, cmd.y, cmd.z, limit);
    if (const PipelineRecord* pipeline = readyPipeline())
        useGroups(*pipeline);
}

} // namespace dl::gpu
