// The debug mode that builds cached commands anew: silent while all is well, and it names batch, pass and field when not.
#include "tests/draw/draw_world.h"

#include <gtest/gtest.h>

#include <functional>

namespace dl
{

namespace
{
struct VerifiedWorld : DrawWorld
{
    VerifiedWorld() : source(*resources, *library)
    {
        const MaterialId stone = addMaterial("stone"), glass = addMaterial("glass", kMaterialBlendedBit);
        for (int i = 0; i < 3; ++i)
        {
            source.add({addMeshSet("wall " + std::to_string(i), addRange(0.1f * static_cast<float>(i)), stone), {{0, 0, -5}}, i == 1});
            source.add({addMeshSet("pane " + std::to_string(i), addRange(0.5f), glass), {{0, 0, -5}}});
        }
        frame(source);
        frame(source);
    }
    std::vector<Refusal> verify(std::uint32_t maxCount = UINT32_MAX)
    {
        std::vector<Refusal> stale;
        library->verifyCommands(maxCount, stale);
        return stale;
    }
    /// What a defect would do to the cache.
    DrawCommand& command(const char* pass, std::size_t batch)
    {
        return const_cast<DrawTables&>(library->tables()).passes[library->findPass(pass).index].commands[batch];
    }
    ListSource source;
};

ReasonCode moodyFilter(const BatchInfo& /*batch*/, void* context)
{
    return *static_cast<bool*>(context) ? ReasonCode::None : userReason(0);
}
} // namespace

TEST(VerifyCommands, FindsNothingInACacheThatIsRight)
{
    VerifiedWorld world;
    const std::uint64_t pipelines = world.library->counters().pipelinesCreated, built = world.library->counters().commandsBuilt;
    EXPECT_TRUE(world.verify().empty());
    EXPECT_EQ(world.library->counters().pipelinesCreated, pipelines) << "looking makes no pipeline";
    EXPECT_EQ(world.library->counters().commandsBuilt, built);
}

TEST(VerifyCommands, NamesBatchPassAndEachStaleField)
{
    const struct
    {
        const char* field;
        std::function<void(DrawCommand&, const DrawCommand&)> harm;
    } fields[] = {
        {"mesh range: cached ", [](DrawCommand& c, const DrawCommand& other) { c.range = other.range; }},
        {"material: cached ", [](DrawCommand& c, const DrawCommand& other) { c.material = other.material; }},
        {"pipeline: cached none, now forward: debug.rigid.standard",
            [](DrawCommand& c, const DrawCommand&) { c.pipelines[0] = kNoPipelineSlot; }},
        {"mirrored pipeline: cached forward", [](DrawCommand& c, const DrawCommand&) { c.pipelines[1] = c.pipelines[0]; }},
        {"refusal: cached not-selected, now none", [](DrawCommand& c, const DrawCommand&) { c.refusal = ReasonCode::NotSelected; }},
        {"external geometry: cached 3.1, now none", [](DrawCommand& c, const DrawCommand&) { c.external = {3, 1}; }},
        {"explicit order: cached 7, now 128", [](DrawCommand& c, const DrawCommand&) { c.explicitOrder = 7; }},
    };
    for (const auto& field : fields)
    {
        VerifiedWorld world;
        field.harm(world.command("forward", 4), world.command("forward", 1)); // batches: wall 0, pane 0, wall 1, pane 1, wall 2, pane 2
        const std::vector<Refusal> stale = world.verify();
        ASSERT_EQ(stale.size(), 1U) << field.field;
        EXPECT_EQ(stale[0].subject, "wall 2 part 0 (stone)");
        EXPECT_EQ(stale[0].stage, "forward");
        EXPECT_EQ(stale[0].codeName, "stale-command");
        EXPECT_NE(stale[0].detail.find(field.field), std::string::npos) << stale[0].detail;
        sawReason(stale[0].code);
    }
}

TEST(VerifyCommands, FindsAFilterThatIsNotPure)
{
    VerifiedWorld world;
    bool accepts = true;
    MeshPassDesc moody = opaquePassDesc("moody");
    moody.filter = moodyFilter;
    moody.filterContext = &accepts;
    moody.userReasons = {"moody"};
    ASSERT_TRUE(world.library->addPass(moody));
    EXPECT_TRUE(world.verify().empty());
    accepts = false;
    const std::vector<Refusal> stale = world.verify();
    ASSERT_EQ(stale.size(), 3U) << "the walls; panes are refused before the filter is asked";
    EXPECT_EQ(stale[0].detail.substr(0, 33), "refusal: cached none, now user 0;");
}

TEST(VerifyCommands, WalksTheWholeCacheAFewCommandsAFrame)
{
    VerifiedWorld world;
    world.command("blended", 5).explicitOrder = 1;
    world.drawFrame->setSettings({.verifiedCommandCount = 4});
    std::vector<Refusal> found;
    for (int frame = 0; frame < 5; ++frame) // 3 passes x 6 batches
    {
        world.frame(world.source);
        world.drawFrame->collectRefusals(found);
    }
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].subject, "pane 2 part 0 (glass)");
    EXPECT_EQ(found[0].stage, "blended");
}

} // namespace dl
