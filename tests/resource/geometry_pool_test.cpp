// Tests of drawloom/resource/geometry_pool.h and vertex_streams.h.
#include "tests/resource/resource_harness.h"

#include "tests/resource/random_numbers.h"
#include <cmath>

namespace dl
{
namespace
{

Primitive makeTriangle()
{
    Primitive primitive;
    primitive.positions = {vec3(0, 0, 0), vec3(1, 0, 0), vec3(0, 1, 0)};
    primitive.indices = {0, 1, 2};
    return primitive;
}

TEST(PackPrimitive, FillsAbsentAttributesWithDefaults)
{
    const auto data = packPrimitive(makeTriangle(), 3, "triangle");
    ASSERT_TRUE(data);
    EXPECT_EQ(data->normals[1].normal[2], 32767);
    EXPECT_EQ(data->normals[1].tangent[3], 32767);
    EXPECT_EQ(data->uvs[2].color[0], 255);
    EXPECT_EQ(data->uvs[2].part, 3U);
    EXPECT_FALSE(data->isDeformed());
}

TEST(PackPrimitive, TakesUv0ForAnAbsentUv1AndKeepsTheTangentSign)
{
    Primitive primitive = makeTriangle();
    primitive.uv0 = {vec2(0.1f, 0.2f), vec2(2.5f, -1.0f), vec2(0.0f)};
    primitive.tangents.assign(3, vec4(0, 0, -2, -1));
    primitive.colors.assign(3, vec4(0.5f, 2.0f, -1.0f, 1.0f));
    const auto data = packPrimitive(primitive, 0);
    ASSERT_TRUE(data);
    EXPECT_FLOAT_EQ(data->uvs[1].uv1[0], 2.5f);
    EXPECT_EQ(data->normals[0].tangent[2], -32767);
    EXPECT_EQ(data->normals[0].tangent[3], -32767);
    EXPECT_EQ(data->uvs[0].color[0], 128);
    EXPECT_EQ(data->uvs[0].color[1], 255);
    EXPECT_EQ(data->uvs[0].color[2], 0);
}

TEST(PackPrimitive, WeightsOfBothSetsSumToOne)
{
    Primitive primitive = makeTriangle();
    primitive.skin = {VertexSkin{{1, 2, 3, 4}, {0.3f, 0.3f, 0.3f, 0.3f}}, VertexSkin{}, VertexSkin{{7, 0, 0, 0}, {1, 0, 0, 0}}};
    primitive.skin1 = {VertexSkin{{5, 6, 0, 0}, {0.1f, NAN, -1.0f, 0}}, VertexSkin{}, VertexSkin{}};
    const auto data = packPrimitive(primitive, 0);
    ASSERT_TRUE(data);
    ASSERT_EQ(data->skinSetCount, 2U);
    ASSERT_EQ(data->skin.size(), 6U);
    for (int vertex = 0; vertex < 3; ++vertex)
    {
        int sum = 0;
        for (int set = 0; set < 2; ++set)
            for (const std::uint16_t weight : data->skin[static_cast<std::size_t>(vertex * 2 + set)].weights)
                sum += weight;
        EXPECT_EQ(sum, 65535) << vertex;
    }
    EXPECT_EQ(data->skin[2].weights[0], 65535); // no weight at all: the first joint
    EXPECT_EQ(data->skin[4].joints[0], 7);
}

TEST(PackPrimitive, MorphTargetsAreTargetMajorWithZerosWhereOneLacksNormals)
{
    Primitive primitive = makeTriangle();
    primitive.morphTargets.resize(2);
    primitive.morphTargets[0].positions.assign(3, vec3(1, 2, 3));
    primitive.morphTargets[1].normals.assign(3, vec3(4, 5, 6));
    const auto data = packPrimitive(primitive, 0);
    ASSERT_TRUE(data);
    EXPECT_EQ(data->morphWords(), 6U);
    ASSERT_EQ(data->morph.size(), 36U);
    EXPECT_EQ(data->morph[0], 1.0f);
    EXPECT_EQ(data->morph[3], 0.0f);
    EXPECT_EQ(data->morph[18], 0.0f);
    EXPECT_EQ(data->morph[21], 4.0f);
}

TEST(PackPrimitive, FlatNormalsNeedVerticesOfEachTrianglesOwn)
{
    Primitive primitive = makeTriangle();
    EXPECT_FALSE(packPrimitive(primitive, 0)->hasFlatNormals);
    primitive.hasFlatNormals = true;
    EXPECT_TRUE(packPrimitive(primitive, 0)->hasFlatNormals);
    primitive.indices = {0, 2, 1};
    EXPECT_FALSE(packPrimitive(primitive, 0)->hasFlatNormals) << "corner 1 is not vertex 1";
    MeshData data = *packPrimitive(makeTriangle(), 0);
    data.hasFlatNormals = true;
    EXPECT_TRUE(validateMeshData(data));
    data.positions.emplace_back();
    data.normals.emplace_back();
    data.uvs.emplace_back();
    EXPECT_EQ(validateMeshData(data).error().code, ErrorCode::InvalidArgument) << "a triangle without its third vertex";
}

TEST(PackPrimitive, RefusesMalformedInput)
{
    const auto isRefused = [](const Primitive& primitive)
    {
        const auto data = packPrimitive(primitive, 0, "bad");
        return !data && data.error().code == ErrorCode::InvalidArgument;
    };
    EXPECT_TRUE(isRefused(Primitive{}));
    Primitive p = makeTriangle();
    p.indices = {0, 1, 3};
    EXPECT_TRUE(isRefused(p));
    p.indices = {0, 1};
    EXPECT_TRUE(isRefused(p));
    p = makeTriangle();
    p.normals.resize(2);
    EXPECT_TRUE(isRefused(p));
    p = makeTriangle();
    p.positions[1].y = INFINITY;
    EXPECT_TRUE(isRefused(p));
}

TEST(GeometryPool, AMeshIsResidentWithItsBytesAfterOneFlush)
{
    ResourceHarness harness;
    GeometryPool& pool = harness.resources->geometry();
    harness.begin();
    const auto first = pool.add(makeMesh(4, 1.0f));
    const auto second = pool.add(makeMesh(5, 2.0f, 1, 2));
    ASSERT_TRUE(first && second);
    EXPECT_FALSE(pool.range(*first).isResident);
    ASSERT_TRUE(harness.end());
    const MeshRange& range = pool.range(*second);
    EXPECT_TRUE(pool.range(*first).isResident && range.isResident);
    EXPECT_EQ(pool.range(*first).pageIndex, range.pageIndex);
    const GeometryPage page = pool.page(range.pageIndex);
    EXPECT_EQ(harness.read<vec3>(page.position, range.baseVertex + 3), vec3(2, 3, 1));
    EXPECT_EQ(harness.read<std::uint32_t>(page.index, range.firstIndex + 5), 3U);
    EXPECT_EQ(harness.read<VertexUv>(page.uv, range.baseVertex).color[0], 255);
    EXPECT_EQ(harness.read<SkinRecord>(page.skin, range.skinOffset + 4).weights[0], 65535);
    EXPECT_EQ(harness.read<float>(page.morph, range.morphOffset + 29), 2.0f);
}

TEST(GeometryPool, GrowingAPageKeepsWhatItHolds)
{
    GpuResourcesSettings settings;
    settings.geometry.firstVertexCount = 8;
    settings.geometry.firstIndexCount = 8;
    ResourceHarness harness(settings);
    GeometryPool& pool = harness.resources->geometry();
    std::vector<MeshRangeId> ids;
    for (int i = 0; i < 40; ++i)
    {
        harness.begin();
        for (int k = 0; k < 3; ++k) // several growths within one frame
            ids.push_back(*pool.add(makeMesh(7, static_cast<float>(ids.size()))));
        ASSERT_TRUE(harness.end());
    }
    EXPECT_EQ(pool.stats().pageCount, 1U);
    for (std::size_t i = 0; i < ids.size(); ++i)
    {
        const MeshRange& range = pool.range(ids[i]);
        ASSERT_TRUE(range.isResident);
        ASSERT_EQ(harness.read<vec3>(pool.page(0).position, range.baseVertex + 6), vec3(static_cast<float>(i), 6, 1));
    }
}

TEST(GeometryPool, FillsAPageToItsLimitThenMakesAnother)
{
    GpuResourcesSettings settings;
    settings.geometry.maxBufferBytes = 24 * 100; // 100 vertices by the widest stream
    settings.geometry.firstVertexCount = 16;
    settings.geometry.maxPageCount = 2;
    ResourceHarness harness(settings);
    GeometryPool& pool = harness.resources->geometry();
    const auto whole = pool.add(makeMesh(100, 1.0f));
    ASSERT_TRUE(whole) << whole.error().message;
    EXPECT_EQ(pool.range(*whole).pageIndex, 0U);
    MeshData large = makeMesh(101, 1.0f);
    large.name = "cathedral";
    const auto tooLarge = pool.add(std::move(large));
    ASSERT_FALSE(tooLarge);
    EXPECT_EQ(tooLarge.error().code, ErrorCode::OutOfRange);
    for (const char* part : {"\"cathedral\"", "101 vertices", "larger than a geometry page", "maxBufferBytes"})
        EXPECT_NE(tooLarge.error().message.find(part), std::string::npos) << tooLarge.error().message;
    EXPECT_EQ(pool.stats().pageCount, 1U) << "and left nothing behind";
    const auto next = pool.add(makeMesh(3, 1.0f));
    ASSERT_TRUE(next);
    EXPECT_EQ(pool.range(*next).pageIndex, 1U);
    const auto refused = pool.add(makeMesh(98, 1.0f));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::OutOfBudget);
    EXPECT_NE(refused.error().message.find("maxPageCount"), std::string::npos);
    EXPECT_TRUE(pool.add(makeMesh(97, 1.0f)));
    EXPECT_TRUE(harness.frame());
}

TEST(GeometryPool, RefusesEveryMeshWhenAPageHoldsNothing)
{
    for (const std::uint64_t bytes : {std::uint64_t(0), std::uint64_t(4), std::uint64_t(23), std::uint64_t(24)})
    {
        GpuResourcesSettings settings;
        settings.geometry.maxBufferBytes = bytes;
        settings.geometry.firstVertexCount = settings.geometry.firstIndexCount = 1;
        ResourceHarness harness(settings);
        GeometryPool& pool = harness.resources->geometry();
        const auto refused = pool.add(makeMesh(3, 1.0f));
        ASSERT_FALSE(refused) << bytes << " bytes";
        EXPECT_EQ(refused.error().code, ErrorCode::OutOfRange) << refused.error().message;
        EXPECT_TRUE(harness.frame()) << "the frame goes on without it";
    }
}

TEST(GeometryPool, ReusesARangeOnlyWhenTheFrameThatMayReadItIsComplete)
{
    gpu::NullDeviceSettings device;
    device.pollsUntilDone = 3;
    GpuResourcesSettings settings;
    settings.geometry.maxBufferBytes = 24 * 100;
    settings.geometry.maxPageCount = 1;
    ResourceHarness harness(settings, device);
    GeometryPool& pool = harness.resources->geometry();
    const MeshRangeId id = *pool.add(makeMesh(100, 1.0f));
    ASSERT_TRUE(harness.frame());
    harness.begin();
    EXPECT_TRUE(pool.remove(id));
    EXPECT_FALSE(pool.remove(id));
    EXPECT_FALSE(pool.contains(id));
    ASSERT_TRUE(harness.end());
    int frames = 0;
    while (!pool.add(makeMesh(100, 2.0f)))
    {
        ASSERT_LT(++frames, 10);
        ASSERT_TRUE(harness.frame());
    }
    EXPECT_GE(frames, 3);
    ASSERT_TRUE(harness.frame());
    EXPECT_EQ(harness.read<vec3>(pool.page(0).position, 99), vec3(2, 99, 1));
}

TEST(GeometryPool, RelocationRewritesTheSlotAndKeepsTheBytes)
{
    GpuResourcesSettings settings;
    settings.geometry.maxBufferBytes = 24 * 100;
    ResourceHarness harness(settings);
    GeometryPool& pool = harness.resources->geometry();
    const MeshRangeId big = *pool.add(makeMesh(90, 1.0f));
    const MeshRangeId small = *pool.add(makeMesh(20, 2.0f));
    EXPECT_EQ(pool.relocate(small, 0).error().code, ErrorCode::InvalidArgument); // not resident yet
    ASSERT_TRUE(harness.frame());
    ASSERT_EQ(pool.range(small).pageIndex, 1U);
    EXPECT_EQ(pool.relocate(small, 0).error().code, ErrorCode::OutOfBudget);
    EXPECT_EQ(pool.relocate(small, 1).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(pool.relocate(small, 2).error().code, ErrorCode::InvalidArgument);
    pool.remove(big);
    const MeshRangeId filler = *pool.add(makeMesh(70, 3.0f)); // page 1
    ASSERT_TRUE(harness.frame());
    harness.begin();
    ASSERT_TRUE(pool.relocate(small, 0));
    ASSERT_TRUE(harness.end());
    const MeshRange& range = pool.range(small);
    EXPECT_EQ(range.pageIndex, 0U);
    EXPECT_TRUE(range.isResident);
    EXPECT_EQ(harness.read<vec3>(pool.page(0).position, range.baseVertex + 19), vec3(2, 19, 1));
    EXPECT_EQ(harness.read<std::uint32_t>(pool.page(0).index, range.firstIndex + 53), 19U);
    EXPECT_TRUE(pool.contains(filler));
    pool.remove(small);
    EXPECT_EQ(pool.relocate(small, 1).error().code, ErrorCode::StaleId);
}

TEST(GeometryPool, CompactionEmptiesTheLeastUsedPageAndReleasesIt)
{
    GpuResourcesSettings settings;
    settings.geometry.maxBufferBytes = 24 * 100;
    ResourceHarness harness(settings);
    GeometryPool& pool = harness.resources->geometry();
    std::vector<MeshRangeId> ids;
    for (int i = 0; i < 15; ++i)
        ids.push_back(*pool.add(makeMesh(10, static_cast<float>(i))));
    ASSERT_TRUE(harness.frame());
    ASSERT_EQ(pool.stats().pageCount, 2U);
    for (int i = 0; i < 7; ++i)
        pool.remove(ids[static_cast<std::size_t>(i)]);
    ASSERT_TRUE(harness.frame());
    const std::uint64_t before = harness.resources->memory().meshBytes.current;
    for (int i = 0; i < 8; ++i)
    {
        harness.begin();
        pool.compact(1200);
        ASSERT_TRUE(harness.end());
    }
    EXPECT_EQ(pool.stats().pageCount, 1U);
    EXPECT_LT(harness.resources->memory().meshBytes.current, before);
    EXPECT_EQ(pool.compact(1U << 20U), 0U);
    for (std::size_t i = 7; i < ids.size(); ++i)
    {
        const MeshRange& range = pool.range(ids[i]);
        ASSERT_EQ(harness.read<vec3>(pool.page(range.pageIndex).position, range.baseVertex + 9), vec3(static_cast<float>(i), 9, 1));
    }
}

TEST(GeometryPool, AnAllocationFailureLeavesItUnchanged)
{
    for (std::uint64_t nth = 1; nth <= 4; ++nth)
    {
        SCOPED_TRACE(nth);
        ResourceHarness harness;
        ASSERT_TRUE(harness.frame());
        GeometryPool& pool = harness.resources->geometry();
        const std::uint64_t created = harness.null->stats().created[gpu::ObjectKind::Buffer];
        harness.null->settings().failNthCreation[gpu::ObjectKind::Buffer] = created + nth;
        const auto failed = pool.add(makeMesh(10, 1.0f));
        ASSERT_FALSE(failed);
        EXPECT_EQ(failed.error().code, ErrorCode::OutOfMemory);
        EXPECT_EQ(pool.stats().rangeCount, 0U);
        EXPECT_EQ(pool.stats().usedVertexCount, 0U);
        EXPECT_EQ(harness.resources->uploads().stats().pendingCount, 0U);
        const auto again = pool.add(makeMesh(10, 1.0f));
        ASSERT_TRUE(again);
        ASSERT_TRUE(harness.frame());
        EXPECT_EQ(harness.read<vec3>(pool.page(0).position, pool.range(*again).baseVertex + 9), vec3(1, 9, 1));
    }
}

TEST(GeometryPool, RandomAddsRemovesAndMovesKeepEveryMeshIntact)
{
    for (std::uint32_t seed = 1; seed <= 5; ++seed)
    {
        SCOPED_TRACE(seed);
        Random random(seed);
        gpu::NullDeviceSettings device;
        device.pollsUntilDone = 2;
        GpuResourcesSettings settings;
        settings.geometry.maxBufferBytes = 24 * 1000;
        settings.geometry.firstVertexCount = 32;
        settings.geometry.firstIndexCount = 32;
        settings.uploadBytesPerFrame = 6000;
        ResourceHarness harness(settings, device);
        GeometryPool& pool = harness.resources->geometry();
        struct Mesh
        {
            MeshRangeId id;
            float seed;
            std::uint32_t vertexCount;
        };
        std::vector<Mesh> meshes;
        for (int frame = 0; frame < 120; ++frame)
        {
            harness.begin();
            for (std::uint32_t k = random() % 4; k != 0; --k)
            {
                const std::uint32_t vertices = 3 + random() % 60;
                const float value = static_cast<float>(random() % 1000);
                meshes.push_back({*pool.add(makeMesh(vertices, value)), value, vertices});
            }
            for (std::uint32_t k = random() % 3; k != 0 && !meshes.empty(); --k)
            {
                const std::size_t victim = random() % meshes.size();
                ASSERT_TRUE(pool.remove(meshes[victim].id));
                meshes[victim] = meshes.back();
                meshes.pop_back();
            }
            if (frame % 5 == 0)
                pool.compact(4000);
            ASSERT_TRUE(harness.end());
            for (const Mesh& mesh : meshes)
            {
                const MeshRange& range = pool.range(mesh.id);
                if (!range.isResident)
                    continue;
                const GeometryPage page = pool.page(range.pageIndex);
                for (std::uint32_t i = 0; i < mesh.vertexCount; i += 7)
                    ASSERT_EQ(harness.read<vec3>(page.position, range.baseVertex + i), vec3(mesh.seed, static_cast<float>(i), 1.0f));
                ASSERT_EQ(harness.read<std::uint32_t>(page.index, range.firstIndex + range.indexCount - 1), mesh.vertexCount - 1);
            }
        }
        EXPECT_GT(pool.stats().relocatedCount, 0U);
        for (const Mesh& mesh : meshes)
            pool.remove(mesh.id);
        for (int i = 0; i < 6; ++i)
            ASSERT_TRUE(harness.frame());
        EXPECT_EQ(pool.stats().usedVertexCount, 0U);
        EXPECT_EQ(pool.stats().pageCount, 0U);
        EXPECT_EQ(harness.resources->memory().meshBytes.current, 0U);
        EXPECT_EQ(harness.resources->memory().stagingBytes.current, 0U);
    }
}

} // namespace
} // namespace dl
