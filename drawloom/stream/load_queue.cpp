#include "drawloom/stream/load_queue.h"

#include "drawloom/core/trace.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace dl
{

namespace
{
struct Task
{
    LoadId id;
    std::uint64_t tag = 0;
    std::int32_t priority = 0;
    std::uint64_t sequence = 0;
    std::unique_ptr<LoadJob> job;
    std::shared_ptr<CancelToken> cancel;
};

// For std::push_heap: the task that starts first is the largest.
bool startsLater(const Task& a, const Task& b)
{
    return a.priority != b.priority ? a.priority < b.priority : a.sequence > b.sequence;
}
} // namespace

struct LoadQueue::State
{
    LoadQueueSettings settings;
    // Owner thread only.
    SlotTable<LoadId, std::shared_ptr<CancelToken>> loads;
    LoadQueueStats stats;
    std::uint64_t sequence = 0;
    std::vector<LoadCompletion> arrived;
    // Under the mutex.
    mutable std::mutex mutex;
    std::condition_variable hasWork, isIdle;
    std::vector<Task> queued; ///< heap
    std::vector<LoadCompletion> finished;
    std::uint32_t runningCount = 0;
    bool isStopping = false;
    std::vector<std::thread> workers;

    Task popTask()
    {
        std::pop_heap(queued.begin(), queued.end(), startsLater);
        Task task = std::move(queued.back());
        queued.pop_back();
        return task;
    }

    static LoadCompletion runTask(Task& task)
    {
        DL_TRACE_SCOPE("load");
        LoadCompletion completion;
        completion.id = task.id;
        completion.tag = task.tag;
        if (task.cancel->isCancelled())
            completion.result = Error{ErrorCode::Cancelled, "cancelled before it started"};
        else
            completion.result = task.job->run(*task.cancel);
        task.job.reset();
        return completion;
    }

    // Runs the best task outside the lock.
    void runOne(std::unique_lock<std::mutex>& lock)
    {
        Task task = popTask();
        ++runningCount;
        lock.unlock();
        LoadCompletion completion = runTask(task);
        lock.lock();
        finished.push_back(std::move(completion));
        --runningCount;
        if (queued.empty() && runningCount == 0)
            isIdle.notify_all();
    }

    void work()
    {
        std::unique_lock lock(mutex);
        while (true)
        {
            hasWork.wait(lock, [this] { return isStopping || !queued.empty(); });
            if (isStopping)
                return;
            runOne(lock);
        }
    }
};

LoadQueue::LoadQueue(const LoadQueueSettings& settings) : m_state(std::make_unique<State>())
{
    m_state->settings = settings;
    for (std::uint32_t i = 0; i < settings.workerCount; ++i)
        m_state->workers.emplace_back([state = m_state.get()] { state->work(); });
}

LoadQueue::~LoadQueue()
{
    m_state->loads.forEach([](LoadId, std::shared_ptr<CancelToken>& token) { token->cancel(); });
    {
        const std::scoped_lock lock(m_state->mutex);
        m_state->isStopping = true;
    }
    m_state->hasWork.notify_all();
    for (std::thread& worker : m_state->workers)
        worker.join();
}

Result<LoadId> LoadQueue::submit(std::unique_ptr<LoadJob> job, std::int32_t priority, std::uint64_t tag)
{
    DL_ASSERT(job != nullptr, "no job");
    Task task;
    task.tag = tag;
    task.priority = priority;
    task.job = std::move(job);
    task.cancel = std::make_shared<CancelToken>();
    const LoadId id = m_state->loads.add(task.cancel);
    task.id = id;
    task.sequence = m_state->sequence++;
    {
        const std::scoped_lock lock(m_state->mutex);
        const std::size_t waiting = m_state->queued.size();
        if (waiting >= m_state->settings.maxQueuedCount)
        {
            m_state->loads.remove(id);
            return Error{ErrorCode::OutOfBudget,
                std::to_string(waiting) + " loads wait already; poll first or raise LoadQueueSettings::maxQueuedCount"};
        }
        m_state->queued.push_back(std::move(task));
        std::push_heap(m_state->queued.begin(), m_state->queued.end(), startsLater);
    }
    m_state->stats.submittedCount += 1;
    m_state->hasWork.notify_one();
    return id;
}

bool LoadQueue::cancel(LoadId id)
{
    std::shared_ptr<CancelToken>* token = m_state->loads.find(id);
    if (token == nullptr)
        return false;
    (*token)->cancel();
    m_state->loads.remove(id); // its completion finds a stale id and is dropped
    m_state->stats.cancelledCount += 1;
    const std::scoped_lock lock(m_state->mutex);
    std::vector<Task>& queued = m_state->queued;
    const auto waiting = std::find_if(queued.begin(), queued.end(), [id](const Task& task) { return task.id == id; });
    if (waiting != queued.end())
    {
        queued.erase(waiting);
        std::make_heap(queued.begin(), queued.end(), startsLater);
        if (queued.empty() && m_state->runningCount == 0)
            m_state->isIdle.notify_all();
    }
    return true;
}

bool LoadQueue::isPending(LoadId id) const
{
    return m_state->loads.contains(id);
}

void LoadQueue::poll(std::vector<LoadCompletion>& completions)
{
    State& state = *m_state;
    {
        std::unique_lock lock(state.mutex);
        if (state.settings.workerCount == 0 && !state.queued.empty())
            state.runOne(lock);
        state.arrived.swap(state.finished);
    }
    for (LoadCompletion& completion : state.arrived)
    {
        if (!state.loads.remove(completion.id))
            continue; // cancelled
        (completion.result ? state.stats.completedCount : state.stats.failedCount) += 1;
        completions.push_back(std::move(completion));
    }
    state.arrived.clear();
}

void LoadQueue::waitIdle()
{
    std::unique_lock lock(m_state->mutex);
    if (m_state->settings.workerCount == 0)
        while (!m_state->queued.empty())
            m_state->runOne(lock);
    m_state->isIdle.wait(lock, [this] { return m_state->queued.empty() && m_state->runningCount == 0; });
}

LoadQueueStats LoadQueue::stats() const
{
    LoadQueueStats stats = m_state->stats;
    const std::scoped_lock lock(m_state->mutex);
    stats.queuedCount = static_cast<std::uint32_t>(m_state->queued.size());
    stats.runningCount = m_state->runningCount;
    return stats;
}

} // namespace dl
