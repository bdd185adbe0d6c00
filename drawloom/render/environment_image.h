// drawloom/render/environment_image.h - an environment as the GPU takes it, made from an equirectangular picture or from the
// procedural sky: half floats with mips, and the light that arrives from everywhere as spherical harmonics (Ramamoorthi and
// Hanrahan, "An Efficient Representation for Irradiance Environment Maps", SIGGRAPH 2001). CPU only; used by Environment.
//
// Orientation, as three.js has it: u = atan2(z, x) / 2 pi + 0.5, v = 0.5 - asin(y) / pi from the top row down. The middle of the
// picture looks to +X, a quarter to the right of it to +Z, a quarter to the left to -Z (where a camera looks by default); its
// edges meet at -X.
#pragma once

#include "drawloom/asset/image.h"
#include "drawloom/core/maths.h"
#include "drawloom/core/result.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace dl
{

/// Radiance of a procedural sky, linear. It has no sun disc: the sun is a light of its own.
struct SkySettings
{
    vec3 zenith = vec3(0.20f, 0.38f, 0.75f);
    vec3 horizon = vec3(0.72f, 0.80f, 0.90f);
    vec3 ground = vec3(0.28f, 0.26f, 0.24f);
    float ambientIntensity = 1.0f; ///< of the light on surfaces; the picture behind them stays as it is
    friend bool operator==(const SkySettings&, const SkySettings&) = default;
};

/// What half floats hold. Brighter texels (a sun of an .hdr) are cut to it, negative ones and NaN to zero, before anything else.
constexpr float kMaxRadiance = 65504.0f;

/// Of an equirectangular picture: irradiance / pi for the normal n is the sum of rgb_i * (1, y, z, x, xy, yz, 3zz - 1, xz, xx - yy).
/// Exact for texels of constant radiance, the rows at the poles included; bands above 2 are left out: some percent for a small sun.
using IrradianceHarmonics = std::array<vec4, 9>;

/// Rgba32F, at least one texel. Cost: some 5 ns a texel.
IrradianceHarmonics projectIrradiance(const Image& equirect);

/// Towards a direction whose sine of the elevation is `height`, -1..1.
vec3 skyRadiance(const SkySettings& sky, float height);
/// One column of 512 rows, Rgba32F.
Image makeSkyImage(const SkySettings& sky);

/// What Environment uploads.
struct EnvironmentImage
{
    std::uint32_t width = 0, height = 0, mipCount = 0;
    std::vector<std::uint16_t> halves; ///< RGBA by texel, level 0 first, each level tightly packed
    IrradianceHarmonics irradiance = {};

    std::uint32_t levelWidth(std::uint32_t mip) const { return width >> mip != 0 ? width >> mip : 1; }
    std::uint32_t levelHeight(std::uint32_t mip) const { return height >> mip != 0 ? height >> mip : 1; }
};

/// InvalidArgument: `equirect` is not Rgba32F, or holds less than its size says. Sides above `maxSideTexels` are halved until they fit.
Result<EnvironmentImage> makeEnvironmentImage(Image equirect, std::uint32_t maxSideTexels);

} // namespace dl
