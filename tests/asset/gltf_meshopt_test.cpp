// EXT_meshopt_compression: every mode and filter against the values that were packed, rules of sizes, damaged streams, and
// the shared Suzanne plain, quantised and packed.
#include "tests/asset/gltf_builder.h"
#include "tests/asset/shared_index.h"

#include <gmock/gmock.h>
#include <meshoptimizer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <random>

namespace dl::test
{
namespace
{

using testing::HasSubstr;
using Bytes = std::vector<std::byte>;

Bytes packVertices(const void* values, std::size_t count, std::size_t stride)
{
    Bytes out(meshopt_encodeVertexBufferBound(count, stride));
    out.resize(meshopt_encodeVertexBuffer(reinterpret_cast<unsigned char*>(out.data()), out.size(), values, count, stride));
    return out;
}

Bytes packTriangles(const std::vector<unsigned>& indices)
{
    Bytes out(meshopt_encodeIndexBufferBound(indices.size(), 256));
    out.resize(meshopt_encodeIndexBuffer(reinterpret_cast<unsigned char*>(out.data()), out.size(), indices.data(), indices.size()));
    return out;
}

Bytes packSequence(const std::vector<unsigned>& indices)
{
    Bytes out(meshopt_encodeIndexSequenceBound(indices.size(), 256));
    out.resize(meshopt_encodeIndexSequence(reinterpret_cast<unsigned char*>(out.data()), out.size(), indices.data(), indices.size()));
    return out;
}

/// One compressed view as JSON needs it; the fields may be made wrong.
struct PackedView
{
    Bytes bytes;
    std::size_t count = 0, stride = 0;
    std::string mode = "ATTRIBUTES", filter, more;
    std::size_t byteLength = 0, viewStride = 0; ///< of the view itself; 0: as they should be, absent
};

/// A glTF whose views are all compressed: buffer 0 holds the streams, buffer 1 is the fallback that is not there.
std::string packedText(const std::vector<PackedView>& views, std::string_view accessors, std::string_view rest)
{
    Bytes data;
    std::string viewsText;
    std::size_t fallbackBytes = 0;
    for (const PackedView& view : views)
    {
        const std::size_t length = view.byteLength != 0 ? view.byteLength : view.count * view.stride;
        viewsText += viewsText.empty() ? "" : ",";
        viewsText += R"({"buffer":1,"byteOffset":)" + std::to_string(fallbackBytes) + R"(,"byteLength":)" + std::to_string(length) +
                     (view.viewStride != 0 ? R"(,"byteStride":)" + std::to_string(view.viewStride) : "") +
                     R"(,"extensions":{"EXT_meshopt_compression":{"buffer":0,"byteOffset":)" + std::to_string(data.size()) +
                     R"(,"byteLength":)" + std::to_string(view.bytes.size()) + R"(,"byteStride":)" + std::to_string(view.stride) +
                     R"(,"count":)" + std::to_string(view.count) + R"(,"mode":")" + view.mode + '"' +
                     (view.filter.empty() ? "" : R"(,"filter":")" + view.filter + '"') + view.more + "}}}";
        fallbackBytes += length;
        data.insert(data.end(), view.bytes.begin(), view.bytes.end());
    }
    return R"({"asset":{"version":"2.0"},"extensionsRequired":["EXT_meshopt_compression","KHR_mesh_quantization"],"buffers":[{"byteLength":)" +
           std::to_string(data.size()) + R"(,"uri":"data:application/octet-stream;base64,)" + encodeBase64(data) + R"("},{"byteLength":)" +
           std::to_string(fallbackBytes) + R"(,"extensions":{"EXT_meshopt_compression":{"fallback":true}}}],"bufferViews":[)" + viewsText +
           R"(],"accessors":[)" + std::string(accessors) + "]," + std::string(rest) + "}";
}

const std::vector<vec3> kCorners = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0.5f, 0.25f, 2}};
const std::vector<unsigned> kIndices = {0, 1, 2, 0, 2, 3, 4, 3, 2};

PackedView cornersView()
{
    return {packVertices(kCorners.data(), kCorners.size(), sizeof(vec3)), kCorners.size(), sizeof(vec3)};
}

std::string cornersText(const std::vector<PackedView>& views, int indexType)
{
    return packedText(views,
        R"({"type":"VEC3","componentType":5126,"count":5,"bufferView":0},{"type":"SCALAR","componentType":)" + std::to_string(indexType) +
            R"(,"count":9,"bufferView":1})",
        meshText(R"("POSITION":0)", R"(,"indices":1)"));
}

/// The triangle corners in space: meshopt may turn a triangle's start, and flat normals unshare vertices.
std::vector<vec3> cornersOf(const Primitive& primitive)
{
    std::vector<vec3> out;
    for (const std::uint32_t index : primitive.indices)
        out.push_back(primitive.positions[index]);
    return out;
}

std::vector<vec3> expectedCorners()
{
    std::vector<vec3> out;
    for (const unsigned index : kIndices)
        out.push_back(kCorners[index]);
    return out;
}

/// Each triangle turned so that its least corner comes first.
std::vector<vec3> turned(std::vector<vec3> corners)
{
    const auto less = [](const vec3& a, const vec3& b) { return std::array{a.x, a.y, a.z} < std::array{b.x, b.y, b.z}; };
    for (std::size_t i = 0; i + 2 < corners.size(); i += 3)
        std::rotate(corners.begin() + static_cast<std::ptrdiff_t>(i),
            std::min_element(corners.begin() + static_cast<std::ptrdiff_t>(i), corners.begin() + static_cast<std::ptrdiff_t>(i + 3), less),
            corners.begin() + static_cast<std::ptrdiff_t>(i + 3));
    return corners;
}

TEST(GltfMeshopt, ReadsTrianglesOfBothIndexSizesWithoutTheFallbackBuffer)
{
    for (const std::size_t stride : {2U, 4U})
    {
        const PackedView indices{packTriangles(kIndices), kIndices.size(), stride, "TRIANGLES"};
        const Result<SceneDescription> scene = importText(cornersText({cornersView(), indices}, stride == 2 ? 5123 : 5125));
        ASSERT_TRUE(scene) << errorOf(scene);
        EXPECT_EQ(turned(cornersOf(scene->meshes[0].primitives[0])), turned(expectedCorners()));
    }
}

TEST(GltfMeshopt, ReadsIndexSequencesInTheirOrder)
{
    for (const std::size_t stride : {2U, 4U})
    {
        const PackedView indices{packSequence(kIndices), kIndices.size(), stride, "INDICES"};
        const Result<SceneDescription> scene = importText(cornersText({cornersView(), indices}, stride == 2 ? 5123 : 5125));
        ASSERT_TRUE(scene) << errorOf(scene);
        EXPECT_EQ(cornersOf(scene->meshes[0].primitives[0]), expectedCorners());
    }
}

/// A triangle whose attribute `name` (after POSITION) is the view.
Result<SceneDescription> importAttribute(const PackedView& view, std::string_view name, std::string_view type, std::string_view component)
{
    const std::vector<vec3> corners(kCorners.begin(), kCorners.begin() + 3);
    const PackedView positions{packVertices(corners.data(), 3, sizeof(vec3)), 3, sizeof(vec3)};
    return importText(packedText({positions, view},
        R"({"type":"VEC3","componentType":5126,"count":3,"bufferView":0},{"type":")" + std::string(type) + R"(","componentType":)" +
            std::string(component) + R"(,"count":3,"bufferView":1})",
        meshText(R"("POSITION":0,")" + std::string(name) + R"(":1)")));
}

TEST(GltfMeshopt, UndoesTheOctahedralFilter)
{
    const std::vector<vec4> normals = {
        vec4(glm::normalize(vec3(1, 2, 3)), 0), vec4(glm::normalize(vec3(-3, 1, -2)), 0), vec4(0.0f, 0.0f, -1.0f, 0.0f)};
    for (const std::size_t stride : {4U, 8U})
    {
        Bytes filtered(3 * stride);
        meshopt_encodeFilterOct(filtered.data(), 3, stride, stride == 4 ? 8 : 16, &normals[0].x);
        const PackedView view{packVertices(filtered.data(), 3, stride), 3, stride, "ATTRIBUTES", "OCTAHEDRAL", {}, 0, stride};
        const Result<SceneDescription> scene =
            importAttribute(view, "NORMAL", "VEC3", stride == 4 ? R"(5120,"normalized":true)" : R"(5122,"normalized":true)");
        ASSERT_TRUE(scene) << errorOf(scene);
        for (std::size_t i = 0; i < 3; ++i)
            EXPECT_LT(glm::distance(scene->meshes[0].primitives[0].normals[i], vec3(normals[i])), stride == 4 ? 0.02f : 1e-4f) << i;
    }
}

TEST(GltfMeshopt, UndoesTheExponentialFilter)
{
    const std::vector<vec2> uvs = {{0.125f, -3.5f}, {1000.25f, 0.0f}, {1e-3f, 0.75f}};
    std::vector<vec2> filtered(3);
    meshopt_encodeFilterExp(filtered.data(), 3, sizeof(vec2), 24, &uvs[0].x);
    const PackedView view{packVertices(filtered.data(), 3, sizeof(vec2)), 3, sizeof(vec2), "ATTRIBUTES", "EXPONENTIAL"};
    const Result<SceneDescription> scene = importAttribute(view, "TEXCOORD_0", "VEC2", "5126");
    ASSERT_TRUE(scene) << errorOf(scene);
    for (std::size_t i = 0; i < 3; ++i)
        EXPECT_LT(glm::distance(scene->meshes[0].primitives[0].uv0[i], uvs[i]), 1e-3f) << i;
    EXPECT_NE(filtered[0], uvs[0]) << "the filter must have changed something";
}

TEST(GltfMeshopt, UndoesTheQuaternionFilterOfAnAnimation)
{
    const std::vector<vec4> turns = {vec4(0, 0, 0, 1), vec4(glm::normalize(vec4(1, 2, -3, 4)))};
    std::vector<std::int16_t> filtered(8);
    meshopt_encodeFilterQuat(filtered.data(), 2, 8, 16, &turns[0].x);
    const std::vector<float> times = {0.0f, 1.0f};
    const Result<SceneDescription> scene = importText(packedText(
        {{packVertices(times.data(), 2, 4), 2, 4}, {packVertices(filtered.data(), 2, 8), 2, 8, "ATTRIBUTES", "QUATERNION"}},
        R"({"type":"SCALAR","componentType":5126,"count":2,"bufferView":0,"min":[0],"max":[1]},
           {"type":"VEC4","componentType":5122,"normalized":true,"count":2,"bufferView":1})",
        R"("nodes":[{}],"animations":[{"samplers":[{"input":0,"output":1}],"channels":[{"sampler":0,"target":{"node":0,"path":"rotation"}}]}])"));
    ASSERT_TRUE(scene) << errorOf(scene);
    const std::vector<float>& values = scene->animations.at(0).channels.at(0).values;
    for (std::size_t key = 0; key < 2; ++key)
    {
        const vec4 read(values[4 * key], values[4 * key + 1], values[4 * key + 2], values[4 * key + 3]);
        EXPECT_GT(std::fabs(glm::dot(read, turns[key])), 0.99999f) << key;
    }
}

TEST(GltfMeshopt, RefusesSizesThatDoNotFitByName)
{
    const auto errorWith = [](const auto& change)
    {
        PackedView view = cornersView();
        PackedView indices{packTriangles(kIndices), kIndices.size(), 2, "TRIANGLES"};
        change(view, indices);
        return errorOf(importText(cornersText({view, indices}, 5123)));
    };
    EXPECT_EQ(errorWith([](PackedView&, PackedView&) {}), "imported");
    EXPECT_THAT(errorWith([](PackedView& view, PackedView&) { view.stride = 10; }),
        HasSubstr("bufferViews[0].EXT_meshopt_compression.byteStride: 10"));
    EXPECT_THAT(errorWith([](PackedView& view, PackedView&) { view.stride = 260; }), HasSubstr("byteStride: 260"));
    EXPECT_THAT(errorWith([](PackedView&, PackedView& indices) { indices.stride = 1; }),
        HasSubstr("bufferViews[1].EXT_meshopt_compression.byteStride: 1 "));
    EXPECT_THAT(errorWith([](PackedView&, PackedView& indices) { indices.count = 8; }), HasSubstr("no multiple of three"));
    EXPECT_THAT(errorWith([](PackedView& view, PackedView&) { view.byteLength = 61; }), HasSubstr("bufferViews[0].byteLength: is 61"));
    EXPECT_THAT(errorWith([](PackedView& view, PackedView&) { view.viewStride = 16; }), HasSubstr("bufferViews[0].byteStride: is 16"));
    EXPECT_THAT(errorWith([](PackedView& view, PackedView&) { view.mode = "OTHER"; }), HasSubstr("mode: \"OTHER\""));
    EXPECT_THAT(errorWith([](PackedView& view, PackedView&) { view.filter = "OTHER"; }), HasSubstr("filter: \"OTHER\""));
    EXPECT_THAT(errorWith([](PackedView& view, PackedView&) { view.filter = "QUATERNION"; }), HasSubstr("byteStride: 12"));
    EXPECT_THAT(errorWith([](PackedView&, PackedView& indices) { indices.filter = "OCTAHEDRAL"; }), HasSubstr("mode ATTRIBUTES alone"));
    EXPECT_THAT(errorWith(
                    [](PackedView& view, PackedView&)
                    {
                        view.count = 0;
                        view.byteLength = 60;
                    }),
        HasSubstr("count: 0"));
}

TEST(GltfMeshopt, TakesNoMemoryForCountsThatTheStreamCanNotHold)
{
    PackedView view = cornersView();
    view.count = 200000000; // 2.4 GB
    const PackedView indices{packTriangles(kIndices), kIndices.size(), 2, "TRIANGLES"};
    EXPECT_THAT(errorOf(importText(cornersText({view, indices}, 5123))), HasSubstr("bytes can not hold 200000000 elements"));
    PackedView many = indices;
    many.count = 3U << 28U;
    EXPECT_THAT(errorOf(importText(cornersText({cornersView(), many}, 5123))), HasSubstr("bytes can not hold"));
}

TEST(GltfMeshopt, NamesTheBufferThatIsNotThere)
{
    const std::string text =
        R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":36,"extensions":{"EXT_meshopt_compression":{"fallback":true}}}],)"
        R"("bufferViews":[{"buffer":0,"byteLength":36}],"accessors":[{"type":"VEC3","componentType":5126,"count":3,"bufferView":0}],)" +
        meshText(R"("POSITION":0)") + "}";
    EXPECT_THAT(errorOf(importText(text)), HasSubstr("buffers[0]: is a fallback buffer without data"));
}

TEST(GltfMeshopt, AnswersDamagedStreamsWithOneErrorOrOtherValuesNeverWithACrash)
{
    const std::uint32_t seed = 20240117;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const PackedView goodView = cornersView();
    const PackedView goodTriangles{packTriangles(kIndices), kIndices.size(), 2, "TRIANGLES"};
    const PackedView goodSequence{packSequence(kIndices), kIndices.size(), 2, "INDICES"};
    std::size_t errorCount = 0;
    for (int run = 0; run < 600; ++run)
    {
        PackedView view = goodView;
        PackedView indices = run % 2 == 0 ? goodTriangles : goodSequence;
        Bytes& bytes = run % 3 == 0 ? view.bytes : indices.bytes;
        if (run % 5 == 0)
            bytes.resize(random() % bytes.size());
        else
            bytes[random() % bytes.size()] ^= static_cast<std::byte>(1U << (random() % 8));
        const Result<SceneDescription> scene = importText(cornersText({view, indices}, 5123));
        errorCount += scene ? 0 : 1;
        if (!scene)
        {
            EXPECT_THAT(scene.error().message, testing::AnyOf(HasSubstr("bufferViews["), HasSubstr("accessors["), HasSubstr("meshes[0]")));
        }
    }
    EXPECT_GT(errorCount, 200U);
    for (const PackedView& good : {goodTriangles, goodSequence})
        for (std::size_t length = 0; length < good.bytes.size(); ++length)
        {
            PackedView cut = good;
            cut.bytes.resize(length);
            EXPECT_THAT(errorOf(importText(cornersText({goodView, cut}, 5123))), HasSubstr("bufferViews[1]")) << length;
        }
}

/// World positions of the corners of all triangles.
std::vector<vec3> worldCorners(const SceneDescription& scene)
{
    std::vector<vec3> out;
    const std::vector<Affine> worlds = computeWorldTransforms(scene);
    for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        if (scene.nodes[i].meshIndex != kNoIndex)
            for (const Primitive& primitive : scene.meshes[scene.nodes[i].meshIndex].primitives)
                for (const std::uint32_t index : primitive.indices)
                    out.push_back(worlds[i].transformPoint(primitive.positions[index]));
    return out;
}

float distanceToNearest(const vec3& point, const std::vector<vec3>& points)
{
    float nearest = std::numeric_limits<float>::max();
    for (const vec3& other : points)
        nearest = std::min(nearest, glm::dot(point - other, point - other));
    return std::sqrt(nearest);
}

TEST(GltfMeshopt, PackedSuzanneIsTheQuantisedAndThePlainOne)
{
    const std::filesystem::path folder = sharedAssets() / "suzanne-variants";
    if (sharedAssets().empty())
        GTEST_SKIP() << "../shared/assets is not there";
    const GltfImportSettings geometry{.decodeImages = false};
    const Result<SceneDescription> plain = importGltf(folder / "original/Suzanne.gltf", geometry);
    const Result<SceneDescription> quantised = importGltf(folder / "Suzanne_quantized.glb", geometry);
    const Result<SceneDescription> packed = importGltf(folder / "Suzanne_meshopt.glb", geometry);
    ASSERT_TRUE(plain && quantised && packed) << errorOf(plain) << errorOf(quantised) << errorOf(packed);
    const std::vector<vec3> plainCorners = worldCorners(*plain);
    const Aabb box = computeSceneBounds(*plain);
    const vec3 size = box.max - box.min;
    const float step = std::max({size.x, size.y, size.z}) / 16383.0f; // 14 bits a coordinate
    for (const Result<SceneDescription>* scene : {&quantised, &packed})
    {
        const std::vector<vec3> corners = worldCorners(**scene);
        ASSERT_EQ(corners.size(), plainCorners.size());
        EXPECT_LT(glm::distance(computeSceneBounds(**scene).min, box.min), 2.0f * step);
        EXPECT_LT(glm::distance(computeSceneBounds(**scene).max, box.max), 2.0f * step);
        float worst = 0.0f;
        for (std::size_t i = 0; i < corners.size(); i += 7)
            worst = std::max(worst, distanceToNearest(corners[i], plainCorners));
        EXPECT_LT(worst, step);
        worst = 0.0f;
        for (std::size_t i = 0; i < plainCorners.size(); i += 7)
            worst = std::max(worst, distanceToNearest(plainCorners[i], corners));
        EXPECT_LT(worst, step);
    }
}

} // namespace
} // namespace dl::test
