// drawloom/asset/scene_animation.cpp - samples animation channels as glTF 2.0 defines them (appendix C) and writes the
// pose into a scene description.
#include "drawloom/asset/scene_description.h"

#include <glm/gtc/quaternion.hpp>

#include <algorithm>
#include <cmath>
#include <span>

namespace dl
{
namespace
{

/// Where a time lies between two keys. before == after outside the keys.
struct KeyPosition
{
    std::size_t before = 0, after = 0;
    float fraction = 0.0f; ///< 0..1 from before to after
    float spanSeconds = 0.0f;
};

KeyPosition findKeys(const std::vector<float>& times, float time)
{
    const auto next = std::upper_bound(times.begin(), times.end(), time);
    if (next == times.begin())
        return KeyPosition{};
    const auto before = static_cast<std::size_t>(next - times.begin()) - 1;
    if (next == times.end())
        return KeyPosition{before, before, 0.0f, 0.0f};
    const float span = *next - times[before];
    return KeyPosition{before, before + 1, (time - times[before]) / span, span};
}

std::size_t componentCount(const AnimationChannel& channel)
{
    const std::size_t perKey = channel.interpolation == Interpolation::CubicSpline ? 3 : 1;
    return channel.times.empty() ? 0 : channel.values.size() / (channel.times.size() * perKey);
}

float sampleCubic(const AnimationChannel& channel, const KeyPosition& at, std::size_t component, std::size_t components)
{
    const auto value = [&](std::size_t key, std::size_t part) { return channel.values[(key * 3 + part) * components + component]; };
    if (at.before == at.after)
        return value(at.before, 1);
    const float t = at.fraction;
    const float t2 = t * t;
    const float t3 = t2 * t;
    return (2.0f * t3 - 3.0f * t2 + 1.0f) * value(at.before, 1) + at.spanSeconds * (t3 - 2.0f * t2 + t) * value(at.before, 2) +
           (-2.0f * t3 + 3.0f * t2) * value(at.after, 1) + at.spanSeconds * (t3 - t2) * value(at.after, 0);
}

float sampleComponent(const AnimationChannel& channel, const KeyPosition& at, std::size_t component, std::size_t components)
{
    if (channel.interpolation == Interpolation::CubicSpline)
        return sampleCubic(channel, at, component, components);
    const float before = channel.values[at.before * components + component];
    if (channel.interpolation == Interpolation::Step)
        return before;
    return before + at.fraction * (channel.values[at.after * components + component] - before);
}

vec3 sampleVec3(const AnimationChannel& channel, const KeyPosition& at)
{
    return vec3(sampleComponent(channel, at, 0, 3), sampleComponent(channel, at, 1, 3), sampleComponent(channel, at, 2, 3));
}

quat normalizedOrIdentity(quat q)
{
    const float length = std::sqrt(glm::dot(q, q));
    return length > 1e-12f ? q * (1.0f / length) : quat(1.0f, 0.0f, 0.0f, 0.0f);
}

quat sampleRotation(const AnimationChannel& channel, const KeyPosition& at)
{
    const auto keyAt = [&](std::size_t key)
    {
        const float* v = channel.values.data() + key * 4;
        return quat(v[3], v[0], v[1], v[2]);
    };
    if (channel.interpolation == Interpolation::Linear)
        return normalizedOrIdentity(glm::slerp(normalizedOrIdentity(keyAt(at.before)), normalizedOrIdentity(keyAt(at.after)), at.fraction));
    return normalizedOrIdentity(quat(sampleComponent(channel, at, 3, 4), sampleComponent(channel, at, 0, 4),
        sampleComponent(channel, at, 1, 4), sampleComponent(channel, at, 2, 4)));
}

/// Shear is lost: what TRS can not say stays behind, as in every TRS animation.
Trs decompose(const mat4& matrix)
{
    Trs trs;
    trs.translation = vec3(matrix[3]);
    mat3 axes(matrix);
    for (int column = 0; column < 3; ++column)
    {
        trs.scale[column] = glm::length(axes[column]);
        axes[column] = trs.scale[column] > 0.0f ? axes[column] / trs.scale[column] : mat3(1.0f)[column];
    }
    if (glm::determinant(axes) < 0.0f)
    {
        trs.scale.x = -trs.scale.x;
        axes[0] = -axes[0];
    }
    trs.rotation = normalizedOrIdentity(glm::quat_cast(axes));
    return trs;
}

void useTrs(Node& node)
{
    if (!node.matrix)
        return;
    node.local = decompose(*node.matrix);
    node.matrix.reset();
}

} // namespace

void applyAnimation(SceneDescription& scene, const Animation& animation, float timeSeconds)
{
    for (const AnimationChannel& channel : animation.channels)
    {
        if (channel.nodeIndex >= scene.nodes.size() || channel.times.empty())
            continue;
        Node& node = scene.nodes[channel.nodeIndex];
        const KeyPosition at = findKeys(channel.times, std::clamp(timeSeconds, channel.times.front(), channel.times.back()));
        if (channel.path == AnimationPath::Weights)
        {
            node.morphWeights.resize(componentCount(channel));
            for (std::size_t i = 0; i < node.morphWeights.size(); ++i)
                node.morphWeights[i] = sampleComponent(channel, at, i, node.morphWeights.size());
            continue;
        }
        useTrs(node);
        switch (channel.path)
        {
        case AnimationPath::Translation: node.local.translation = sampleVec3(channel, at); break;
        case AnimationPath::Rotation: node.local.rotation = sampleRotation(channel, at); break;
        case AnimationPath::Scale: node.local.scale = sampleVec3(channel, at); break;
        case AnimationPath::Weights: break;
        }
    }
}

} // namespace dl
