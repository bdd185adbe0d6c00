// Levels of detail of nodes become levels of one mesh set: which, from which size, with which parts and vertices.
#include "drawloom/asset/lod_build.h"
#include "drawloom/scene/detail/node_lods.h"
#include "drawloom/scene/scene_instance.h"
#include "tests/draw/draw_world.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace dl
{

namespace
{
/// `count` triangles on a square of half size 1.
Primitive tiles(std::uint32_t count, std::uint32_t material = kNoIndex)
{
    Primitive primitive;
    primitive.positions = {{-1, -1, 0}, {1, -1, 0}, {1, 1, 0}, {-1, 1, 0}};
    primitive.normals.assign(4, vec3(0, 0, 1));
    for (std::uint32_t i = 0; i < count; ++i)
        primitive.indices.insert(primitive.indices.end(), {0, 1, 2});
    primitive.bounds = {vec3(-1, -1, 0), vec3(1, 1, 0)};
    primitive.materialIndex = material;
    return primitive;
}

SceneDescription lodScene(std::vector<std::vector<Primitive>> levels, std::vector<float> coverages)
{
    SceneDescription scene;
    scene.materials.resize(3);
    Node& node = scene.nodes.emplace_back();
    node.name = "thing";
    node.meshIndex = 0;
    for (std::size_t i = 0; i < levels.size(); ++i)
    {
        const auto targets = levels[i].empty() ? 0 : levels[i][0].morphTargets.size();
        scene.meshes.push_back({"level", std::move(levels[i]), std::vector<float>(targets, 0.0f)});
        node.lods.push_back({static_cast<std::uint32_t>(i), coverages[i]});
    }
    return scene;
}

struct LodWorld : DrawWorld
{
    LodWorld() : registry(*library) {}
    void show(const SceneDescription& description)
    {
        Result<std::unique_ptr<SceneInstance>> made = SceneInstance::create(description, *library, registry);
        ASSERT_TRUE(made) << made.error().message;
        scene = std::move(*made);
        for (int i = 0; i < 3; ++i)
            frame(5.0f);
    }
    /// Triangles drawn of the node's instances, seen from this far in front (the camera looks along -Z).
    std::uint64_t frame(float distance, const ViewGroup& group = {})
    {
        const Result<void> uploaded = scene->uploadFrame();
        EXPECT_TRUE(uploaded);
        registry.applyEdits();
        DrawSource* const sources[] = {&registry};
        View view = camera();
        ViewGroup moved = group;
        // The scene stays, the frame's origin moves: what is drawn and what LODs go by are both relative to it.
        DrawWorld::frame(sources, {{&view, 1}, {&moved, 1}, {i32vec3(0), vec3(0, 0, distance)}});
        return stats("forward").triangles;
    }
    SceneRegistry registry;
    std::unique_ptr<SceneInstance> scene;
};

const float kRadius = std::sqrt(2.0f);
} // namespace

TEST(LevelsOf, TakesCoveragesAsSizesAndSkipsEmptyLevels)
{
    std::vector<ImportIssue> issues;
    SceneDescription scene = lodScene({{tiles(8)}, {}, {tiles(2)}}, {0.5f, 0.2f, 0.01f});
    const std::vector<detail::NodeLevel> expected = {{0, 0.2f}, {2, 0.01f}};
    EXPECT_EQ(detail::levelsOf(scene, scene.nodes[0], issues), expected) << "the level before an empty one covers it";
    scene.nodes[0].lods.clear();
    EXPECT_EQ(detail::levelsOf(scene, scene.nodes[0], issues), (std::vector<detail::NodeLevel>{{0, 0.0f}}));
    scene.nodes[0].meshIndex = 1;
    EXPECT_TRUE(detail::levelsOf(scene, scene.nodes[0], issues).empty());
    scene = lodScene({{}, {tiles(2)}}, {0.5f, 0.1f});
    EXPECT_EQ(detail::levelsOf(scene, scene.nodes[0], issues), (std::vector<detail::NodeLevel>{{1, 0.1f}}));
    EXPECT_TRUE(issues.empty());
}

TEST(LevelsOf, ChoosesSizesByTrianglesWhereTheFileHasNone)
{
    std::vector<ImportIssue> issues;
    SceneDescription scene = lodScene({{tiles(1000)}, {tiles(100)}, {tiles(2)}}, {0, 0, 0});
    const std::vector<detail::NodeLevel> levels = detail::levelsOf(scene, scene.nodes[0], issues);
    EXPECT_NEAR(levels[0].minScreenSize, std::sqrt(16.0f * 1000.0f / 3.14159265f) / 1080.0f, 1e-6f);
    EXPECT_NEAR(levels[1].minScreenSize, std::sqrt(16.0f * 100.0f / 3.14159265f) / 1080.0f, 1e-6f);
    EXPECT_EQ(levels[2].minScreenSize, 0.0f);
    scene = lodScene({{tiles(10)}, {tiles(4000)}, {tiles(2)}}, {0, 0, 0}); // a level that is finer than the one before
    const std::vector<detail::NodeLevel> odd = detail::levelsOf(scene, scene.nodes[0], issues);
    EXPECT_EQ(odd[1].minScreenSize, odd[0].minScreenSize) << "sizes fall";
}

TEST(LevelsOf, NamesLevelsPastTheLimit)
{
    std::vector<ImportIssue> issues;
    for (const std::size_t count : {std::size_t(kMaxLodCount), std::size_t(kMaxLodCount) + 1})
    {
        std::vector<float> coverages;
        for (std::size_t i = 0; i < count; ++i)
            coverages.push_back(0.9f / static_cast<float>(i + 1));
        const SceneDescription scene = lodScene(std::vector<std::vector<Primitive>>(count, {tiles(2)}), coverages);
        const std::vector<detail::NodeLevel> levels = detail::levelsOf(scene, scene.nodes[0], issues);
        EXPECT_EQ(levels.size(), kMaxLodCount);
        EXPECT_EQ(levels.back().minScreenSize, coverages.back()) << "culled where the file says";
        EXPECT_EQ(issues.size(), count - kMaxLodCount);
    }
    EXPECT_EQ(issues[0].code, "lod-levels-limited");
}

TEST(SceneLods, SwitchAtTheAnalyticDistanceAndCullBelowTheLastCoverage)
{
    LodWorld world;
    world.show(lodScene({{tiles(8)}, {tiles(4)}, {tiles(2)}}, {0.5f, 0.2f, 0.02f}));
    const float first = kRadius / 0.5f, second = kRadius / 0.2f, last = kRadius / 0.02f; // lodScale 1
    constexpr float kBit = 1.0001f;
    EXPECT_EQ(world.frame(first / kBit), 8U);
    EXPECT_EQ(world.frame(first * kBit), 4U);
    EXPECT_EQ(world.frame(second / kBit), 4U);
    EXPECT_EQ(world.frame(second * kBit), 2U);
    EXPECT_EQ(world.frame(last / kBit), 2U);
    EXPECT_EQ(world.frame(last * kBit), 0U) << "MSFT_lod: nothing is rendered below the last coverage";
    EXPECT_EQ(world.frame(first * kBit, {.lodScale = 2.0f}), 8U) << "a narrower view sees it larger";
    EXPECT_EQ(world.frame(500.0f, {.lodScale = 0.5f / kRadius * kBit, .isOrthographic = true}), 8U);
    EXPECT_EQ(world.frame(500.0f, {.lodScale = 0.5f / kRadius / kBit, .isOrthographic = true}), 4U);
    EXPECT_EQ(world.drawFrame->lodStats().instances[1], 1U);
    EXPECT_EQ(world.drawFrame->lodStats().triangles, 4U);
    EXPECT_EQ(world.drawFrame->lodStats().trianglesAtFinest, 8U);
    EXPECT_EQ(world.frame(1.0f), 8U) << "inside the sphere";
    EXPECT_TRUE(world.scene->issues().empty());
    EXPECT_TRUE(world.messages.empty()) << world.messages.front();
}

TEST(SceneLods, IdsTellWhichLevelIsDrawn)
{
    LodWorld world;
    world.show(lodScene({{tiles(8)}, {tiles(4)}}, {0.5f, 0.0f}));
    world.frame(5.0f);
    ASSERT_FALSE(world.drawFrame->ids().empty());
    EXPECT_EQ(world.drawFrame->ids()[0] >> kIdLodShift, 1U);
    world.frame(1.5f);
    EXPECT_EQ(world.drawFrame->ids()[0] >> kIdLodShift, 0U);
}

TEST(SceneLods, PartsFollowMaterialsAcrossLevels)
{
    LodWorld world;
    // Level 1 has its two sections the other way round, level 2 one of a material of its own.
    world.show(lodScene({{tiles(8, 0), tiles(8, 1)}, {tiles(4, 1), tiles(4, 0)}, {tiles(2, 2)}}, {0.5f, 0.2f, 0.0f}));
    EXPECT_EQ(world.scene->counts().meshSets, 1U);
    EXPECT_EQ(world.scene->counts().instances, 1U);
    EXPECT_EQ(world.frame(1.5f), 16U);
    EXPECT_EQ(world.frame(5.0f), 8U);
    EXPECT_EQ(world.frame(50.0f), 2U);
    EXPECT_TRUE(world.messages.empty()) << world.messages.front();
}

TEST(SceneLods, LevelsOfDeformedMeshesShareTheirVertices)
{
    Primitive fine = tiles(8), coarse = tiles(3);
    for (Primitive* p : {&fine, &coarse})
        p->morphTargets.push_back({"up", std::vector<vec3>(4, vec3(0, 1, 0)), {}, {}});
    LodWorld world;
    world.show(lodScene({{fine}, {coarse}}, {0.5f, 0.1f}));
    EXPECT_TRUE(world.scene->issues().empty());
    EXPECT_EQ(world.scene->counts().deformedInstances, 1U);
    EXPECT_EQ(world.frame(1.5f), 8U);
    EXPECT_EQ(world.frame(5.0f), 3U);
    EXPECT_EQ(world.frame(50.0f), 0U);
    EXPECT_TRUE(world.messages.empty()) << world.messages.front();
}

TEST(SceneLods, NamesDeformedLevelsWithVerticesOfTheirOwn)
{
    Primitive fine = tiles(8), coarse = tiles(3);
    for (Primitive* p : {&fine, &coarse})
        p->morphTargets.push_back({"up", std::vector<vec3>(4, vec3(0, 1, 0)), {}, {}});
    coarse.positions[0].x = -0.9f;
    LodWorld world;
    world.show(lodScene({{fine}, {coarse}}, {0.5f, 0.1f}));
    ASSERT_EQ(world.scene->issues().size(), 1U);
    EXPECT_EQ(world.scene->issues()[0].code, "lod-vertices-differ");
    EXPECT_EQ(world.frame(5.0f), 8U) << "the finest stands in...";
    EXPECT_EQ(world.frame(50.0f), 0U) << "...down to the last coverage";
}

TEST(SceneLods, ADeformedPartThatALevelLacksIsNotDrawnThere)
{
    Primitive a = tiles(8), b = tiles(6);
    b.positions[1].x = 0.5f;
    for (Primitive* p : {&a, &b})
        p->morphTargets.push_back({"up", std::vector<vec3>(4, vec3(0, 1, 0)), {}, {}});
    Primitive coarse = a;
    coarse.indices.resize(9);
    LodWorld world;
    world.show(lodScene({{a, b}, {coarse}}, {0.5f, 0.0f}));
    EXPECT_TRUE(world.scene->issues().empty());
    EXPECT_EQ(world.frame(1.3f), 14U);
    EXPECT_EQ(world.frame(9.0f), 3U);
}

} // namespace dl
