// apps/cli/camera_choice.h - turns camera options and what is in the scene into the frame's camera.
#pragma once

#include "apps/cli/render_options.h"
#include "drawloom/core/result.h"
#include "drawloom/render/camera.h"
#include "drawloom/scene/scene_instance.h"

#include <span>

namespace dl::cli
{

/// Without options: the first input's own camera that has one (a composition's `camera`), else a view that fits the scene.
/// Cameras of glTF files, placed or not, are used only by name. NotFound: no camera of that name; the message lists those that are there.
Result<RenderCamera> chooseCamera(
    const CameraOptions& options, std::span<const PlacedCamera> cameras, const Aabb& bounds, std::uint32_t width, std::uint32_t height);

} // namespace dl::cli
