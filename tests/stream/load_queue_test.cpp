// Tests of drawloom/stream/load_queue.h.
#include "drawloom/stream/load_queue.h"

#include <gtest/gtest.h>

#include <condition_variable>
#include <cstdio>
#include <mutex>

namespace dl
{
namespace
{

LoadedBytes bytesOf(std::size_t count)
{
    return std::make_shared<const std::vector<std::byte>>(count);
}

/// Yields as many bytes as it was told.
class SizeJob final : public LoadJob
{
public:
    explicit SizeJob(std::size_t count) : m_count(count) {}
    Result<LoadedBytes> run(const CancelToken&) override { return bytesOf(m_count); }

private:
    std::size_t m_count;
};

/// Waits until it is released.
struct Gate
{
    std::mutex mutex;
    std::condition_variable changed;
    bool isOpen = false, isEntered = false;
    void open()
    {
        const std::scoped_lock lock(mutex);
        isOpen = true;
        changed.notify_all();
    }
    void waitEntered()
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [this] { return isEntered; });
    }
};
class GateJob final : public LoadJob
{
public:
    explicit GateJob(Gate& gate) : m_gate(&gate) {}
    Result<LoadedBytes> run(const CancelToken&) override
    {
        std::unique_lock lock(m_gate->mutex);
        m_gate->isEntered = true;
        m_gate->changed.notify_all();
        m_gate->changed.wait(lock, [this] { return m_gate->isOpen; });
        return bytesOf(1);
    }

private:
    Gate* m_gate;
};

TEST(LoadQueue, WithoutWorkersEachPollRunsTheMostImportantJob)
{
    LoadQueue queue({0, 16});
    ASSERT_TRUE(queue.submit(std::make_unique<SizeJob>(1), 0, 100));
    ASSERT_TRUE(queue.submit(std::make_unique<SizeJob>(2), 5, 200));
    ASSERT_TRUE(queue.submit(std::make_unique<SizeJob>(3), 0, 300));
    std::vector<LoadCompletion> done;
    queue.poll(done);
    ASSERT_EQ(done.size(), 1U);
    EXPECT_EQ(done[0].tag, 200U);
    EXPECT_EQ((*done[0].result)->size(), 2U);
    queue.poll(done);
    queue.poll(done);
    queue.poll(done);
    ASSERT_EQ(done.size(), 3U);
    EXPECT_EQ(done[1].tag, 100U);
    EXPECT_EQ(done[2].tag, 300U);
}

TEST(LoadQueue, RefusesOneMoreThanItMayQueue)
{
    LoadQueue queue({0, 2});
    ASSERT_TRUE(queue.submit(std::make_unique<SizeJob>(1)));
    ASSERT_TRUE(queue.submit(std::make_unique<SizeJob>(1)));
    const auto refused = queue.submit(std::make_unique<SizeJob>(1));
    ASSERT_FALSE(refused);
    EXPECT_EQ(refused.error().code, ErrorCode::OutOfBudget);
    EXPECT_EQ(queue.stats().queuedCount, 2U);
}

TEST(LoadQueue, ACancelledLoadNeverShowsUp)
{
    Gate gate;
    LoadQueue queue({1, 16});
    const LoadId running = *queue.submit(std::make_unique<GateJob>(gate));
    gate.waitEntered();
    const LoadId waiting = *queue.submit(std::make_unique<SizeJob>(1));
    const LoadId other = *queue.submit(std::make_unique<SizeJob>(7));
    EXPECT_TRUE(queue.cancel(running)); // its job goes on, its answer is dropped
    EXPECT_TRUE(queue.cancel(waiting));
    EXPECT_FALSE(queue.cancel(waiting));
    EXPECT_FALSE(queue.isPending(running));
    EXPECT_TRUE(queue.isPending(other));
    gate.open();
    queue.waitIdle();
    std::vector<LoadCompletion> done;
    queue.poll(done);
    ASSERT_EQ(done.size(), 1U);
    EXPECT_EQ(done[0].id, other);
    EXPECT_FALSE(queue.isPending(other));
    EXPECT_FALSE(queue.cancel(other));
    EXPECT_EQ(queue.stats().cancelledCount, 2U);
}

TEST(LoadQueue, AReusedSlotDoesNotTakeTheOldAnswer)
{
    Gate gate;
    LoadQueue queue({1, 16});
    const LoadId old = *queue.submit(std::make_unique<GateJob>(gate));
    gate.waitEntered();
    queue.cancel(old);
    const LoadId fresh = *queue.submit(std::make_unique<SizeJob>(9), 0, 42);
    EXPECT_EQ(fresh.index, old.index);
    EXPECT_NE(fresh, old);
    gate.open();
    queue.waitIdle();
    std::vector<LoadCompletion> done;
    queue.poll(done);
    ASSERT_EQ(done.size(), 1U);
    EXPECT_EQ((*done[0].result)->size(), 9U);
    EXPECT_EQ(done[0].tag, 42U);
}

TEST(LoadQueue, ManyJobsOnManyThreadsEachAnswerOnce)
{
    LoadQueue queue({4, 4096});
    std::vector<LoadCompletion> done;
    std::vector<int> answers(1000, 0);
    for (std::uint64_t i = 0; i < answers.size(); ++i)
    {
        const auto id = queue.submit(std::make_unique<SizeJob>(i), static_cast<std::int32_t>(i % 3), i);
        ASSERT_TRUE(id);
        if (i % 10 == 0)
        {
            queue.cancel(*id);
            answers[i] = 1;
        }
        queue.poll(done);
    }
    queue.waitIdle();
    queue.poll(done);
    for (const LoadCompletion& completion : done)
    {
        answers[completion.tag] += 1;
        ASSERT_EQ((*completion.result)->size(), completion.tag);
    }
    for (const int count : answers)
        ASSERT_EQ(count, 1);
}

TEST(LoadQueue, DestructionWaitsForRunningJobsAndForgetsTheRest)
{
    Gate gate;
    {
        LoadQueue queue({2, 16});
        ASSERT_TRUE(queue.submit(std::make_unique<GateJob>(gate)));
        gate.waitEntered();
        for (int i = 0; i < 8; ++i)
            ASSERT_TRUE(queue.submit(std::make_unique<SizeJob>(1)));
        gate.open();
    }
    SUCCEED();
}

TEST(FileJob, ReadsARangeAndNamesWhatIsWrong)
{
    const std::string path = testing::TempDir() + "drawloom_file_job.bin";
    std::FILE* file = std::fopen(path.c_str(), "wb");
    ASSERT_NE(file, nullptr);
    std::fputs("0123456789", file);
    std::fclose(file);
    const CancelToken token;
    const auto middle = makeFileJob(path, 3, 4)->run(token);
    ASSERT_TRUE(middle);
    EXPECT_EQ((*middle)->size(), 4U);
    EXPECT_EQ((**middle)[0], std::byte('3'));
    EXPECT_EQ((*makeFileJob(path, 3)->run(token))->size(), 7U);
    EXPECT_EQ((*makeFileJob(path, 10)->run(token))->size(), 0U);
    EXPECT_EQ(makeFileJob(path, 11)->run(token).error().code, ErrorCode::BadFile);
    EXPECT_EQ(makeFileJob(path, 3, 8)->run(token).error().code, ErrorCode::BadFile);
    EXPECT_EQ(makeFileJob(path, 0, 0, 9)->run(token).error().code, ErrorCode::OutOfBudget);
    EXPECT_EQ(makeFileJob(path + ".absent")->run(token).error().code, ErrorCode::Io);
    CancelToken cancelled;
    cancelled.cancel();
    EXPECT_EQ(makeFileJob(path)->run(cancelled).error().code, ErrorCode::Cancelled);
    std::remove(path.c_str());
}

} // namespace
} // namespace dl
