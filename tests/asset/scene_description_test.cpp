// World transforms, bounds, joint matrices and tangents against values computed by hand or given by real files.
#include "drawloom/asset/gltf_import.h"
#include "drawloom/asset/tangents.h"
#include "tests/asset/shared_index.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dl::test
{
namespace
{

Primitive makeTriangle()
{
    Primitive primitive;
    primitive.positions = {vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0)};
    primitive.normals.assign(3, vec3(0, 0, 1));
    primitive.indices = {0, 1, 2};
    for (const vec3 position : primitive.positions)
        primitive.bounds.include(position);
    return primitive;
}

SceneDescription makeScene(Primitive primitive)
{
    SceneDescription scene;
    scene.meshes.resize(1);
    scene.meshes[0].primitives.push_back(std::move(primitive));
    scene.nodes.resize(2);
    scene.nodes[0].local.translation = vec3(10, 0, 0);
    scene.nodes[0].local.scale = vec3(2);
    scene.nodes[1].parent = 0;
    scene.nodes[1].local.translation = vec3(0, 1, 0);
    scene.nodes[1].meshIndex = 0;
    return scene;
}

TEST(SceneBounds, AreEmptyForNothing)
{
    EXPECT_TRUE(computeSceneBounds({}).isEmpty());
    SceneDescription scene;
    scene.nodes.resize(3);
    EXPECT_TRUE(computeSceneBounds(scene).isEmpty());
}

TEST(SceneBounds, FollowParentsAndInstances)
{
    SceneDescription scene = makeScene(makeTriangle());
    Aabb box = computeSceneBounds(scene);
    EXPECT_EQ(box.min, vec3(10, 2, 0));
    EXPECT_EQ(box.max, vec3(12, 4, 0));
    scene.nodes[1].instances = {toAffine(Trs{.translation = vec3(0, 0, 5)}), toAffine(Trs{.translation = vec3(-1, 0, 0)})};
    box = computeSceneBounds(scene);
    EXPECT_EQ(box.min, vec3(8, 2, 0));
    EXPECT_EQ(box.max, vec3(12, 4, 10));
}

TEST(SceneBounds, CountMorphTargetsAtTheirWeights)
{
    Primitive primitive = makeTriangle();
    primitive.morphTargets.resize(1);
    primitive.morphTargets[0].positions = {vec3(0, 0, 8), vec3(0), vec3(0)};
    SceneDescription scene = makeScene(std::move(primitive));
    scene.meshes[0].morphWeights = {0.5f};
    EXPECT_EQ(computeSceneBounds(scene).max.z, 8.0f);
    scene.nodes[1].morphWeights = {0.0f};
    EXPECT_EQ(computeSceneBounds(scene).max.z, 0.0f) << "the node's weights win";
}

TEST(SceneBounds, FollowJointsAndIgnoreTheNodeOfASkinnedMesh)
{
    Primitive primitive = makeTriangle();
    primitive.skin.resize(3);
    for (VertexSkin& skin : primitive.skin)
        skin.weights[0] = 1.0f;
    primitive.skin[2].joints[1] = 1; // the third vertex: half joint 0, half joint 1
    primitive.skin[2].weights[0] = primitive.skin[2].weights[1] = 0.5f;
    SceneDescription scene = makeScene(std::move(primitive));
    scene.nodes.resize(4);
    scene.nodes[2].local.translation = vec3(0, 0, 100);
    scene.nodes[3].parent = 2;
    scene.nodes[3].local.translation = vec3(0, 6, 0);
    scene.skins.resize(1);
    scene.skins[0].jointNodes = {2, 3};
    scene.skins[0].inverseBindMatrices = {mat4(1.0f), toMatrix(Trs{.translation = vec3(0, -2, 0)})};
    scene.nodes[1].skinIndex = 0;
    std::vector<Affine> joints;
    computeJointMatrices(scene, computeWorldTransforms(scene), scene.skins[0], joints);
    ASSERT_EQ(joints.size(), 2U);
    EXPECT_EQ(joints[1].translation(), vec3(0, 4, 100));
    const Aabb box = computeSceneBounds(scene);
    EXPECT_EQ(box.min, vec3(0, 0, 100));
    EXPECT_EQ(box.max, vec3(1, 3, 100));
}

TEST(Tangents, AgreeWithThoseOfARealModel)
{
    const std::filesystem::path assets = sharedAssets();
    if (assets.empty())
        GTEST_SKIP() << "../shared/assets is not there";
    const Result<SceneDescription> scene = importGltf(assets / "flight-helmet/FlightHelmet.gltf", {.decodeImages = false});
    ASSERT_TRUE(scene) << scene.error().message;
    std::size_t count = 0;
    std::size_t sameSign = 0;
    double cosineSum = 0.0;
    for (const Mesh& mesh : scene->meshes)
        for (const Primitive& original : mesh.primitives)
        {
            Primitive made = original;
            generateTangents(made, 0);
            for (std::size_t i = 0; i < original.tangents.size(); ++i)
            {
                ++count;
                sameSign += made.tangents[i].w == original.tangents[i].w ? 1 : 0;
                cosineSum += double(glm::dot(vec3(made.tangents[i]), vec3(original.tangents[i])));
            }
        }
    ASSERT_GT(count, 10000U);
    EXPECT_GT(static_cast<double>(sameSign) / static_cast<double>(count), 0.99);
    EXPECT_GT(cosineSum / static_cast<double>(count), 0.98);
}

} // namespace
} // namespace dl::test
