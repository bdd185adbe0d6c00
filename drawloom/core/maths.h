// drawloom/core/maths.h - vector types (GLM, configured once here), boxes, spheres and affine transforms.
// Conventions: right-handed, +Y up, metres, column vectors, clip depth 0..1 reversed (1 = near, 0 = far).
#pragma once

#ifndef GLM_FORCE_DEPTH_ZERO_TO_ONE
#define GLM_FORCE_DEPTH_ZERO_TO_ONE
#endif
#ifndef GLM_FORCE_QUAT_DATA_XYZW
#define GLM_FORCE_QUAT_DATA_XYZW
#endif
#include <glm/glm.hpp>
#include <glm/gtc/quaternion.hpp>

#include <cstdint>

namespace dl
{

using glm::mat3;
using glm::mat4;
using glm::quat;
using glm::vec2;
using glm::vec3;
using glm::vec4;
using i32vec3 = glm::vec<3, std::int32_t>;

/// Axis-aligned box; the default is empty (grows by `include`).
struct Aabb
{
    vec3 min = vec3(3.4e38f);
    vec3 max = vec3(-3.4e38f);

    bool isEmpty() const { return min.x > max.x || min.y > max.y || min.z > max.z; }
    vec3 centre() const { return 0.5f * (min + max); }
    vec3 halfExtent() const { return 0.5f * (max - min); }
    void include(vec3 point)
    {
        min = glm::min(min, point);
        max = glm::max(max, point);
    }
    void include(const Aabb& other)
    {
        min = glm::min(min, other.min);
        max = glm::max(max, other.max);
    }
};

struct Sphere
{
    vec3 centre = vec3(0.0f);
    float radius = 0.0f;
};

/// Translation, rotation (unit quaternion x, y, z, w), scale: applied scale first.
struct Trs
{
    vec3 translation = vec3(0.0f);
    quat rotation = quat(1.0f, 0.0f, 0.0f, 0.0f);
    vec3 scale = vec3(1.0f);
};

/// Affine transform as three rows (row-major 3x4, 48 bytes): the layout of the instance heap.
struct Affine
{
    vec4 rows[3] = {vec4(1, 0, 0, 0), vec4(0, 1, 0, 0), vec4(0, 0, 1, 0)};

    vec3 translation() const { return vec3(rows[0].w, rows[1].w, rows[2].w); }
    vec3 transformPoint(vec3 p) const
    {
        const vec4 q(p, 1.0f);
        return vec3(glm::dot(rows[0], q), glm::dot(rows[1], q), glm::dot(rows[2], q));
    }
    vec3 transformVector(vec3 v) const { return vec3(glm::dot(vec3(rows[0]), v), glm::dot(vec3(rows[1]), v), glm::dot(vec3(rows[2]), v)); }
    /// Of the 3x3 part; negative means mirrored (winding parity).
    float determinant() const { return glm::dot(vec3(rows[0]), glm::cross(vec3(rows[1]), vec3(rows[2]))); }
    friend bool operator==(const Affine&, const Affine&) = default;
};
static_assert(sizeof(Affine) == 48);

Affine toAffine(const mat4& matrix);
Affine toAffine(const Trs& trs);
mat4 toMatrix(const Affine& affine);
mat4 toMatrix(const Trs& trs);
/// The transform that applies `inner` first, then `outer`.
Affine compose(const Affine& outer, const Affine& inner);
/// Inverse; the caller makes sure that the determinant is not zero.
Affine inverse(const Affine& affine);
/// Box around the transformed box (Arvo, Graphics Gems 1990). An empty box stays empty.
Aabb transformAabb(const Affine& affine, const Aabb& box);
/// Largest scale of any axis: bounds a transformed radius.
float maxScale(const Affine& affine);

/// Right-handed perspective with reversed depth: zNear maps to 1, zFar to 0; zFar = infinity is allowed.
mat4 perspectiveReversed(float fovYRadians, float aspect, float zNear, float zFar);
/// Right-handed orthographic with reversed depth over [-halfWidth, halfWidth] x [-halfHeight, halfHeight].
mat4 orthographicReversed(float halfWidth, float halfHeight, float zNear, float zFar);
/// World-to-view matrix of a camera at `eye` that looks at `target`.
mat4 lookAt(vec3 eye, vec3 target, vec3 up);

} // namespace dl
