// drawloom/scene/detail/deform_bounds.h - boxes around skinned and morphed primitives in any pose: a skinned vertex is a convex
// combination of its joints' images of it, so the joints' images of the boxes of their vertices hold it.
#pragma once

#include "drawloom/asset/mesh.h"
#include "drawloom/core/maths.h"

#include <span>
#include <vector>

namespace dl::detail
{

struct DeformBounds
{
    Aabb base;                       ///< bind pose
    std::vector<Aabb> byJoint;       ///< of the vertices that a joint moves, bind pose; empty boxes: none
    std::vector<Aabb> displacements; ///< by morph target

    static DeformBounds of(const Primitive& primitive);
    /// `joints` empty: not skinned.
    Aabb posed(std::span<const Affine> joints, std::span<const float> weights) const;
};

} // namespace dl::detail
