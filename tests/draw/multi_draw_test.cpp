// Runs of draws with equal state as one multi-draw-indirect: the same draws as without, wherever the device can, and only there.
#include "tests/draw/draw_world.h"

#include "drawloom/resource/indirect_list.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>

namespace dl
{

namespace
{
using Draw = std::array<std::uint32_t, 5>; ///< of one instanced draw, as DrawIndexedIndirect has it

std::vector<IndirectArguments> argumentsIn(const DrawWorld& world)
{
    std::vector<IndirectArguments> arguments;
    gpu::CommandReader reader(world.stream.bytes());
    while (const Result<gpu::CommandView> command = reader.next())
    {
        if (command->op != gpu::Op::WriteBuffer ||
            command->record<gpu::WriteBufferCmd>().buffer != world.resources->indirectDraws().buffer().id())
            continue;
        const std::span<const std::byte> bytes = command->trailing<gpu::WriteBufferCmd>();
        arguments.resize(bytes.size() / sizeof(IndirectArguments));
        std::memcpy(arguments.data(), bytes.data(), arguments.size() * sizeof(IndirectArguments));
    }
    return arguments;
}

/// What the stream draws, indirect draws looked up in the arguments that it uploads itself.
std::vector<Draw> drawsIn(const DrawWorld& world)
{
    const std::vector<IndirectArguments> arguments = argumentsIn(world);
    std::vector<Draw> draws;
    gpu::CommandReader reader(world.stream.bytes());
    while (const Result<gpu::CommandView> command = reader.next())
    {
        if (command->op == gpu::Op::DrawIndexed)
        {
            const auto cmd = command->record<gpu::DrawIndexedCmd>();
            draws.push_back(
                {cmd.indexCount, cmd.instanceCount, cmd.firstIndex, static_cast<std::uint32_t>(cmd.baseVertex), cmd.firstInstance});
        }
        if (command->op == gpu::Op::DrawIndexedIndirect)
        {
            const auto cmd = command->record<gpu::DrawIndexedIndirectCmd>();
            for (std::size_t i = 0; i < cmd.drawCount; ++i)
            {
                const IndirectArguments& a = arguments.at(static_cast<std::size_t>(cmd.offset) / sizeof(IndirectArguments) + i);
                draws.push_back({a.indexCount, a.instanceCount, a.firstIndex, static_cast<std::uint32_t>(a.baseVertex), a.firstInstance});
            }
        }
    }
    return draws;
}

std::size_t countOf(const DrawWorld& world, gpu::Op op)
{
    std::size_t count = 0;
    gpu::CommandReader reader(world.stream.bytes());
    while (const Result<gpu::CommandView> command = reader.next())
        count += command->op == op ? 1 : 0;
    return count;
}

/// Six meshes in two materials of one texture set and one of another, two of them blended.
void addTown(DrawWorld& world, ListSource& source)
{
    TextureSetDesc other;
    other.samplers[0].wrapU = WrapMode::MirroredRepeat;
    const TextureSetId otherSet = world.resources->textureSets().acquire(other).value();
    const MaterialId stone = world.addMaterial("stone"), brick = world.addMaterial("brick"), roof = world.addMaterial("roof", 0, otherSet),
                     glass = world.addMaterial("glass", kMaterialBlendedBit);
    for (int i = 0; i < 6; ++i)
    {
        const MeshRangeId range = world.addRange(0.1f * static_cast<float>(i));
        const float x = static_cast<float>(i);
        source.add({world.addMeshSet("a", range, i % 2 == 0 ? stone : brick), {{x, 0, -9}, {x, 1, -8}}});
        source.add({world.addMeshSet("b", range, roof), {{x, 2, -7}}});
        if (i < 2)
            source.add({world.addMeshSet("c", range, glass), {{x, 0, -5}, {x, 0, -3}}});
    }
}

/// Two frames in one submission mode: the second draws everything.
void drawIn(DrawWorld& world, ListSource& source, DrawSubmission submission)
{
    world.drawFrame->setSettings({.submission = submission});
    world.frame(source);
    world.frame(source);
    EXPECT_TRUE(world.messages.empty()) << world.messages.front();
}
} // namespace

TEST(MultiDraw, DrawsWhatDirectDrawsDrawInTheSameOrder)
{
    DrawWorld world;
    ListSource source(*world.resources, *world.library);
    addTown(world, source);
    drawIn(world, source, DrawSubmission::Joined);
    const std::vector<Draw> direct = drawsIn(world);
    EXPECT_EQ(countOf(world, gpu::Op::DrawIndexedIndirect), 0U);
    drawIn(world, source, DrawSubmission::Indirect);
    EXPECT_EQ(drawsIn(world), direct);
    EXPECT_EQ(countOf(world, gpu::Op::DrawIndexedIndirect), 4U) << "depth reads no textures: one; forward: one a texture set; blended: one";
    EXPECT_EQ(countOf(world, gpu::Op::DrawIndexed), 0U);
}

TEST(MultiDraw, StatisticsCountItAsOneCall)
{
    DrawWorld world;
    ListSource source(*world.resources, *world.library);
    addTown(world, source);
    drawIn(world, source, DrawSubmission::Indirect);
    world.null->resetStats();
    world.frame(source);
    for (const char* pass : {"depth", "forward", "blended"})
    {
        EXPECT_EQ(world.stats(pass).drawCalls, world.nullStats(pass)->drawCount) << pass;
        EXPECT_EQ(world.stats(pass).drawsBefore, world.nullStats(pass)->instanceCount) << pass;
        EXPECT_EQ(world.stats(pass).triangles, world.nullStats(pass)->triangleCount) << pass;
        EXPECT_GT(world.stats(pass).draws, world.stats(pass).drawCalls) << pass;
    }
    drawIn(world, source, DrawSubmission::Joined);
    EXPECT_EQ(world.stats("forward").drawCalls, world.stats("forward").draws);
}

TEST(MultiDraw, IsLeftToDevicesThatKeepFirstInstance) // draw case D7
{
    for (const gpu::Features features :
        {gpu::Features(gpu::Feature::MultiDrawIndirect), gpu::Features(gpu::Feature::IndirectFirstInstance)})
    {
        DrawWorld::Settings settings;
        settings.null.features = features;
        DrawWorld world(settings);
        ListSource source(*world.resources, *world.library);
        addTown(world, source);
        drawIn(world, source, DrawSubmission::Joined);
        const std::vector<Draw> direct = drawsIn(world);
        drawIn(world, source, DrawSubmission::Indirect);
        EXPECT_EQ(countOf(world, gpu::Op::DrawIndexedIndirect), 0U);
        EXPECT_EQ(drawsIn(world), direct);
        EXPECT_TRUE(std::any_of(direct.begin(), direct.end(), [](const Draw& draw) { return draw[4] == 5; })) << "firstInstance 5 occurs";
    }
}

TEST(MultiDraw, TakesRangesFromWhereTheFlushMovesThem)
{
    std::vector<Draw> draws[2];
    for (const DrawSubmission submission : {DrawSubmission::Joined, DrawSubmission::Indirect})
    {
        DrawWorld::Settings settings;
        settings.resources.geometry.maxBufferBytes = std::uint64_t(24) * 16; // four squares a page
        DrawWorld world(settings);
        ListSource source(*world.resources, *world.library);
        const MaterialId stone = world.addMaterial("stone");
        std::vector<MeshRangeId> ranges;
        for (int i = 0; i < 6; ++i)
        {
            ranges.push_back(world.addRange(0.1f * static_cast<float>(i)));
            if (i != 0)
                source.add({world.addMeshSet("s", ranges.back(), stone), {{0, 0, -5}}});
        }
        drawIn(world, source, submission);
        GeometryPool& pool = world.resources->geometry();
        ASSERT_EQ(pool.range(ranges[5]).pageIndex, 1U);
        pool.remove(ranges[0]);
        for (int i = 0; i < 3; ++i)
            world.frame(source); // its place is free once no frame reads it
        ASSERT_TRUE(pool.relocate(ranges[5], 0));
        world.frame(source);
        ASSERT_EQ(pool.range(ranges[5]).pageIndex, 0U);
        EXPECT_TRUE(world.messages.empty()) << world.messages.front();
        const bool isIndirect = submission == DrawSubmission::Indirect;
        EXPECT_EQ(countOf(world, gpu::Op::DrawIndexedIndirect), isIndirect ? 2U : 0U) << "depth and forward, page 0";
        EXPECT_EQ(countOf(world, gpu::Op::DrawIndexed), isIndirect ? 2U : 10U) << "page 1 holds one mesh: no run";
        draws[isIndirect ? 1 : 0] = drawsIn(world);
    }
    EXPECT_EQ(draws[0], draws[1]) << "direct draws look the range up when they are encoded";
}

TEST(MultiDraw, EachDrawsEveryInstanceForItselfInTheSameOrder)
{
    DrawWorld world;
    ListSource source(*world.resources, *world.library);
    addTown(world, source);
    drawIn(world, source, DrawSubmission::Each);
    const std::vector<Draw> each = drawsIn(world);
    EXPECT_EQ(each.size(), (6U * 3U) * 2U + 4U);
    EXPECT_TRUE(std::all_of(each.begin(), each.end(), [](const Draw& draw) { return draw[1] == 1; }));
    EXPECT_EQ(world.stats("forward").breaks[static_cast<std::size_t>(JoinBreak::Off)], 17U);
    EXPECT_EQ(world.stats("forward").draws, world.stats("forward").drawsBefore);
}

TEST(MultiDraw, TagsTellEachIdItsDrawAndWhatBrokeIt)
{
    DrawWorld world;
    ListSource source(*world.resources, *world.library);
    addTown(world, source);
    world.drawFrame->setSettings({.tagsDraws = true});
    world.frame(source);
    world.frame(source);
    std::vector<std::uint32_t> ids(world.drawFrame->ids().begin(), world.drawFrame->ids().end());
    for (const char* pass : {"depth", "forward", "blended"})
    {
        const std::span<const DrawRecord> draws = world.drawFrame->draws(world.library->findPass(pass), 0);
        ASSERT_GT(draws.size(), 1U);
        for (std::size_t i = 0; i < draws.size(); ++i)
            for (std::uint32_t k = 0; k < draws[i].instanceCount; ++k)
            {
                const std::uint32_t id = ids[draws[i].firstId + k];
                EXPECT_EQ(id >> kIdDrawShift & kIdDrawMask, i) << pass;
                EXPECT_EQ(id >> kIdBreakShift & kIdBreakMask, static_cast<std::uint32_t>(draws[i].breakReason)) << pass;
            }
    }
}

} // namespace dl
