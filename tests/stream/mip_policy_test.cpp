// Tests of drawloom/stream/mip_policy.h.
#include "drawloom/stream/mip_policy.h"

#include <gtest/gtest.h>

#include <random>

namespace dl
{
namespace
{

MipTexture squareTexture(std::uint32_t mipCount)
{
    MipTexture texture;
    texture.coarsestMip = mipCount - 1;
    std::uint64_t tail = 0;
    for (std::uint32_t mip = mipCount; mip-- > 0;)
    {
        const std::uint64_t side = std::uint64_t(1) << (mipCount - 1 - mip);
        tail += side * side * 4;
        texture.tailBytes[mip] = tail;
    }
    return texture;
}

TEST(MipPolicy, OneTexelPerPixelIsMipZeroAndEachDoublingOfDistanceOneCoarser)
{
    MipDemand demand;
    demand.uvPerMetre = 1.0f;
    demand.textureTexels = 1024;
    demand.pixelsPerUnit = 1024.0f;
    demand.distanceMetres = 1.0f;
    EXPECT_EQ(wantedMip(demand, 11), 0U);
    demand.distanceMetres = 1.99f;
    EXPECT_EQ(wantedMip(demand, 11), 0U);
    demand.distanceMetres = 2.0f;
    EXPECT_EQ(wantedMip(demand, 11), 1U);
    demand.distanceMetres = 64.0f;
    EXPECT_EQ(wantedMip(demand, 11), 6U);
    demand.bias = 1.0f;
    EXPECT_EQ(wantedMip(demand, 11), 7U);
    demand.distanceMetres = 1e9f;
    EXPECT_EQ(wantedMip(demand, 11), 10U);
    demand.distanceMetres = 0.0f;
    EXPECT_EQ(wantedMip(demand, 11), 0U);
    demand.uvPerMetre = 0.0f;
    EXPECT_EQ(wantedMip(demand, 11), 10U);
    EXPECT_EQ(wantedMip(demand, 0), 0U);
}

TEST(MipPolicy, PlansWhatIsWantedWhenItFits)
{
    std::vector<MipTexture> textures(3, squareTexture(8));
    textures[1].wantedMip = 3;
    textures[2].wantedMip = 99; // past the coarsest
    MipPlan plan;
    planMips(textures, {}, plan);
    ASSERT_EQ(plan.decisions.size(), 3U);
    EXPECT_EQ(plan.mips, (std::vector<std::uint32_t>{0, 3, 7}));
    EXPECT_EQ(plan.deniedBytes, 0U);
    EXPECT_EQ(plan.plannedBytes, textures[0].tailBytes[0] + textures[1].tailBytes[3] + textures[2].tailBytes[7]);
}

TEST(MipPolicy, AnEmptyWorldPlansNothing)
{
    MipPlan plan;
    planMips({}, {}, plan);
    EXPECT_TRUE(plan.decisions.empty());
    EXPECT_EQ(plan.plannedBytes, 0U);
}

TEST(MipPolicy, GrantsExactlyTheBudgetAndReportsTheRest)
{
    std::vector<MipTexture> textures(2, squareTexture(4));
    MipPolicySettings settings;
    settings.budgetBytes = 2 * textures[0].tailBytes[1];
    MipPlan plan;
    planMips(textures, settings, plan);
    EXPECT_EQ(plan.mips, (std::vector<std::uint32_t>{1, 1}));
    EXPECT_EQ(plan.plannedBytes, settings.budgetBytes);
    EXPECT_EQ(plan.deniedBytes, 2 * (textures[0].tailBytes[0] - textures[0].tailBytes[1]));
    settings.budgetBytes += textures[0].tailBytes[0] - textures[0].tailBytes[1];
    textures[1].priority = 1.0f;
    planMips(textures, settings, plan);
    EXPECT_EQ(plan.mips, (std::vector<std::uint32_t>{1, 0})) << "the more important one gets the last mip";
    settings.budgetBytes = 0;
    planMips(textures, settings, plan);
    EXPECT_EQ(plan.mips, (std::vector<std::uint32_t>{3, 3})) << "the coarsest mips are always granted";
}

TEST(MipPolicy, KeepsFinerMipsForAWhileUnlessTheBudgetIsShort)
{
    std::vector<MipTexture> textures(1, squareTexture(6));
    textures[0].residentMip = 0;
    textures[0].wantedMip = 3;
    MipPolicySettings settings;
    MipPlan plan;
    textures[0].framesUnwanted = settings.keepFrames;
    planMips(textures, settings, plan);
    EXPECT_TRUE(plan.decisions.empty());
    textures[0].framesUnwanted = settings.keepFrames + 1;
    planMips(textures, settings, plan);
    ASSERT_EQ(plan.decisions.size(), 1U);
    EXPECT_EQ(plan.decisions[0].mip, 3U);
    EXPECT_FALSE(plan.decisions[0].isUpgrade);
    textures[0].framesUnwanted = 1;
    settings.budgetBytes = textures[0].tailBytes[1];
    planMips(textures, settings, plan);
    ASSERT_EQ(plan.decisions.size(), 1U);
    EXPECT_EQ(plan.decisions[0].mip, 1U);
}

TEST(MipPolicy, LoadsNoMoreThanAllowedPerPlan)
{
    std::vector<MipTexture> textures(10, squareTexture(8));
    for (MipTexture& texture : textures)
        texture.residentMip = 7;
    MipPolicySettings settings;
    settings.maxLoadBytes = 3 * (textures[0].tailBytes[5] - textures[0].tailBytes[7]);
    MipPlan plan;
    planMips(textures, settings, plan);
    std::uint64_t load = 0;
    for (const MipDecision& decision : plan.decisions)
        load += textures[decision.textureIndex].tailBytes[decision.mip] - textures[decision.textureIndex].tailBytes[7];
    EXPECT_LE(load, settings.maxLoadBytes);
    EXPECT_FALSE(plan.decisions.empty());
}

TEST(MipPolicy, NeverExceedsTheBudgetAndSettles)
{
    for (std::uint32_t seed = 1; seed <= 30; ++seed)
    {
        SCOPED_TRACE(seed);
        std::mt19937 random(seed);
        std::vector<MipTexture> textures;
        std::uint64_t least = 0;
        for (int i = 0; i < 50; ++i)
        {
            textures.push_back(squareTexture(static_cast<std::uint32_t>(1 + random() % 12)));
            textures.back().wantedMip = static_cast<std::uint32_t>(random() % 12);
            textures.back().priority = static_cast<float>(random() % 5);
            least += textures.back().tailBytes[textures.back().coarsestMip];
        }
        MipPolicySettings settings;
        settings.budgetBytes = least + random() % (std::uint64_t(1) << 26U);
        settings.maxLoadBytes = std::uint64_t(1) << 22U;
        MipPlan plan;
        int rounds = 0;
        do
        {
            planMips(textures, settings, plan);
            ASSERT_LE(plan.plannedBytes, settings.budgetBytes);
            for (const MipDecision& decision : plan.decisions)
                textures[decision.textureIndex].residentMip = decision.mip;
            ASSERT_LT(++rounds, 100);
        } while (!plan.decisions.empty());
    }
}

} // namespace
} // namespace dl
