#include "drawloom/asset/composition.h"

#include "drawloom/asset/detail/composition_build.h"
#include "drawloom/asset/gltf_export.h"
#include "tests/scenes/scene_facts.h"
#include "tests/scenes/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fstream>
#include <random>
#include <set>
#include <string>

namespace dl
{
namespace
{

namespace fs = std::filesystem;

/// A folder of its own with two assets: "kit/box.glb" (static: 2 mesh nodes "lid", "body") and "kit/bar.glb" (skinned).
class Composition : public testing::Test
{
protected:
    void SetUp() override
    {
        m_folder = fs::temp_directory_path() / ("drawloom-composition-" + std::to_string(std::random_device{}()));
        fs::create_directories(m_folder / "kit");
        SceneDescription box = scenes::makeTwoBlended();
        box.nodes.resize(0);
        for (const char* name : {"box", "lid", "body"})
        {
            Node node;
            node.name = name;
            node.parent = box.nodes.empty() ? kNoIndex : 0;
            node.meshIndex = box.nodes.empty() ? kNoIndex : static_cast<std::uint32_t>(box.nodes.size() - 1);
            node.local.translation = vec3(0, 0.5f * static_cast<float>(box.nodes.size()), 0);
            box.nodes.push_back(node);
        }
        box.cameras.clear();
        box.lights.clear();
        ASSERT_TRUE(exportGlb(box, m_folder / "kit" / "box.glb"));
        ASSERT_TRUE(exportGlb(scenes::makeDeformed(), m_folder / "kit" / "bar.glb"));
    }
    void TearDown() override { fs::remove_all(m_folder); }

    Result<SceneDescription> load(const std::string& text, const CompositionSettings& settings = {})
    {
        std::ofstream(m_folder / "a.scene.json") << text;
        return loadComposition(m_folder / "a.scene.json", settings);
    }
    static std::string wrap(const std::string& placements)
    {
        return R"({"drawloomScene":1,"assets":{"box":"kit/box.glb","bar":"kit/bar.glb"},"placements":[)" + placements + "]}";
    }
    static std::uint32_t find(const SceneDescription& scene, const std::string& name)
    {
        for (std::uint32_t i = 0; i < scene.nodes.size(); ++i)
            if (scene.nodes[i].name == name)
                return i;
        return kNoIndex;
    }
    fs::path m_folder;
};

TEST_F(Composition, ImportsAnAssetOnceHoweverOftenItIsPlaced)
{
    const SceneDescription scene =
        load(wrap(R"({"asset":"box"},{"asset":"box","translation":[5,0,0]},{"asset":"box","matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,9,0,1]})"))
            .value();
    EXPECT_EQ(scene.meshes.size(), 3U);
    EXPECT_EQ(scenes::countScene(scene).meshNodeCount, 6U);
    EXPECT_EQ(scenes::findProblems(scene), "");
    const std::vector<Affine> worlds = computeWorldTransforms(scene);
    float highest = 0.0f;
    for (const Affine& world : worlds)
        highest = std::max(highest, world.translation().y);
    EXPECT_FLOAT_EQ(highest, 10.0f) << "body at 0 + 1 above its root, moved up by 9";
}

TEST_F(Composition, FiltersMeshNodesByPatternOfTheirOwnOrAnAncestorsName)
{
    EXPECT_EQ(scenes::countScene(load(wrap(R"({"asset":"box","nodes":["l?d"]})")).value()).meshNodeCount, 1U);
    EXPECT_EQ(scenes::countScene(load(wrap(R"({"asset":"box","nodes":["b*x"]})")).value()).meshNodeCount, 2U);
    const SceneDescription scene = load(wrap(R"({"asset":"box","exclude":["lid"]})")).value();
    EXPECT_EQ(scenes::countScene(scene).meshNodeCount, 1U);
    EXPECT_EQ(find(scene, "lid"), kNoIndex);
}

TEST_F(Composition, FilteredNodesKeepNoWeightsOfTheMeshThatTheyLost)
{
    SceneDescription morphed = scenes::makeDeformed();
    const auto ball = static_cast<std::uint32_t>(
        std::find_if(morphed.meshes.begin(), morphed.meshes.end(), [](const Mesh& mesh) { return !mesh.morphWeights.empty(); }) -
        morphed.meshes.begin());
    morphed.nodes.assign(2, Node{});
    for (Node& node : morphed.nodes)
    {
        node.meshIndex = ball;
        node.morphWeights = morphed.meshes.at(ball).morphWeights;
    }
    morphed.nodes[0].name = "parent";
    morphed.nodes[1].name = "child";
    morphed.nodes[1].parent = 0;
    morphed.skins.clear();
    morphed.animations.clear();
    ASSERT_TRUE(exportGlb(morphed, m_folder / "kit" / "bar.glb"));
    const SceneDescription scene = load(wrap(R"({"asset":"bar","nodes":["ch?ld"]})")).value();
    ASSERT_NE(find(scene, "parent"), kNoIndex);
    EXPECT_EQ(scene.nodes[find(scene, "parent")].meshIndex, kNoIndex);
    EXPECT_TRUE(scene.nodes[find(scene, "parent")].morphWeights.empty());
    const Result<std::vector<std::byte>> glb = exportGlbToMemory(scene);
    EXPECT_TRUE(glb.has_value()) << (glb ? "" : glb.error().message);
}

TEST_F(Composition, InstancesAndGridsAreOneNodeForEachMeshNode)
{
    const SceneDescription scene = load(
        wrap(
            R"({"asset":"box","translation":[0,0,7],"instances":[{"translation":[1,2,3],"scale":2}],"grid":{"count":[3,1,2],"spacing":[2,1,4]}})"))
                                       .value();
    const std::uint32_t lid = find(scene, "lid");
    ASSERT_NE(lid, kNoIndex);
    ASSERT_EQ(scene.nodes[lid].instances.size(), 7U);
    EXPECT_EQ(scenes::countScene(scene).instanceCount, 14U);
    // The lid stands 0.5 above the root in its asset, doubled by the instance's scale.
    EXPECT_EQ(scene.nodes[lid].instances[0].translation(), vec3(1, 3, 3));
    EXPECT_EQ(scene.nodes[lid].instances[1].translation(), vec3(-2, 0.5f, -2));
    EXPECT_EQ(scene.nodes[lid].instances[6].translation(), vec3(2, 0.5f, 2));
    EXPECT_EQ(computeWorldTransforms(scene)[lid].translation(), vec3(0, 0, 7));
}

TEST_F(Composition, AttachesToJointsThatAnimationsMove)
{
    SceneDescription scene =
        load(wrap(R"({"name":"b","asset":"bar"},{"asset":"box","attachTo":{"placement":"b","node":"upper"},"translation":[0,1,0]})"))
            .value();
    const std::uint32_t box = find(scene, "box");
    ASSERT_NE(box, kNoIndex);
    EXPECT_EQ(scene.nodes[scene.nodes[box].parent].name, "upper"); // the placement's own node, named as its asset
    EXPECT_EQ(scenes::findProblems(scene), "");
    const vec3 before = computeWorldTransforms(scene)[box].translation();
    const Animation bend = scene.animations.at(0);
    applyAnimation(scene, bend, 1.0f);
    EXPECT_GT(glm::length(computeWorldTransforms(scene)[box].translation() - before), 0.3f);
}

TEST_F(Composition, BindsMeshesToTheSkeletonOfAnotherPlacement)
{
    const SceneDescription scene =
        load(wrap(R"({"name":"a","asset":"bar","nodes":["bar"]},{"name":"b","asset":"bar","nodes":["bar"],"bindTo":"a"})")).value();
    ASSERT_EQ(scene.skins.size(), 2U);
    EXPECT_EQ(scene.skins[0].jointNodes, scene.skins[1].jointNodes);
    EXPECT_EQ(scenes::countScene(scene).skinnedNodeCount, 2U);
    EXPECT_EQ(std::count_if(scene.nodes.begin(), scene.nodes.end(), [](const Node& node) { return node.name == "upper"; }), 1);
    EXPECT_EQ(scenes::findProblems(scene), "");
}

TEST_F(Composition, EachPlacementOfASkinnedAssetHasItsOwnSkeletonAndAnimationsPlayTogether)
{
    const SceneDescription scene = load(wrap(R"({"name":"a","asset":"bar"},{"name":"b","asset":"bar"})")).value();
    ASSERT_EQ(scene.skins.size(), 2U);
    EXPECT_NE(scene.skins[0].jointNodes, scene.skins[1].jointNodes);
    ASSERT_EQ(scene.animations.size(), 1U);
    EXPECT_EQ(scene.animations[0].channels.size(), 4U);
}

TEST_F(Composition, AddsACameraAndALight)
{
    const SceneDescription scene = load(
        R"({"drawloomScene":1,"name":"n","assets":{"box":"kit/box.glb"},"placements":[{"asset":"box"}],"camera":{"eye":[0,0,5],"target":[0,0,0],"yFovDegrees":60},"light":{"direction":[0,-1,0],"intensity":2}})")
                                       .value();
    EXPECT_EQ(scene.name, "n");
    ASSERT_EQ(scene.cameras.size(), 1U);
    EXPECT_NEAR(scene.cameras[0].yFovRadians, 1.0471976f, 1e-6f);
    const Node& light = scene.nodes[find(scene, "light")];
    EXPECT_NEAR((light.local.rotation * vec3(0, 0, -1)).y, -1.0f, 1e-5f);
}

TEST_F(Composition, AnEmptyListIsAnEmptyScene)
{
    EXPECT_TRUE(load(R"({"drawloomScene":1,"assets":{},"placements":[]})").value().nodes.empty());
}

TEST_F(Composition, NamesFilePlaceAndProblemOfBadInput)
{
    const std::string box = R"({"asset":"box")";
    const std::pair<std::string, const char*> cases[] = {
        {"", "JSON"},
        {"[]", "no object"},
        {std::string(5000, '['), "JSON"},
        {"{}", "drawloomScene: is required"},
        {R"({"drawloomScene":2,"assets":{},"placements":[]})", "only version 1"},
        {R"({"drawloomScene":1,"placements":[]})", "assets: an object"},
        {R"({"drawloomScene":1,"assets":{}})", "placements: an array"},
        {R"({"drawloomScene":1,"assets":{},"placements":[],"cameras":1})", "does not know \"cameras\""},
        {R"({"drawloomScene":1,"assets":{"x":7},"placements":[]})", "assets.x: must be a string"},
        {R"({"drawloomScene":1,"assets":{"x":"../kit/box.glb"},"placements":[]})", "must stay inside its root"},
        {R"({"drawloomScene":1,"assets":{"x":"kit/../../a"},"placements":[]})", "must stay inside its root"},
        {R"({"drawloomScene":1,"assets":{"x":"/etc/passwd"},"placements":[]})", "must stay inside its root"},
        {R"({"drawloomScene":1,"assets":{"x":"kit\\box.glb"},"placements":[]})", "must stay inside its root"},
        {R"({"drawloomScene":1,"assets":{"x":"kit/none.glb"},"placements":[]})", "assets.x: no file \"kit/none.glb\""},
        {R"({"drawloomScene":1,"root":"nowhere","assets":{"x":"kit/box.glb"},"placements":[]})", "in \"nowhere\""},
        {wrap("7"), "placements[0]: must be an object"},
        {wrap("{}"), "placements[0]: asset is required"},
        {wrap(R"({"asset":"boxes"})"), "placements[0].asset: assets has no \"boxes\""},
        {wrap(box + R"(,"translation":[1,2]})"), "placements[0].translation: must be 3 numbers"},
        {wrap(box + R"(,"translation":[1,2,"x"]})"), "placements[0].translation: must be 3 numbers"},
        {wrap(box + R"(,"translation":[1,2,1e39]})"), "too large"},
        {wrap(box + R"(,"rotation":[0,0,0,0]})"), "placements[0].rotation: must be a quaternion"},
        {wrap(box + R"(,"matrix":[1,0,0,1,0,1,0,0,0,0,1,0,0,0,0,1]})"), "placements[0].matrix: must be affine"},
        {wrap(box + R"(,"scale":1,"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]})"), "excludes translation"},
        {wrap(box + R"(,"nodes":[]})"), "at least one pattern"},
        {wrap(box + R"(,"nodes":["nothing"]})"), "placements[0] \"box\": no mesh node passes"},
        {wrap(box + R"(,"instances":[]})"), "placements[0].instances: must not be empty"},
        {wrap(box + R"(,"instances":[{"turn":1}]})"), "placements[0].instances[0]: does not know \"turn\""},
        {wrap(box + R"(,"grid":{"count":[1,0,1]}})"), "placements[0].grid.count"},
        {wrap(box + R"(,"grid":{"count":[1048576,1048576,1]}})"), "raise maxInstanceCount"},
        {wrap(box + R"(,"attachTo":{"placement":"box","node":"lid"}})"), "no placement before this one is named \"box\""},
        {wrap(box + "}," + box + "}," + box + R"(,"attachTo":{"placement":"box","node":"lid"}})"), "several placements are named \"box\""},
        {wrap(box + "}," + R"({"asset":"box","attachTo":{"placement":"box","node":"handle"}})"),
            "placement \"box\" has no node \"handle\""},
        {wrap(box + "}," + R"({"asset":"bar","bindTo":"box"})"), "has no joint \"lower\""},
        {wrap(R"({"asset":"bar"},{"asset":"box","bindTo":"bar"})"), "no skinned mesh node to bind"},
        {wrap(R"({"asset":"bar","grid":{"count":[2,1,1]}})"), "is skinned; instances and grids are for assets without skins"},
        {R"({"drawloomScene":1,"assets":{},"placements":[],"camera":{"eye":[1,1,1],"target":[1,1,1]}})", "eye and target must differ"},
        {R"({"drawloomScene":1,"assets":{},"placements":[],"light":{"direction":[0,0,0]}})", "direction that is not zero"},
    };
    for (const auto& [text, part] : cases)
    {
        const Result<SceneDescription> scene = load(text);
        ASSERT_FALSE(scene) << text;
        EXPECT_NE(scene.error().message.find(part), std::string::npos) << text.substr(0, 200) << "\n" << scene.error().message;
        EXPECT_NE(scene.error().message.find("a.scene.json"), std::string::npos);
    }
}

TEST_F(Composition, TakesExactlyTheLimitsAndNotOneMore)
{
    const std::string grid = wrap(R"({"asset":"box","nodes":["lid"],"grid":{"count":[10,1,1]}})");
    EXPECT_TRUE(load(grid, {.maxInstanceCount = 10}));
    EXPECT_EQ(load(grid, {.maxInstanceCount = 9}).error().code, ErrorCode::OutOfBudget);
    EXPECT_TRUE(load(wrap(R"({"asset":"box"})"), {.maxNodeCount = 4}));
    EXPECT_EQ(load(wrap(R"({"asset":"box"})"), {.maxNodeCount = 3}).error().code, ErrorCode::OutOfBudget);
    EXPECT_EQ(load(grid, {.maxFileBytes = grid.size() - 1}).error().code, ErrorCode::OutOfBudget);
    EXPECT_TRUE(load(grid, {.maxFileBytes = grid.size()}));
}

TEST_F(Composition, RefusesASymbolicLinkThatLeadsOut)
{
    fs::create_directories(m_folder / "root");
    fs::create_symlink("../kit/box.glb", m_folder / "root" / "box.glb");
    const Result<SceneDescription> scene = load(R"({"drawloomScene":1,"root":"root","assets":{"x":"box.glb"},"placements":[]})");
    ASSERT_FALSE(scene);
    EXPECT_NE(scene.error().message.find("symbolic link"), std::string::npos);
    EXPECT_TRUE(load(R"({"drawloomScene":1,"roots":["root/none","kit"],"assets":{"x":"bar.glb"},"placements":[]})"))
        << "a listed root may lie anywhere";
}

TEST_F(Composition, SurvivesAnyTruncationAndAnyChangedByte)
{
    const std::string good =
        wrap(R"({"name":"b","asset":"bar"},{"asset":"box","attachTo":{"placement":"b","node":"upper"},"grid":{"count":[2,1,1]}})");
    ASSERT_TRUE(load(good));
    for (std::size_t length = 0; length < good.size(); length += 3)
        EXPECT_FALSE(load(good.substr(0, length)));
    const std::uint32_t seed = 7;
    std::mt19937 random(seed);
    for (int round = 0; round < 200; ++round)
    {
        std::string changed = good;
        changed[random() % changed.size()] = static_cast<char>(random() & 255U);
        const Result<SceneDescription> scene = load(changed);
        EXPECT_TRUE(!scene || scenes::findProblems(*scene).empty()) << "seed " << seed << ": " << changed;
    }
}

TEST_F(Composition, LoadScenePicksByTheNamesEnd)
{
    std::ofstream(m_folder / "b.SCENE.json") << wrap(R"({"asset":"box"})");
    EXPECT_TRUE(loadScene(m_folder / "b.SCENE.json"));
    EXPECT_TRUE(loadScene(m_folder / "kit" / "box.glb"));
    EXPECT_EQ(loadScene(m_folder / "kit" / "box.obj").error().code, ErrorCode::Unsupported);
    EXPECT_EQ(loadScene(m_folder / "none.scene.json").error().code, ErrorCode::NotFound);
}

TEST(Pattern, StarsAndQuestionMarks)
{
    EXPECT_TRUE(detail::matchesPattern("Swat_Body", "*_Body"));
    EXPECT_TRUE(detail::matchesPattern("a", "?"));
    EXPECT_TRUE(detail::matchesPattern("", "*"));
    EXPECT_TRUE(detail::matchesPattern("aXbXc", "a*X*c"));
    EXPECT_TRUE(detail::matchesPattern("a*", "a*"));
    EXPECT_FALSE(detail::matchesPattern("", "?"));
    EXPECT_FALSE(detail::matchesPattern("Body", "Bod"));
    EXPECT_FALSE(detail::matchesPattern("Bod", "Body"));
    EXPECT_FALSE(detail::matchesPattern("aaaaaaaaaaaaaaaaaaaaaaab", "*a*a*a*a*a*c"));
}

/// The lists of ../shared/assets, through scripts/compositions.
class SharedComposition : public testing::Test
{
protected:
    void SetUp() override
    {
        if (!fs::is_directory("../shared/assets/compositions"))
            GTEST_SKIP() << "../shared/assets/compositions is not there";
        m_out = fs::temp_directory_path() / ("drawloom-scenes-" + std::to_string(std::random_device{}()));
        ASSERT_EQ(std::system(("python3 scripts/compositions --out " + m_out.string() + " > /dev/null").c_str()), 0);
    }
    void TearDown() override { fs::remove_all(m_out); }
    SceneDescription load(const char* name)
    {
        Result<SceneDescription> scene = loadScene(m_out / (std::string(name) + ".scene.json"));
        EXPECT_TRUE(scene) << scene.error().message;
        if (!scene)
            return {};
        EXPECT_EQ(scenes::countScene(*scene).instanceCount > 0, true);
        return std::move(scene).value();
    }
    fs::path m_out;
};

TEST_F(SharedComposition, ArmedSquadHoldsSixtyWeaponPartsInFiveHands)
{
    const SceneDescription scene = load("armed-squad");
    EXPECT_EQ(scene.skins.size(), 5U);
    std::size_t attached = 0;
    std::set<std::uint32_t> hands;
    for (const Node& node : scene.nodes)
        if (node.parent != kNoIndex && scene.nodes[node.parent].name == "handslot.r")
        {
            ++attached;
            hands.insert(node.parent);
            EXPECT_NEAR(node.local.scale.x, 0.6f, 1e-6f);
        }
    EXPECT_EQ(attached, 60U);
    EXPECT_EQ(hands.size(), 5U);
}

TEST_F(SharedComposition, WeaponRackHasTwelveWeapons)
{
    const SceneDescription scene = load("weapon-rack");
    EXPECT_EQ(std::count_if(scene.nodes.begin(), scene.nodes.end(), [](const Node& node) { return node.parent == kNoIndex; }), 12);
    EXPECT_GE(scenes::countScene(scene).meshNodeCount, 12U);
}

TEST_F(SharedComposition, HelmetRowIsTwelveInstancesOfSixParts)
{
    const SceneDescription scene = load("helmet-row");
    EXPECT_EQ(scenes::countScene(scene).meshNodeCount, 6U);
    EXPECT_EQ(scenes::countScene(scene).instanceCount, 72U);
    EXPECT_EQ(scene.materials.size(), 6U);
    EXPECT_EQ(scene.images.size(), 15U);
}

TEST_F(SharedComposition, MixedMenShareFourSkeletons)
{
    const SceneDescription scene = load("mixed-men");
    std::set<std::vector<std::uint32_t>> skeletons;
    for (const Skin& skin : scene.skins)
    {
        std::vector<std::uint32_t> joints = skin.jointNodes;
        std::sort(joints.begin(), joints.end());
        skeletons.insert(joints);
    }
    EXPECT_EQ(scenes::countScene(scene).skinnedNodeCount, 16U);
    EXPECT_EQ(scene.skins.size(), 16U);
    EXPECT_EQ(skeletons.size(), 4U);
}

TEST_F(SharedComposition, TownHasItsThirteenHundredPlaces)
{
    const SceneDescription scene = load("town");
    std::size_t most = 0;
    for (const Node& node : scene.nodes)
        most = std::max(most, node.instances.size());
    EXPECT_GE(scenes::countScene(scene).instanceCount, 1310U);
    EXPECT_GT(most, 20U);
    EXPECT_LT(scene.meshes.size(), 250U);
}

} // namespace
} // namespace dl
