// drawloom/gpu/command_reader.cpp - walks streams that may come from files: every size, count and enumerator is checked.
#include "drawloom/gpu/command_stream.h"
#include "drawloom/gpu/detail/text.h"

#include <algorithm>
#include <array>

namespace dl::gpu
{
namespace
{

struct OpInfo
{
    std::string_view name;
    std::uint32_t recordBytes;
};

// In the order of Op.
constexpr std::array<OpInfo, kOpCount> kOps = {{
    {"WriteBuffer", sizeof(WriteBufferCmd)},
    {"WriteTexture", sizeof(WriteTextureCmd)},
    {"CopyBufferToBuffer", sizeof(CopyBufferToBufferCmd)},
    {"CopyBufferToTexture", sizeof(CopyBufferTextureCmd)},
    {"CopyTextureToBuffer", sizeof(CopyBufferTextureCmd)},
    {"CopyTextureToTexture", sizeof(CopyTextureToTextureCmd)},
    {"ClearBuffer", sizeof(ClearBufferCmd)},
    {"ResolveQueries", sizeof(ResolveQueriesCmd)},
    {"ReadbackBuffer", sizeof(ReadbackBufferCmd)},
    {"Barriers", sizeof(BarriersCmd)},
    {"BeginRenderPass", sizeof(BeginRenderPassCmd)},
    {"EndRenderPass", 0},
    {"BeginComputePass", sizeof(BeginComputePassCmd)},
    {"EndComputePass", 0},
    {"SetPipeline", sizeof(SetPipelineCmd)},
    {"SetBindGroup", sizeof(SetBindGroupCmd)},
    {"SetVertexBuffer", sizeof(SetVertexBufferCmd)},
    {"SetIndexBuffer", sizeof(SetIndexBufferCmd)},
    {"SetViewport", sizeof(SetViewportCmd)},
    {"SetScissor", sizeof(SetScissorCmd)},
    {"Draw", sizeof(DrawCmd)},
    {"DrawIndexed", sizeof(DrawIndexedCmd)},
    {"DrawIndexedIndirect", sizeof(DrawIndexedIndirectCmd)},
    {"Dispatch", sizeof(DispatchCmd)},
    {"DispatchIndirect", sizeof(DispatchIndirectCmd)},
    {"PushDebugGroup", sizeof(PushDebugGroupCmd)},
    {"PopDebugGroup", 0},
}};

/// Bytes behind the record, from the record's counts.
std::uint64_t trailingBytes(const CommandView& view)
{
    switch (view.op)
    {
    case Op::WriteBuffer: return view.record<WriteBufferCmd>().dataBytes;
    case Op::WriteTexture: return view.record<WriteTextureCmd>().dataBytes;
    case Op::Barriers:
    {
        const auto cmd = view.record<BarriersCmd>();
        return std::uint64_t(cmd.textureCount) * sizeof(TextureBarrier) + std::uint64_t(cmd.bufferCount) * sizeof(BufferBarrier);
    }
    case Op::BeginRenderPass:
    {
        const auto cmd = view.record<BeginRenderPassCmd>();
        return std::uint64_t(cmd.colorCount) * sizeof(ColorAttachment) + cmd.labelBytes;
    }
    case Op::BeginComputePass: return view.record<BeginComputePassCmd>().labelBytes;
    case Op::SetBindGroup: return std::uint64_t(view.record<SetBindGroupCmd>().offsetCount) * sizeof(std::uint32_t);
    case Op::PushDebugGroup: return view.record<PushDebugGroupCmd>().labelBytes;
    default: return 0;
    }
}

bool isAttachmentValid(LoadOp load, StoreOp store)
{
    return load <= LoadOp::Clear && store <= StoreOp::Discard;
}

bool isRenderPassValid(const CommandView& view)
{
    const auto cmd = view.record<BeginRenderPassCmd>();
    if (cmd.colorCount > kMaxColorAttachments || !isAttachmentValid(cmd.depth.load, cmd.depth.store) || cmd.depth.isReadOnly > 1 ||
        cmd.depth.reserved != 0)
        return false;
    for (std::uint32_t i = 0; i < cmd.colorCount; ++i)
    {
        const auto color = view.element<BeginRenderPassCmd, ColorAttachment>(i);
        if (!isAttachmentValid(color.load, color.store) || color.reserved != 0 || color.reserved2 != 0)
            return false;
    }
    return true;
}

bool isIndexBufferValid(const SetIndexBufferCmd& cmd)
{
    return cmd.format <= IndexFormat::Uint32 &&
           std::all_of(std::begin(cmd.reserved), std::end(cmd.reserved), [](auto b) { return b == 0; });
}

/// Enumerators, flags, counts with a limit, reserved fields.
bool areFieldsValid(const CommandView& view)
{
    switch (view.op)
    {
    case Op::WriteBuffer: return view.record<WriteBufferCmd>().reserved == 0;
    case Op::WriteTexture: return view.record<WriteTextureCmd>().reserved == 0 && view.record<WriteTextureCmd>().region.reserved == 0;
    case Op::CopyBufferToTexture:
    case Op::CopyTextureToBuffer: return view.record<CopyBufferTextureCmd>().region.reserved == 0;
    case Op::CopyTextureToTexture:
        return view.record<CopyTextureToTextureCmd>().source.reserved == 0 && view.record<CopyTextureToTextureCmd>().target.reserved == 0;
    case Op::BeginRenderPass: return isRenderPassValid(view);
    case Op::BeginComputePass: return view.record<BeginComputePassCmd>().reserved == 0;
    case Op::SetBindGroup: return view.record<SetBindGroupCmd>().offsetCount <= kMaxDynamicOffsets;
    case Op::SetVertexBuffer: return view.record<SetVertexBufferCmd>().reserved == 0;
    case Op::SetIndexBuffer: return isIndexBufferValid(view.record<SetIndexBufferCmd>());
    case Op::DrawIndexed: return view.record<DrawIndexedCmd>().reserved == 0;
    case Op::DrawIndexedIndirect: return view.record<DrawIndexedIndirectCmd>().reserved == 0;
    case Op::Dispatch: return view.record<DispatchCmd>().reserved == 0;
    case Op::PushDebugGroup: return view.record<PushDebugGroupCmd>().reserved == 0;
    default: return true;
    }
}

Error malformed(std::size_t offset, std::string_view op, const char* what)
{
    return {ErrorCode::BadFile, formatText("command stream, offset %zu: %.*s %s", offset, static_cast<int>(op.size()), op.data(), what)};
}

} // namespace

std::string_view toString(Op op)
{
    const auto index = static_cast<std::size_t>(op);
    return index < kOps.size() ? kOps[index].name : "?";
}

Result<CommandView> CommandReader::next()
{
    const std::size_t left = m_stream.size() - m_offset;
    if (left < sizeof(CommandHeader))
        return malformed(m_offset, "command", "ends inside its header");
    CommandHeader header;
    __builtin_memcpy(&header, m_stream.data() + m_offset, sizeof(header));
    if (static_cast<std::uint32_t>(header.op) >= kOpCount || header.reserved != 0)
        return malformed(m_offset, "command", "has an unknown operation");
    const OpInfo& info = kOps[static_cast<std::size_t>(header.op)];
    if (header.bytes % 8 != 0 || header.bytes > kMaxCommandBytes || header.bytes > left)
        return malformed(m_offset, info.name, "has a size that is no multiple of 8 or reaches behind the stream's end");
    if (header.bytes < sizeof(header) + info.recordBytes)
        return malformed(m_offset, info.name, "is smaller than its record");

    CommandView view{.op = header.op, .payload = m_stream.subspan(m_offset + sizeof(header), header.bytes - sizeof(header))};
    const std::uint64_t used = info.recordBytes + trailingBytes(view);
    if (((sizeof(header) + used + 7) & ~std::uint64_t(7)) != header.bytes)
        return malformed(m_offset, info.name, "has counts that do not fit its size");
    const auto padding = view.payload.subspan(static_cast<std::size_t>(used));
    if (std::any_of(padding.begin(), padding.end(), [](std::byte b) { return b != std::byte(0); }))
        return malformed(m_offset, info.name, "has padding that is not zero");
    if (!areFieldsValid(view))
        return malformed(m_offset, info.name, "has a field that is out of range");
    view.payload = view.payload.first(static_cast<std::size_t>(used));
    m_offset += header.bytes;
    return view;
}

} // namespace dl::gpu
