// drawloom/gpu/stream_dump.cpp - a command stream as text: one line per command, indented inside passes and groups.
#include "drawloom/core/hash.h"
#include "drawloom/gpu/command_stream.h"
#include "drawloom/gpu/detail/text.h"

#include <algorithm>

namespace dl::gpu
{
namespace
{

class Dumper
{
public:
    std::string run(std::span<const std::byte> stream);

private:
    void command(const CommandView& view);
    void copyCommand(const CommandView& view);
    void passCommand(const CommandView& view);
    void drawCommand(const CommandView& view);
    void data(std::span<const std::byte> bytes);
    void region(const TextureRegion& region);
    void label(std::span<const std::byte> bytes);
    void barriers(const CommandView& view);
    void renderPass(const CommandView& view);
    void attachmentOps(LoadOp load, StoreOp store);
    void timestamps(QuerySetId set, std::uint32_t begin, std::uint32_t end);
    void bindGroup(const CommandView& view);

    std::string m_text;
    std::size_t m_depth = 0;
};

unsigned long long wide(std::uint64_t value)
{
    return value;
}

std::string Dumper::run(std::span<const std::byte> stream)
{
    CommandReader reader(stream);
    while (!reader.isAtEnd())
    {
        const Result<CommandView> view = reader.next();
        if (!view)
        {
            m_text += "! " + view.error().message + "\n";
            break;
        }
        const bool isEnd = view->op == Op::EndRenderPass || view->op == Op::EndComputePass || view->op == Op::PopDebugGroup;
        if (isEnd && m_depth > 0)
            --m_depth;
        m_text.append(2 * m_depth, ' ');
        m_text += toString(view->op);
        command(*view);
        m_text += '\n';
        if (view->op == Op::BeginRenderPass || view->op == Op::BeginComputePass || view->op == Op::PushDebugGroup)
            ++m_depth;
    }
    return std::move(m_text);
}

void Dumper::data(std::span<const std::byte> bytes)
{
    appendFormat(m_text, " %zu bytes #%016llx", bytes.size(), wide(hashBytes(bytes)));
}

void Dumper::region(const TextureRegion& r)
{
    appendFormat(
        m_text, " t%u mip %u at %u,%u,%u size %ux%ux%u", r.texture.index, r.mip, r.x, r.y, r.layerOrZ, r.width, r.height, r.layersOrDepth);
}

/// Bytes outside printable ASCII become '?', so that a line stays a line.
void Dumper::label(std::span<const std::byte> bytes)
{
    m_text += " \"";
    for (const std::byte b : bytes)
    {
        const char c = static_cast<char>(b);
        m_text += (c >= ' ' && c <= '~') ? c : '?';
    }
    m_text += '"';
}

void Dumper::command(const CommandView& view)
{
    if (view.op <= Op::Barriers)
        copyCommand(view);
    else if (view.op <= Op::EndComputePass || view.op >= Op::PushDebugGroup)
        passCommand(view);
    else
        drawCommand(view);
}

void Dumper::copyCommand(const CommandView& view)
{
    switch (view.op)
    {
    case Op::WriteBuffer:
    {
        const auto cmd = view.record<WriteBufferCmd>();
        appendFormat(m_text, " b%u+%llu", cmd.buffer.index, wide(cmd.offset));
        return data(view.trailing<WriteBufferCmd>());
    }
    case Op::WriteTexture:
    {
        const auto cmd = view.record<WriteTextureCmd>();
        region(cmd.region);
        appendFormat(m_text, " rows %u/%u", cmd.bytesPerRow, cmd.rowsPerLayer);
        return data(view.trailing<WriteTextureCmd>());
    }
    case Op::CopyBufferToBuffer:
    {
        const auto cmd = view.record<CopyBufferToBufferCmd>();
        appendFormat(m_text, " b%u+%llu -> b%u+%llu %llu bytes", cmd.source.index, wide(cmd.sourceOffset), cmd.target.index,
            wide(cmd.targetOffset), wide(cmd.bytes));
        return;
    }
    case Op::CopyBufferToTexture:
    case Op::CopyTextureToBuffer:
    {
        const auto cmd = view.record<CopyBufferTextureCmd>();
        appendFormat(m_text, " b%u+%llu rows %u/%u %s", cmd.buffer.index, wide(cmd.offset), cmd.bytesPerRow, cmd.rowsPerLayer,
            view.op == Op::CopyBufferToTexture ? "->" : "<-");
        return region(cmd.region);
    }
    case Op::CopyTextureToTexture:
    {
        const auto cmd = view.record<CopyTextureToTextureCmd>();
        region(cmd.source);
        m_text += " ->";
        return region(cmd.target);
    }
    case Op::ClearBuffer:
    {
        const auto cmd = view.record<ClearBufferCmd>();
        appendFormat(m_text, " b%u+%llu %llu bytes", cmd.buffer.index, wide(cmd.offset), wide(cmd.bytes));
        return;
    }
    case Op::ResolveQueries:
    {
        const auto cmd = view.record<ResolveQueriesCmd>();
        appendFormat(
            m_text, " q%u [%u, +%u) -> b%u+%llu", cmd.querySet.index, cmd.first, cmd.count, cmd.target.index, wide(cmd.targetOffset));
        return;
    }
    case Op::ReadbackBuffer:
    {
        const auto cmd = view.record<ReadbackBufferCmd>();
        appendFormat(m_text, " b%u+%llu %llu bytes token %llu", cmd.buffer.index, wide(cmd.offset), wide(cmd.bytes), wide(cmd.token));
        return;
    }
    default: return barriers(view);
    }
}

void Dumper::barriers(const CommandView& view)
{
    const auto cmd = view.record<BarriersCmd>();
    for (std::uint32_t i = 0; i < cmd.textureCount; ++i)
    {
        const auto b = view.element<BarriersCmd, TextureBarrier>(i);
        appendFormat(m_text, " t%u mips %u+%u layers %u+%u %s->%s", b.texture.index, b.baseMip, b.mipCount, b.baseLayer, b.layerCount,
            toString(b.before).c_str(), toString(b.after).c_str());
    }
    for (std::uint32_t i = 0; i < cmd.bufferCount; ++i)
    {
        const auto b = view.element<BarriersCmd, BufferBarrier>(i, cmd.textureCount * sizeof(TextureBarrier));
        appendFormat(m_text, " b%u %s->%s", b.buffer.index, toString(b.before).c_str(), toString(b.after).c_str());
    }
}

void Dumper::attachmentOps(LoadOp load, StoreOp store)
{
    m_text += load == LoadOp::Load ? " load" : " clear";
    m_text += store == StoreOp::Store ? " store" : " discard";
}

void Dumper::timestamps(QuerySetId set, std::uint32_t begin, std::uint32_t end)
{
    if (set)
        appendFormat(m_text, " timestamps q%u %u..%u", set.index, begin, end);
}

void Dumper::renderPass(const CommandView& view)
{
    const auto cmd = view.record<BeginRenderPassCmd>();
    label(view.trailing<BeginRenderPassCmd>().subspan(cmd.colorCount * sizeof(ColorAttachment)));
    appendFormat(m_text, " %ux%u", cmd.width, cmd.height);
    for (std::uint32_t i = 0; i < cmd.colorCount; ++i)
    {
        const auto color = view.element<BeginRenderPassCmd, ColorAttachment>(i);
        appendFormat(m_text, " color v%u", color.view.index);
        attachmentOps(color.load, color.store);
        if (color.load == LoadOp::Clear)
            appendFormat(
                m_text, " (%g %g %g %g)", double(color.clear[0]), double(color.clear[1]), double(color.clear[2]), double(color.clear[3]));
        if (color.resolveView)
            appendFormat(m_text, " resolve v%u", color.resolveView.index);
    }
    if (cmd.depth.view)
    {
        appendFormat(m_text, " depth v%u%s", cmd.depth.view.index, cmd.depth.isReadOnly != 0 ? " read-only" : "");
        attachmentOps(cmd.depth.load, cmd.depth.store);
        if (cmd.depth.load == LoadOp::Clear)
            appendFormat(m_text, " (%g)", double(cmd.depth.clear));
    }
    timestamps(cmd.querySet, cmd.beginQuery, cmd.endQuery);
}

void Dumper::passCommand(const CommandView& view)
{
    if (view.op == Op::BeginRenderPass)
        renderPass(view);
    if (view.op == Op::PushDebugGroup)
        label(view.trailing<PushDebugGroupCmd>());
    if (view.op == Op::BeginComputePass)
    {
        const auto cmd = view.record<BeginComputePassCmd>();
        label(view.trailing<BeginComputePassCmd>());
        timestamps(cmd.querySet, cmd.beginQuery, cmd.endQuery);
    }
}

void Dumper::bindGroup(const CommandView& view)
{
    const auto cmd = view.record<SetBindGroupCmd>();
    appendFormat(m_text, " %u g%u", cmd.group, cmd.bindGroup.index);
    for (std::uint32_t i = 0; i < cmd.offsetCount; ++i)
        appendFormat(m_text, "%s%u", i == 0 ? " offsets " : ",", view.element<SetBindGroupCmd, std::uint32_t>(i));
}

void Dumper::drawCommand(const CommandView& view)
{
    switch (view.op)
    {
    case Op::SetPipeline: return appendFormat(m_text, " p%u", view.record<SetPipelineCmd>().pipeline.index);
    case Op::SetBindGroup: return bindGroup(view);
    case Op::SetVertexBuffer:
    {
        const auto cmd = view.record<SetVertexBufferCmd>();
        return appendFormat(m_text, " %u b%u+%llu", cmd.slot, cmd.buffer.index, wide(cmd.offset));
    }
    case Op::SetIndexBuffer:
    {
        const auto cmd = view.record<SetIndexBufferCmd>();
        const char* format = cmd.format == IndexFormat::Uint16 ? "uint16" : "uint32";
        return appendFormat(m_text, " b%u+%llu %s", cmd.buffer.index, wide(cmd.offset), format);
    }
    case Op::SetViewport:
    {
        const auto cmd = view.record<SetViewportCmd>();
        return appendFormat(m_text, " %g,%g %gx%g depth %g..%g", double(cmd.x), double(cmd.y), double(cmd.width), double(cmd.height),
            double(cmd.minDepth), double(cmd.maxDepth));
    }
    case Op::SetScissor:
    {
        const auto cmd = view.record<SetScissorCmd>();
        return appendFormat(m_text, " %u,%u %ux%u", cmd.x, cmd.y, cmd.width, cmd.height);
    }
    case Op::Draw:
    {
        const auto cmd = view.record<DrawCmd>();
        return appendFormat(
            m_text, " vertices %u+%u instances %u+%u", cmd.firstVertex, cmd.vertexCount, cmd.firstInstance, cmd.instanceCount);
    }
    case Op::DrawIndexed:
    {
        const auto cmd = view.record<DrawIndexedCmd>();
        return appendFormat(m_text, " indices %u+%u base %d instances %u+%u", cmd.firstIndex, cmd.indexCount, cmd.baseVertex,
            cmd.firstInstance, cmd.instanceCount);
    }
    case Op::DrawIndexedIndirect:
    {
        const auto cmd = view.record<DrawIndexedIndirectCmd>();
        return appendFormat(m_text, " b%u+%llu x%u", cmd.buffer.index, wide(cmd.offset), cmd.drawCount);
    }
    case Op::Dispatch:
    {
        const auto cmd = view.record<DispatchCmd>();
        return appendFormat(m_text, " %u,%u,%u", cmd.x, cmd.y, cmd.z);
    }
    default:
    {
        const auto cmd = view.record<DispatchIndirectCmd>();
        return appendFormat(m_text, " b%u+%llu", cmd.buffer.index, wide(cmd.offset));
    }
    }
}

} // namespace

std::string dumpStream(std::span<const std::byte> stream)
{
    return Dumper().run(stream);
}

} // namespace dl::gpu
