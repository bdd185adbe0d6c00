// Levels of detail through a .glb: where they stand in the file, and what a node gives to added children because glTF can not
// say it of one node.
#include "drawloom/asset/gltf_export.h"
#include "tests/asset/gltf_builder.h"
#include "tests/asset/scene_compare.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cstring>

namespace dl::test
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Result<SceneDescription> throughGlb(const SceneDescription& scene)
{
    DL_TRY_ASSIGN(const std::vector<std::byte> bytes, exportGlbToMemory(scene));
    return importGltfFromMemory(bytes, {}, {.isStrict = true});
}

std::string jsonOf(const SceneDescription& scene)
{
    const std::vector<std::byte> bytes = exportGlbToMemory(scene).value();
    std::uint32_t length = 0;
    std::memcpy(&length, &bytes[12], sizeof length);
    return std::string(reinterpret_cast<const char*>(&bytes[20]), length);
}

constexpr std::string_view kTriangle = R"({"primitives":[{"attributes":{"POSITION":0,"NORMAL":1},"targets":[{"POSITION":1}]}]})";
constexpr std::string_view kPoints = R"({"primitives":[{"attributes":{"POSITION":0},"mode":0,"targets":[{"POSITION":1}]}]})";

/// Meshes 0 to 2 are triangles with one morph target, mesh 3 is points; the scene shows the tree of node 0.
Result<SceneDescription> importNodes(std::string_view nodes, std::string_view more = {})
{
    GltfBuilder builder;
    builder.addFloats("VEC3", 3, {0, 0, 0, 1, 0, 0, 0, 1, 0});
    builder.addFloats("VEC3", 3, {0, 0, 1, 0, 0, 1, 0, 0, 1});
    builder.addFloats("SCALAR", 2, {0, 1});
    std::string text = R"("meshes":[)";
    for (const std::string_view mesh : {kTriangle, kTriangle, kTriangle, kPoints})
        text += std::string(text.back() == '[' ? "" : ",") + std::string(mesh);
    return builder.import(text + R"(],"scenes":[{"nodes":[0]}],"nodes":[)" + std::string(nodes) + "]" + std::string(more));
}

void expectReadsBackEqual(const Result<SceneDescription>& scene)
{
    ASSERT_TRUE(scene) << errorOf(scene);
    const Result<SceneDescription> back = throughGlb(*scene);
    ASSERT_TRUE(back) << errorOf(back);
    EXPECT_EQ(firstDifference(*scene, *back), "");
}

constexpr std::string_view kLods = R"("extensions":{"MSFT_lod":{"ids":[2]}},"extras":{"MSFT_screencoverage":[0.5,0.125]})";

TEST(GltfExportLods, OfANodeWithAMeshAndAChildGoBackAsATree)
{
    const Result<SceneDescription> scene = importNodes(R"({"mesh":0,"children":[1],)" + std::string(kLods) +
                                                       R"(},{"mesh":1,"translation":[1,0,0]},{"mesh":1,"children":[3]},)"
                                                       R"({"mesh":2,"translation":[1,0,0]})");
    expectReadsBackEqual(scene);
    EXPECT_EQ(scene->nodes[0].lods.size(), 2U);
    EXPECT_EQ(scene->nodes[1].lods.size(), 2U);
    EXPECT_THAT(jsonOf(*scene), HasSubstr(R"("scenes":[{"nodes":[0]}])")) << "a viewer without MSFT_lod shows the finest alone";
}

TEST(GltfExportLods, OfATreeWithoutAMeshAtItsRootStayOutsideTheScene)
{
    const Result<SceneDescription> scene = importNodes(
        R"({"children":[1,4],)" + std::string(kLods) + R"(},{"mesh":0},{"children":[3,5]},{"mesh":1},{"name":"bare"},{"name":"bare"})");
    expectReadsBackEqual(scene);
    EXPECT_THAT(jsonOf(*scene), HasSubstr(R"("scenes":[{"nodes":[0]}])"));
    EXPECT_THAT(jsonOf(*scene), HasSubstr(R"("ids":[2])"));
}

TEST(GltfExportLods, PairChildrenThatTheFileListsInAnotherOrder)
{
    expectReadsBackEqual(importNodes(R"({"children":[1,3],)" + std::string(kLods) +
                                     R"(},{"mesh":0,"translation":[1,0,0]},{"children":[5,4]},{"mesh":0},)"
                                     R"({"mesh":1},{"mesh":1,"translation":[1,0,0]})"));
}

TEST(GltfExportLods, OfANodeWithOtherChildrenGoIntoAChildOfTheirOwn)
{
    SceneDescription scene = importNodes(R"({"mesh":0,"children":[1],"weights":[0.5]},{"mesh":1})",
        R"(,"animations":[{"samplers":[{"input":2,"output":2}],"channels":[{"sampler":0,"target":{"node":0,"path":"weights"}}]}])")
                                 .value();
    scene.nodes[0].lods = {{.meshIndex = 0, .minCoverage = 0.5f}, {.meshIndex = 2, .minCoverage = 0.25f}};
    const Result<SceneDescription> back = throughGlb(scene);
    ASSERT_TRUE(back) << errorOf(back);
    ASSERT_EQ(back->nodes.size(), 4U);
    EXPECT_EQ(back->nodes[0].meshIndex, kNoIndex);
    EXPECT_EQ(back->nodes[2].parent, 0U);
    EXPECT_EQ(back->nodes[2].lods, scene.nodes[0].lods);
    EXPECT_EQ(back->nodes[2].morphWeights, scene.nodes[0].morphWeights);
    EXPECT_EQ(back->nodes[1].meshIndex, 1U) << "shown at every distance";
    ASSERT_EQ(back->animations.at(0).channels.size(), 1U);
    EXPECT_EQ(back->animations[0].channels[0].nodeIndex, 2U);
}

TEST(GltfExportLods, AndWeightsOfInstancesThatAreNoTrsGoToEachOfTheirNodes)
{
    SceneDescription scene = importNodes(R"({"mesh":0,"weights":[0.5]})",
        R"(,"animations":[{"samplers":[{"input":2,"output":2}],"channels":[{"sampler":0,"target":{"node":0,"path":"weights"}}]}])")
                                 .value();
    scene.nodes[0].lods = {{.meshIndex = 0}, {.meshIndex = 1}};
    Affine flat;
    flat.rows[1].y = 0.0f;
    scene.nodes[0].instances = {Affine{}, flat};
    const Result<SceneDescription> back = throughGlb(scene);
    ASSERT_TRUE(back) << errorOf(back);
    std::vector<std::uint32_t> carriers;
    for (std::uint32_t i = 0; i < back->nodes.size(); ++i)
        if (back->nodes[i].meshIndex != kNoIndex)
        {
            carriers.push_back(i);
            EXPECT_EQ(back->nodes[i].parent, 0U);
            EXPECT_EQ(back->nodes[i].lods, scene.nodes[0].lods);
            EXPECT_EQ(back->nodes[i].morphWeights, scene.nodes[0].morphWeights);
        }
    ASSERT_EQ(carriers.size(), 2U);
    std::vector<std::uint32_t> animated;
    for (const AnimationChannel& channel : back->animations.at(0).channels)
        animated.push_back(channel.nodeIndex);
    EXPECT_EQ(animated, carriers);
}

TEST(GltfExportLods, OfTwoNodesThatNameOneOldNodeGetNodesOfTheirOwn)
{
    SceneDescription scene = importNodes(R"({"children":[1,2]},{"mesh":0},{"mesh":1},{"name":"old"})").value();
    for (const std::uint32_t i : {1U, 2U})
        scene.nodes[i].lods = {{.meshIndex = i - 1}, {.meshIndex = 2, .nodeIndex = 3}};
    const Result<SceneDescription> back = throughGlb(scene);
    ASSERT_TRUE(back) << errorOf(back);
    EXPECT_EQ(back->nodes[1].lods, scene.nodes[1].lods);
    EXPECT_EQ(back->nodes[2].lods, scene.nodes[2].lods);
}

TEST(GltfLod, APairWithAMeshThatDrawsNothingIsNoLevel)
{
    const std::string_view both = R"({"mesh":3,"extensions":{"MSFT_lod":{"ids":[1]}}},{"mesh":3})";
    for (const std::string_view nodes : {std::string_view(R"({"mesh":0,"extensions":{"MSFT_lod":{"ids":[1]}}},{"mesh":3})"),
             std::string_view(R"({"mesh":3,"extensions":{"MSFT_lod":{"ids":[1]}}},{"mesh":0})"), both})
    {
        const Result<SceneDescription> scene = importNodes(nodes);
        expectReadsBackEqual(scene);
        EXPECT_TRUE(scene->nodes[0].lods.empty());
        EXPECT_EQ(hasIssue(*scene, "lod-ignored"), nodes != both);
    }
}

TEST(GltfLod, LevelsOfANodeAndOfItsAncestorStayInFallingOrder)
{
    const Result<SceneDescription> scene =
        importNodes(R"({"children":[3]},{"mesh":0,"extensions":{"MSFT_lod":{"ids":[2]}},"extras":{"MSFT_screencoverage":[0.25,0.125]}},)"
                    R"({"mesh":1},{"children":[1],"extensions":{"MSFT_lod":{"ids":[4]}},"extras":{"MSFT_screencoverage":[0.75,0.5]}},)"
                    R"({"children":[5]},{"mesh":2})");
    ASSERT_TRUE(scene) << errorOf(scene);
    EXPECT_TRUE(hasIssue(*scene, "lod-ignored"));
    for (const Node& node : scene->nodes)
        EXPECT_TRUE(std::is_sorted(
            node.lods.rbegin(), node.lods.rend(), [](const NodeLod& a, const NodeLod& b) { return a.minCoverage < b.minCoverage; }));
    EXPECT_TRUE(throughGlb(*scene)) << errorOf(throughGlb(*scene));
}

TEST(GltfExport, AMorphTargetThatDisplacesNothingIsWrittenAsZeros)
{
    GltfBuilder builder;
    builder.addFloats("VEC3", 3, {0, 0, 0, 1, 0, 0, 0, 1, 0});
    builder.addFloats("VEC2", 3, {0, 0, 1, 0, 0, 1});
    const Result<SceneDescription> scene = builder.import(
        meshText(R"("POSITION":0,"NORMAL":0,"TEXCOORD_0":1)", R"(,"targets":[{"TEXCOORD_0":1},{"POSITION":0},{"TEXCOORD_0":1}])"));
    expectReadsBackEqual(scene);
    EXPECT_THAT(jsonOf(*scene), Not(HasSubstr("{}")));
}

} // namespace
} // namespace dl::test
