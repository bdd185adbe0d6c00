#include "tests/scenes/texture_synth.h"

#include "drawloom/asset/image_decode.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace dl::scenes
{

namespace
{

std::byte toByte(float value)
{
    return static_cast<std::byte>(static_cast<std::uint8_t>(std::clamp(value, 0.0f, 1.0f) * 255.0f + 0.5f));
}

Image makeImage(const std::string& name, std::uint32_t sizeTexels)
{
    Image image;
    image.name = name;
    image.width = image.height = sizeTexels;
    image.bytes.resize(static_cast<std::size_t>(sizeTexels) * sizeTexels * 4);
    return image;
}

void setTexel(Image& image, std::size_t index, vec4 value)
{
    for (int c = 0; c < 4; ++c)
        image.bytes[index * 4 + static_cast<std::size_t>(c)] = toByte(value[c]);
}

} // namespace

float smoothStep(float low, float high, float x)
{
    const float t = std::clamp((x - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

float cellRandom(std::uint32_t x, std::uint32_t y, std::uint32_t seed)
{
    std::uint32_t h = x * 0x9e3779b1U ^ (y * 0x85ebca77U + 0x165667b1U) ^ seed * 0xc2b2ae3dU;
    h = (h ^ (h >> 15U)) * 0x2c1b3c6dU;
    h = (h ^ (h >> 12U)) * 0x297a2d39U;
    h ^= h >> 15U;
    return static_cast<float>(h >> 8U) * (1.0f / 16777216.0f);
}

float noise(vec2 point, std::uint32_t period, std::uint32_t seed)
{
    const vec2 floor = glm::floor(point);
    const vec2 t = point - floor;
    const vec2 s = t * t * (3.0f - 2.0f * t);
    const auto wrap = [period](float cell) { return static_cast<std::uint32_t>(static_cast<std::int64_t>(cell) + 1024 * period) % period; };
    const std::uint32_t x0 = wrap(floor.x);
    const std::uint32_t y0 = wrap(floor.y);
    const std::uint32_t x1 = (x0 + 1) % period;
    const std::uint32_t y1 = (y0 + 1) % period;
    const float top = glm::mix(cellRandom(x0, y0, seed), cellRandom(x1, y0, seed), s.x);
    const float bottom = glm::mix(cellRandom(x0, y1, seed), cellRandom(x1, y1, seed), s.x);
    return glm::mix(top, bottom, s.y);
}

float fractalNoise(vec2 uv, std::uint32_t period, int octaveCount, std::uint32_t seed)
{
    float sum = 0.0f;
    float weight = 0.5f;
    float total = 0.0f;
    for (int octave = 0; octave < octaveCount; ++octave)
    {
        sum += weight * noise(uv * static_cast<float>(period), period, seed + static_cast<std::uint32_t>(octave));
        total += weight;
        weight *= 0.5f;
        period *= 2;
    }
    return sum / total;
}

WorleyCell worley(vec2 uv, std::uint32_t period, std::uint32_t seed)
{
    const vec2 point = uv * static_cast<float>(period);
    const vec2 base = glm::floor(point);
    WorleyCell out{8.0f, 8.0f, 0.0f};
    for (int dy = -1; dy <= 1; ++dy)
        for (int dx = -1; dx <= 1; ++dx)
        {
            const vec2 cell = base + vec2(static_cast<float>(dx), static_cast<float>(dy));
            const auto x = static_cast<std::uint32_t>(static_cast<int>(cell.x) + static_cast<int>(period)) % period;
            const auto y = static_cast<std::uint32_t>(static_cast<int>(cell.y) + static_cast<int>(period)) % period;
            const vec2 centre = cell + vec2(0.2f) + 0.6f * vec2(cellRandom(x, y, seed), cellRandom(x, y, seed + 1));
            const float distance = glm::length(point - centre);
            if (distance < out.nearest)
                out = {distance, out.nearest, cellRandom(x, y, seed + 2)};
            else
                out.second = std::min(out.second, distance);
        }
    return out;
}

Image synthColor(const std::string& name, std::uint32_t sizeTexels, const Pattern& pattern)
{
    Image image = makeImage(name, sizeTexels);
    for (std::uint32_t y = 0; y < sizeTexels; ++y)
        for (std::uint32_t x = 0; x < sizeTexels; ++x)
        {
            const vec2 uv = (vec2(static_cast<float>(x), static_cast<float>(y)) + 0.5f) / static_cast<float>(sizeTexels);
            const SurfacePoint point = pattern(uv);
            setTexel(image, static_cast<std::size_t>(y) * sizeTexels + x, vec4(point.color, point.alpha));
        }
    updateImageFacts(image);
    return image;
}

SurfaceImages synthSurface(const std::string& name, std::uint32_t sizeTexels, float relief, const Pattern& pattern)
{
    SurfaceImages out{
        makeImage(name + " base colour", sizeTexels), makeImage(name + " normal", sizeTexels), makeImage(name + " surface", sizeTexels)};
    std::vector<float> heights(static_cast<std::size_t>(sizeTexels) * sizeTexels);
    for (std::uint32_t y = 0; y < sizeTexels; ++y)
        for (std::uint32_t x = 0; x < sizeTexels; ++x)
        {
            const std::size_t i = static_cast<std::size_t>(y) * sizeTexels + x;
            const vec2 uv = (vec2(static_cast<float>(x), static_cast<float>(y)) + 0.5f) / static_cast<float>(sizeTexels);
            const SurfacePoint point = pattern(uv);
            heights[i] = point.height;
            setTexel(out.baseColor, i, vec4(point.color, point.alpha));
            setTexel(out.orm, i, vec4(point.occlusion, point.roughness, point.metalness, 1.0f));
        }
    const float slope = 0.5f * relief * static_cast<float>(sizeTexels);
    for (std::uint32_t y = 0; y < sizeTexels; ++y)
        for (std::uint32_t x = 0; x < sizeTexels; ++x)
        {
            const auto at = [&](std::uint32_t px, std::uint32_t py)
            { return heights[static_cast<std::size_t>(py % sizeTexels) * sizeTexels + px % sizeTexels]; };
            const float dx = at(x + 1, y) - at(x + sizeTexels - 1, y);
            const float dy = at(x, y + 1) - at(x, y + sizeTexels - 1);
            // v runs down and the normal's y up: the two signs cancel.
            const vec3 normal = glm::normalize(vec3(-dx * slope, dy * slope, 1.0f));
            setTexel(out.normal, static_cast<std::size_t>(y) * sizeTexels + x, vec4(normal * 0.5f + 0.5f, 1.0f));
        }
    for (Image* image : {&out.baseColor, &out.normal, &out.orm})
        updateImageFacts(*image);
    return out;
}

} // namespace dl::scenes
