#include "drawloom/render/shadow_cascades.h"

#include <algorithm>
#include <cmath>

namespace dl
{
namespace
{

using glm::dvec2;
using glm::dvec3;

constexpr double kDefaultDistanceMetres = 150.0;
constexpr double kMaxDistanceMetres = 1e9, kMaxExtent = 1e9; // past what single precision can place texels in
constexpr double kDefaultCasterDistances = 2.0;              // times the shadow distance
constexpr double kMarginTexels = 8.0;                        // around the sphere: filter 2.5, normal offset 4, snapping 0.5
constexpr double kDepthBiasTexels = 0.1;                     // where the normal offset vanishes: a plane that faces the sun
constexpr double kMinDepthBias = 4e-7;                       // a few roundings of depth near 1
constexpr double kMinRadius = 1e-4;

/// Axes of light space: x right, y up in the map, z the way the light shines. They depend on the sun alone.
struct LightAxes
{
    dvec3 x, y, z;
};

LightAxes lightAxes(dvec3 towardsSun)
{
    const dvec3 z = -towardsSun;
    const dvec3 reference = std::abs(z.y) > 0.99 ? dvec3(0, 0, 1) : dvec3(0, 1, 0);
    const dvec3 x = glm::normalize(glm::cross(z, reference));
    return {x, glm::cross(x, z), z};
}

/// The sphere around the part of a frustum between two distances; its centre lies on the view axis.
struct SliceSphere
{
    double distance = 0.0, radius = 0.0;
};

SliceSphere sphereAround(const RenderCamera& camera, double aspect, double zNear, double zFar)
{
    if (camera.isOrthographic)
    {
        const dvec3 half(camera.halfWidth, camera.halfHeight, 0.5 * (zFar - zNear));
        return {0.5 * (zNear + zFar), std::max(glm::length(half), kMinRadius)};
    }
    // Equally far from the corners of both ends, or, where that lies behind the far end, around the far end alone.
    const double tanY = std::tan(0.5 * static_cast<double>(camera.yFovRadians));
    const double diagonal2 = tanY * tanY * (1.0 + aspect * aspect);
    const double distance = std::min(zFar, 0.5 * (zNear + zFar) * (1.0 + diagonal2));
    return {distance, std::max(std::sqrt(diagonal2 * zFar * zFar + (zFar - distance) * (zFar - distance)), kMinRadius)};
}

/// Where the frame's origin lies between two lines of a grid that is fixed in the world, in texels, 0..1 plus what the offset
/// inside its cell adds. Cells count in fixed point that wraps around, so that no cell is too far away to be exact.
double gridPhase(const WorldPosition& origin, dvec3 axis, double texelMetres)
{
    std::uint64_t phase = 0;
    double offsetTexels = 0.0;
    for (int i = 0; i < 3; ++i)
    {
        const double texelsPerCell = axis[i] * static_cast<double>(kCellSizeMetres) / texelMetres;
        const double step = texelsPerCell - std::floor(texelsPerCell);
        const std::uint64_t fixedStep = step < 1.0 ? static_cast<std::uint64_t>(std::ldexp(step, 64)) : 0; // 1: a rounded -1e-20
        phase += static_cast<std::uint64_t>(static_cast<std::int64_t>(origin.cell[i])) * fixedStep;
        offsetTexels += static_cast<double>(origin.offset[i]) / static_cast<double>(kCellSizeMetres) * texelsPerCell;
    }
    return std::ldexp(static_cast<double>(phase), -64) + offsetTexels;
}

/// The nearest place on the grid, along one axis of the map.
double snapped(double metres, const WorldPosition& origin, dvec3 axis, double texelMetres)
{
    const double texels = gridPhase(origin, axis, texelMetres) + metres / texelMetres;
    return metres + (std::round(texels) - texels) * texelMetres;
}

/// Rows of an affine map as a matrix of columns.
mat4 fromRows(dvec3 x, double xOffset, dvec3 y, double yOffset, dvec3 z, double zOffset)
{
    mat4 m(1.0f);
    for (int column = 0; column < 3; ++column)
        m[column] = vec4(x[column], y[column], z[column], 0.0);
    m[3] = vec4(xOffset, yOffset, zOffset, 1.0);
    return m;
}

/// centre in light space.
void setMatrices(ShadowCascade& cascade, const LightAxes& axes, dvec3 centre, double halfMetres, double casterMetres)
{
    const double radius = static_cast<double>(cascade.radius);
    const double depth = casterMetres + 2.0 * radius;
    const double zOffset = (radius + centre.z) / depth;
    const double bias = std::max(kDepthBiasTexels * static_cast<double>(cascade.texelMetres) / depth, kMinDepthBias);
    const dvec3 x = axes.x / halfMetres;
    const dvec3 y = axes.y / halfMetres;
    const dvec3 z = axes.z / -depth;
    cascade.viewProjection = fromRows(x, -centre.x / halfMetres, y, -centre.y / halfMetres, z, zOffset);
    cascade.textureMatrix = fromRows(
        0.5 * x, 0.5 - 0.5 * centre.x / halfMetres, -0.5 * y, 0.5 + 0.5 * centre.y / halfMetres, z, zOffset + bias); // rows go down
    cascade.centre = vec3(axes.x * centre.x + axes.y * centre.y + axes.z * centre.z);
    cascade.eye = vec3(axes.x * centre.x + axes.y * centre.y + axes.z * (centre.z - radius - casterMetres));
    cascade.depthMetres = static_cast<float>(depth);
}

} // namespace

void fitShadowDistances(ShadowSettings& settings, const RenderCamera& camera, const Aabb& bounds)
{
    if (bounds.isEmpty())
        return;
    const vec3 centre = difference(toWorldPosition(bounds.centre().x, bounds.centre().y, bounds.centre().z), camera.position);
    const float farthest = glm::dot(camera.forward, centre) + glm::dot(glm::abs(camera.forward), bounds.halfExtent());
    if (!(farthest > camera.zNear))
        return;
    settings.distanceMetres = farthest * 1.01f; // what lies in the last plane is not cut by rounding
    settings.casterDistanceMetres = std::max(2.0f * glm::length(bounds.halfExtent()), camera.zNear);
}

void practicalSplits(double zNear, double zFar, double blend, std::span<double> splits)
{
    for (std::size_t i = 0; i < splits.size(); ++i)
    {
        const double part = static_cast<double>(i + 1) / static_cast<double>(splits.size());
        const double logarithmic = zNear * std::pow(zFar / zNear, part);
        splits[i] = blend * logarithmic + (1.0 - blend) * (zNear + (zFar - zNear) * part);
    }
    if (!splits.empty())
        splits.back() = zFar;
}

ShadowCascades fitShadowCascades(const RenderCamera& camera, float aspect, vec3 towardsSun, const ShadowSettings& settings)
{
    ShadowCascades result;
    const dvec3 sun(towardsSun);
    const double sunLength = glm::length(sun);
    const double zNear = static_cast<double>(camera.zNear);
    double distance = static_cast<double>(settings.distanceMetres);
    if (!(distance > 0.0))
        distance = kDefaultDistanceMetres;
    distance = std::min(distance, kMaxDistanceMetres);
    if (camera.zFar > 0.0f)
        distance = std::min(distance, static_cast<double>(camera.zFar));
    const double extent = camera.isOrthographic ? static_cast<double>(camera.halfWidth) + static_cast<double>(camera.halfHeight)
                                                : std::tan(0.5 * static_cast<double>(camera.yFovRadians)) * static_cast<double>(aspect);
    const bool isFinite = std::isfinite(glm::dot(camera.position.offset, camera.position.offset)) &&
                          std::isfinite(glm::dot(camera.forward, camera.forward)) && std::isfinite(extent) && std::isfinite(sunLength);
    if (!settings.isEnabled || !isFinite || !(extent > 0.0 && extent < kMaxExtent) || !(sunLength > 0.0) || !(zNear > 0.0) ||
        !(distance > zNear))
        return result;

    const LightAxes axes = lightAxes(sun / sunLength);
    const double casterMetres = settings.casterDistanceMetres > 0.0f
                                    ? std::min(static_cast<double>(settings.casterDistanceMetres), kMaxDistanceMetres)
                                    : kDefaultCasterDistances * distance;
    const double splitBlend = std::isnan(settings.splitBlend) ? 0.0 : std::clamp(static_cast<double>(settings.splitBlend), 0.0, 1.0);
    result.count = std::clamp(settings.cascadeCount, 1U, kMaxCascadeCount);
    result.resolutionTexels = std::clamp(settings.resolutionTexels, kMinShadowResolution, kMaxShadowResolution);
    result.lightForward = vec3(axes.z);
    std::array<double, kMaxCascadeCount> splits = {};
    practicalSplits(zNear, distance, splitBlend, std::span(splits).first(result.count));
    const double resolution = static_cast<double>(result.resolutionTexels);
    for (std::uint32_t i = 0; i < result.count; ++i)
    {
        const double begin = i == 0 ? zNear : std::max(splits[i - 1] * (1.0 - static_cast<double>(kCascadeBlend)), zNear);
        const SliceSphere sphere = sphereAround(camera, static_cast<double>(aspect), begin, splits[i]);
        const double half = sphere.radius * resolution / (resolution - 2.0 * kMarginTexels);
        const double texel = 2.0 * half / resolution;
        ShadowCascade& cascade = result.cascades[i];
        cascade.nearDistance = static_cast<float>(begin);
        cascade.farDistance = static_cast<float>(splits[i]);
        cascade.radius = static_cast<float>(sphere.radius);
        cascade.texelMetres = static_cast<float>(texel);
        const dvec3 centre = dvec3(camera.forward) * sphere.distance;
        dvec3 inLight(glm::dot(axes.x, centre), glm::dot(axes.y, centre), glm::dot(axes.z, centre));
        if (settings.isStable)
        {
            inLight.x = snapped(inLight.x, camera.position, axes.x, texel);
            inLight.y = snapped(inLight.y, camera.position, axes.y, texel);
        }
        setMatrices(cascade, axes, inLight, half, casterMetres);
    }
    return result;
}

} // namespace dl
