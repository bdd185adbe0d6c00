#include "drawloom/draw/sort_key.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace dl
{

TEST(RadixSort, EqualsAStableSort)
{
    const std::uint32_t seed = 20240607;
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::vector<SortItem> scratch;
    for (const std::size_t count : {0U, 1U, 2U, 255U, 256U, 5000U})
        for (const std::uint64_t mask : {~0ULL, 0xFULL, 0xFF00000000000000ULL, 0ULL})
        {
            std::vector<SortItem> items(count);
            for (std::uint32_t i = 0; i < count; ++i)
                items[i] = {random() & mask, i, 0};
            std::vector<SortItem> expected = items;
            std::stable_sort(expected.begin(), expected.end(), [](const SortItem& a, const SortItem& b) { return a.key < b.key; });
            radixSort(items, scratch);
            for (std::size_t i = 0; i < count; ++i)
                ASSERT_TRUE(items[i].key == expected[i].key && items[i].payload == expected[i].payload) << i << " of " << count;
        }
}

TEST(KeyLayout, TakesExactly64BitsAndRefusesOneMore)
{
    const KeyField fits[] = {{"a", KeySource::DepthFar, 32}, {"b", KeySource::Pipeline, 32}};
    EXPECT_TRUE(KeyLayout::create(fits));
    const KeyField tooMany[] = {{"a", KeySource::DepthFar, 32}, {"b", KeySource::Pipeline, 32}, {"last", KeySource::HeapPage, 1}};
    const Result<KeyLayout> refused = KeyLayout::create(tooMany);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::OutOfRange);
    EXPECT_NE(refused.error().message.find("\"last\""), std::string::npos);
    const KeyField twice[] = {{"a", KeySource::Pipeline, 4}, {"b", KeySource::Pipeline, 4}};
    EXPECT_EQ(KeyLayout::create(twice).error().code, ErrorCode::InvalidArgument);
}

TEST(KeyLayout, DefaultLayoutsFitAndOrderDepths)
{
    for (const SortOrder order : {SortOrder::FrontToBack, SortOrder::State, SortOrder::BackToFront})
    {
        const KeyLayout layout = KeyLayout::create(defaultKeyFields(order)).value();
        KeyValues near, far;
        near[KeySource::DepthNear] = near[KeySource::DepthFar] = depthBits(1.0f);
        far[KeySource::DepthNear] = far[KeySource::DepthFar] = depthBits(100.0f);
        EXPECT_EQ(layout.pack(near) < layout.pack(far), order != SortOrder::BackToFront);
    }
    EXPECT_EQ(depthBits(-3.0f), 0U);
    EXPECT_EQ(depthBits(0.0f), 0U);
    EXPECT_LT(depthBits(1.0f), depthBits(1.0000001f));
}

TEST(KeyLayout, ExplicitOrderGoesBeforeDepth)
{
    const KeyLayout layout = KeyLayout::create(defaultKeyFields(SortOrder::BackToFront)).value();
    KeyValues first, second;
    first[KeySource::ExplicitOrder] = 1;
    first[KeySource::DepthFar] = depthBits(1.0f);
    second[KeySource::ExplicitOrder] = 2;
    second[KeySource::DepthFar] = depthBits(50.0f);
    EXPECT_LT(layout.pack(first), layout.pack(second));
    EXPECT_NE(layout.describe(layout.pack(first)).find("order=1"), std::string::npos);
}

} // namespace dl
