// A user's surface that moves its vertices: depth prepass, forward pass and object ids agree on where it is. The forward pass
// draws where depth is equal, so a pass that did not move them alike would leave holes.
#include "displacedShaders.h"
#include "drawloom/render/offscreen.h"
#include "tests/render/driver_fixture.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <string>

namespace dl
{
namespace
{

constexpr std::uint32_t kSize = 160;

/// A square of side 1 around the origin, in the plane z = 0, of 32 x 32 parts.
Primitive makeSheet()
{
    constexpr std::uint32_t kSide = 32;
    Primitive sheet;
    for (std::uint32_t y = 0; y <= kSide; ++y)
        for (std::uint32_t x = 0; x <= kSide; ++x)
        {
            const vec2 uv(static_cast<float>(x) / kSide, static_cast<float>(y) / kSide);
            sheet.positions.emplace_back(uv.x - 0.5f, 0.5f - uv.y, 0.0f);
            sheet.normals.emplace_back(0.0f, 0.0f, 1.0f);
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

struct Drawn
{
    OffscreenPicture result;
    InstanceId sheet;
    std::unique_ptr<Renderer> renderer; ///< answers picks

    bool isRed(std::size_t texel) const
    {
        const std::byte* rgba = result.picture.bytes.data() + 4 * texel;
        return std::to_integer<int>(rgba[0]) > 150 && std::to_integer<int>(rgba[1]) < 60 && std::to_integer<int>(rgba[2]) < 60;
    }
    std::size_t coveredCount() const
    {
        std::size_t count = 0;
        for (const std::uint32_t id : result.objectIds)
            count += id != 0 ? 1 : 0;
        return count;
    }
};

class DisplacedSurface : public DriverTest
{
protected:
    /// The sheet moved by its transform and, through the surface, by its own values.
    Drawn draw(vec3 position, float lift, float wave)
    {
        Drawn drawn;
        drawn.renderer = std::move(*Renderer::create(*m_device, {.width = kSize, .height = kSize}));
        DrawLibrary& library = drawn.renderer->library();
        GpuResources& resources = drawn.renderer->resources();
        library.addArchive(m_shaders);
        DrawMaterialDesc material;
        material.name = "lifted";
        material.params = packMaterial(Material{});
        material.textureSet = resources.textureSets().acquire({}).value();
        material.surface = library.addSurface("lifted");
        MeshSetDesc set;
        set.name = "sheet";
        set.lods.emplace_back().sections.emplace_back().range = resources.geometry().add(packPrimitive(makeSheet(), 0).value()).value();
        set.materials = {library.addMaterial(material).value()};
        set.bounds = {vec3(-2), vec3(2)}; // wherever the surface may move it
        InstanceDesc instance;
        instance.meshSet = library.addMeshSet(set).value();
        instance.transform.affine = toAffine(Trs{.translation = position});
        instance.propertyLayout = &m_layout;
        SceneRegistry& registry = drawn.renderer->registry();
        drawn.sheet = registry.add(instance);
        const std::array<std::uint32_t, 2> values = {std::bit_cast<std::uint32_t>(lift), std::bit_cast<std::uint32_t>(wave)};
        registry.overrideValue(drawn.sheet, 0, values);
        Result<OffscreenPicture> result = renderOffscreen(*drawn.renderer, {}, {.camera = lookAtCamera({0, 0, 4}, {0, 0, 0})}, true);
        EXPECT_TRUE(result) << (result ? "" : result.error().message);
        for (const FrameRefusal& refusal : drawn.renderer->collectRefusals())
            ADD_FAILURE() << refusal.subject << ": " << refusal.stage << ": " << refusal.detail;
        if (result)
            drawn.result = std::move(*result);
        return drawn;
    }
    static PropertyLayout motionLayout()
    {
        const PropertyDesc motion{.name = "motion", .wordCount = 2};
        return PropertyLayout::create(std::span(&motion, 1)).value();
    }

    gpu::ShaderArchive m_shaders = gpu::ShaderArchive::open(test::displacedShaders()).value();
    PropertyLayout m_layout = motionLayout(); ///< outlives the registries
};

TEST_P(DisplacedSurface, IsWhereItsShaderPutsIt)
{
    const Drawn lifted = draw(vec3(0.0f), 0.5f, 0.0f), moved = draw(vec3(0, 0.5f, 0), 0.0f, 0.0f), flat = draw(vec3(0.0f), 0.0f, 0.0f);
    ASSERT_EQ(lifted.result.objectIds.size(), std::size_t(kSize) * kSize);
    EXPECT_GT(lifted.coveredCount(), 800U);
    EXPECT_TRUE(lifted.result.objectIds == moved.result.objectIds) << "lifted by the shader, or by the transform: the same texels";
    EXPECT_TRUE(lifted.result.picture.bytes == moved.result.picture.bytes);
    EXPECT_FALSE(lifted.result.objectIds == flat.result.objectIds);
}

TEST_P(DisplacedSurface, HasNoHolesAndIsPickedWhereItIsSeen)
{
    Drawn waved = draw(vec3(0.0f), 0.25f, 0.25f);
    ASSERT_EQ(waved.result.objectIds.size(), std::size_t(kSize) * kSize);
    std::size_t holeCount = 0, strayCount = 0, pickMisses = 0;
    for (std::uint32_t y = 0; y < kSize; ++y)
        for (std::uint32_t x = 0; x < kSize; ++x)
        {
            const std::size_t texel = std::size_t(y) * kSize + x;
            const bool isCovered = waved.result.objectIds[texel] != 0;
            holeCount += isCovered && !waved.isRed(texel) ? 1 : 0;
            strayCount += !isCovered && waved.isRed(texel) ? 1 : 0;
            pickMisses += (waved.renderer->pick(x, y) == waved.sheet) != isCovered ? 1 : 0;
        }
    EXPECT_EQ(holeCount, 0U) << "depth was laid elsewhere than the forward pass drew";
    EXPECT_EQ(strayCount, 0U) << "drawn where the object ids do not know it";
    EXPECT_EQ(pickMisses, 0U);
    const Drawn flat = draw(vec3(0.0f), 0.0f, 0.0f);
    std::size_t onlyWaved = 0, onlyFlat = 0;
    for (std::size_t i = 0; i < flat.result.objectIds.size(); ++i)
    {
        onlyWaved += waved.result.objectIds[i] != 0 && flat.result.objectIds[i] == 0 ? 1 : 0;
        onlyFlat += waved.result.objectIds[i] == 0 && flat.result.objectIds[i] != 0 ? 1 : 0;
    }
    EXPECT_GT(onlyWaved, 200U) << "it moved";
    EXPECT_GT(onlyFlat, 100U) << "and is gone from where it was";
}

INSTANTIATE_TEST_SUITE_P(SoftwareDrivers, DisplacedSurface, testing::Values("llvmpipe", "swiftshader"),
    [](const testing::TestParamInfo<const char*>& driver) { return std::string(driver.param); });

} // namespace
} // namespace dl
