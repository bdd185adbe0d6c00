// A user's vertex factory (row D10 of the draw cases): one buffer of 32 bytes a vertex beside the geometry pool, with shaders
// composed by the user, gives the picture that the pool's streams give.
#include "drawloom/render/offscreen.h"
#include "tests/render/driver_fixture.h"
#include "userFactoryShaders.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <string>

namespace dl
{
namespace
{

/// A bumpy square before the camera: UVs, normals and positions all vary.
Primitive makeSheet()
{
    constexpr std::uint32_t kSide = 12;
    Primitive sheet;
    for (std::uint32_t y = 0; y <= kSide; ++y)
        for (std::uint32_t x = 0; x <= kSide; ++x)
        {
            const vec2 uv(static_cast<float>(x) / kSide, static_cast<float>(y) / kSide);
            const float slope = std::cos(9.0f * uv.x);
            sheet.positions.emplace_back(2.0f * uv.x - 1.0f, 1.0f - 2.0f * uv.y, 0.2f * std::sin(9.0f * uv.x));
            sheet.normals.push_back(glm::normalize(vec3(-0.9f * slope, 0.0f, 1.0f)));
            sheet.uv0.push_back(uv);
        }
    for (std::uint32_t y = 0; y < kSide; ++y)
        for (std::uint32_t x = 0; x < kSide; ++x)
        {
            const std::uint32_t first = y * (kSide + 1) + x, below = first + kSide + 1;
            for (const std::uint32_t i : {first, below, first + 1, first + 1, below, below + 1})
                sheet.indices.push_back(i);
        }
    return sheet;
}

std::shared_ptr<const Image> makeTiles()
{
    auto image = std::make_shared<Image>();
    image->name = "tiles";
    image->width = image->height = 8;
    image->format = ImageFormat::Rgba8;
    for (int i = 0; i < 64; ++i)
        for (const int value : {(i % 8) * 32, (i / 8) * 32, ((i + i / 8) % 2) * 200, 255})
            image->bytes.push_back(static_cast<std::byte>(value));
    return image;
}

VertexFactoryDesc interleavedFactory()
{
    using gpu::VertexFormat;
    return {"interleaved",
        {{StreamSource::External0, 32,
            {{"position", 0, VertexFormat::Float32x3, 0, AttributeRole::Position},
                {"normal", 1, VertexFormat::Float32x3, 12, AttributeRole::Normal}, {"uv", 2, VertexFormat::Float32x2, 24}}}}};
}

class UserFactory : public DriverTest
{
protected:
    void TearDown() override
    {
        for (const gpu::BufferId buffer : m_buffers)
            m_device->destroy(buffer);
    }

    gpu::BufferId upload(std::span<const std::byte> bytes, gpu::BufferUsage usage, gpu::Access read)
    {
        const gpu::BufferId buffer =
            m_device->createBuffer({.label = "user", .bytes = bytes.size(), .usage = usage | gpu::BufferUsage::CopyDst}).value();
        m_buffers.push_back(buffer);
        gpu::CommandStream stream;
        const gpu::BufferBarrier before{buffer, {}, gpu::Access::CopyWrite};
        stream.barriers({}, std::span(&before, 1));
        stream.writeBuffer(buffer, 0, bytes);
        const gpu::BufferBarrier after{buffer, gpu::Access::CopyWrite, read};
        stream.barriers({}, std::span(&after, 1));
        EXPECT_TRUE(m_device->submit(stream.bytes()));
        return buffer;
    }

    MeshSection userSection(DrawLibrary& library, const Primitive& sheet)
    {
        std::vector<float> vertices;
        for (std::size_t i = 0; i < sheet.positions.size(); ++i)
        {
            const vec3 p = sheet.positions[i], n = sheet.normals[i];
            const vec2 uv = sheet.uv0[i];
            vertices.insert(vertices.end(), {p.x, p.y, p.z, n.x, n.y, n.z, uv.x, uv.y});
        }
        ExternalGeometry geometry;
        geometry.vertexBuffers[0] = upload(std::as_bytes(std::span(vertices)), gpu::BufferUsage::Vertex, gpu::Access::VertexRead);
        geometry.indexBuffer = upload(std::as_bytes(std::span(sheet.indices)), gpu::BufferUsage::Index, gpu::Access::IndexRead);
        geometry.indexCount = static_cast<std::uint32_t>(sheet.indices.size());
        MeshSection section;
        section.external = library.addExternalGeometry(geometry).value();
        section.factory = library.addVertexFactory(interleavedFactory()).value();
        return section;
    }

    OffscreenPicture draw(bool usesOwnFactory)
    {
        const gpu::ShaderArchive shaders = gpu::ShaderArchive::open(test::userFactoryShaders()).value();
        const auto renderer = std::move(*Renderer::create(*m_device, {.width = 160, .height = 160}));
        GpuResources& resources = renderer->resources();
        DrawLibrary& library = renderer->library();
        library.addArchive(shaders);
        const Primitive sheet = makeSheet();
        MeshSection section;
        if (usesOwnFactory)
            section = userSection(library, sheet);
        else
            section.range = resources.geometry().add(packPrimitive(sheet, 0).value()).value();

        TextureSetDesc textures;
        textures.slots[0] = resources.textures().add(makeTiles(), ImageEncoding::Srgb).value();
        Material look;
        look.baseColor.imageIndex = 0; // present; which image it is says the texture set
        look.metallicFactor = 0.0f;
        MeshSetDesc set;
        set.name = "sheet";
        set.lods.emplace_back().sections.push_back(section);
        set.materials = {library.addMaterial({"tiles", packMaterial(look), resources.textureSets().acquire(textures).value(), {}}).value()};
        set.bounds = {vec3(-1, -1, -1), vec3(1, 1, 1)};
        InstanceDesc instance;
        instance.meshSet = library.addMeshSet(set).value();
        renderer->registry().add(instance);
        Result<OffscreenPicture> drawn = renderOffscreen(*renderer, {}, {.camera = lookAtCamera({0.6, 0.4, 2.6}, {0, 0, 0})}, true);
        EXPECT_TRUE(drawn) << (drawn ? "" : drawn.error().message);
        for (const FrameRefusal& refusal : renderer->collectRefusals())
            ADD_FAILURE() << refusal.subject << ": " << refusal.stage << ": " << refusal.detail;
        return drawn ? std::move(*drawn) : OffscreenPicture{};
    }

    std::vector<gpu::BufferId> m_buffers;
};

TEST_P(UserFactory, DrawsItsInterleavedBufferAsTheGeometryPoolIsDrawn) // draw case D10
{
    const OffscreenPicture pool = draw(false);
    const OffscreenPicture own = draw(true);
    ASSERT_EQ(pool.picture.bytes.size(), 160U * 160U * 4U);
    ASSERT_EQ(own.picture.bytes.size(), pool.picture.bytes.size());
    EXPECT_TRUE(own.objectIds == pool.objectIds) << "not the same texels are covered";
    std::size_t coveredCount = 0, differentCount = 0;
    int worst = 0;
    for (std::size_t i = 0; i < pool.objectIds.size(); ++i)
    {
        coveredCount += pool.objectIds[i] != 0 ? 1 : 0;
        int difference = 0;
        for (std::size_t channel = 0; channel < 4; ++channel)
            difference = std::max(difference, std::abs(std::to_integer<int>(own.picture.bytes[4 * i + channel]) -
                                                       std::to_integer<int>(pool.picture.bytes[4 * i + channel])));
        worst = std::max(worst, difference);
        differentCount += difference > 1 ? 1 : 0;
    }
    EXPECT_GT(coveredCount, 6000U);
    EXPECT_LE(worst, 3) << "the pool holds normals in 16 bits, the user's buffer in 32";
    EXPECT_LE(differentCount, coveredCount / 100);
}

INSTANTIATE_TEST_SUITE_P(SoftwareDrivers, UserFactory, testing::Values("llvmpipe", "swiftshader"),
    [](const testing::TestParamInfo<const char*>& driver) { return std::string(driver.param); });

} // namespace
} // namespace dl
