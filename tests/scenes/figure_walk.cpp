// tests/scenes/figure_walk.cpp - the walk: hips, legs, arms and the way ahead as keyed rotations.
#include "tests/scenes/figures.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace dl::scenes
{

namespace
{

constexpr float kDurationSeconds = 4.0f;
constexpr float kStepsPerSecond = 0.9f; ///< whole cycles of two steps
constexpr float kMetresPerCycle = 1.3f;
constexpr std::uint32_t kKeysPerSecond = 10;
constexpr float kTurn = 6.2831853f;

quat about(vec3 axis, float radians)
{
    return glm::angleAxis(radians, axis);
}

void addRotation(SceneBuilder& builder, Animation& walk, std::uint32_t node, const std::function<quat(float)>& pose)
{
    AnimationChannel channel;
    channel.nodeIndex = node;
    channel.path = AnimationPath::Rotation;
    const auto keyCount = static_cast<std::uint32_t>(kDurationSeconds) * kKeysPerSecond;
    for (std::uint32_t key = 0; key <= keyCount; ++key)
    {
        const float time = static_cast<float>(key) / static_cast<float>(kKeysPerSecond);
        const quat rotation = glm::normalize(pose(time));
        channel.times.push_back(time);
        channel.values.insert(channel.values.end(), {rotation.x, rotation.y, rotation.z, rotation.w});
    }
    builder.scene.nodes[node].local.rotation = glm::normalize(pose(0.0f));
    walk.channels.push_back(std::move(channel));
}

void addTranslation(
    SceneBuilder& builder, Animation& walk, std::uint32_t node, const std::function<vec3(float)>& pose, std::uint32_t keysPerSecond)
{
    AnimationChannel channel;
    channel.nodeIndex = node;
    const auto keyCount = static_cast<std::uint32_t>(kDurationSeconds) * keysPerSecond;
    for (std::uint32_t key = 0; key <= keyCount; ++key)
    {
        const float time = static_cast<float>(key) / static_cast<float>(keysPerSecond);
        const vec3 p = pose(time);
        channel.times.push_back(time);
        channel.values.insert(channel.values.end(), {p.x, p.y, p.z});
    }
    builder.scene.nodes[node].local.translation = pose(0.0f);
    walk.channels.push_back(std::move(channel));
}

} // namespace

void addWalk(SceneBuilder& builder, const FigureDesc& desc, std::uint32_t figureNode, std::uint32_t firstJointNode, Animation& walk)
{
    walk.durationSeconds = kDurationSeconds;
    const vec3 x(1, 0, 0);
    const vec3 y(0, 1, 0);
    const float amount = desc.isWalking ? 1.0f : 0.0f;
    const float phase = desc.phase;
    const auto swing = [phase](float time) { return std::sin(kTurn * (time * kStepsPerSecond + phase)); };
    const auto rotate = [&](std::uint16_t joint, const std::function<quat(float)>& pose)
    { addRotation(builder, walk, firstJointNode + joint, pose); };

    for (const float side : {1.0f, -1.0f})
    {
        const std::uint16_t upper = side > 0.0f ? kUpperLegL : kUpperLegR;
        rotate(upper, [=](float t) { return about(x, -0.55f * amount * side * swing(t)); });
        // The knee bends while its leg comes forward.
        rotate(static_cast<std::uint16_t>(upper + 1), [=](float t)
            { return about(x, amount * (0.12f + 0.75f * std::max(0.0f, side * std::cos(kTurn * (t * kStepsPerSecond + phase))))); });
        rotate(static_cast<std::uint16_t>(upper + 2), [=](float t) { return about(x, -0.15f * amount * side * swing(t)); });

        const bool isHolding = (side < 0.0f && desc.weapon != Weapon::None) || (side > 0.0f && desc.hasShield);
        const std::uint16_t arm = side > 0.0f ? kUpperArmL : kUpperArmR;
        const float outwards = side * 0.10f;
        rotate(arm,
            [=](float t)
            {
                const float swung = isHolding ? -0.18f + 0.05f * swing(t) : (0.45f * amount + 0.04f) * side * swing(t);
                return about(vec3(0, 0, 1), outwards) * about(x, swung);
            });
        const float bent = isHolding ? (side < 0.0f ? -1.35f : -1.15f) : -0.25f;
        rotate(static_cast<std::uint16_t>(arm + 1), [=](float t) { return about(x, bent - 0.06f * swing(t)); });
    }
    rotate(kSpine, [=](float t) { return about(y, 0.10f * amount * swing(t)) * about(x, 0.04f); });
    rotate(kHead, [=](float t) { return about(y, desc.isWalking ? -0.06f * swing(t) : 0.45f * std::sin(kTurn * (0.25f * t + phase))); });

    const vec3 hips = skeleton()[kHips].position;
    addTranslation(
        builder, walk, firstJointNode + kHips,
        [=](float t) { return hips + vec3(0, amount * (-0.035f + 0.025f * std::cos(2.0f * kTurn * (t * kStepsPerSecond + phase))), 0); },
        kKeysPerSecond);
    if (desc.isWalking)
    {
        const vec3 ahead(std::sin(desc.yawRadians), 0.0f, std::cos(desc.yawRadians));
        addTranslation(
            builder, walk, figureNode,
            [=](float t) { return desc.position + ahead * (t * kStepsPerSecond * kMetresPerCycle * desc.heightScale); }, 1);
    }
}

} // namespace dl::scenes
