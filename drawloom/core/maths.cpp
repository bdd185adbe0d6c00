#include "drawloom/core/maths.h"

#include <glm/gtc/matrix_transform.hpp>

#include <cmath>

namespace dl
{

Affine toAffine(const mat4& m)
{
    Affine a;
    for (int row = 0; row < 3; ++row)
        a.rows[row] = vec4(m[0][row], m[1][row], m[2][row], m[3][row]);
    return a;
}

Affine toAffine(const Trs& trs)
{
    const mat3 r = glm::mat3_cast(trs.rotation);
    Affine a;
    for (int row = 0; row < 3; ++row)
        a.rows[row] = vec4(r[0][row] * trs.scale.x, r[1][row] * trs.scale.y, r[2][row] * trs.scale.z, trs.translation[row]);
    return a;
}

mat4 toMatrix(const Affine& a)
{
    mat4 m(1.0f);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column)
            m[column][row] = a.rows[row][column];
    return m;
}

mat4 toMatrix(const Trs& trs)
{
    return toMatrix(toAffine(trs));
}

Affine compose(const Affine& outer, const Affine& inner)
{
    Affine out;
    for (int row = 0; row < 3; ++row)
    {
        const vec4 o = outer.rows[row];
        out.rows[row] = o.x * inner.rows[0] + o.y * inner.rows[1] + o.z * inner.rows[2] + vec4(0.0f, 0.0f, 0.0f, o.w);
    }
    return out;
}

Affine inverse(const Affine& a)
{
    const vec3 r0(a.rows[0]);
    const vec3 r1(a.rows[1]);
    const vec3 r2(a.rows[2]);
    const vec3 c0 = glm::cross(r1, r2);
    const vec3 c1 = glm::cross(r2, r0);
    const vec3 c2 = glm::cross(r0, r1);
    const float inverseDeterminant = 1.0f / glm::dot(r0, c0);
    const vec3 t = a.translation();
    Affine out;
    for (int row = 0; row < 3; ++row)
    {
        const vec3 v = vec3(c0[row], c1[row], c2[row]) * inverseDeterminant;
        out.rows[row] = vec4(v, -glm::dot(v, t));
    }
    return out;
}

Aabb transformAabb(const Affine& a, const Aabb& box)
{
    if (box.isEmpty())
        return box;
    const vec3 centre = a.transformPoint(box.centre());
    const vec3 half = box.halfExtent();
    vec3 extent;
    for (int row = 0; row < 3; ++row)
        extent[row] = glm::dot(glm::abs(vec3(a.rows[row])), half);
    return Aabb{centre - extent, centre + extent};
}

float maxScale(const Affine& a)
{
    float largest = 0.0f;
    for (int column = 0; column < 3; ++column)
        largest = std::max(
            largest, a.rows[0][column] * a.rows[0][column] + a.rows[1][column] * a.rows[1][column] + a.rows[2][column] * a.rows[2][column]);
    return std::sqrt(largest);
}

mat4 perspectiveReversed(float fovYRadians, float aspect, float zNear, float zFar)
{
    const float f = 1.0f / std::tan(0.5f * fovYRadians);
    mat4 m(0.0f);
    m[0][0] = f / aspect;
    m[1][1] = f;
    if (std::isinf(zFar))
    {
        m[2][2] = 0.0f;
        m[3][2] = zNear;
    }
    else
    {
        m[2][2] = zNear / (zFar - zNear);
        m[3][2] = zFar * zNear / (zFar - zNear);
    }
    m[2][3] = -1.0f;
    return m;
}

mat4 orthographicReversed(float halfWidth, float halfHeight, float zNear, float zFar)
{
    mat4 m(1.0f);
    m[0][0] = 1.0f / halfWidth;
    m[1][1] = 1.0f / halfHeight;
    m[2][2] = 1.0f / (zFar - zNear);
    m[3][2] = zFar / (zFar - zNear);
    return m;
}

mat4 lookAt(vec3 eye, vec3 target, vec3 up)
{
    return glm::lookAtRH(eye, target, up);
}

} // namespace dl
