#include "drawloom/cull/lod.h"

#include <gtest/gtest.h>

#include <cmath>

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

TEST(ScreenSize, FillsTheViewFromInsideAndShrinksWithDistance)
{
    EXPECT_EQ(screenSize(2.0f, 1.0f, 1.0f), 1.0f);
    EXPECT_EQ(screenSize(2.0f, 2.0f, 1.0f), 1.0f);
    const float fov = 2.0f * std::atan(1.0f); // half height equals distance
    EXPECT_NEAR(screenSize(1.0f, 100.0f, fov), 0.01f, 1e-5f);
    EXPECT_NEAR(screenSize(1.0f, 5.0f, fov), 1.0f / std::sqrt(24.0f), 1e-6f);
    EXPECT_EQ(screenSize(0.0f, 5.0f, fov), 0.0f);
}

} // namespace
} // namespace dl::cull
