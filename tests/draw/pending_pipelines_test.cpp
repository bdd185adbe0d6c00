// What a batch does while a pipeline of it is compiled: PendingPolicy.
#include "tests/draw/draw_world.h"

#include <gtest/gtest.h>

namespace dl
{

namespace
{
/// "stone" has the surface standard and is drawn from the start; "waves" has one whose pipeline for the pass forward is never ready until
/// `release`. Both are in the passes depth and forward.
struct PendingWorld
{
    DrawWorld world;
    std::vector<gpu::ShaderEntry> entries;
    std::unique_ptr<ListSource> source;
    MeshSetId stone, waves;

    static DrawWorld::Settings settings(bool hasPasses)
    {
        DrawWorld::Settings settings;
        settings.hasPasses = hasPasses;
        return settings;
    }
    explicit PendingWorld(PendingPolicy policy) : world(settings(true))
    {
        for (const char* shader : {"depth", "debug"})
        {
            gpu::ShaderEntry entry = *world.archive->find(std::string(shader) + ".rigid.standard");
            entry.name = shader == std::string_view("depth") ? "depth.rigid.waves" : "debug.rigid.waves";
            entries.push_back(entry);
        }
        for (const gpu::ShaderEntry& entry : entries)
            world.library->addShader(entry);
        world.drawFrame->setSettings({.pending = policy});
        source = std::make_unique<ListSource>(*world.resources, *world.library);
        stone = world.addMeshSet("stone", world.addRange(), world.addMaterial("stone"));
        source->add({stone, {{0, 0, -5}}});
        world.frame(*source);
        world.frame(*source);
        EXPECT_EQ(drawn("depth") + drawn("forward"), 2U);

        world.null->settings().pollsUntilPipelineReady = 1000000;
        DrawMaterialDesc desc;
        desc.name = "waves";
        desc.params = packMaterial(Material{});
        desc.textureSet = world.neutralSet;
        desc.surface = world.library->addSurface("waves");
        waves = world.addMeshSet("waves", world.addRange(0.5f), world.library->addMaterial(desc).value());
        source->add({waves, {{1, 0, -5}, {2, 0, -5}}});
        world.frame(*source); // its mesh becomes resident
        world.frame(*source);
        EXPECT_TRUE(world.messages.empty()) << world.messages.front();
    }
    /// Visible instances that were drawn.
    std::uint64_t drawn(const char* pass) { return world.stats(pass).drawsBefore; }
    std::uint64_t pendingCount() { return world.drawFrame->skippedByReason()[static_cast<std::size_t>(ReasonCode::PipelinePending)]; }
    /// The pipeline of one pass gets ready.
    void release(const char* label)
    {
        for (const PipelineSlot& slot : world.library->tables().pipelines)
            if (slot.label == label)
            {
                gpu::Completion ready;
                ready.kind = gpu::CompletionKind::PipelineReady;
                ready.pipeline = slot.pipeline;
                world.library->onCompletion(ready);
                return;
            }
        ADD_FAILURE() << "no pipeline " << label;
    }
    void build()
    {
        const View view = DrawWorld::camera();
        const ViewGroup group;
        DrawSource* const sources[] = {source.get()};
        world.drawFrame->build(ViewSet{{&view, 1}, {&group, 1}, {}}, sources);
    }
    std::string surfaceOf(const char* pass)
    {
        std::string names;
        for (const DrawRecord& draw : world.drawFrame->draws(world.library->findPass(pass), 0))
            names += world.library->tables().pipelines[draw.pipelineSlot].sortName + " ";
        return names;
    }
};
} // namespace

TEST(PendingPipelines, WaitShowsABatchInAllPassesAtOnce)
{
    PendingWorld pending(PendingPolicy::Wait);
    EXPECT_EQ(pending.drawn("depth"), 1U) << "the stone alone";
    EXPECT_EQ(pending.drawn("forward"), 1U);
    EXPECT_EQ(pending.pendingCount(), 4U) << "two instances in two passes";
    pending.release("depth: depth.rigid.waves");
    pending.build();
    EXPECT_EQ(pending.drawn("depth"), 1U) << "its colour is still missing: no hole";
    pending.release("forward: debug.rigid.waves");
    pending.build();
    EXPECT_EQ(pending.drawn("depth"), 3U);
    EXPECT_EQ(pending.drawn("forward"), 3U);
    EXPECT_EQ(pending.pendingCount(), 0U);
}

TEST(PendingPipelines, SkipDrawsEachPassAsSoonAsItsOwnIsReady)
{
    PendingWorld pending(PendingPolicy::Skip);
    pending.release("depth: depth.rigid.waves");
    pending.build();
    EXPECT_EQ(pending.drawn("depth"), 3U);
    EXPECT_EQ(pending.drawn("forward"), 1U);
    EXPECT_EQ(pending.pendingCount(), 2U);
}

TEST(PendingPipelines, FallbackDrawsTheStandardSurfaceInAllPassesUntilTheOwnIsReady)
{
    PendingWorld pending(PendingPolicy::Fallback);
    EXPECT_EQ(pending.drawn("depth"), 3U);
    EXPECT_EQ(pending.drawn("forward"), 3U);
    EXPECT_EQ(pending.surfaceOf("forward"), "debug.rigid.standard debug.rigid.standard ");
    pending.release("depth: depth.rigid.waves");
    pending.build();
    EXPECT_EQ(pending.surfaceOf("depth"), "depth.rigid.standard depth.rigid.standard ") << "depth and colour stay of one surface";
    pending.release("forward: debug.rigid.waves");
    pending.build();
    EXPECT_NE(pending.surfaceOf("depth").find("depth.rigid.waves"), std::string::npos);
    EXPECT_NE(pending.surfaceOf("forward").find("debug.rigid.waves"), std::string::npos);
}

TEST(PendingPipelines, OfPassesThatDoNotDrawInThisFrameHoldNothingBack)
{
    PendingWorld pending(PendingPolicy::Wait);
    pending.release("depth: depth.rigid.waves");
    pending.release("forward: debug.rigid.waves");
    MeshPassDesc outline = opaquePassDesc("outline");
    outline.viewKinds = ViewKind::Outline;
    outline.colorTargets[0].writeMask = 1;
    ASSERT_TRUE(pending.world.library->addPass(outline)); // its pipelines are pending
    EXPECT_GT(pending.world.library->pendingPipelineCount(), 0U);
    pending.build();
    EXPECT_EQ(pending.drawn("depth"), 3U);
}

} // namespace dl
