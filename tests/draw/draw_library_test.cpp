// Passes of users, refusals with their reasons, the table of codes, and what does not rebuild commands.
#include "tests/draw/draw_world.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

namespace dl
{

namespace
{
std::vector<Refusal> refusalsOf(const DrawWorld& world, bool includeFilters)
{
    std::vector<Refusal> refusals;
    world.library->collectRefusals(refusals, includeFilters);
    for (const Refusal& refusal : refusals)
        sawReason(refusal.code);
    return refusals;
}

const Refusal* find(const std::vector<Refusal>& refusals, std::string_view subject, std::string_view stage)
{
    for (const Refusal& refusal : refusals)
        if (refusal.subject.find(subject) == 0 && refusal.stage == stage)
            return &refusal;
    return nullptr;
}

MeshPassDesc selectionPass()
{
    MeshPassDesc mask = opaquePassDesc("selection");
    mask.masked.shader.clear();
    mask.filter = acceptSelectedBatches;
    mask.depth.isWriting = false;
    return mask;
}

/// At the end: every code of the table was produced by some test of this program.
class EveryCodeIsProduced : public testing::Environment
{
public:
    void TearDown() override
    {
        if (testing::UnitTest::GetInstance()->test_to_run_count() != testing::UnitTest::GetInstance()->total_test_count())
            return; // a filtered run
        for (std::uint16_t code = 1; code < static_cast<std::uint16_t>(ReasonCode::Count); ++code)
            EXPECT_TRUE(seenReasonCodes().contains(static_cast<ReasonCode>(code)))
                << "no test produces " << reasonInfo(static_cast<ReasonCode>(code)).name;
    }
};
const testing::Environment* const kEveryCode = testing::AddGlobalTestEnvironment(new EveryCodeIsProduced);
} // namespace

TEST(MeshPass, DrawsSelectedOpaqueBatchesAndGivesReasonsForTheOthers)
{
    DrawWorld world; // D11
    ASSERT_TRUE(world.library->addPass(selectionPass()));
    const MeshRangeId range = world.addRange();
    const MaterialId opaque = world.addMaterial("opaque"), glass = world.addMaterial("glass", kMaterialBlendedBit);
    const MeshSetId a = world.addMeshSet("A", range, opaque, BatchFlag::Selected);
    const MeshSetId b = world.addMeshSet("B", range, opaque);
    const MeshSetId c = world.addMeshSet("C", range, glass, BatchFlag::Selected);
    ListSource source(*world.resources, *world.library);
    for (const MeshSetId set : {a, b, c})
        source.add({set, {{0, 0, -5}}});
    world.frame(source);
    world.frame(source);
    EXPECT_EQ(world.stats("selection").batches, 3U);
    EXPECT_EQ(world.stats("selection").commands, 1U);
    EXPECT_EQ(world.stats("selection").draws, 1U);
    const std::vector<Refusal> refusals = refusalsOf(world, true);
    EXPECT_EQ(find(refusals, "A", "selection"), nullptr);
    ASSERT_NE(find(refusals, "B", "selection"), nullptr);
    EXPECT_EQ(find(refusals, "B", "selection")->codeName, "not-selected");
    ASSERT_NE(find(refusals, "C", "selection"), nullptr);
    EXPECT_EQ(find(refusals, "C", "selection")->codeName, "pass-takes-no-blended");
    EXPECT_EQ(find(refusals, "C", "blended"), nullptr);
    EXPECT_NE(find(refusals, "A", "blended"), nullptr);

    // Toggling the selection is another variant: B joins, in the next frame.
    const MeshSetId selected = world.library->acquireVariant(b, {}, BatchFlag::Selected).value();
    source.clear();
    source.add({a, {{0, 0, -5}}});
    source.add({selected, {{1, 0, -5}}});
    world.frame(source);
    EXPECT_EQ(world.stats("selection").drawsBefore, 2U);
    EXPECT_TRUE(world.messages.empty()) << world.messages.front();
}

TEST(MeshPass, AUsersReasonsAreNamed)
{
    DrawWorld world;
    MeshPassDesc desc = opaquePassDesc("picky");
    desc.userReasons = {"too-plain"};
    desc.filter = [](const BatchInfo& batch, void*) { return batch.isDoubleSided ? ReasonCode::None : userReason(0); };
    ASSERT_TRUE(world.library->addPass(desc));
    world.addMeshSet("plain", world.addRange(), world.addMaterial("plain"));
    const std::vector<Refusal> refusals = refusalsOf(world, true);
    ASSERT_NE(find(refusals, "plain", "picky"), nullptr);
    EXPECT_EQ(find(refusals, "plain", "picky")->codeName, "too-plain");
}

TEST(MeshPass, RefusesTakenNamesAndKeysThatDoNotFit)
{
    DrawWorld world;
    EXPECT_EQ(world.library->addPass(opaquePassDesc("forward")).error().code, ErrorCode::AlreadyExists);
    MeshPassDesc wide = opaquePassDesc("wide");
    wide.keyFields = {{"a", KeySource::Pipeline, 32}, {"b", KeySource::TextureSet, 32}, {"c", KeySource::HeapPage, 8}};
    EXPECT_EQ(world.library->addPass(wide).error().code, ErrorCode::OutOfRange);
    MeshPassDesc blind = opaquePassDesc("blind");
    blind.keyFields = {{"a", KeySource::Pipeline, 32}};
    for (const SortOrder order : {SortOrder::BackToFront, SortOrder::Sequence})
    {
        blind.order = order;
        EXPECT_EQ(world.library->addPass(blind).error().code, ErrorCode::InvalidArgument) << "it holds neither DepthFar nor Submission";
    }
    const MeshPassId pass = world.library->findPass("forward");
    ASSERT_TRUE(world.library->removePass(pass));
    EXPECT_EQ(world.library->removePass(pass).error().code, ErrorCode::StaleId);
    EXPECT_TRUE(world.library->addPass(opaquePassDesc("forward")));
}

TEST(DrawLibrary, AMissingPermutationNamesMaterialFactoryPassAndDevice)
{
    DrawWorld world;
    MeshPassDesc desc = opaquePassDesc("wireframe");
    desc.opaque.shader = "no_such_shader";
    desc.masked.shader.clear();
    ASSERT_TRUE(world.library->addPass(desc));
    world.addMeshSet("quad", world.addRange(), world.addMaterial("brick"));
    world.addMeshSet("leaf", world.addRange(), world.addMaterial("leaf", kMaterialAlphaMaskBit));
    std::vector<Refusal> refusals = refusalsOf(world, false);
    ASSERT_EQ(refusals.size(), 1U) << "filters are not failures";
    EXPECT_EQ(refusals[0].code, ReasonCode::MissingPermutation);
    for (const std::string_view part : {"\"brick\"", "\"rigid\"", "\"wireframe\"", "\"no_such_shader.rigid.standard\""})
        EXPECT_NE(refusals[0].detail.find(part), std::string::npos) << refusals[0].detail;
    EXPECT_NE(refusals[0].detail.find(world.device->info().name), std::string::npos);
    EXPECT_NE(find(refusalsOf(world, true), "leaf", "wireframe"), nullptr);
    EXPECT_NE(find(refusalsOf(world, true), "quad", "blended"), nullptr);
    EXPECT_NE(find(refusalsOf(world, true), "leaf", "blended"), nullptr);
}

TEST(DrawLibrary, LayoutsAndStreamSetsThatDoNotFitAreFailuresWithNames)
{
    DrawWorld world;
    gpu::ShaderEntry wrong = *world.archive->find("debug.rigid.standard");
    wrong.name = "wrong.rigid.standard";
    wrong.vertexInputs = {{6, gpu::ScalarKind::Float, 1, "part"}};
    world.library->addShader(wrong);
    MeshPassDesc desc = opaquePassDesc("wrong");
    desc.opaque.shader = "wrong";
    ASSERT_TRUE(world.library->addPass(desc));
    MeshPassDesc narrow = opaquePassDesc("narrow");
    narrow.opaque.streams = StreamSet::Position;
    ASSERT_TRUE(world.library->addPass(narrow));
    world.addMeshSet("quad", world.addRange(), world.addMaterial("brick"));
    const std::vector<Refusal> refusals = refusalsOf(world, false);
    ASSERT_EQ(refusals.size(), 2U);
    EXPECT_EQ(find(refusals, "quad", "wrong")->code, ReasonCode::LayoutMismatch);
    EXPECT_EQ(find(refusals, "quad", "narrow")->code, ReasonCode::OutsideStreamSet);
}

TEST(DrawLibrary, APipelineThatTheDeviceRefusesIsListedAndDrawsNothing)
{
    DrawWorld::Settings settings;
    settings.null.failPipelineLabel = "forward: debug.rigid.standard";
    DrawWorld world(settings);
    ListSource source(*world.resources, *world.library);
    source.add({world.addMeshSet("quad", world.addRange(), world.addMaterial("brick")), {{0, 0, -5}}});
    world.frame(source);
    world.frame(source);
    EXPECT_EQ(world.stats("forward").draws, 0U);
    EXPECT_EQ(world.stats("forward").commands, 0U);
    EXPECT_EQ(world.stats("depth").draws, 1U);
    const std::vector<Refusal> refusals = refusalsOf(world, false);
    ASSERT_EQ(refusals.size(), 1U);
    EXPECT_EQ(refusals[0].code, ReasonCode::PipelineFailed);
}

/// Retries come after 1, 2, 4, 8 ... submissions: with the first at frame 1, at the frames 1, 3, 7, 15.
TEST(DrawLibrary, APipelineThatLackedMemoryIsTriedAgainEverMoreRarely)
{
    DrawWorld world;
    std::uint64_t& refused = world.null->settings().failNthCreation[gpu::ObjectKind::Pipeline]; // counts attempts
    const auto created = [&] { return world.null->stats().created[gpu::ObjectKind::Pipeline]; };
    const MeshRangeId range = world.addRange();
    const MaterialId brick = world.addMaterial("brick");
    refused = created() + 1;
    const MeshSetId set = world.addMeshSet("quad", range, brick);
    world.library->requestMirrored(set);
    const std::vector<Refusal> refusals = refusalsOf(world, false);
    ASSERT_EQ(refusals.size(), 1U);
    EXPECT_EQ(refusals[0].code, ReasonCode::PipelineFailed);
    EXPECT_NE(refusals[0].detail.find("refused"), std::string::npos) << refusals[0].detail;
    const std::string pass = refusals[0].stage;

    ListSource source(*world.resources, *world.library);
    source.add({set, {{0, 0, -5}}});
    source.add({set, {{1, 0, -5}}, true});
    const std::uint64_t attempts = created() + 1;
    for (std::uint64_t frame = 1; frame <= 14; ++frame)
    {
        // Only the attempt that is due is refused: one more would succeed and show.
        refused = attempts + (frame > 1 ? 1U : 0U) + (frame > 3 ? 1U : 0U) + (frame > 7 ? 1U : 0U) + 1U;
        world.frame(source);
        ASSERT_EQ(world.stats(pass).draws, 0U) << "in frame " << frame;
        ASSERT_EQ(refusalsOf(world, false).size(), 1U) << "in frame " << frame;
    }
    refused = 0;
    for (int frame = 15; frame <= 18; ++frame)
        world.frame(source);
    EXPECT_EQ(world.stats(pass).draws, 2U) << "the mirrored one, too";
    EXPECT_TRUE(refusalsOf(world, false).empty());
    EXPECT_TRUE(world.messages.empty()) << world.messages.front();
}

TEST(DrawLibrary, APipelineThatLackedMemoryWhileItWasCompiledIsTriedAgain)
{
    DrawWorld::Settings settings;
    settings.null.failPipelineLabel = "forward: debug.rigid.standard";
    settings.null.failPipelineCode = ErrorCode::OutOfMemory;
    settings.null.failPipelineCount = 1;
    DrawWorld world(settings);
    ListSource source(*world.resources, *world.library);
    source.add({world.addMeshSet("quad", world.addRange(), world.addMaterial("brick")), {{0, 0, -5}}});
    const std::uint64_t created = world.null->stats().created[gpu::ObjectKind::Pipeline];
    for (int frame = 0; frame < 4; ++frame)
        world.frame(source);
    EXPECT_EQ(world.null->settings().failPipelineCount, 0U) << "it failed once";
    EXPECT_EQ(world.null->stats().created[gpu::ObjectKind::Pipeline], created + 1);
    EXPECT_EQ(world.null->stats().destroyed[gpu::ObjectKind::Pipeline], 1U) << "the failed one";
    EXPECT_TRUE(refusalsOf(world, false).empty());
    EXPECT_EQ(world.stats("forward").draws, 1U);
    EXPECT_TRUE(world.messages.empty()) << world.messages.front();
}

TEST(DrawLibrary, APassThatIsRemovedIsNotTriedAgain)
{
    DrawWorld world;
    std::uint64_t& refused = world.null->settings().failNthCreation[gpu::ObjectKind::Pipeline];
    refused = world.null->stats().created[gpu::ObjectKind::Pipeline] + 1;
    ListSource source(*world.resources, *world.library);
    source.add({world.addMeshSet("quad", world.addRange(), world.addMaterial("brick")), {{0, 0, -5}}});
    const std::vector<Refusal> refusals = refusalsOf(world, false);
    ASSERT_EQ(refusals.size(), 1U);
    ASSERT_TRUE(world.library->removePass(world.library->findPass(refusals[0].stage)));
    const std::uint64_t created = world.null->stats().created[gpu::ObjectKind::Pipeline];
    for (int frame = 0; frame < 5; ++frame)
        world.frame(source);
    EXPECT_EQ(world.null->stats().created[gpu::ObjectKind::Pipeline], created);
    EXPECT_TRUE(world.messages.empty()) << world.messages.front();
}

TEST(DrawLibrary, MaterialsInUseStay)
{
    DrawWorld world;
    const MaterialId brick = world.addMaterial("brick"), moss = world.addMaterial("moss");
    const MeshSetId wall = world.addMeshSet("wall", world.addRange(), brick);
    const MeshSetId mossy = world.library->acquireVariant(wall, std::span(&moss, 1), {}).value();
    for (const MaterialId used : {brick, moss})
    {
        const Result<void> removed = world.library->removeMaterial(used);
        ASSERT_FALSE(removed);
        EXPECT_EQ(removed.error().code, ErrorCode::InvalidArgument);
        EXPECT_NE(removed.error().message.find(used == brick ? "\"brick\"" : "\"moss\""), std::string::npos) << removed.error().message;
        EXPECT_NE(removed.error().message.find("1 parts"), std::string::npos) << removed.error().message;
    }
    world.library->releaseVariant(mossy);
    EXPECT_TRUE(world.library->removeMaterial(moss));
    EXPECT_EQ(world.library->removeMaterial(moss).error().code, ErrorCode::StaleId);
    ASSERT_TRUE(world.library->removeMeshSet(wall));
    EXPECT_TRUE(world.library->removeMaterial(brick));
    const MaterialId next = world.addMaterial("next"); // in the place of one of them
    EXPECT_TRUE(world.library->removeMaterial(next));
}

TEST(DrawLibrary, ExternalGeometryInUseStays)
{
    DrawWorld world;
    const VertexFactoryDesc user = {"user", {{StreamSource::External0, 12, {{"position", 0, gpu::VertexFormat::Float32x3, 0}}}}};
    const gpu::BufferId buffer =
        world.device->createBuffer({.label = "user", .bytes = 64, .usage = gpu::BufferUsage::Vertex | gpu::BufferUsage::Index}).value();
    ExternalGeometry geometry;
    geometry.vertexBuffers[0] = geometry.indexBuffer = buffer;
    geometry.indexCount = 3;
    MeshSection section;
    section.external = world.library->addExternalGeometry(geometry).value();
    section.factory = world.library->addVertexFactory(user).value();
    MeshSetDesc desc;
    desc.name = "own";
    desc.lods.emplace_back().sections = {section, section};
    desc.materials = {world.addMaterial("brick")};
    const MeshSetId set = world.library->addMeshSet(desc).value();
    const Result<void> removed = world.library->removeExternalGeometry(section.external);
    ASSERT_FALSE(removed);
    EXPECT_EQ(removed.error().code, ErrorCode::InvalidArgument);
    EXPECT_NE(removed.error().message.find("2 sections"), std::string::npos) << removed.error().message;
    ASSERT_TRUE(world.library->removeMeshSet(set));
    EXPECT_TRUE(world.library->removeExternalGeometry(section.external));
    EXPECT_EQ(world.library->removeExternalGeometry(section.external).error().code, ErrorCode::StaleId);
    world.device->destroy(buffer);
}

/// Batches that a removed pass would have drawn are drawn by the others; the name and the slot may be taken again.
TEST(MeshPass, MayBeRemovedBetweenFramesAndAddedAgain)
{
    DrawWorld world;
    ListSource source(*world.resources, *world.library);
    source.add({world.addMeshSet("quad", world.addRange(), world.addMaterial("brick")), {{0, 0, -5}}});
    for (int i = 0; i < 3; ++i)
        world.frame(source);
    ASSERT_EQ(world.stats("forward").draws, 1U);
    for (int round = 0; round < 3; ++round)
    {
        const MeshPassId gone = world.library->findPass("forward");
        ASSERT_TRUE(world.library->removePass(gone));
        world.frame(source);
        EXPECT_EQ(world.stats("depth").draws, 1U);
        EXPECT_TRUE(world.drawFrame->draws(gone, 0).empty()) << "a stale id draws nothing";
        ASSERT_TRUE(world.library->addPass(opaquePassDesc("forward")));
        for (int i = 0; i < 2; ++i)
            world.frame(source);
        EXPECT_EQ(world.stats("forward").draws, 1U);
    }
    EXPECT_TRUE(world.messages.empty()) << world.messages.front();
}

TEST(DrawLibrary, RefusesMeshSetsThatCanNotBeDrawn)
{
    DrawWorld world;
    const MaterialId material = world.addMaterial("brick");
    MeshSetDesc desc;
    desc.name = "broken";
    EXPECT_EQ(world.library->addMeshSet(desc).error().code, ErrorCode::InvalidArgument) << "no level of detail";
    desc.lods.resize(kMaxLodCount + 1);
    EXPECT_FALSE(world.library->addMeshSet(desc));
    desc.lods.resize(1);
    EXPECT_FALSE(world.library->addMeshSet(desc)) << "no section";
    desc.lods[0].sections.resize(1);
    desc.lods[0].sections[0].range = world.addRange();
    EXPECT_FALSE(world.library->addMeshSet(desc)) << "part without material";
    desc.materials = {material};
    EXPECT_TRUE(world.library->addMeshSet(desc));
    desc.lods[0].sections[0].range.generation += 1;
    EXPECT_EQ(world.library->addMeshSet(desc).error().code, ErrorCode::StaleId);
    VertexFactoryDesc user = {"user", {{StreamSource::External0, 12, {{"position", 0, gpu::VertexFormat::Float32x3, 0}}}}};
    desc.lods[0].sections[0].range = world.addRange();
    desc.lods[0].sections[0].factory = world.library->addVertexFactory(user).value();
    EXPECT_FALSE(world.library->addMeshSet(desc)) << "a factory of external buffers on a range of the pool";
    EXPECT_EQ(world.library->addVertexFactory(user).error().code, ErrorCode::AlreadyExists);
}

TEST(DrawLibrary, RemovedMeshSetsLeaveNoCommandBehind)
{
    DrawWorld world;
    const MeshSetId set = world.addMeshSet("quad", world.addRange(), world.addMaterial("brick"));
    ASSERT_TRUE(world.library->removeMeshSet(set));
    EXPECT_EQ(world.library->removeMeshSet(set).error().code, ErrorCode::StaleId);
    EXPECT_EQ(world.library->findMeshSet(set), nullptr);
    ListSource source(*world.resources, *world.library);
    source.add({set, {{0, 0, -5}}});
    world.frame(source);
    EXPECT_EQ(world.stats("forward").commands, 0U);
    EXPECT_EQ(world.drawFrame->skippedByReason()[static_cast<std::size_t>(ReasonCode::StaleMeshSet)], 1U);
}

TEST(DrawLibrary, RepublishedTexturesRebuildNoCommandAndAGroupAtMostOnceEach)
{
    constexpr std::uint32_t kTextures = 200, kBatches = 100000, kFrames = 100, kVisible = 500;
    DrawWorld::Settings settings;
    settings.isValidated = false;
    settings.null.keepsContents = false;
    DrawWorld world(settings);
    auto image = std::make_shared<Image>();
    image->width = image->height = 4;
    image->mipCount = 3;
    image->bytes.resize((16 + 4 + 1) * 4);
    std::vector<TextureSlotId> slots;
    std::vector<MaterialId> materials;
    for (std::uint32_t i = 0; i < kTextures; ++i)
    {
        slots.push_back(world.resources->textures().add(image, ImageEncoding::Srgb).value());
        TextureSetDesc desc;
        desc.slots[0] = slots.back();
        materials.push_back(world.addMaterial("m", 0, world.resources->textureSets().acquire(desc).value()));
    }
    const MeshRangeId range = world.addRange();
    ListSource source(*world.resources, *world.library);
    for (std::uint32_t i = 0; i < kBatches; ++i)
    {
        const MeshSetId set = world.addMeshSet("b", range, materials[i % kTextures]);
        if (i < kVisible)
            source.add({set, {{0, 0, -5}}});
    }
    world.frame(source);
    world.frame(source);
    EXPECT_EQ(world.stats("forward").draws, kTextures);
    EXPECT_EQ(world.stats("forward").batches, kBatches);
    const DrawLibraryCounters before = world.library->counters();
    for (std::uint32_t frame = 0; frame < kFrames; ++frame)
    {
        for (const TextureSlotId slot : slots)
            ASSERT_TRUE(world.resources->textures().setResidentMips(slot, 1 + frame % 2));
        const std::uint64_t groups = world.resources->textureSets().stats().bindGroupsCreated;
        world.frame(source);
        ASSERT_LE(world.resources->textureSets().stats().bindGroupsCreated - groups, kTextures) << "frame " << frame;
        ASSERT_EQ(world.stats("forward").draws, kTextures);
    }
    world.frame(source);
    const std::uint64_t groups = world.resources->textureSets().stats().bindGroupsCreated;
    EXPECT_GE(groups, kTextures * kFrames) << "the textures really changed";
    world.frame(source);
    EXPECT_EQ(world.resources->textureSets().stats().bindGroupsCreated, groups) << "nothing changed, nothing made";
    EXPECT_EQ(world.library->counters().commandRebuilds, before.commandRebuilds);
    EXPECT_EQ(world.library->counters().commandsBuilt, before.commandsBuilt);
    EXPECT_EQ(world.library->counters().pipelinesCreated, before.pipelinesCreated);
}

TEST(ReasonCodes, AreAllInTheDocumentation)
{
    std::ifstream file("docs/reason_codes.md");
    ASSERT_TRUE(file.is_open());
    const std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    for (std::uint16_t code = 1; code < static_cast<std::uint16_t>(ReasonCode::Count); ++code)
    {
        const ReasonInfo& info = reasonInfo(static_cast<ReasonCode>(code));
        const std::string row =
            "| `" + std::string(info.name) + "` | " + (info.isFailure ? "failure" : "filter") + " | " + std::string(info.text) + " |";
        EXPECT_NE(text.find(row), std::string::npos) << row;
    }
}

} // namespace dl
