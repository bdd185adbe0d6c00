// drawloom/gpu/detail/stream_checker.h - walks one stream and holds each command against the objects it names, the order
// of commands and, through HazardTracker, the barriers. Its sources: _passes (order, attachments), _copies, _draws.
#pragma once

#include "drawloom/gpu/detail/hazard_tracker.h"
#include "drawloom/gpu/device.h"

#include <array>

namespace dl::gpu
{

class StreamChecker
{
public:
    StreamChecker(ValidationObjects& objects, ValidationReporter& reporter, const DeviceInfo& info)
        : m_objects(objects), m_reporter(reporter), m_info(info), m_hazards(reporter)
    {
    }
    void run(std::span<const std::byte> stream);

private:
    enum class Pass : std::uint8_t
    {
        None,
        Render,
        Compute,
    };
    struct VertexSlot
    {
        BufferId buffer;
        std::uint64_t offset = 0;
        bool isSet = false;
    };
    struct GroupSlot
    {
        BindGroupId group;
        bool isSet = false;
        bool isDirty = false; ///< its uses were not tracked since it was set
    };
    static constexpr std::size_t kMaxGroups = 8, kMaxVertexSlots = 32;

    void command(const CommandView& view);
    bool isInPlace(Op op);
    void endStream();
    [[gnu::format(printf, 3, 4)]] void error(ValidationRule rule, const char* format, ...);

    // passes
    void beginRenderPass(const CommandView& view);
    void beginComputePass(const CommandView& view);
    void enterPass(Pass pass, std::span<const std::byte> label);
    void endRenderPass();
    struct Attachment;
    bool findAttachment(TextureViewId id, const char* what, TextureUsage usage, Attachment& out);
    void checkAttachmentSize(const Attachment& attachment, const char* what);
    void colorAttachment(const ColorAttachment& color);
    void resolveAttachment(const ColorAttachment& color, const Attachment& source);
    void depthAttachment(const DepthAttachment& depth);
    void timestamps(QuerySetId set, std::uint32_t begin, std::uint32_t end);

    // copies and barriers
    void copyCommand(const CommandView& view);
    void writeBuffer(const WriteBufferCmd& cmd);
    void writeTexture(const WriteTextureCmd& cmd);
    void copyBufferToBuffer(const CopyBufferToBufferCmd& cmd);
    void copyBufferTexture(const CopyBufferTextureCmd& cmd, bool isToTexture);
    void copyTexture(const CopyTextureToTextureCmd& cmd);
    void clearBuffer(const ClearBufferCmd& cmd);
    void resolveQueries(const ResolveQueriesCmd& cmd);
    void readback(const ReadbackBufferCmd& cmd);
    void barriers(const CommandView& view);
    bool isRangeRight(const BufferRecord& buffer, std::uint64_t offset, std::uint64_t bytes, std::uint64_t alignment);
    TextureRecord* findRegion(const TextureRegion& region, TextureUsage usage);
    bool isLinearRight(const TextureRecord& texture, const TextureRegion& region, LinearLayout layout, std::uint64_t availableBytes);
    void readTextureByCopy(TextureRecord& texture, const TextureRegion& region);

    // draws
    void drawCommand(const CommandView& view);
    void setPipeline(PipelineId id);
    void setBindGroup(const CommandView& view);
    void setVertexBuffer(const SetVertexBufferCmd& cmd);
    void setIndexBuffer(const SetIndexBufferCmd& cmd);
    void setViewport(const SetViewportCmd& cmd);
    void setScissor(const SetScissorCmd& cmd);
    void draw(const DrawCmd& cmd);
    void drawIndexed(const DrawIndexedCmd& cmd);
    void drawIndexedIndirect(const DrawIndexedIndirectCmd& cmd);
    void dispatch(const DispatchCmd& cmd);
    void indirectArguments(BufferId id, std::uint64_t offset, std::uint64_t bytes);
    const PipelineRecord* readyPipeline();
    void useGroups(const PipelineRecord& pipeline);
    void useGroup(const GroupRecord& group);
    void useVertexBuffers(const PipelineRecord& pipeline, std::uint64_t firstVertex, std::uint64_t vertexCount, std::uint64_t firstInstance,
        std::uint64_t instanceCount);
    BufferRecord* useIndexBuffer();

    /// The live object, or nullptr and a StaleId message.
    BufferRecord* find(BufferId id, BufferUsage usage);
    template <class Table, class IdType> auto* findObject(Table& table, IdType id, ObjectKind kind)
    {
        auto* record = table.find(id);
        if (record == nullptr)
            reportStale(kind, id.index, id.generation, table.deadLabel(id));
        return record;
    }
    void reportStale(ObjectKind kind, std::uint32_t index, std::uint32_t generation, const std::string* deadLabel);
    UseSite passSite() const { return {.scope = m_scope, .place = m_place}; }
    UseSite copySite() const { return {.scope = 0, .place = m_place}; }

    ValidationObjects& m_objects;
    ValidationReporter& m_reporter;
    const DeviceInfo& m_info;
    HazardTracker m_hazards;

    std::uint32_t m_commandIndex = 0;
    Op m_op = Op::Draw;
    Pass m_pass = Pass::None;
    std::uint32_t m_groupDepth = 0; // of debug groups, in all and inside the pass
    std::uint32_t m_passGroupDepth = 0;
    std::uint64_t m_scope = 0;
    PlaceIndex m_place = 0;

    // of the present render pass
    std::uint32_t m_width = 0, m_height = 0;
    std::vector<Format> m_colorFormats;
    Format m_depthFormat = Format::None;
    bool m_isDepthReadOnly = false;
    std::uint32_t m_sampleCount = 0;
    struct Discard
    {
        TextureId texture;
        SubresourceRange range;
    };
    std::vector<Discard> m_discards;

    // set inside the present pass
    PipelineId m_pipeline;
    std::array<GroupSlot, kMaxGroups> m_groups;
    std::array<VertexSlot, kMaxVertexSlots> m_vertexSlots;
    BufferId m_indexBuffer;
    IndexFormat m_indexFormat = IndexFormat::Uint32;
    std::uint64_t m_indexOffset = 0;
    bool m_hasIndexBuffer = false;
};

} // namespace dl::gpu
