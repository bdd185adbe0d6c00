// drawloom/render/detail/frame_views.h - the views of one frame: the main camera first, then the sun's shadow cascades. Filled by
// the renderer before it culls.
#pragma once

#include "drawloom/draw/view.h"
#include "drawloom/render/renderer.h"
#include "drawloom/render/shadow_cascades.h"

#include <array>

namespace dl
{

/// Unit; straight up where the settings have no direction.
vec3 towardsSun(const SunSettings& sun);

struct FrameViews
{
    static constexpr std::uint32_t kFirstCascade = 1;
    static constexpr std::uint32_t kMaxCount = kFirstCascade + kMaxCascadeCount;

    ShadowCascades cascades;
    std::array<View, kMaxCount> views;
    std::array<std::uint32_t, kMaxCount> uniformOffsets = {};
    ViewGroup group;
    WorldPosition origin;

    std::uint32_t count() const { return kFirstCascade + cascades.count; }
    /// Refers to this object.
    ViewSet set() const { return {.views = std::span(views).first(count()), .groups = std::span(&group, 1), .frameOrigin = origin}; }
};

} // namespace dl
