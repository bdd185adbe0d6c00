#include "drawloom/core/hash.h"
#include "drawloom/core/log.h"
#include "drawloom/core/trace.h"

#include <gtest/gtest.h>

#include <thread>

namespace dl
{

TEST(Trace, WritesOneEventForEachSpan)
{
    TraceRecorder recorder(8);
    EXPECT_EQ(setTraceRecorder(&recorder), nullptr);
    {
        DL_TRACE_SCOPE("outer");
        DL_TRACE_SCOPE("inner");
    }
    setTraceRecorder(nullptr);
    {
        DL_TRACE_SCOPE("after");
    }
    EXPECT_EQ(recorder.spanCount(), 2U);
    const std::string json = recorder.toJson();
    EXPECT_NE(json.find("\"name\":\"outer\""), std::string::npos);
    EXPECT_NE(json.find("\"ph\":\"X\""), std::string::npos);
    EXPECT_EQ(json.find("after"), std::string::npos);
}

TEST(Trace, CountsWhatDoesNotFit)
{
    TraceRecorder recorder(2);
    for (int i = 0; i < 5; ++i)
        recorder.addSpan("x", 1, 2);
    EXPECT_EQ(recorder.spanCount(), 2U);
    EXPECT_EQ(recorder.droppedSpanCount(), 3U);
}

TEST(Log, GoesToTheSinkAndNowhereWithoutOne)
{
    struct Collect final : LogSink
    {
        std::string text;
        void write(LogLevel level, std::string_view line) override { text += std::to_string(static_cast<int>(level)) + std::string(line); }
    } sink;
    log(LogLevel::Error, "unheard");
    setLogSink(&sink);
    log(LogLevel::Warning, "heard");
    setLogSink(nullptr);
    EXPECT_EQ(sink.text, "2heard");
}

TEST(Hash, DependsOnContentOrderAndSeedAndNeverChanges)
{
    EXPECT_EQ(hashString("drawloom"), hashString("drawloom"));
    EXPECT_NE(hashString("drawloom"), hashString("drawloon"));
    EXPECT_NE(hashString("drawloom", 1), hashString("drawloom", 2));
    EXPECT_NE(hashCombine(1, 2), hashCombine(2, 1));
    EXPECT_EQ(hashString(""), 0x2d06800538d394c2ULL); // XXH3's published value for no input
}

} // namespace dl
