// drawloom/gpu/capture_device.cpp - the decorator that records.
#include "drawloom/gpu/capture.h"
#include "drawloom/gpu/detail/capture_tracker.h"

namespace dl::gpu
{
namespace
{

template <class IdType> CapturedObject captured(ObjectKind kind, IdType id, std::string_view label)
{
    CapturedObject object;
    object.kind = kind;
    object.index = id.index;
    object.generation = id.generation;
    object.label = label;
    return object;
}

class CaptureDeviceImpl final : public CaptureDevice
{
public:
    explicit CaptureDeviceImpl(Device& inner) : m_inner(inner) {}

    void beginCapture() override
    {
        m_body.clear();
        m_tracker.writeSnapshot(m_body);
        m_isCapturing = true;
    }
    bool isCapturing() const override { return m_isCapturing; }
    Result<Capture> endCapture() override
    {
        if (!m_isCapturing)
            return Error{ErrorCode::InvalidArgument, "endCapture without a running capture: call beginCapture before the frame"};
        m_isCapturing = false;
        return Capture::fromBody(std::move(m_body));
    }

    const DeviceInfo& info() const override { return m_inner.info(); }
    Result<BufferId> createBuffer(const BufferDesc& d) override
    {
        DL_TRY_ASSIGN(const BufferId id, m_inner.createBuffer(d));
        CapturedObject object = captured(ObjectKind::Buffer, id, d.label);
        object.buffer = {.bytes = d.bytes, .usage = d.usage};
        add(std::move(object));
        return id;
    }
    Result<TextureId> createTexture(const TextureDesc& d) override
    {
        DL_TRY_ASSIGN(const TextureId id, m_inner.createTexture(d));
        CapturedObject object = captured(ObjectKind::Texture, id, d.label);
        object.texture = d;
        object.texture.label = {};
        add(std::move(object));
        return id;
    }
    Result<TextureViewId> createTextureView(const TextureViewDesc& d) override
    {
        DL_TRY_ASSIGN(const TextureViewId id, m_inner.createTextureView(d));
        CapturedObject object = captured(ObjectKind::TextureView, id, d.label);
        object.view = d;
        object.view.label = {};
        add(std::move(object));
        return id;
    }
    Result<SamplerId> createSampler(const SamplerDesc& d) override
    {
        DL_TRY_ASSIGN(const SamplerId id, m_inner.createSampler(d));
        CapturedObject object = captured(ObjectKind::Sampler, id, d.label);
        object.sampler = d;
        object.sampler.label = {};
        add(std::move(object));
        return id;
    }
    Result<ShaderModuleId> createShaderModule(const ShaderModuleDesc& d) override
    {
        DL_TRY_ASSIGN(const ShaderModuleId id, m_inner.createShaderModule(d));
        CapturedObject object = captured(ObjectKind::ShaderModule, id, d.label);
        object.spirv.assign(d.spirv.begin(), d.spirv.end());
        object.wgsl = d.wgsl;
        add(std::move(object));
        return id;
    }
    Result<BindGroupLayoutId> createBindGroupLayout(const BindGroupLayoutDesc& d) override
    {
        DL_TRY_ASSIGN(const BindGroupLayoutId id, m_inner.createBindGroupLayout(d));
        CapturedObject object = captured(ObjectKind::BindGroupLayout, id, d.label);
        object.layoutEntries.assign(d.entries.begin(), d.entries.end());
        add(std::move(object));
        return id;
    }
    Result<BindGroupId> createBindGroup(const BindGroupDesc& d) override
    {
        DL_TRY_ASSIGN(const BindGroupId id, m_inner.createBindGroup(d));
        CapturedObject object = captured(ObjectKind::BindGroup, id, d.label);
        object.groupLayout = d.layout;
        object.groupEntries.assign(d.entries.begin(), d.entries.end());
        add(std::move(object));
        return id;
    }
    Result<PipelineId> createRenderPipeline(const RenderPipelineDesc& d) override;
    Result<PipelineId> createComputePipeline(const ComputePipelineDesc& d) override
    {
        DL_TRY_ASSIGN(const PipelineId id, m_inner.createComputePipeline(d));
        CapturedObject object = captured(ObjectKind::Pipeline, id, d.label);
        object.isCompute = true;
        object.layouts.assign(d.layouts.begin(), d.layouts.end());
        object.firstModule = d.module;
        object.firstEntry = d.entry;
        add(std::move(object));
        return id;
    }
    Result<QuerySetId> createQuerySet(const QuerySetDesc& d) override
    {
        DL_TRY_ASSIGN(const QuerySetId id, m_inner.createQuerySet(d));
        CapturedObject object = captured(ObjectKind::QuerySet, id, d.label);
        object.queryCount = d.count;
        add(std::move(object));
        return id;
    }

    void destroy(BufferId id) override { remove(ObjectKind::Buffer, id); }
    void destroy(TextureId id) override { remove(ObjectKind::Texture, id); }
    void destroy(TextureViewId id) override { remove(ObjectKind::TextureView, id); }
    void destroy(SamplerId id) override { remove(ObjectKind::Sampler, id); }
    void destroy(ShaderModuleId id) override { remove(ObjectKind::ShaderModule, id); }
    void destroy(BindGroupLayoutId id) override { remove(ObjectKind::BindGroupLayout, id); }
    void destroy(BindGroupId id) override { remove(ObjectKind::BindGroup, id); }
    void destroy(PipelineId id) override { remove(ObjectKind::Pipeline, id); }
    void destroy(QuerySetId id) override { remove(ObjectKind::QuerySet, id); }

    Result<SubmissionIndex> submit(std::span<const std::byte> stream) override
    {
        DL_TRY_ASSIGN(const SubmissionIndex submission, m_inner.submit(stream));
        m_tracker.follow(stream);
        if (m_isCapturing)
            writeSubmit(m_body, stream);
        return submission;
    }
    void poll(std::vector<Completion>& completions) override { m_inner.poll(completions); }
    Result<void> waitIdle() override { return m_inner.waitIdle(); }
    DeviceMemoryStats memoryStats() const override { return m_inner.memoryStats(); }

private:
    void add(CapturedObject object)
    {
        if (m_isCapturing)
            writeCreate(m_body, object);
        m_tracker.add(std::move(object));
    }
    template <class IdType> void remove(ObjectKind kind, IdType id)
    {
        m_inner.destroy(id);
        m_tracker.remove(kind, id.index, id.generation);
        if (m_isCapturing && id)
            writeDestroy(m_body, kind, id.index, id.generation);
    }

    Device& m_inner;
    CaptureTracker m_tracker;
    std::vector<std::byte> m_body;
    bool m_isCapturing = false;
};

Result<PipelineId> CaptureDeviceImpl::createRenderPipeline(const RenderPipelineDesc& d)
{
    DL_TRY_ASSIGN(const PipelineId id, m_inner.createRenderPipeline(d));
    CapturedObject object = captured(ObjectKind::Pipeline, id, d.label);
    object.layouts.assign(d.layouts.begin(), d.layouts.end());
    object.firstModule = d.vertexModule;
    object.firstEntry = d.vertexEntry;
    object.fragmentModule = d.fragmentModule;
    object.fragmentEntry = d.fragmentEntry;
    for (const VertexBufferLayout& layout : d.vertexBuffers)
        object.vertexBuffers.push_back({.stride = layout.stride,
            .isPerInstance = layout.isPerInstance,
            .attributes = {layout.attributes.begin(), layout.attributes.end()}});
    object.colors.assign(d.colorTargets.begin(), d.colorTargets.end());
    object.render = {.topology = d.topology,
        .cullMode = d.cullMode,
        .frontFace = d.frontFace,
        .depth = d.depth,
        .sampleCount = d.sampleCount,
        .alphaToCoverage = d.alphaToCoverage};
    add(std::move(object));
    return id;
}

} // namespace

std::unique_ptr<CaptureDevice> createCaptureDevice(Device& inner)
{
    return std::make_unique<CaptureDeviceImpl>(inner);
}

} // namespace dl::gpu
