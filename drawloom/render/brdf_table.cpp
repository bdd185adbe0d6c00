#include "drawloom/render/brdf_table.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace dl
{
namespace
{

constexpr std::uint32_t kHeights = 32, kAzimuths = 16; // within 0.005 of the integral
constexpr float kLeastCosine = 1e-3f, kLeastAlpha = 1e-4f;

/// Smith's lambda for GGX.
float lambda(float cosine, float alpha)
{
    const float tangent2 = (1.0f - cosine * cosine) / (cosine * cosine);
    return 0.5f * (std::sqrt(1.0f + alpha * alpha * tangent2) - 1.0f);
}

/// A microfacet normal as the eye sees it; z is the surface's normal.
vec3 visibleNormal(vec3 view, float alpha, float u, float azimuth)
{
    const vec3 stretched = glm::normalize(vec3(alpha * view.x, alpha * view.y, view.z));
    const float z = (1.0f - u) * (1.0f + stretched.z) - stretched.z;
    const float radius = std::sqrt(std::clamp(1.0f - z * z, 0.0f, 1.0f));
    const vec3 half = vec3(radius * std::cos(azimuth), radius * std::sin(azimuth), z) + stretched;
    return glm::normalize(vec3(alpha * half.x, alpha * half.y, half.z));
}

} // namespace

vec2 integrateBrdf(float nDotV, float roughness)
{
    const float cosine = std::clamp(nDotV, kLeastCosine, 1.0f);
    const float alpha = std::max(roughness * roughness, kLeastAlpha);
    const vec3 view(std::sqrt(1.0f - cosine * cosine), 0.0f, cosine);
    const float viewLambda = lambda(cosine, alpha);
    vec2 sum(0.0f);
    for (std::uint32_t i = 0; i < kHeights; ++i)
        for (std::uint32_t j = 0; j < kAzimuths; ++j)
        {
            // Denser towards grazing normals, where the integrand bends. Both halves of the circle are the same by symmetry.
            const float rest = 1.0f - (static_cast<float>(i) + 0.5f) / kHeights;
            const float azimuth = (static_cast<float>(j) + 0.5f) / kAzimuths * std::numbers::pi_v<float>;
            const vec3 normal = visibleNormal(view, alpha, 1.0f - rest * rest, azimuth);
            const float vDotH = glm::dot(view, normal);
            const float nDotL = 2.0f * vDotH * normal.z - view.z;
            if (nDotL <= 0.0f)
                continue;
            const float masked = (1.0f + viewLambda) / (1.0f + viewLambda + lambda(std::min(nDotL, 1.0f), alpha));
            const float fresnel = std::pow(1.0f - std::clamp(vDotH, 0.0f, 1.0f), 5.0f);
            sum += 2.0f * rest * masked * vec2(1.0f - fresnel, fresnel);
        }
    return sum / static_cast<float>(kHeights * kAzimuths);
}

std::span<const vec2> brdfTable()
{
    static const auto table = []
    {
        std::array<vec2, std::size_t(kBrdfTableSize) * kBrdfTableSize> texels;
        constexpr float kLast = kBrdfTableSize - 1;
        for (std::uint32_t i = 0; i < texels.size(); ++i)
        {
            const std::uint32_t column = i % kBrdfTableSize, row = i / kBrdfTableSize;
            texels[i] = integrateBrdf(static_cast<float>(column) / kLast, static_cast<float>(row) / kLast);
        }
        return texels;
    }();
    return table;
}

} // namespace dl
