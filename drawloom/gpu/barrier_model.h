// drawloom/gpu/barrier_model.h - the one statement of how resources change hands between commands. The render graph and
// everyone who writes streams declares barriers by it, the Vulkan backend translates it, the web player skips it, the
// validation device proves streams against it.
//
// STATE. A buffer as a whole, and each (mip, layer) of a texture (a D3 texture has the layer 0 only, for all its depth),
// is at every point of the stream in one state: a set of accesses. New objects are in None. A barrier sets the state to
// its `after`. States follow the order of submissions: submit is no barrier and resets nothing, and neither is waitIdle.
//
// LEGAL STATES (`before` and `after` of every barrier; `after` is never None):
//   buffers   any union of IndirectRead IndexRead VertexRead UniformRead StorageRead CopyRead,
//             or exactly one of StorageWrite, CopyWrite
//   textures  exactly one of SampledRead, CopyRead, StorageRead, StorageWrite, ColorWrite, DepthRead, DepthWrite, CopyWrite,
//             or DepthRead|SampledRead (a read-only depth attachment that shaders of the same pass sample)
//
// USES. Each command or pass uses resources by these accesses:
//   writeBuffer, clearBuffer, resolveQueries target, copy target, writeTexture       CopyWrite
//   copy source, readbackBuffer                                                      CopyRead
//   setVertexBuffer / setIndexBuffer / indirect arguments (at the draw or dispatch)  VertexRead / IndexRead / IndirectRead
//   binding UniformBuffer / ReadOnlyStorageBuffer / StorageBuffer                    UniformRead / StorageRead / StorageWrite
//   binding SampledTexture, UnfilterableTexture, UintTexture, DepthTexture           SampledRead, every subresource of the view
//   binding StorageTexture                                                           StorageWrite
//   colour and resolve attachments, whatever their load and store operations         ColorWrite
//   depth attachment: isReadOnly / otherwise                                         DepthRead / DepthWrite
// A binding is used by each draw or dispatch while its group is set and the pipeline's layout has that group.
//
// RULES
//   1. A use must be an element of the state. There is no implied access: StorageRead is not in {StorageWrite}.
//   2. Exception: a *buffer* in None takes its first use, of any kind, without a barrier; that access becomes its state
//      (so the first writeBuffer into a fresh buffer needs nothing before it). Textures always need None -> state, for
//      the layout.
//   3. A read state lasts for any number of uses. A write state lasts for
//        StorageWrite, ColorWrite, DepthWrite: one pass (all its draws or dispatches; those are not ordered among each
//          other as far as storage goes: writes must be disjoint or atomic, and nobody reads what another one wrote);
//        CopyWrite: any number of copies that touch disjoint bytes or texels.
//      Another pass, or an overlapping copy, needs a barrier again, with before == after (ColorWrite -> ColorWrite when
//      two passes draw into one target, with load = Load or with Clear alike).
//   4. Read -> read. Buffers: a barrier is needed only if the new access is not in the state; best declare the union of
//      all coming reads at once (CopyWrite -> VertexRead|IndexRead). If a barrier is needed later (VertexRead ->
//      VertexRead|StorageRead) it is legal. Textures: SampledRead, CopyRead, StorageRead and DepthRead are different
//      layouts, and a change of layout is a barrier; SampledRead -> DepthRead|SampledRead as well.
//   5. Uploads are no exception: writeBuffer and writeTexture are copies, ordered as they stand in the stream.
//      VertexRead -> CopyWrite, writeBuffer, CopyWrite -> VertexRead.
//   6. `before` must cover the state: buffers: state is a subset of before (so a fixed `before` of all reads that a
//      buffer ever serves is fine, also while it is still in None). Textures: before == state.
//   7. before = None, at any time: the content is discarded and the barrier waits for every earlier use of the range,
//      whatever it was (and, for memory that several resources share, of the range's memory). This is how a transient
//      starts its life in a frame. Content is undefined until something writes it: reading it, or loading it as an
//      attachment, is an error. storeOp Discard makes content undefined as well, the state stays.
//   8. Barriers stand outside passes. The barriers of one Barriers command are one step: their ranges do not overlap.
//   9. Reading before and after the same set (read -> same read) does nothing; validation warns.
//
// WHAT A BACKEND OWES for {before, after}: an execution dependency from the stages of `before` to those of `after`;
// memory written under `before` (when it is a write) made available and visible to `after`; a layout change
// layoutOf(before) -> layoutOf(after). None: stages = all commands, layout undefined. For read -> write only execution;
// for read -> read (buffers) visibility of the last write to the new readers, which a chain of barriers gives.
#pragma once

#include "drawloom/gpu/types.h"

namespace dl::gpu
{

/// The memory layout that a texture state implies; names after Vulkan's image layouts.
enum class TextureLayout : std::uint8_t
{
    Undefined,       ///< None
    ShaderReadOnly,  ///< SampledRead
    DepthReadOnly,   ///< DepthRead, DepthRead|SampledRead
    CopySource,      ///< CopyRead
    CopyTarget,      ///< CopyWrite
    ColorAttachment, ///< ColorWrite
    DepthAttachment, ///< DepthWrite
    General,         ///< StorageRead, StorageWrite
};

constexpr AccessFlags kBufferReadAccesses =
    Access::IndirectRead | Access::IndexRead | Access::VertexRead | Access::UniformRead | Access::StorageRead | Access::CopyRead;

constexpr bool isWriteState(AccessFlags state)
{
    return state.intersects(kWriteAccesses);
}

constexpr bool isLegalBufferState(AccessFlags state)
{
    if (!isWriteState(state))
        return kBufferReadAccesses.contains(state);
    return state == AccessFlags(Access::StorageWrite) || state == AccessFlags(Access::CopyWrite);
}

constexpr bool isLegalTextureState(AccessFlags state)
{
    if (state == (Access::DepthRead | Access::SampledRead))
        return true;
    const bool hasOneBitAtMost = (state.bits & (state.bits - 1U)) == 0;
    const AccessFlags textureAccesses = Access::SampledRead | Access::CopyRead | Access::StorageRead | Access::DepthRead | kWriteAccesses;
    return hasOneBitAtMost && textureAccesses.contains(state);
}

/// Of a legal texture state.
constexpr TextureLayout layoutOf(AccessFlags state)
{
    if (state.contains(Access::DepthRead) && state)
        return TextureLayout::DepthReadOnly;
    switch (static_cast<Access>(state.bits))
    {
    case Access::SampledRead: return TextureLayout::ShaderReadOnly;
    case Access::CopyRead: return TextureLayout::CopySource;
    case Access::CopyWrite: return TextureLayout::CopyTarget;
    case Access::ColorWrite: return TextureLayout::ColorAttachment;
    case Access::DepthWrite: return TextureLayout::DepthAttachment;
    case Access::StorageRead:
    case Access::StorageWrite: return TextureLayout::General;
    default: return TextureLayout::Undefined;
    }
}

/// Rule 6: may a barrier with this `before` be declared on a range in `state`?
constexpr bool coversBufferState(AccessFlags before, AccessFlags state)
{
    return before == AccessFlags() || before.contains(state);
}
constexpr bool coversTextureState(AccessFlags before, AccessFlags state)
{
    return before == AccessFlags() || before == state;
}

} // namespace dl::gpu
