// KHR_draco_mesh_compression: the shared Draco files, counts that are held before anything is decoded, damaged streams.
#include "drawloom/asset/detail/draco_decode.h"
#include "tests/asset/gltf_builder.h"
#include "tests/asset/shared_index.h"

#include <draco/compression/encode.h>
#include <draco/mesh/mesh.h>
#include <gmock/gmock.h>

#include <fstream>
#include <random>

namespace dl::test
{
namespace
{

using testing::HasSubstr;
using Bytes = std::vector<std::byte>;

Bytes readBytes(const std::filesystem::path& path)
{
    std::ifstream file(path, std::ios::binary);
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    const auto bytes = std::as_bytes(std::span(text));
    return {bytes.begin(), bytes.end()};
}

/// The box of 24 points and 12 triangles: normals are attribute 0, positions 1.
detail::DracoRequest boxRequest(std::span<const std::byte> bytes)
{
    return {bytes, 24, 36, {{1, 3, detail::ComponentType::Float}, {0, 3, detail::ComponentType::Float}}};
}

std::string problemOf(const detail::DracoRequest& request)
{
    const Result<detail::DracoMesh> mesh = detail::decodeDraco(request);
    return mesh ? "decoded" : mesh.error().message;
}

class GltfDraco : public testing::Test
{
protected:
    void SetUp() override
    {
        if (sharedAssets().empty())
            GTEST_SKIP() << "../shared/assets is not there";
        m_folder = sharedAssets() / "compressed";
        m_box = readBytes(m_folder / "0.bin");
    }

    std::filesystem::path m_folder;
    Bytes m_box;
};

TEST_F(GltfDraco, ReadsTheBoxAsABox)
{
    const Result<SceneDescription> scene = importGltf(m_folder / "BoxDraco.gltf");
    ASSERT_TRUE(scene) << errorOf(scene);
    const Primitive& box = scene->meshes.at(0).primitives.at(0);
    ASSERT_EQ(box.vertexCount(), 24U);
    ASSERT_EQ(box.triangleCount(), 12U);
    for (std::size_t i = 0; i < box.indices.size(); i += 3)
    {
        const vec3 a = box.positions[box.indices[i]];
        const vec3 cross = glm::cross(box.positions[box.indices[i + 1]] - a, box.positions[box.indices[i + 2]] - a);
        EXPECT_NEAR(glm::length(cross), 1.0f, 2e-3f) << "half a face of the unit cube";
        EXPECT_GT(glm::dot(glm::normalize(cross), box.normals[box.indices[i]]), 0.99f) << "positions and normals changed places";
        EXPECT_NEAR(glm::dot(glm::normalize(cross), a), 0.5f, 2e-3f);
    }
}

TEST_F(GltfDraco, FillsAttributesOutsideTheStreamFromTheirAccessors)
{
    const Result<SceneDescription> scene = importGltf(m_folder / "DracoSparseMesh.gltf");
    ASSERT_TRUE(scene) << errorOf(scene);
    const Primitive& primitive = scene->meshes.at(0).primitives.at(0);
    EXPECT_EQ(primitive.triangleCount(), 102U);
    ASSERT_EQ(primitive.skin.size(), 62U) << "weights come from the stream, joints are an accessor of zeros";
    EXPECT_NEAR(primitive.bounds.min.x, -0.0396516f, 1e-5f);
    EXPECT_NEAR(primitive.bounds.max.y, 0.0891258f, 1e-5f);
    EXPECT_EQ(primitive.tangents.size(), 62U);
    EXPECT_EQ(primitive.uv0.size(), 62U);
}

TEST_F(GltfDraco, HoldsCountsAndTypesAgainstTheAccessors)
{
    detail::DracoRequest request = boxRequest(m_box);
    EXPECT_EQ(problemOf(request), "decoded");
    request.maxIndexCount = 35;
    EXPECT_THAT(problemOf(request), HasSubstr("it has 12 triangles, the accessors have room for 11"));
    request = boxRequest(m_box);
    request.pointCount = 23;
    EXPECT_THAT(problemOf(request), HasSubstr("points, the accessors have 23"));
    request.pointCount = 25;
    EXPECT_THAT(problemOf(request), HasSubstr("it has 24 points, the accessors have 25"));
    request = boxRequest(m_box);
    request.attributes[0].uniqueId = 7;
    EXPECT_THAT(problemOf(request), HasSubstr("it has no attribute 7"));
    request.attributes[0] = {1, 4, detail::ComponentType::Float};
    EXPECT_THAT(problemOf(request), HasSubstr("attribute 1 has 3 components, the accessor 4"));
    request.attributes[0] = {1, 3, detail::ComponentType::Int16};
    EXPECT_THAT(problemOf(request), HasSubstr("attribute 1 holds floats, the accessor integers"));
}

TEST(GltfDracoStream, RefusesBooleans)
{
    // Draco reads any byte of such an attribute as a bool, which is undefined: found by fuzz_draco.
    draco::Mesh mesh;
    mesh.set_num_points(3);
    mesh.AddFace({draco::PointIndex(0), draco::PointIndex(1), draco::PointIndex(2)});
    draco::GeometryAttribute positions, flags;
    positions.Init(draco::GeometryAttribute::POSITION, nullptr, 3, draco::DT_FLOAT32, false, 12, 0);
    flags.Init(draco::GeometryAttribute::GENERIC, nullptr, 3, draco::DT_BOOL, false, 3, 0);
    const int ids[] = {mesh.AddAttribute(positions, true, 3), mesh.AddAttribute(flags, true, 3)};
    const float places[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    const std::uint8_t bools[3] = {0, 1, 0};
    for (std::uint32_t i = 0; i < 3; ++i)
    {
        mesh.attribute(ids[0])->SetAttributeValue(draco::AttributeValueIndex(i), places[i]);
        mesh.attribute(ids[1])->SetAttributeValue(draco::AttributeValueIndex(i), bools);
    }
    draco::Encoder encoder;
    encoder.SetEncodingMethod(draco::MESH_SEQUENTIAL_ENCODING);
    draco::EncoderBuffer buffer;
    ASSERT_TRUE(encoder.EncodeMeshToBuffer(mesh, &buffer).ok());
    const auto bytes = std::as_bytes(std::span(buffer.data(), buffer.size()));
    const auto requestOf = [&](int id)
    { return detail::DracoRequest{bytes, 3, 3, {{mesh.attribute(id)->unique_id(), 3, detail::ComponentType::Float}}}; };
    EXPECT_EQ(problemOf(requestOf(ids[0])), "decoded");
    EXPECT_THAT(problemOf(requestOf(ids[1])), HasSubstr("holds booleans"));
}

TEST_F(GltfDraco, RefusesWhatIsNoMeshOfTwoOrLater)
{
    Bytes bytes = m_box;
    bytes[7] = std::byte{0};
    EXPECT_THAT(problemOf(boxRequest(bytes)), HasSubstr("is no mesh"));
    bytes = m_box;
    bytes[5] = std::byte{1};
    EXPECT_THAT(problemOf(boxRequest(bytes)), HasSubstr("Draco bitstream 1."));
    EXPECT_THAT(problemOf(boxRequest({})), HasSubstr("the Draco stream can not be used"));
}

TEST_F(GltfDraco, RefusesAStreamThatClaimsMoreThanItsBytesCanHold)
{
    // Sequential, 2.2, no flags; 100,000,000 triangles and as many points as varints.
    const std::vector<unsigned char> head = {'D', 'R', 'A', 'C', 'O', 2, 2, 1, 0, 0, 0, 0x80, 0xc2, 0xd7, 0x2f, 0x80, 0xc2, 0xd7, 0x2f};
    const auto bytes = std::as_bytes(std::span(head));
    EXPECT_THAT(problemOf({bytes, 100000000, 300000000, {}}), HasSubstr("can not come from 19 bytes"));
}

TEST_F(GltfDraco, AnswersEveryTruncationWithOneError)
{
    for (std::size_t length = 0; length < m_box.size(); ++length)
    {
        // In its own block, so that a sanitizer sees a read of one byte too many.
        const Bytes cut(m_box.begin(), m_box.begin() + static_cast<std::ptrdiff_t>(length));
        EXPECT_THAT(problemOf(boxRequest(cut)), HasSubstr("Draco stream")) << length;
    }
}

TEST_F(GltfDraco, SurvivesFlippedBits)
{
    const std::uint32_t seed = 77;
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const Bytes sparse = readBytes(m_folder / "DracoSparseMesh.bin");
    std::size_t errorCount = 0;
    for (int run = 0; run < 2000; ++run)
    {
        Bytes bytes = run % 2 == 0 ? m_box : sparse;
        for (auto flips = 1 + random() % 3; flips > 0; --flips)
            bytes[random() % bytes.size()] ^= static_cast<std::byte>(1U << (random() % 8));
        detail::DracoRequest request = boxRequest(bytes);
        if (run % 2 != 0)
            request = {bytes, 62, 306, {{0, 3, detail::ComponentType::Float}, {4, 4, detail::ComponentType::Float}}};
        const Result<detail::DracoMesh> mesh = detail::decodeDraco(request);
        errorCount += mesh ? 0 : 1;
        if (mesh)
        {
            EXPECT_EQ(mesh->values[0].size(), request.pointCount * 12);
        }
    }
    EXPECT_GT(errorCount, 200U);
}

TEST_F(GltfDraco, NamesThePrimitiveAndRefusesStrips)
{
    const auto errorWith = [&](std::size_t length, const std::string& ids, const std::string& mode)
    {
        GltfBuilder builder;
        const std::size_t view = builder.addView(std::span(m_box).first(length));
        builder.addZeros("SCALAR", 5123, 36);
        builder.addZeros("VEC3", 5126, 24);
        builder.addZeros("VEC3", 5126, 24);
        return errorOf(builder.import(meshText(
            R"("NORMAL":1,"POSITION":2)", R"(,"indices":0)" + mode + R"(,"extensions":{"KHR_draco_mesh_compression":{"bufferView":)" +
                                              std::to_string(view) + R"(,"attributes":{)" + ids + "}}}")));
    };
    EXPECT_EQ(errorWith(m_box.size(), R"("NORMAL":0,"POSITION":1)", ""), "imported");
    EXPECT_THAT(
        errorWith(60, R"("NORMAL":0,"POSITION":1)", ""), HasSubstr("meshes[0].primitives[0].KHR_draco_mesh_compression: the Draco stream"));
    EXPECT_THAT(errorWith(m_box.size(), R"("TANGENT":0,"POSITION":1)", ""), HasSubstr("attributes.TANGENT: is required"));
    EXPECT_THAT(errorWith(m_box.size(), R"("NORMAL":0,"POSITION":1)", R"(,"mode":5)"), HasSubstr("mode 5 is not read"));
}

} // namespace
} // namespace dl::test
