// drawloom/gpu/detail/null_player.cpp - counting and copying.
#include "drawloom/gpu/detail/null_player.h"

#include <algorithm>
#include <cstring>

namespace dl::gpu
{
namespace
{

std::string_view textOf(std::span<const std::byte> bytes)
{
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::uint64_t trianglesOf(Topology topology, std::uint64_t vertexCount)
{
    if (topology == Topology::TriangleList)
        return vertexCount / 3;
    return topology == Topology::TriangleStrip && vertexCount > 2 ? vertexCount - 2 : 0;
}

} // namespace

Result<void> NullPlayer::play(
    std::span<const std::byte> stream, bool keepsContents, SubmissionIndex submission, std::vector<Completion>& completions)
{
    m_pass = nullptr;
    m_topology = Topology::TriangleList;
    m_keepsContents = keepsContents;
    CommandReader reader(stream);
    while (!reader.isAtEnd())
    {
        DL_TRY_ASSIGN(const CommandView view, reader.next());
        ++m_stats.commandCount;
        if (view.op < Op::BeginRenderPass)
            copyCommand(view, submission, completions);
        else
            passCommand(view);
    }
    return {};
}

void NullPlayer::copyCommand(const CommandView& view, SubmissionIndex submission, std::vector<Completion>& completions)
{
    switch (view.op)
    {
    case Op::WriteBuffer: m_stats.bytesWritten += view.trailing<WriteBufferCmd>().size(); break;
    case Op::WriteTexture: m_stats.bytesWritten += view.trailing<WriteTextureCmd>().size(); break;
    case Op::CopyBufferToBuffer: m_stats.bytesCopied += view.record<CopyBufferToBufferCmd>().bytes; break;
    case Op::ClearBuffer: m_stats.bytesCopied += view.record<ClearBufferCmd>().bytes; break;
    case Op::CopyBufferToTexture:
    case Op::CopyTextureToBuffer:
    case Op::CopyTextureToTexture:
    {
        // All three start with a region: texels are counted as the bytes that it covers.
        const auto region = view.record<TextureRegion>();
        if (const TextureShape* shape = m_contents.textureShape(region.texture); shape != nullptr)
            m_stats.bytesCopied += textureLevelBytes(shape->format, region.width, region.height, region.layersOrDepth);
        break;
    }
    case Op::ReadbackBuffer: return readback(view.record<ReadbackBufferCmd>(), submission, completions);
    case Op::ResolveQueries: return resolveQueries(view.record<ResolveQueriesCmd>());
    default:
        ++m_stats.barrierCommandCount;
        m_stats.textureBarrierCount += view.record<BarriersCmd>().textureCount;
        m_stats.bufferBarrierCount += view.record<BarriersCmd>().bufferCount;
    }
    if (m_keepsContents)
        m_contents.execute(view);
}

void NullPlayer::readback(const ReadbackBufferCmd& cmd, SubmissionIndex submission, std::vector<Completion>& completions)
{
    Completion& completion = completions.emplace_back();
    completion.kind = CompletionKind::Readback;
    completion.submission = submission;
    completion.token = cmd.token;
    if (m_contents.readRange(cmd.buffer, cmd.offset, cmd.bytes, completion.bytes))
        m_stats.bytesReadBack += cmd.bytes;
}

void NullPlayer::resolveQueries(const ResolveQueriesCmd& cmd)
{
    if (!m_keepsContents)
        return;
    const std::span<std::byte> target = m_contents.writableRange(cmd.target, cmd.targetOffset, std::uint64_t(cmd.count) * 8);
    for (std::uint64_t i = 0; i * 8 < target.size(); ++i)
    {
        const std::uint64_t time = cmd.first + i;
        std::memcpy(target.data() + i * 8, &time, 8);
    }
}

void NullPlayer::beginPass(std::string_view label, bool isCompute)
{
    const auto isSame = [&](const NullPassStats& pass) { return pass.isCompute == isCompute && pass.label == label; };
    auto found = std::find_if(m_stats.passes.begin(), m_stats.passes.end(), isSame);
    if (found == m_stats.passes.end())
    {
        found = m_stats.passes.insert(m_stats.passes.end(), NullPassStats());
        found->label = label;
        found->isCompute = isCompute;
    }
    m_pass = &*found;
    count(&NullPassStats::passCount);
    ++(isCompute ? m_stats.computePassCount : m_stats.renderPassCount);
}

void NullPlayer::count(std::uint64_t NullPassStats::* member, std::uint64_t amount)
{
    m_stats.total.*member += amount;
    if (m_pass != nullptr)
        m_pass->*member += amount;
}

void NullPlayer::countDraw(std::uint64_t vertexCount, std::uint64_t instanceCount)
{
    count(&NullPassStats::instanceCount, instanceCount);
    count(&NullPassStats::triangleCount, trianglesOf(m_topology, vertexCount) * instanceCount);
}

void NullPlayer::indirectDraw(const DrawIndexedIndirectCmd& cmd)
{
    struct Arguments
    {
        std::uint32_t indexCount, instanceCount, firstIndex;
        std::int32_t baseVertex;
        std::uint32_t firstInstance;
    };
    count(&NullPassStats::indirectDrawCount, cmd.drawCount);
    const std::span<const std::byte> content = m_contents.bufferContent(cmd.buffer);
    for (std::uint64_t i = 0; i < cmd.drawCount; ++i)
    {
        const std::uint64_t offset = cmd.offset + i * sizeof(Arguments);
        if (offset > content.size() || content.size() - offset < sizeof(Arguments))
            return;
        Arguments arguments;
        std::memcpy(&arguments, content.data() + offset, sizeof(arguments));
        countDraw(arguments.indexCount, arguments.instanceCount);
    }
}

void NullPlayer::passCommand(const CommandView& view)
{
    switch (view.op)
    {
    case Op::BeginRenderPass:
    {
        const std::size_t colorBytes = view.record<BeginRenderPassCmd>().colorCount * sizeof(ColorAttachment);
        return beginPass(textOf(view.trailing<BeginRenderPassCmd>().subspan(colorBytes)), false);
    }
    case Op::BeginComputePass: return beginPass(textOf(view.trailing<BeginComputePassCmd>()), true);
    case Op::EndRenderPass:
    case Op::EndComputePass: m_pass = nullptr; return;
    case Op::SetPipeline:
        if (const Topology* topology = m_topologies.find(view.record<SetPipelineCmd>().pipeline); topology != nullptr)
            m_topology = *topology;
        return count(&NullPassStats::pipelineBindCount);
    case Op::SetBindGroup: return count(&NullPassStats::bindGroupBindCount);
    case Op::SetVertexBuffer: return count(&NullPassStats::vertexBufferBindCount);
    case Op::SetIndexBuffer: return count(&NullPassStats::indexBufferBindCount);
    case Op::Draw:
        count(&NullPassStats::drawCount);
        return countDraw(view.record<DrawCmd>().vertexCount, view.record<DrawCmd>().instanceCount);
    case Op::DrawIndexed:
        count(&NullPassStats::drawCount);
        return countDraw(view.record<DrawIndexedCmd>().indexCount, view.record<DrawIndexedCmd>().instanceCount);
    case Op::DrawIndexedIndirect: count(&NullPassStats::drawCount); return indirectDraw(view.record<DrawIndexedIndirectCmd>());
    case Op::Dispatch:
    case Op::DispatchIndirect: return count(&NullPassStats::dispatchCount);
    default: return;
    }
}

} // namespace dl::gpu
