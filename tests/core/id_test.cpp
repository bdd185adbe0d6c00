#include "drawloom/core/id.h"

#include <gtest/gtest.h>

#include <map>
#include <random>

namespace dl
{
namespace
{
using ThingId = Id<struct ThingTag>;
} // namespace

TEST(Id, ZeroMeansNone)
{
    EXPECT_FALSE(ThingId{});
    SlotTable<ThingId, int> table;
    EXPECT_TRUE(table.add(1));
    EXPECT_EQ(table.find(ThingId{}), nullptr);
}

TEST(SlotTable, DetectsStaleIds)
{
    SlotTable<ThingId, int> table;
    const ThingId first = table.add(10);
    EXPECT_TRUE(table.remove(first));
    EXPECT_FALSE(table.remove(first));
    const ThingId second = table.add(20);
    EXPECT_EQ(second.index, first.index);
    EXPECT_EQ(table.find(first), nullptr);
    EXPECT_EQ(*table.find(second), 20);
    EXPECT_EQ(table.find(ThingId{99, 1}), nullptr);
}

TEST(SlotTable, AgreesWithAMapOverRandomCalls)
{
    const unsigned seed = 20261201;
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    std::mt19937 random(seed);
    SlotTable<ThingId, int> table;
    std::map<ThingId, int> model;
    std::vector<ThingId> removed;
    for (int step = 0; step < 5000; ++step)
    {
        if (model.empty() || random() % 3 != 0)
        {
            const ThingId id = table.add(step);
            ASSERT_TRUE(model.emplace(id, step).second);
        }
        else
        {
            const auto victim = std::next(model.begin(), static_cast<long>(random() % model.size()));
            ASSERT_TRUE(table.remove(victim->first));
            removed.push_back(victim->first);
            model.erase(victim);
        }
    }
    EXPECT_EQ(table.size(), model.size());
    for (const auto& [id, value] : model)
        EXPECT_EQ(table.get(id), value);
    for (const ThingId id : removed)
        EXPECT_FALSE(table.contains(id));
    std::size_t visited = 0;
    table.forEach([&](ThingId id, int value) { visited += model.at(id) == value ? 1U : 0U; });
    EXPECT_EQ(visited, model.size());
}

} // namespace dl
