#include "tests/golden/flip.h"

#include "tests/golden/flip_filters.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

namespace dl::golden
{

namespace
{

constexpr float kColorExponent = 0.7f;    // q_c
constexpr float kColorBreak = 0.4f;       // p_c: where the slope of the colour error changes, as a part of its maximum
constexpr float kColorBreakValue = 0.95f; // p_t: the error there
constexpr float kFeatureExponent = 0.5f;  // q_f

std::vector<vec3> toLinear(const Image& image)
{
    std::array<float, 256> table{};
    for (std::size_t i = 0; i < table.size(); ++i)
    {
        const float s = static_cast<float>(i) / 255.0f;
        table[i] = s <= 0.04045f ? s / 12.92f : std::pow((s + 0.055f) / 1.055f, 2.4f);
    }
    const std::size_t count = static_cast<std::size_t>(image.width) * image.height;
    std::vector<vec3> out(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        const std::byte* texel = &image.bytes[i * 4];
        out[i] = vec3(table[static_cast<std::size_t>(texel[0])], table[static_cast<std::size_t>(texel[1])],
            table[static_cast<std::size_t>(texel[2])]);
    }
    return out;
}

Result<void> check(const Image& image, const char* which)
{
    const std::size_t expected = static_cast<std::size_t>(image.width) * image.height * 4;
    if (image.format != ImageFormat::Rgba8 || expected == 0 || image.bytes.size() < expected)
        return Error{ErrorCode::InvalidArgument, std::string("FLIP takes Rgba8 pictures; the ") + which + " picture is " +
                                                     std::to_string(image.width) + "x" + std::to_string(image.height) + " with " +
                                                     std::to_string(image.bytes.size()) + " bytes"};
    return {};
}

float hyAb(vec3 a, vec3 b)
{
    return std::fabs(a.x - b.x) + std::hypot(a.y - b.y, a.z - b.z);
}

/// Compresses large differences: most of the scale goes to those below 0.4 of the largest.
float redistribute(float difference, float largest)
{
    const float breakAt = kColorBreak * largest;
    if (difference < breakAt)
        return kColorBreakValue / breakAt * difference;
    return kColorBreakValue + (difference - breakAt) / (largest - breakAt) * (1.0f - kColorBreakValue);
}

void summarise(FlipResult& result, std::span<const std::uint8_t> covered)
{
    std::vector<float> counted;
    counted.reserve(result.errors.size());
    double sum = 0.0;
    for (std::size_t i = 0; i < result.errors.size(); ++i)
    {
        if (!covered.empty() && covered[i] == 0)
            continue;
        counted.push_back(result.errors[i]);
        sum += static_cast<double>(result.errors[i]);
    }
    result.coveredCount = counted.size();
    if (counted.empty())
        return;
    result.mean = static_cast<float>(sum / static_cast<double>(counted.size()));
    // The smallest value that at least 99 of 100 are not above.
    const std::size_t rank = (counted.size() * 99 + 99) / 100 - 1;
    std::nth_element(counted.begin(), counted.begin() + static_cast<std::ptrdiff_t>(rank), counted.end());
    result.p99 = counted[rank];
    result.max = *std::max_element(counted.begin(), counted.end());
}

} // namespace

Result<FlipResult> computeFlip(
    const Image& reference, const Image& test, const FlipSettings& settings, std::span<const std::uint8_t> covered)
{
    DL_TRY(check(reference, "reference"));
    DL_TRY(check(test, "test"));
    if (reference.width != test.width || reference.height != test.height)
        return Error{ErrorCode::InvalidArgument, "FLIP: the reference is " + std::to_string(reference.width) + "x" +
                                                     std::to_string(reference.height) + ", the test picture " + std::to_string(test.width) +
                                                     "x" + std::to_string(test.height)};
    const std::size_t count = static_cast<std::size_t>(reference.width) * reference.height;
    if (!covered.empty() && covered.size() != count)
        return Error{ErrorCode::InvalidArgument,
            "FLIP: the mask has " + std::to_string(covered.size()) + " values for " + std::to_string(count) + " pixels"};
    if (!(settings.pixelsPerDegree >= 1.0f && settings.pixelsPerDegree <= 1000.0f))
        return Error{ErrorCode::InvalidArgument, "FLIP: pixelsPerDegree must be between 1 and 1000"};

    const ImageSize size{reference.width, reference.height};
    const Perceived a = perceive(toLinear(reference), size, settings.pixelsPerDegree);
    const Perceived b = perceive(toLinear(test), size, settings.pixelsPerDegree);
    const float largest = std::pow(hyAb(linearToHuntLab(vec3(0, 1, 0)), linearToHuntLab(vec3(0, 0, 1))), kColorExponent);

    FlipResult result;
    result.errors.resize(count);
    for (std::size_t i = 0; i < count; ++i)
    {
        const float color = redistribute(std::pow(hyAb(a.huntLab[i], b.huntLab[i]), kColorExponent), largest);
        const float edge = std::fabs(a.edge[i] - b.edge[i]);
        const float point = std::fabs(a.point[i] - b.point[i]);
        const float feature = std::pow(std::max(edge, point) * 0.70710678f, kFeatureExponent);
        result.errors[i] = color > 0.0f ? std::clamp(std::pow(color, 1.0f - std::min(feature, 1.0f)), 0.0f, 1.0f) : 0.0f;
    }
    summarise(result, covered);
    return result;
}

Image makeFlipHeatMap(const FlipResult& result, std::uint32_t width, std::uint32_t height)
{
    DL_ASSERT(result.errors.size() == static_cast<std::size_t>(width) * height, "the size of the heat map is not that of the errors");
    static const vec3 kStops[] = {vec3(0, 0, 4), vec3(81, 18, 124), vec3(183, 55, 121), vec3(252, 137, 97), vec3(252, 253, 191)};
    Image image;
    image.name = "flip";
    image.width = width;
    image.height = height;
    image.bytes.resize(result.errors.size() * 4);
    for (std::size_t i = 0; i < result.errors.size(); ++i)
    {
        const float position = std::clamp(result.errors[i], 0.0f, 1.0f) * 4.0f;
        const std::size_t stop = std::min<std::size_t>(static_cast<std::size_t>(position), 3);
        const vec3 color = glm::mix(kStops[stop], kStops[stop + 1], position - static_cast<float>(stop));
        for (int c = 0; c < 3; ++c)
            image.bytes[i * 4 + static_cast<std::size_t>(c)] = static_cast<std::byte>(static_cast<std::uint8_t>(color[c] + 0.5f));
        image.bytes[i * 4 + 3] = std::byte{255};
    }
    return image;
}

} // namespace dl::golden
