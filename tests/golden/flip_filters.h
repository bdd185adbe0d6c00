// tests/golden/flip_filters.h - the two filtering halves of FLIP (colour and features) over one picture; for flip.cpp only.
#pragma once

#include "drawloom/core/maths.h"

#include <cstdint>
#include <vector>

namespace dl::golden
{

struct ImageSize
{
    std::uint32_t width = 0, height = 0;
};

/// What the paper's observer sees of a picture: colour after the contrast sensitivity filters, strength of edges and points.
struct Perceived
{
    std::vector<vec3> huntLab;
    std::vector<float> edge, point;
};

/// `linear` is linear sRGB, row by row. Pixels beyond the border repeat it.
Perceived perceive(const std::vector<vec3>& linear, ImageSize size, float pixelsPerDegree);

/// CIELAB (white D65) with chroma scaled by lightness, after Hunt.
vec3 linearToHuntLab(vec3 linear);

} // namespace dl::golden
