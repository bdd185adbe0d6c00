// Exported scenes are read back by our own importer and compared field by field: floats must be the same bits but for
// rotations, which the importer normalises.
#include "drawloom/asset/gltf_export.h"

#include "drawloom/asset/gltf_import.h"
#include "drawloom/asset/image_decode.h"
#include "drawloom/asset/png_write.h"
#include "tests/asset/scene_compare.h"
#include "tests/scenes/scene_facts.h"
#include "tests/scenes/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <random>

namespace dl
{
namespace
{

float difference(const Affine& a, const Affine& b)
{
    float out = 0.0f;
    for (int row = 0; row < 3; ++row)
        for (int c = 0; c < 4; ++c)
            out = std::max(out, std::fabs(a.rows[row][c] - b.rows[row][c]));
    return out;
}

void expectSame(const SceneDescription& a, const SceneDescription& b)
{
    EXPECT_EQ(test::firstDifference(a, b), "");
    for (std::size_t i = 0; i < std::min(a.images.size(), b.images.size()); ++i)
        EXPECT_EQ(a.images[i].contentHash, b.images[i].contentHash) << a.images[i].name;
}

Result<SceneDescription> throughGlb(const SceneDescription& scene)
{
    DL_TRY_ASSIGN(const std::vector<std::byte> bytes, exportGlbToMemory(scene));
    return importGltfFromMemory(bytes, {});
}

/// One triangle with everything that the types can say.
SceneDescription makeSmall()
{
    SceneDescription scene;
    Primitive p;
    p.positions = {vec3(0), vec3(1, 0, 0), vec3(0, 1, 0)};
    p.normals.assign(3, vec3(0, 0, 1));
    p.uv0 = p.uv1 = {vec2(0), vec2(1, 0), vec2(0, 1)};
    p.indices = {0, 1, 2};
    for (const vec3& position : p.positions)
        p.bounds.include(position);
    scene.meshes.push_back({"a \"quoted\" \\ mesh\n", {p}, {}});
    Node node;
    node.name = "node \xc3\xa4";
    node.meshIndex = 0;
    scene.nodes.push_back(node);
    return scene;
}

class ExportedScene : public testing::TestWithParam<scenes::NamedScene>
{
};

TEST_P(ExportedScene, ReadsBackEqual)
{
    const SceneDescription scene = GetParam().make();
    const Result<SceneDescription> back = throughGlb(scene);
    ASSERT_TRUE(back) << back.error().message;
    expectSame(scene, *back);
    for (const ImportIssue& issue : back->issues)
        ADD_FAILURE() << issue.where << ": " << issue.message;
}

INSTANTIATE_TEST_SUITE_P(Scenes, ExportedScene, testing::ValuesIn(scenes::namedScenes().begin(), scenes::namedScenes().end()),
    [](const testing::TestParamInfo<scenes::NamedScene>& tested)
    {
        std::string name(tested.param.name);
        std::replace(name.begin(), name.end(), '-', '_');
        return name;
    });

TEST(GltfExport, WritesTheSameBytesTwice)
{
    const SceneDescription scene = scenes::makeDeformed();
    EXPECT_EQ(exportGlbToMemory(scene).value(), exportGlbToMemory(scene).value());
}

TEST(GltfExport, AnEmptySceneIsAValidFile)
{
    const Result<SceneDescription> back = throughGlb({});
    ASSERT_TRUE(back) << back.error().message;
    EXPECT_TRUE(back->nodes.empty());
}

TEST(GltfExport, EscapesNamesAndKeepsMatrices)
{
    SceneDescription scene = makeSmall();
    scene.nodes[0].matrix = mat4(1.0f);
    (*scene.nodes[0].matrix)[1][0] = 0.5f; // shear: no TRS says it
    const SceneDescription back = throughGlb(scene).value();
    expectSame(scene, back);
}

TEST(GltfExport, WritesUtf8WhateverANameHolds)
{
    // Each bad byte or cut sequence becomes one U+FFFD; what is whole stays: fuzz_gltf found names out of percent signs.
    const std::pair<std::string, std::string> names[] = {{"caf\xc3\xa9 \xf0\x9f\x8c\xb3", "caf\xc3\xa9 \xf0\x9f\x8c\xb3"},
        {"\xff", "\xef\xbf\xbd"}, {"a\xc3", "a\xef\xbf\xbd"}, {"\xc0\xaf", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
        {"\xf4\x90\x80\x80z", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz"}};
    for (const auto& [name, written] : names)
    {
        SceneDescription scene;
        scene.nodes.emplace_back().name = name;
        const Result<std::vector<std::byte>> glb = exportGlbToMemory(scene);
        ASSERT_TRUE(glb) << glb.error().message;
        const Result<SceneDescription> back = importGltfFromMemory(*glb, {});
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(back->nodes.at(0).name, written);
    }
}

TEST(GltfExport, RefusesNumbersThatAreNotFiniteWhereverTheyStand)
{
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const auto refused = [](const SceneDescription& scene)
    {
        const Result<std::vector<std::byte>> glb = exportGlbToMemory(scene);
        return !glb && glb.error().message.find("not finite") != std::string::npos;
    };
    SceneDescription scene;
    scene.cameras.emplace_back().yFovRadians = nan;
    EXPECT_TRUE(refused(scene));
    scene = {};
    scene.lights.emplace_back().intensity = std::numeric_limits<float>::infinity();
    EXPECT_TRUE(refused(scene));
    scene = {};
    scene.meshes.emplace_back().morphWeights = {nan};
    EXPECT_TRUE(refused(scene));
    // As bright as floats go: the strength is a power of two that is one, too.
    scene = {};
    scene.materials.emplace_back().emissiveFactor = vec3(3e38f);
    const Result<std::vector<std::byte>> glb = exportGlbToMemory(scene);
    ASSERT_TRUE(glb) << glb.error().message;
    EXPECT_TRUE(importGltfFromMemory(*glb, {}));
}

TEST(GltfExport, ShearedInstancesBecomeChildNodes)
{
    SceneDescription scene = makeSmall();
    Affine sheared;
    sheared.rows[0].y = 0.5f;
    scene.nodes[0].instances = {Affine{}, sheared};
    const SceneDescription back = throughGlb(scene).value();
    ASSERT_EQ(back.nodes.size(), 3U);
    EXPECT_EQ(back.nodes[0].meshIndex, kNoIndex);
    EXPECT_EQ(back.nodes[1].parent, 0U);
    EXPECT_EQ(back.nodes[1].meshIndex, 0U);
    EXPECT_LT(difference(computeWorldTransforms(back)[2], sheared), 1e-6f);
    EXPECT_EQ(scenes::countScene(back).instanceCount, 2U);
}

TEST(GltfExport, RigidInstancesStayInstancesMirroredOnesToo)
{
    SceneDescription scene = makeSmall();
    scene.nodes[0].instances = {toAffine(Trs{vec3(1, 2, 3), glm::angleAxis(1.0f, glm::normalize(vec3(1, 2, 3))), vec3(-2, 1, 0.5f)})};
    const SceneDescription back = throughGlb(scene).value();
    ASSERT_EQ(back.nodes.size(), 1U);
    ASSERT_EQ(back.nodes[0].instances.size(), 1U);
    EXPECT_LT(difference(back.nodes[0].instances[0], scene.nodes[0].instances[0]), 1e-5f);
    EXPECT_LT(back.nodes[0].instances[0].determinant(), 0.0f);
}

TEST(GltfExport, MoreThan65535VerticesKeepTheirIndices)
{
    SceneDescription scene = makeSmall();
    Primitive& p = scene.meshes[0].primitives[0];
    for (const std::size_t count : {std::size_t{65535}, std::size_t{65536}})
    {
        p.positions.resize(count, vec3(0.5f));
        p.normals.resize(count, vec3(0, 0, 1));
        p.uv0.resize(count);
        p.uv1.resize(count);
        p.indices = {0, 1, static_cast<std::uint32_t>(count - 1)};
        const Result<SceneDescription> back = throughGlb(scene);
        ASSERT_TRUE(back) << back.error().message;
        EXPECT_EQ(back->meshes[0].primitives[0].indices, p.indices);
    }
}

TEST(GltfExport, NamesWhatCanNotBeWritten)
{
    struct Case
    {
        const char* part;
        void (*spoil)(SceneDescription&);
    };
    const Case cases[] = {
        {"index 3 for 3 vertices", [](SceneDescription& s) { s.meshes[0].primitives[0].indices[2] = 3; }},
        {"multiple of three", [](SceneDescription& s) { s.meshes[0].primitives[0].indices.pop_back(); }},
        {"vertex count 3", [](SceneDescription& s) { s.meshes[0].primitives[0].uv0.pop_back(); }},
        {"not finite", [](SceneDescription& s) { s.meshes[0].primitives[0].positions[1].x = std::numeric_limits<float>::quiet_NaN(); }},
        {"not finite", [](SceneDescription& s) { s.nodes[0].local.translation.y = std::numeric_limits<float>::infinity(); }},
        {"not there", [](SceneDescription& s) { s.nodes[0].meshIndex = 1; }},
        {"must come before", [](SceneDescription& s) { s.nodes[0].parent = 0; }},
        {"names material 0 of 0", [](SceneDescription& s) { s.meshes[0].primitives[0].materialIndex = 0; }},
        {"names image 7", [](SceneDescription& s) { s.materials.emplace_back().normal.imageIndex = 7; }},
        {"1 joints and 0", [](SceneDescription& s) { s.skins.emplace_back().jointNodes = {0}; }},
        {"names node 9", [](SceneDescription& s) { s.animations.emplace_back().channels.emplace_back().nodeIndex = 9; }},
        {"0 values for 0 keys", [](SceneDescription& s) { s.animations.emplace_back().channels.emplace_back().nodeIndex = 0; }},
    };
    for (const Case& c : cases)
    {
        SceneDescription scene = makeSmall();
        c.spoil(scene);
        const Result<std::vector<std::byte>> bytes = exportGlbToMemory(scene);
        ASSERT_FALSE(bytes) << c.part;
        EXPECT_EQ(bytes.error().code, ErrorCode::InvalidArgument);
        EXPECT_NE(bytes.error().message.find(c.part), std::string::npos) << bytes.error().message;
    }
}

/// With a skinned mesh of one joint, a morph target, two levels, a material that keeps an extension and an animation.
SceneDescription makeRich()
{
    SceneDescription scene = makeSmall();
    Mesh& mesh = scene.meshes[0];
    mesh.primitives[0].skin.assign(3, VertexSkin{{0, 9, 0, 0}, {1, 0, 0, 0}}); // joint 9 has no weight
    mesh.primitives[0].morphTargets.push_back({"m", {vec3(0), vec3(0), vec3(1)}, {}, {}});
    mesh.morphWeights = {0.5f};
    scene.meshes.push_back(mesh);
    scene.meshes.push_back({"nothing", {}, {}});
    scene.nodes[0].skinIndex = 0;
    scene.nodes[0].morphWeights = {0.25f};
    scene.nodes[0].lods = {{.meshIndex = 0, .minCoverage = 0.5f}, {.meshIndex = 1, .minCoverage = 0.25f}};
    scene.nodes.emplace_back().name = "joint";
    scene.skins.push_back({"skin", {1}, {mat4(1.0f)}, kNoIndex});
    scene.images.emplace_back().width = 1;
    scene.images[0].height = 1;
    scene.images[0].bytes.resize(4);
    Material& material = scene.materials.emplace_back();
    material.baseColor.imageIndex = 0;
    material.keptExtensions.push_back({"KHR_materials_sheen", {R"({"sheenColorTexture":{)", "}}"}, {material.baseColor}});
    scene.cameras.emplace_back().isOrthographic = true;
    scene.animations.push_back({"a", {{0, AnimationPath::Weights, Interpolation::Linear, {0.0f, 1.0f}, {0.0f, 1.0f}}}, 1.0f});
    return scene;
}

TEST(GltfExport, NamesWhatBreaksThePromisesOfASceneAndWhere)
{
    ASSERT_TRUE(exportGlbToMemory(makeRich())) << exportGlbToMemory(makeRich()).error().message;
    struct Case
    {
        const char* message;
        void (*spoil)(SceneDescription&);
    };
    const Case cases[] = {
        {"nodes[0] \"node \xc3\xa4\": its mesh, or a level of detail, uses joint 1; skins[0] has 1",
            [](SceneDescription& s) { s.meshes[0].primitives[0].skin[2].joints[0] = 1; }},
        {"its mesh, or a level of detail, uses joint 7",
            [](SceneDescription& s) { s.meshes[1].primitives[0].skin1.assign(3, VertexSkin{{7, 0, 0, 0}, {1, 0, 0, 0}}); }},
        {"nodes[0] \"node \xc3\xa4\": has 2 morph weights; its mesh has 1 morph targets",
            [](SceneDescription& s) { s.nodes[0].morphWeights.push_back(0.0f); }},
        {"nodes[1] \"joint\": has 1 morph weights; its mesh has 0", [](SceneDescription& s) { s.nodes[1].morphWeights = {0.0f}; }},
        {"its level of detail 1 has a coverage above that of the level before",
            [](SceneDescription& s) { s.nodes[0].lods[1].minCoverage = 0.75f; }},
        {"its level of detail 0 has a coverage outside 0 to 1", [](SceneDescription& s) { s.nodes[0].lods[0].minCoverage = 1.5f; }},
        {"its level of detail 1 has 0 morph targets, level 0 has 1",
            [](SceneDescription& s)
            {
                s.meshes[1].morphWeights.clear();
                s.meshes[1].primitives[0].morphTargets.clear();
            }},
        {"its level of detail 1 has a mesh without primitives", [](SceneDescription& s) { s.nodes[0].lods[1].meshIndex = 2; }},
        {"its level of detail 1 names mesh 3 of 3", [](SceneDescription& s) { s.nodes[0].lods[1].meshIndex = 3; }},
        {"its first level of detail must be its mesh", [](SceneDescription& s) { s.nodes[1].lods = s.nodes[0].lods; }},
        {"materials[0] \"\": keeps KHR_materials_sheen twice",
            [](SceneDescription& s) { s.materials[0].keptExtensions.push_back(s.materials[0].keptExtensions[0]); }},
        {"keeps KHR_materials_unlit twice, or beside the field",
            [](SceneDescription& s) { s.materials[0].keptExtensions[0].name = "KHR_materials_unlit"; }},
        {"keeps an extension without a name", [](SceneDescription& s) { s.materials[0].keptExtensions[0].name.clear(); }},
        {"KHR_materials_sheen is kept as text that is no JSON",
            [](SceneDescription& s) { s.materials[0].keptExtensions[0].json[1] = "}}}"; }},
        {"KHR_materials_sheen is kept as text that is no JSON",
            [](SceneDescription& s) { s.materials[0].keptExtensions[0].json[1] = ",\"a\":\"\xff\"}}"; }},
        {"KHR_materials_sheen is kept as JSON that is no object",
            [](SceneDescription& s) { s.materials[0].keptExtensions[0] = {"KHR_materials_sheen", {"[1]"}, {}}; }},
        {"a texture reads UV set 2; meshes have 0 and 1", [](SceneDescription& s) { s.materials[0].baseColor.uvSet = 2; }},
        {"a texture reads UV set 3", [](SceneDescription& s) { s.materials[0].keptExtensions[0].textures[0].uvSet = 3; }},
        {"cameras[0] \"\": has zFar 0.050000, not behind its zNear 0.1", [](SceneDescription& s) { s.cameras[0].zFar = 0.05f; }},
        {"has zFar -1", [](SceneDescription& s) { s.cameras[0].zFar = -1.0f; }},
        {"has no zFar, and its zNear", [](SceneDescription& s) { s.cameras[0].zNear = 1e20f; }},
        {"has an xMag or yMag of 0", [](SceneDescription& s) { s.cameras[0].yMag = 0.0f; }},
        {"has zNear 0", [](SceneDescription& s) { s.cameras[0] = {.name = {}, .zNear = 0.0f}; }},
        {"has a field of view outside 0 to pi", [](SceneDescription& s) { s.cameras[0] = {.name = {}, .yFovRadians = 4.0f}; }},
        {"animations[0] \"a\" channel 0: moves morph weights of nodes[1] \"joint\", which has no mesh with morph targets",
            [](SceneDescription& s) { s.animations[0].channels[0].nodeIndex = 1; }},
        {"times that are not strictly ascending", [](SceneDescription& s) { s.animations[0].channels[0].times = {1.0f, 1.0f}; }},
    };
    for (const Case& c : cases)
    {
        SceneDescription scene = makeRich();
        c.spoil(scene);
        const Result<std::vector<std::byte>> bytes = exportGlbToMemory(scene);
        ASSERT_FALSE(bytes) << c.message;
        EXPECT_EQ(bytes.error().code, ErrorCode::InvalidArgument);
        EXPECT_NE(bytes.error().message.find(c.message), std::string::npos) << bytes.error().message << "\nwanted: " << c.message;
    }
}

TEST(GltfExport, LeavesOutTheCutoffOfMaterialsThatAreNotMasked)
{
    SceneDescription scene = makeSmall();
    scene.materials.emplace_back().alphaMode = AlphaMode::Blend;
    scene.materials[0].alphaCutoff = 0.25f;
    EXPECT_EQ(throughGlb(scene).value().materials[0].alphaCutoff, Material().alphaCutoff) << "glTF gives it no meaning";
}

TEST(GltfExport, AFailedWriteLeavesNoFileBehind)
{
    const std::filesystem::path folder =
        std::filesystem::temp_directory_path() / ("drawloom-export-" + std::to_string(std::random_device{}()));
    EXPECT_EQ(exportGlb(makeSmall(), folder / "missing" / "a.glb").error().code, ErrorCode::Io);
    std::filesystem::create_directories(folder);
    ASSERT_TRUE(exportGlb(makeSmall(), folder / "a.glb"));
    const auto before = std::filesystem::file_size(folder / "a.glb");
    SceneDescription bad = makeSmall();
    bad.nodes[0].meshIndex = 5;
    EXPECT_FALSE(exportGlb(bad, folder / "a.glb"));
    EXPECT_EQ(std::filesystem::file_size(folder / "a.glb"), before);
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder), std::filesystem::directory_iterator()), 1);
    std::filesystem::remove_all(folder);
}

TEST(PngWrite, DecodesToTheSameTexelsForRandomImages)
{
    const std::uint32_t seed = 20240607;
    std::mt19937 random(seed);
    for (int round = 0; round < 40; ++round)
    {
        Image image;
        image.name = "random";
        image.width = 1 + static_cast<std::uint32_t>(random() % 65);
        image.height = 1 + static_cast<std::uint32_t>(random() % 65);
        image.bytes.resize(image.levelBytes(0));
        for (std::size_t i = 0; i < image.bytes.size(); ++i)
            image.bytes[i] = round % 2 == 0 && i % 4 == 3 ? std::byte{255} : static_cast<std::byte>(random() & 255U);
        const Image back = decodeImage(encodePng(image).value(), "random").value();
        ASSERT_EQ(back.width, image.width) << "seed " << seed << " round " << round;
        ASSERT_EQ(back.bytes, image.bytes) << "seed " << seed << " round " << round;
        ASSERT_EQ(back.hasAlpha, round % 2 != 0);
    }
}

TEST(PngWrite, GreyExpandsAndSixteenBitsKeepTheirUpperByte)
{
    Image grey;
    grey.format = ImageFormat::R8;
    grey.width = 2;
    grey.height = 1;
    grey.bytes = {std::byte{7}, std::byte{200}};
    const Image back = decodeImage(encodePng(grey).value(), "grey").value();
    EXPECT_EQ(back.bytes[0], std::byte{7});
    EXPECT_EQ(back.bytes[6], std::byte{200});
    Image deep;
    deep.format = ImageFormat::R16;
    deep.width = deep.height = 1;
    deep.bytes = {std::byte{0x34}, std::byte{0x12}}; // little-endian 0x1234
    EXPECT_EQ(decodeImage(encodePng(deep).value(), "deep").value().bytes[0], std::byte{0x12});
}

TEST(PngWrite, RefusesWhatPngCanNotHold)
{
    Image image;
    image.width = image.height = 4;
    image.format = ImageFormat::Rgba32F;
    image.bytes.resize(image.levelBytes(0));
    EXPECT_EQ(encodePng(image).error().code, ErrorCode::Unsupported);
    image.format = ImageFormat::Bc7;
    EXPECT_EQ(encodePng(image).error().code, ErrorCode::Unsupported);
    image.format = ImageFormat::Rgba8;
    image.bytes.resize(63);
    EXPECT_EQ(encodePng(image).error().code, ErrorCode::InvalidArgument);
    image.width = 0;
    EXPECT_EQ(encodePng(image).error().code, ErrorCode::InvalidArgument);
}

} // namespace
} // namespace dl
