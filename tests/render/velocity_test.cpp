// Velocity of movers, cameras, spawns, jumps, levels of detail and far cells, texel by texel against rays in double precision.
#include "tests/render/velocity_world.h"

#include "drawloom/cull/cull.h"

#include <array>

namespace dl
{
namespace
{

using Velocity = VelocityWorld;

const RenderCamera kCamera = lookAtCamera({0.0, 0.0, 4.0}, {0.0, 0.0, 0.0});

glm::quat turned(float radians, vec3 axis)
{
    return glm::angleAxis(radians, glm::normalize(axis));
}

TEST_P(Velocity, OfAMovingBoxIsItsOwnAndEverythingElseRests)
{
    const MeshSetId box = addBoxes({vec3(0.5f)}), wall = addBoxes({vec3(3, 3, 0.1f)});
    ExpectedBox mover{vec3(0.5f), {}, placedAt(-0.4, 0.1, 0.2)};
    const ExpectedBox back{vec3(3, 3, 0.1f), placedAt(0, 0, -2), placedAt(0, 0, -2)};
    const InstanceId id = add(box, mover.before);
    add(wall, back.now);
    settle(kCamera);
    expectRest("nothing has moved");
    mover.now = placedAt(-0.25, 0.17, 0.5, turned(0.2f, vec3(0.3f, 1, 0)));
    renderer->registry().move(id, placedAt(9, 9, 9)); // several moves of a frame are one
    renderer->registry().move(id, mover.now);
    draw(kCamera);
    const std::array boxes = {mover, back};
    expect(boxes, kCamera, "moved and turned");
    EXPECT_GT(comparedCount, 3000U);
    draw(kCamera);
    expectRest("paused after the motion");
}

TEST_P(Velocity, OfATurningAndWalkingCameraCoversTheSkyToo)
{
    const ExpectedBox box{vec3(0.5f), placedAt(0.3, 0, 0), placedAt(0.3, 0, 0)};
    add(addBoxes({vec3(0.5f)}), box.now);
    settle(kCamera);
    const RenderCamera next = lookAtCamera({0.3, 0.2, 3.5}, {-0.2, 0.1, 0.0});
    draw(next);
    expect(std::span(&box, 1), kCamera, "turned and walked");
    EXPECT_GT(comparedCount, 200U);
    draw(next);
    expectRest("the camera stopped");
    draw(lookAtCamera({0.3, 0.2, -3.5}, {0.3, 0.1, 0.0}));
    expect(std::span(&box, 1), next, "the other side: what is seen now was behind the box");
    const RenderCamera away = lookAtCamera({0.3, 0.2, -3.5}, {0.3, 0.1, -9.0});
    draw(away);
    draw(lookAtCamera({0.3, 0.2, -3.5}, {0.3, 0.1, 0.0}));
    expect(std::span(&box, 1), away, "what is seen now was behind the camera");
}

TEST_P(Velocity, OfASpawnedBoxIsTheCamerasAlone)
{
    const MeshSetId box = addBoxes({vec3(0.5f)});
    add(box, placedAt(-1.0, 0, 0));
    settle(kCamera);
    const RenderCamera next = lookAtCamera({0.2, 0.0, 4.0}, {0.1, 0.0, 0.0});
    const InstanceId spawned = add(box, placedAt(5, 5, 5));
    renderer->registry().move(spawned, placedAt(1.0, 0, 0)); // placed for the first picture: no motion
    draw(next);
    const std::array boxes = {ExpectedBox{vec3(0.5f), placedAt(-1.0, 0, 0), placedAt(-1.0, 0, 0)},
        ExpectedBox{vec3(0.5f), placedAt(1.0, 0, 0), placedAt(1.0, 0, 0)}};
    expect(boxes, kCamera, "spawned");
    EXPECT_GT(comparedCount, 400U);
}

TEST_P(Velocity, OfAJumpIsTheCamerasAlone)
{
    const MeshSetId set = addBoxes({vec3(0.5f)});
    const InstanceId id = add(set, placedAt(-1.0, 0, 0));
    settle(kCamera);
    renderer->registry().move(id, placedAt(-0.5, 0, 0));
    renderer->registry().teleport(id, placedAt(0.5, 0, 0));
    renderer->registry().move(id, placedAt(0.6, 0, 0));
    draw(kCamera);
    expectRest("a jump, with moves before and after it");
    const ExpectedBox box{vec3(0.5f), placedAt(0.8, 0, 0), placedAt(0.6, 0, 0)};
    renderer->registry().move(id, box.now);
    draw(kCamera);
    expect(std::span(&box, 1), kCamera, "and on from there");
}

TEST_P(Velocity, OfAReusedRecordIsNotThatOfItsFormerOwner)
{
    const MeshSetId set = addBoxes({vec3(0.5f)});
    const InstanceId first = add(set, placedAt(-1.0, 0, 0));
    settle(kCamera);
    draw(kCamera);
    const std::uint32_t blocks = renderer->resources().instances().liveRecordCount();
    renderer->registry().move(first, placedAt(-0.5, 0, 0));
    renderer->registry().remove(first);
    add(set, placedAt(0.5, 0, 0));
    draw(kCamera);
    EXPECT_EQ(renderer->resources().instances().liveRecordCount(), blocks) << "the record was handed on";
    expectRest("removed, its record used again");
}

TEST_P(Velocity, OfABoxThatIsShownAgainIsTheCamerasAlone)
{
    const MeshSetId set = addBoxes({vec3(0.5f)});
    const InstanceId id = add(set, placedAt(-1.0, 0, 0));
    settle(kCamera);
    renderer->registry().hide(id, true);
    draw(kCamera);
    renderer->registry().move(id, placedAt(0, 0, 0));
    draw(kCamera);
    renderer->registry().move(id, placedAt(0.5, 0, 0));
    renderer->registry().hide(id, false);
    draw(kCamera);
    expectRest("shown again elsewhere");
    const ExpectedBox box{vec3(0.5f), placedAt(0.8, 0, 0), placedAt(0.5, 0, 0)};
    renderer->registry().hide(id, true);
    renderer->registry().move(id, box.now);
    renderer->registry().hide(id, false);
    draw(kCamera);
    expect(std::span(&box, 1), kCamera, "hidden and shown between two pictures: it was always there");
    EXPECT_GT(comparedCount, 200U);
}

TEST_P(Velocity, IsExactAcrossBordersOfFarCells)
{
    constexpr double kFar = 1024.0 * 100'000; // a float offset from here would be off by 8 m
    const MeshSetId set = addBoxes({vec3(0.5f)});
    ExpectedBox mover{vec3(0.5f), {}, placedAt(kFar - 0.05, 700.3, -kFar)};
    const ExpectedBox still{vec3(0.5f), placedAt(kFar + 1.2, 700.1, -kFar - 1.0), placedAt(kFar + 1.2, 700.1, -kFar - 1.0)};
    const InstanceId id = add(set, mover.before);
    add(set, still.now);
    const RenderCamera first = lookAtCamera({kFar - 0.02, 700.5, -kFar + 4.0}, {kFar, 700.0, -kFar});
    settle(first);
    mover.now = placedAt(kFar + 0.06, 700.3, -kFar + 0.05); // crosses in x and z
    renderer->registry().move(id, mover.now);
    RenderCamera second = first; // the frame's origin crosses too
    second.position = toWorldPosition(kFar + 0.1, 700.5, -kFar + 4.0);
    ASSERT_NE(first.position.cell.x, second.position.cell.x);
    draw(second);
    const std::array boxes = {mover, still};
    expect(boxes, first, "across the border");
    EXPECT_GT(comparedCount, 400U);
    draw(second);
    expectRest("and at rest behind it");
}

TEST_P(Velocity, DoesNotJumpWithTheLevelOfDetail)
{
    ExpectedBox box{vec3(0.5f), placedAt(0, 0, 0), placedAt(0, 0, 0)};
    add(addBoxes({vec3(0.5f), vec3(0.4f, 0.45f, 0.4f)}), box.now);
    const RenderCamera near = lookAtCamera({0, 0, 3.9}, {0, 0, 0}), far = lookAtCamera({0, 0, 4.2}, {0, 0, 0});
    settle(near);
    draw(far);
    box.half = vec3(0.4f, 0.45f, 0.4f);
    expect(std::span(&box, 1), near, "the coarser box moves as the camera says");
    EXPECT_GT(comparedCount, 100U);
    draw(near);
    box.half = vec3(0.5f);
    expect(std::span(&box, 1), far, "and the finer one");
}

/// One box in a block of its own.
class OneBoxSource final : public DrawSource
{
public:
    OneBoxSource(Renderer& renderer, MeshSetId box) : m_box(box), m_resources(renderer.resources())
    {
        m_cell = m_resources.cells().acquire(i32vec3(0)).value();
        m_block = m_resources.instances().allocateBlock(1).value();
        InstanceRecord record;
        record.materialRef = renderer.library().findMeshSet(box)->materialRef;
        record.flags = (m_cell << kInstanceCellSlotShift) | (1U << kInstanceLayersShift);
        m_resources.instances().write(m_block, 0, record);
    }
    ~OneBoxSource() override
    {
        m_resources.instances().freeBlock(m_block);
        m_resources.cells().release(m_cell);
    }
    HeapId id() const { return m_resources.instances().block(m_block).firstId; }
    void cull(const ViewSet& views, VisibleRunSink& sink) override
    {
        VisibleRun run;
        run.meshSet = m_box;
        run.viewMask = 1;
        const std::uint32_t ids[] = {id()};
        const vec3 centres[] = {cellOriginRelativeTo(i32vec3(0), views.frameOrigin)};
        sink.add(run, ids, centres);
    }

private:
    MeshSetId m_box;
    GpuResources& m_resources;
    std::uint32_t m_cell = 0;
    InstanceBlockId m_block;
};

TEST_P(Velocity, OfAUsersSourceIsWhatItRecords)
{
    OneBoxSource source(*renderer, addBoxes({vec3(0.5f)}));
    renderer->addSource(source);
    settle(kCamera);
    const ExpectedBox first{vec3(0.5f), placedAt(0.3, 0, 0), placedAt(0, 0, 0)};
    renderer->resources().instances().setTransform(source.id(), first.now.affine);
    draw(kCamera);
    expectRest("nothing recorded: as if it had always been there");
    const ExpectedBox second{vec3(0.5f), placedAt(0.5, 0.2, 0), first.now};
    renderer->resources().instances().setTransform(source.id(), second.now.affine);
    ASSERT_TRUE(renderer->resources().movers().record(source.id(), second.before.affine));
    draw(kCamera);
    expect(std::span(&second, 1), kCamera, "recorded");
    EXPECT_GT(comparedCount, 200U);
    renderer->removeSource(source);
}

TEST_P(Velocity, CostsNothingUntilAFrameAsks)
{
    add(addBoxes({vec3(0.5f)}), placedAt(0, 0, 0));
    const auto drawPlain = [&]
    {
        ASSERT_TRUE(renderer->beginFrame());
        ASSERT_TRUE(renderer->renderFrame({.camera = kCamera}));
        ASSERT_TRUE(renderer->finish());
    };
    const auto hasPass = [&]
    {
        for (const PassFrameStats& pass : renderer->stats().passes)
            if (pass.name.starts_with("velocity"))
                return true;
        return false;
    };
    for (int i = 0; i < 3; ++i)
        drawPlain();
    const std::uint64_t pipelines = renderer->library().counters().pipelinesCreated;
    EXPECT_FALSE(hasPass());
    EXPECT_FALSE(renderer->library().findPass("velocity"));
    EXPECT_TRUE(renderer->velocity().empty());
    settle(kCamera);
    EXPECT_TRUE(hasPass());
    EXPECT_GT(renderer->library().counters().pipelinesCreated, pipelines);
    drawPlain();
    EXPECT_FALSE(hasPass());
}

INSTANTIATE_TEST_SUITE_P(SoftwareDrivers, Velocity, testing::Values("llvmpipe", "swiftshader"),
    [](const testing::TestParamInfo<const char*>& driver) { return std::string(driver.param); });

} // namespace
} // namespace dl
