#include "tests/golden/flip_filters.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace dl::golden
{

namespace
{

constexpr float kPi = 3.14159265f;

/// One Gaussian of a contrast sensitivity function, a * sqrt(pi / b) * exp(-pi^2 x^2 / b), x in degrees (table 1).
struct CsfGaussian
{
    float a, b;
};
constexpr CsfGaussian kLuminance[] = {{1.0f, 0.0047f}};
constexpr CsfGaussian kRedGreen[] = {{1.0f, 0.0053f}};
constexpr CsfGaussian kBlueYellow[] = {{34.1f, 0.04f}, {13.5f, 0.025f}};
constexpr float kWidestB = 0.04f;
constexpr float kFeatureWidthDegrees = 0.082f;

// sRGB primaries and D65 white, IEC 61966-2-1; columns as GLM has them.
const mat3 kRgbToXyz(0.4124564f, 0.2126729f, 0.0193339f, 0.3575761f, 0.7151522f, 0.1191920f, 0.1804375f, 0.0721750f, 0.9503041f);

vec3 relativeXyz(vec3 linear)
{
    return (kRgbToXyz * linear) / (kRgbToXyz * vec3(1.0f));
}

vec3 linearToYcxcz(vec3 linear)
{
    const vec3 xyz = relativeXyz(linear);
    return vec3(116.0f * xyz.y - 16.0f, 500.0f * (xyz.x - xyz.y), 200.0f * (xyz.y - xyz.z));
}

vec3 ycxczToLinear(vec3 ycc)
{
    static const mat3 kXyzToRgb = glm::inverse(kRgbToXyz);
    const float y = (ycc.x + 16.0f) / 116.0f;
    const vec3 relative(y + ycc.y / 500.0f, y, y - ycc.z / 200.0f);
    return kXyzToRgb * (relative * (kRgbToXyz * vec3(1.0f)));
}

using Plane = std::vector<float>;
using Kernel = std::vector<float>; // 2 * radius + 1 weights

/// out = (horizontal x vertical) filter of `in`; pixels beyond the border repeat it.
Plane filterSeparable(const Plane& in, ImageSize size, const Kernel& horizontal, const Kernel& vertical)
{
    const int width = static_cast<int>(size.width);
    const int height = static_cast<int>(size.height);
    const auto pass = [width, height](const Plane& from, const Kernel& kernel, int stepX, int stepY)
    {
        const int radius = static_cast<int>(kernel.size() / 2);
        Plane to(from.size());
        for (int y = 0; y < height; ++y)
            for (int x = 0; x < width; ++x)
            {
                float sum = 0.0f;
                for (int k = -radius; k <= radius; ++k)
                {
                    const int sx = std::clamp(x + k * stepX, 0, width - 1);
                    const int sy = std::clamp(y + k * stepY, 0, height - 1);
                    sum += kernel[static_cast<std::size_t>(k + radius)] * from[static_cast<std::size_t>(sy) * size_t(width) + size_t(sx)];
                }
                to[static_cast<std::size_t>(y) * size_t(width) + size_t(x)] = sum;
            }
        return to;
    };
    return pass(pass(in, horizontal, 1, 0), vertical, 0, 1);
}

/// A channel's contrast sensitivity filter: a sum of Gaussians whose 2D weights sum to one.
template <std::size_t N> Plane filterCsf(const Plane& in, ImageSize size, const CsfGaussian (&gaussians)[N], float pixelsPerDegree)
{
    const int radius = static_cast<int>(std::ceil(3.0f * std::sqrt(kWidestB / (2.0f * kPi * kPi)) * pixelsPerDegree));
    Kernel kernels[N];
    float volumes[N];
    float total = 0.0f;
    for (std::size_t i = 0; i < N; ++i)
    {
        float sum = 0.0f;
        for (int k = -radius; k <= radius; ++k)
        {
            const float x = static_cast<float>(k) / pixelsPerDegree;
            kernels[i].push_back(std::exp(-kPi * kPi * x * x / gaussians[i].b));
            sum += kernels[i].back();
        }
        volumes[i] = gaussians[i].a * std::sqrt(kPi / gaussians[i].b) * sum * sum;
        total += volumes[i];
        for (float& weight : kernels[i])
            weight /= sum;
    }
    Plane out(in.size(), 0.0f);
    for (std::size_t i = 0; i < N; ++i)
    {
        const Plane part = filterSeparable(in, size, kernels[i], kernels[i]);
        for (std::size_t p = 0; p < out.size(); ++p)
            out[p] += volumes[i] / total * part[p];
    }
    return out;
}

/// Makes the positive weights sum to 1 and the negative ones to -1.
void balance(Kernel& kernel)
{
    float positive = 0.0f;
    float negative = 0.0f;
    for (const float weight : kernel)
        (weight > 0.0f ? positive : negative) += weight;
    for (float& weight : kernel)
        weight /= weight > 0.0f ? positive : -negative;
}

/// First and second derivative of a Gaussian, in x and y: how much of an edge and of a point each pixel is.
void detectFeatures(const Plane& luminance, ImageSize size, float pixelsPerDegree, Perceived& out)
{
    const float sigma = 0.5f * kFeatureWidthDegrees * pixelsPerDegree;
    const int radius = static_cast<int>(std::ceil(3.0f * sigma));
    Kernel gaussian;
    Kernel edge;
    Kernel point;
    float sum = 0.0f;
    for (int k = -radius; k <= radius; ++k)
    {
        const float x = static_cast<float>(k);
        const float g = std::exp(-x * x / (2.0f * sigma * sigma));
        gaussian.push_back(g);
        edge.push_back(-x * g);
        point.push_back((x * x / (sigma * sigma) - 1.0f) * g);
        sum += g;
    }
    for (float& weight : gaussian)
        weight /= sum;
    balance(edge);
    balance(point);
    const auto strength = [&](const Kernel& derivative)
    {
        Plane x = filterSeparable(luminance, size, derivative, gaussian);
        const Plane y = filterSeparable(luminance, size, gaussian, derivative);
        for (std::size_t i = 0; i < x.size(); ++i)
            x[i] = std::hypot(x[i], y[i]);
        return x;
    };
    out.edge = strength(edge);
    out.point = strength(point);
}

} // namespace

vec3 linearToHuntLab(vec3 linear)
{
    constexpr float kDelta = 6.0f / 29.0f;
    vec3 f = relativeXyz(linear);
    for (int i = 0; i < 3; ++i)
        f[i] = f[i] > kDelta * kDelta * kDelta ? std::cbrt(f[i]) : f[i] / (3.0f * kDelta * kDelta) + 4.0f / 29.0f;
    const float lightness = 116.0f * f.y - 16.0f;
    return vec3(lightness, 0.01f * lightness * 500.0f * (f.x - f.y), 0.01f * lightness * 200.0f * (f.y - f.z));
}

Perceived perceive(const std::vector<vec3>& linear, ImageSize size, float pixelsPerDegree)
{
    Plane planes[3];
    for (Plane& plane : planes)
        plane.resize(linear.size());
    Plane luminance(linear.size());
    for (std::size_t i = 0; i < linear.size(); ++i)
    {
        const vec3 ycc = linearToYcxcz(linear[i]);
        for (int c = 0; c < 3; ++c)
            planes[c][i] = ycc[c];
        luminance[i] = (ycc.x + 16.0f) / 116.0f;
    }
    planes[0] = filterCsf(planes[0], size, kLuminance, pixelsPerDegree);
    planes[1] = filterCsf(planes[1], size, kRedGreen, pixelsPerDegree);
    planes[2] = filterCsf(planes[2], size, kBlueYellow, pixelsPerDegree);

    Perceived out;
    out.huntLab.resize(linear.size());
    for (std::size_t i = 0; i < linear.size(); ++i)
    {
        const vec3 filtered = ycxczToLinear(vec3(planes[0][i], planes[1][i], planes[2][i]));
        out.huntLab[i] = linearToHuntLab(glm::clamp(filtered, vec3(0.0f), vec3(1.0f)));
    }
    detectFeatures(luminance, size, pixelsPerDegree, out);
    return out;
}

} // namespace dl::golden
