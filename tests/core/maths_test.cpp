#include "drawloom/core/maths.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

namespace dl
{
namespace
{

void expectNear(vec3 a, vec3 b, float tolerance)
{
    for (int i = 0; i < 3; ++i)
        EXPECT_NEAR(a[i], b[i], tolerance);
}

Trs randomTrs(std::mt19937& random)
{
    std::uniform_real_distribution<float> unit(-1.0f, 1.0f);
    Trs trs;
    trs.translation = 10.0f * vec3(unit(random), unit(random), unit(random));
    trs.rotation = glm::normalize(quat(unit(random), unit(random), unit(random), unit(random)));
    trs.scale = vec3(unit(random), unit(random), unit(random)) + vec3(1.5f);
    return trs;
}

} // namespace

TEST(Affine, AgreesWithMatricesAndInverts)
{
    std::mt19937 random(7);
    for (int i = 0; i < 200; ++i)
    {
        const Trs outerTrs = randomTrs(random);
        const Affine outer = toAffine(outerTrs);
        const Affine inner = toAffine(randomTrs(random));
        const vec3 p(1.0f, -2.0f, 0.5f);
        expectNear(outer.transformPoint(p), outerTrs.translation + outerTrs.rotation * (outerTrs.scale * p), 1e-4f);
        expectNear(compose(outer, inner).transformPoint(p), vec3(toMatrix(outer) * toMatrix(inner) * vec4(p, 1.0f)), 1e-3f);
        expectNear(inverse(outer).transformPoint(outer.transformPoint(p)), p, 1e-3f);
        EXPECT_EQ(toAffine(toMatrix(outer)), outer);
    }
}

TEST(Affine, NegativeDeterminantMeansMirrored)
{
    Trs trs;
    EXPECT_GT(toAffine(trs).determinant(), 0.0f);
    trs.scale = vec3(-1.0f, 1.0f, 1.0f);
    EXPECT_LT(toAffine(trs).determinant(), 0.0f);
    EXPECT_FLOAT_EQ(maxScale(toAffine(trs)), 1.0f);
}

TEST(Aabb, TransformedBoxHoldsAllTransformedCorners)
{
    std::mt19937 random(8);
    const Aabb box{vec3(-1, 0, 2), vec3(3, 1, 4)};
    for (int i = 0; i < 100; ++i)
    {
        const Affine affine = toAffine(randomTrs(random));
        const Aabb moved = transformAabb(affine, box);
        for (int corner = 0; corner < 8; ++corner)
        {
            const vec3 p = affine.transformPoint(vec3((corner & 1) != 0 ? box.max.x : box.min.x, (corner & 2) != 0 ? box.max.y : box.min.y,
                (corner & 4) != 0 ? box.max.z : box.min.z));
            for (int axis = 0; axis < 3; ++axis)
            {
                EXPECT_GE(p[axis], moved.min[axis] - 1e-4f);
                EXPECT_LE(p[axis], moved.max[axis] + 1e-4f);
            }
        }
    }
    EXPECT_TRUE(transformAabb(Affine{}, Aabb{}).isEmpty());
}

TEST(Projection, DepthIsReversed)
{
    for (const float zFar : {100.0f, std::numeric_limits<float>::infinity()})
    {
        const mat4 p = perspectiveReversed(1.0f, 1.5f, 0.1f, zFar);
        const vec4 nearPoint = p * vec4(0, 0, -0.1f, 1);
        EXPECT_NEAR(nearPoint.z / nearPoint.w, 1.0f, 1e-5f);
        const vec4 farPoint = p * vec4(0, 0, -99.999f, 1);
        EXPECT_NEAR(farPoint.z / farPoint.w, 0.0f, std::isinf(zFar) ? 2e-3f : 1e-5f);
    }
    const mat4 o = orthographicReversed(2.0f, 1.0f, 1.0f, 11.0f);
    EXPECT_NEAR((o * vec4(0, 0, -1, 1)).z, 1.0f, 1e-6f);
    EXPECT_NEAR((o * vec4(0, 0, -11, 1)).z, 0.0f, 1e-6f);
    EXPECT_NEAR((o * vec4(2, 1, -5, 1)).x, 1.0f, 1e-6f);
}

} // namespace dl
