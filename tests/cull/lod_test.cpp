#include "drawloom/cull/lod.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace dl::cull
{
namespace
{

TEST(LodRange, IsFullInsideAndNothingOutside)
{
    const LodRange range{vec3(1, 0, 0), 10.0f, 20.0f, 0.0f};
    EXPECT_EQ(lodWeight(range, 9.99f), 0.0f);
    EXPECT_EQ(lodWeight(range, 10.0f), 1.0f);
    EXPECT_EQ(lodWeight(range, 19.99f), 1.0f);
    EXPECT_EQ(lodWeight(range, 20.0f), 0.0f);
    EXPECT_EQ(lodWeight(range, vec3(16, 0, 0)), 1.0f);
    EXPECT_EQ(lodWeight(LodRange{}, 1e9f), 1.0f);
}

TEST(LodRange, NeighboursSumToOneAtEveryDistance)
{
    const LodRange children{vec3(0), 0.0f, 50.0f, 7.0f};
    const LodRange proxy{vec3(0), 50.0f, 500.0f, 7.0f};
    for (float distance = 0.0f; distance < 490.0f; distance += 0.37f)
        ASSERT_FLOAT_EQ(lodWeight(children, distance) + lodWeight(proxy, distance), 1.0f) << distance;
    EXPECT_FLOAT_EQ(lodWeight(proxy, 53.5f), 0.5f);
}

TEST(SelectLod, OwnsTheEdgeOnItsFarSide)
{
    const float edges[] = {10.0f, 30.0f, 90.0f};
    EXPECT_EQ(selectLod(edges, 0.0f, 0.0f).lod, 0U);
    EXPECT_EQ(selectLod(edges, 0.0f, 9.99f).lod, 0U);
    EXPECT_EQ(selectLod(edges, 0.0f, 10.0f).lod, 1U);
    EXPECT_EQ(selectLod(edges, 0.0f, 89.0f).lod, 2U);
    EXPECT_EQ(selectLod(edges, 0.0f, 90.0f).lod, kNoLod);
    EXPECT_EQ(selectLod({}, 0.0f, 1.0f).lod, kNoLod);
}

TEST(SelectLod, FadesTheNextOneInBehindTheEdge)
{
    const float edges[] = {10.0f, 30.0f};
    const LodSelection before = selectLod(edges, 4.0f, 9.0f);
    EXPECT_EQ(before.lod, 0U);
    EXPECT_EQ(before.fade, 0.0f);
    const LodSelection half = selectLod(edges, 4.0f, 12.0f);
    EXPECT_EQ(half.lod, 0U);
    EXPECT_FLOAT_EQ(half.fade, 0.5f);
    EXPECT_EQ(selectLod(edges, 4.0f, 14.0f).lod, 1U);
    EXPECT_EQ(selectLod(edges, 4.0f, 34.0f).lod, kNoLod);
}

TEST(SelectLod, BySizeTakesTheFirstThatIsReached)
{
    const float sizes[] = {0.5f, 0.1f};
    EXPECT_EQ(selectLodBySize(sizes, 0.7f).lod, 0U);
    EXPECT_EQ(selectLodBySize(sizes, 0.5f).lod, 0U);
    EXPECT_EQ(selectLodBySize(sizes, 0.49f).lod, 1U);
    EXPECT_EQ(selectLodBySize(sizes, 0.09f).lod, kNoLod);
}

TEST(SelectLod, OwnsEachThresholdOnTheNearSideToTheUlp)
{
    const float sizes[] = {0.5f, 0.1f, 0.02f};
    const auto below = [](float value) { return std::nextafter(value, 0.0f); };
    const auto above = [](float value) { return std::nextafter(value, 1.0f); };
    for (std::uint32_t lod = 0; lod < 3; ++lod)
    {
        EXPECT_EQ(selectLodBySize(sizes, sizes[lod]).lod, lod);
        EXPECT_EQ(selectLodBySize(sizes, above(sizes[lod])).lod, lod);
        EXPECT_EQ(selectLodBySize(sizes, below(sizes[lod])).lod, lod == 2 ? kNoLod : lod + 1);
    }
}

TEST(SelectLod, AtTheEnds)
{
    const float falling[] = {0.5f, 0.0f};
    EXPECT_EQ(selectLodBySize(falling, 0.0f).lod, 1U) << "a last size of 0 is never left";
    EXPECT_EQ(selectLodBySize(falling, std::numeric_limits<float>::infinity()).lod, 0U);
    EXPECT_EQ(selectLodBySize(falling, std::numeric_limits<float>::quiet_NaN()).lod, 0U) << "rather too fine than missing";
    EXPECT_EQ(selectLodBySize({}, 1.0f).lod, kNoLod);
    const float equal[] = {0.3f, 0.3f, 0.3f};
    EXPECT_EQ(selectLodBySize(equal, 0.3f).lod, 0U) << "of equal thresholds the finer level wins";
    EXPECT_EQ(selectLodBySize(equal, 0.29f).lod, kNoLod);
}

TEST(ScreenSize, IsTheDiameterOverTheHeightAtThatDistance)
{
    EXPECT_EQ(screenSize(2.0f, 8.0f, 1.0f), 0.25f); // 90 degrees: the height is twice the distance
    EXPECT_EQ(screenSize(2.0f, 8.0f, 2.0f), 0.5f);
    EXPECT_EQ(screenSize(0.0f, 5.0f, 1.0f), 0.0f);
    EXPECT_EQ(orthographicScreenSize(2.0f, 1.0f / 8.0f), 0.25f);
    for (float distance = 2.1f; distance < 50.0f; distance += 0.3f)
        EXPECT_GT(screenSize(2.0f, distance, 1.7f), screenSize(2.0f, distance + 0.3f, 1.7f));
}

TEST(ScreenSize, IsInfiniteFromInside)
{
    EXPECT_TRUE(std::isinf(screenSize(2.0f, 1.0f, 0.1f)));
    EXPECT_TRUE(std::isinf(screenSize(2.0f, 2.0f, 0.1f)));
    EXPECT_LT(screenSize(2.0f, std::nextafter(2.0f, 3.0f), 0.1f), 0.11f);
}

} // namespace
} // namespace dl::cull
