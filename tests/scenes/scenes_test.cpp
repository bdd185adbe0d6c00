#include "tests/scenes/scenes.h"

#include "drawloom/core/hash.h"
#include "tests/scenes/scene_facts.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <set>
#include <string>

namespace dl::scenes
{
namespace
{

class EveryScene : public testing::TestWithParam<NamedScene>
{
};

TEST_P(EveryScene, HoldsOnlyValidIndicesAndUnitVectors)
{
    const SceneDescription scene = GetParam().make();
    EXPECT_EQ(scene.name, GetParam().name);
    EXPECT_EQ(findProblems(scene), "");
}

TEST_P(EveryScene, IsTheSameBytesTwice)
{
    EXPECT_EQ(hashScene(GetParam().make()), hashScene(GetParam().make()));
}

TEST_P(EveryScene, HasACameraThatSeesItAndASun)
{
    const SceneDescription scene = GetParam().make();
    const auto camera = std::find_if(scene.nodes.begin(), scene.nodes.end(), [](const Node& node) { return node.cameraIndex == 0; });
    ASSERT_NE(camera, scene.nodes.end());
    const auto sun = std::find_if(scene.nodes.begin(), scene.nodes.end(), [](const Node& node) { return node.lightIndex == 0; });
    ASSERT_NE(sun, scene.nodes.end());
    EXPECT_LT(glm::vec3(sun->local.rotation * vec3(0, 0, -1)).y, -0.05f) << "the sun shines down";
    // At least half of the mesh nodes lie in a 16:9 picture.
    const std::vector<Affine> worlds = computeWorldTransforms(scene);
    const Affine view = inverse(toAffine(camera->local));
    const float tanY = std::tan(0.5f * scene.cameras[0].yFovRadians);
    int inside = 0;
    int total = 0;
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
    {
        if (scene.nodes[i].meshIndex == kNoIndex)
            continue;
        const vec3 p = view.transformPoint(worlds[i].translation());
        ++total;
        inside += -p.z > 0.1f && std::fabs(p.y) < -p.z * tanY && std::fabs(p.x) < -p.z * tanY * 1.78f ? 1 : 0;
    }
    EXPECT_GE(2 * inside, total);
}

INSTANTIATE_TEST_SUITE_P(Scenes, EveryScene, testing::ValuesIn(namedScenes().begin(), namedScenes().end()),
    [](const testing::TestParamInfo<NamedScene>& tested)
    {
        std::string name(tested.param.name);
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

TEST(TownSquare, IsATownOfTheExpectedSize)
{
    const SceneDescription scene = makeTownSquare();
    const SceneFacts facts = countScene(scene);
    EXPECT_GE(facts.drawnTriangleCount, 50'000U);
    EXPECT_LE(facts.drawnTriangleCount, 120'000U);
    EXPECT_GE(scene.nodes.size(), 400U);
    EXPECT_LE(scene.nodes.size(), 1500U);
    EXPECT_GE(scene.materials.size(), 25U);
    EXPECT_LE(scene.materials.size(), 48U);
    EXPECT_EQ(scene.skins.size(), 12U);
    EXPECT_EQ(facts.skinnedNodeCount, 12U * 5U + 8U);
    EXPECT_GT(facts.mirroredNodeCount, 0U);
    EXPECT_GT(facts.sharedMeshCount, 20U);
    ASSERT_EQ(scene.animations.size(), 1U);
    RecordProperty("triangles", std::to_string(facts.drawnTriangleCount));
    std::printf("town square: %zu nodes, %zu meshes, %zu materials, %zu images, %llu triangles drawn, %llu stored\n", scene.nodes.size(),
        scene.meshes.size(), scene.materials.size(), scene.images.size(), static_cast<unsigned long long>(facts.drawnTriangleCount),
        static_cast<unsigned long long>(facts.storedTriangleCount));
}

TEST(TownSquare, HasEveryAlphaModeAndAnEmissiveMaterial)
{
    std::set<AlphaMode> modes;
    bool isAnyEmissive = false;
    for (const Material& material : makeTownSquare().materials)
    {
        modes.insert(material.alphaMode);
        isAnyEmissive = isAnyEmissive || material.emissiveFactor.x > 0.0f;
    }
    EXPECT_EQ(modes.size(), 3U);
    EXPECT_TRUE(isAnyEmissive);
}

TEST(TownSquare, OtherSeedsGiveOtherTowns)
{
    EXPECT_NE(hashScene(makeTownSquare(1)), hashScene(makeTownSquare(2)));
}

TEST(TownSquare, WalkingMovesTheFiguresAndKeepsTheirFeetNearTheGround)
{
    SceneDescription scene = makeTownSquare();
    const Animation walk = scene.animations[0];
    for (const float time : {0.0f, 0.37f, 1.11f, 2.5f, 4.0f})
    {
        applyAnimation(scene, walk, time);
        const std::vector<Affine> worlds = computeWorldTransforms(scene);
        for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        {
            if (scene.nodes[i].name.rfind("foot.", 0) != 0)
                continue;
            EXPECT_GT(worlds[i].translation().y, -0.05f) << time;
            EXPECT_LT(worlds[i].translation().y, 0.75f) << time;
        }
    }
}

TEST(ManyInstances, UsesEveryMeshAndMaterial)
{
    const SceneDescription scene = makeManyInstances(2000, 200, 50);
    std::set<std::uint32_t> meshes;
    std::set<std::uint32_t> materials;
    for (const Node& node : scene.nodes)
        if (node.meshIndex != kNoIndex)
        {
            meshes.insert(node.meshIndex);
            materials.insert(scene.meshes[node.meshIndex].primitives[0].materialIndex);
        }
    EXPECT_EQ(countScene(scene).meshNodeCount, 2000U);
    EXPECT_EQ(meshes.size(), 200U);
    EXPECT_EQ(materials.size(), 50U);
    EXPECT_EQ(findProblems(scene), "");
    EXPECT_EQ(hashScene(scene), hashScene(makeManyInstances(2000, 200, 50)));
}

TEST(ManyInstances, NoneIsAValidScene)
{
    EXPECT_EQ(findProblems(makeManyInstances(0, 1, 1)), "");
}

} // namespace
} // namespace dl::scenes
