// drawloom/gpu/validation_device.cpp - the decorator: checks a call, passes it on, remembers what it created.
#include "drawloom/gpu/validation_device.h"

#include "drawloom/gpu/detail/stream_checker.h"
#include "drawloom/gpu/detail/text.h"
#include "drawloom/gpu/detail/validation_descs.h"

#include <algorithm>

namespace dl::gpu
{
namespace
{

class ValidationDeviceImpl final : public ValidationDevice
{
public:
    ValidationDeviceImpl(Device& inner, ValidationSettings settings)
        : m_inner(inner), m_reporter(std::move(settings)), m_checker(m_objects, m_reporter, inner.info())
    {
    }

    Device& inner() override { return m_inner; }
    const ValidationStats& stats() const override { return m_reporter.stats(); }
    const DeviceInfo& info() const override { return m_inner.info(); }

    Result<BufferId> createBuffer(const BufferDesc& d) override
    {
        DL_TRY(accept(ObjectKind::Buffer, d.label, checkDesc(d, info())));
        DL_TRY_ASSIGN(const BufferId id, m_inner.createBuffer(d));
        m_objects.buffers.insert(id, {.label = std::string(d.label), .bytes = d.bytes, .usage = d.usage});
        return id;
    }
    Result<TextureId> createTexture(const TextureDesc& d) override
    {
        DL_TRY(accept(ObjectKind::Texture, d.label, checkDesc(d, info())));
        DL_TRY_ASSIGN(const TextureId id, m_inner.createTexture(d));
        TextureRecord record{.label = std::string(d.label),
            .shape = TextureShape::of(d),
            .dimension = d.dimension,
            .sampleCount = d.sampleCount,
            .usage = d.usage};
        record.ranges.resize(std::size_t(record.shape.mipCount) * record.layerCount());
        m_objects.textures.insert(id, std::move(record));
        return id;
    }
    Result<TextureViewId> createTextureView(const TextureViewDesc& d) override;
    Result<SamplerId> createSampler(const SamplerDesc& d) override
    {
        DL_TRY(accept(ObjectKind::Sampler, d.label, checkDesc(d)));
        DL_TRY_ASSIGN(const SamplerId id, m_inner.createSampler(d));
        const bool isFiltering = d.magFilter == Filter::Linear || d.minFilter == Filter::Linear || d.mipFilter == Filter::Linear;
        m_objects.samplers.insert(id, {.label = std::string(d.label), .isComparison = d.isComparison, .isFiltering = isFiltering});
        return id;
    }
    Result<ShaderModuleId> createShaderModule(const ShaderModuleDesc& d) override
    {
        const bool isEmpty = d.spirv.empty() && d.wgsl.empty();
        DL_TRY(accept(ObjectKind::ShaderModule, d.label, {ValidationRule::ShaderModuleDesc, isEmpty ? "has neither SPIR-V nor WGSL" : ""}));
        DL_TRY_ASSIGN(const ShaderModuleId id, m_inner.createShaderModule(d));
        m_objects.modules.insert(id, {.label = std::string(d.label)});
        return id;
    }
    Result<BindGroupLayoutId> createBindGroupLayout(const BindGroupLayoutDesc& d) override
    {
        DL_TRY(accept(ObjectKind::BindGroupLayout, d.label, checkDesc(d, info())));
        DL_TRY_ASSIGN(const BindGroupLayoutId id, m_inner.createBindGroupLayout(d));
        m_objects.layouts.insert(id, {.label = std::string(d.label), .entries = {d.entries.begin(), d.entries.end()}});
        return id;
    }
    Result<BindGroupId> createBindGroup(const BindGroupDesc& d) override;
    Result<PipelineId> createRenderPipeline(const RenderPipelineDesc& d) override
    {
        DL_TRY(accept(ObjectKind::Pipeline, d.label, checkDesc(d, m_objects, info())));
        DL_TRY_ASSIGN(const PipelineId id, m_inner.createRenderPipeline(d));
        m_objects.pipelines.insert(id, recordOf(d, m_objects));
        return id;
    }
    Result<PipelineId> createComputePipeline(const ComputePipelineDesc& d) override
    {
        DL_TRY(accept(ObjectKind::Pipeline, d.label, checkDesc(d, m_objects, info())));
        DL_TRY_ASSIGN(const PipelineId id, m_inner.createComputePipeline(d));
        m_objects.pipelines.insert(id, recordOf(d, m_objects));
        return id;
    }
    Result<QuerySetId> createQuerySet(const QuerySetDesc& d) override
    {
        DL_TRY(accept(ObjectKind::QuerySet, d.label, checkDesc(d, info())));
        DL_TRY_ASSIGN(const QuerySetId id, m_inner.createQuerySet(d));
        m_objects.querySets.insert(id, {.label = std::string(d.label), .count = d.count});
        return id;
    }

    void destroy(BufferId id) override { remove(m_objects.buffers, ObjectKind::Buffer, id); }
    void destroy(TextureId id) override { remove(m_objects.textures, ObjectKind::Texture, id); }
    void destroy(TextureViewId id) override { remove(m_objects.views, ObjectKind::TextureView, id); }
    void destroy(SamplerId id) override { remove(m_objects.samplers, ObjectKind::Sampler, id); }
    void destroy(ShaderModuleId id) override { remove(m_objects.modules, ObjectKind::ShaderModule, id); }
    void destroy(BindGroupLayoutId id) override { remove(m_objects.layouts, ObjectKind::BindGroupLayout, id); }
    void destroy(BindGroupId id) override { remove(m_objects.groups, ObjectKind::BindGroup, id); }
    void destroy(PipelineId id) override { remove(m_objects.pipelines, ObjectKind::Pipeline, id); }
    void destroy(QuerySetId id) override { remove(m_objects.querySets, ObjectKind::QuerySet, id); }

    Result<SubmissionIndex> submit(std::span<const std::byte> stream) override;
    void poll(std::vector<Completion>& completions) override;
    Result<void> waitIdle() override { return m_inner.waitIdle(); }
    DeviceMemoryStats memoryStats() const override { return m_inner.memoryStats(); }

private:
    Result<void> accept(ObjectKind kind, std::string_view label, const Finding& finding)
    {
        if (!finding)
            return {};
        std::string text = formatText("%s \"%.*s\": ", toString(kind).data(), static_cast<int>(label.size()), label.data()) + finding.text;
        m_reporter.report(finding.rule, text);
        return Error{ErrorCode::InvalidArgument, std::move(text)};
    }
    template <class Table, class IdType> void remove(Table& table, ObjectKind kind, IdType id)
    {
        if (!id)
            return; // none: nothing to destroy
        if (table.find(id) == nullptr)
        {
            const std::string* label = table.deadLabel(id);
            return m_reporter.report(
                ValidationRule::StaleId, formatText("destroy: %s %u.%u \"%s\" does not exist (any more)", toString(kind).data(), id.index,
                                             id.generation, label != nullptr ? label->c_str() : ""));
        }
        table.erase(id);
        m_inner.destroy(id);
    }

    Device& m_inner;
    mutable ValidationReporter m_reporter; // stats() hands out its counters
    ValidationObjects m_objects;
    StreamChecker m_checker;
};

Result<TextureViewId> ValidationDeviceImpl::createTextureView(const TextureViewDesc& d)
{
    const TextureRecord* texture = m_objects.textures.find(d.texture);
    if (texture == nullptr)
        DL_TRY(accept(
            ObjectKind::TextureView, d.label, {ValidationRule::StaleId, formatText("its texture t%u does not exist", d.texture.index)}));
    else
        DL_TRY(accept(ObjectKind::TextureView, d.label, checkDesc(d, *texture)));
    DL_TRY_ASSIGN(const TextureViewId id, m_inner.createTextureView(d));
    ViewRecord record{.label = std::string(d.label), .desc = d};
    record.desc.label = {};
    if (record.desc.format == Format::None && texture != nullptr)
        record.desc.format = texture->shape.format;
    m_objects.views.insert(id, std::move(record));
    return id;
}

Result<BindGroupId> ValidationDeviceImpl::createBindGroup(const BindGroupDesc& d)
{
    const LayoutRecord* layout = m_objects.layouts.find(d.layout);
    if (layout == nullptr)
        return accept(
            ObjectKind::BindGroup, d.label, {ValidationRule::StaleId, formatText("its layout l%u does not exist", d.layout.index)})
            .error();
    DL_TRY(accept(ObjectKind::BindGroup, d.label, checkDesc(d, *layout, m_objects, info())));
    DL_TRY_ASSIGN(const BindGroupId id, m_inner.createBindGroup(d));
    GroupRecord record{.label = std::string(d.label), .layout = layout->entries, .entries = {d.entries.begin(), d.entries.end()}};
    const auto isDynamic = [](const BindGroupLayoutEntry& e) { return e.hasDynamicOffset; };
    record.dynamicCount = static_cast<std::uint32_t>(std::count_if(record.layout.begin(), record.layout.end(), isDynamic));
    m_objects.groups.insert(id, std::move(record));
    return id;
}

Result<SubmissionIndex> ValidationDeviceImpl::submit(std::span<const std::byte> stream)
{
    ++m_reporter.stats().checkedStreamCount;
    m_checker.run(stream);
    if (m_reporter.streamErrorCount() != 0 && m_reporter.settings().refusesInvalidStreams)
        return Error{ErrorCode::InvalidArgument, formatText("stream refused after %llu validation errors, the first: ",
                                                     static_cast<unsigned long long>(m_reporter.streamErrorCount())) +
                                                     m_reporter.firstStreamError()};
    return m_inner.submit(stream);
}

void ValidationDeviceImpl::poll(std::vector<Completion>& completions)
{
    const std::size_t first = completions.size();
    m_inner.poll(completions);
    for (std::size_t i = first; i < completions.size(); ++i)
        if (completions[i].kind == CompletionKind::PipelineReady)
            if (PipelineRecord* pipeline = m_objects.pipelines.find(completions[i].pipeline))
                pipeline->isReady = true;
}

} // namespace

std::unique_ptr<ValidationDevice> createValidationDevice(Device& inner, ValidationSettings settings)
{
    return std::make_unique<ValidationDeviceImpl>(inner, std::move(settings));
}

} // namespace dl::gpu
