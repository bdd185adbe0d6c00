// Group 1 of the lit passes on the null device behind the validation device: neutral without shadows and environment, theirs when a
// feature brings them, made anew only when a view changes, open to lit passes of users.
#include "drawloom/gpu/null_device.h"
#include "drawloom/gpu/validation_device.h"
#include "drawloom/render/offscreen.h"
#include "drawloom/render/standard_passes.h"
#include "tests/scenes/scenes.h"

#include <gtest/gtest.h>

#include <string>

namespace dl
{
namespace
{

/// Brings a shadow map of its own and draws a second, user-made lit pass.
class LitFeature final : public RenderFeature
{
public:
    LitFeature(gpu::Device& device, Renderer& renderer) : m_device(device)
    {
        MeshPassDesc desc;
        desc.name = "second";
        desc.passLayout = renderer.lighting().layout();
        desc.opaque = {"forward", StreamSet::Full};
        desc.colorTargets = {{.format = kHdrFormat}};
        desc.depth = {.format = kDepthFormat, .isWriting = false, .compare = gpu::CompareOp::Equal};
        m_pass = renderer.library().addPass(desc).value();
    }
    ~LitFeature() override
    {
        if (m_shadowMap)
            m_device.destroy(m_shadowMap);
    }

    Result<void> addPasses(FramePoint point, FrameBoard& board) override
    {
        if (point == FramePoint::BeforeDepth && bringsShadows)
            return addShadowMap(board);
        if (point == FramePoint::AfterOpaque)
        {
            graph::RasterPassBuilder pass = board.graph.addRasterPass("second");
            board.color = pass.color(0, board.color, {.load = gpu::LoadOp::Load});
            pass.depthReadOnly(board.depth);
            board.drawLitMeshes(pass, m_pass);
        }
        return {};
    }

    bool bringsShadows = false;

private:
    /// Two layers, both cleared: as shadow cascades would be drawn.
    Result<void> addShadowMap(FrameBoard& board)
    {
        constexpr std::uint32_t kSide = 16, kLayers = 2;
        const bool isNew = !m_shadowMap;
        if (isNew)
        {
            DL_TRY_ASSIGN(m_shadowMap, m_device.createTexture({.label = "cascades",
                                           .format = gpu::Format::Depth32Float,
                                           .dimension = gpu::TextureDimension::D2Array,
                                           .width = kSide,
                                           .height = kSide,
                                           .depthOrLayers = kLayers,
                                           .usage = gpu::TextureUsage::Sampled | gpu::TextureUsage::DepthAttachment}));
        }
        graph::TextureHandle map = board.graph.importTexture({.label = "cascades",
            .texture = m_shadowMap,
            .format = gpu::Format::Depth32Float,
            .dimension = gpu::TextureDimension::D2Array,
            .width = kSide,
            .height = kSide,
            .depthOrLayers = kLayers,
            .initial = isNew ? gpu::AccessFlags() : gpu::AccessFlags(gpu::Access::SampledRead),
            .final = gpu::Access::SampledRead});
        for (std::uint32_t layer = 0; layer < kLayers; ++layer)
        {
            graph::RasterPassBuilder pass = board.graph.addRasterPass("cascade");
            map = pass.depth(map, {.layer = layer});
        }
        board.lightingTextures.shadowMap = map;
        return {};
    }

    gpu::Device& m_device;
    MeshPassId m_pass;
    gpu::TextureId m_shadowMap;
};

struct LitBench
{
    std::unique_ptr<gpu::NullDevice> null = gpu::createNullDevice();
    std::unique_ptr<gpu::ValidationDevice> device = gpu::createValidationDevice(
        *null, {.handler = [](const gpu::ValidationMessage& message) { ADD_FAILURE() << "validation: " << message.text; }});
    std::unique_ptr<Renderer> renderer = std::move(Renderer::create(*device, {.width = 64, .height = 64})).value();
    std::unique_ptr<SceneInstance> scene =
        std::move(SceneInstance::create(scenes::makeLamps(), renderer->library(), renderer->registry())).value();
    FrameDesc frame;

    LitBench() { frame.camera = toRenderCamera(scene->cameras().front()); }
    void draw(int frames = 1)
    {
        SceneInstance* const list[] = {scene.get()};
        ASSERT_TRUE(settleScenes(*renderer, list, frame));
        for (int i = 0; i < frames; ++i)
            ASSERT_TRUE(drawScenes(*renderer, list, frame));
    }
    std::uint64_t bindGroupCount() const { return renderer->graph().stats().bindGroupsCreated; }
    std::string stream() const { return gpu::dumpStream(renderer->lastStream()); }
};

} // namespace

/// Those that make the environment once: eight levels of its source, six of the prefiltered cube (faces of 128 texels).
constexpr std::uint64_t kEnvironmentGroups = 8 + 6;

TEST(Lighting, MakesItsGroupOnceForAllPassesAndFrames)
{
    LitBench bench;
    bench.draw();
    const std::uint64_t count = bench.bindGroupCount();
    EXPECT_EQ(count, kEnvironmentGroups + 3) << "the lit passes', the sky's and the tone map's";
    bench.frame.camera.position.offset.x += 0.25f; // all that the uniforms hold moves
    bench.draw(20);
    EXPECT_EQ(bench.bindGroupCount(), count);
}

TEST(Lighting, WritesOnlyTheRecordsThatAreThere)
{
    LitBench bench;
    bench.draw();
    const std::string header = std::to_string(offsetof(LightUniforms, lights) + 6 * sizeof(LightRecord));
    EXPECT_NE(bench.stream().find(header), std::string::npos) << "six lights beside the sun:\n" << bench.stream().substr(0, 2000);
    EXPECT_EQ(bench.stream().find("WriteTexture"), std::string::npos) << "neutral textures are filled once";
}

TEST(Lighting, ServesLitPassesOfUsers)
{
    LitBench bench;
    LitFeature feature(*bench.device, *bench.renderer);
    bench.renderer->addFeature(feature);
    bench.draw();
    const auto drawsOf = [&](std::string_view name)
    {
        for (const PassFrameStats& pass : bench.renderer->stats().passes)
            if (pass.name == name)
                return pass.draws;
        return 0U;
    };
    EXPECT_GT(drawsOf("opaque"), 0U);
    EXPECT_EQ(drawsOf("second"), drawsOf("opaque"));
    bench.renderer->removeFeature(feature);
}

TEST(Lighting, TakesTheShadowMapThatAFeatureBrings)
{
    LitBench bench;
    bench.frame.shadows.isEnabled = false; // the renderer's own
    LitFeature feature(*bench.device, *bench.renderer);
    bench.renderer->addFeature(feature);
    bench.draw();
    const std::uint64_t count = bench.bindGroupCount();
    feature.bringsShadows = true;
    bench.draw(5);
    EXPECT_EQ(bench.bindGroupCount(), count + 1) << "one for the new view, none for the frames after it";
    for (const graph::PassReport& pass : bench.renderer->graph().passes())
        EXPECT_FALSE(pass.isCulled) << pass.name << ": what fills the map is needed by those who read it";
    bench.renderer->removeFeature(feature);
}

TEST(Lighting, IsNotAskedForInDebugViews)
{
    LitBench bench;
    bench.frame.debugView = DebugView::Normals;
    bench.draw();
    EXPECT_EQ(bench.bindGroupCount(), kEnvironmentGroups);
}

} // namespace dl
