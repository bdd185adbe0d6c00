// Nodes, materials, textures, cameras, lights, extensions and bad input by value, on small generated texts.
#include "tests/asset/gltf_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

namespace dl::test
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

std::string head(std::string_view rest)
{
    return R"({"asset":{"version":"2.0"},)" + std::string(rest) + "}";
}

Result<SceneDescription> importRest(std::string_view rest, const GltfImportSettings& settings = {})
{
    return importText(head(rest), settings);
}

TEST(GltfNodes, PutsParentsBeforeChildrenAndKeepsReferences)
{
    const Result<SceneDescription> scene = importRest(
        R"("nodes":[{"name":"hand"},{"name":"arm","children":[0]},{"name":"root","children":[1,3],"translation":[1,2,3]},{"name":"leg"}],)"
        R"("skins":[{"joints":[0,2],"skeleton":1}])");
    ASSERT_TRUE(scene) << errorOf(scene);
    std::vector<std::string> names;
    for (const Node& node : scene->nodes)
        names.push_back(node.name);
    EXPECT_THAT(names, ElementsAre("root", "arm", "hand", "leg"));
    EXPECT_EQ(scene->nodes[0].parent, kNoIndex);
    EXPECT_EQ(scene->nodes[1].parent, 0U);
    EXPECT_EQ(scene->nodes[2].parent, 1U);
    EXPECT_EQ(scene->nodes[3].parent, 0U);
    EXPECT_THAT(scene->skins[0].jointNodes, ElementsAre(2, 0));
    EXPECT_EQ(scene->skins[0].skeletonRoot, 1U);
    EXPECT_EQ(computeWorldTransforms(*scene)[2].translation(), vec3(1, 2, 3));
}

TEST(GltfNodes, RefusesCyclesAndSecondParentsByName)
{
    EXPECT_EQ(errorOf(importRest(R"("nodes":[{"children":[1]},{"children":[2]},{"children":[0]}])")), "nodes[0]: is its own ancestor");
    EXPECT_EQ(errorOf(importRest(R"("nodes":[{"children":[0]}])")), "nodes[0]: is its own ancestor");
    EXPECT_EQ(errorOf(importRest(R"("nodes":[{"children":[2]},{"children":[2]},{}])")),
        "nodes[1].children: nodes[2] is already a child of nodes[0]; a node has one parent");
    EXPECT_EQ(errorOf(importRest(R"("nodes":[{"children":[2]},{}])")), "nodes[0].children: index 2 is out of range, there are 2");
    EXPECT_EQ(errorOf(importRest(R"("nodes":[{"children":[-1]}])")), "nodes[0].children: must hold indices, whole numbers");
}

TEST(GltfNodes, ReadsMatricesColumnByColumnAndMirroredScales)
{
    const Result<SceneDescription> scene = importRest(
        R"("nodes":[{"matrix":[2,0,0,0, 0,0,3,0, 0,-4,0,0, 5,6,7,1]},{"scale":[-1,1,1]},{"matrix":[1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1]},{"scale":[0,0,0]}])");
    ASSERT_TRUE(scene) << errorOf(scene);
    const std::vector<Affine> world = computeWorldTransforms(*scene);
    EXPECT_EQ(world[0].transformPoint(vec3(1, 1, 1)), vec3(2 + 5, -4 + 6, 3 + 7));
    EXPECT_LT(world[1].determinant(), 0.0f);
    EXPECT_FALSE(scene->nodes[2].matrix.has_value()) << "an identity matrix is no matrix";
    EXPECT_EQ(world[3].determinant(), 0.0f);
}

TEST(GltfNodes, NormalisesRotationsWithAWarning)
{
    const Result<SceneDescription> scene = importRest(R"("nodes":[{"rotation":[0,0,2,0]},{"rotation":[0,0,0,0]}])");
    ASSERT_TRUE(scene) << errorOf(scene);
    EXPECT_EQ(scene->nodes[0].local.rotation, quat(0, 0, 0, 1));
    EXPECT_EQ(scene->nodes[1].local.rotation, quat(1, 0, 0, 0));
    EXPECT_TRUE(hasIssue(*scene, "rotation-not-unit"));
    EXPECT_THAT(
        errorOf(importRest(R"("nodes":[{"rotation":[0,0,2,0]}])", {.isStrict = true})), HasSubstr("nodes[0].rotation: has length 2"));
}

TEST(GltfNodes, AStrictImportListsAllFaultsUpToALimit)
{
    std::string nodes = R"({"rotation":[0,0,2,0]},{"weights":[1]})";
    const std::string two = errorOf(importRest(R"("nodes":[)" + nodes + "]", {.isStrict = true}));
    EXPECT_THAT(two, HasSubstr("2 faults"));
    EXPECT_THAT(two, HasSubstr("nodes[0].rotation: has length 2"));
    EXPECT_THAT(two, HasSubstr("nodes[1].weights: 1 weights for 0 morph targets; ignored (weights-count)"));
    for (int i = 0; i < 18; ++i)
        nodes += R"(,{"weights":[1]})";
    const std::string many = errorOf(importRest(R"("nodes":[)" + nodes + "]", {.isStrict = true}));
    EXPECT_THAT(many, HasSubstr("20 faults"));
    EXPECT_THAT(many, HasSubstr("nodes[9].weights"));
    EXPECT_THAT(many, HasSubstr("; and 10 more"));
    EXPECT_LT(many.size(), 1100U);
}

TEST(GltfNodes, ShowsOnlyTheDefaultScene)
{
    GltfBuilder builder;
    builder.addFloats("VEC3", 3, {0, 0, 0, 1, 0, 0, 0, 1, 0});
    const std::string nodes = R"(,"nodes":[{"mesh":0},{"children":[2]},{"mesh":0}],"scenes":[{"nodes":[0]},{"nodes":[1]}])";
    const Result<SceneDescription> first = builder.import(meshText(R"("POSITION":0)") + nodes);
    const Result<SceneDescription> second = builder.import(meshText(R"("POSITION":0)") + nodes + R"(,"scene":1)");
    ASSERT_TRUE(first && second);
    EXPECT_EQ(first->nodes[0].meshIndex, 0U);
    EXPECT_EQ(first->nodes[2].meshIndex, kNoIndex);
    EXPECT_EQ(second->nodes[0].meshIndex, kNoIndex);
    EXPECT_EQ(second->nodes[2].meshIndex, 0U);
    EXPECT_TRUE(hasIssue(*second, "nodes-outside-scene"));
    EXPECT_THAT(errorOf(builder.import(meshText(R"("POSITION":0)") + nodes + R"(,"scene":2)")), HasSubstr("scene: index 2"));
}

/// These tests look at references alone.
constexpr GltfImportSettings kNoPixels{.decodeImages = false};

TEST(GltfMaterial, ReadsEveryFactorTextureAndExtension)
{
    const Result<SceneDescription> scene = importRest(
        R"("images":[{"uri":"a%20b.png"},{"uri":"x.jpg","name":"rough"}],"samplers":[{"magFilter":9728,"minFilter":9984,"wrapS":33071,"wrapT":33648},{"minFilter":9729}],)"
        R"("textures":[{"source":0,"sampler":0},{"source":1,"sampler":1},{"source":1}],"materials":[{"name":"m",)"
        R"("pbrMetallicRoughness":{"baseColorFactor":[0.1,0.2,0.3,0.4],"metallicFactor":0.5,"roughnessFactor":0.25,)"
        R"("baseColorTexture":{"index":0,"texCoord":1,"extensions":{"KHR_texture_transform":{"offset":[1,2],"scale":[3,4],"rotation":0.5,"texCoord":0}}},)"
        R"("metallicRoughnessTexture":{"index":1,"texCoord":1}},"normalTexture":{"index":2,"scale":-2},"occlusionTexture":{"index":1,"strength":0.75},)"
        R"("emissiveTexture":{"index":1},"emissiveFactor":[1,0.5,0],"alphaMode":"MASK","alphaCutoff":0.7,"doubleSided":true,)"
        R"("extensions":{"KHR_materials_unlit":{},"KHR_materials_emissive_strength":{"emissiveStrength":4},"KHR_materials_clearcoat":{}}},{}])",
        kNoPixels);
    ASSERT_TRUE(scene) << errorOf(scene);
    const Material& m = scene->materials[0];
    EXPECT_EQ(m.baseColorFactor, vec4(0.1f, 0.2f, 0.3f, 0.4f));
    EXPECT_EQ(m.metallicFactor, 0.5f);
    EXPECT_EQ(m.roughnessFactor, 0.25f);
    EXPECT_EQ(m.emissiveFactor, vec3(4, 2, 0));
    EXPECT_EQ(m.normalScale, -2.0f);
    EXPECT_EQ(m.occlusionStrength, 0.75f);
    EXPECT_EQ(m.alphaMode, AlphaMode::Mask);
    EXPECT_EQ(m.alphaCutoff, 0.7f);
    EXPECT_TRUE(m.isDoubleSided && m.isUnlit);
    EXPECT_THAT(m.unusedExtensions, ElementsAre("KHR_materials_clearcoat"));
    const TextureRef expected{.imageIndex = 0,
        .sampler = {.wrapU = WrapMode::ClampToEdge,
            .wrapV = WrapMode::MirroredRepeat,
            .magFilter = TexelFilter::Nearest,
            .minFilter = TexelFilter::Nearest,
            .mipFilter = TexelFilter::Nearest},
        .uvSet = 0,
        .uvOffset = vec2(1, 2),
        .uvScale = vec2(3, 4),
        .uvRotation = 0.5f};
    EXPECT_EQ(m.baseColor, expected);
    EXPECT_EQ(m.metallicRoughness.uvSet, 1U);
    EXPECT_FALSE(m.metallicRoughness.sampler.hasMips);
    EXPECT_EQ(m.normal.sampler, SamplerSettings{});
    EXPECT_FALSE(scene->materials[1].baseColor.isPresent());
    EXPECT_EQ(scene->images[0].name, "a b.png");
    EXPECT_EQ(scene->images[1].name, "rough");
    EXPECT_EQ(scene->images[0].width, 0U);
}

TEST(GltfMaterial, ClampsFactorsWithAWarningAndRefusesWrongTypes)
{
    const Result<SceneDescription> scene = importRest(
        R"("materials":[{"pbrMetallicRoughness":{"baseColorFactor":[2,-1,0.5,1],"metallicFactor":-1,"roughnessFactor":1.5},"alphaCutoff":-1,"emissiveFactor":[5,0,0],"alphaMode":"GLASS"}])");
    ASSERT_TRUE(scene) << errorOf(scene);
    const Material& m = scene->materials[0];
    EXPECT_EQ(m.baseColorFactor, vec4(1, 0, 0.5f, 1));
    EXPECT_EQ(m.metallicFactor, 0.0f);
    EXPECT_EQ(m.roughnessFactor, 1.0f);
    EXPECT_EQ(m.alphaCutoff, 0.0f);
    EXPECT_EQ(m.emissiveFactor, vec3(1, 0, 0));
    EXPECT_EQ(m.alphaMode, AlphaMode::Opaque);
    EXPECT_EQ(scene->issues.size(), 6U);
    EXPECT_EQ(errorOf(importRest(R"("materials":[{"pbrMetallicRoughness":{"metallicFactor":"1"}}])")),
        "materials[0].pbrMetallicRoughness.metallicFactor: must be a finite number");
    EXPECT_EQ(errorOf(importRest(R"("materials":[{"pbrMetallicRoughness":{"baseColorFactor":[1,1,1]}}])")),
        "materials[0].pbrMetallicRoughness.baseColorFactor: must be an array of 4 numbers");
    EXPECT_EQ(errorOf(importRest(R"("materials":[{"normalTexture":{"index":0}}])")),
        "materials[0].normalTexture.index: index 0 is out of range, there are 0");
    EXPECT_EQ(errorOf(importRest(R"("materials":[{"doubleSided":1}])")), "materials[0].doubleSided: must be true or false");
    EXPECT_EQ(errorOf(importRest(R"("materials":[{"alphaCutoff":1e39}])")), "materials[0].alphaCutoff: must be a finite number");
}

TEST(GltfCamera, ReadsBothTypesAndRefusesSwappedPlanes)
{
    const Result<SceneDescription> scene =
        importRest(R"("cameras":[{"name":"p","type":"perspective","perspective":{"yfov":0.5,"znear":0.25,"aspectRatio":2}},)"
                   R"({"type":"orthographic","orthographic":{"xmag":3,"ymag":4,"znear":0,"zfar":9}}],"nodes":[{"camera":1}])");
    ASSERT_TRUE(scene) << errorOf(scene);
    EXPECT_EQ(scene->cameras[0].name, "p");
    EXPECT_EQ(scene->cameras[0].yFovRadians, 0.5f);
    EXPECT_EQ(scene->cameras[0].aspect, 2.0f);
    EXPECT_EQ(scene->cameras[0].zNear, 0.25f);
    EXPECT_EQ(scene->cameras[0].zFar, 0.0f);
    EXPECT_TRUE(scene->cameras[1].isOrthographic);
    EXPECT_EQ(scene->cameras[1].xMag, 3.0f);
    EXPECT_EQ(scene->cameras[1].yMag, 4.0f);
    EXPECT_EQ(scene->cameras[1].zFar, 9.0f);
    EXPECT_EQ(scene->nodes[0].cameraIndex, 1U);
    EXPECT_THAT(errorOf(importRest(R"("cameras":[{"type":"perspective","perspective":{"yfov":1,"znear":2,"zfar":1}}])")),
        HasSubstr("cameras[0].perspective.zfar: 1.000000 must be larger than znear"));
    EXPECT_EQ(
        errorOf(importRest(R"("cameras":[{"type":"fisheye"}])")), "cameras[0].type: \"fisheye\" is neither perspective nor orthographic");
}

TEST(GltfLight, ReadsSpotPointAndDirectional)
{
    const Result<SceneDescription> scene = importRest(
        R"("extensionsUsed":["KHR_lights_punctual"],"extensionsRequired":["KHR_lights_punctual"],"extensions":{"KHR_lights_punctual":{"lights":[)"
        R"({"type":"spot","color":[1,0.5,0.25],"intensity":7,"range":9,"spot":{"innerConeAngle":0.25,"outerConeAngle":0.5}},)"
        R"({"type":"point","name":"lamp"},{"type":"directional"}]}},"nodes":[{"extensions":{"KHR_lights_punctual":{"light":1}}}])");
    ASSERT_TRUE(scene) << errorOf(scene);
    ASSERT_EQ(scene->lights.size(), 3U);
    EXPECT_EQ(scene->lights[0].type, LightType::Spot);
    EXPECT_EQ(scene->lights[0].color, vec3(1, 0.5f, 0.25f));
    EXPECT_EQ(scene->lights[0].intensity, 7.0f);
    EXPECT_EQ(scene->lights[0].range, 9.0f);
    EXPECT_EQ(scene->lights[0].innerConeRadians, 0.25f);
    EXPECT_EQ(scene->lights[0].outerConeRadians, 0.5f);
    EXPECT_EQ(scene->lights[1].name, "lamp");
    EXPECT_EQ(scene->lights[1].type, LightType::Point);
    EXPECT_EQ(scene->lights[2].type, LightType::Directional);
    EXPECT_EQ(scene->nodes[0].lightIndex, 1U);
}

TEST(GltfExtensions, RefusesUnknownRequiredOnesByNameAndNotesOptionalOnes)
{
    const Result<SceneDescription> refused = importRest(R"("extensionsRequired":["ACME_y","KHR_texture_transform","ACME_x"])");
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::Unsupported);
    EXPECT_EQ(refused.error().message, "extensionsRequired: the file can not be read without ACME_y, ACME_x, which is not supported");
    const Result<SceneDescription> noted = importRest(R"("extensionsUsed":["ACME_x","KHR_materials_unlit"])");
    ASSERT_TRUE(noted) << errorOf(noted);
    ASSERT_EQ(noted->issues.size(), 1U);
    EXPECT_EQ(noted->issues[0].code, "extension-ignored");
    EXPECT_THAT(noted->issues[0].message, HasSubstr("ACME_x"));
    EXPECT_EQ(noted->extensionsUsed.size(), 2U);
}

TEST(GltfFile, RefusesWhatIsNoGltfWithOneClearError)
{
    EXPECT_THAT(errorOf(importText("")), HasSubstr("JSON"));
    EXPECT_THAT(errorOf(importText("{\"asset\":")), HasSubstr("JSON"));
    EXPECT_EQ(errorOf(importText("[]")), "JSON: the file's root is no object");
    EXPECT_EQ(errorOf(importText("{}")), "asset: is required: this is no glTF 2.0");
    EXPECT_EQ(errorOf(importText(R"({"asset":{"version":"1.0"}})")), "asset.version: \"1.0\" is not read, only glTF 2");
    EXPECT_EQ(errorOf(importText(R"({"asset":{"version":"two"}})")), "asset.version: \"two\" is no version such as \"2.0\"");
    EXPECT_EQ(errorOf(importText(R"({"asset":{"version":"2.0"},"nodes":{}})")), "nodes: must be an array");
    EXPECT_EQ(errorOf(importText(R"({"asset":{"version":"2.0"},"nodes":[1]})")), "nodes[0]: must be an object");
    EXPECT_TRUE(importText(R"({"asset":{"version":"2.0"}})")) << "a glTF of nothing is a scene of nothing";
    EXPECT_TRUE(importText("\xef\xbb\xbf{\"asset\":{\"version\":\"2.0\"}}")) << "a byte order mark is passed over";
}

TEST(GltfFile, StopsAtNestingThatCouldExhaustTheStack)
{
    const auto nested = [](std::size_t depth) { return head(R"("extras":)" + std::string(depth, '[') + std::string(depth, ']')); };
    EXPECT_TRUE(importText(nested(60)));
    EXPECT_THAT(errorOf(importText(nested(64))), HasSubstr("JSON"));
    EXPECT_THAT(errorOf(importText(nested(2000000))), HasSubstr("JSON"));
}

TEST(GltfFile, HoldsTheLimitsOfItsSettings)
{
    const std::string text = head(R"("nodes":[])");
    EXPECT_TRUE(importText(text, {.maxFileBytes = text.size(), .maxJsonBytes = text.size()}));
    EXPECT_THAT(errorOf(importText(text, {.maxFileBytes = text.size() - 1})), HasSubstr("raise maxFileBytes"));
    EXPECT_THAT(errorOf(importText(text, {.maxJsonBytes = text.size() - 1})), HasSubstr("raise maxJsonBytes"));
}

TEST(GltfFile, ImportsTheSameSceneTwice)
{
    GltfBuilder builder;
    builder.addFloats("VEC3", 3, {0, 0, 0, 1, 0, 0, 0, 1, 0});
    const std::string rest = meshText(R"("POSITION":0)") + R"(,"nodes":[{"mesh":0}])";
    const Result<SceneDescription> a = builder.import(rest);
    const Result<SceneDescription> b = builder.import(rest);
    ASSERT_TRUE(a && b);
    EXPECT_EQ(a->meshes[0].primitives[0].positions, b->meshes[0].primitives[0].positions);
    EXPECT_EQ(a->meshes[0].primitives[0].normals, b->meshes[0].primitives[0].normals);
}

/// Cutting a valid text anywhere, and changing any one character, must end in a scene or in one error: the sanitizer
/// presets watch.
TEST(GltfFile, SurvivesEveryTruncationAndManyMutations)
{
    GltfBuilder builder;
    builder.addFloats("VEC3", 3, {0, 0, 0, 1, 0, 0, 0, 1, 0});
    builder.add<std::uint8_t>("VEC4", 5121, 3, std::vector<std::uint8_t>(12, 0));
    builder.addFloats("VEC4", 3, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
    builder.addFloats("SCALAR", 2, {0, 1});
    builder.addFloats("VEC3", 2, {0, 0, 0, 1, 1, 1});
    const std::string text = builder.text(
        meshText(R"("POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2)", R"(,"targets":[{"POSITION":0}],"mode":5)") +
        R"(,"nodes":[{"mesh":0,"skin":0,"children":[1]},{}],"skins":[{"joints":[0,1]}],"animations":[{"channels":[{"sampler":0,"target":{"node":1,"path":"scale"}}],"samplers":[{"input":3,"output":4}]}])");
    ASSERT_TRUE(importText(text)) << errorOf(importText(text));
    std::size_t refusedCount = 0;
    for (std::size_t size = 0; size < text.size(); ++size)
        refusedCount += importText(text.substr(0, size)) ? 0 : 1;
    EXPECT_EQ(refusedCount, text.size());
    const GltfImportSettings settings{.maxDecodedBytes = 1U << 20U};
    std::uint32_t seed = 12345; // printed by SCOPED_TRACE's message on failure
    SCOPED_TRACE(seed);
    for (int i = 0; i < 20000; ++i)
    {
        std::string mutated = text;
        for (int k = 0; k < 3; ++k)
        {
            seed = seed * 1664525U + 1013904223U;
            mutated[(seed >> 8U) % mutated.size()] = "0123456789-,:{}[]\"eE."[(seed >> 3U) % 20];
        }
        const Result<SceneDescription> scene = importText(mutated, settings);
        if (!scene)
        {
            EXPECT_FALSE(scene.error().message.empty());
        }
    }
}

} // namespace
} // namespace dl::test
