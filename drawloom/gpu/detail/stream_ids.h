// drawloom/gpu/detail/stream_ids.h - where the ids stand in each command: replays exchange them.
#pragma once

#include "drawloom/gpu/command_stream.h"

#include <cstddef>

namespace dl::gpu
{

/// Calls fn.template operator()<IdType>(offset in the payload) for each id of a command.
template <class F> void forEachId(const CommandView& view, F&& fn)
{
    switch (view.op)
    {
    case Op::WriteBuffer: return fn.template operator()<BufferId>(offsetof(WriteBufferCmd, buffer));
    case Op::WriteTexture: return fn.template operator()<TextureId>(offsetof(WriteTextureCmd, region));
    case Op::CopyBufferToBuffer:
        fn.template operator()<BufferId>(offsetof(CopyBufferToBufferCmd, source));
        return fn.template operator()<BufferId>(offsetof(CopyBufferToBufferCmd, target));
    case Op::CopyBufferToTexture:
    case Op::CopyTextureToBuffer:
        fn.template operator()<TextureId>(offsetof(CopyBufferTextureCmd, region));
        return fn.template operator()<BufferId>(offsetof(CopyBufferTextureCmd, buffer));
    case Op::CopyTextureToTexture:
        fn.template operator()<TextureId>(offsetof(CopyTextureToTextureCmd, source));
        return fn.template operator()<TextureId>(offsetof(CopyTextureToTextureCmd, target));
    case Op::ClearBuffer: return fn.template operator()<BufferId>(offsetof(ClearBufferCmd, buffer));
    case Op::ResolveQueries:
        fn.template operator()<QuerySetId>(offsetof(ResolveQueriesCmd, querySet));
        return fn.template operator()<BufferId>(offsetof(ResolveQueriesCmd, target));
    case Op::ReadbackBuffer: return fn.template operator()<BufferId>(offsetof(ReadbackBufferCmd, buffer));
    case Op::Barriers:
    {
        const auto cmd = view.record<BarriersCmd>();
        std::size_t offset = sizeof(BarriersCmd);
        for (std::uint32_t i = 0; i < cmd.textureCount; ++i, offset += sizeof(TextureBarrier))
            fn.template operator()<TextureId>(offset + offsetof(TextureBarrier, texture));
        for (std::uint32_t i = 0; i < cmd.bufferCount; ++i, offset += sizeof(BufferBarrier))
            fn.template operator()<BufferId>(offset + offsetof(BufferBarrier, buffer));
        return;
    }
    case Op::BeginRenderPass:
    {
        fn.template operator()<TextureViewId>(offsetof(BeginRenderPassCmd, depth) + offsetof(DepthAttachment, view));
        fn.template operator()<QuerySetId>(offsetof(BeginRenderPassCmd, querySet));
        const std::uint32_t colorCount = view.record<BeginRenderPassCmd>().colorCount;
        std::size_t offset = sizeof(BeginRenderPassCmd);
        for (std::uint32_t i = 0; i < colorCount; ++i, offset += sizeof(ColorAttachment))
        {
            fn.template operator()<TextureViewId>(offset + offsetof(ColorAttachment, view));
            fn.template operator()<TextureViewId>(offset + offsetof(ColorAttachment, resolveView));
        }
        return;
    }
    case Op::BeginComputePass: return fn.template operator()<QuerySetId>(offsetof(BeginComputePassCmd, querySet));
    case Op::SetPipeline: return fn.template operator()<PipelineId>(offsetof(SetPipelineCmd, pipeline));
    case Op::SetBindGroup: return fn.template operator()<BindGroupId>(offsetof(SetBindGroupCmd, bindGroup));
    case Op::SetVertexBuffer: return fn.template operator()<BufferId>(offsetof(SetVertexBufferCmd, buffer));
    case Op::SetIndexBuffer: return fn.template operator()<BufferId>(offsetof(SetIndexBufferCmd, buffer));
    case Op::DrawIndexedIndirect: return fn.template operator()<BufferId>(offsetof(DrawIndexedIndirectCmd, buffer));
    case Op::DispatchIndirect: return fn.template operator()<BufferId>(offsetof(DispatchIndirectCmd, buffer));
    default: return;
    }
}

} // namespace dl::gpu
