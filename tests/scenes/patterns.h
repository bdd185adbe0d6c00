// tests/scenes/patterns.h - the surfaces of the generated scenes as patterns for texture_synth.h.
#pragma once

#include "tests/scenes/texture_synth.h"

namespace dl::scenes
{

/// Colours are sRGB encoded, as a paint program shows them.
Pattern brickPattern(vec3 brick, vec3 mortar, std::uint32_t seed);
Pattern plasterPattern(vec3 color, std::uint32_t seed);
Pattern roofTilePattern(vec3 color, std::uint32_t seed);
Pattern slatePattern(vec3 color, std::uint32_t seed);
Pattern plankPattern(vec3 color, std::uint32_t seed);
Pattern timberPattern(vec3 color, std::uint32_t seed);
Pattern cobblePattern(vec3 color, std::uint32_t seed);
Pattern flagstonePattern(vec3 color, std::uint32_t seed);
Pattern stonePattern(vec3 color, std::uint32_t seed);
Pattern grassPattern(std::uint32_t seed);
Pattern barkPattern(std::uint32_t seed);
/// A spray of leaves on nothing: alpha is 0 between them.
Pattern leafPattern(vec3 color, std::uint32_t seed);
/// Vertical stripes of cloth.
Pattern stripePattern(vec3 first, vec3 second, std::uint32_t stripeCount, std::uint32_t seed);
Pattern weavePattern(vec3 color, std::uint32_t seed);
Pattern waterPattern(std::uint32_t seed);
/// Iron bars with curls, alpha 0 between them.
Pattern ironFencePattern();
/// Brushed metal with scratches.
Pattern metalPattern(vec3 color, float roughness, std::uint32_t seed);

} // namespace dl::scenes
