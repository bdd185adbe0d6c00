#include "drawloom/core/result.h"

#include <gtest/gtest.h>

#include <memory>

namespace dl
{
namespace
{

int s_assertCount = 0;
void countAssert(const char*, const char*, const char*, int)
{
    ++s_assertCount;
}

Result<int> half(int value)
{
    if (value % 2 != 0)
        return Error{ErrorCode::InvalidArgument, "odd number " + std::to_string(value)};
    return value / 2;
}

Result<int> quarter(int value)
{
    DL_TRY_ASSIGN(const int first, half(value));
    DL_TRY_ASSIGN(const int second, half(first));
    return second;
}

Result<void> mustBeEven(int value)
{
    DL_TRY(half(value));
    return {};
}

} // namespace

TEST(Result, HoldsAValueOrAnError)
{
    EXPECT_EQ(*half(8), 4);
    ASSERT_FALSE(half(7));
    EXPECT_EQ(half(7).error().code, ErrorCode::InvalidArgument);
    EXPECT_EQ(half(7).error().message, "odd number 7");
    EXPECT_EQ(half(7).value_or(-1), -1);
}

TEST(Result, TryReturnsTheFirstError)
{
    EXPECT_EQ(*quarter(8), 2);
    EXPECT_EQ(quarter(6).error().message, "odd number 3");
    EXPECT_TRUE(mustBeEven(2).has_value());
    EXPECT_EQ(mustBeEven(5).error().message, "odd number 5");
}

TEST(Result, MovesWhatCanOnlyBeMoved)
{
    Result<std::unique_ptr<int>> owner(std::make_unique<int>(5));
    Result<std::unique_ptr<int>> moved(std::move(owner));
    EXPECT_EQ(**moved, 5);
    moved = Result<std::unique_ptr<int>>(Error{ErrorCode::Io, "gone"});
    EXPECT_EQ(moved.error().message, "gone");
    const std::unique_ptr<int> taken = *Result<std::unique_ptr<int>>(std::make_unique<int>(6));
    EXPECT_EQ(*taken, 6);
}

TEST(Result, ContextStandsInFrontOfTheMessage)
{
    EXPECT_EQ(withContext(half(3).error(), "a.glb").message, "a.glb: odd number 3");
}

TEST(Result, ReadingTheWrongSideAsserts)
{
    const AssertHandler old = setAssertHandler(&countAssert);
    s_assertCount = 0;
    const Result<int> good = half(2);
    (void)good.has_value();
    const Result<void> bad = mustBeEven(1);
    bad.value();
    EXPECT_EQ(s_assertCount, 1);
    setAssertHandler(old);
}

TEST(ErrorCode, EveryCodeHasItsName)
{
    for (int code = 0; code <= static_cast<int>(ErrorCode::DeviceLost); ++code)
        EXPECT_NE(toString(static_cast<ErrorCode>(code)), "Unknown") << code;
}

} // namespace dl
