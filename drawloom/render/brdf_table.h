// drawloom/render/brdf_table.h - the second factor of the split sum: what a GGX surface (Smith's masking, Schlick's Fresnel)
// reflects of uniform light. Karis, "Real Shading in Unreal Engine 4", SIGGRAPH 2013; sampled by visible normals (Dupuy and
// Benyoub, "Sampling Visible GGX Normals with Spherical Caps", 2023). CPU only; Environment uploads it, ibl.wgsl reads it.
#pragma once

#include "drawloom/core/maths.h"

#include <array>
#include <cstdint>
#include <span>

namespace dl
{

constexpr std::uint32_t kBrdfTableSize = 32;

/// Reflectance for a reflectance f0 at normal incidence is f0 * x + y. `nDotV` above 0, `roughness` perceptual, 0..1.
vec2 integrateBrdf(float nDotV, float roughness);

/// kBrdfTableSize rows of roughness of kBrdfTableSize cosines each, both from 0 (cosine: a thousandth) to 1 at the outermost texels'
/// centres. Made on the first call (some 15 ms), the same bytes always; any thread.
std::span<const vec2> brdfTable();

} // namespace dl
