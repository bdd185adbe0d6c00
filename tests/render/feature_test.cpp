// A user's part of the frame: the sample's mesh pass (case D11 of the draw cases) and fullscreen pass on the null device.
#include "apps/samples/outline_feature.h"
#include "drawloom/gpu/null_device.h"
#include "drawloom/gpu/validation_device.h"
#include "drawloom/render/builtin_shaders.h"
#include "drawloom/render/offscreen.h"
#include "drawloom/render/standard_passes.h"
#include "sampleShaders.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace dl
{
namespace
{

/// A selected opaque, B opaque, C selected translucent; all before the camera.
struct ThreeBoxes
{
    std::unique_ptr<gpu::NullDevice> null;
    bool isMarking = false; ///< "selected" is SceneRegistry::mark instead of a flag
    std::vector<std::string> faults;
    std::unique_ptr<gpu::ValidationDevice> device;
    gpu::ShaderArchive shaders = gpu::ShaderArchive::open(samples::sampleShaders()).value();
    std::unique_ptr<Renderer> renderer;
    std::unique_ptr<samples::OutlineFeature> outline;
    std::map<std::string, InstanceId> boxes;

    explicit ThreeBoxes(const gpu::NullDeviceSettings& settings = {}, const samples::OutlineSettings& outlineSettings = {})
        : null(gpu::createNullDevice(settings)), isMarking(outlineSettings.selection == samples::OutlineSelection::Mark)
    {
        device = gpu::createValidationDevice(
            *null, {.handler = [this](const gpu::ValidationMessage& message) { faults.push_back(message.text); }});
        renderer = std::move(Renderer::create(*device, {.width = 64, .height = 64, .sampleCount = outlineSettings.sampleCount})).value();
        outline = std::move(samples::OutlineFeature::create(*device, *renderer, shaders, outlineSettings)).value();
        renderer->addFeature(*outline);
        add("A", false, BatchFlag::Selected);
        add("B", false, {});
        add("C", true, BatchFlag::Selected);
    }
    ~ThreeBoxes()
    {
        for (const std::string& fault : faults)
            ADD_FAILURE() << "validation: " << fault;
        renderer->removeFeature(*outline);
    }

    void add(const std::string& name, bool isBlended, BatchFlags flags)
    {
        Primitive triangle;
        triangle.positions = {{-1, -1, -5}, {1, -1, -5}, {0, 1, -5}};
        triangle.normals.assign(3, vec3(0, 0, 1));
        triangle.indices = {0, 1, 2};
        GpuResources& resources = renderer->resources();
        Material material;
        material.alphaMode = isBlended ? AlphaMode::Blend : AlphaMode::Opaque;
        DrawMaterialDesc row;
        row.name = name;
        row.params = packMaterial(material);
        row.textureSet = resources.textureSets().acquire({}).value();
        MeshSetDesc set;
        set.name = name;
        set.lods.emplace_back().sections.emplace_back().range = resources.geometry().add(packPrimitive(triangle, 0).value()).value();
        set.materials = {renderer->library().addMaterial(row).value()};
        set.bounds = {vec3(-1, -1, -5), vec3(1, 1, -5)};
        InstanceDesc instance;
        instance.meshSet = renderer->library().addMeshSet(set).value();
        instance.flags = isMarking ? BatchFlags() : flags;
        instance.isMarked = isMarking && flags.contains(BatchFlag::Selected);
        boxes[name] = renderer->registry().add(instance);
    }

    void frame() { ASSERT_TRUE(drawScenes(*renderer, {}, {})); }
    void settle()
    {
        ASSERT_TRUE(settleScenes(*renderer, {}, {}));
        null->resetStats();
        frame();
    }
    const gpu::NullPassStats& counted(std::string_view pass) const
    {
        static const gpu::NullPassStats kNone;
        for (const gpu::NullPassStats& stats : null->stats().passes)
            if (stats.label == pass)
                return stats;
        return kNone;
    }
    const PassFrameStats& reported(std::string_view pass) const
    {
        static const PassFrameStats kNone;
        for (const PassFrameStats& stats : renderer->stats().passes)
            if (stats.name == pass)
                return stats;
        return kNone;
    }
    /// Codes of the pass "mask" for a box, of its mesh set and the variant that its flags make.
    std::vector<std::string> refusals(const std::string& name) const
    {
        std::vector<std::string> codes;
        for (const FrameRefusal& refusal : renderer->collectRefusals(true))
            if (refusal.stage == "mask" && refusal.subject.starts_with(name + " "))
                codes.push_back(refusal.code);
        return codes;
    }
};

TEST(UserFeature, MaskTakesOnlyTheSelectedOpaqueObject)
{
    ThreeBoxes world;
    world.settle();
    EXPECT_EQ(world.counted("mask").passCount, 1U);
    EXPECT_EQ(world.counted("mask").instanceCount, 1U);
    EXPECT_EQ(world.counted("opaque").instanceCount, 2U);
    EXPECT_EQ(world.refusals("A"), std::vector<std::string>{"not-selected"}) << "the set without flags; its variant is drawn";
    EXPECT_EQ(world.refusals("B"), std::vector<std::string>{"not-selected"});
    const std::vector<std::string> c = world.refusals("C");
    ASSERT_EQ(c.size(), 2U);
    EXPECT_EQ(c.back(), "pass-takes-no-blended");
    const PassFrameStats& mask = world.reported("mask");
    EXPECT_EQ(mask.batches, 5U) << "three boxes, and the variants of the two that are selected";
    EXPECT_EQ(mask.commands, 1U) << "from A";
    EXPECT_EQ(mask.draws, 1U);
}

TEST(UserFeature, MarkedMaskTakesEveryOpaqueObjectAndItsShaderChooses)
{
    ThreeBoxes world({}, {.selection = samples::OutlineSelection::Mark});
    world.settle();
    EXPECT_EQ(world.counted("mask").passCount, 1U);
    EXPECT_EQ(world.counted("mask").instanceCount, 2U) << "A, and B without triangles";
    EXPECT_TRUE(world.refusals("A").empty());
    EXPECT_TRUE(world.refusals("B").empty());
    EXPECT_EQ(world.refusals("C"), std::vector<std::string>{"pass-takes-no-blended"});
    const PassFrameStats& mask = world.reported("mask");
    EXPECT_EQ(mask.batches, 3U);
    EXPECT_EQ(mask.commands, 2U);
}

TEST(UserFeature, OccludedPartIsAPassOfItsOwn)
{
    ThreeBoxes world({}, {.part = samples::OutlinePart::Occluded});
    world.settle();
    EXPECT_EQ(world.counted("mask occluded").instanceCount, 1U);
    EXPECT_EQ(world.counted("outline_occluded").drawCount, 1U);
    EXPECT_EQ(world.counted("mask").passCount, 0U);
}

TEST(UserFeature, DrawsNothingInDebugViews)
{
    ThreeBoxes world({}, {.sampleCount = 4});
    world.settle();
    world.null->resetStats();
    ASSERT_TRUE(drawScenes(*world.renderer, {}, {.debugView = DebugView::Normals}));
    EXPECT_EQ(world.counted("mask").passCount, 0U);
    EXPECT_EQ(world.counted("outline").drawCount, 0U);
    world.frame();
    EXPECT_EQ(world.counted("outline").drawCount, 1U);
}

TEST(UserFeature, ToggledSelectionShowsInTheNextFrame)
{
    ThreeBoxes world;
    world.settle();
    for (const bool isSelected : {false, true, false})
    {
        world.renderer->registry().setFlags(world.boxes["A"], isSelected ? BatchFlags(BatchFlag::Selected) : BatchFlags());
        world.null->resetStats();
        world.frame();
        EXPECT_EQ(world.counted("mask").instanceCount, isSelected ? 1U : 0U);
        EXPECT_EQ(world.counted("mask").passCount, 1U) << "an empty mask is cleared all the same";
    }
}

TEST(UserFeature, ToggledMarkShowsInTheNextFrameAndBuildsNoCommand)
{
    ThreeBoxes world({}, {.selection = samples::OutlineSelection::Mark});
    world.settle();
    const std::uint64_t built = world.renderer->library().counters().commandsBuilt;
    const InstanceHeap& heap = world.renderer->resources().instances();
    for (const bool isSelected : {false, true, false})
    {
        world.renderer->registry().mark(world.boxes["A"], isSelected);
        world.frame();
        HeapId id = 0;
        while (world.renderer->registry().findByHeapId(id) != world.boxes["A"])
            ++id;
        EXPECT_EQ((heap.record(id).flags & kInstanceSelectedBit) != 0, isSelected);
    }
    EXPECT_EQ(world.renderer->library().counters().commandsBuilt, built);
}

TEST(UserFeature, StatisticsCountTheFeaturesDraws)
{
    ThreeBoxes world;
    world.settle();
    EXPECT_EQ(world.counted("outline").drawCount, 1U);
    EXPECT_EQ(world.null->stats().total.drawCount, world.renderer->stats().drawCalls);
    std::uint64_t triangles = 0;
    for (const PassFrameStats& pass : world.renderer->stats().passes)
        triangles += pass.triangles;
    EXPECT_EQ(world.null->stats().total.triangleCount, triangles);
}

TEST(UserFeature, RendererWaitsForItsPipeline)
{
    ThreeBoxes world({.pollsUntilPipelineReady = 5});
    world.frame();
    EXPECT_FALSE(world.outline->isReady());
    EXPECT_FALSE(world.renderer->isSettled());
    EXPECT_EQ(world.counted("outline").drawCount, 0U);
    world.settle();
    EXPECT_EQ(world.counted("outline").drawCount, 1U);
}

/// Draws selected objects into the frame's colour, a fullscreen pass over it, or one that reads it.
struct ColorFeature final : RenderFeature
{
    FramePoint point = FramePoint::AfterOpaque;
    MeshPassId pass;
    FullscreenPass* fullscreen = nullptr;
    bool samplesColor = false;
    Result<void> addPasses(FramePoint at, FrameBoard& board) override
    {
        if (at != point)
            return {};
        if (fullscreen != nullptr && fullscreen->isReady())
        {
            if (samplesColor)
                board.picture = fullscreen->add(board, board.picture, std::span(&board.color, 1));
            else
                board.color = fullscreen->add(board, board.color, std::span(&board.environmentPicture, 1)); // as the sky
        }
        if (pass)
        {
            graph::RasterPassBuilder raster = board.graph.addRasterPass("glow");
            board.color = raster.color(0, board.color, {.load = gpu::LoadOp::Load});
            board.drawMeshes(raster, pass);
        }
        return {};
    }
    void onCompletion(const gpu::Completion& completion) override
    {
        if (fullscreen != nullptr)
            fullscreen->onCompletion(completion);
    }
};

MeshPassId addGlow(ThreeBoxes& world, std::uint32_t sampleCount)
{
    MeshPassDesc desc;
    desc.name = "glow";
    desc.opaque = {"debug", StreamSet::Full};
    desc.colorTargets = {{.format = kHdrFormat}};
    desc.sampleCount = sampleCount;
    return world.renderer->library().addPass(desc).value();
}

TEST(MultisampledFrame, DrawsTheSampleAndPassesOfItsOwnSampleCount)
{
    ThreeBoxes world({}, {.sampleCount = 4});
    ColorFeature feature;
    feature.pass = addGlow(world, 4);
    world.renderer->addFeature(feature);
    world.settle();
    EXPECT_EQ(world.counted("mask").instanceCount, 1U);
    EXPECT_EQ(world.counted("outline").drawCount, 1U);
    EXPECT_EQ(world.counted("glow").instanceCount, 2U);
    world.renderer->removeFeature(feature);
}

TEST(MultisampledFrame, ResolvesColourBeforeTheLastFeatures)
{
    ThreeBoxes world({}, {.sampleCount = 4});
    ColorFeature feature;
    feature.point = FramePoint::BeforeTonemap;
    feature.pass = addGlow(world, 1);
    world.renderer->addFeature(feature);
    world.settle();
    EXPECT_EQ(world.counted("glow").instanceCount, 2U);
    world.renderer->removeFeature(feature);
}

TEST(MultisampledFrame, NamesAPassOfOtherSamples)
{
    ThreeBoxes world({}, {.sampleCount = 4});
    ColorFeature feature;
    feature.pass = addGlow(world, 1);
    world.renderer->addFeature(feature);
    ASSERT_TRUE(world.renderer->beginFrame());
    const Result<void> drawn = world.renderer->renderFrame({});
    ASSERT_FALSE(drawn);
    EXPECT_NE(drawn.error().message.find("\"glow\" is made for 1 sample a texel and draws into attachments of 4; set "
                                         "MeshPassDesc::sampleCount to FrameBoard::sampleCount"),
        std::string::npos)
        << drawn.error().message;
    world.renderer->removeFeature(feature);
    world.settle(); // the next frame succeeds
}

TEST(MultisampledFrame, NamesAFullscreenPassThatDoesNotFit)
{
    ThreeBoxes world({}, {.sampleCount = 4});
    const gpu::ShaderArchive archive = gpu::ShaderArchive::open(builtinShaderArchive()).value();
    const auto message = [&](FullscreenPassDesc desc, bool samplesColor)
    {
        FullscreenPass pass = FullscreenPass::create(*world.device, world.renderer->resources(), archive, desc).value();
        ColorFeature feature;
        feature.fullscreen = &pass;
        feature.samplesColor = samplesColor;
        world.renderer->addFeature(feature);
        std::string text;
        for (int i = 0; i < 10 && text.empty(); ++i)
        {
            EXPECT_TRUE(world.renderer->beginFrame());
            if (const Result<void> drawn = world.renderer->renderFrame({}); !drawn)
                text = drawn.error().message;
        }
        world.renderer->removeFeature(feature);
        return text;
    };
    const std::string over = message({.name = "sky", .target = {.format = kHdrFormat}, .depth = {}}, false);
    EXPECT_NE(over.find("\"sky\" is made for 1 sample a texel and draws into attachments of 4"), std::string::npos) << over;
    const std::string from = message({.name = "tonemap", .target = {.format = kPictureFormat}, .depth = {}}, true);
    EXPECT_NE(from.find("samples a multisampled texture"), std::string::npos) << from;
}

TEST(FullscreenPass, NamesWhatItCanNotUse)
{
    const auto device = gpu::createNullDevice();
    const auto renderer = std::move(Renderer::create(*device)).value();
    const gpu::ShaderArchive archive = gpu::ShaderArchive::open(builtinShaderArchive()).value();
    const auto create = [&](std::string_view name)
    {
        return FullscreenPass::create(
            *device, renderer->resources(), archive, {.name = name, .target = {.format = kHdrFormat}, .depth = {}});
    };
    const auto missing = create("glow");
    ASSERT_FALSE(missing);
    EXPECT_EQ(missing.error().code, ErrorCode::NotFound);
    EXPECT_NE(missing.error().message.find("\"glow\""), std::string::npos);
    const auto buffers = create("deform");
    ASSERT_FALSE(buffers);
    EXPECT_EQ(buffers.error().code, ErrorCode::Unsupported);
    EXPECT_NE(buffers.error().message.find("textures only"), std::string::npos) << buffers.error().message;
}

} // namespace
} // namespace dl
