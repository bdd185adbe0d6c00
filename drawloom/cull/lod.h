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
/// minScreenSizes descend, one per LOD: the first LOD whose size the object reaches; kNoLod if it is smaller than the last.
LodSelection selectLodBySize(std::span<const float> minScreenSizes, float screenSize);

/// Diameter of a sphere over the view's height, for a perspective of this vertical field; clamped to 1 inside the sphere.
float screenSize(float radius, float distance, float fovYRadians);

} // namespace dl::cull
