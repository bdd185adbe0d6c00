// drawloom/cull/lod.h - level-of-detail choice by distance or size on screen. Called per instance and view group.
#pragma once

#include "drawloom/core/maths.h"

#include <cstdint>
#include <span>

namespace dl::cull
{

/// Where one representation is shown: distances, in metres, from the eye to a reference point that all representations of
/// one thing share. It fades in over [min, min + fade] and out over [max, max + fade]; what ends at a distance and what
/// begins there agree exactly, without knowing of each other: their weights sum to 1.
struct LodRange
{
    vec3 referencePoint = vec3(0.0f);
    float minDistance = 0.0f; ///< 0: from the eye on, no fade-in
    float maxDistance = 3.4e38f;
    float fadeDistance = 0.0f; ///< 0: switches at once, the far side owning the edge
};

/// 1 fully shown, 0 hidden, between them fading.
float lodWeight(const LodRange& range, float distance);
float lodWeight(const LodRange& range, vec3 eye);

constexpr std::uint32_t kNoLod = UINT32_MAX;
struct LodSelection
{
    std::uint32_t lod = kNoLod; ///< kNoLod: beyond the last
    float fade = 0.0f;          ///< > 0: the share of the next LOD (or of nothing, behind the last) that shows already
};

/// maxDistances ascend, one per LOD; LOD i is shown from maxDistances[i - 1] to maxDistances[i].
LodSelection selectLod(std::span<const float> maxDistances, float fadeDistance, float distance);
/// minScreenSizes descend, one per LOD: the first LOD whose size the object reaches, the threshold included; kNoLod if it is
/// smaller than the last. There is no hysteresis: the choice is a function of this frame alone, so that a frame can be drawn
/// again and gives the same bytes. A NaN gives LOD 0.
LodSelection selectLodBySize(std::span<const float> minScreenSizes, float screenSize);

/// Diameter of a sphere over the height of the picture, both at the distance of the sphere's centre. `lodScale` is
/// 1 / tan(yFov / 2). It does not change when the camera turns on the spot. Infinite from inside the sphere, so that the
/// finest LOD is taken there.
float screenSize(float radius, float distance, float lodScale);
/// For orthographic views: `lodScale` is 1 / half the height that the view shows, metres.
float orthographicScreenSize(float radius, float lodScale);

} // namespace dl::cull
