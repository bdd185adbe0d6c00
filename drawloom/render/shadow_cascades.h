// drawloom/render/shadow_cascades.h - where the shadow maps of the sun lie: a pure function of camera, sun and settings. Called
// once a frame by the renderer; usable without it.
// Splits: Zhang, Sun, Xu, Lun, "Parallel-Split Shadow Maps for Large-scale Virtual Environments", VRCIA 2006 (practical split
// scheme). Stability: Valient, "Stable Rendering of Cascaded Shadow Maps", ShaderX6, 2008 (bounding spheres, whole texels).
#pragma once

#include "drawloom/render/camera.h"

#include <array>
#include <cstdint>
#include <span>

namespace dl
{

constexpr std::uint32_t kMaxCascadeCount = kMaxCascades;
constexpr std::uint32_t kMinShadowResolution = 64, kMaxShadowResolution = 8192;

/// Shadows of the sun. Values out of their range are brought into it.
struct ShadowSettings
{
    bool isEnabled = true;
    std::uint32_t cascadeCount = 3;        ///< 1..kMaxCascadeCount
    std::uint32_t resolutionTexels = 2048; ///< of each cascade's square map; a map takes 4 bytes a texel
    /// Shadows end here, along the camera's view direction. 0: the camera's far plane, or 150 m if that is farther away.
    float distanceMetres = 0.0f;
    /// What lies up to this far towards the sun from a cascade still casts into it. 0: twice the shadow distance.
    float casterDistanceMetres = 0.0f;
    float splitBlend = 0.8f;         ///< 0: cascades of equal length; 1: each as many times longer than the one before
    float softnessTexels = 1.0f;     ///< radius of the filter, 0..2 texels of the cascade
    float normalOffsetTexels = 2.0f; ///< receivers are moved that far along their normal (times the sine to the sun), 0..4
    bool isStable = true;            ///< false: maps follow the camera in fractions of texels and shimmer; for comparison
};

/// One map: an orthographic view of a sphere around a part of the camera's frustum.
struct ShadowCascade
{
    mat4 viewProjection = mat4(1.0f); ///< frame-origin-relative -> clip, reversed depth
    mat4 textureMatrix = mat4(1.0f);  ///< frame-origin-relative -> (u, v, reversed depth + bias, 1)
    vec3 eye = vec3(0.0f);            ///< where depth is 1
    vec3 centre = vec3(0.0f);         ///< of the map, in the sphere's depth; frame-origin-relative
    float nearDistance = 0.0f;        ///< along the camera's view direction, metres; overlaps the cascade before
    float farDistance = 0.0f;
    float radius = 0.0f;      ///< of the sphere
    float texelMetres = 0.0f; ///< edge of a texel
    float depthMetres = 0.0f; ///< from depth 1 to depth 0
};

struct ShadowCascades
{
    std::uint32_t count = 0; ///< 0: no shadows
    std::uint32_t resolutionTexels = 0;
    vec3 lightForward = vec3(0, -1, 0); ///< unit, the way the sun shines
    std::array<ShadowCascade, kMaxCascadeCount> cascades;

    std::span<const ShadowCascade> all() const { return std::span(cascades).first(count); }
};

/// Part of each cascade, at its far end, over which it blends into the next one; the last one fades out there.
constexpr float kCascadeBlend = 0.1f;

/// `towardsSun` need not be unit. Under any motion of the camera that leaves its lens and the settings as they are, a cascade
/// keeps its size and moves by whole texels of a grid that is fixed in the world (exact across cells and far from the world's
/// origin); a sun that turns moves the grid. No cascades when the settings disable them, the sun or the lens are degenerate, or
/// the distance ends before the near plane. Allocates nothing.
ShadowCascades fitShadowCascades(const RenderCamera& camera, float aspect, vec3 towardsSun, const ShadowSettings& settings);

/// Sets the two distances so that all of a scene takes shadows and casts them: for programs that know what they show. `bounds` in
/// metres from the world's origin. Leaves them as they are where the box is empty or behind the camera.
void fitShadowDistances(ShadowSettings& settings, const RenderCamera& camera, const Aabb& bounds);

/// Distances that end the cascades; `splits` has one entry a cascade, the last is `zFar`. 0 < zNear < zFar.
void practicalSplits(double zNear, double zFar, double blend, std::span<double> splits);

} // namespace dl
