// The rows D1 to D6 and D8 of ../shared/cases/draw.md on the level of commands, and what a frame reports about itself.
#include "drawloom/draw/dynamic_batches.h"
#include "tests/draw/draw_world.h"

#include <gtest/gtest.h>

namespace dl
{

namespace
{
constexpr std::uint32_t kBlend = kMaterialBlendedBit, kMask = kMaterialAlphaMaskBit, kTwoSided = kMaterialDoubleSidedBit;

/// Two frames: the first makes pipelines and meshes resident.
void drawTwice(DrawWorld& world, DrawSource& source)
{
    world.frame(source);
    world.frame(source);
    EXPECT_TRUE(world.messages.empty()) << world.messages.front();
}
} // namespace

TEST(DrawFrame, MaterialsOfOneTextureSetJoinAndStayApartInInstanceData)
{
    DrawWorld world; // D1
    ListSource source(*world.resources, *world.library);
    const MeshRangeId range = world.addRange();
    const MeshSetId red = world.addMeshSet("red", range, world.addMaterial("red", kBlend));
    const MeshSetId blue = world.addMeshSet("blue", range, world.addMaterial("blue", kBlend));
    const std::uint32_t first = source.add({red, {{0, 0, -9}}})[0];
    const std::uint32_t second = source.add({blue, {{0, 0, -5}}})[0];
    drawTwice(world, source);
    EXPECT_EQ(world.drawsText("blended"), "2x r0");
    const InstanceHeap& heap = world.resources->instances();
    EXPECT_NE(heap.record(first).materialRef, heap.record(second).materialRef) << "two colours: each instance names its material list";
}

TEST(DrawFrame, BlendedInstancesAreDrawnFarToNearAcrossMeshes)
{
    DrawWorld world; // D2
    ListSource source(*world.resources, *world.library);
    const MaterialId glass = world.addMaterial("glass", kBlend);
    const MeshSetId quad = world.addMeshSet("quad", world.addRange(), glass);
    const MeshSetId other = world.addMeshSet("other", world.addRange(0.5f), glass);
    const std::vector<std::uint32_t> ids = source.add({quad, {{0, 0, -2}, {0, 0, -10}, {0, 0, -6}}});
    const std::uint32_t between = source.add({other, {{0, 0, -4}}})[0];
    drawTwice(world, source);
    EXPECT_EQ(world.drawsText("blended"), "2x r0, 1x r1 (mesh range), 1x r0 (mesh range)");
    std::vector<std::uint32_t> order;
    for (const DrawRecord& draw : world.drawFrame->draws(world.library->findPass("blended"), 0))
        for (std::uint32_t i = 0; i < draw.instanceCount; ++i)
            order.push_back(world.drawFrame->ids()[draw.firstId + i]);
    const std::vector<std::uint32_t> expected = {heapIndex(ids[1]), heapIndex(ids[2]), heapIndex(between), heapIndex(ids[0])};
    EXPECT_EQ(order, expected);
}

TEST(DrawFrame, MirroredInstancesUseTheFlippedWinding)
{
    DrawWorld world; // D3
    ListSource source(*world.resources, *world.library);
    const MeshSetId set = world.addMeshSet("quad", world.addRange(), world.addMaterial("stone"));
    source.add({set, {{0, 0, -5}}});
    source.add({set, {{2, 0, -5}}, true});
    drawTwice(world, source);
    EXPECT_EQ(world.drawsText("forward"), "1x r0, 1x r0 (pipeline)");
    const auto draws = world.drawFrame->draws(world.library->findPass("forward"), 0);
    const auto& pipelines = world.library->tables().pipelines;
    EXPECT_NE(pipelines[draws[0].pipelineSlot].key.isMirrored, pipelines[draws[1].pipelineSlot].key.isMirrored);
}

TEST(DrawFrame, DepthFromBothSidesSharesPipelinesAndJoinsWindings)
{
    DrawWorld world;
    ListSource source(*world.resources, *world.library);
    MeshPassDesc shadow = opaquePassDesc("shadow");
    shadow.viewKinds = ViewKind::Shadow;
    shadow.opaque.shader = "depth";
    shadow.masked.shader = shadow.blended.shader = "depth_masked";
    shadow.colorTargets.clear();
    shadow.cull = CullRule::None;
    const MeshPassId pass = world.library->addPass(shadow).value();
    const MeshRangeId range = world.addRange();
    const MeshSetId stone = world.addMeshSet("stone", range, world.addMaterial("stone"));
    source.add({stone, {{0, 0, -5}}, false, 6});
    source.add({stone, {{2, 0, -5}, {3, 0, -5}}, true, 6});
    source.add({world.addMeshSet("leaf", range, world.addMaterial("leaf", kMask)), {{0, 0, -5}}, false, 2});
    source.add({world.addMeshSet("glass", range, world.addMaterial("glass", kBlend | kTwoSided)), {{0, 0, -5}}, true, 4});
    const View views[] = {DrawWorld::camera(), DrawWorld::camera(ViewKind::Shadow), DrawWorld::camera(ViewKind::Shadow)};
    const ViewGroup group;
    DrawSource* const sources[] = {&source};
    world.frame(sources, {views, {&group, 1}, {}});
    world.frame(sources, {views, {&group, 1}, {}});
    EXPECT_TRUE(world.messages.empty()) << world.messages.front();
    EXPECT_EQ(world.drawsText("shadow", 1), "3x r0, 1x r0 (pipeline)");
    EXPECT_EQ(world.drawsText("shadow", 2), "3x r0, 1x r0 (pipeline)");
    EXPECT_EQ(world.drawFrame->draws(pass, 1)[1].pipelineSlot, world.drawFrame->draws(pass, 2)[1].pipelineSlot)
        << "one shader, one pipeline";
    // One view alone, and both in the pass's sum.
    const PassStats first = world.drawFrame->viewStats(pass, 1);
    EXPECT_EQ(first.name, "shadow");
    EXPECT_EQ(first.draws, 2U);
    EXPECT_EQ(first.drawsBefore, 4U);
    EXPECT_EQ(first.triangles, 8U);
    EXPECT_EQ(first.commands, 3U);
    EXPECT_EQ(world.stats("shadow").draws, 4U);
    EXPECT_EQ(world.stats("shadow").drawsBefore, 8U);
    EXPECT_EQ(world.drawFrame->viewStats(pass, 0).draws, 0U) << "not of its kind";
    EXPECT_EQ(world.drawFrame->viewStats(pass, 63).batches, 0U);
}

TEST(DrawFrame, CullStateOfAnInstanceIsPartOfTheState)
{
    DrawWorld world; // D5
    ListSource source(*world.resources, *world.library);
    const MeshRangeId range = world.addRange();
    const MeshSetId base = world.addMeshSet("quad", range, world.addMaterial("one-sided"));
    const MaterialId open = world.addMaterial("two-sided", kTwoSided);
    const MeshSetId variant = world.library->acquireVariant(base, {&open, 1}, {}).value();
    source.add({base, {{0, 0, -5}}});
    source.add({variant, {{2, 0, -5}}});
    drawTwice(world, source);
    EXPECT_EQ(world.drawsText("forward"), "1x r0, 1x r0 (pipeline)");
    EXPECT_EQ(world.library->acquireVariant(base, {&open, 1}, {}).value(), variant) << "equal requests share one variant";
    EXPECT_FALSE(world.library->removeMeshSet(base)) << "variants of it are held";
}

TEST(DrawFrame, MaskedObjectsAreInThePrepassAndBlendedOnesAreNot)
{
    DrawWorld world; // D6
    ListSource source(*world.resources, *world.library);
    const MeshSetId masked = world.addMeshSet("leaf", world.addRange(), world.addMaterial("leaf", kMask));
    const MeshSetId blended = world.addMeshSet("glass", world.addRange(0.5f), world.addMaterial("glass", kBlend));
    MeshPassDesc shadow = opaquePassDesc("shadow");
    shadow.viewKinds = ViewKind::Shadow;
    shadow.opaque.shader = shadow.blended.shader = "depth";
    shadow.masked.shader = "depth_masked";
    shadow.colorTargets.clear();
    shadow.filter = acceptShadowCasters;
    ASSERT_TRUE(world.library->addPass(shadow));
    const MeshSetId lamp = world.addMeshSet("lamp", world.addRange(0.7f), world.addMaterial("lamp"), BatchFlag::NoShadow);
    for (const MeshSetId set : {masked, blended, lamp})
        source.add({set, {{0, 0, -5}}, false, 3});
    const View views[] = {DrawWorld::camera(), DrawWorld::camera(ViewKind::Shadow)};
    const ViewGroup group;
    DrawSource* const sources[] = {&source};
    world.frame(sources, {views, {&group, 1}, {}});
    world.frame(sources, {views, {&group, 1}, {}});
    EXPECT_TRUE(world.messages.empty()) << world.messages.front();
    EXPECT_EQ(world.stats("depth").draws, 2U) << "leaf and lamp";
    const DrawRecord& leaf = world.drawFrame->draws(world.library->findPass("depth"), 0)[0];
    const PipelineSlot& slot = world.library->tables().pipelines[leaf.pipelineSlot];
    EXPECT_EQ(slot.label.find("depth: depth"), 0U);
    bool hasMasked = false;
    for (const DrawRecord& draw : world.drawFrame->draws(world.library->findPass("depth"), 0))
        hasMasked = hasMasked || world.library->tables().pipelines[draw.pipelineSlot].label == "depth: depth_masked.rigid.standard";
    EXPECT_TRUE(hasMasked) << "through the path with UV and alpha";
    EXPECT_EQ(world.stats("shadow").draws, 2U) << "casters are there whatever their alpha mode, the lamp is not";
    std::vector<Refusal> refusals;
    world.library->collectRefusals(refusals, true);
    bool isGlassListed = false;
    for (const Refusal& refusal : refusals)
    {
        sawReason(refusal.code);
        isGlassListed = isGlassListed || (refusal.stage == "depth" && refusal.codeName == "pass-takes-no-blended");
    }
    EXPECT_TRUE(isGlassListed);
    EXPECT_TRUE(seenReasonCodes().contains(ReasonCode::CastsNoShadow));
}

TEST(DrawFrame, AReplacedMaterialShowsInTheNextFrame)
{
    DrawWorld world; // D8
    ListSource source(*world.resources, *world.library);
    const MaterialId material = world.addMaterial("paint");
    const MeshSetId set = world.addMeshSet("quad", world.addRange(), material);
    MaterialParams params = world.resources->materials().params(material);
    params.flags |= kTwoSided; // in the frame of registration
    ASSERT_TRUE(world.library->updateMaterial(material, params));
    EXPECT_EQ(world.library->counters().commandRebuilds, 3U) << "one for each pass";
    source.add({set, {{0, 0, -5}}});
    drawTwice(world, source);
    EXPECT_EQ(world.stats("forward").draws, 1U);

    source.clear(); // off screen, the alpha mode changes, then it is revealed
    params.flags |= kBlend;
    ASSERT_TRUE(world.library->updateMaterial(material, params));
    drawTwice(world, source);
    source.add({set, {{0, 0, -5}}});
    drawTwice(world, source);
    EXPECT_EQ(world.stats("forward").draws, 0U);
    EXPECT_EQ(world.stats("blended").draws, 1U);

    const std::uint64_t rebuilds = world.library->counters().commandRebuilds;
    params.baseColorFactor = vec4(1, 0, 0, 1);
    ASSERT_TRUE(world.library->updateMaterial(material, params));
    EXPECT_EQ(world.library->counters().commandRebuilds, rebuilds) << "a value rewrites a table row, no command";
}

TEST(DrawFrame, TextureSetsKeepDrawsApartOnlyWhereTheyAreRead)
{
    DrawWorld world;
    ListSource source(*world.resources, *world.library);
    auto image = std::make_shared<Image>();
    image->width = image->height = 1;
    image->bytes.resize(4);
    TextureSetDesc desc;
    desc.slots[0] = world.resources->textures().add(image, ImageEncoding::Srgb).value();
    const TextureSetId set = world.resources->textureSets().acquire(desc).value();
    const MeshRangeId range = world.addRange();
    source.add({world.addMeshSet("a", range, world.addMaterial("a")), {{0, 0, -5}}});
    source.add({world.addMeshSet("b", range, world.addMaterial("b", 0, set)), {{0, 0, -5}}});
    drawTwice(world, source);
    EXPECT_EQ(world.drawsText("depth"), "2x r0") << "depth reads no texture";
    EXPECT_EQ(world.drawsText("forward"), "1x r0, 1x r0 (texture set)");
    EXPECT_EQ(world.stats("forward").breaks[static_cast<std::size_t>(JoinBreak::TextureSet)], 1U);
}

TEST(DrawFrame, ReportsWhatTheDeviceCounted)
{
    DrawWorld world;
    ListSource source(*world.resources, *world.library);
    const MaterialId stone = world.addMaterial("stone"), glass = world.addMaterial("glass", kBlend);
    for (int i = 0; i < 5; ++i)
    {
        const MeshRangeId range = world.addRange(0.1f * static_cast<float>(i));
        source.add({world.addMeshSet("s", range, stone), {{0, 0, -5}, {1, 0, -7}}});
        source.add({world.addMeshSet("g", range, glass), {{0, 0, -5}, {1, 0, -7.5f}}, i % 2 == 1});
    }
    world.frame(source);
    world.frame(source); // the winding of mirrored runs was asked for in the first frame
    world.null->resetStats();
    world.frame(source);
    ASSERT_TRUE(world.messages.empty()) << world.messages.front();
    std::uint64_t draws = 0, before = 0, triangles = 0;
    for (const PassStats& stats : world.drawFrame->passStats())
    {
        const gpu::NullPassStats* counted = world.nullStats(stats.name);
        ASSERT_NE(counted, nullptr);
        EXPECT_EQ(stats.drawCalls, counted->drawCount) << stats.name;
        EXPECT_EQ(stats.drawsBefore, counted->instanceCount) << stats.name;
        EXPECT_EQ(stats.triangles, counted->triangleCount) << stats.name;
        EXPECT_EQ(stats.batches, 10U);
        EXPECT_EQ(stats.commands, 5U);
        draws += stats.drawCalls;
        before += stats.drawsBefore;
        triangles += stats.triangles;
    }
    EXPECT_EQ(draws, world.null->stats().total.drawCount);
    EXPECT_EQ(before, 30U);
    EXPECT_EQ(triangles, 60U);
    EXPECT_LE(world.nullStats("forward")->pipelineBindCount, 1U) << "redundant state is left out";
    EXPECT_EQ(world.nullStats("forward")->indexBufferBindCount, 1U);
}

TEST(DrawFrame, IdsOfARunAreWrittenOnceForAllPasses)
{
    DrawWorld world;
    ListSource source(*world.resources, *world.library);
    const MeshSetId set = world.addMeshSet("quad", world.addRange(), world.addMaterial("stone"));
    source.add({set, {{0, 0, -5}, {1, 0, -5}, {2, 0, -5}}});
    drawTwice(world, source);
    EXPECT_EQ(world.drawFrame->ids().size(), 3U);
    EXPECT_EQ(world.stats("depth").drawsBefore + world.stats("forward").drawsBefore, 6U);
}

TEST(DrawFrame, NothingVisibleDrawsNothing)
{
    DrawWorld world;
    ListSource source(*world.resources, *world.library);
    drawTwice(world, source);
    EXPECT_EQ(world.null->stats().total.drawCount, 0U);
    EXPECT_TRUE(world.drawFrame->ids().empty());
}

TEST(DrawFrame, SkipsAndCountsWhatIsNotReady)
{
    DrawWorld::Settings settings;
    settings.null.pollsUntilPipelineReady = 2;
    DrawWorld world(settings);
    ListSource source(*world.resources, *world.library);
    const MeshSetId set = world.addMeshSet("quad", world.addRange(), world.addMaterial("stone"));
    source.add({set, {{0, 0, -5}}});
    source.add({MeshSetId{99, 1}, {{0, 0, -5}, {0, 0, -6}}});
    world.frame(source);
    const auto skipped = world.drawFrame->skippedByReason();
    EXPECT_EQ(skipped[static_cast<std::size_t>(ReasonCode::PipelinePending)], 2U) << "depth and forward";
    EXPECT_EQ(skipped[static_cast<std::size_t>(ReasonCode::StaleMeshSet)], 2U);
    std::vector<Refusal> refusals;
    world.drawFrame->collectRefusals(refusals);
    for (const Refusal& refusal : refusals)
        sawReason(refusal.code);
    for (int i = 0; i < 4; ++i)
        world.frame(source);
    EXPECT_EQ(world.stats("forward").draws, 1U) << "drawn once it is ready";

    const MeshSetId late = world.addMeshSet("late", world.addRange(0.3f), world.addMaterial("late"));
    source.add({late, {{0, 0, -5}}});
    world.frame(source);
    EXPECT_EQ(world.drawFrame->skippedByReason()[static_cast<std::size_t>(ReasonCode::MeshNotResident)], 2U);
    refusals.clear();
    world.drawFrame->collectRefusals(refusals);
    for (const Refusal& refusal : refusals)
        sawReason(refusal.code);
    EXPECT_TRUE(world.messages.empty()) << world.messages.front();
}

TEST(DrawFrame, MoreIdsThanTheListHoldsAreRefusedAndCounted)
{
    DrawWorld::Settings settings;
    settings.isValidated = false;
    DrawWorld world(settings);
    ListSource source(*world.resources, *world.library);
    const MeshSetId set = world.addMeshSet("quad", world.addRange(), world.addMaterial("stone"));
    source.add({set, {{0, 0, -5}}});
    drawTwice(world, source);
    // The list is nearly full before the frame is built.
    const std::uint32_t limit = 32U << 20U;
    ASSERT_TRUE(world.resources->ids().allocate(limit));
    const View view = DrawWorld::camera();
    const ViewGroup group;
    DrawSource* const sources[] = {&source};
    world.drawFrame->build({{&view, 1}, {&group, 1}, {}}, sources);
    EXPECT_EQ(world.drawFrame->skippedByReason()[static_cast<std::size_t>(ReasonCode::IdListFull)], 2U);
    EXPECT_EQ(world.stats("forward").draws, 0U);
    sawReason(ReasonCode::IdListFull);
}

TEST(DynamicBatches, DrawForOneFrameInTheOrderOfTheirPass)
{
    DrawWorld world;
    const MaterialId paint = world.addMaterial("paint");
    // A shader of the user's: WGSL and SPIR-V are not looked at by the null device, the inputs are.
    gpu::ShaderEntry entry = *world.archive->find("debug.rigid.standard");
    entry.name = "debug.lines.standard";
    entry.vertexInputs = {{0, gpu::ScalarKind::Float, 3, "position"}};
    world.library->addShader(entry);
    const VertexFactoryDesc lines = {
        "lines", {{StreamSource::External0, 12, {{"position", 0, gpu::VertexFormat::Float32x3, 0, AttributeRole::Position}}}}};
    DynamicBatchDesc desc;
    desc.factory = world.library->addVertexFactory(lines).value();
    desc.pass = world.library->findPass("forward");
    desc.material = paint;
    desc.topology = gpu::Topology::LineList;
    const float vertices[] = {0, 0, -1, 1, 0, -1};
    const std::uint32_t indices[] = {0, 1};
    desc.vertices[0] = std::as_bytes(std::span(vertices));
    desc.indices = indices;
    std::unique_ptr<DynamicBatches> dynamic = std::move(DynamicBatches::create(*world.library, 80)).value();
    ListSource source(*world.resources, *world.library);
    source.add({world.addMeshSet("quad", world.addRange(), paint), {{0, 0, -5}}});
    const View view = DrawWorld::camera();
    const ViewGroup group;
    DrawSource* const sources[] = {&source};
    for (int i = 0; i < 3; ++i)
    {
        ASSERT_TRUE(dynamic->add(desc));
        ASSERT_TRUE(dynamic->add(desc)) << "exactly the ring's size is two batches and 16 bytes";
        EXPECT_EQ(dynamic->add(desc).error().code, ErrorCode::OutOfBudget);
        world.frame(sources, {{&view, 1}, {&group, 1}, {}}, dynamic.get());
    }
    ASSERT_TRUE(world.messages.empty()) << world.messages.front();
    EXPECT_EQ(world.stats("forward").draws, 3U);
    EXPECT_EQ(world.drawFrame->skippedByReason()[static_cast<std::size_t>(ReasonCode::DynamicRingFull)], 1U);
    sawReason(ReasonCode::DynamicRingFull);
    world.frame(sources, {{&view, 1}, {&group, 1}, {}}, dynamic.get());
    EXPECT_EQ(world.stats("forward").draws, 1U) << "gone with its frame";
}

} // namespace dl
