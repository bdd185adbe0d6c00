// KHR_materials_variants and MSFT_lod: names, mappings and levels as the file has them, and what is refused or left out.
#include "drawloom/asset/composition.h"
#include "tests/asset/gltf_builder.h"

#include <gmock/gmock.h>

#include <fstream>

namespace dl::test
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

GltfBuilder triangle()
{
    GltfBuilder builder;
    builder.addFloats("VEC3", 3, {0, 0, 0, 1, 0, 0, 0, 1, 0});
    return builder;
}

std::string variantText(std::string_view mappings, std::string_view variants = R"({"name":"day"},{"name":"night"})")
{
    return R"("extensionsRequired":["KHR_materials_variants"],"extensions":{"KHR_materials_variants":{"variants":[)" +
           std::string(variants) + R"(]}},"materials":[{},{},{}],)" +
           meshText(
               R"("POSITION":0)", R"(,"material":2,"extensions":{"KHR_materials_variants":{"mappings":[)" + std::string(mappings) + "]}}") +
           R"(,"nodes":[{"mesh":0}])";
}

std::uint32_t materialUnder(SceneDescription& scene, std::string_view name)
{
    const Result<void> applied = applyVariant(scene, name);
    EXPECT_TRUE(applied) << name;
    return scene.meshes[0].primitives[0].materialIndex;
}

TEST(GltfVariants, DressThePrimitiveAndTakeItBack)
{
    Result<SceneDescription> scene = triangle().import(variantText(R"({"material":0,"variants":[1]})"));
    ASSERT_TRUE(scene) << errorOf(scene);
    EXPECT_THAT(scene->variants, ElementsAre("day", "night"));
    EXPECT_TRUE(scene->issues.empty() || !hasIssue(*scene, "extension-ignored"));
    EXPECT_EQ(scene->meshes[0].primitives[0].materialIndex, 2U) << "none is chosen by the import";
    EXPECT_EQ(materialUnder(*scene, "night"), 0U);
    EXPECT_EQ(materialUnder(*scene, "day"), 2U) << "no entry for it: the file's own";
    EXPECT_EQ(materialUnder(*scene, "night"), 0U);
    EXPECT_EQ(materialUnder(*scene, ""), 2U);
}

TEST(GltfVariants, AnUnknownNameChangesNothingAndNamesTheKnownOnes)
{
    Result<SceneDescription> scene = triangle().import(variantText(R"({"material":0,"variants":[0,1]})"));
    ASSERT_TRUE(scene) << errorOf(scene);
    EXPECT_EQ(materialUnder(*scene, "day"), 0U);
    const Result<void> applied = applyVariant(*scene, "dusk");
    ASSERT_FALSE(applied);
    EXPECT_EQ(applied.error().code, ErrorCode::NotFound);
    EXPECT_EQ(applied.error().message, "no material variant \"dusk\"; there are: day, night");
    EXPECT_EQ(scene->meshes[0].primitives[0].materialIndex, 0U);
}

TEST(GltfVariants, HoldMaterialsAndVariantsAgainstTheirLists)
{
    EXPECT_THAT(
        errorOf(triangle().import(variantText(R"({"material":3,"variants":[0]})"))), HasSubstr("material: index 3 is out of range"));
    EXPECT_THAT(
        errorOf(triangle().import(variantText(R"({"material":0,"variants":[2]})"))), HasSubstr("variants: index 2 is out of range"));
    EXPECT_THAT(errorOf(triangle().import(variantText(R"({"variants":[0]})"))), HasSubstr("material: is required"));
    const Result<SceneDescription> twice = triangle().import(variantText(R"({"material":0,"variants":[0]},{"material":1,"variants":[0]})"));
    ASSERT_TRUE(twice) << errorOf(twice);
    EXPECT_TRUE(hasIssue(*twice, "variant-mapped-twice"));
    EXPECT_THAT(twice->meshes[0].primitives[0].variantMaterials, ElementsAre(VariantMaterial{kNoIndex, 2}, VariantMaterial{0, 0}));
}

/// Meshes 0, 1, 2 over the same triangle; the scene shows node 0.
Result<SceneDescription> importNodes(std::string_view nodes)
{
    return triangle().import(
        R"("extensionsRequired":["MSFT_lod"],"meshes":[{"primitives":[{"attributes":{"POSITION":0}}]},{"primitives":[{"attributes":{"POSITION":0}}]},)"
        R"({"primitives":[{"attributes":{"POSITION":0}}]}],"scenes":[{"nodes":[0]}],"nodes":[)" +
        std::string(nodes) + "]");
}

TEST(GltfLod, LevelsBecomeMeshesOfTheNodeWithTheirCoverages)
{
    const Result<SceneDescription> scene = importNodes(
        R"({"mesh":0,"extensions":{"MSFT_lod":{"ids":[1,2]}},"extras":{"MSFT_screencoverage":[0.5,0.25,0.125]}},{"mesh":1},{"mesh":2})");
    ASSERT_TRUE(scene) << errorOf(scene);
    EXPECT_THAT(scene->nodes[0].lods, ElementsAre(NodeLod{0, 0.5f}, NodeLod{1, 0.25f}, NodeLod{2, 0.125f}));
    EXPECT_EQ(scene->nodes[0].meshIndex, 0U);
    EXPECT_EQ(scene->nodes[1].meshIndex, kNoIndex) << "levels draw nothing of their own";
    EXPECT_EQ(scene->nodes[2].meshIndex, kNoIndex);
}

TEST(GltfLod, CoveragesThatDoNotFitAreLeftOut)
{
    for (const char* list : {"[0.5]", "[0.25,0.5]", "[2,0.5]", "[0.5,\"x\"]"})
    {
        const Result<SceneDescription> scene = importNodes(
            R"({"mesh":0,"extensions":{"MSFT_lod":{"ids":[1]}},"extras":{"MSFT_screencoverage":)" + std::string(list) + R"(}},{"mesh":1})");
        ASSERT_TRUE(scene) << errorOf(scene);
        EXPECT_TRUE(hasIssue(*scene, "lod-coverage-ignored")) << list;
        EXPECT_THAT(scene->nodes[0].lods, ElementsAre(NodeLod{0, 0.0f}, NodeLod{1, 0.0f})) << list;
    }
    const Result<SceneDescription> without = importNodes(R"({"mesh":0,"extensions":{"MSFT_lod":{"ids":[1]}}},{"mesh":1})");
    ASSERT_TRUE(without) << errorOf(without);
    EXPECT_FALSE(hasIssue(*without, "lod-coverage-ignored"));
}

TEST(GltfLod, ALevelWithChildrenIsPairedNodeByNode)
{
    const Result<SceneDescription> scene =
        importNodes(R"({"children":[1,2],"extensions":{"MSFT_lod":{"ids":[3]}}},{"mesh":0},{"mesh":1,"translation":[1,0,0]},)"
                    R"({"children":[4,5]},{"mesh":2},{"mesh":2,"translation":[1,0,0]})");
    ASSERT_TRUE(scene) << errorOf(scene);
    EXPECT_TRUE(scene->nodes[0].lods.empty()) << "it has no mesh";
    EXPECT_THAT(scene->nodes[1].lods, ElementsAre(NodeLod{0, 0.0f}, NodeLod{2, 0.0f}));
    EXPECT_THAT(scene->nodes[2].lods, ElementsAre(NodeLod{1, 0.0f}, NodeLod{2, 0.0f}));
}

TEST(GltfLod, LevelsOfAnotherShapeAreNamedAndTheLevelBeforeStandsIn)
{
    const auto levelsWith = [](const std::string& second)
    {
        const Result<SceneDescription> scene = importNodes(
            R"({"mesh":0,"extensions":{"MSFT_lod":{"ids":[1,2]}},"extras":{"MSFT_screencoverage":[0.5,0.25,0.125]}},{"mesh":1},)" + second);
        EXPECT_TRUE(scene) << errorOf(scene);
        EXPECT_TRUE(scene && hasIssue(*scene, "lod-ignored")) << second;
        return scene ? scene->nodes[0].lods : std::vector<NodeLod>();
    };
    const auto expected = ElementsAre(NodeLod{0, 0.5f}, NodeLod{1, 0.125f});
    EXPECT_THAT(levelsWith(R"({"mesh":2,"translation":[1,0,0]})"), expected);
    EXPECT_THAT(levelsWith(R"({})"), expected);
    EXPECT_THAT(levelsWith(R"({"mesh":2,"children":[3]},{"mesh":2})"), expected);
}

TEST(GltfLod, ANodeIsNoLevelOfItselfNorOfTwo)
{
    const Result<SceneDescription> itself = importNodes(R"({"mesh":0,"extensions":{"MSFT_lod":{"ids":[0]}}})");
    ASSERT_TRUE(itself) << errorOf(itself);
    EXPECT_TRUE(itself->nodes[0].lods.empty());
    EXPECT_EQ(itself->nodes[0].meshIndex, 0U);
    const Result<SceneDescription> twice = importNodes(R"({"mesh":0,"extensions":{"MSFT_lod":{"ids":[1,1]}}},{"mesh":1})");
    ASSERT_TRUE(twice) << errorOf(twice);
    EXPECT_THAT(twice->nodes[0].lods, ElementsAre(NodeLod{0, 0.0f}, NodeLod{1, 0.0f}));
    EXPECT_TRUE(hasIssue(*twice, "lod-ignored"));
    EXPECT_THAT(errorOf(importNodes(R"({"mesh":0,"extensions":{"MSFT_lod":{"ids":[9]}}})")), HasSubstr("ids: index 9 is out of range"));
}

TEST(GltfLod, AndVariantsComeAlongIntoACompositionOfTwoFiles)
{
    const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "variants_lod";
    std::filesystem::create_directories(folder);
    const std::string lods = R"({"mesh":0,"extensions":{"MSFT_lod":{"ids":[1]}}},{"mesh":0})";
    std::string text = variantText(R"({"material":0,"variants":[1]})");
    text = text.substr(0, text.rfind(R"("nodes")")) + R"("nodes":[)" + lods + R"(],"scenes":[{"nodes":[0]}])";
    std::ofstream(folder / "a.gltf") << triangle().text(text);
    std::ofstream(folder / "b.gltf") << triangle().text(text);
    std::ofstream(folder / "both.scene.json")
        << R"({"drawloomScene":1,"assets":{"a":"a.gltf","b":"b.gltf"},"placements":[{"asset":"a"},{"asset":"b"}]})";
    Result<SceneDescription> scene = loadComposition(folder / "both.scene.json");
    ASSERT_TRUE(scene) << errorOf(scene);
    EXPECT_THAT(scene->variants, ElementsAre("night")) << "one variant, of both files";
    ASSERT_TRUE(applyVariant(*scene, "night"));
    EXPECT_EQ(scene->meshes.at(0).primitives[0].materialIndex, 0U);
    EXPECT_EQ(scene->meshes.at(1).primitives[0].materialIndex, 3U);
    std::vector<std::uint32_t> levels;
    for (const Node& node : scene->nodes)
        for (const NodeLod& lod : node.lods)
            levels.push_back(lod.meshIndex);
    EXPECT_THAT(levels, ElementsAre(0, 0, 1, 1));
}

} // namespace
} // namespace dl::test
