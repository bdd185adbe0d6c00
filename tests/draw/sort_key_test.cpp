#include "drawloom/draw/sort_key.h"

#include <gtest/gtest.h>

namespace dl
{

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
    for (const SortOrder order : {SortOrder::FrontToBack, SortOrder::State, SortOrder::BackToFront, SortOrder::Sequence})
    {
        const KeyLayout layout = KeyLayout::create(defaultKeyFields(order)).value();
        KeyValues near, far;
        near[KeySource::DepthNear] = near[KeySource::DepthFar] = depthBits(1.0f);
        far[KeySource::DepthNear] = far[KeySource::DepthFar] = depthBits(100.0f);
        EXPECT_EQ(layout.pack(near) < layout.pack(far), order == SortOrder::FrontToBack || order == SortOrder::State);
        EXPECT_EQ(layout.pack(near) > layout.pack(far), order == SortOrder::BackToFront);
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

TEST(KeyLayout, RefusesAnOptimisationAboveACorrectnessField)
{
    const KeyField fields[] = {
        {"first", KeySource::ExplicitOrder, 8, true}, {"state", KeySource::Pipeline, 12}, {"far", KeySource::DepthFar, 32, true}};
    const Result<KeyLayout> refused = KeyLayout::create(fields);
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::InvalidArgument);
    EXPECT_NE(refused.error().message.find("\"state\""), std::string::npos);
    EXPECT_NE(refused.error().message.find("\"far\""), std::string::npos);
    EXPECT_TRUE(KeyLayout::create(std::span(fields).first(2)));
}

TEST(KeyLayout, SequenceGoesByExplicitOrderThenRegistrationAndByNothingElse)
{
    const KeyLayout layout = KeyLayout::create(defaultKeyFields(SortOrder::Sequence)).value();
    KeyValues first, second;
    first[KeySource::ExplicitOrder] = 1;
    first[KeySource::Submission] = 9;
    second[KeySource::ExplicitOrder] = 2;
    EXPECT_LT(layout.pack(first), layout.pack(second));
    second[KeySource::ExplicitOrder] = 1;
    second[KeySource::Submission] = 10;
    EXPECT_LT(layout.pack(first), layout.pack(second));
    second[KeySource::Submission] = 9;
    second[KeySource::Pipeline] = second[KeySource::TextureSet] = second[KeySource::DepthNear] = 5;
    EXPECT_EQ(layout.pack(first), layout.pack(second));
}

} // namespace dl
