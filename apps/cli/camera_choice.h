// apps/cli/camera_choice.h - turns camera options and what is in the scene into the frame's camera.
#pragma once

#include "apps/cli/render_options.h"
#include "drawloom/core/result.h"
#include "drawloom/render/camera.h"
#include "drawloom/scene/scene_instance.h"

#include <span>

namespace dl::cli
{

/// NotFound: no camera of that name; the message lists those that are there.
Result<RenderCamera> chooseCamera(
    const CameraOptions& options, std::span<const PlacedCamera> cameras, const Aabb& bounds, std::uint32_t width, std::uint32_t height);

} // namespace dl::cli
