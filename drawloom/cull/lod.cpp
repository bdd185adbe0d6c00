#include "drawloom/cull/lod.h"

#include <algorithm>
#include <limits>

namespace dl::cull
{

namespace
{

/// Share of what lies beyond `edge`: 0 before it, 1 from edge + fade on. Both neighbours of an edge use this one number.
float beyond(float distance, float edge, float fade)
{
    if (distance < edge)
        return 0.0f;
    return fade > 0.0f ? std::min((distance - edge) / fade, 1.0f) : 1.0f;
}

} // namespace

float lodWeight(const LodRange& range, float distance)
{
    const float in = range.minDistance > 0.0f ? beyond(distance, range.minDistance, range.fadeDistance) : 1.0f;
    const float out = 1.0f - beyond(distance, range.maxDistance, range.fadeDistance);
    return std::min(in, out);
}

float lodWeight(const LodRange& range, vec3 eye)
{
    return lodWeight(range, glm::length(eye - range.referencePoint));
}

LodSelection selectLod(std::span<const float> maxDistances, float fadeDistance, float distance)
{
    LodSelection selection;
    for (std::uint32_t lod = 0; lod < maxDistances.size(); ++lod)
    {
        const float next = beyond(distance, maxDistances[lod], fadeDistance);
        if (next < 1.0f)
            return {lod, next};
    }
    return selection;
}

LodSelection selectLodBySize(std::span<const float> minScreenSizes, float screenSize)
{
    for (std::uint32_t lod = 0; lod < minScreenSizes.size(); ++lod)
        if (!(screenSize < minScreenSizes[lod]))
            return {lod, 0.0f};
    return {};
}

float screenSize(float radius, float distance, float lodScale)
{
    return distance <= radius ? std::numeric_limits<float>::infinity() : radius * lodScale / distance;
}

float orthographicScreenSize(float radius, float lodScale)
{
    return radius * lodScale;
}

} // namespace dl::cull
