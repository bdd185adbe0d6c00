// drawloom/gpu/vulkan/detail/pipeline_compiler.h - threads that make pipelines while frames go on. Drivers take milliseconds to
// seconds for one; vkCreate*Pipelines may run on any thread, the pipeline cache locks itself.
#pragma once

#include "drawloom/gpu/vulkan/detail/objects.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace dl::gpu::vulkan
{

/// A pipeline that was asked for. Its layout is held until it is done.
struct PipelineJob
{
    PipelineId id;
    Pipeline pipeline; ///< handle: set by `compile`
    std::string label;
    std::function<VkResult(VkPipeline&)> compile; ///< owns all that it reads; runs on a thread of the compiler
    VkResult result = VK_NOT_READY;
};

class PipelineCompiler
{
public:
    /// `isInline`: jobs run within `add`, for messages of validation layers, which belong to the caller's thread.
    explicit PipelineCompiler(bool isInline) : m_isInline(isInline) {}
    /// Waits for everything; what nobody took is lost: take it first.
    ~PipelineCompiler();
    PipelineCompiler(const PipelineCompiler&) = delete;
    PipelineCompiler& operator=(const PipelineCompiler&) = delete;

    void add(PipelineJob job);
    /// Those that are done, in the order in which they were asked for: the first that is not holds back the others, so that
    /// completions come in the same order in every run.
    std::vector<PipelineJob> take();
    /// Until all that was added is done.
    void wait();
    /// Nothing is queued, runs, or waits to be taken.
    bool isIdle() const;

private:
    struct Slot
    {
        PipelineJob job;
        bool isStarted = false, isDone = false;
    };
    void run();

    const bool m_isInline;
    mutable std::mutex m_mutex;
    std::condition_variable m_added, m_done;
    std::deque<Slot> m_slots; ///< oldest first; references hold while others are added or taken from the front
    std::size_t m_waiting = 0, m_running = 0, m_idleThreads = 0;
    bool m_isStopping = false;
    std::vector<std::thread> m_threads;
};

} // namespace dl::gpu::vulkan
