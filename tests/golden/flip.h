// tests/golden/flip.h - LDR-FLIP, a measure of how different two pictures look when flipped between, written from
// Andersson, Nilsson, Akenine-Moller, Oskarsson, Astrom, Fairchild: "FLIP: A Difference Evaluator for Alternating Images",
// HPG 2020. Used by golden picture tests.
#pragma once

#include "drawloom/asset/image.h"
#include "drawloom/core/result.h"

#include <cstdint>
#include <span>
#include <vector>

namespace dl::golden
{

struct FlipSettings
{
    float pixelsPerDegree = 67.0f; ///< the paper's: a 0.7 m wide 3840 pixel screen at 0.7 m
};

struct FlipResult
{
    std::vector<float> errors; ///< width x height, 0 (equal) to 1
    float mean = 0.0f;         ///< over the covered pixels; 0 when none is covered
    float p99 = 0.0f;          ///< 99 of 100 covered pixels are at or below it
    float max = 0.0f;
    std::uint64_t coveredCount = 0;
};

/// Both pictures are Rgba8, sRGB encoded, of one size; alpha is ignored. `covered` is empty (all pixels count) or has one
/// byte a pixel, non-zero where the pixel counts. InvalidArgument names what does not fit.
Result<FlipResult> computeFlip(
    const Image& reference, const Image& test, const FlipSettings& settings = {}, std::span<const std::uint8_t> covered = {});

/// The error map as a picture: black (0) over violet and orange to pale yellow (1).
Image makeFlipHeatMap(const FlipResult& result, std::uint32_t width, std::uint32_t height);

} // namespace dl::golden
