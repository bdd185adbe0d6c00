// drawloom/render/offscreen.h - draws scenes to pictures in a native program: waits for uploads, pipelines and the GPU. Used
// by the command-line program, golden tests and samples; a windowed program calls the renderer itself.
#pragma once

#include "drawloom/asset/image.h"
#include "drawloom/render/renderer.h"
#include "drawloom/scene/scene_instance.h"

#include <optional>
#include <span>

namespace dl
{

/// One frame: begins it, poses the scenes at frame.timeSeconds, renders; their lights light it, unless frame.lightScenes names
/// others. Does not wait.
Result<void> drawScenes(Renderer& renderer, std::span<SceneInstance* const> scenes, const FrameDesc& frame);

/// Draws until every pipeline and every upload has arrived. `onFrame` (may be null) is called before each frame.
/// OutOfBudget: the uploads never finish.
Result<void> settleScenes(Renderer& renderer, std::span<SceneInstance* const> scenes, const FrameDesc& frame,
    void (*onFrame)(void* context) = nullptr, void* context = nullptr);

struct OffscreenPicture
{
    Image picture;                        ///< RGBA8, sRGB encoded, alpha 1
    std::vector<std::uint32_t> objectIds; ///< heap id + 1 by texel, 0 where nothing was drawn; empty unless asked for
};

/// Settles, draws once more and waits for the result.
Result<OffscreenPicture> renderOffscreen(
    Renderer& renderer, std::span<SceneInstance* const> scenes, FrameDesc frame, bool wantsObjectIds = false);

/// A camera of a file as the frame's camera.
RenderCamera toRenderCamera(const PlacedCamera& placed);

/// The first directional light of the scenes as they are posed; a black one if they have other lights only, for then their author
/// lit them; none if they have no light: leave FrameDesc's default.
std::optional<SunSettings> firstSun(std::span<SceneInstance* const> scenes);

} // namespace dl
