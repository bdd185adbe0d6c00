// drawloom/render/standard_passes.h - the mesh passes of the standard frame: what each draws, with which shader and state.
// Nothing here that a user's own pass could not say the same way (docs/extending/mesh_pass.md).
#pragma once

#include "drawloom/draw/draw_library.h"

namespace dl
{

constexpr gpu::Format kHdrFormat = gpu::Format::RGBA16Float;
constexpr gpu::Format kDepthFormat = gpu::Format::Depth32Float;
constexpr gpu::Format kPictureFormat = gpu::Format::RGBA8UnormSrgb;
constexpr gpu::Format kObjectIdFormat = gpu::Format::R32Uint;

/// In the order in which the frame runs them.
struct StandardPasses
{
    MeshPassId depth;   ///< opaque by position alone, masked with UV and alpha
    MeshPassId opaque;  ///< depth test Equal: lights each visible pixel once
    MeshPassId masked;  ///< the same for alpha-masked materials
    MeshPassId blended; ///< back to front, premultiplied
};
/// `lighting`: Lighting::layout, group 1 of the lit ones. `sampleCount`: of the frame's colour and depth; with 4 samples the depth
/// pass turns the alpha of masked materials into coverage.
Result<StandardPasses> addStandardPasses(DrawLibrary& library, gpu::BindGroupLayoutId lighting, std::uint32_t sampleCount = 1);

// Passes that most frames do not have; each costs pipelines, so they are registered when first asked for.

// They draw single samples, whatever the frame's sample count.

/// Heap id + 1 of what is nearest, blended surfaces included.
Result<MeshPassId> addObjectIdPass(DrawLibrary& library);
/// Normals, albedo, batches.
Result<MeshPassId> addDebugPass(DrawLibrary& library);
/// Every fragment counts, additive.
Result<MeshPassId> addOverdrawPass(DrawLibrary& library);

} // namespace dl
