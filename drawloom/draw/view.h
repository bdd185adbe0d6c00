// drawloom/draw/view.h - what a frame looks through: up to 64 views in groups that share their choice of LOD.
#pragma once

#include "drawloom/core/maths.h"
#include "drawloom/resource/cell_table.h"
#include "drawloom/resource/gpu_structs.h"

#include <cstdint>
#include <span>

namespace dl
{

constexpr std::uint32_t kMaxViewCount = kMaxViews; ///< one bit each in VisibleRun::viewMask

enum class ViewKind : std::uint8_t
{
    Camera,
    Prepass,
    Shadow,
    Picking,
    Outline,
};

/// A set of view kinds.
struct ViewKinds
{
    std::uint8_t bits = 0;
    constexpr ViewKinds() = default;
    constexpr ViewKinds(ViewKind kind) : bits(static_cast<std::uint8_t>(1U << static_cast<unsigned>(kind))) {}
    static constexpr ViewKinds all()
    {
        ViewKinds every;
        every.bits = 0xFF;
        return every;
    }
    constexpr ViewKinds operator|(ViewKinds other) const
    {
        ViewKinds both;
        both.bits = static_cast<std::uint8_t>(bits | other.bits);
        return both;
    }
    constexpr bool contains(ViewKind kind) const { return ((bits >> static_cast<unsigned>(kind)) & 1U) != 0; }
};
constexpr ViewKinds operator|(ViewKind a, ViewKind b)
{
    return ViewKinds(a) | ViewKinds(b);
}

/// Positions are relative to the frame's origin (normally the main camera), metres.
struct View
{
    ViewKind kind = ViewKind::Camera;
    std::uint32_t groupIndex = 0;     ///< into ViewSet::groups
    std::uint32_t layerMask = 0xFFFF; ///< an instance is seen when it shares a bit (16 layers)
    mat4 viewProjection = mat4(1.0f); ///< frame-origin-relative -> clip, reversed depth 0..1
    vec3 eye = vec3(0.0f);            ///< depth of a sort key = dot(forward, centre - eye)
    vec3 forward = vec3(0, 0, -1);    ///< unit
};

/// Views that draw the same LODs: shadows of a camera follow the camera's choice.
struct ViewGroup
{
    vec3 lodEye = vec3(0.0f);    ///< the main camera, relative to the frame's origin
    float lodScale = 1.0f;       ///< 1 / tan(yFov / 2); orthographic: 1 / half height
    bool isOrthographic = false; ///< size does not fall with distance
};

/// Origin of `cell` relative to `origin`, metres. Exact in double before it is rounded.
inline vec3 cellOriginRelativeTo(const i32vec3& cell, const WorldPosition& origin)
{
    const auto axis = [](std::int32_t a, std::int32_t b, float offset)
    { return static_cast<float>((static_cast<double>(a) - b) * static_cast<double>(kCellSizeMetres) - static_cast<double>(offset)); };
    return vec3(axis(cell.x, origin.cell.x, origin.offset.x), axis(cell.y, origin.cell.y, origin.offset.y),
        axis(cell.z, origin.cell.z, origin.offset.z));
}

/// All views of one frame. views.size() <= kMaxViewCount; bit i of a view mask is views[i].
struct ViewSet
{
    std::span<const View> views;
    std::span<const ViewGroup> groups;
    WorldPosition frameOrigin; ///< normally the main camera
};

} // namespace dl
