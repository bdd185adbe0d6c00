// Accessors, primitive modes, skins and morph targets by value, on small generated files.
#include "tests/asset/gltf_builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace dl::test
{
namespace
{

using testing::ElementsAre;
using testing::HasSubstr;

const std::vector<float> kTriangle = {0, 0, 0, 1, 0, 0, 0, 1, 0};
const std::vector<float> kSquare = {0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0};
const std::vector<float> kUp = {0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1};

const Primitive& firstPrimitive(const Result<SceneDescription>& scene)
{
    static const Primitive empty;
    EXPECT_TRUE(scene) << errorOf(scene);
    return scene && !scene->meshes.empty() && !scene->meshes[0].primitives.empty() ? scene->meshes[0].primitives[0] : empty;
}

/// A triangle with normals and one TEXCOORD_0 accessor added by the caller: shows how components become floats.
struct UvCase
{
    GltfBuilder builder;
    std::string attributes;
    UvCase()
    {
        builder.addFloats("VEC3", 3, kTriangle);
        builder.addFloats("VEC3", 3, std::vector<float>(kUp.begin(), kUp.begin() + 9));
        attributes = R"("POSITION":0,"NORMAL":1,"TEXCOORD_0":2)";
    }
    std::vector<vec2> read() { return firstPrimitive(builder.import(meshText(attributes))).uv0; }
};

TEST(GltfAccessor, ReadsEveryComponentTypeNormalisedAndPlain)
{
    const std::string normalized = R"(,"normalized":true)";
    UvCase u8;
    u8.builder.add<std::uint8_t>("VEC2", 5121, 3, {0, 51, 102, 153, 204, 255}, normalized);
    EXPECT_THAT(u8.read(), ElementsAre(vec2(0.0f, 0.2f), vec2(0.4f, 0.6f), vec2(0.8f, 1.0f)));
    UvCase i8;
    i8.builder.add<std::int8_t>("VEC2", 5120, 3, {0, 127, -127, -128, 1, 2}, normalized);
    EXPECT_THAT(i8.read(), ElementsAre(vec2(0.0f, 1.0f), vec2(-1.0f, -1.0f), vec2(1 / 127.0f, 2 / 127.0f)));
    UvCase u16;
    u16.builder.add<std::uint16_t>("VEC2", 5123, 3, {0, 65535, 13107, 0, 0, 0}, normalized);
    EXPECT_THAT(u16.read(), ElementsAre(vec2(0.0f, 1.0f), vec2(0.2f, 0.0f), vec2(0.0f)));
    UvCase i16;
    i16.builder.add<std::int16_t>("VEC2", 5122, 3, {32767, -32768, 0, 0, 0, 0}, normalized);
    EXPECT_THAT(i16.read(), ElementsAre(vec2(1.0f, -1.0f), vec2(0.0f), vec2(0.0f)));
    UvCase plain;
    plain.builder.add<std::int16_t>("VEC2", 5122, 3, {300, -7, 0, 1, 2, 3});
    EXPECT_THAT(plain.read(), ElementsAre(vec2(300.0f, -7.0f), vec2(0.0f, 1.0f), vec2(2.0f, 3.0f)));
    UvCase u32;
    u32.builder.add<std::uint32_t>("VEC2", 5125, 3, {1, 2, 3, 4, 5, 70000});
    EXPECT_EQ(u32.read()[2], vec2(5.0f, 70000.0f));
    UvCase floats;
    floats.builder.addFloats("VEC2", 3, {0.25f, -0.5f, 3.0f, 1e-30f, 0.0f, 7.0f});
    EXPECT_THAT(floats.read(), ElementsAre(vec2(0.25f, -0.5f), vec2(3.0f, 1e-30f), vec2(0.0f, 7.0f)));
}

TEST(GltfAccessor, ReadsInterleavedVertices)
{
    GltfBuilder builder;
    std::vector<float> vertices; // position, uv, 4 bytes of padding
    for (int i = 0; i < 3; ++i)
        vertices.insert(vertices.end(), {kTriangle[static_cast<std::size_t>(i) * 3], kTriangle[static_cast<std::size_t>(i) * 3 + 1], 5.0f,
                                            0.5f, static_cast<float>(i), -1.0f});
    const std::size_t view = builder.addView(std::as_bytes(std::span(vertices)), 24);
    builder.addAccessor("VEC3", 5126, 3, view, 0);
    builder.addAccessor("VEC2", 5126, 3, view, 12);
    const Result<SceneDescription> scene = builder.import(meshText(R"("POSITION":0,"TEXCOORD_0":1)"));
    const Primitive& primitive = firstPrimitive(scene);
    EXPECT_THAT(primitive.positions, ElementsAre(vec3(0, 0, 5), vec3(1, 0, 5), vec3(0, 1, 5)));
    EXPECT_THAT(primitive.uv0, ElementsAre(vec2(0.5f, 0), vec2(0.5f, 1), vec2(0.5f, 2)));
    EXPECT_EQ(primitive.bounds.min, vec3(0, 0, 5));
    EXPECT_EQ(primitive.bounds.max, vec3(1, 1, 5));
}

/// One sparse element at index 2 over `base`.
std::string sparseText(std::size_t indicesView, std::size_t valuesView)
{
    return R"(,"sparse":{"count":1,"indices":{"bufferView":)" + std::to_string(indicesView) +
           R"(,"componentType":5121},"values":{"bufferView":)" + std::to_string(valuesView) + "}}";
}

TEST(GltfAccessor, AppliesSparseElementsOverDataAndOverZeros)
{
    GltfBuilder builder;
    const std::vector<std::uint8_t> indices = {2};
    const std::vector<float> values = {7, 8, 9};
    const std::size_t indicesView = builder.addView(std::as_bytes(std::span(indices)));
    const std::size_t valuesView = builder.addView(std::as_bytes(std::span(values)));
    builder.add("VEC3", 5126, 3, kTriangle, sparseText(indicesView, valuesView));
    builder.addZeros("VEC3", 5126, 3, sparseText(indicesView, valuesView));
    const Result<SceneDescription> scene = builder.import(meshText(R"("POSITION":0)", R"(,"targets":[{"POSITION":1}])"));
    const Primitive& primitive = firstPrimitive(scene);
    EXPECT_THAT(primitive.positions, ElementsAre(vec3(0), vec3(1, 0, 0), vec3(7, 8, 9)));
    ASSERT_EQ(primitive.morphTargets.size(), 1U);
    EXPECT_THAT(primitive.morphTargets[0].positions, ElementsAre(vec3(0), vec3(0), vec3(7, 8, 9)));
}

TEST(GltfAccessor, RefusesSparseIndexPastTheLastElement)
{
    GltfBuilder builder;
    const std::vector<std::uint8_t> indices = {3};
    const std::size_t indicesView = builder.addView(std::as_bytes(std::span(indices)));
    const std::size_t valuesView = builder.addView(std::as_bytes(std::span(kTriangle)));
    builder.add("VEC3", 5126, 3, kTriangle, sparseText(indicesView, valuesView));
    EXPECT_EQ(
        errorOf(builder.import(meshText(R"("POSITION":0)"))), "accessors[0].sparse.indices: entry 0 is 3, past the last of 3 elements");
}

TEST(GltfAccessor, AcceptsExactlyWhatFitsAndRefusesOneMore)
{
    GltfBuilder builder;
    const std::size_t view = builder.addView(std::as_bytes(std::span(kTriangle)));
    builder.addAccessor("VEC3", 5126, 3, view, 0);
    builder.addAccessor("VEC3", 5126, 4, view, 0);
    builder.addAccessor("VEC3", 5126, 3, view, 1);
    builder.addAccessor("VEC3", 5126, 9007199254740992, view, 0);
    builder.addAccessor("VEC3", 5126, 3, view, 9007199254740992);
    EXPECT_TRUE(builder.import(meshText(R"("POSITION":0)")));
    for (int bad = 1; bad <= 4; ++bad)
    {
        const std::string message = errorOf(builder.import(meshText(R"("POSITION":)" + std::to_string(bad))));
        EXPECT_THAT(message, HasSubstr("accessors[" + std::to_string(bad) + "]: "));
        EXPECT_THAT(message, HasSubstr("do not fit bufferViews[0] of 36 bytes"));
    }
}

TEST(GltfAccessor, RefusesInfinityAndNaN)
{
    for (const float bad : {std::numeric_limits<float>::infinity(), std::nanf("")})
    {
        GltfBuilder builder;
        std::vector<float> positions = kTriangle;
        positions[7] = bad;
        builder.addFloats("VEC3", 3, positions);
        EXPECT_EQ(errorOf(builder.import(meshText(R"("POSITION":0)"))), "accessors[0]: element 2 holds infinity or NaN");
    }
}

TEST(GltfAccessor, CountsHugeZeroFilledAccessorsAgainstTheBudgetBeforeTakingMemory)
{
    GltfBuilder builder;
    builder.addZeros("VEC3", 5126, 60000000);
    const Result<SceneDescription> scene = builder.import(meshText(R"("POSITION":0)"), {.maxDecodedBytes = 1000000});
    ASSERT_FALSE(scene);
    EXPECT_EQ(scene.error().code, ErrorCode::OutOfBudget);
    EXPECT_THAT(scene.error().message, HasSubstr("raise maxDecodedBytes"));
    GltfBuilder large;
    large.addZeros("VEC3", 5126, 4000000000);
    EXPECT_THAT(errorOf(large.import(meshText(R"("POSITION":0)"))), HasSubstr("raise maxVertexCount"));
}

std::vector<std::uint32_t> indicesOfMode(int mode, const std::vector<float>& positions)
{
    GltfBuilder builder;
    builder.addFloats("VEC3", positions.size() / 3, positions);
    builder.addFloats("VEC3", positions.size() / 3, std::vector<float>(kUp.begin(), kUp.begin() + static_cast<long>(positions.size())));
    return firstPrimitive(builder.import(meshText(R"("POSITION":0,"NORMAL":1)", R"(,"mode":)" + std::to_string(mode)))).indices;
}

TEST(GltfPrimitive, TurnsStripsAndFansIntoListsThatKeepTheirWinding)
{
    EXPECT_THAT(indicesOfMode(5, kSquare), ElementsAre(0, 1, 2, 1, 3, 2));
    EXPECT_THAT(indicesOfMode(6, kSquare), ElementsAre(1, 2, 0, 2, 3, 0));
    EXPECT_THAT(indicesOfMode(4, kTriangle), ElementsAre(0, 1, 2));
}

TEST(GltfPrimitive, DropsPointsLinesAndWhatHasNoTriangleWithAnIssue)
{
    GltfBuilder builder;
    builder.addFloats("VEC3", 3, kTriangle);
    builder.addFloats("VEC3", 2, {0, 0, 0, 1, 0, 0});
    for (const char* more : {R"(,"mode":0)", R"(,"mode":1)", R"(,"mode":2)", R"(,"mode":3)"})
    {
        const Result<SceneDescription> scene = builder.import(meshText(R"("POSITION":0)", more));
        ASSERT_TRUE(scene) << errorOf(scene);
        EXPECT_TRUE(scene->meshes[0].primitives.empty());
        ASSERT_TRUE(hasIssue(*scene, "primitive-dropped"));
        EXPECT_EQ(scene->issues[0].where, "meshes[0].primitives[0]");
    }
    for (const char* more : {"", R"(,"mode":5)", R"(,"mode":6)"})
    {
        const Result<SceneDescription> scene = builder.import(meshText(R"("POSITION":1)", more));
        ASSERT_TRUE(scene) << errorOf(scene);
        EXPECT_TRUE(hasIssue(*scene, "primitive-dropped"));
    }
    EXPECT_EQ(errorOf(builder.import(meshText(R"("POSITION":0)", R"(,"mode":7)"))), "meshes[0].primitives[0].mode: 7 is no primitive mode");
}

TEST(GltfPrimitive, RefusesAnIndexEqualToTheVertexCount)
{
    GltfBuilder builder;
    builder.addFloats("VEC3", 3, kTriangle);
    builder.add<std::uint16_t>("SCALAR", 5123, 3, {0, 1, 2});
    builder.add<std::uint16_t>("SCALAR", 5123, 3, {0, 1, 3});
    builder.add<std::int16_t>("SCALAR", 5122, 3, {0, 1, 2});
    EXPECT_TRUE(builder.import(meshText(R"("POSITION":0)", R"(,"indices":1)")));
    EXPECT_EQ(errorOf(builder.import(meshText(R"("POSITION":0)", R"(,"indices":2)"))),
        "meshes[0].primitives[0].indices: entry 2 of accessors[2] is 3, there are 3 vertices");
    EXPECT_THAT(errorOf(builder.import(meshText(R"("POSITION":0)", R"(,"indices":3)"))), HasSubstr("unsigned integer"));
    EXPECT_EQ(errorOf(builder.import(meshText(R"("POSITION":0)", R"(,"indices":4)"))),
        "meshes[0].primitives[0].indices: index 4 is out of range, there are 4");
}

TEST(GltfPrimitive, GivesEachTriangleItsOwnNormalWhereTheFileHasNone)
{
    GltfBuilder builder;
    builder.addFloats("VEC3", 4, {0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
    builder.add<std::uint8_t>("SCALAR", 5121, 6, {0, 1, 2, 0, 3, 1});
    builder.add<std::uint8_t>("VEC4", 5121, 4, {10, 0, 0, 255, 20, 0, 0, 255, 30, 0, 0, 255, 40, 0, 0, 255}, R"(,"normalized":true)");
    const Result<SceneDescription> scene = builder.import(meshText(R"("POSITION":0,"COLOR_0":2)", R"(,"indices":1)"));
    const Primitive& primitive = firstPrimitive(scene);
    ASSERT_EQ(primitive.vertexCount(), 6U);
    EXPECT_THAT(primitive.indices, ElementsAre(0, 1, 2, 3, 4, 5));
    for (std::size_t i = 0; i < 3; ++i)
    {
        EXPECT_EQ(primitive.normals[i], vec3(0, 0, 1));
        EXPECT_EQ(primitive.normals[i + 3], vec3(0, 1, 0));
    }
    EXPECT_TRUE(primitive.hasFlatNormals);
    EXPECT_EQ(primitive.positions[4], vec3(0, 0, 1));
    EXPECT_FLOAT_EQ(primitive.colors[4].x, 40 / 255.0f);
}

TEST(GltfPrimitive, ReadsVertexColoursOfThreeAndFourChannels)
{
    GltfBuilder builder;
    builder.addFloats("VEC3", 3, kTriangle);
    builder.add<std::uint16_t>("VEC3", 5123, 3, {65535, 0, 0, 0, 65535, 0, 0, 0, 65535}, R"(,"normalized":true)");
    builder.addFloats("VEC4", 3, {1, 0, 0, 0.5f, 0, 1, 0, 0.25f, 0, 0, 1, 0});
    EXPECT_THAT(firstPrimitive(builder.import(meshText(R"("POSITION":0,"COLOR_0":1)"))).colors,
        ElementsAre(vec4(1, 0, 0, 1), vec4(0, 1, 0, 1), vec4(0, 0, 1, 1)));
    EXPECT_THAT(firstPrimitive(builder.import(meshText(R"("POSITION":0,"COLOR_0":2)"))).colors,
        ElementsAre(vec4(1, 0, 0, 0.5f), vec4(0, 1, 0, 0.25f), vec4(0, 0, 1, 0)));
}

TEST(GltfPrimitive, RefusesAttributesOfAnotherCountOrType)
{
    GltfBuilder builder;
    builder.addFloats("VEC3", 3, kTriangle);
    builder.addFloats("VEC2", 2, {0, 0, 1, 1});
    EXPECT_EQ(errorOf(builder.import(meshText(R"("POSITION":0,"TEXCOORD_0":1)"))),
        "meshes[0].primitives[0].attributes.TEXCOORD_0: accessors[1] has 2 elements, POSITION has 3");
    EXPECT_EQ(errorOf(builder.import(meshText(R"("POSITION":0,"NORMAL":0,"TEXCOORD_0":0)"))),
        "meshes[0].primitives[0].attributes.TEXCOORD_0: accessors[0] is VEC3, VEC2 is needed");
}

std::string skinnedText(std::string_view attributes, int jointCount)
{
    std::string joints = "0";
    std::string nodes = R"({"mesh":0,"skin":0})";
    for (int i = 1; i < jointCount; ++i)
    {
        joints += "," + std::to_string(i);
        nodes += ",{}";
    }
    return meshText(attributes) + R"(,"nodes":[)" + nodes + R"(],"skins":[{"joints":[)" + joints + "]}]";
}

TEST(GltfSkin, ReadsEightInfluencesWhoseWeightsSumToOneTogether)
{
    GltfBuilder builder;
    builder.addFloats("VEC3", 3, kTriangle);
    builder.add<std::uint8_t>("VEC4", 5121, 3, {0, 1, 9, 9, 0, 0, 0, 0, 2, 0, 0, 0});
    builder.addFloats("VEC4", 3, {0.5f, 0.5f, 0, 0, 0, 0, 0, 0, 0.5f, 0, 0, 0});
    builder.add<std::uint16_t>("VEC4", 5123, 3, {2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0});
    builder.add<std::uint8_t>("VEC4", 5121, 3, {255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}, R"(,"normalized":true)");
    const Result<SceneDescription> scene =
        builder.import(skinnedText(R"("POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2,"JOINTS_1":3,"WEIGHTS_1":4)", 3));
    const Primitive& primitive = firstPrimitive(scene);
    ASSERT_EQ(primitive.skin.size(), 3U);
    ASSERT_EQ(primitive.skin1.size(), 3U);
    EXPECT_THAT(primitive.skin[0].weights, ElementsAre(0.25f, 0.25f, 0, 0));
    EXPECT_THAT(primitive.skin[0].joints, ElementsAre(0, 1, 0, 0)) << "joints without weight are 0, whatever the file holds";
    EXPECT_THAT(primitive.skin1[0].weights, ElementsAre(0.5f, 0, 0, 0));
    EXPECT_THAT(primitive.skin1[0].joints, ElementsAre(2, 0, 0, 0));
    EXPECT_THAT(primitive.skin[1].weights, ElementsAre(1, 0, 0, 0)) << "no weight at all: joint 0";
    EXPECT_THAT(primitive.skin[2].weights, ElementsAre(1, 0, 0, 0));
    EXPECT_EQ(scene->skins[0].inverseBindMatrices.size(), 3U);
    EXPECT_EQ(scene->skins[0].inverseBindMatrices[2], mat4(1.0f));
}

TEST(GltfSkin, RefusesAJointThatTheSkinLacks)
{
    GltfBuilder builder;
    builder.addFloats("VEC3", 3, kTriangle);
    builder.add<std::uint8_t>("VEC4", 5121, 3, {0, 0, 0, 0, 2, 0, 0, 0, 0, 0, 0, 0});
    builder.addFloats("VEC4", 3, {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0});
    const std::string attributes = R"("POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2)";
    EXPECT_TRUE(builder.import(skinnedText(attributes, 3)));
    EXPECT_EQ(errorOf(builder.import(skinnedText(attributes, 2))), "nodes[0]: meshes[0] uses joint 2, skins[0] has 2");
}

TEST(GltfMorph, KeepsNamesAndWeightsAndRefusesUnequalTargets)
{
    GltfBuilder builder;
    builder.addFloats("VEC3", 3, kTriangle);
    const std::string primitive = R"({"attributes":{"POSITION":0},"targets":[{"POSITION":0},{"NORMAL":0}]})";
    const Result<SceneDescription> scene = builder.import(
        R"("meshes":[{"name":"face","weights":[0.5,1],"extras":{"targetNames":["smile","blink"]},"primitives":[)" + primitive + "]}]");
    ASSERT_TRUE(scene) << errorOf(scene);
    const Mesh& mesh = scene->meshes[0];
    EXPECT_EQ(mesh.name, "face");
    EXPECT_THAT(mesh.morphWeights, ElementsAre(0.5f, 1.0f));
    EXPECT_EQ(mesh.primitives[0].morphTargets[1].name, "blink");
    EXPECT_TRUE(mesh.primitives[0].morphTargets[1].positions.empty());
    EXPECT_EQ(mesh.primitives[0].morphTargets[1].normals.size(), 3U);
    EXPECT_EQ(errorOf(builder.import(R"("meshes":[{"primitives":[)" + primitive + R"(,{"attributes":{"POSITION":0}}]}])")),
        "meshes[0].primitives: have 2 and 0 morph targets; every primitive of a mesh needs as many");
}

} // namespace
} // namespace dl::test
