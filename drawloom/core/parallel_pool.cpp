// parallelFor on a plain pool of threads: what the thread sanitizer can follow. One job at a time; a parallelFor inside
// a running one is done serially by the thread that asked for it.
#include "drawloom/core/detail/parallel_stats.h"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace dl
{
namespace
{

thread_local bool t_insideJob = false;

class Pool
{
public:
    ~Pool() { resize(1); }

    void resize(std::uint32_t threadCount)
    {
        {
            const std::lock_guard lock(m_mutex);
            m_isStopping = true;
        }
        m_wake.notify_all();
        for (std::thread& thread : m_threads)
            thread.join();
        m_threads.clear();
        m_isStopping = false;
        for (std::uint32_t i = 1; i < threadCount; ++i)
            m_threads.emplace_back([this, seenJob = m_jobNumber] { work(seenJob); });
    }

    std::uint32_t threadCount() const { return static_cast<std::uint32_t>(m_threads.size()) + 1; }

    void run(std::size_t count, std::size_t grain, detail::ChunkFunction function, void* context)
    {
        const std::lock_guard oneJob(m_jobMutex);
        {
            const std::lock_guard lock(m_mutex);
            m_count = count;
            m_grain = grain;
            m_function = function;
            m_context = context;
            m_nextChunk = 0;
            m_busyCount = m_threads.size();
            ++m_jobNumber;
        }
        m_wake.notify_all();
        runChunks();
        std::unique_lock lock(m_mutex);
        m_done.wait(lock, [this] { return m_busyCount == 0; });
    }

private:
    void runChunks()
    {
        t_insideJob = true;
        const std::size_t chunkCount = (m_count + m_grain - 1) / m_grain;
        for (std::size_t chunk = m_nextChunk.fetch_add(1); chunk < chunkCount; chunk = m_nextChunk.fetch_add(1))
        {
            detail::countChunk();
            m_function(m_context, chunk * m_grain, std::min(m_count, (chunk + 1) * m_grain));
        }
        t_insideJob = false;
    }

    /// seenJob: the last one before this thread was made. A thread that starts late must not take the first job for an old
    /// one: run() waits for it.
    void work(std::uint64_t seenJob)
    {
        std::unique_lock lock(m_mutex);
        while (true)
        {
            m_wake.wait(lock, [&] { return m_isStopping || m_jobNumber != seenJob; });
            if (m_isStopping)
                return;
            seenJob = m_jobNumber;
            lock.unlock();
            runChunks();
            lock.lock();
            if (--m_busyCount == 0)
                m_done.notify_all();
        }
    }

    std::mutex m_jobMutex;
    std::mutex m_mutex;
    std::condition_variable m_wake;
    std::condition_variable m_done;
    std::vector<std::thread> m_threads;
    bool m_isStopping = false;
    std::uint64_t m_jobNumber = 0;
    std::size_t m_busyCount = 0;
    std::size_t m_count = 0;
    std::size_t m_grain = 1;
    detail::ChunkFunction m_function = nullptr;
    void* m_context = nullptr;
    std::atomic<std::size_t> m_nextChunk{0};
};

Pool& pool()
{
    static Pool s_pool;
    static const bool s_isStarted = (s_pool.resize(std::max(1U, std::thread::hardware_concurrency())), true);
    (void)s_isStarted;
    return s_pool;
}

} // namespace

void setThreadCount(std::uint32_t count)
{
    pool().resize(count == 0 ? std::max(1U, std::thread::hardware_concurrency()) : count);
}

std::uint32_t threadCount()
{
    return pool().threadCount();
}

namespace detail
{
void parallelForChunks(std::size_t count, std::size_t grain, ChunkFunction function, void* context)
{
    if (count > grain && !t_insideJob && threadCount() > 1)
    {
        pool().run(count, grain, function, context);
        return;
    }
    for (std::size_t begin = 0; begin < count; begin += grain)
    {
        countChunk();
        function(context, begin, std::min(count, begin + grain));
    }
}
} // namespace detail
} // namespace dl
