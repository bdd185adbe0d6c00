// drawloom/stream/load_queue.h - asynchronous, cancellable loads: file ranges or jobs of the caller run on worker threads, their
// answers are polled. Used by the asset store; knows nothing of GPUs.
#pragma once

#include "drawloom/core/id.h"
#include "drawloom/core/result.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace dl
{

using LoadId = Id<struct LoadTag>;

/// Set by cancel; long jobs look at it between steps and return Cancelled.
class CancelToken
{
public:
    bool isCancelled() const { return m_isCancelled.load(std::memory_order_relaxed); }
    void cancel() { m_isCancelled.store(true, std::memory_order_relaxed); }

private:
    std::atomic<bool> m_isCancelled{false};
};

/// What one load yields: bytes that live as long as somebody holds them.
using LoadedBytes = std::shared_ptr<const std::vector<std::byte>>;

/// A job of the caller (read, decode, generate). Runs once, on any thread; touches nothing that it does not own or lock.
class LoadJob
{
public:
    virtual ~LoadJob() = default;
    virtual Result<LoadedBytes> run(const CancelToken& cancel) = 0;
};

/// Reads `bytes` bytes at `offset` (bytes = 0: to the end). Io or BadFile with the path and the numbers; never more than maxBytes.
std::unique_ptr<LoadJob> makeFileJob(
    std::string path, std::uint64_t offset = 0, std::uint64_t bytes = 0, std::uint64_t maxBytes = std::uint64_t(1) << 30U);

struct LoadCompletion
{
    LoadId id;
    std::uint64_t tag = 0; ///< the caller's, from submit
    Result<LoadedBytes> result = LoadedBytes();
};

struct LoadQueueSettings
{
    std::uint32_t workerCount = 1; ///< 0: jobs run inside poll, one per call (deterministic; builds without threads)
    std::uint32_t maxQueuedCount = 4096;
};

struct LoadQueueStats
{
    std::uint64_t submittedCount = 0, completedCount = 0, cancelledCount = 0, failedCount = 0;
    std::uint32_t queuedCount = 0, runningCount = 0;
};

/// All calls from one owner thread. A cancelled load never shows up in poll, even when its job had already finished.
class LoadQueue
{
public:
    explicit LoadQueue(const LoadQueueSettings& settings = {});
    /// Cancels everything and joins the workers (running jobs are waited for).
    ~LoadQueue();
    LoadQueue(const LoadQueue&) = delete;
    LoadQueue& operator=(const LoadQueue&) = delete;

    /// Higher priorities start first, equal ones in order. OutOfBudget: maxQueuedCount jobs wait already.
    Result<LoadId> submit(std::unique_ptr<LoadJob> job, std::int32_t priority = 0, std::uint64_t tag = 0);
    /// False when it was polled, cancelled before, or is no load.
    bool cancel(LoadId id);
    bool isPending(LoadId id) const;
    /// Appends what finished since the last call, in the order in which it finished. Never blocks on a running job (but with
    /// workerCount 0 it runs one).
    void poll(std::vector<LoadCompletion>& completions);
    /// Blocks until nothing is queued or running. Native programs and tests only.
    void waitIdle();
    LoadQueueStats stats() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

} // namespace dl
