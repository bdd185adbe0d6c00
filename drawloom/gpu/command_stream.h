// drawloom/gpu/command_stream.h - writes and reads command streams. CPU only; used by graph, draw, backends, captures.
#pragma once

#include "drawloom/core/result.h"
#include "drawloom/gpu/commands.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dl::gpu
{

struct RenderPassDesc
{
    std::string_view label;
    std::uint32_t width = 0, height = 0;
    std::span<const ColorAttachment> colors;
    DepthAttachment depth;
    QuerySetId querySet;
    std::uint32_t beginQuery = 0, endQuery = 0;
};

struct ComputePassDesc
{
    std::string_view label;
    QuerySetId querySet;
    std::uint32_t beginQuery = 0, endQuery = 0;
};

/// Appends commands to a growing byte buffer; `clear` keeps the memory, so a warm stream allocates nothing.
/// Order rules (which commands inside which pass) are checked by the validation device, not here. Not thread safe.
class CommandStream
{
public:
    void clear() { m_bytes.clear(); }
    bool isEmpty() const { return m_bytes.empty(); }
    std::span<const std::byte> bytes() const { return m_bytes; }
    /// Appends a whole finished stream (streams recorded in parallel are joined in a fixed order).
    void append(const CommandStream& other);

    /// Room for `dataBytes` bytes inside the stream, to be filled before the next call.
    std::span<std::byte> writeBuffer(BufferId buffer, std::uint64_t offset, std::uint32_t dataBytes);
    void writeBuffer(BufferId buffer, std::uint64_t offset, std::span<const std::byte> data);
    std::span<std::byte> writeTexture(
        const TextureRegion& region, std::uint32_t bytesPerRow, std::uint32_t rowsPerLayer, std::uint32_t dataBytes);
    void writeTexture(const TextureRegion& region, std::uint32_t bytesPerRow, std::uint32_t rowsPerLayer, std::span<const std::byte> data);
    void copyBufferToBuffer(const CopyBufferToBufferCmd& cmd);
    void copyBufferToTexture(const CopyBufferTextureCmd& cmd);
    void copyTextureToBuffer(const CopyBufferTextureCmd& cmd);
    void copyTextureToTexture(const CopyTextureToTextureCmd& cmd);
    void clearBuffer(BufferId buffer, std::uint64_t offset, std::uint64_t bytes);
    void resolveQueries(const ResolveQueriesCmd& cmd);
    void readbackBuffer(BufferId buffer, std::uint64_t offset, std::uint64_t bytes, std::uint64_t token);
    void barriers(std::span<const TextureBarrier> textures, std::span<const BufferBarrier> buffers);

    void beginRenderPass(const RenderPassDesc& desc);
    void endRenderPass();
    void beginComputePass(const ComputePassDesc& desc);
    void endComputePass();

    void setPipeline(PipelineId pipeline);
    void setBindGroup(std::uint32_t group, BindGroupId bindGroup, std::span<const std::uint32_t> dynamicOffsets = {});
    void setVertexBuffer(std::uint32_t slot, BufferId buffer, std::uint64_t offset = 0);
    void setIndexBuffer(BufferId buffer, IndexFormat format, std::uint64_t offset = 0);
    void setViewport(const SetViewportCmd& cmd);
    void setScissor(const SetScissorCmd& cmd);
    void draw(const DrawCmd& cmd);
    void drawIndexed(const DrawIndexedCmd& cmd);
    void drawIndexedIndirect(BufferId buffer, std::uint64_t offset, std::uint32_t drawCount);
    void dispatch(std::uint32_t x, std::uint32_t y, std::uint32_t z);
    void dispatchIndirect(BufferId buffer, std::uint64_t offset);
    void pushDebugGroup(std::string_view label);
    void popDebugGroup();

private:
    std::byte* grow(Op op, std::size_t payloadBytes);
    std::vector<std::byte> m_bytes;
};

/// One command, its record copied out, its trailing data as views into the stream.
struct CommandView
{
    Op op = Op::Draw;
    std::span<const std::byte> payload; ///< the record and its trailing data, without padding

    /// The record at the payload's start; the caller asks for the type that belongs to `op`.
    template <class T> T record() const;
    /// The bytes behind a record of type T.
    template <class T> std::span<const std::byte> trailing() const { return payload.subspan(sizeof(T)); }
    /// The i-th element of an array of E that starts `offset` bytes behind a record of type T.
    template <class T, class E> E element(std::size_t i, std::size_t offset = 0) const;
};

/// Walks a stream. `next` fails with BadFile when the bytes are not a well-formed stream (captures are files): sizes,
/// counts and trailing arrays are checked against the header before a view is handed out.
class CommandReader
{
public:
    explicit CommandReader(std::span<const std::byte> stream) : m_stream(stream) {}
    bool isAtEnd() const { return m_offset == m_stream.size(); }
    std::size_t offset() const { return m_offset; }
    Result<CommandView> next();

private:
    std::span<const std::byte> m_stream;
    std::size_t m_offset = 0;
};

std::string_view toString(Op op);
/// One line per command, ids as b1 t2 v3 g4 p5 (index only), for tests and --dump-commands. Data bytes as count + hash.
std::string dumpStream(std::span<const std::byte> stream);

template <class T> T CommandView::record() const
{
    static_assert(std::is_trivially_copyable_v<T>);
    T value;
    DL_ASSERT(payload.size() >= sizeof(T), "record larger than the command");
    __builtin_memcpy(&value, payload.data(), sizeof(T));
    return value;
}

template <class T, class E> E CommandView::element(std::size_t i, std::size_t offset) const
{
    static_assert(std::is_trivially_copyable_v<E>);
    E value;
    DL_ASSERT(payload.size() >= sizeof(T) + offset + (i + 1) * sizeof(E), "element behind the command's end");
    __builtin_memcpy(&value, payload.data() + sizeof(T) + offset + i * sizeof(E), sizeof(E));
    return value;
}

} // namespace dl::gpu
