// drawloom/gpu/null_device.cpp - objects, failures and completions of the null device; streams go to NullPlayer.
#include "drawloom/gpu/null_device.h"

#include "drawloom/gpu/detail/null_player.h"
#include "drawloom/gpu/detail/text.h"

#include <algorithm>

namespace dl::gpu
{
namespace
{

std::uint64_t textureBytes(const TextureDesc& desc)
{
    return TextureShape::of(desc).totalBytes() * desc.sampleCount;
}

class NullDeviceImpl final : public NullDevice
{
public:
    explicit NullDeviceImpl(const NullDeviceSettings& settings) : m_settings(settings), m_player(m_stats, m_contents)
    {
        m_info = {.name = "null device", .driver = "none", .backend = "null", .limits = settings.limits, .features = settings.features};
    }

    const DeviceInfo& info() const override { return m_info; }
    const NullDeviceStats& stats() const override { return m_stats; }
    void resetStats() override { m_stats = {}; }
    NullDeviceSettings& settings() override { return m_settings; }
    std::span<const std::byte> bufferContent(BufferId id) const override { return m_contents.bufferContent(id); }
    std::span<const std::byte> textureContent(TextureId id, std::uint32_t mip) const override
    {
        const TextureShape* shape = m_contents.textureShape(id);
        const std::span<const std::byte> content = m_contents.textureContent(id);
        if (shape == nullptr || content.empty() || mip >= shape->mipCount)
            return {};
        return content.subspan(shape->mipOffset(mip), shape->mipBytes(mip));
    }
    std::uint64_t liveObjectCount(ObjectKind kind) const override { return m_live[kind]; }

    Result<BufferId> createBuffer(const BufferDesc& desc) override
    {
        if (desc.bytes > m_settings.limits.maxBufferBytes)
            return tooLarge(ObjectKind::Buffer, desc.label);
        DL_TRY_ASSIGN(const BufferId id, add(m_buffers, ObjectKind::Buffer, desc.label, desc.bytes));
        m_contents.addBuffer(id, desc.bytes);
        m_memory.bufferBytes += desc.bytes;
        m_memory.bufferPeakBytes = std::max(m_memory.bufferPeakBytes, m_memory.bufferBytes);
        return id;
    }
    Result<TextureId> createTexture(const TextureDesc& desc) override
    {
        const Limits& limits = m_settings.limits;
        const std::uint32_t maxDepth = desc.dimension == TextureDimension::D3 ? limits.maxTextureSize : limits.maxTextureLayers;
        if (desc.format == Format::None || std::max(desc.width, desc.height) > limits.maxTextureSize || desc.depthOrLayers > maxDepth)
            return tooLarge(ObjectKind::Texture, desc.label);
        DL_TRY_ASSIGN(const TextureId id, add(m_textures, ObjectKind::Texture, desc.label, textureBytes(desc)));
        m_contents.addTexture(id, desc);
        m_memory.textureBytes += textureBytes(desc);
        m_memory.texturePeakBytes = std::max(m_memory.texturePeakBytes, m_memory.textureBytes);
        return id;
    }
    Result<TextureViewId> createTextureView(const TextureViewDesc& desc) override
    {
        return add(m_views, ObjectKind::TextureView, desc.label, 0);
    }
    Result<SamplerId> createSampler(const SamplerDesc& desc) override { return add(m_samplers, ObjectKind::Sampler, desc.label, 0); }
    Result<ShaderModuleId> createShaderModule(const ShaderModuleDesc& desc) override
    {
        return add(m_modules, ObjectKind::ShaderModule, desc.label, 0);
    }
    Result<BindGroupLayoutId> createBindGroupLayout(const BindGroupLayoutDesc& desc) override
    {
        return add(m_layouts, ObjectKind::BindGroupLayout, desc.label, 0);
    }
    Result<BindGroupId> createBindGroup(const BindGroupDesc& desc) override { return add(m_groups, ObjectKind::BindGroup, desc.label, 0); }
    Result<PipelineId> createRenderPipeline(const RenderPipelineDesc& desc) override { return addPipeline(desc.label, desc.topology); }
    Result<PipelineId> createComputePipeline(const ComputePipelineDesc& desc) override
    {
        return addPipeline(desc.label, Topology::TriangleList);
    }
    Result<QuerySetId> createQuerySet(const QuerySetDesc& desc) override { return add(m_querySets, ObjectKind::QuerySet, desc.label, 0); }

    void destroy(BufferId id) override
    {
        if (const std::uint64_t* bytes = m_buffers.find(id); bytes != nullptr)
            m_memory.bufferBytes -= *bytes;
        m_contents.remove(id);
        remove(m_buffers, ObjectKind::Buffer, id);
    }
    void destroy(TextureId id) override
    {
        if (const std::uint64_t* bytes = m_textures.find(id); bytes != nullptr)
            m_memory.textureBytes -= *bytes;
        m_contents.remove(id);
        remove(m_textures, ObjectKind::Texture, id);
    }
    void destroy(TextureViewId id) override { remove(m_views, ObjectKind::TextureView, id); }
    void destroy(SamplerId id) override { remove(m_samplers, ObjectKind::Sampler, id); }
    void destroy(ShaderModuleId id) override { remove(m_modules, ObjectKind::ShaderModule, id); }
    void destroy(BindGroupLayoutId id) override { remove(m_layouts, ObjectKind::BindGroupLayout, id); }
    void destroy(BindGroupId id) override { remove(m_groups, ObjectKind::BindGroup, id); }
    void destroy(PipelineId id) override
    {
        m_player.removePipeline(id);
        remove(m_pipelines, ObjectKind::Pipeline, id);
    }
    void destroy(QuerySetId id) override { remove(m_querySets, ObjectKind::QuerySet, id); }

    Result<SubmissionIndex> submit(std::span<const std::byte> stream) override;
    void poll(std::vector<Completion>& completions) override;
    Result<void> waitIdle() override;
    DeviceMemoryStats memoryStats() const override { return m_memory; }

private:
    /// A completion that comes out at the poll number `duePoll`.
    struct Pending
    {
        std::uint64_t duePoll = 0;
        Completion completion;
    };

    static Error tooLarge(ObjectKind kind, std::string_view label)
    {
        return {ErrorCode::InvalidArgument, formatText("%s \"%.*s\" has no format or is larger than the device's limits",
                                                toString(kind).data(), static_cast<int>(label.size()), label.data())};
    }
    Error lost() const { return {ErrorCode::DeviceLost, "the null device is lost, as NullDeviceSettings::loseAtSubmission asked"}; }

    template <class IdType>
    Result<IdType> add(SlotTable<IdType, std::uint64_t>& table, ObjectKind kind, std::string_view label, std::uint64_t bytes)
    {
        if (m_isLost)
            return lost();
        if (++m_attempts[kind] == m_settings.failNthCreation[kind])
            return Error{ErrorCode::OutOfMemory, formatText("%s \"%.*s\": refused, as NullDeviceSettings::failNthCreation asked",
                                                     toString(kind).data(), static_cast<int>(label.size()), label.data())};
        ++m_stats.created[kind];
        ++m_live[kind];
        return table.add(bytes);
    }
    template <class IdType> void remove(SlotTable<IdType, std::uint64_t>& table, ObjectKind kind, IdType id)
    {
        if (!table.remove(id))
            return;
        ++m_stats.destroyed[kind];
        --m_live[kind];
    }
    Result<PipelineId> addPipeline(std::string_view label, Topology topology)
    {
        DL_TRY_ASSIGN(const PipelineId id, add(m_pipelines, ObjectKind::Pipeline, label, 0));
        m_player.setTopology(id, topology);
        const bool isFailing =
            m_settings.failPipelineCount != 0 && !m_settings.failPipelineLabel.empty() && m_settings.failPipelineLabel == label;
        m_settings.failPipelineCount -= isFailing ? 1U : 0U;
        Pending& pending = m_pending.emplace_back();
        pending.duePoll = m_pollCount + 1 + m_settings.pollsUntilPipelineReady;
        pending.completion.kind = isFailing ? CompletionKind::PipelineFailed : CompletionKind::PipelineReady;
        pending.completion.pipeline = id;
        pending.completion.code = m_settings.failPipelineCode;
        if (isFailing)
            pending.completion.message = "pipeline \"" + m_settings.failPipelineLabel + "\" fails, as NullDeviceSettings asked";
        return id;
    }

    NullDeviceSettings m_settings;
    DeviceInfo m_info;
    NullDeviceStats m_stats;
    ContentStore m_contents;
    NullPlayer m_player;
    DeviceMemoryStats m_memory;
    ObjectCounts m_attempts, m_live;
    SlotTable<BufferId, std::uint64_t> m_buffers; // the value is the object's bytes
    SlotTable<TextureId, std::uint64_t> m_textures;
    SlotTable<TextureViewId, std::uint64_t> m_views;
    SlotTable<SamplerId, std::uint64_t> m_samplers;
    SlotTable<ShaderModuleId, std::uint64_t> m_modules;
    SlotTable<BindGroupLayoutId, std::uint64_t> m_layouts;
    SlotTable<BindGroupId, std::uint64_t> m_groups;
    SlotTable<PipelineId, std::uint64_t> m_pipelines;
    SlotTable<QuerySetId, std::uint64_t> m_querySets;
    std::vector<Pending> m_pending;
    std::vector<Completion> m_answers; // of the stream being played
    std::uint64_t m_pollCount = 0;
    SubmissionIndex m_submission = 0;
    bool m_isLost = false;
};

Result<SubmissionIndex> NullDeviceImpl::submit(std::span<const std::byte> stream)
{
    if (m_isLost)
        return lost();
    if (m_submission + 1 == m_settings.loseAtSubmission)
    {
        m_isLost = true;
        m_pending.clear();
        Pending& pending = m_pending.emplace_back();
        pending.completion.kind = CompletionKind::DeviceLost;
        pending.completion.message = lost().message;
        return lost();
    }
    m_answers.clear();
    DL_TRY(m_player.play(stream, m_settings.keepsContents, m_submission + 1, m_answers));
    ++m_submission;
    ++m_stats.submissionCount;
    m_answers.emplace_back();
    m_answers.back().submission = m_submission;
    for (Completion& answer : m_answers)
        m_pending.push_back({.duePoll = m_pollCount + 1 + m_settings.pollsUntilDone, .completion = std::move(answer)});
    return m_submission;
}

void NullDeviceImpl::poll(std::vector<Completion>& completions)
{
    ++m_pollCount;
    // In order: what is due later holds back nothing but itself, submissions among themselves stay in order.
    std::size_t kept = 0;
    for (Pending& pending : m_pending)
    {
        if (pending.duePoll <= m_pollCount)
            completions.push_back(std::move(pending.completion));
        else if (&m_pending[kept++] != &pending)
            m_pending[kept - 1] = std::move(pending);
    }
    m_pending.resize(kept);
}

Result<void> NullDeviceImpl::waitIdle()
{
    if (m_isLost)
        return lost();
    for (Pending& pending : m_pending)
        pending.duePoll = 0;
    return {};
}

} // namespace

std::unique_ptr<NullDevice> createNullDevice(const NullDeviceSettings& settings)
{
    return std::make_unique<NullDeviceImpl>(settings);
}

} // namespace dl::gpu
