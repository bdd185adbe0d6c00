// drawloom/render/shadow_pass.h - the shadow maps of the sun in a frame: their views, the mesh pass that fills them, the passes
// "shadow0" to "shadow3" of the graph, and the numbers that shaders/shadow.wgsl reads. Used by the renderer.
//
// What casts: opaque batches by their positions, from both sides whatever their material says (an open roof keeps the sun out);
// masked ones by their alpha; blended ones where their alpha reaches their alphaCutoff (0.5 unless the file says otherwise), so
// that blended foliage casts its shape and clear glass casts nothing. Not what carries BatchFlag::NoShadow.
#pragma once

#include "drawloom/render/frame_board.h"
#include "drawloom/render/shadow_cascades.h"

#include <span>
#include <string_view>

namespace dl
{

/// Registers the mesh pass "shadow"; it costs pipelines, so this is done when shadows are first drawn.
Result<MeshPassId> addShadowMeshPass(DrawLibrary& library);

/// The view of a cascade; joins the camera's group, so that both draw the same LODs.
View shadowView(const ShadowCascades& cascades, std::uint32_t cascade, std::uint32_t layerMask);

/// What LightUniforms takes.
ShadowInputs shadowInputs(const ShadowCascades& cascades, const ShadowSettings& settings);

/// Draws each cascade into a layer of board.lightingTextures.shadowMap. The cascades' views follow each other in the view set
/// from `firstView`.
void declareShadowPasses(FrameBoard& board, MeshPassId meshPass, const ShadowCascades& cascades, std::uint32_t firstView);

/// Cascade of a pass that declareShadowPasses named; kMaxCascadeCount for any other name.
std::uint32_t cascadeOfPass(std::string_view name);

} // namespace dl
