// What travels through a .glb beside the core of glTF: material extensions that are kept and not drawn, variants, levels of
// detail, instances.
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

// 1 x 1 texels, as data URIs: any PNG will do.
constexpr std::string_view kImage =
    R"({"uri":"data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=="})";

Result<SceneDescription> throughGlb(const SceneDescription& scene)
{
    DL_TRY_ASSIGN(const std::vector<std::byte> bytes, exportGlbToMemory(scene));
    return importGltfFromMemory(bytes, {});
}

std::string jsonOf(const SceneDescription& scene)
{
    const std::vector<std::byte> bytes = exportGlbToMemory(scene).value();
    std::uint32_t length = 0;
    std::memcpy(&length, &bytes[12], sizeof length);
    return std::string(reinterpret_cast<const char*>(&bytes[20]), length);
}

GltfBuilder triangle()
{
    GltfBuilder builder;
    builder.addFloats("VEC3", 3, {0, 0, 0, 1, 0, 0, 0, 1, 0});
    builder.addFloats("VEC3", 3, {0, 0, 1, 0, 0, 1, 0, 0, 1});
    builder.addFloats("VEC2", 3, {0, 0, 1, 0, 0, 1});
    return builder;
}

/// One triangle of one material with these extensions; three textures of two images.
std::string materialText(std::string_view extensions)
{
    return R"("images":[)" + std::string(kImage) + "," + std::string(kImage) +
           R"(],"samplers":[{"wrapS":33071}],"textures":[{"source":0},{"source":1},{"source":1,"sampler":0}],"materials":[{"extensions":{)" +
           std::string(extensions) + "}}]," + meshText(R"("POSITION":0,"NORMAL":1,"TEXCOORD_0":2,"TEXCOORD_1":2)", R"(,"material":0)") +
           R"(,"nodes":[{"mesh":0}])";
}

SceneDescription importMaterial(std::string_view extensions)
{
    Result<SceneDescription> scene = triangle().import(materialText(extensions));
    EXPECT_TRUE(scene) << errorOf(scene);
    return scene ? std::move(*scene) : SceneDescription();
}

std::size_t countIssues(const SceneDescription& scene, std::string_view code)
{
    return static_cast<std::size_t>(
        std::count_if(scene.issues.begin(), scene.issues.end(), [&](const ImportIssue& issue) { return issue.code == code; }));
}

constexpr std::string_view kSeven =
    R"("KHR_materials_clearcoat":{"clearcoatFactor":0.5,"clearcoatTexture":{"index":2,"texCoord":1},)"
    R"("clearcoatNormalTexture":{"index":1,"scale":0.25,"extensions":{"KHR_texture_transform":{"offset":[0.5,0.25]}}}},)"
    R"("KHR_materials_transmission":{"transmissionFactor":1},"KHR_materials_anisotropy":{"anisotropyStrength":0.1},)"
    R"("KHR_materials_sheen":{"sheenColorFactor":[0.1,0.2,0.3],"sheenColorTexture":{"index":0}},)"
    R"("KHR_materials_specular":{"specularFactor":0.3},"KHR_materials_ior":{"ior":1.45},)"
    R"("KHR_materials_volume":{"thicknessFactor":1e-7,"extras":{"a":[null,true,"\u00e4\"",{"b":-12}]}})";

TEST(GltfKeptExtensions, AreReadWithTheirTexturesAndReportedOnceEach)
{
    const SceneDescription scene = importMaterial(kSeven);
    ASSERT_EQ(scene.materials.size(), 1U);
    const Material& material = scene.materials[0];
    ASSERT_EQ(material.keptExtensions.size(), 7U);
    EXPECT_EQ(material.unusedExtensions.size(), 7U);
    EXPECT_EQ(countIssues(scene, "material-extension-not-drawn"), 7U);
    const MaterialExtension& clearcoat = material.keptExtensions[0];
    ASSERT_EQ(clearcoat.textures.size(), 2U);
    EXPECT_EQ(clearcoat.textures[0].imageIndex, 1U);
    EXPECT_EQ(clearcoat.textures[0].uvSet, 1U);
    EXPECT_EQ(clearcoat.textures[0].sampler.wrapU, WrapMode::ClampToEdge);
    EXPECT_EQ(clearcoat.textures[1].uvOffset, vec2(0.5f, 0.25f));
    EXPECT_THAT(clearcoat.json,
        ElementsAre(R"({"clearcoatFactor":0.5,"clearcoatTexture":{)", R"(},"clearcoatNormalTexture":{)", R"(,"scale":0.25}})"));
}

TEST(GltfKeptExtensions, ComeBackEqualFromAnExport)
{
    const SceneDescription scene = importMaterial(kSeven);
    const Result<SceneDescription> back = throughGlb(scene);
    ASSERT_TRUE(back) << errorOf(back);
    EXPECT_EQ(firstDifference(scene, *back), "");
    const std::string json = jsonOf(scene);
    EXPECT_THAT(json, HasSubstr(R"("KHR_materials_ior":{"ior":1.45})"));
    EXPECT_THAT(json, HasSubstr(R"("thicknessFactor":1e-07)"));
    EXPECT_THAT(json, HasSubstr("\"a\":[null,true,\"\xc3\xa4\\\"\",{\"b\":-12}]"));
    EXPECT_THAT(json, HasSubstr(R"("extensionsUsed":["KHR_materials_anisotropy","KHR_materials_clearcoat")"));
}

TEST(GltfKeptExtensions, TextureIndicesFollowTheExportedList)
{
    // Textures 0 and 1 are not used: the one that is becomes texture 0 of the new file.
    const SceneDescription scene = importMaterial(R"("KHR_materials_transmission":{"transmissionTexture":{"index":2}})");
    EXPECT_THAT(jsonOf(scene), HasSubstr(R"("transmissionTexture":{"index":0})"));
    EXPECT_THAT(jsonOf(scene), HasSubstr(R"("textures":[{"source":1,"sampler":0}])"));
}

TEST(GltfKeptExtensions, AreNoReasonToRefuseAFileAndOthersAre)
{
    const auto requiring = [](const std::string& name)
    { return triangle().import(R"("extensionsUsed":[")" + name + R"("],"extensionsRequired":[")" + name + R"("],)" + materialText("")); };
    EXPECT_EQ(errorOf(requiring("KHR_materials_volume")), "imported");
    EXPECT_THAT(errorOf(requiring("KHR_materials_pbrSpecularGlossiness")), HasSubstr("KHR_materials_pbrSpecularGlossiness"));
    const SceneDescription other = importMaterial(R"("EXT_unknown":{"a":1})");
    EXPECT_TRUE(other.materials[0].keptExtensions.empty());
    EXPECT_THAT(other.materials[0].unusedExtensions, ElementsAre("EXT_unknown"));
}

TEST(GltfKeptExtensions, WithTexturesOutOfRangeAreAnError)
{
    EXPECT_THAT(errorOf(triangle().import(materialText(R"("KHR_materials_sheen":{"sheenColorTexture":{"index":3}})"))),
        HasSubstr("materials[0].extensions.KHR_materials_sheen.sheenColorTexture.index: index 3 is out of range"));
    SceneDescription scene = importMaterial(kSeven);
    scene.materials[0].keptExtensions[0].textures[0].imageIndex = 9;
    EXPECT_THAT(exportGlbToMemory(scene).error().message, HasSubstr("names image 9"));
    scene = importMaterial(kSeven);
    scene.materials[0].keptExtensions[0].json.pop_back();
    EXPECT_THAT(exportGlbToMemory(scene).error().message, HasSubstr("one text more"));
}

SceneDescription importVariants()
{
    Result<SceneDescription> scene = triangle().import(
        R"("extensionsUsed":["KHR_materials_variants"],"extensions":{"KHR_materials_variants":{"variants":[{"name":"day"},{"name":"night"},{"name":"dusk"}]}},)"
        R"("materials":[{"name":"a"},{"name":"b"},{"name":"c"}],)" +
        meshText(R"("POSITION":0,"NORMAL":1)",
            R"(,"material":2,"extensions":{"KHR_materials_variants":{"mappings":[{"material":0,"variants":[1]},{"material":1,"variants":[0]}]}})") +
        R"(,"nodes":[{"mesh":0}])");
    EXPECT_TRUE(scene) << errorOf(scene);
    return scene ? std::move(*scene) : SceneDescription();
}

TEST(GltfExportVariants, ReadBackEqual)
{
    const SceneDescription scene = importVariants();
    const SceneDescription back = throughGlb(scene).value();
    EXPECT_EQ(firstDifference(scene, back), "");
    EXPECT_EQ(back.variants.size(), 3U);
}

TEST(GltfExportVariants, KeepTheirMaterialsWhereOneIsApplied)
{
    SceneDescription scene = importVariants();
    ASSERT_TRUE(applyVariant(scene, "night"));
    SceneDescription back = throughGlb(scene).value();
    const auto worn = [&](std::string_view name)
    {
        EXPECT_TRUE(applyVariant(back, name));
        return back.materials[back.meshes[0].primitives[0].materialIndex].name;
    };
    EXPECT_EQ(worn(""), "a") << "what any viewer shows";
    EXPECT_EQ(worn("day"), "b");
    EXPECT_EQ(worn("night"), "a");
    EXPECT_EQ(worn("dusk"), "c") << "no entry for it: the original's own";
}

TEST(GltfExportLods, GoBackIntoTheNodesOfTheFile)
{
    const std::string mesh = R"({"primitives":[{"attributes":{"POSITION":0,"NORMAL":1}}]})";
    Result<SceneDescription> scene =
        triangle().import(R"("meshes":[)" + mesh + "," + mesh + "," + mesh +
                          R"(],"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0,"extensions":{"MSFT_lod":{"ids":[2,1]}},)"
                          R"("extras":{"MSFT_screencoverage":[0.5,0.25,0]}},{"mesh":1},{"mesh":2}])");
    ASSERT_TRUE(scene) << errorOf(scene);
    const SceneDescription back = throughGlb(*scene).value();
    EXPECT_EQ(firstDifference(*scene, back), "");
    EXPECT_EQ(back.nodes.size(), 3U);
    EXPECT_THAT(jsonOf(*scene), HasSubstr(R"("ids":[2,1])"));
    EXPECT_THAT(jsonOf(*scene), HasSubstr(R"("scenes":[{"nodes":[0]}])"));
}

TEST(GltfExportLods, BuiltOnesGetNodesOfTheirOwn)
{
    const std::string mesh = R"({"primitives":[{"attributes":{"POSITION":0,"NORMAL":1}}]})";
    SceneDescription scene =
        triangle().import(R"("meshes":[)" + mesh + "," + mesh + R"(],"nodes":[{"mesh":0,"translation":[1,2,3]},{"name":"other"}])").value();
    scene.nodes[0].lods = {{.meshIndex = 0}, {.meshIndex = 1, .nodeIndex = 1}}; // that node stands elsewhere
    const SceneDescription back = throughGlb(scene).value();
    ASSERT_EQ(back.nodes.size(), 3U);
    EXPECT_EQ(back.nodes[0].lods, scene.nodes[0].lods);
    EXPECT_EQ(back.nodes[1].name, "other");
    EXPECT_THAT(jsonOf(scene), Not(HasSubstr("MSFT_screencoverage")));
    scene.nodes[0].lods[1].meshIndex = 2;
    EXPECT_THAT(exportGlbToMemory(scene).error().message, HasSubstr("level of detail"));
}

TEST(GltfExport, LeavesOutMeshesAndAnimationsThatGltfCanNotSay)
{
    SceneDescription scene = triangle()
                                 .import(R"("animations":[{"name":"none","samplers":[],"channels":[]}],)" +
                                         meshText(R"("POSITION":0,"NORMAL":1)") + R"(,"nodes":[{"mesh":0}])")
                                 .value();
    scene.meshes.insert(scene.meshes.begin(), Mesh{"empty", {}, {}});
    scene.nodes[0].meshIndex = 1;
    scene.nodes.emplace_back().meshIndex = 0;
    const SceneDescription back = throughGlb(scene).value();
    EXPECT_EQ(firstDifference(scene, back), "");
    EXPECT_EQ(back.meshes.size(), 1U);
    EXPECT_EQ(back.nodes[0].meshIndex, 0U);
    EXPECT_EQ(back.nodes[1].meshIndex, kNoIndex);
    EXPECT_TRUE(back.animations.empty());
}

} // namespace
} // namespace dl::test
