// drawloom/gpu/capture_replay.cpp - recreates the objects of a capture on a device and plays its streams there.
#include "drawloom/gpu/barrier_model.h"
#include "drawloom/gpu/capture.h"
#include "drawloom/gpu/command_stream.h"
#include "drawloom/gpu/detail/capture_events.h"
#include "drawloom/gpu/detail/content_store.h"
#include "drawloom/gpu/detail/stream_ids.h"
#include "drawloom/gpu/detail/text.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace dl::gpu
{
namespace
{

constexpr std::uint32_t kMaxIndex = 1U << 20U; ///< of a captured id: the map below grows with it
constexpr std::uint32_t kUploadBytes = 16U << 20U;
constexpr int kMaxPollCount = 1 << 16;

template <class IdType> constexpr ObjectKind kindOf()
{
    if constexpr (std::is_same_v<IdType, BufferId>)
        return ObjectKind::Buffer;
    else if constexpr (std::is_same_v<IdType, TextureId>)
        return ObjectKind::Texture;
    else if constexpr (std::is_same_v<IdType, TextureViewId>)
        return ObjectKind::TextureView;
    else if constexpr (std::is_same_v<IdType, SamplerId>)
        return ObjectKind::Sampler;
    else if constexpr (std::is_same_v<IdType, ShaderModuleId>)
        return ObjectKind::ShaderModule;
    else if constexpr (std::is_same_v<IdType, BindGroupLayoutId>)
        return ObjectKind::BindGroupLayout;
    else if constexpr (std::is_same_v<IdType, BindGroupId>)
        return ObjectKind::BindGroup;
    else if constexpr (std::is_same_v<IdType, PipelineId>)
        return ObjectKind::Pipeline;
    else
        return ObjectKind::QuerySet;
}

/// Any id without its type: maps one kind of captured ids to the target's.
using RawId = Id<struct RawTag>;

class Replayer final : public CaptureSink
{
public:
    explicit Replayer(Device& target) : m_target(target) {}
    ~Replayer() override
    {
        for (std::size_t i = m_created.size(); i-- > 0;)
            destroyTarget(m_created[i].kind, m_created[i].id);
    }

    Result<void> create(CapturedObject& object) override;
    Result<void> bufferContent(const CapturedContent& content) override;
    Result<void> textureContent(const CapturedContent& content) override;
    Result<void> destroy(ObjectKind kind, std::uint32_t index, std::uint32_t generation) override;
    Result<void> submit(std::span<const std::byte> stream) override;
    Result<void> finish();
    ReplayResult result;

private:
    struct Created
    {
        ObjectKind kind;
        RawId id; // the target's
    };
    template <class IdType> bool translate(IdType& id) const
    {
        if (!id)
            return true;
        const RawId* mapped = m_maps[static_cast<std::size_t>(kindOf<IdType>())].find({id.index, id.generation});
        if (mapped == nullptr)
            return false;
        id = {mapped->index, mapped->generation};
        return true;
    }
    template <class IdType> Result<void> created(const CapturedObject& object, Result<IdType> id)
    {
        if (!id)
            return std::move(id).error();
        const RawId raw{id->index, id->generation};
        m_maps[static_cast<std::size_t>(object.kind)].insert({object.index, object.generation}, raw);
        m_created.push_back({object.kind, raw});
        return {};
    }
    Result<void> createPipeline(CapturedObject& object);
    Result<void> createGroup(CapturedObject& object);
    void destroyTarget(ObjectKind kind, RawId id);
    Result<void> flushRestore();
    Result<void> waitForPipelines();
    void poll();

    static Error unknown(const char* what)
    {
        return {ErrorCode::BadFile, std::string("capture: names ") + what + " that it does not hold"};
    }

    Device& m_target;
    std::array<IdMap<RawId, RawId>, kObjectKindCount> m_maps;
    IdMap<RawId, TextureShape> m_shapes;       // of captured textures
    IdMap<RawId, std::uint64_t> m_bufferBytes; // of captured buffers
    std::vector<Created> m_created;
    CommandStream m_restore;
    std::vector<std::byte> m_bytes;
    std::vector<Completion> m_completions;
    std::uint32_t m_pendingPipelineCount = 0;
    SubmissionIndex m_lastSubmission = 0, m_doneSubmission = 0;
    Error m_failure;
    bool m_isFailed = false;
};

Result<void> Replayer::create(CapturedObject& o)
{
    if (o.index > kMaxIndex || o.generation == 0)
        return Error{ErrorCode::BadFile, formatText("capture: id %u.%u is out of range", o.index, o.generation)};
    switch (o.kind)
    {
    case ObjectKind::Buffer:
        o.buffer.label = o.label;
        m_bufferBytes.insert({o.index, o.generation}, o.buffer.bytes);
        return created(o, m_target.createBuffer(o.buffer));
    case ObjectKind::Texture:
        o.texture.label = o.label;
        m_shapes.insert({o.index, o.generation}, TextureShape::of(o.texture));
        return created(o, m_target.createTexture(o.texture));
    case ObjectKind::TextureView:
        o.view.label = o.label;
        return translate(o.view.texture) ? created(o, m_target.createTextureView(o.view)) : unknown("a texture");
    case ObjectKind::Sampler: o.sampler.label = o.label; return created(o, m_target.createSampler(o.sampler));
    case ObjectKind::ShaderModule: return created(o, m_target.createShaderModule({.label = o.label, .spirv = o.spirv, .wgsl = o.wgsl}));
    case ObjectKind::BindGroupLayout: return created(o, m_target.createBindGroupLayout({.label = o.label, .entries = o.layoutEntries}));
    case ObjectKind::BindGroup: return createGroup(o);
    case ObjectKind::Pipeline: return createPipeline(o);
    case ObjectKind::QuerySet: return created(o, m_target.createQuerySet({.label = o.label, .count = o.queryCount}));
    }
    return {};
}

Result<void> Replayer::createGroup(CapturedObject& o)
{
    bool isKnown = translate(o.groupLayout);
    for (BindGroupEntry& e : o.groupEntries)
        isKnown = isKnown && translate(e.buffer) && translate(e.view) && translate(e.sampler);
    if (!isKnown)
        return unknown("an object of a bind group");
    return created(o, m_target.createBindGroup({.label = o.label, .layout = o.groupLayout, .entries = o.groupEntries}));
}

Result<void> Replayer::createPipeline(CapturedObject& o)
{
    bool isKnown = translate(o.firstModule) && translate(o.fragmentModule);
    for (BindGroupLayoutId& layout : o.layouts)
        isKnown = isKnown && translate(layout);
    if (!isKnown)
        return unknown("a module or layout of a pipeline");
    ++m_pendingPipelineCount;
    if (o.isCompute)
        return created(
            o, m_target.createComputePipeline({.label = o.label, .layouts = o.layouts, .module = o.firstModule, .entry = o.firstEntry}));
    std::vector<VertexBufferLayout> vertexBuffers;
    for (const CapturedVertexBuffer& b : o.vertexBuffers)
        vertexBuffers.push_back({.stride = b.stride, .isPerInstance = b.isPerInstance, .attributes = b.attributes});
    RenderPipelineDesc desc = o.render;
    desc.label = o.label;
    desc.layouts = o.layouts;
    desc.vertexModule = o.firstModule;
    desc.vertexEntry = o.firstEntry;
    desc.fragmentModule = o.fragmentModule;
    desc.fragmentEntry = o.fragmentEntry;
    desc.vertexBuffers = vertexBuffers;
    desc.colorTargets = o.colors;
    return created(o, m_target.createRenderPipeline(desc));
}

Result<void> Replayer::bufferContent(const CapturedContent& content)
{
    BufferId id{content.index, content.generation};
    const std::uint64_t* bytes = m_bufferBytes.find({content.index, content.generation});
    if (bytes == nullptr || !translate(id) || content.states.size() != 1 || (!content.bytes.empty() && content.bytes.size() != *bytes))
        return unknown("a buffer, or content of another size,");
    for (std::size_t offset = 0; offset < content.bytes.size(); offset += kUploadBytes)
    {
        m_restore.writeBuffer(
            id, offset, content.bytes.subspan(offset, std::min<std::size_t>(kUploadBytes, content.bytes.size() - offset)));
        if (m_restore.bytes().size() > kUploadBytes)
            DL_TRY(flushRestore());
    }
    const AccessFlags state = content.states[0];
    if (!state)
        return {};
    const BufferBarrier barrier[] = {
        {.buffer = id, .before = content.bytes.empty() ? AccessFlags() : AccessFlags(Access::CopyWrite), .after = state}};
    m_restore.barriers({}, barrier);
    return {};
}

Result<void> Replayer::textureContent(const CapturedContent& content)
{
    TextureId id{content.index, content.generation};
    const TextureShape* shape = m_shapes.find({content.index, content.generation});
    if (shape == nullptr || !translate(id))
        return unknown("a texture");
    const std::uint32_t layerCount = shape->isVolume ? 1 : shape->depthOrLayers;
    if (content.states.size() != std::size_t(shape->mipCount) * layerCount ||
        (!content.bytes.empty() && content.bytes.size() != shape->totalBytes()))
        return unknown("a texture's content of another size");
    const bool hasBytes = !content.bytes.empty();
    for (std::uint32_t mip = 0; mip < shape->mipCount && hasBytes; ++mip)
    {
        const TextureBarrier toCopy[] = {{.texture = id, .baseMip = mip, .layerCount = layerCount, .after = Access::CopyWrite}};
        m_restore.barriers(toCopy, {});
        const std::uint64_t rowBytes = textureLevelBytes(shape->format, shape->mipWidth(mip), 1, 1);
        const std::uint64_t sliceBytes = shape->sliceBytes(mip);
        for (std::uint32_t slice = 0; slice < shape->sliceCount(mip); ++slice)
        {
            const TextureRegion region{
                .texture = id, .mip = mip, .layerOrZ = slice, .width = shape->mipWidth(mip), .height = shape->mipHeight(mip)};
            const std::span<const std::byte> bytes = content.bytes.subspan(shape->mipOffset(mip) + slice * sliceBytes, sliceBytes);
            m_restore.writeTexture(region, static_cast<std::uint32_t>(rowBytes), static_cast<std::uint32_t>(sliceBytes / rowBytes), bytes);
            if (m_restore.bytes().size() > kUploadBytes)
                DL_TRY(flushRestore());
        }
    }
    const AccessFlags before = hasBytes ? AccessFlags(Access::CopyWrite) : AccessFlags();
    for (std::uint32_t i = 0; i < content.states.size(); ++i)
    {
        const TextureBarrier barrier[] = {
            {.texture = id, .baseMip = i / layerCount, .baseLayer = i % layerCount, .before = before, .after = content.states[i]}};
        if (content.states[i])
            m_restore.barriers(barrier, {});
    }
    return {};
}

Result<void> Replayer::destroy(ObjectKind kind, std::uint32_t index, std::uint32_t generation)
{
    IdMap<RawId, RawId>& map = m_maps[static_cast<std::size_t>(kind)];
    const RawId* mapped = map.find({index, generation});
    if (mapped == nullptr)
        return unknown("a destroyed object");
    const RawId id = *mapped;
    map.erase({index, generation});
    std::erase_if(m_created, [&](const Created& c) { return c.kind == kind && c.id == id; });
    destroyTarget(kind, id);
    return {};
}

void Replayer::destroyTarget(ObjectKind kind, RawId id)
{
    switch (kind)
    {
    case ObjectKind::Buffer: return m_target.destroy(BufferId{id.index, id.generation});
    case ObjectKind::Texture: return m_target.destroy(TextureId{id.index, id.generation});
    case ObjectKind::TextureView: return m_target.destroy(TextureViewId{id.index, id.generation});
    case ObjectKind::Sampler: return m_target.destroy(SamplerId{id.index, id.generation});
    case ObjectKind::ShaderModule: return m_target.destroy(ShaderModuleId{id.index, id.generation});
    case ObjectKind::BindGroupLayout: return m_target.destroy(BindGroupLayoutId{id.index, id.generation});
    case ObjectKind::BindGroup: return m_target.destroy(BindGroupId{id.index, id.generation});
    case ObjectKind::Pipeline: return m_target.destroy(PipelineId{id.index, id.generation});
    case ObjectKind::QuerySet: return m_target.destroy(QuerySetId{id.index, id.generation});
    }
}

Result<void> Replayer::flushRestore()
{
    if (m_restore.isEmpty())
        return {};
    const Result<SubmissionIndex> submission = m_target.submit(m_restore.bytes());
    m_restore.clear();
    if (!submission)
        return withContext(submission.error(), "while restoring the snapshot's contents");
    m_lastSubmission = *submission;
    return {};
}

void Replayer::poll()
{
    m_completions.clear();
    m_target.poll(m_completions);
    for (Completion& completion : m_completions)
    {
        const bool isPipeline = completion.kind == CompletionKind::PipelineReady || completion.kind == CompletionKind::PipelineFailed;
        m_pendingPipelineCount -= isPipeline && m_pendingPipelineCount > 0 ? 1 : 0;
        if (completion.kind == CompletionKind::SubmissionDone)
            m_doneSubmission = completion.submission;
        if (completion.kind == CompletionKind::Readback)
            result.readbacks.push_back(
                {.token = completion.token, .streamIndex = result.streamCount - 1, .bytes = std::move(completion.bytes)});
        const bool isFailure = completion.kind == CompletionKind::PipelineFailed || completion.kind == CompletionKind::DeviceLost ||
                               completion.kind == CompletionKind::Failed;
        if (isFailure && !m_isFailed)
        {
            m_isFailed = true;
            m_failure = {
                completion.kind == CompletionKind::DeviceLost ? ErrorCode::DeviceLost : ErrorCode::InvalidArgument, completion.message};
        }
    }
}

Result<void> Replayer::waitForPipelines()
{
    for (int i = 0; m_pendingPipelineCount != 0 && !m_isFailed; ++i)
    {
        if (i == kMaxPollCount)
            return Error{ErrorCode::Unsupported, formatText("replay: %u pipelines did not get ready", m_pendingPipelineCount)};
        if (const Result<void> waited = m_target.waitIdle(); !waited && waited.error().code != ErrorCode::Unsupported)
            return waited;
        poll();
    }
    return m_isFailed ? Result<void>(m_failure) : Result<void>();
}

Result<void> Replayer::submit(std::span<const std::byte> stream)
{
    DL_TRY(flushRestore());
    DL_TRY(waitForPipelines());
    m_bytes.assign(stream.begin(), stream.end());
    CommandReader reader(stream);
    bool isKnown = true;
    while (!reader.isAtEnd())
    {
        const std::size_t payload = reader.offset() + sizeof(CommandHeader);
        DL_TRY_ASSIGN(const CommandView view, reader.next());
        forEachId(view,
            [&]<class IdType>(std::size_t offset)
            {
                IdType id;
                std::memcpy(&id, m_bytes.data() + payload + offset, sizeof(id));
                isKnown = isKnown && translate(id);
                std::memcpy(m_bytes.data() + payload + offset, &id, sizeof(id));
            });
    }
    if (!isKnown)
        return unknown("an object in a stream");
    result.dump += dumpStream(m_bytes);
    ++result.streamCount;
    DL_TRY_ASSIGN(m_lastSubmission, m_target.submit(m_bytes));
    // One stream at a time, so that readbacks are known by theirs.
    (void)m_target.waitIdle(); // not on every device: polling below does as well
    for (int i = 0; m_doneSubmission < m_lastSubmission && !m_isFailed && i < kMaxPollCount; ++i)
        poll();
    if (m_isFailed)
        return m_failure;
    if (m_doneSubmission < m_lastSubmission)
        return Error{ErrorCode::Unsupported, formatText("replay: stream %u did not finish", result.streamCount - 1)};
    return {};
}

Result<void> Replayer::finish()
{
    return flushRestore();
}

} // namespace

Result<ReplayResult> replayCapture(const Capture& capture, Device& target)
{
    Replayer replayer(target);
    DL_TRY(readEvents(capture.body(), replayer));
    DL_TRY(replayer.finish());
    return std::move(replayer.result);
}

} // namespace dl::gpu
