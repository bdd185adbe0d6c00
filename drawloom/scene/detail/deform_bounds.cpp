// drawloom/scene/detail/deform_bounds.cpp - see the header.
#include "drawloom/scene/detail/deform_bounds.h"

#include <algorithm>

namespace dl::detail
{

namespace
{
void includeSkin(std::span<const VertexSkin> skin, std::span<const vec3> positions, std::vector<Aabb>& byJoint)
{
    for (std::size_t vertex = 0; vertex < skin.size(); ++vertex)
        for (int k = 0; k < 4; ++k)
        {
            if (!(skin[vertex].weights[k] > 0.0f))
                continue;
            const std::size_t joint = skin[vertex].joints[k];
            if (joint >= byJoint.size())
                byJoint.resize(joint + 1);
            byJoint[joint].include(positions[vertex]);
        }
}
} // namespace

DeformBounds DeformBounds::of(const Primitive& primitive)
{
    DeformBounds bounds;
    bounds.base = primitive.bounds;
    includeSkin(primitive.skin, primitive.positions, bounds.byJoint);
    includeSkin(primitive.skin1, primitive.positions, bounds.byJoint);
    for (const MorphTarget& target : primitive.morphTargets)
    {
        Aabb& box = bounds.displacements.emplace_back();
        box.include(vec3(0.0f)); // positions that the target leaves alone
        for (const vec3& displacement : target.positions)
            box.include(displacement);
    }
    return bounds;
}

Aabb DeformBounds::posed(std::span<const Affine> joints, std::span<const float> weights) const
{
    vec3 low(0.0f), high(0.0f);
    for (std::size_t i = 0; i < std::min(displacements.size(), weights.size()); ++i)
    {
        low += glm::min(weights[i] * displacements[i].min, weights[i] * displacements[i].max);
        high += glm::max(weights[i] * displacements[i].min, weights[i] * displacements[i].max);
    }
    const auto widened = [&](Aabb box)
    {
        box.min += low;
        box.max += high;
        return box;
    };
    if (joints.empty() || byJoint.empty())
        return base.isEmpty() ? base : widened(base);
    Aabb all;
    for (std::size_t joint = 0; joint < std::min(joints.size(), byJoint.size()); ++joint)
        if (!byJoint[joint].isEmpty())
            all.include(transformAabb(joints[joint], widened(byJoint[joint])));
    return all.isEmpty() ? base : all;
}

} // namespace dl::detail
