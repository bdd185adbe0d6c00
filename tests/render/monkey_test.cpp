// Use that the headers allow but nobody plans: seeded random programs against the renderer on the null device. What must hold
// whatever they do: no validation message, no assertion, and a device as empty afterwards as before.
#include "drawloom/gpu/null_device.h"
#include "drawloom/gpu/validation_device.h"
#include "drawloom/render/offscreen.h"
#include "tests/scenes/random.h"
#include "tests/scenes/scenes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

namespace dl
{
namespace
{

using scenes::Random;

/// Fails on demand, before or after it declared a pass; sometimes declares nonsense, which the graph has to refuse.
class MoodyFeature final : public RenderFeature
{
public:
    enum class Mood
    {
        Silent,
        Draws,
        Fails,
        ReadsNothing,   ///< a texture that nobody wrote
        UsesOldVersion, ///< a handle that another pass has replaced
        UsesUndeclared, ///< a texture that its pass did not name, while recording
    };
    Mood mood = Mood::Silent;
    FramePoint point = FramePoint::AfterOpaque;

    Result<void> addPasses(FramePoint where, FrameBoard& board) override
    {
        if (where != point || mood == Mood::Silent)
            return {};
        if (mood == Mood::Fails)
            return Error{ErrorCode::InvalidArgument, "the feature is in a bad mood"};
        const graph::TextureHandle own = board.graph.createTexture(
            {.label = "own", .format = gpu::Format::RGBA8Unorm, .size = graph::GraphSize::absolute(board.width, board.height)});
        graph::RasterPassBuilder first = board.graph.addRasterPass("moody");
        if (mood == Mood::ReadsNothing)
        {
            first.read(own, gpu::Access::SampledRead);
            first.neverCull();
            return {};
        }
        const graph::TextureHandle drawn = first.color(0, own);
        first.neverCull();
        if (mood == Mood::UsesUndeclared)
            first.execute([handle = board.picture](graph::PassContext& context) { (void)context.view(handle); });
        graph::RasterPassBuilder second = board.graph.addRasterPass("moody too");
        (void)second.color(0, mood == Mood::UsesOldVersion ? own : drawn, {.load = gpu::LoadOp::Load});
        second.neverCull();
        return {};
    }
};

gpu::ObjectCounts liveObjects(const gpu::NullDevice& device)
{
    gpu::ObjectCounts counts;
    for (std::uint32_t kind = 0; kind < gpu::kObjectKindCount; ++kind)
        counts.counts[kind] = device.liveObjectCount(static_cast<gpu::ObjectKind>(kind));
    return counts;
}

std::string toText(const gpu::ObjectCounts& counts)
{
    std::string text;
    for (std::uint32_t kind = 0; kind < gpu::kObjectKindCount; ++kind)
        if (counts.counts[kind] != 0)
            text += std::to_string(counts.counts[kind]) + " " + std::string(toString(static_cast<gpu::ObjectKind>(kind))) + ", ";
    return text;
}

/// A device behind the validation, which has to be silent and empty in the end.
struct Bench
{
    explicit Bench(const gpu::NullDeviceSettings& settings = {}) : null(gpu::createNullDevice(settings))
    {
        device = gpu::createValidationDevice(
            *null, {.handler = [this](const gpu::ValidationMessage& message) { faults.push_back(message.text); }});
    }
    ~Bench()
    {
        for (std::size_t i = 0; i < std::min<std::size_t>(faults.size(), 5); ++i)
            ADD_FAILURE() << "validation: " << faults[i];
        EXPECT_EQ(toText(liveObjects(*null)), "") << "objects that nobody destroyed";
    }
    void failSoon(Random& random)
    {
        const auto kind = static_cast<gpu::ObjectKind>(random.below(gpu::kObjectKindCount));
        // Failed attempts count, too, and nobody tells how many there were: aim at a range that holds the next ones.
        null->settings().failNthCreation[kind] = null->stats().created[kind] + 1 + random.below(6 + ++armedCount / 4);
    }

    std::unique_ptr<gpu::NullDevice> null;
    std::vector<std::string> faults;
    std::unique_ptr<gpu::ValidationDevice> device;
    std::uint32_t armedCount = 0;
};

const SceneDescription& sceneOf(std::uint32_t index)
{
    static const std::vector<SceneDescription> kScenes = {
        scenes::makeDeformed(), scenes::makeTwoBlended(), scenes::makeTextureBoard(), scenes::makeMaskedBesideBlended()};
    return kScenes[index % kScenes.size()];
}

FrameDesc anyFrame(Random& random)
{
    constexpr double kPlaces[] = {0.0, 1024.0, -1024.0, 1023.9999999, 1e7, -1e7, 1e15};
    FrameDesc frame;
    const auto place = [&] { return kPlaces[random.below(std::size(kPlaces))]; };
    const glm::dvec3 eye(place(), place(), place());
    frame.camera = lookAtCamera(eye, eye + glm::dvec3(random.range(-1, 1), random.range(-1, 1), random.range(-1, 1)));
    if (random.below(2) == 0)
        frame.camera = lookAtCamera({0, 1, 8}, {0, 0, 0});
    frame.camera.isOrthographic = random.below(4) == 0;
    frame.layerMask = random.below(8) == 0 ? 0 : 0xFFFF;
    frame.timeSeconds = random.range(-2, 5);
    frame.debugView = static_cast<DebugView>(random.below(3) == 0 ? random.below(5) : 0);
    frame.readPicture = random.below(2) == 0;
    frame.readObjectIds = random.below(2) == 0;
    return frame;
}

/// One random program. The renderer lives through all of it, scenes come and go.
class Program
{
public:
    Program(Bench& bench, std::uint64_t seed) : m_bench(bench), m_random(seed) {}

    void run(std::uint32_t stepCount)
    {
        Result<std::unique_ptr<Renderer>> made =
            Renderer::create(*m_bench.device, {.width = 32,
                                                  .height = 24,
                                                  .resources = {.uploadBytesPerFrame = 1U + m_random.below(3) * 5000U},
                                                  .measuresGpuTime = m_random.below(2) == 0});
        if (!made)
        {
            EXPECT_EQ(made.error().code, ErrorCode::OutOfMemory) << made.error().message;
            return;
        }
        m_renderer = std::move(*made);
        m_renderer->addFeature(m_feature);
        for (std::uint32_t step = 0; step < stepCount; ++step)
            takeStep();
        endWell();
        m_renderer->removeFeature(m_feature);
        if (m_random.below(2) == 0)
            m_scenes.clear();
        else // a scene dies before its renderer, frames or not
            while (!m_scenes.empty())
                m_scenes.erase(m_scenes.begin());
    }

private:
    void takeStep()
    {
        switch (m_random.below(12))
        {
        case 0: addScene(); break;
        case 1:
            if (!m_scenes.empty())
                m_scenes.erase(m_scenes.begin() + m_random.below(static_cast<std::uint32_t>(m_scenes.size())));
            break;
        case 2:
            m_feature.mood = static_cast<MoodyFeature::Mood>(m_random.below(6));
            m_feature.point = static_cast<FramePoint>(m_random.below(5));
            break;
        case 3: (void)m_renderer->beginFrame(); break;
        case 4: (void)m_renderer->renderFrame(anyFrame(m_random)); break; // without a beginFrame of its own
        case 5: (void)m_renderer->pick(m_random.below(40), m_random.below(40)); break;
        case 6: (void)m_renderer->takePicture(); break;
        case 7: m_bench.failSoon(m_random); break;
        case 8: (void)m_renderer->finish(); break;
        default: (void)drawScenes(*m_renderer, list(), anyFrame(m_random)); break;
        }
    }
    void addScene()
    {
        if (m_scenes.size() > 3)
            return;
        auto scene = SceneInstance::create(sceneOf(m_random.below(4)), m_renderer->library(), m_renderer->registry());
        if (scene)
            m_scenes.push_back(std::move(*scene));
        else
            EXPECT_EQ(scene.error().code, ErrorCode::OutOfMemory) << scene.error().message;
    }
    /// Once nothing fails any more, everything is drawn.
    void endWell()
    {
        m_feature.mood = MoodyFeature::Mood::Draws;
        m_bench.null->settings().failNthCreation = {};
        m_renderer->resources().setUploadBytesPerFrame(1U << 24U);
        addScene();
        const Result<void> settled = settleScenes(*m_renderer, list(), {.camera = lookAtCamera({0, 1, 8}, {0, 0, 0})});
        EXPECT_TRUE(settled) << settled.error().message;
        const Result<void> drawn = drawScenes(*m_renderer, list(), {.camera = lookAtCamera({0, 1, 8}, {0, 0, 0})});
        EXPECT_TRUE(drawn) << drawn.error().message;
        EXPECT_GT(m_renderer->stats().draws, 0U);
    }
    std::span<SceneInstance* const> list()
    {
        m_list.clear();
        for (const auto& scene : m_scenes)
            m_list.push_back(scene.get());
        return m_list;
    }

    Bench& m_bench;
    Random m_random;
    MoodyFeature m_feature;
    std::unique_ptr<Renderer> m_renderer;
    std::vector<std::unique_ptr<SceneInstance>> m_scenes;
    std::vector<SceneInstance*> m_list;
};

/// Posed once, for nothing animates it.
SceneDescription stillFigure()
{
    SceneDescription scene = scenes::makeDeformed();
    scene.animations.clear();
    return scene;
}

std::uint64_t deformDispatchesOf(const gpu::NullDevice& device)
{
    for (const gpu::NullPassStats& pass : device.stats().passes)
        if (pass.label == "deform")
            return pass.dispatchCount;
    return 0;
}

} // namespace

TEST(RendererMonkey, RandomProgramsLeaveNothingBehind)
{
    for (std::uint64_t seed = 1; seed <= 60; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Random random(seed * 977);
        Bench bench({.pollsUntilDone = random.below(4), .pollsUntilPipelineReady = random.below(4)});
        Program(bench, seed).run(50);
        if (testing::Test::HasFailure())
            return;
    }
}

TEST(RendererMonkey, TwoRenderersShareADevice)
{
    for (std::uint64_t seed = 1; seed <= 8; ++seed)
    {
        SCOPED_TRACE("seed " + std::to_string(seed));
        Bench bench;
        const auto other = std::move(*Renderer::create(*bench.device, {.width = 16, .height = 16}));
        Program(bench, seed + 1000).run(20);
        ASSERT_TRUE(drawScenes(*other, {}, {}));
    }
}

TEST(RendererMonkey, RunsOutOfMemoryAnywhereInTwentyFramesAndRecovers)
{
    for (std::uint32_t kind = 0; kind < gpu::kObjectKindCount; ++kind)
        for (std::uint64_t nth = 1; nth <= 40; nth += 1 + nth / 4)
        {
            SCOPED_TRACE(std::string(toString(static_cast<gpu::ObjectKind>(kind))) + " " + std::to_string(nth));
            Bench bench;
            const auto renderer = std::move(*Renderer::create(
                *bench.device, {.width = 32, .height = 24, .resources = {.uploadBytesPerFrame = 3000}, .measuresGpuTime = true}));
            bench.null->settings().failNthCreation.counts[kind] = bench.null->stats().created.counts[kind] + nth;
            std::unique_ptr<SceneInstance> scene;
            const FrameDesc frame = {.camera = lookAtCamera({0, 1, 8}, {0, 0, 0}), .readObjectIds = true};
            for (int i = 0; i < 20; ++i)
            {
                if (!scene)
                    if (auto made = SceneInstance::create(sceneOf(0), renderer->library(), renderer->registry()); made)
                        scene = std::move(*made);
                SceneInstance* const list[] = {scene.get()};
                (void)drawScenes(*renderer, std::span(list).first(scene ? 1 : 0), frame);
            }
            ASSERT_TRUE(scene);
            SceneInstance* const list[] = {scene.get()};
            renderer->resources().setUploadBytesPerFrame(1U << 24U);
            Result<void> settled = settleScenes(*renderer, list, frame);
            if (!settled) // the one failure came only now
                settled = settleScenes(*renderer, list, frame);
            ASSERT_TRUE(settled) << settled.error().message;
            ASSERT_TRUE(drawScenes(*renderer, list, frame));
            EXPECT_GT(renderer->stats().draws, 0U);
        }
}

TEST(RendererMonkey, FailsCleanlyWhereverItsCreationRunsOutOfMemory)
{
    for (std::uint32_t kind = 0; kind < gpu::kObjectKindCount; ++kind)
        for (std::uint64_t nth = 1; nth <= 12; ++nth)
        {
            SCOPED_TRACE(std::string(toString(static_cast<gpu::ObjectKind>(kind))) + " " + std::to_string(nth));
            Bench bench;
            bench.null->settings().failNthCreation.counts[kind] = nth;
            const auto made = Renderer::create(*bench.device, {.width = 32, .height = 24, .measuresGpuTime = true});
            EXPECT_TRUE(made || made.error().code == ErrorCode::OutOfMemory);
        }
}

TEST(RendererMonkey, ScenesComeAndGoWithoutGrowth)
{
    Bench bench;
    const auto renderer = std::move(*Renderer::create(*bench.device, {.width = 32, .height = 24}));
    const FrameDesc frame = {.camera = lookAtCamera({0, 1, 8}, {0, 0, 0})};
    gpu::ObjectCounts first;
    for (int i = 0; i < 50; ++i)
    {
        auto scene = std::move(*SceneInstance::create(sceneOf(0), renderer->library(), renderer->registry()));
        SceneInstance* const list[] = {scene.get()};
        ASSERT_TRUE(drawScenes(*renderer, list, frame)); // dies in the middle of its uploads
        if (i % 2 == 0)
        {
            ASSERT_TRUE(settleScenes(*renderer, list, frame));
        }
        scene.reset();
        for (int k = 0; k < 12; ++k) // until the graph's pool has forgotten what was in use
            ASSERT_TRUE(drawScenes(*renderer, {}, frame));
        if (i == 2)
            first = liveObjects(*bench.null);
    }
    EXPECT_EQ(toText(liveObjects(*bench.null)), toText(first));
    EXPECT_EQ(renderer->registry().stats().instanceCount, 0U);
}

TEST(RendererMonkey, LosesTheDeviceInAnyFrame)
{
    for (std::uint64_t lostAt = 1; lostAt <= 8; ++lostAt)
    {
        Bench bench({.loseAtSubmission = lostAt, .pollsUntilDone = 1});
        const auto renderer = std::move(*Renderer::create(*bench.device, {.width = 32, .height = 24}));
        auto scene = SceneInstance::create(sceneOf(0), renderer->library(), renderer->registry());
        SceneInstance* const list[] = {scene->get()};
        Result<void> last;
        for (int i = 0; i < 10; ++i)
            last = drawScenes(*renderer, list, {.camera = lookAtCamera({0, 1, 8}, {0, 0, 0}), .readObjectIds = true});
        ASSERT_FALSE(last);
        EXPECT_EQ(last.error().code, ErrorCode::DeviceLost);
        EXPECT_FALSE(SceneInstance::create(sceneOf(2), renderer->library(), renderer->registry()));
        EXPECT_FALSE(renderer->pick(1, 1));
        EXPECT_FALSE(renderer->finish());
    }
}

TEST(Renderer, DeformsAStillPoseOnceItsPipelineIsThere)
{
    Bench bench({.pollsUntilPipelineReady = 6});
    const auto renderer = std::move(*Renderer::create(*bench.device, {.width = 32, .height = 24}));
    const auto scene = std::move(*SceneInstance::create(stillFigure(), renderer->library(), renderer->registry()));
    SceneInstance* const list[] = {scene.get()};
    ASSERT_TRUE(settleScenes(*renderer, list, {}));
    ASSERT_TRUE(drawScenes(*renderer, list, {}));
    EXPECT_EQ(deformDispatchesOf(*bench.null), scene->counts().deformedInstances);
    ASSERT_TRUE(drawScenes(*renderer, list, {}));
    EXPECT_EQ(deformDispatchesOf(*bench.null), scene->counts().deformedInstances) << "the pose did not change";
}

TEST(Renderer, AFailedFrameLosesNeitherUploadsNorPoses)
{
    Bench bench;
    const auto renderer = std::move(*Renderer::create(*bench.device, {.width = 32, .height = 24}));
    MoodyFeature feature;
    renderer->addFeature(feature);
    const FrameDesc frame = {.camera = lookAtCamera({0, 1, 8}, {0, 0, 0})};
    ASSERT_TRUE(settleScenes(*renderer, {}, frame));
    const auto scene = std::move(*SceneInstance::create(stillFigure(), renderer->library(), renderer->registry()));
    SceneInstance* const list[] = {scene.get()};
    for (const MoodyFeature::Mood mood : {MoodyFeature::Mood::Fails, MoodyFeature::Mood::UsesUndeclared})
    {
        feature.mood = mood;
        EXPECT_FALSE(drawScenes(*renderer, list, frame));
    }
    feature.mood = MoodyFeature::Mood::Silent;
    ASSERT_TRUE(settleScenes(*renderer, list, frame));
    ASSERT_TRUE(drawScenes(*renderer, list, frame));
    EXPECT_EQ(deformDispatchesOf(*bench.null), scene->counts().deformedInstances);
    EXPECT_GT(renderer->stats().draws, 0U);
}

} // namespace dl
