#include "tests/scenes/patterns.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

namespace dl::scenes
{

namespace
{

/// Rows of blocks, every other row shifted by half: where a point lies in its block and which block it is.
struct Bond
{
    vec2 inside;   ///< 0..1 in the block
    vec2 fromEdge; ///< distance to the nearest side, in texture widths
    float random;  ///< of the block
    float random2;
};

Bond bond(vec2 uv, std::uint32_t columnCount, std::uint32_t rowCount, std::uint32_t seed)
{
    const vec2 size(1.0f / static_cast<float>(columnCount), 1.0f / static_cast<float>(rowCount));
    const float row = std::floor(uv.y / size.y);
    const auto rowIndex = static_cast<std::uint32_t>(row);
    const float x = uv.x / size.x + (rowIndex % 2 == 0 ? 0.0f : 0.5f);
    const auto column = static_cast<std::uint32_t>(std::floor(x)) % columnCount;
    Bond out;
    out.inside = vec2(x - std::floor(x), uv.y / size.y - row);
    out.fromEdge = glm::min(out.inside, 1.0f - out.inside) * size;
    out.random = cellRandom(column, rowIndex, seed);
    out.random2 = cellRandom(column, rowIndex, seed + 71);
    return out;
}

vec3 shade(vec3 color, float factor)
{
    return glm::clamp(color * factor, vec3(0.0f), vec3(1.0f));
}

} // namespace

Pattern brickPattern(vec3 brick, vec3 mortar, std::uint32_t seed)
{
    return [=](vec2 uv)
    {
        const Bond b = bond(uv, 5, 12, seed);
        const float grain = fractalNoise(uv, 24, 3, seed + 5);
        const float edge = std::min(b.fromEdge.x, b.fromEdge.y) + (grain - 0.5f) * 0.004f;
        const float isBrick = smoothStep(0.003f, 0.008f, edge);
        SurfacePoint p;
        const vec3 tint = shade(brick, 0.78f + 0.4f * b.random) + vec3(0.05f, 0.01f, -0.02f) * (b.random2 - 0.5f);
        p.color = glm::mix(shade(mortar, 0.85f + 0.3f * grain), shade(tint, 0.82f + 0.36f * grain), isBrick);
        p.height = isBrick * (0.75f + 0.15f * grain + 0.1f * b.random2) + (1.0f - isBrick) * 0.2f * grain;
        p.roughness = 0.82f + 0.12f * grain;
        p.occlusion = 0.55f + 0.45f * smoothStep(0.0f, 0.012f, edge);
        return p;
    };
}

Pattern plasterPattern(vec3 color, std::uint32_t seed)
{
    return [=](vec2 uv)
    {
        const float coarse = fractalNoise(uv, 3, 4, seed);
        const float fine = fractalNoise(uv, 32, 3, seed + 9);
        SurfacePoint p;
        const float stain = smoothStep(0.55f, 0.8f, coarse);
        p.color = shade(glm::mix(color, color * vec3(0.90f, 0.86f, 0.80f), stain), 0.92f + 0.12f * fine);
        p.height = 0.5f * coarse + 0.35f * fine;
        p.roughness = 0.9f;
        return p;
    };
}

Pattern roofTilePattern(vec3 color, std::uint32_t seed)
{
    return [=](vec2 uv)
    {
        const Bond b = bond(uv, 8, 8, seed);
        const float grain = fractalNoise(uv, 16, 3, seed + 3);
        const float x = b.inside.x * 2.0f - 1.0f;
        // Beaver-tail tiles: the lower edge is round, and each lies on the one below it.
        const float tail = 1.0f - 0.22f * x * x;
        const float down = b.inside.y;
        const bool isBelowTail = down > tail;
        SurfacePoint p;
        const float lift = isBelowTail ? 0.05f : 0.25f + 0.6f * down;
        p.height = lift - 0.12f * x * x + 0.06f * grain;
        p.color = shade(color, (0.74f + 0.42f * b.random) * (0.85f + 0.3f * grain) * (isBelowTail ? 0.55f : 0.92f + 0.12f * down));
        p.roughness = 0.72f + 0.2f * grain;
        p.occlusion = isBelowTail ? 0.5f : 0.75f + 0.25f * smoothStep(0.0f, 0.25f, down);
        return p;
    };
}

Pattern slatePattern(vec3 color, std::uint32_t seed)
{
    return [=](vec2 uv)
    {
        const Bond b = bond(uv, 7, 10, seed);
        const float grain = fractalNoise(uv * vec2(1.0f, 1.0f), 20, 3, seed + 3);
        const float gap = smoothStep(0.0015f, 0.005f, std::min(b.fromEdge.x, (1.0f - b.inside.y) / 10.0f));
        SurfacePoint p;
        p.height = gap * (0.3f + 0.5f * b.inside.y + 0.12f * grain + 0.1f * b.random2);
        p.color = shade(color + vec3(0.04f, 0.0f, -0.03f) * (b.random2 - 0.5f),
            (0.72f + 0.45f * b.random) * (0.88f + 0.24f * grain) * (0.6f + 0.4f * gap));
        p.roughness = 0.55f + 0.25f * grain;
        p.occlusion = 0.6f + 0.4f * gap;
        return p;
    };
}

Pattern plankPattern(vec3 color, std::uint32_t seed)
{
    return [=](vec2 uv)
    {
        constexpr float kPlankCount = 6.0f;
        const float x = uv.x * kPlankCount;
        const auto plank = static_cast<std::uint32_t>(x);
        const float inside = x - std::floor(x);
        const float random = cellRandom(plank, 3, seed);
        const float grain = fractalNoise(vec2(uv.x * 8.0f + random, uv.y), 4, 3, seed + plank);
        const float rings = 0.5f + 0.5f * std::sin((grain * 9.0f + inside * 5.0f) * 4.0f);
        const float gap = smoothStep(0.0f, 0.05f, std::min(inside, 1.0f - inside));
        SurfacePoint p;
        p.color = shade(color, (0.82f + 0.3f * random) * (0.84f + 0.2f * rings) * (0.45f + 0.55f * gap));
        p.height = gap * (0.8f + 0.1f * rings);
        p.roughness = 0.7f + 0.15f * rings;
        p.occlusion = 0.6f + 0.4f * gap;
        return p;
    };
}

Pattern timberPattern(vec3 color, std::uint32_t seed)
{
    return [=](vec2 uv)
    {
        const float grain =
            noise(vec2(uv.x * 32.0f, uv.y * 4.0f), 32, seed) * 0.6f + 0.4f * noise(vec2(uv.x * 64.0f, uv.y * 8.0f), 64, seed + 1);
        SurfacePoint p;
        p.color = shade(color, 0.75f + 0.5f * grain);
        p.height = grain;
        p.roughness = 0.8f;
        return p;
    };
}

Pattern cobblePattern(vec3 color, std::uint32_t seed)
{
    return [=](vec2 uv)
    {
        const WorleyCell cell = worley(uv, 12, seed);
        const float grain = fractalNoise(uv, 32, 3, seed + 4);
        const float border = cell.second - cell.nearest;
        const float stone = smoothStep(0.04f, 0.28f, border + (grain - 0.5f) * 0.05f);
        SurfacePoint p;
        const vec3 tint =
            glm::mix(color, color * vec3(1.12f, 1.0f, 0.86f), cellRandom(static_cast<std::uint32_t>(cell.random * 999.0f), 1, seed));
        p.color = glm::mix(shade(color, 0.42f + 0.15f * grain), shade(tint, (0.8f + 0.38f * cell.random) * (0.88f + 0.24f * grain)), stone);
        p.height = stone * (0.72f + 0.2f * cell.random + 0.08f * grain);
        p.roughness = 0.9f - 0.22f * stone * (0.4f + 0.6f * cell.random);
        p.occlusion = 0.5f + 0.5f * stone;
        return p;
    };
}

Pattern flagstonePattern(vec3 color, std::uint32_t seed)
{
    return [=](vec2 uv)
    {
        const Bond b = bond(uv, 3, 4, seed);
        const float grain = fractalNoise(uv, 20, 4, seed + 2);
        const float edge = smoothStep(0.002f, 0.012f, std::min(b.fromEdge.x, b.fromEdge.y) + (grain - 0.5f) * 0.006f);
        SurfacePoint p;
        p.color = shade(color, (0.82f + 0.26f * b.random) * (0.85f + 0.3f * grain) * (0.5f + 0.5f * edge));
        p.height = edge * (0.8f + 0.15f * b.random2) + 0.1f * grain;
        p.roughness = 0.75f + 0.2f * grain;
        p.occlusion = 0.6f + 0.4f * edge;
        return p;
    };
}

Pattern stonePattern(vec3 color, std::uint32_t seed)
{
    return [=](vec2 uv)
    {
        const float coarse = fractalNoise(uv, 4, 4, seed);
        const float fine = fractalNoise(uv, 40, 2, seed + 7);
        SurfacePoint p;
        p.color = shade(color, 0.72f + 0.34f * coarse + 0.16f * fine);
        p.height = 0.6f * coarse + 0.4f * fine;
        p.roughness = 0.75f + 0.2f * fine;
        return p;
    };
}

Pattern grassPattern(std::uint32_t seed)
{
    return [=](vec2 uv)
    {
        const float coarse = fractalNoise(uv, 4, 3, seed);
        const float blades = noise(vec2(uv.x * 64.0f, uv.y * 32.0f), 64, seed + 11);
        SurfacePoint p;
        p.color = glm::mix(vec3(0.30f, 0.42f, 0.16f), vec3(0.52f, 0.58f, 0.24f), 0.6f * coarse + 0.4f * blades);
        p.height = blades;
        p.roughness = 0.95f;
        return p;
    };
}

Pattern barkPattern(std::uint32_t seed)
{
    return [=](vec2 uv)
    {
        const float ridges = std::fabs(2.0f * noise(vec2(uv.x * 16.0f, uv.y * 4.0f), 16, seed) - 1.0f);
        const float grain = fractalNoise(uv, 16, 3, seed + 2);
        SurfacePoint p;
        p.color = glm::mix(vec3(0.24f, 0.17f, 0.11f), vec3(0.50f, 0.39f, 0.28f), 0.6f * ridges + 0.4f * grain);
        p.height = 0.7f * ridges + 0.3f * grain;
        p.roughness = 0.92f;
        return p;
    };
}

Pattern leafPattern(vec3 color, std::uint32_t seed)
{
    return [=](vec2 uv)
    {
        constexpr std::uint32_t kLeafCount = 46;
        SurfacePoint p;
        p.color = shade(color, 0.6f); // beneath the cut-out, so that mips do not darken the rim
        p.alpha = 0.0f;
        p.roughness = 0.7f;
        for (std::uint32_t leaf = 0; leaf < kLeafCount; ++leaf)
        {
            const float turn = 6.2831853f * cellRandom(leaf, 0, seed);
            const float reach = 0.37f * std::sqrt(cellRandom(leaf, 1, seed));
            const float bearing = 6.2831853f * cellRandom(leaf, 2, seed);
            const vec2 d = uv - vec2(0.5f) - reach * vec2(std::cos(bearing), std::sin(bearing));
            const vec2 along(std::cos(turn), std::sin(turn));
            const float u = glm::dot(d, along) / 0.105f;
            const float v = glm::dot(d, vec2(-along.y, along.x)) / 0.052f;
            if (std::fabs(u) > 1.0f || std::fabs(v) > (1.0f - u * u) * (1.15f - 0.3f * u))
                continue;
            p.alpha = 1.0f;
            const float vein = std::fabs(v) < 0.07f ? 0.82f : 1.0f;
            p.color = shade(
                color + vec3(0.10f, 0.04f, -0.02f) * (cellRandom(leaf, 3, seed) - 0.4f), (0.72f + 0.5f * cellRandom(leaf, 4, seed)) * vein);
            p.height = cellRandom(leaf, 5, seed);
        }
        return p;
    };
}

Pattern stripePattern(vec3 first, vec3 second, std::uint32_t stripeCount, std::uint32_t seed)
{
    return [=](vec2 uv)
    {
        const float weave = 0.5f + 0.25f * std::sin(uv.x * 402.1f) + 0.25f * std::sin(uv.y * 402.1f);
        const float x = uv.x * static_cast<float>(stripeCount);
        SurfacePoint p;
        p.color =
            shade(static_cast<std::uint32_t>(x) % 2 == 0 ? first : second, 0.85f + 0.12f * weave + 0.1f * fractalNoise(uv, 6, 3, seed));
        p.height = weave;
        p.roughness = 0.93f;
        return p;
    };
}

Pattern weavePattern(vec3 color, std::uint32_t seed)
{
    return stripePattern(color, color, 2, seed);
}

Pattern waterPattern(std::uint32_t seed)
{
    return [=](vec2 uv)
    {
        SurfacePoint p;
        p.height = fractalNoise(uv, 5, 3, seed);
        p.color = glm::mix(vec3(0.22f, 0.45f, 0.52f), vec3(0.46f, 0.70f, 0.74f), p.height);
        p.alpha = 0.62f;
        p.roughness = 0.06f;
        return p;
    };
}

Pattern ironFencePattern()
{
    return [](vec2 uv)
    {
        const float x = uv.x * 6.0f - std::floor(uv.x * 6.0f) - 0.5f;
        const bool isBar = std::fabs(x) < 0.1f && uv.y > 0.06f;
        const bool isTip = uv.y < 0.16f && uv.y > 0.01f && std::fabs(x) < (uv.y - 0.01f) * 1.5f;
        const bool isRail = std::fabs(uv.y - 0.26f) < 0.025f || std::fabs(uv.y - 0.9f) < 0.025f;
        const vec2 ring = vec2(x, (uv.y - 0.41f) * 6.0f * 0.6f);
        const bool isRing = std::fabs(glm::length(ring) - 0.38f) < 0.07f;
        SurfacePoint p;
        p.color = vec3(0.13f, 0.14f, 0.16f);
        p.alpha = isBar || isTip || isRail || isRing ? 1.0f : 0.0f;
        p.roughness = 0.5f;
        p.metalness = 0.8f;
        p.height = p.alpha;
        return p;
    };
}

Pattern metalPattern(vec3 color, float roughness, std::uint32_t seed)
{
    return [=](vec2 uv)
    {
        const float scratch = noise(vec2(uv.x * 4.0f, uv.y * 96.0f), 96, seed);
        const float stain = fractalNoise(uv, 5, 4, seed + 1);
        SurfacePoint p;
        p.color = shade(color, 0.86f + 0.12f * scratch + 0.12f * stain);
        p.roughness = roughness * (0.8f + 0.4f * stain) + 0.06f * scratch;
        p.metalness = 1.0f;
        p.height = 0.5f * scratch;
        return p;
    };
}

} // namespace dl::scenes
