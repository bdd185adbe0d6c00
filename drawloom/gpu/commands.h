// drawloom/gpu/commands.h - the operations of a command stream, as plain records. A stream is a sequence of
// {CommandHeader, record, trailing arrays and bytes}, each padded to 8 bytes; all ids by value, no pointers, little
// endian. Written by CommandStream, read by CommandReader, played by the backends, stored by captures.
#pragma once

#include "drawloom/gpu/types.h"

#include <cstdint>
#include <type_traits>

namespace dl::gpu
{

enum class Op : std::uint16_t
{
    WriteBuffer,          ///< outside passes
    WriteTexture,         ///< outside passes
    CopyBufferToBuffer,   ///< outside passes
    CopyBufferToTexture,  ///< outside passes
    CopyTextureToBuffer,  ///< outside passes
    CopyTextureToTexture, ///< outside passes
    ClearBuffer,          ///< outside passes
    ResolveQueries,       ///< outside passes
    ReadbackBuffer,       ///< outside passes; answered by a Readback completion
    Barriers,             ///< outside passes
    BeginRenderPass,
    EndRenderPass,
    BeginComputePass,
    EndComputePass,
    SetPipeline,
    SetBindGroup,
    SetVertexBuffer,
    SetIndexBuffer,
    SetViewport,
    SetScissor,
    Draw,
    DrawIndexed,
    DrawIndexedIndirect, ///< one or, with MultiDrawIndirect, many
    Dispatch,
    DispatchIndirect,
    PushDebugGroup,
    PopDebugGroup,
};

constexpr std::uint32_t kOpCount = static_cast<std::uint32_t>(Op::PopDebugGroup) + 1;
constexpr std::uint32_t kMaxColorAttachments = 8;
constexpr std::uint32_t kMaxDynamicOffsets = 16;      ///< of one bind group
constexpr std::uint32_t kMaxCommandBytes = 1U << 30U; ///< of one command; larger uploads are split

/// Reserved fields and padding are zero: a stream has one spelling.
struct CommandHeader
{
    Op op = Op::Draw;
    std::uint16_t reserved = 0;
    std::uint32_t bytes = 0; ///< of the whole command, this header included, multiple of 8
};
static_assert(sizeof(CommandHeader) == 8);

struct TextureRegion
{
    TextureId texture;
    std::uint32_t mip = 0;
    std::uint32_t x = 0, y = 0, layerOrZ = 0;
    std::uint32_t width = 0, height = 0, layersOrDepth = 1; ///< texels; block-aligned but at the mip's edge
    std::uint32_t reserved = 0;
};

/// Followed by `dataBytes` bytes. Multiples of 4.
struct WriteBufferCmd
{
    BufferId buffer;
    std::uint64_t offset = 0;
    std::uint32_t dataBytes = 0;
    std::uint32_t reserved = 0;
};
/// Followed by `dataBytes` bytes: rows of blocks at `bytesPerRow`, layers of `rowsPerLayer` block rows.
struct WriteTextureCmd
{
    TextureRegion region;
    std::uint32_t bytesPerRow = 0, rowsPerLayer = 0, dataBytes = 0, reserved = 0;
};
struct CopyBufferToBufferCmd
{
    BufferId source;
    BufferId target;
    std::uint64_t sourceOffset = 0, targetOffset = 0, bytes = 0;
};
/// bytesPerRow: multiple of 256, as WebGPU asks.
struct CopyBufferTextureCmd
{
    TextureRegion region;
    BufferId buffer;
    std::uint64_t offset = 0;
    std::uint32_t bytesPerRow = 0, rowsPerLayer = 0;
};
struct CopyTextureToTextureCmd
{
    TextureRegion source;
    TextureRegion target;
};
struct ClearBufferCmd
{
    BufferId buffer;
    std::uint64_t offset = 0, bytes = 0;
};
struct ResolveQueriesCmd
{
    QuerySetId querySet;
    std::uint32_t first = 0, count = 0;
    BufferId target;
    std::uint64_t targetOffset = 0;
};
struct ReadbackBufferCmd
{
    BufferId buffer;
    std::uint64_t offset = 0, bytes = 0, token = 0;
};

/// Everything before that used the range as `before` happens before everything after that uses it as `after`.
/// Textures: also the layout change; before = None discards the content. The rules: gpu/barrier_model.h.
struct TextureBarrier
{
    TextureId texture;
    std::uint32_t baseMip = 0, mipCount = 1, baseLayer = 0, layerCount = 1;
    AccessFlags before, after;
};
struct BufferBarrier
{
    BufferId buffer;
    AccessFlags before, after;
};
/// Followed by textureCount TextureBarriers, then bufferCount BufferBarriers. The web player skips it.
struct BarriersCmd
{
    std::uint32_t textureCount = 0, bufferCount = 0;
};

struct ColorAttachment
{
    TextureViewId view;
    TextureViewId resolveView; ///< none: not resolved
    LoadOp load = LoadOp::Clear;
    StoreOp store = StoreOp::Store;
    std::uint16_t reserved = 0;
    std::uint32_t reserved2 = 0;
    float clear[4] = {0, 0, 0, 0}; ///< of integer formats: converted
};
struct DepthAttachment
{
    TextureViewId view; ///< none: no depth
    LoadOp load = LoadOp::Clear;
    StoreOp store = StoreOp::Store;
    std::uint8_t isReadOnly = 0;
    std::uint8_t reserved = 0;
    float clear = 0.0f; ///< reversed depth: 0 is far
};
/// Followed by colorCount ColorAttachments and labelBytes characters. Timestamps go to `querySet` unless it is none.
struct BeginRenderPassCmd
{
    std::uint32_t width = 0, height = 0;
    std::uint32_t colorCount = 0, labelBytes = 0;
    DepthAttachment depth;
    QuerySetId querySet;
    std::uint32_t beginQuery = 0, endQuery = 0;
};
struct BeginComputePassCmd
{
    QuerySetId querySet;
    std::uint32_t beginQuery = 0, endQuery = 0;
    std::uint32_t labelBytes = 0, reserved = 0;
};
struct SetPipelineCmd
{
    PipelineId pipeline;
};
/// Followed by offsetCount 32-bit dynamic offsets.
struct SetBindGroupCmd
{
    std::uint32_t group = 0, offsetCount = 0;
    BindGroupId bindGroup;
};
struct SetVertexBufferCmd
{
    std::uint32_t slot = 0, reserved = 0;
    BufferId buffer;
    std::uint64_t offset = 0;
};
struct SetIndexBufferCmd
{
    BufferId buffer;
    std::uint64_t offset = 0;
    IndexFormat format = IndexFormat::Uint32;
    std::uint8_t reserved[7] = {};
};
/// y down from the top-left corner; depth 0..1.
struct SetViewportCmd
{
    float x = 0, y = 0, width = 0, height = 0, minDepth = 0, maxDepth = 1;
};
struct SetScissorCmd
{
    std::uint32_t x = 0, y = 0, width = 0, height = 0;
};
struct DrawCmd
{
    std::uint32_t vertexCount = 0, instanceCount = 1, firstVertex = 0, firstInstance = 0;
};
struct DrawIndexedCmd
{
    std::uint32_t indexCount = 0, instanceCount = 1, firstIndex = 0;
    std::int32_t baseVertex = 0;
    std::uint32_t firstInstance = 0, reserved = 0;
};
/// The buffer holds {indexCount, instanceCount, firstIndex, baseVertex, firstInstance} x drawCount, 20 bytes each.
struct DrawIndexedIndirectCmd
{
    BufferId buffer;
    std::uint64_t offset = 0;
    std::uint32_t drawCount = 1, reserved = 0;
};
struct DispatchCmd
{
    std::uint32_t x = 1, y = 1, z = 1, reserved = 0;
};
struct DispatchIndirectCmd
{
    BufferId buffer;
    std::uint64_t offset = 0;
};
struct PushDebugGroupCmd
{
    std::uint32_t labelBytes = 0, reserved = 0;
};

/// Streams are compared, hashed and stored: no record may carry padding. Those with floats are held by their size.
template <class... T> inline constexpr bool kHaveNoPadding =
    (... && (std::is_trivially_copyable_v<T> && std::has_unique_object_representations_v<T>));
static_assert(kHaveNoPadding<CommandHeader, TextureRegion, WriteBufferCmd, WriteTextureCmd, CopyBufferToBufferCmd, CopyBufferTextureCmd,
    CopyTextureToTextureCmd, ClearBufferCmd, ResolveQueriesCmd, ReadbackBufferCmd, TextureBarrier, BufferBarrier, BarriersCmd>);
static_assert(kHaveNoPadding<BeginComputePassCmd, SetPipelineCmd, SetBindGroupCmd, SetVertexBufferCmd, SetIndexBufferCmd, SetScissorCmd,
    DrawCmd, DrawIndexedCmd, DrawIndexedIndirectCmd, DispatchCmd, DispatchIndirectCmd, PushDebugGroupCmd>);
static_assert(sizeof(ColorAttachment) == 2 * 8 + 8 + 4 * 4 && sizeof(DepthAttachment) == 8 + 4 + 4);
static_assert(sizeof(BeginRenderPassCmd) == 4 * 4 + sizeof(DepthAttachment) + 8 + 2 * 4 && sizeof(SetViewportCmd) == 6 * 4);

} // namespace dl::gpu
