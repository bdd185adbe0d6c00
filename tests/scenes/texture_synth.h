// tests/scenes/texture_synth.h - tiling textures from noise: a pattern says colour, height and roughness of a point, and
// becomes base colour, normal and occlusion-roughness-metalness images. For the scene generators.
#pragma once

#include "drawloom/asset/image.h"
#include "drawloom/core/maths.h"

#include <cstdint>
#include <functional>
#include <string>

namespace dl::scenes
{

/// One point of a surface; u to the right, v down, both 0 to 1.
struct SurfacePoint
{
    vec3 color = vec3(0.5f); ///< sRGB encoded, 0..1
    float alpha = 1.0f;
    float height = 0.0f; ///< 0..1
    float roughness = 0.8f;
    float metalness = 0.0f;
    float occlusion = 1.0f;
};
using Pattern = std::function<SurfacePoint(vec2 uv)>;

struct SurfaceImages
{
    Image baseColor; ///< sRGB, alpha
    Image normal;    ///< tangent space, +Y up
    Image orm;       ///< occlusion, roughness, metalness
};

/// `relief` is the height of 1 in texture widths (0.02: a brick wall).
SurfaceImages synthSurface(const std::string& name, std::uint32_t sizeTexels, float relief, const Pattern& pattern);
/// The colour alone.
Image synthColor(const std::string& name, std::uint32_t sizeTexels, const Pattern& pattern);

/// Smooth value noise that repeats after `period` cells; 0..1.
float noise(vec2 point, std::uint32_t period, std::uint32_t seed);
/// Octaves of it over the unit square, the first with `period` cells; 0..1.
float fractalNoise(vec2 uv, std::uint32_t period, int octaveCount, std::uint32_t seed);
/// Random number of a cell, 0..1.
float cellRandom(std::uint32_t x, std::uint32_t y, std::uint32_t seed);

struct WorleyCell
{
    float nearest = 0.0f, second = 0.0f; ///< distances in cells
    float random = 0.0f;                 ///< of the nearest cell
};
/// Irregular cells, `period` by `period`, over the unit square.
WorleyCell worley(vec2 uv, std::uint32_t period, std::uint32_t seed);

/// 0 below `low`, 1 above `high`, smooth between.
float smoothStep(float low, float high, float x);

} // namespace dl::scenes
