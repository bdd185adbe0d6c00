// Animations from file to pose: step, linear and cubic sampling against values computed by hand.
#include "drawloom/asset/gltf_export.h"
#include "tests/asset/gltf_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace dl::test
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

std::string animationText(std::string_view path, std::string_view interpolation, std::string_view node = "{}")
{
    return R"("nodes":[)" + std::string(node) + R"(],"animations":[{"name":"a","samplers":[{"input":0,"output":1,"interpolation":")" +
           std::string(interpolation) + R"("}],"channels":[{"sampler":0,"target":{"node":0,"path":")" + std::string(path) + R"("}}]}])";
}

/// The node's state at a time; reports a failed import.
Node poseAt(const Result<SceneDescription>& scene, float time)
{
    EXPECT_TRUE(scene) << errorOf(scene);
    if (!scene || scene->animations.empty())
        return {};
    SceneDescription copy = *scene;
    applyAnimation(copy, copy.animations[0], time);
    return copy.nodes[0];
}

TEST(GltfAnimation, InterpolatesTranslationLinearlyAndInSteps)
{
    GltfBuilder builder;
    builder.addFloats("SCALAR", 3, {1, 2, 4});
    builder.addFloats("VEC3", 3, {0, 0, 0, 10, 20, 30, 0, 0, 2});
    const Result<SceneDescription> linear = builder.import(animationText("translation", "LINEAR"));
    ASSERT_TRUE(linear) << errorOf(linear);
    EXPECT_EQ(linear->animations[0].name, "a");
    EXPECT_EQ(linear->animations[0].durationSeconds, 4.0f);
    EXPECT_EQ(poseAt(linear, 0.0f).local.translation, vec3(0)) << "before the first key: the first key";
    EXPECT_EQ(poseAt(linear, 1.5f).local.translation, vec3(5, 10, 15));
    EXPECT_EQ(poseAt(linear, 2.0f).local.translation, vec3(10, 20, 30));
    EXPECT_EQ(poseAt(linear, 3.0f).local.translation, vec3(5, 10, 16));
    EXPECT_EQ(poseAt(linear, 9.0f).local.translation, vec3(0, 0, 2)) << "after the last key: the last key";
    const Result<SceneDescription> step = builder.import(animationText("translation", "STEP"));
    EXPECT_EQ(poseAt(step, 1.99f).local.translation, vec3(0));
    EXPECT_EQ(poseAt(step, 2.0f).local.translation, vec3(10, 20, 30));
    EXPECT_EQ(poseAt(step, 4.0f).local.translation, vec3(0, 0, 2));
}

TEST(GltfAnimation, FollowsHermiteSplinesWithTangentsScaledByTheSpan)
{
    GltfBuilder builder;
    builder.addFloats("SCALAR", 2, {0, 2});
    // per key: in-tangent, value, out-tangent
    builder.addFloats("VEC3", 6, {9, 9, 9, 1, 0, 0, 4, 0, 0, -2, 0, 0, 5, 0, 0, 9, 9, 9});
    const Result<SceneDescription> scene = builder.import(animationText("scale", "CUBICSPLINE"));
    EXPECT_FLOAT_EQ(poseAt(scene, 0.0f).local.scale.x, 1.0f);
    EXPECT_FLOAT_EQ(poseAt(scene, 2.0f).local.scale.x, 5.0f);
    // t = 1/2: (p0 + p1) / 2 + span * (m0 - m1) / 8 = 3 + 2 * (4 + 2) / 8
    EXPECT_FLOAT_EQ(poseAt(scene, 1.0f).local.scale.x, 4.5f);
}

TEST(GltfAnimation, TurnsRotationsOnTheShorterArcFromNormalisedIntegers)
{
    GltfBuilder builder;
    builder.addFloats("SCALAR", 2, {0, 1});
    // identity and -(a quarter turn around z): the shorter arc is the quarter turn
    builder.add<std::int16_t>("VEC4", 5122, 2, {0, 0, 0, 32767, 0, 0, -23170, -23170}, R"(,"normalized":true)");
    const Node node = poseAt(builder.import(animationText("rotation", "LINEAR")), 0.5f);
    const vec3 turned = node.local.rotation * vec3(1, 0, 0);
    EXPECT_NEAR(turned.x, std::cos(0.7853982f), 1e-4f);
    EXPECT_NEAR(turned.y, std::sin(0.7853982f), 1e-4f);
    GltfBuilder bytes;
    bytes.addFloats("SCALAR", 1, {0});
    bytes.add<std::int8_t>("VEC4", 5120, 1, {127, 0, 0, 0}, R"(,"normalized":true)");
    EXPECT_EQ(poseAt(bytes.import(animationText("rotation", "STEP")), 0.0f).local.rotation, quat(0, 1, 0, 0));
}

TEST(GltfAnimation, DrivesMorphWeights)
{
    GltfBuilder builder;
    builder.addFloats("SCALAR", 2, {0, 1});
    builder.add<std::uint8_t>("SCALAR", 5121, 4, {0, 255, 255, 0}, R"(,"normalized":true)");
    builder.addFloats("VEC3", 3, {0, 0, 0, 1, 0, 0, 0, 1, 0});
    const std::string mesh = meshText(R"("POSITION":2)", R"(,"targets":[{"POSITION":2},{"POSITION":2}])") + ",";
    const Result<SceneDescription> scene = builder.import(mesh + animationText("weights", "LINEAR", R"({"mesh":0})"));
    EXPECT_THAT(poseAt(scene, 0.25f).morphWeights, ElementsAre(0.25f, 0.75f));
    const Result<SceneDescription> noTargets = builder.import(animationText("weights", "LINEAR"));
    ASSERT_TRUE(noTargets) << errorOf(noTargets);
    EXPECT_TRUE(hasIssue(*noTargets, "channel-dropped"));
}

TEST(GltfAnimation, WeightsOfNodesThatShowNoMeshOfTheirOwnAreDroppedWithAReportAndExport)
{
    GltfBuilder builder;
    builder.addFloats("SCALAR", 2, {0, 1});
    builder.addFloats("SCALAR", 2, {0, 1});
    builder.addFloats("VEC3", 3, {0, 0, 0, 1, 0, 0, 0, 1, 0});
    const std::string mesh = meshText(R"("POSITION":2)", R"(,"targets":[{"POSITION":2}])") + ",";
    const std::string outside = R"("scenes":[{"nodes":[1]}],)" + animationText("weights", "LINEAR", R"({"mesh":0},{})");
    const std::string level = R"("scenes":[{"nodes":[1]}],)" +
                              animationText("weights", "LINEAR", R"({"mesh":0},{"mesh":0,"extensions":{"MSFT_lod":{"ids":[0]}}})");
    for (const std::string& text : {outside, level})
    {
        const Result<SceneDescription> scene = builder.import(mesh + text, {.isStrict = true});
        ASSERT_TRUE(scene) << errorOf(scene);
        EXPECT_TRUE(hasIssue(*scene, "channel-dropped"));
        EXPECT_TRUE(scene->animations.at(0).channels.empty());
        const Result<std::vector<std::byte>> glb = exportGlbToMemory(*scene);
        ASSERT_TRUE(glb) << glb.error().message;
        EXPECT_EQ(errorOf(importGltfFromMemory(*glb, {})), "imported");
    }
}

TEST(GltfAnimation, TurnsAMatrixIntoTrsBeforeItIsAnimated)
{
    GltfBuilder builder;
    builder.addFloats("SCALAR", 1, {0});
    builder.addFloats("VEC3", 1, {7, 8, 9});
    const Node node =
        poseAt(builder.import(animationText("translation", "STEP", R"({"matrix":[0,2,0,0, -3,0,0,0, 0,0,-4,0, 1,1,1,1]})")), 0.0f);
    EXPECT_FALSE(node.matrix.has_value());
    EXPECT_EQ(node.local.translation, vec3(7, 8, 9));
    const Affine affine = toAffine(node.local);
    EXPECT_NEAR(glm::length(affine.transformVector(vec3(1, 0, 0)) - vec3(0, 2, 0)), 0.0f, 1e-5f);
    EXPECT_NEAR(glm::length(affine.transformVector(vec3(0, 1, 0)) - vec3(-3, 0, 0)), 0.0f, 1e-5f);
    EXPECT_NEAR(glm::length(affine.transformVector(vec3(0, 0, 1)) - vec3(0, 0, -4)), 0.0f, 1e-5f);
}

TEST(GltfAnimation, RefusesValuesThatDoNotMatchTheKeysAndDropsUnorderedTimes)
{
    GltfBuilder builder;
    builder.addFloats("SCALAR", 2, {0, 1});
    builder.addFloats("VEC3", 1, {0, 0, 0});
    EXPECT_EQ(errorOf(builder.import(animationText("scale", "LINEAR"))),
        "animations[0].samplers[0].output: accessors[1] has 1 elements, 2 keys need 2");
    EXPECT_EQ(errorOf(builder.import(animationText("rotation", "LINEAR"))),
        "animations[0].samplers[0].output: accessors[1] is VEC3, VEC4 is needed");
    EXPECT_THAT(errorOf(builder.import(animationText("scale", "BEZIER"))), HasSubstr("samplers[0].interpolation: \"BEZIER\" is none of"));
    for (const std::vector<float>& times : {std::vector<float>{1, 1}, std::vector<float>{2, 1}, std::vector<float>{-1, 1}})
    {
        GltfBuilder unordered;
        unordered.addFloats("SCALAR", 2, times);
        unordered.addFloats("VEC3", 2, {0, 0, 0, 1, 1, 1});
        const Result<SceneDescription> scene = unordered.import(animationText("scale", "LINEAR"));
        ASSERT_TRUE(scene) << errorOf(scene);
        EXPECT_TRUE(scene->animations[0].channels.empty());
        EXPECT_TRUE(hasIssue(*scene, "channel-dropped"));
    }
}

} // namespace
} // namespace dl::test
