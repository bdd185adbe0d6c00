#include "drawloom/core/parallel.h"
#include "tests/cull/cull_scene.h"

#include <hwy/targets.h>

#include <algorithm>

namespace dl::cull
{
namespace
{

Masks boxesSimd(const Scene& scene, const std::vector<CullView>& views)
{
    VisibleObjects visible;
    cullBoxes(scene.boxes(), views, visible);
    EXPECT_TRUE(std::is_sorted(visible.ids().begin(), visible.ids().end()));
    return masksOf(visible, scene.size());
}

Masks boxesScalar(const Scene& scene, const std::vector<CullView>& views)
{
    Masks masks(scene.size(), 0x5555);
    cullBoxesScalar(scene.boxes(), views, masks);
    return masks;
}

Masks spheresSimd(const Scene& scene, const std::vector<CullView>& views)
{
    VisibleObjects visible;
    cullSpheres(scene.spheres(), views, visible);
    EXPECT_TRUE(std::is_sorted(visible.ids().begin(), visible.ids().end()));
    return masksOf(visible, scene.size());
}

Masks spheresScalar(const Scene& scene, const std::vector<CullView>& views)
{
    Masks masks(scene.size(), 0x5555);
    cullSpheresScalar(scene.spheres(), views, masks);
    return masks;
}

TEST(Cull, KeepsWhatIsInsideAndDropsWhatIsBehind)
{
    const CullView view = extractView(perspectiveReversed(1.0f, 1.0f, 0.1f, 100.0f) * lookAt(vec3(0), vec3(0, 0, -1), vec3(0, 1, 0)));
    EXPECT_EQ(view.planeCount, 6U);
    Scene scene;
    scene.add(vec3(0, 0, -10), vec3(1));       // ahead
    scene.add(vec3(0, 0, 10), vec3(1));        // behind
    scene.add(vec3(0, 0, -200), vec3(1));      // beyond the far plane
    scene.add(vec3(100, 0, -10), vec3(1));     // to the right
    scene.add(vec3(0, 0, 10), vec3(1, 1, 11)); // reaches into view from behind
    EXPECT_EQ(boxesSimd(scene, {view}), (Masks{1, 0, 0, 0, 1}));
}

TEST(Cull, LeavesTheFarPlaneOfAnInfiniteProjectionOut)
{
    const mat4 projection = perspectiveReversed(1.0f, 1.0f, 0.1f, std::numeric_limits<float>::infinity());
    const CullView view = extractView(projection * lookAt(vec3(5, 6, 7), vec3(5, 6, -1), vec3(0, 1, 0)));
    EXPECT_EQ(view.planeCount, 5U);
    Scene scene;
    scene.add(vec3(5, 6, -1e9f), vec3(1));
    EXPECT_EQ(boxesSimd(scene, {view}), Masks{1});
}

TEST(Cull, FindsNothingAmongNoObjectsAndForNoViews)
{
    Scene scene;
    EXPECT_EQ(boxesSimd(scene, {CullView{}}), Masks{});
    scene.add(vec3(0), vec3(1));
    EXPECT_EQ(boxesSimd(scene, {}), Masks{0});
    EXPECT_EQ(spheresSimd(scene, {}), Masks{0});
}

TEST(Cull, AViewWithoutPlanesSeesAllOfItsLayers)
{
    Scene scene;
    scene.add(vec3(1e30f), vec3(0), 2);
    CullView all;
    all.planeCount = 0;
    CullView other = all;
    other.layerMask = 4;
    EXPECT_EQ(boxesSimd(scene, {all, other}), Masks{1});
    EXPECT_EQ(spheresSimd(scene, {all, other}), Masks{1});
}

TEST(Cull, ABoxThatTouchesAPlaneIsKeptAndOneStepAwayIsDropped)
{
    CullView view;
    view.planes[0] = vec4(1, 0, 0, 0); // x >= 0
    view.planeCount = 1;
    Scene scene;
    scene.add(vec3(-1, 0, 0), vec3(1));
    scene.add(vec3(-1.001f, 0, 0), vec3(1));
    EXPECT_EQ(boxesSimd(scene, {view}), (Masks{1, 0}));
    EXPECT_EQ(spheresSimd(scene, {view}), (Masks{1, 0}));
}

TEST(Cull, ObjectsWithNanOrInfinityAreSeen)
{
    CullView view;
    view.planes[0] = vec4(1, 0, 0, -5);
    view.planeCount = 1;
    const float nan = std::numeric_limits<float>::quiet_NaN();
    Scene scene;
    for (int i = 0; i < 19; ++i) // vector and tail
    {
        scene.add(vec3(nan, 0, 0), vec3(1));
        scene.add(vec3(0), vec3(std::numeric_limits<float>::infinity()));
    }
    EXPECT_EQ(boxesSimd(scene, {view}), Masks(scene.size(), 1));
    EXPECT_EQ(boxesSimd(scene, {view}), boxesScalar(scene, {view}));
    EXPECT_EQ(spheresSimd(scene, {view}), spheresScalar(scene, {view}));
}

TEST(Cull, SimdEqualsScalarBitForBitOnEveryInstructionSet)
{
    Random random(4711);
    std::uint32_t targetCount = 0;
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    {
        ++targetCount;
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(target);
        for (const std::size_t viewCount : {1U, 5U, 31U, 32U, 33U, 64U})
        {
            Scene scene = randomScene(random, 1 + random.bits() % 777U);
            const std::vector<CullView> views = randomViews(random, viewCount);
            addTouching(scene, views, random, 3000, 8.0 / 8388608.0); // decided by the last bit
            ASSERT_EQ(boxesSimd(scene, views), boxesScalar(scene, views)) << "seed 4711, target " << hwy::TargetName(target);
            ASSERT_EQ(spheresSimd(scene, views), spheresScalar(scene, views)) << "seed 4711, target " << hwy::TargetName(target);
        }
        hwy::SetSupportedTargetsForTest(0);
    }
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    EXPECT_GE(targetCount, 1U);
}

TEST(Cull, AnyCountOfObjectsAndViewsGivesTheReferencesMasks)
{
    Random random(5);
    for (const std::size_t count : {1U, 3U, 4U, 7U, 8U, 15U, 16U, 17U, 31U, 32U, 33U, 63U, 64U, 65U, 127U, 128U, 129U})
        for (const std::size_t viewCount : {0U, 1U, 2U, 5U, 32U, 33U, 64U})
        {
            const Scene scene = randomScene(random, count);
            const std::vector<CullView> views = randomViews(random, viewCount);
            ASSERT_EQ(boxesSimd(scene, views), boxesScalar(scene, views)) << count << " objects, " << viewCount << " views, seed 5";
            ASSERT_EQ(spheresSimd(scene, views), spheresScalar(scene, views)) << count << " objects, " << viewCount << " views, seed 5";
        }
}

TEST(Cull, AllInsideAndAllOutsideAreFoundWhole)
{
    CullView inside;
    inside.planes[0] = vec4(0, 1, 0, 10);
    inside.planeCount = 1;
    CullView outside = inside;
    outside.planes[0].w = -10;
    for (const std::size_t count : {1U, 63U, 64U, 65U, 1000U})
    {
        Scene scene;
        for (std::size_t i = 0; i < count; ++i)
            scene.add(vec3(static_cast<float>(i), 0, 0), vec3(1));
        EXPECT_EQ(boxesSimd(scene, {inside}), Masks(count, 1));
        EXPECT_EQ(boxesSimd(scene, {outside}), Masks(count, 0));
        EXPECT_EQ(spheresSimd(scene, {outside, inside}), Masks(count, 2));
    }
}

TEST(Cull, AViewWithoutLayersSeesNothingEvenOfObjectsWithoutMasks)
{
    Scene scene;
    for (int i = 0; i < 70; ++i)
        scene.add(vec3(0), vec3(1));
    scene.layers.clear();
    CullView blind;
    blind.planeCount = 0;
    blind.layerMask = 0;
    CullView all = blind;
    all.layerMask = 1;
    EXPECT_EQ(boxesSimd(scene, {blind}), Masks(70, 0));
    EXPECT_EQ(spheresSimd(scene, {blind, all}), Masks(70, 2));
    EXPECT_EQ(spheresSimd(scene, {blind, all}), spheresScalar(scene, {blind, all}));
}

TEST(Cull, MemoryIsReusedByShorterCallsOfFewerViews)
{
    Random random(8);
    const Scene scene = randomScene(random, 40000);
    const std::vector<CullView> views = randomViews(random, 3);
    VisibleObjects visible;
    cullBoxes(scene.boxes(), views, visible);
    const std::uint32_t* memory = visible.ids().data();
    cullBoxes(scene.boxes(), std::span(views).first(1), visible);
    EXPECT_EQ(visible.ids().data(), memory);
    EXPECT_EQ(masksOf(visible, scene.size()), boxesScalar(scene, {views[0]}));
    cullBoxes({}, views, visible);
    EXPECT_TRUE(visible.ids().empty());
}

TEST(Cull, SameMasksForAnyThreadCount)
{
    Random random(99);
    const Scene scene = randomScene(random, 100003);
    const std::vector<CullView> views = randomViews(random, 3);
    setThreadCount(1);
    const Masks one = boxesSimd(scene, views);
    setThreadCount(4);
    resetParallelStats();
    const Masks four = boxesSimd(scene, views);
    EXPECT_EQ(parallelStats().chunkCount, 7U);
    setThreadCount(0);
    EXPECT_EQ(one, four);
    EXPECT_EQ(one, boxesScalar(scene, views));
}

/// In double, from the float planes as given: is the bound outside of one plane for certain?
bool isBoxOutside(const CullView& view, const Scene& s, std::size_t i)
{
    for (std::uint32_t p = 0; p < view.planeCount; ++p)
    {
        const glm::dvec4 plane(view.planes[p]);
        const double reach = std::fabs(plane.x) * s.ex[i] + std::fabs(plane.y) * s.ey[i] + std::fabs(plane.z) * s.ez[i];
        if (plane.x * s.x[i] + plane.y * s.y[i] + plane.z * s.z[i] + plane.w + reach < 0.0)
            return true;
    }
    return false;
}

bool isSphereOutside(const CullView& view, const Scene& s, std::size_t i)
{
    for (std::uint32_t p = 0; p < view.planeCount; ++p)
    {
        const glm::dvec4 plane(view.planes[p]);
        const double reach = glm::length(glm::dvec3(plane)) * s.ex[i];
        if (plane.x * s.x[i] + plane.y * s.y[i] + plane.z * s.z[i] + plane.w + reach < 0.0)
            return true;
    }
    return false;
}

TEST(Cull, NeverDropsWhatADoublePrecisionTestKeeps)
{
    std::size_t seen = 0;
    std::size_t dropped = 0;
    std::size_t extra = 0;
    for (std::uint32_t seed = 0; seed < 100; ++seed)
    {
        Random random(seed);
        Scene scene = randomScene(random, 500);
        const std::vector<CullView> views = randomViews(random, 4);
        addTouching(scene, views, random, 500, 0.0);
        const Masks boxes = boxesSimd(scene, views);
        const Masks spheres = spheresSimd(scene, views);
        for (std::size_t i = 0; i < scene.size(); ++i)
            for (std::size_t v = 0; v < views.size(); ++v)
            {
                if ((views[v].layerMask & scene.layers[i]) == 0)
                    continue;
                const bool isBoxSeen = (boxes[i] >> v & 1U) != 0;
                const bool isOutside = isBoxOutside(views[v], scene, i);
                ASSERT_TRUE(isBoxSeen || isOutside) << "seed " << seed << ", box " << i;
                ASSERT_TRUE((spheres[i] >> v & 1U) != 0 || isSphereOutside(views[v], scene, i)) << "seed " << seed << ", sphere " << i;
                seen += isBoxSeen ? 1 : 0;
                dropped += isBoxSeen ? 0 : 1;
                extra += isBoxSeen && isOutside ? 1 : 0;
            }
    }
    EXPECT_GT(seen, 10000U);
    EXPECT_GT(dropped, 10000U);
    EXPECT_LT(extra, seen / 5); // the widening costs little, although a half of the boxes touches a plane to the last bits
}

TEST(Cull, NeverDropsAPointThatProjectsIntoClipSpace)
{
    std::size_t inside = 0;
    for (std::uint32_t seed = 0; seed < 50; ++seed)
    {
        Random random(seed);
        const mat4 matrix = randomViewProjection(random);
        const glm::dmat4 exact(matrix);
        Scene scene;
        for (int i = 0; i < 2000; ++i)
            scene.add(random.point(400.0f), vec3(0), 1);
        const Masks masks = boxesSimd(scene, {extractView(matrix)});
        for (std::size_t i = 0; i < scene.size(); ++i)
        {
            const glm::dvec4 c = exact * glm::dvec4(scene.x[i], scene.y[i], scene.z[i], 1.0);
            const bool isInside = std::fabs(c.x) <= c.w && std::fabs(c.y) <= c.w && c.z >= 0.0 && c.z <= c.w;
            ASSERT_TRUE(!isInside || masks[i] == 1) << "seed " << seed << ", point " << i;
            inside += isInside ? 1 : 0;
        }
    }
    EXPECT_GT(inside, 1000U);
}

} // namespace
} // namespace dl::cull
