#include "drawloom/core/parallel.h"
#include "drawloom/cull/groups.h"
#include "tests/cull/cull_scene.h"

#include <hwy/targets.h>

namespace dl::cull
{
namespace
{

Masks boxGroups(const Scene& scene, const std::vector<CullView>& views)
{
    CullGroups groups;
    groups.build(scene.boxes());
    VisibleObjects visible;
    groups.cull(views, visible);
    return masksOf(visible, scene.size());
}

Masks sphereGroups(const Scene& scene, const std::vector<CullView>& views)
{
    CullGroups groups;
    groups.build(scene.spheres());
    VisibleObjects visible;
    groups.cull(views, visible);
    return masksOf(visible, scene.size());
}

Masks flatBoxes(const Scene& scene, const std::vector<CullView>& views)
{
    Masks masks(scene.size());
    cullBoxesScalar(scene.boxes(), views, masks);
    return masks;
}

Masks flatSpheres(const Scene& scene, const std::vector<CullView>& views)
{
    Masks masks(scene.size());
    cullSpheresScalar(scene.spheres(), views, masks);
    return masks;
}

/// Copies of objects that touch planes to the last bit, so that whole groups do.
void repeatTouching(Scene& scene, const std::vector<CullView>& views, Random& random)
{
    Scene touching;
    addTouching(touching, views, random, 12, 8.0 / 8388608.0);
    for (std::size_t i = 0; i < touching.size(); ++i)
        for (int copy = 0; copy < 80; ++copy)
        {
            const float ulps = static_cast<float>(copy % 5 - 2);
            const vec3 centre(touching.x[i], touching.y[i], touching.z[i]);
            const vec3 extent(touching.ex[i], touching.ey[i], touching.ez[i]);
            scene.add(centre * (1.0f + ulps * 1.2e-7f), extent, UINT32_MAX);
        }
}

TEST(CullGroups, FindsExactlyWhatTheFlatTestFinds)
{
    std::size_t seen = 0;
    for (std::uint32_t seed = 0; seed < 40; ++seed)
    {
        Random random(seed);
        const std::size_t viewCounts[] = {1, 2, 5, 33, 64};
        const std::vector<CullView> views = randomViews(random, viewCounts[seed % 5]);
        Scene scene = randomScene(random, random.bits() % 3000U);
        repeatTouching(scene, views, random);
        if (seed % 3 == 0)
            scene.layers.clear();
        const Masks boxes = flatBoxes(scene, views);
        ASSERT_EQ(boxGroups(scene, views), boxes) << "seed " << seed;
        ASSERT_EQ(sphereGroups(scene, views), flatSpheres(scene, views)) << "seed " << seed;
        for (const std::uint64_t mask : boxes)
            seen += mask != 0 ? 1 : 0;
    }
    EXPECT_GT(seen, 1000U);
}

TEST(CullGroups, EveryInstructionSetFindsTheSameInTheSameOrder)
{
    Random random(17);
    const std::vector<CullView> views = randomViews(random, 5);
    Scene scene = randomScene(random, 5000);
    repeatTouching(scene, views, random);
    CullGroups groups;
    groups.build(scene.boxes());
    VisibleObjects first, other;
    groups.cull(views, first);
    for (const std::int64_t target : hwy::SupportedAndGeneratedTargets())
    {
        hwy::SetSupportedTargetsForTest(target);
        hwy::GetChosenTarget().Update(target);
        groups.cull(views, other);
        EXPECT_TRUE(std::equal(first.ids().begin(), first.ids().end(), other.ids().begin(), other.ids().end())) << hwy::TargetName(target);
        EXPECT_EQ(masksOf(other, scene.size()), flatBoxes(scene, views));
        hwy::SetSupportedTargetsForTest(0);
    }
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
}

TEST(CullGroups, AnyCountOfObjectsGivesTheFlatMasks)
{
    Random random(3);
    for (const std::size_t count : {0U, 1U, 63U, 64U, 65U, 127U, 128U, 129U, 4095U, 4096U, 4097U, 16384U, 16385U})
    {
        const Scene scene = randomScene(random, count);
        const std::vector<CullView> one = randomViews(random, 1), three = randomViews(random, 3);
        ASSERT_EQ(boxGroups(scene, one), flatBoxes(scene, one)) << count;
        ASSERT_EQ(sphereGroups(scene, three), flatSpheres(scene, three)) << count;
        ASSERT_EQ(boxGroups(scene, {}), Masks(count, 0)) << count;
    }
}

TEST(CullGroups, ViewsThatSeeAllOrNothingAndOneThatCutsShareAGroup)
{
    CullView all;
    all.planeCount = 0;
    CullView nothing = all;
    nothing.planes[0] = vec4(1, 0, 0, -1e6f);
    nothing.planeCount = 1;
    CullView half = nothing;
    half.planes[0].w = -50.0f;
    CullView blind = all;
    blind.layerMask = 0;
    Scene scene;
    for (int i = 0; i < 100; ++i)
        scene.add(vec3(static_cast<float>(i), 0, 0), vec3(0.25f), 1U << (i % 3));
    half.layerMask = 5;
    const std::vector<CullView> views{nothing, all, half, blind};
    EXPECT_EQ(boxGroups(scene, views), flatBoxes(scene, views));
    EXPECT_EQ(sphereGroups(scene, views), flatSpheres(scene, views));
    EXPECT_EQ(boxGroups(scene, {blind}), Masks(100, 0));
}

TEST(CullGroups, ObjectsBeyondNumbersAreTestedOnTheirOwn)
{
    Random random(23);
    const float odd[] = {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(), 3e38f, -3e38f, 1e30f};
    for (const float value : odd)
        for (int axis = 0; axis < 3; ++axis)
        {
            Scene scene = randomScene(random, 300);
            vec3 centre(1.0f);
            centre[axis] = value;
            scene.add(centre, vec3(1));
            scene.add(vec3(0), vec3(std::fabs(value)));
            const std::vector<CullView> views = randomViews(random, 3);
            ASSERT_EQ(boxGroups(scene, views), flatBoxes(scene, views)) << value << ", axis " << axis;
            ASSERT_EQ(sphereGroups(scene, views), flatSpheres(scene, views)) << value << ", axis " << axis;
        }
}

TEST(CullGroups, MovedObjectsAreFoundWhereTheyAre)
{
    Random random(31);
    Scene scene = randomScene(random, 2000);
    CullGroups boxes, spheres;
    boxes.build(scene.boxes());
    spheres.build(scene.spheres());
    VisibleObjects visible;
    for (int frame = 0; frame < 10; ++frame)
    {
        for (int m = 0; m < 200; ++m)
        {
            const std::uint32_t id = random.bits() % 2000U;
            const vec3 centre = random.point(frame == 5 ? 1e31f : 300.0f), extent = glm::abs(random.point(5.0f));
            scene.x[id] = centre.x, scene.y[id] = centre.y, scene.z[id] = centre.z;
            scene.ex[id] = extent.x, scene.ey[id] = extent.y, scene.ez[id] = extent.z;
            boxes.moveBox(id, centre, extent);
            spheres.moveSphere(id, centre, extent.x);
        }
        const std::vector<CullView> views = randomViews(random, 2);
        boxes.cull(views, visible);
        ASSERT_EQ(masksOf(visible, scene.size()), flatBoxes(scene, views)) << "frame " << frame;
        spheres.cull(views, visible);
        ASSERT_EQ(masksOf(visible, scene.size()), flatSpheres(scene, views)) << "frame " << frame;
    }
}

TEST(CullGroups, GrowthRisesWithMovesAndStartsAnewWithABuild)
{
    Scene scene;
    for (int i = 0; i < 4096; ++i)
        scene.add(vec3(static_cast<float>(i % 64), 0, static_cast<float>(i / 64)), vec3(0.5f));
    CullGroups groups;
    groups.build(scene.boxes());
    EXPECT_EQ(groups.growth(), 1.0f);
    VisibleObjects visible;
    groups.moveBox(0, vec3(63, 0, 63), vec3(0.5f));
    groups.cull({}, visible);
    const float once = groups.growth();
    EXPECT_GT(once, 1.0f);
    groups.moveBox(0, vec3(0, 0, 0), vec3(0.5f));
    groups.cull({}, visible);
    EXPECT_EQ(groups.growth(), 1.0f);
    groups.moveBox(0, vec3(63, 0, 63), vec3(0.5f));
    groups.build(scene.boxes());
    EXPECT_EQ(groups.growth(), 1.0f);
}

TEST(CullGroups, SameOrderForAnyThreadCount)
{
    Random random(77);
    const Scene scene = randomScene(random, 100003);
    const std::vector<CullView> views = randomViews(random, 3);
    std::vector<std::uint32_t> ids[2];
    Masks masks[2];
    for (std::uint32_t i = 0; i < 2; ++i)
    {
        setThreadCount(1 + 3 * i);
        CullGroups groups;
        groups.build(scene.boxes());
        VisibleObjects visible;
        groups.cull(views, visible);
        ids[i].assign(visible.ids().begin(), visible.ids().end());
        masks[i] = masksOf(visible, scene.size());
    }
    setThreadCount(0);
    EXPECT_EQ(ids[0], ids[1]);
    EXPECT_EQ(masks[0], masks[1]);
    EXPECT_EQ(masks[0], flatBoxes(scene, views));
}

} // namespace
} // namespace dl::cull
