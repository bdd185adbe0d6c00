#include "drawloom/render/environment_image.h"

#include "drawloom/asset/image_mips.h"

#include <glm/packing.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <span>
#include <utility>

namespace dl
{
namespace
{

constexpr std::uint32_t kSkyRows = 512; // 0.35 degrees: finer than the cube's texels
constexpr float kSkyCurve = 0.6f;       // how soon the zenith's colour takes over above the horizon
constexpr float kGroundEdge = 0.25f;    // sine of the depression below which there is only ground

std::span<const vec4> texelsOf(const Image& image)
{
    return {reinterpret_cast<const vec4*>(image.bytes.data()), std::size_t(image.width) * image.height};
}

float clampedRadiance(float value)
{
    return value > 0.0f ? std::min(value, kMaxRadiance) : 0.0f; // NaN compares false
}

/// Integrals over one column's azimuths phi.
struct ColumnMoments
{
    double cosine, sine, sineCosine, cosine2; ///< of cos, sin, sin cos, cos 2 phi / 2
};
/// Integrals over one row's y = sin(elevation); c = sqrt(1 - y y) is the radius of the circle at that height.
struct RowMoments
{
    double one, y, yy, c, yc, cc;
};
/// Of a row's radiance, by azimuth.
struct RowSums
{
    glm::dvec3 one{}, cosine{}, sine{}, sineCosine{}, cosine2{};
};

ColumnMoments columnMoments(std::uint32_t column, std::uint32_t width)
{
    constexpr double kTurn = 2.0 * std::numbers::pi;
    const double a = (static_cast<double>(column) / width - 0.5) * kTurn;
    const double b = (static_cast<double>(column + 1) / width - 0.5) * kTurn;
    const double sinA = std::sin(a), sinB = std::sin(b);
    return {sinB - sinA, std::cos(a) - std::cos(b), 0.5 * (sinB * sinB - sinA * sinA), 0.25 * (std::sin(2.0 * b) - std::sin(2.0 * a))};
}

RowMoments rowMoments(std::uint32_t row, std::uint32_t height)
{
    const auto primitives = [height](std::uint32_t edge) -> RowMoments // at an edge between rows
    {
        const double elevation = (0.5 - static_cast<double>(edge) / height) * std::numbers::pi;
        const double y = std::sin(elevation), c = std::cos(elevation);
        return {y, 0.5 * y * y, y * y * y / 3.0, 0.5 * (y * c + elevation), -c * c * c / 3.0, y - y * y * y / 3.0};
    };
    const RowMoments top = primitives(row), bottom = primitives(row + 1);
    return {top.one - bottom.one, top.y - bottom.y, top.yy - bottom.yy, top.c - bottom.c, top.yc - bottom.yc, top.cc - bottom.cc};
}

/// Moments of radiance over the sphere, in the basis of IrradianceHarmonics.
void addRow(std::array<glm::dvec3, 9>& moments, const RowMoments& row, const RowSums& sums, double columnRadians)
{
    const glm::dvec3 one = sums.one * columnRadians;
    const glm::dvec3 xx = row.cc * (0.5 * one + sums.cosine2), zz = row.cc * (0.5 * one - sums.cosine2);
    moments[0] += row.one * one;
    moments[1] += row.y * one;
    moments[2] += row.c * sums.sine;
    moments[3] += row.c * sums.cosine;
    moments[4] += row.yc * sums.cosine;
    moments[5] += row.yc * sums.sine;
    moments[6] += 3.0 * zz - row.one * one;
    moments[7] += row.cc * sums.sineCosine;
    moments[8] += xx - row.yy * one;
}

float smoothstep(float low, float high, float value)
{
    const float t = std::clamp((value - low) / (high - low), 0.0f, 1.0f);
    return t * t * (3.0f - 2.0f * t);
}

void clampRadiance(Image& image)
{
    std::span<vec4> texels{reinterpret_cast<vec4*>(image.bytes.data()), std::size_t(image.width) * image.height};
    for (vec4& texel : texels)
        texel = vec4(clampedRadiance(texel.r), clampedRadiance(texel.g), clampedRadiance(texel.b), 1.0f);
}

} // namespace

IrradianceHarmonics projectIrradiance(const Image& equirect)
{
    DL_ASSERT(equirect.format == ImageFormat::Rgba32F && equirect.width != 0 && equirect.height != 0, "an Rgba32F picture");
    std::vector<ColumnMoments> columns(equirect.width);
    for (std::uint32_t i = 0; i < equirect.width; ++i)
        columns[i] = columnMoments(i, equirect.width);
    const std::span<const vec4> texels = texelsOf(equirect);
    std::array<glm::dvec3, 9> moments = {};
    for (std::uint32_t row = 0; row < equirect.height; ++row)
    {
        RowSums sums;
        for (std::uint32_t column = 0; column < equirect.width; ++column)
        {
            const glm::dvec3 radiance(texels[std::size_t(row) * equirect.width + column]);
            const ColumnMoments& at = columns[column];
            sums.one += radiance;
            sums.cosine += radiance * at.cosine;
            sums.sine += radiance * at.sine;
            sums.sineCosine += radiance * at.sineCosine;
            sums.cosine2 += radiance * at.cosine2;
        }
        addRow(moments, rowMoments(row, equirect.height), sums, 2.0 * std::numbers::pi / equirect.width);
    }
    // Square of the basis' normalisation, times the cosine lobe's band factor (1, 2/3, 1/4) for irradiance / pi.
    constexpr double kBand0 = 1.0 / (4.0 * std::numbers::pi), kBand1 = 1.0 / (2.0 * std::numbers::pi);
    constexpr double kBand2 = 15.0 / (16.0 * std::numbers::pi), kZonal = kBand2 / 12.0, kSectoral = kBand2 / 4.0;
    constexpr std::array<double, 9> kScale = {kBand0, kBand1, kBand1, kBand1, kBand2, kBand2, kZonal, kBand2, kSectoral};
    IrradianceHarmonics result;
    for (std::size_t i = 0; i < moments.size(); ++i)
        result[i] = vec4(vec3(moments[i] * kScale[i]), 0.0f);
    return result;
}

vec3 skyRadiance(const SkySettings& sky, float height)
{
    if (height >= 0.0f)
        return glm::mix(sky.horizon, sky.zenith, std::pow(height, kSkyCurve));
    return glm::mix(sky.horizon, sky.ground, smoothstep(0.0f, kGroundEdge, -height));
}

Image makeSkyImage(const SkySettings& sky)
{
    Image image;
    image.name = "sky";
    image.format = ImageFormat::Rgba32F;
    image.width = 1;
    image.height = kSkyRows;
    image.bytes.resize(kSkyRows * sizeof(vec4));
    for (std::uint32_t row = 0; row < kSkyRows; ++row)
    {
        const float elevation = (0.5f - (static_cast<float>(row) + 0.5f) / kSkyRows) * std::numbers::pi_v<float>;
        const vec4 texel(skyRadiance(sky, std::sin(elevation)), 1.0f);
        std::memcpy(image.bytes.data() + row * sizeof texel, &texel, sizeof texel);
    }
    return image;
}

Result<EnvironmentImage> makeEnvironmentImage(Image equirect, std::uint32_t maxSideTexels)
{
    const std::uint64_t texelCount = std::uint64_t(equirect.width) * equirect.height;
    if (equirect.format != ImageFormat::Rgba32F || texelCount == 0 || equirect.bytes.size() < texelCount * sizeof(vec4))
        return Error{ErrorCode::InvalidArgument, "environment \"" + equirect.name + "\": needs an equirectangular Rgba32F picture, got " +
                                                     std::to_string(equirect.width) + "x" + std::to_string(equirect.height) +
                                                     " texels in " + std::to_string(equirect.bytes.size()) + " bytes"};
    clampRadiance(equirect);
    EnvironmentImage result;
    result.irradiance = projectIrradiance(equirect);
    buildMips(equirect, ImageEncoding::Linear);
    std::uint32_t first = 0;
    while (std::max(equirect.levelWidth(first), equirect.levelHeight(first)) > maxSideTexels && first + 1 < equirect.mipCount)
        ++first;
    result.width = equirect.levelWidth(first);
    result.height = equirect.levelHeight(first);
    result.mipCount = equirect.mipCount - first;
    const std::size_t begin = equirect.levelOffset(first) / sizeof(float);
    const float* channels = reinterpret_cast<const float*>(equirect.bytes.data());
    result.halves.resize(equirect.bytes.size() / sizeof(float) - begin);
    for (std::size_t i = 0; i < result.halves.size(); ++i)
        result.halves[i] = static_cast<std::uint16_t>(glm::packHalf2x16(vec2(channels[begin + i], 0.0f)));
    return result;
}

} // namespace dl
