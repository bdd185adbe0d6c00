// The registry as a draw source: edits from any thread, culling, LOD, determinism, no allocation.
#include "drawloom/core/parallel.h"
#include "drawloom/scene/scene_registry.h"
#include "tests/draw/draw_world.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <thread>

namespace dl
{

namespace
{
WorldTransform at(float x, float y, float z, float scaleX = 1.0f)
{
    WorldTransform transform;
    transform.affine.rows[0] = vec4(scaleX, 0, 0, x);
    transform.affine.rows[1] = vec4(0, 1, 0, y);
    transform.affine.rows[2] = vec4(0, 0, 1, z);
    return normalised(transform);
}

struct RegistryWorld : DrawWorld
{
    explicit RegistryWorld(const DrawWorld::Settings& settings = {}) : DrawWorld(settings), registry(*library) {}

    void frame(const View& view = camera(), WorldPosition origin = {}, ViewGroup group = {})
    {
        registry.applyEdits();
        DrawSource* const sources[] = {&registry};
        DrawWorld::frame(sources, {{&view, 1}, {&group, 1}, origin});
    }
    InstanceId add(MeshSetId set, const WorldTransform& transform, std::uint64_t tag = 0)
    {
        InstanceDesc desc;
        desc.meshSet = set;
        desc.transform = transform;
        desc.userTag = tag;
        return registry.add(desc);
    }
    /// Draws of a pass, each with what it draws and the tags of its instances; in-run order counts for blended passes only.
    std::string text(std::string_view pass) const
    {
        std::string all;
        const MeshPassId id = library->findPass(pass);
        for (const DrawRecord& draw : drawFrame->draws(id, 0))
        {
            std::vector<std::uint64_t> tags;
            for (const std::uint32_t index : drawFrame->ids().subspan(draw.firstId, draw.instanceCount))
                tags.push_back(
                    registry.userTag(registry.findByHeapId(static_cast<std::uint32_t>(draw.heapPage) << kHeapPageShift | index)));
            if (pass != "blended")
                std::sort(tags.begin(), tags.end());
            all += library->tables().pipelines[draw.pipelineSlot].label + " set " + std::to_string(draw.textureSet.index) + " range " +
                   std::to_string(draw.range.index) + ":";
            for (const std::uint64_t tag : tags)
                all += " " + std::to_string(tag);
            all += "\n";
        }
        return all;
    }

    SceneRegistry registry;
};
} // namespace

TEST(SceneRegistry, ExplicitOrderOfAnObjectGoesBeforeItsDepth)
{
    RegistryWorld world;
    const MeshSetId glass = world.addMeshSet("glass", world.addRange(), world.addMaterial("glass", kMaterialBlendedBit));
    const InstanceId far = world.add(glass, at(0, 0, -9), 1), middle = world.add(glass, at(0, 0, -7), 2);
    world.add(glass, at(0, 0, -5), 3);
    const auto tags = [&world]
    {
        world.frame();
        world.frame();
        std::string order;
        const std::span<const DrawRecord> draws = world.drawFrame->draws(world.library->findPass("blended"), 0);
        for (const DrawRecord& draw : draws)
            for (const std::uint32_t index : world.drawFrame->ids().subspan(draw.firstId, draw.instanceCount))
                order += std::to_string(world.registry.userTag(
                    world.registry.findByHeapId(static_cast<std::uint32_t>(draw.heapPage) << kHeapPageShift | (index & kIdIndexMask))));
        return order;
    };
    EXPECT_EQ(tags(), "123") << "far to near";
    world.registry.setExplicitOrder(far, 200);
    world.registry.setExplicitOrder(middle, 129);
    EXPECT_EQ(tags(), "321");
    world.registry.setExplicitOrder(far, 0);
    EXPECT_EQ(tags(), "132");
    world.registry.setExplicitOrder(far, std::nullopt);
    world.registry.setExplicitOrder(middle, std::nullopt);
    EXPECT_EQ(tags(), "123");
}

TEST(SceneRegistry, DrawsWhatTheCameraSees)
{
    RegistryWorld world;
    const MeshSetId set = world.addMeshSet("quad", world.addRange(), world.addMaterial("stone"));
    const InstanceId seen = world.add(set, at(0, 0, -5));
    world.add(set, at(0, 0, 5));
    const InstanceId mirrored = world.add(set, at(0, 0, -6, -1.0f));
    world.frame();
    world.frame();
    ASSERT_TRUE(world.messages.empty()) << world.messages.front();
    EXPECT_EQ(world.stats("forward").drawsBefore, 2U);
    EXPECT_EQ(world.stats("forward").draws, 2U) << "the mirrored one has its own winding";
    world.registry.hide(mirrored, true);
    world.frame();
    EXPECT_EQ(world.stats("forward").drawsBefore, 1U);
    world.registry.hide(mirrored, false);
    world.registry.setLayers(seen, 2);
    View layered = DrawWorld::camera();
    layered.layerMask = 2;
    world.frame(layered);
    EXPECT_EQ(world.stats("forward").drawsBefore, 1U);
    world.registry.move(seen, at(0, 0, 50));
    world.frame(layered);
    EXPECT_EQ(world.stats("forward").drawsBefore, 0U);
    EXPECT_EQ(world.stats("forward").draws, 0U);
}

/// 256 cells of 1024 m can be resident at once. What lies in the 257th is refused by name and counted, the rest is drawn, and
/// room that becomes free is used.
TEST(SceneRegistry, RefusesTheCellAfterTheLastAndGoesOn)
{
    RegistryWorld world;
    const MeshSetId set = world.addMeshSet("quad", world.addRange(), world.addMaterial("stone"));
    const auto inCell = [](std::uint32_t cell)
    {
        WorldTransform transform = at(0, 0, -5);
        transform.cell.x = static_cast<std::int32_t>(cell);
        return transform;
    };
    std::vector<InstanceId> ids;
    for (std::uint32_t cell = 0; cell <= kMaxCellSlots; ++cell)
        ids.push_back(world.add(set, inCell(cell)));
    world.frame();
    EXPECT_EQ(world.resources->cells().residentCount(), kMaxCellSlots);
    ASSERT_EQ(world.registry.refusals().size(), 1U);
    const std::string detail = world.registry.refusals()[0].detail;
    EXPECT_NE(detail.find("cell (256, 0, "), std::string::npos) << detail;
    EXPECT_NE(detail.find("257 of 256"), std::string::npos) << detail;
    EXPECT_EQ(world.registry.stats().editsRefused, 1U);
    EXPECT_FALSE(world.registry.contains(ids.back()));

    // A move into one cell more is refused, too: the instance stays where it was and is drawn there.
    world.registry.move(ids[0], inCell(1000));
    world.frame();
    world.frame();
    EXPECT_EQ(world.registry.stats().editsRefused, 2U);
    EXPECT_EQ(world.registry.transform(ids[0]).cell.x, 0);
    EXPECT_EQ(world.stats("forward").drawsBefore, 1U) << "the camera sees the one in its own cell";

    world.registry.remove(ids[5]);
    const InstanceId late = world.add(set, inCell(1000));
    world.frame();
    EXPECT_TRUE(world.registry.contains(late));
    EXPECT_EQ(world.registry.stats().editsRefused, 2U);
    EXPECT_TRUE(world.messages.empty()) << world.messages.front();
}

TEST(SceneRegistry, RefusesStaleEditsAndKeepsTheOrderOfTheRest)
{
    RegistryWorld world;
    const MeshSetId set = world.addMeshSet("quad", world.addRange(), world.addMaterial("stone"));
    const InstanceId a = world.add(set, at(0, 0, -5), 7);
    world.registry.move(a, at(1, 0, -5));
    world.registry.remove(a);
    world.registry.move(a, at(2, 0, -5));
    const InstanceId b = world.add(MeshSetId{77, 1}, at(0, 0, -5));
    world.registry.applyEdits();
    EXPECT_FALSE(world.registry.contains(a));
    EXPECT_FALSE(world.registry.contains(b));
    EXPECT_EQ(world.registry.refusals().size(), 2U);
    const InstanceId c = world.add(set, at(0, 0, -5), 9);
    world.registry.applyEdits();
    EXPECT_TRUE(world.registry.contains(c));
    EXPECT_FALSE(world.registry.contains(a)) << "the index is reused, the id is not";
    EXPECT_EQ(world.registry.userTag(c), 9U);
    EXPECT_EQ(world.registry.stats().instanceCount, 1U);
}

TEST(SceneRegistry, TakesEditsFromSeveralThreads)
{
    RegistryWorld world;
    const MeshSetId set = world.addMeshSet("quad", world.addRange(), world.addMaterial("stone"));
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back(
            [&world, set]
            {
                for (int i = 0; i < 500; ++i)
                {
                    const InstanceId id = world.add(set, at(0, 0, -5));
                    if (i % 2 == 0)
                        world.registry.remove(id);
                }
            });
    for (std::thread& thread : threads)
        thread.join();
    world.registry.applyEdits();
    EXPECT_EQ(world.registry.stats().instanceCount, 1000U);
    EXPECT_TRUE(world.registry.refusals().empty());
}

TEST(SceneRegistry, OverridesAreVariantsThatJoinByTextureSet)
{
    RegistryWorld world;
    const MeshSetId set = world.addMeshSet("quad", world.addRange(), world.addMaterial("stone"));
    const MaterialId red = world.addMaterial("red"), glass = world.addMaterial("glass", kMaterialBlendedBit);
    const InstanceId a = world.add(set, at(0, 0, -5));
    world.add(set, at(1, 0, -5));
    world.registry.overrideMaterial(a, 0, red);
    world.frame();
    world.frame();
    EXPECT_EQ(world.stats("forward").draws, 1U) << "another material of the same texture set joins";
    EXPECT_EQ(world.stats("forward").drawsBefore, 2U);
    world.registry.overrideMaterial(a, 0, glass);
    world.frame();
    world.frame();
    EXPECT_EQ(world.stats("forward").drawsBefore, 1U);
    EXPECT_EQ(world.stats("blended").drawsBefore, 1U);
    world.registry.overrideMaterial(a, 0, MaterialId{});
    world.registry.overrideMaterial(a, 5, red);
    world.frame();
    EXPECT_EQ(world.stats("forward").drawsBefore, 2U) << "taken back";
    EXPECT_EQ(world.registry.refusals().size(), 1U) << "part 5 of 1";
    EXPECT_EQ(world.registry.meshSetVariant(a), set);
}

TEST(SceneRegistry, VisibilityGroupsFlipTogetherAtFrameStart)
{
    RegistryWorld world;
    InstanceDesc desc;
    desc.meshSet = world.addMeshSet("quad", world.addRange(), world.addMaterial("stone"));
    desc.visibilityGroup = world.resources->visibility().add(false);
    desc.transform = at(0, 0, -5);
    for (int i = 0; i < 3; ++i)
        world.registry.add(desc);
    world.frame();
    world.frame();
    EXPECT_EQ(world.stats("forward").drawsBefore, 0U);
    world.resources->visibility().set(desc.visibilityGroup, true);
    world.frame(); // its end begins the next frame
    EXPECT_EQ(world.stats("forward").drawsBefore, 0U);
    world.frame();
    EXPECT_EQ(world.stats("forward").drawsBefore, 3U);
}

TEST(SceneRegistry, ChoosesLodsByScreenSizeForAllViewsOfAGroup)
{
    RegistryWorld world;
    const MaterialId stone = world.addMaterial("stone");
    MeshSetDesc desc;
    desc.name = "lods";
    desc.materials = {stone};
    desc.bounds = {vec3(-1, -1, 0), vec3(1, 1, 0)};
    for (const float size : {0.2f, 0.01f})
    {
        MeshLod& lod = desc.lods.emplace_back();
        lod.minScreenSize = size;
        lod.sections.emplace_back().range = world.addRange(size);
    }
    const MeshSetId set = world.library->addMeshSet(desc).value();
    world.add(set, at(0, 0, -5));
    world.add(set, at(0, 0, -50));
    world.add(set, at(0, 0, -500)); // smaller than the last level allows
    world.frame();
    world.frame();
    EXPECT_EQ(world.stats("forward").drawsBefore, 2U);
    EXPECT_EQ(world.drawsText("forward"), "1x r0, 1x r1 (mesh range)");
}

TEST(SceneRegistry, SeesFarCellsExactly)
{
    RegistryWorld world;
    const MeshSetId set = world.addMeshSet("quad", world.addRange(), world.addMaterial("stone"));
    WorldTransform far = at(10, 0, 3);
    far.cell = i32vec3(1000000, 0, -2000000);
    world.add(set, far);
    const WorldPosition origin = {i32vec3(1000000, 0, -2000000), vec3(10, 0, 8)};
    world.frame(DrawWorld::camera(), origin);
    world.frame(DrawWorld::camera(), origin);
    EXPECT_EQ(world.stats("forward").drawsBefore, 1U);
    world.frame(DrawWorld::camera(), {i32vec3(1000000, 0, -2000001), vec3(10, 0, 8)});
    EXPECT_EQ(world.stats("forward").drawsBefore, 0U) << "a cell behind the camera";
    const WorldTransform moved = normalised(WorldTransform{i32vec3(0), at(0, 0, 0).affine});
    EXPECT_EQ(moved.cell, i32vec3(0));
    const WorldTransform negative = at(-1, 2049, 0);
    EXPECT_EQ(negative.cell, i32vec3(-1, 2, 0));
    EXPECT_FLOAT_EQ(negative.affine.rows[0].w, 1023.0f);
    EXPECT_FLOAT_EQ(negative.affine.rows[1].w, 1.0f);
}

TEST(SceneRegistry, MoversKeepTheirPreviousTransformForOneFrame)
{
    RegistryWorld world;
    const MeshSetId set = world.addMeshSet("quad", world.addRange(), world.addMaterial("stone"));
    const InstanceId id = world.add(set, at(0, 0, -5));
    world.frame();
    EXPECT_TRUE(world.resources->movers().movers().empty()) << "a spawn is no move";
    world.registry.move(id, at(1, 0, -5));
    world.registry.applyEdits();
    EXPECT_EQ(world.resources->movers().movers().size(), 1U);
    world.frame();
    EXPECT_TRUE(world.resources->movers().movers().empty());
}

TEST(SceneRegistry, StreamsAreEqualForOneAndTwoThreads)
{
    std::vector<std::byte> bytes[2];
    for (const std::uint32_t threads : {1U, 2U})
    {
        setThreadCount(threads);
        RegistryWorld world;
        std::vector<MeshSetId> sets;
        for (int i = 0; i < 8; ++i)
            sets.push_back(world.addMeshSet(
                "s", world.addRange(0.1f * static_cast<float>(i)), world.addMaterial("m", i % 3 == 0 ? kMaterialBlendedBit : 0)));
        std::mt19937 random(11);
        for (int i = 0; i < 40000; ++i)
            world.add(sets[static_cast<std::size_t>(i) % 8],
                at(static_cast<float>(random() % 200) - 100, static_cast<float>(random() % 200) - 100, -static_cast<float>(random() % 300),
                    i % 5 == 0 ? -1.0f : 1.0f));
        world.frame();
        world.frame();
        // A loaded machine may keep the second thread away from a whole frame; the frames are equal.
        for (int tries = 0; tries < 200 && (tries == 0 || parallelStats().distinctThreadCount < threads); ++tries)
        {
            resetParallelStats();
            world.frame();
        }
        ASSERT_TRUE(world.messages.empty()) << world.messages.front();
        EXPECT_EQ(parallelStats().distinctThreadCount, threads) << "both ran";
        bytes[threads - 1].assign(world.stream.bytes().begin(), world.stream.bytes().end());
        EXPECT_GT(world.stats("forward").drawsBefore, 1000U);
    }
    setThreadCount(0);
    EXPECT_TRUE(bytes[0] == bytes[1]);
}

TEST(SceneRegistry, AWarmFrameAllocatesNothingWhileCameraAndATenthMove)
{
    DrawWorld::Settings settings;
    settings.isValidated = false;
    RegistryWorld world(settings);
    const MeshSetId set = world.addMeshSet("a", world.addRange(), world.addMaterial("m"));
    const MeshSetId glass = world.addMeshSet("b", world.addRange(0.2f), world.addMaterial("g", kMaterialBlendedBit));
    std::vector<InstanceId> ids;
    for (int i = 0; i < 20000; ++i)
        ids.push_back(world.add(i % 4 == 0 ? glass : set, at(static_cast<float>(i % 200) - 100, 0, -static_cast<float>(i) / 200.0f)));
    const auto step = [&](int frame)
    {
        for (std::size_t i = static_cast<std::size_t>(frame) % 10; i < ids.size(); i += 10)
            world.registry.move(
                ids[i], at(static_cast<float>(i % 200) - 100, static_cast<float>(frame % 7), -static_cast<float>(i) / 200.0f));
        View view = DrawWorld::camera();
        view.viewProjection = view.viewProjection * lookAt(vec3(0), vec3(static_cast<float>(frame % 9) - 4.0f, 0, -10), vec3(0, 1, 0));
        world.frame(view);
    };
    for (int frame = 0; frame < 200; ++frame)
        step(frame);
    const std::size_t before = allocationCount();
    for (int frame = 200; frame < 300; ++frame)
        step(frame);
    EXPECT_EQ(allocationCount() - before, 0U);
    EXPECT_GT(world.stats("forward").drawsBefore, 1000U);
}

} // namespace dl
