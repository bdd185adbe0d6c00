// The sample's draw source of 100,000 boxes (apps/samples/field_source.h) through the whole frame on the null device: what is
// drawn, against a look at every box in double precision.
#include "apps/samples/field_source.h"
#include "drawloom/gpu/null_device.h"
#include "drawloom/render/offscreen.h"
#include "fieldShaders.h"
#include "tests/gpu/allocation_count.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <set>

namespace dl
{
namespace
{

using samples::FieldSource;
constexpr std::uint32_t kWidth = 320, kHeight = 200;

/// Puts the views that the frame had where the test can see them; adds nothing.
struct ViewSpy final : DrawSource
{
    std::vector<View> views;
    std::vector<ViewGroup> groups;
    WorldPosition origin;
    void cull(const ViewSet& set, VisibleRunSink&) override
    {
        views.assign(set.views.begin(), set.views.end());
        groups.assign(set.groups.begin(), set.groups.end());
        origin = set.frameOrigin;
    }
};

struct Field
{
    std::unique_ptr<gpu::NullDevice> device = gpu::createNullDevice({.keepsContents = false});
    gpu::ShaderArchive shaders = gpu::ShaderArchive::open(samples::fieldShaders()).value();
    std::unique_ptr<Renderer> renderer = std::move(Renderer::create(*device, {.width = kWidth, .height = kHeight})).value();
    std::unique_ptr<FieldSource> source = std::move(FieldSource::create(*renderer, shaders)).value();
    ViewSpy spy;
    FrameDesc frame{.camera = lookAtCamera({-40.0, 14.0, 60.0}, {20.0, -6.0, -10.0})};

    Field()
    {
        renderer->addSource(*source);
        renderer->addSource(spy);
    }
    ~Field()
    {
        renderer->removeSource(*source);
        renderer->removeSource(spy);
    }
    void fillAll()
    {
        for (std::uint32_t tile = 0; tile < FieldSource::kTileCount; ++tile)
            ASSERT_TRUE(source->fill(tile, FieldSource::sizeOf(tile), 0));
    }
    void settle() { ASSERT_TRUE(settleScenes(*renderer, {}, frame)); }
    void draw() { ASSERT_TRUE(drawScenes(*renderer, {}, frame)); }
    /// Heap ids that a pass draws in a view, sorted.
    std::vector<HeapId> drawn(std::string_view pass, std::uint32_t view = 0) const
    {
        std::vector<HeapId> ids;
        for (const DrawRecord& draw : renderer->draws().draws(renderer->library().findPass(pass), view))
            for (std::uint32_t i = 0; i < draw.instanceCount; ++i)
                ids.push_back((HeapId(draw.heapPage) << 20U) | (renderer->draws().ids()[draw.firstId + i] & kIdIndexMask));
        std::sort(ids.begin(), ids.end());
        return ids;
    }
    /// Heap ids of the boxes, larger by `margin`, that a view shows: eight corners against the clip volume.
    std::vector<HeapId> expected(std::uint32_t viewIndex, double margin = 0.0) const
    {
        const View& view = spy.views[viewIndex];
        const glm::dmat4 toClip(view.viewProjection);
        const glm::dvec3 origin(cellOriginRelativeTo(i32vec3(0), spy.origin));
        std::vector<HeapId> ids;
        for (std::uint32_t tile = 0; tile < FieldSource::kTileCount; ++tile)
            for (std::uint32_t i = 0; i < source->count(tile); ++i)
            {
                const glm::dvec3 centre = origin + glm::dvec3(source->position(tile, i));
                const glm::dvec3 eye(spy.groups[view.groupIndex].lodEye);
                const double reach = double(FieldSource::kLodDistances.back()) + margin;
                if (isInside(toClip, centre, 0.5 + margin) && glm::length(centre - eye) < reach)
                    ids.push_back(source->heapId(tile, i));
            }
        std::sort(ids.begin(), ids.end());
        return ids;
    }
    static bool isInside(const glm::dmat4& toClip, glm::dvec3 centre, double half)
    {
        std::array<int, 6> outside = {};
        for (int corner = 0; corner < 8; ++corner)
        {
            const glm::dvec3 side((corner & 1) * 2 - 1, ((corner >> 1) & 1) * 2 - 1, ((corner >> 2) & 1) * 2 - 1);
            const glm::dvec4 clip = toClip * glm::dvec4(centre + half * side, 1.0);
            const double distances[] = {clip.w + clip.x, clip.w - clip.x, clip.w + clip.y, clip.w - clip.y, clip.z, clip.w - clip.z};
            for (std::size_t plane = 0; plane < 6; ++plane)
                outside[plane] += distances[plane] < 0.0 ? 1 : 0;
        }
        return std::find(outside.begin(), outside.end(), 8) == outside.end();
    }
};

TEST(FieldSource, HasAHundredThousandBoxesInUnevenBlocks)
{
    Field field;
    field.fillAll();
    std::set<std::uint32_t> sizes;
    std::uint32_t sum = 0;
    for (std::uint32_t tile = 0; tile < FieldSource::kTileCount; ++tile)
    {
        sizes.insert(field.source->count(tile));
        sum += field.source->count(tile);
    }
    EXPECT_EQ(sum, FieldSource::kInstanceCount);
    EXPECT_EQ(sizes.size(), FieldSource::kTileCount);
    EXPECT_EQ(field.renderer->resources().instances().blockCount(), FieldSource::kTileCount);
}

TEST(FieldSource, DrawsWhatALookAtEveryBoxSays)
{
    Field field;
    field.fillAll();
    field.settle();
    const glm::dvec3 eyes[] = {{-40, 14, 60}, {0, 3, 0}, {380, 200, 380}, {-500, 40, 0}, {10, 400, 0}, {4000, 5, 0}};
    for (const glm::dvec3& eye : eyes)
    {
        field.frame.camera = lookAtCamera(eye, {20.0, 0.0, -10.0});
        field.draw();
        ASSERT_EQ(field.spy.views.size(), 4U) << "the camera and three cascades";
        for (std::uint32_t view = 0; view < 4; ++view)
        {
            const std::vector<HeapId> drawn = field.drawn(view == 0 ? "opaque" : "shadow", view);
            const std::vector<HeapId> least = field.expected(view), most = field.expected(view, 0.001); // floats at the border
            EXPECT_TRUE(std::includes(drawn.begin(), drawn.end(), least.begin(), least.end())) << eye.x << ", view " << view;
            EXPECT_TRUE(std::includes(most.begin(), most.end(), drawn.begin(), drawn.end())) << eye.x << ", view " << view;
            EXPECT_LE(drawn.size() - least.size(), 5U);
        }
    }
    EXPECT_EQ(field.drawn("opaque").size(), 0U) << "the last one stands too far away";
}

TEST(FieldSource, ShadowsAreCastFromOutsideOfThePictureAndNotByWhatCastsNone)
{
    Field field;
    field.fillAll();
    field.settle();
    field.draw();
    const std::vector<HeapId> seen = field.drawn("opaque"), casters = field.drawn("shadow", 3);
    std::vector<HeapId> unseen;
    std::set_difference(casters.begin(), casters.end(), seen.begin(), seen.end(), std::back_inserter(unseen));
    EXPECT_GT(unseen.size(), 100U);
    for (std::uint32_t tile = 0; tile < FieldSource::kTileCount; ++tile)
        for (std::uint32_t i = 0; i < field.source->count(tile); i += 2)
            field.source->setCastsShadow(tile, i, false);
    field.draw();
    EXPECT_EQ(field.drawn("opaque"), seen);
    std::vector<HeapId> wanted;
    for (std::uint32_t tile = 0; tile < FieldSource::kTileCount; ++tile)
        for (std::uint32_t i = 1; i < field.source->count(tile); i += 2)
            if (std::binary_search(casters.begin(), casters.end(), field.source->heapId(tile, i)))
                wanted.push_back(field.source->heapId(tile, i));
    std::sort(wanted.begin(), wanted.end());
    EXPECT_EQ(field.drawn("shadow", 3), wanted);
}

TEST(FieldSource, FreedAndReusedBlocksDrawNothingStale)
{
    Field field;
    field.fillAll();
    field.settle();
    field.frame.camera = lookAtCamera({-500, 60, 0}, {0.0, 0.0, 0.0});
    for (std::uint32_t round = 0; round < 40; ++round)
    {
        const std::uint32_t tile = round * 13 % FieldSource::kTileCount, next = (tile + 5) % FieldSource::kTileCount;
        for (const std::uint32_t freed : {tile, next})
            field.source->clear(freed);
        field.draw();
        EXPECT_EQ(field.drawn("opaque"), field.expected(0)) << "two tiles empty";
        ASSERT_TRUE(field.source->fill(tile, FieldSource::sizeOf(next), round)); // records of another tile
        ASSERT_TRUE(field.source->fill(next, FieldSource::sizeOf(tile), round));
        field.draw();
        EXPECT_EQ(field.drawn("opaque"), field.expected(0)) << "and filled again";
        const InstanceRecord& record = field.renderer->resources().instances().record(field.source->heapId(tile, 7));
        EXPECT_EQ(vec3(record.row0.w, record.row1.w, record.row2.w), field.source->position(tile, 7));
    }
    std::uint32_t sum = 0;
    for (std::uint32_t tile = 0; tile < FieldSource::kTileCount; ++tile)
        sum += field.source->count(tile);
    EXPECT_EQ(field.renderer->resources().instances().liveRecordCount(), sum);
}

TEST(FieldSource, LeavesNothingBehind)
{
    Field field;
    GpuResources& resources = field.renderer->resources();
    field.fillAll();
    field.settle();
    field.renderer->removeSource(*field.source);
    field.source.reset();
    EXPECT_EQ(resources.instances().blockCount(), 0U);
    EXPECT_EQ(resources.instances().liveRecordCount(), 0U);
    EXPECT_EQ(resources.geometry().stats().rangeCount, 0U);
    EXPECT_EQ(resources.materials().size(), 0U);
    field.source = std::move(FieldSource::create(*field.renderer, field.shaders)).value(); // removed by the destructor
    field.renderer->addSource(*field.source);
}

TEST(FieldSource, LevelsOfDetailSwitchWhereTheySay)
{
    Field field;
    ASSERT_TRUE(field.source->fill(0, 1, 0));
    const vec3 box(0.0f, 1.0f, 0.0f);
    field.source->teleport(0, 0, box);
    field.settle();
    const auto trianglesAt = [&](float distance)
    {
        field.frame.camera = lookAtCamera({0.0, 1.0, double(distance)}, {0.0, 1.0, 0.0});
        field.device->resetStats();
        field.draw();
        for (const gpu::NullPassStats& pass : field.device->stats().passes)
            if (pass.label == "opaque")
                return pass.triangleCount;
        return std::uint64_t(0);
    };
    const auto [whole, all] = FieldSource::kLodDistances;
    EXPECT_EQ(trianglesAt(3.0f), 12U);
    EXPECT_EQ(trianglesAt(whole * 0.9999f), 12U);
    EXPECT_EQ(trianglesAt(whole * 1.0001f), 10U);
    EXPECT_EQ(trianglesAt(all * 0.9999f), 10U);
    EXPECT_EQ(trianglesAt(all * 1.0001f), 0U);
}

TEST(FieldSource, ItsPropertiesAreThoseOfTheBoxAndOfItsBlock)
{
    Field field;
    ASSERT_TRUE(field.source->fill(3, 20, 0));
    ASSERT_TRUE(field.source->fill(4, 20, 0));
    field.source->setColor(3, vec4(0.25f, 0.5f, 0.75f, 1.0f));
    field.source->setTint(4, 11, vec4(1, 0, 0, 1));
    const auto words = [&](std::uint32_t tile, std::uint32_t i)
    {
        const std::span<const std::uint32_t> heap = field.renderer->resources().properties().words();
        const std::uint32_t offset = field.renderer->resources().instances().record(field.source->heapId(tile, i)).propertyOffset;
        const auto color = [&](std::uint32_t k) { return std::bit_cast<float>(heap[heap[offset] + k]); };
        return std::pair(heap[offset + 1], vec4(color(0), color(1), color(2), color(3)));
    };
    const vec4 clay(0.7f, 0.35f, 0.2f, 1.0f);
    for (std::uint32_t i = 0; i < 20; ++i)
    {
        EXPECT_EQ(words(3, i), std::pair(0xFFFFFFFFU, vec4(0.25f, 0.5f, 0.75f, 1.0f))) << "of the block";
        EXPECT_EQ(words(4, i), std::pair(i == 11 ? 0xFF0000FFU : 0xFFFFFFFFU, clay)) << "the material's, and one tint";
    }
    field.source->clear(3);
    ASSERT_TRUE(field.source->fill(3, 20, 1));
    EXPECT_EQ(words(3, 0).second, clay) << "a block that is taken again begins anew";
}

TEST(FieldSource, RecordsMotionForWhatMovedAndForNothingElse)
{
    Field field;
    ASSERT_TRUE(field.source->fill(0, 10, 0));
    field.settle();
    const auto isMoving = [&](std::uint32_t i)
    { return field.renderer->resources().movers().slotOf(field.source->heapId(0, i)) != kNotMoving; };
    ASSERT_TRUE(field.source->move(0, 1, vec3(1)));
    ASSERT_TRUE(field.source->move(0, 2, vec3(2)));
    field.source->teleport(0, 2, vec3(3));
    field.source->teleport(0, 3, vec3(4));
    ASSERT_TRUE(field.source->move(0, 3, vec3(5)));
    EXPECT_TRUE(isMoving(1));
    EXPECT_FALSE(isMoving(2)) << "it jumped after it had moved";
    EXPECT_FALSE(isMoving(3)) << "it moved after a jump";
    EXPECT_FALSE(isMoving(4));
    const HeapId first = field.source->heapId(0, 0);
    field.source->clear(0);
    ASSERT_TRUE(field.source->fill(0, 10, 1));
    ASSERT_EQ(field.source->heapId(0, 0), first) << "the same records";
    ASSERT_TRUE(field.source->move(0, 5, vec3(6)));
    for (std::uint32_t i = 0; i < 10; ++i)
        EXPECT_FALSE(isMoving(i)) << "new since the last picture: " << i;
    field.draw();
    ASSERT_TRUE(field.source->move(0, 5, vec3(7)));
    EXPECT_TRUE(isMoving(5));
}

TEST(FieldSource, AllocatesNothingOnceWarm)
{
    Field field;
    field.fillAll();
    field.settle();
    const auto frame = [&](int i)
    {
        const double turn = 0.1 * (i % 20);
        field.frame.camera = lookAtCamera({90 * std::cos(turn), 12, 90 * std::sin(turn)}, {0, 0, 0});
        const auto tile = static_cast<std::uint32_t>(i % 20);
        field.source->clear(tile);
        const std::size_t before = gpu::allocationCount();
        for (std::uint32_t box = 0; box < 100; ++box)
            ASSERT_TRUE(field.source->move(40, box, field.source->position(40, box) + vec3(0, 0.01f, 0)));
        ASSERT_TRUE(field.renderer->beginFrame());
        ASSERT_TRUE(field.renderer->renderFrame(field.frame));
        EXPECT_TRUE(i < 60 || gpu::allocationCount() == before) << "frame " << i << ": " << gpu::allocationCount() - before;
        ASSERT_TRUE(field.source->fill(tile, FieldSource::sizeOf(tile), 0));
    };
    for (int i = 0; i < 80; ++i)
        frame(i);
}

/// The same box in every view of the frame; declares no shadow views.
class CameraOnlySource final : public DrawSource
{
public:
    explicit CameraOnlySource(FieldSource& field) : m_field(field) {}
    ViewKinds viewKinds() const override { return ViewKind::Camera; }
    void cull(const ViewSet& views, VisibleRunSink& sink) override { m_field.cull(views, sink); }

private:
    FieldSource& m_field;
};

TEST(DrawSource, IsNotShownInViewsOfAKindThatItDoesNotDeclare)
{
    Field field;
    ASSERT_TRUE(field.source->fill(0, 1, 0));
    field.source->teleport(0, 0, vec3(0, 1, 0));
    field.frame.camera = lookAtCamera({0, 3, 10}, {0, 1, 0});
    field.settle();
    field.draw();
    EXPECT_EQ(field.drawn("opaque").size(), 1U);
    EXPECT_EQ(field.drawn("shadow", 1).size(), 1U);
    CameraOnlySource shy(*field.source);
    field.renderer->removeSource(*field.source);
    field.renderer->addSource(shy);
    field.draw();
    EXPECT_EQ(field.drawn("opaque").size(), 1U);
    EXPECT_EQ(field.drawn("shadow", 1).size(), 0U);
    field.renderer->removeSource(shy);
    field.renderer->addSource(*field.source);
}

} // namespace
} // namespace dl
