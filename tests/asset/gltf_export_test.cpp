// Exported scenes are read back by our own importer and compared field by field: floats must be the same bits but for
// rotations, which the importer normalises.
#include "drawloom/asset/gltf_export.h"

#include "drawloom/asset/gltf_import.h"
#include "drawloom/asset/image_decode.h"
#include "drawloom/asset/png_write.h"
#include "tests/scenes/scene_facts.h"
#include "tests/scenes/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <random>

namespace dl
{
namespace
{

template <class T> bool sameBytes(const std::vector<T>& a, const std::vector<T>& b)
{
    return a.size() == b.size() && (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(T)) == 0);
}

float difference(const Affine& a, const Affine& b)
{
    float out = 0.0f;
    for (int row = 0; row < 3; ++row)
        for (int c = 0; c < 4; ++c)
            out = std::max(out, std::fabs(a.rows[row][c] - b.rows[row][c]));
    return out;
}

void expectSamePrimitive(const Primitive& a, const Primitive& b)
{
    EXPECT_TRUE(sameBytes(a.positions, b.positions));
    EXPECT_TRUE(sameBytes(a.normals, b.normals));
    EXPECT_TRUE(sameBytes(a.tangents, b.tangents));
    EXPECT_TRUE(sameBytes(a.uv0, b.uv0));
    EXPECT_TRUE(sameBytes(a.uv1, b.uv1));
    EXPECT_TRUE(sameBytes(a.colors, b.colors));
    EXPECT_TRUE(sameBytes(a.indices, b.indices));
    EXPECT_EQ(a.materialIndex, b.materialIndex);
    EXPECT_EQ(a.bounds.min, b.bounds.min);
    EXPECT_EQ(a.bounds.max, b.bounds.max);
    ASSERT_EQ(a.skin.size(), b.skin.size());
    for (std::size_t i = 0; i < a.skin.size(); ++i)
        for (int c = 0; c < 4; ++c)
        {
            ASSERT_EQ(a.skin[i].weights[c] == 0.0f ? 0 : a.skin[i].joints[c], b.skin[i].joints[c]); // glTF: no weight, joint 0
            ASSERT_NEAR(a.skin[i].weights[c], b.skin[i].weights[c], 1e-6f);
        }
    ASSERT_EQ(a.morphTargets.size(), b.morphTargets.size());
    for (std::size_t i = 0; i < a.morphTargets.size(); ++i)
    {
        EXPECT_EQ(a.morphTargets[i].name, b.morphTargets[i].name);
        EXPECT_TRUE(sameBytes(a.morphTargets[i].positions, b.morphTargets[i].positions));
        EXPECT_TRUE(sameBytes(a.morphTargets[i].normals, b.morphTargets[i].normals));
    }
}

void expectSameMaterial(const Material& a, const Material& b)
{
    SCOPED_TRACE(a.name);
    EXPECT_EQ(a.name, b.name);
    EXPECT_EQ(a.baseColorFactor, b.baseColorFactor);
    EXPECT_EQ(a.metallicFactor, b.metallicFactor);
    EXPECT_EQ(a.roughnessFactor, b.roughnessFactor);
    EXPECT_EQ(a.normalScale, b.normalScale);
    EXPECT_EQ(a.occlusionStrength, b.occlusionStrength);
    EXPECT_EQ(a.emissiveFactor, b.emissiveFactor);
    EXPECT_EQ(a.alphaMode, b.alphaMode);
    EXPECT_EQ(a.alphaCutoff, b.alphaCutoff);
    EXPECT_EQ(a.isDoubleSided, b.isDoubleSided);
    EXPECT_EQ(a.isUnlit, b.isUnlit);
    EXPECT_TRUE(a.baseColor == b.baseColor);
    EXPECT_TRUE(a.metallicRoughness == b.metallicRoughness);
    EXPECT_TRUE(a.normal == b.normal);
    EXPECT_TRUE(a.occlusion == b.occlusion);
    EXPECT_TRUE(a.emissive == b.emissive);
}

void expectSameNodes(const SceneDescription& a, const SceneDescription& b)
{
    ASSERT_EQ(a.nodes.size(), b.nodes.size());
    for (std::size_t i = 0; i < a.nodes.size(); ++i)
    {
        const Node& x = a.nodes[i];
        const Node& y = b.nodes[i];
        SCOPED_TRACE(x.name);
        EXPECT_EQ(x.name, y.name);
        EXPECT_EQ(x.parent, y.parent);
        EXPECT_EQ(x.meshIndex, y.meshIndex);
        EXPECT_EQ(x.skinIndex, y.skinIndex);
        EXPECT_EQ(x.cameraIndex, y.cameraIndex);
        EXPECT_EQ(x.lightIndex, y.lightIndex);
        EXPECT_EQ(x.local.translation, y.local.translation);
        EXPECT_EQ(x.local.scale, y.local.scale);
        EXPECT_EQ(x.matrix, y.matrix);
        EXPECT_LT(difference(toAffine(x.local), toAffine(y.local)), 1e-5f);
        EXPECT_TRUE(sameBytes(x.morphWeights, y.morphWeights));
        ASSERT_EQ(x.instances.size(), y.instances.size());
        for (std::size_t k = 0; k < x.instances.size(); ++k)
            EXPECT_LT(difference(x.instances[k], y.instances[k]), 1e-5f);
    }
}

void expectSame(const SceneDescription& a, const SceneDescription& b)
{
    expectSameNodes(a, b);
    ASSERT_EQ(a.meshes.size(), b.meshes.size());
    for (std::size_t i = 0; i < a.meshes.size(); ++i)
    {
        SCOPED_TRACE(a.meshes[i].name);
        EXPECT_EQ(a.meshes[i].name, b.meshes[i].name);
        EXPECT_TRUE(sameBytes(a.meshes[i].morphWeights, b.meshes[i].morphWeights));
        ASSERT_EQ(a.meshes[i].primitives.size(), b.meshes[i].primitives.size());
        for (std::size_t p = 0; p < a.meshes[i].primitives.size(); ++p)
            expectSamePrimitive(a.meshes[i].primitives[p], b.meshes[i].primitives[p]);
    }
    ASSERT_EQ(a.materials.size(), b.materials.size());
    for (std::size_t i = 0; i < a.materials.size(); ++i)
        expectSameMaterial(a.materials[i], b.materials[i]);
    ASSERT_EQ(a.images.size(), b.images.size());
    for (std::size_t i = 0; i < a.images.size(); ++i)
    {
        EXPECT_EQ(a.images[i].name, b.images[i].name);
        EXPECT_EQ(a.images[i].contentHash, b.images[i].contentHash) << a.images[i].name;
        EXPECT_EQ(a.images[i].hasAlpha, b.images[i].hasAlpha);
    }
    ASSERT_EQ(a.skins.size(), b.skins.size());
    for (std::size_t i = 0; i < a.skins.size(); ++i)
    {
        EXPECT_EQ(a.skins[i].jointNodes, b.skins[i].jointNodes);
        EXPECT_TRUE(sameBytes(a.skins[i].inverseBindMatrices, b.skins[i].inverseBindMatrices));
        EXPECT_EQ(a.skins[i].skeletonRoot, b.skins[i].skeletonRoot);
    }
    ASSERT_EQ(a.animations.size(), b.animations.size());
    for (std::size_t i = 0; i < a.animations.size(); ++i)
    {
        EXPECT_EQ(a.animations[i].name, b.animations[i].name);
        EXPECT_FLOAT_EQ(a.animations[i].durationSeconds, b.animations[i].durationSeconds);
        ASSERT_EQ(a.animations[i].channels.size(), b.animations[i].channels.size());
        for (std::size_t c = 0; c < a.animations[i].channels.size(); ++c)
        {
            EXPECT_EQ(a.animations[i].channels[c].nodeIndex, b.animations[i].channels[c].nodeIndex);
            EXPECT_EQ(a.animations[i].channels[c].path, b.animations[i].channels[c].path);
            EXPECT_TRUE(sameBytes(a.animations[i].channels[c].times, b.animations[i].channels[c].times));
            EXPECT_TRUE(sameBytes(a.animations[i].channels[c].values, b.animations[i].channels[c].values));
        }
    }
    ASSERT_EQ(a.cameras.size(), b.cameras.size());
    for (std::size_t i = 0; i < a.cameras.size(); ++i)
    {
        EXPECT_EQ(a.cameras[i].yFovRadians, b.cameras[i].yFovRadians);
        EXPECT_EQ(a.cameras[i].zNear, b.cameras[i].zNear);
        EXPECT_EQ(a.cameras[i].zFar, b.cameras[i].zFar);
        EXPECT_EQ(a.cameras[i].aspect, b.cameras[i].aspect);
    }
    ASSERT_EQ(a.lights.size(), b.lights.size());
    for (std::size_t i = 0; i < a.lights.size(); ++i)
    {
        EXPECT_EQ(a.lights[i].type, b.lights[i].type);
        EXPECT_EQ(a.lights[i].color, b.lights[i].color);
        EXPECT_EQ(a.lights[i].intensity, b.lights[i].intensity);
    }
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
