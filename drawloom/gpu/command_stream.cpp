// drawloom/gpu/command_stream.cpp - appends records; every byte of a command is written or zero.
#include "drawloom/gpu/command_stream.h"

#include <cstring>

namespace dl::gpu
{
namespace
{

constexpr std::size_t alignTo8(std::size_t bytes)
{
    return (bytes + 7) & ~std::size_t(7);
}

template <class T> std::byte* put(std::byte* at, const T& record)
{
    static_assert(std::is_trivially_copyable_v<T>);
    std::memcpy(at, &record, sizeof(T));
    return at + sizeof(T);
}

std::byte* putBytes(std::byte* at, const void* data, std::size_t bytes)
{
    if (bytes != 0)
        std::memcpy(at, data, bytes);
    return at + bytes;
}

std::uint32_t count32(std::size_t count)
{
    DL_ASSERT(count <= kMaxCommandBytes, "more elements than a command can carry");
    return static_cast<std::uint32_t>(count);
}

} // namespace

std::byte* CommandStream::grow(Op op, std::size_t payloadBytes)
{
    const std::size_t bytes = alignTo8(sizeof(CommandHeader) + payloadBytes);
    DL_ASSERT(bytes <= kMaxCommandBytes, "command larger than kMaxCommandBytes: split the upload");
    const std::size_t offset = m_bytes.size();
    m_bytes.resize(offset + bytes);
    return put(m_bytes.data() + offset, CommandHeader{.op = op, .bytes = static_cast<std::uint32_t>(bytes)});
}

void CommandStream::append(const CommandStream& other)
{
    const std::size_t offset = m_bytes.size();
    const std::size_t bytes = other.m_bytes.size();
    m_bytes.resize(offset + bytes);
    putBytes(m_bytes.data() + offset, other.m_bytes.data(), bytes);
}

std::span<std::byte> CommandStream::writeBuffer(BufferId buffer, std::uint64_t offset, std::uint32_t dataBytes)
{
    const WriteBufferCmd cmd{.buffer = buffer, .offset = offset, .dataBytes = dataBytes};
    return {put(grow(Op::WriteBuffer, sizeof(cmd) + dataBytes), cmd), dataBytes};
}

void CommandStream::writeBuffer(BufferId buffer, std::uint64_t offset, std::span<const std::byte> data)
{
    putBytes(writeBuffer(buffer, offset, count32(data.size())).data(), data.data(), data.size());
}

std::span<std::byte> CommandStream::writeTexture(
    const TextureRegion& region, std::uint32_t bytesPerRow, std::uint32_t rowsPerLayer, std::uint32_t dataBytes)
{
    const WriteTextureCmd cmd{.region = region, .bytesPerRow = bytesPerRow, .rowsPerLayer = rowsPerLayer, .dataBytes = dataBytes};
    return {put(grow(Op::WriteTexture, sizeof(cmd) + dataBytes), cmd), dataBytes};
}

void CommandStream::writeTexture(
    const TextureRegion& region, std::uint32_t bytesPerRow, std::uint32_t rowsPerLayer, std::span<const std::byte> data)
{
    putBytes(writeTexture(region, bytesPerRow, rowsPerLayer, count32(data.size())).data(), data.data(), data.size());
}

void CommandStream::copyBufferToBuffer(const CopyBufferToBufferCmd& cmd)
{
    put(grow(Op::CopyBufferToBuffer, sizeof(cmd)), cmd);
}

void CommandStream::copyBufferToTexture(const CopyBufferTextureCmd& cmd)
{
    put(grow(Op::CopyBufferToTexture, sizeof(cmd)), cmd);
}

void CommandStream::copyTextureToBuffer(const CopyBufferTextureCmd& cmd)
{
    put(grow(Op::CopyTextureToBuffer, sizeof(cmd)), cmd);
}

void CommandStream::copyTextureToTexture(const CopyTextureToTextureCmd& cmd)
{
    put(grow(Op::CopyTextureToTexture, sizeof(cmd)), cmd);
}

void CommandStream::clearBuffer(BufferId buffer, std::uint64_t offset, std::uint64_t bytes)
{
    put(grow(Op::ClearBuffer, sizeof(ClearBufferCmd)), ClearBufferCmd{.buffer = buffer, .offset = offset, .bytes = bytes});
}

void CommandStream::resolveQueries(const ResolveQueriesCmd& cmd)
{
    put(grow(Op::ResolveQueries, sizeof(cmd)), cmd);
}

void CommandStream::readbackBuffer(BufferId buffer, std::uint64_t offset, std::uint64_t bytes, std::uint64_t token)
{
    const ReadbackBufferCmd cmd{.buffer = buffer, .offset = offset, .bytes = bytes, .token = token};
    put(grow(Op::ReadbackBuffer, sizeof(cmd)), cmd);
}

void CommandStream::barriers(std::span<const TextureBarrier> textures, std::span<const BufferBarrier> buffers)
{
    if (textures.empty() && buffers.empty())
        return;
    const BarriersCmd cmd{.textureCount = count32(textures.size()), .bufferCount = count32(buffers.size())};
    std::byte* at = put(grow(Op::Barriers, sizeof(cmd) + textures.size_bytes() + buffers.size_bytes()), cmd);
    at = putBytes(at, textures.data(), textures.size_bytes());
    putBytes(at, buffers.data(), buffers.size_bytes());
}

void CommandStream::beginRenderPass(const RenderPassDesc& desc)
{
    DL_ASSERT(desc.colors.size() <= kMaxColorAttachments, "more colour attachments than kMaxColorAttachments");
    const BeginRenderPassCmd cmd{.width = desc.width,
        .height = desc.height,
        .colorCount = count32(desc.colors.size()),
        .labelBytes = count32(desc.label.size()),
        .depth = desc.depth,
        .querySet = desc.querySet,
        .beginQuery = desc.beginQuery,
        .endQuery = desc.endQuery};
    std::byte* at = put(grow(Op::BeginRenderPass, sizeof(cmd) + desc.colors.size_bytes() + desc.label.size()), cmd);
    at = putBytes(at, desc.colors.data(), desc.colors.size_bytes());
    putBytes(at, desc.label.data(), desc.label.size());
}

void CommandStream::endRenderPass()
{
    grow(Op::EndRenderPass, 0);
}

void CommandStream::beginComputePass(const ComputePassDesc& desc)
{
    const BeginComputePassCmd cmd{
        .querySet = desc.querySet, .beginQuery = desc.beginQuery, .endQuery = desc.endQuery, .labelBytes = count32(desc.label.size())};
    putBytes(put(grow(Op::BeginComputePass, sizeof(cmd) + desc.label.size()), cmd), desc.label.data(), desc.label.size());
}

void CommandStream::endComputePass()
{
    grow(Op::EndComputePass, 0);
}

void CommandStream::setPipeline(PipelineId pipeline)
{
    put(grow(Op::SetPipeline, sizeof(SetPipelineCmd)), SetPipelineCmd{.pipeline = pipeline});
}

void CommandStream::setBindGroup(std::uint32_t group, BindGroupId bindGroup, std::span<const std::uint32_t> dynamicOffsets)
{
    DL_ASSERT(dynamicOffsets.size() <= kMaxDynamicOffsets, "more dynamic offsets than kMaxDynamicOffsets");
    const SetBindGroupCmd cmd{.group = group, .offsetCount = count32(dynamicOffsets.size()), .bindGroup = bindGroup};
    putBytes(
        put(grow(Op::SetBindGroup, sizeof(cmd) + dynamicOffsets.size_bytes()), cmd), dynamicOffsets.data(), dynamicOffsets.size_bytes());
}

void CommandStream::setVertexBuffer(std::uint32_t slot, BufferId buffer, std::uint64_t offset)
{
    put(grow(Op::SetVertexBuffer, sizeof(SetVertexBufferCmd)), SetVertexBufferCmd{.slot = slot, .buffer = buffer, .offset = offset});
}

void CommandStream::setIndexBuffer(BufferId buffer, IndexFormat format, std::uint64_t offset)
{
    put(grow(Op::SetIndexBuffer, sizeof(SetIndexBufferCmd)), SetIndexBufferCmd{.buffer = buffer, .offset = offset, .format = format});
}

void CommandStream::setViewport(const SetViewportCmd& cmd)
{
    put(grow(Op::SetViewport, sizeof(cmd)), cmd);
}

void CommandStream::setScissor(const SetScissorCmd& cmd)
{
    put(grow(Op::SetScissor, sizeof(cmd)), cmd);
}

void CommandStream::draw(const DrawCmd& cmd)
{
    put(grow(Op::Draw, sizeof(cmd)), cmd);
}

void CommandStream::drawIndexed(const DrawIndexedCmd& cmd)
{
    put(grow(Op::DrawIndexed, sizeof(cmd)), cmd);
}

void CommandStream::drawIndexedIndirect(BufferId buffer, std::uint64_t offset, std::uint32_t drawCount)
{
    const DrawIndexedIndirectCmd cmd{.buffer = buffer, .offset = offset, .drawCount = drawCount};
    put(grow(Op::DrawIndexedIndirect, sizeof(cmd)), cmd);
}

void CommandStream::dispatch(std::uint32_t x, std::uint32_t y, std::uint32_t z)
{
    put(grow(Op::Dispatch, sizeof(DispatchCmd)), DispatchCmd{.x = x, .y = y, .z = z});
}

void CommandStream::dispatchIndirect(BufferId buffer, std::uint64_t offset)
{
    put(grow(Op::DispatchIndirect, sizeof(DispatchIndirectCmd)), DispatchIndirectCmd{.buffer = buffer, .offset = offset});
}

void CommandStream::pushDebugGroup(std::string_view label)
{
    const PushDebugGroupCmd cmd{.labelBytes = count32(label.size())};
    putBytes(put(grow(Op::PushDebugGroup, sizeof(cmd) + label.size()), cmd), label.data(), label.size());
}

void CommandStream::popDebugGroup()
{
    grow(Op::PopDebugGroup, 0);
}

} // namespace dl::gpu
