// drawloom/gpu/vulkan/detail/pipeline_compiler.cpp - see the header.
#include "drawloom/gpu/vulkan/detail/pipeline_compiler.h"

#include <algorithm>
#include <utility>

namespace dl::gpu::vulkan
{
namespace
{

constexpr std::size_t kMaxThreads = 4;

/// One core is left to the frame.
std::size_t threadBound()
{
    return std::clamp<std::size_t>(std::thread::hardware_concurrency(), 2, kMaxThreads + 1) - 1;
}

} // namespace

PipelineCompiler::~PipelineCompiler()
{
    {
        const std::lock_guard<std::mutex> lock(m_mutex);
        m_isStopping = true;
    }
    m_added.notify_all();
    for (std::thread& thread : m_threads)
        thread.join();
}

void PipelineCompiler::add(PipelineJob job)
{
    if (m_isInline)
        job.result = job.compile(job.pipeline.handle);
    const std::lock_guard<std::mutex> lock(m_mutex);
    m_slots.push_back({std::move(job), m_isInline, m_isInline});
    if (m_isInline)
        return;
    ++m_waiting;
    if (m_idleThreads < m_waiting && m_threads.size() < threadBound())
        m_threads.emplace_back([this] { run(); });
    m_added.notify_one();
}

void PipelineCompiler::run()
{
    std::unique_lock<std::mutex> lock(m_mutex);
    for (;;)
    {
        ++m_idleThreads;
        m_added.wait(lock, [this] { return m_waiting != 0 || m_isStopping; });
        --m_idleThreads;
        if (m_waiting == 0)
            return;
        Slot& slot = *std::find_if(m_slots.begin(), m_slots.end(), [](const Slot& s) { return !s.isStarted; });
        slot.isStarted = true;
        --m_waiting;
        ++m_running;
        lock.unlock();
        slot.job.result = slot.job.compile(slot.job.pipeline.handle);
        lock.lock();
        slot.isDone = true;
        --m_running;
        m_done.notify_all();
    }
}

std::vector<PipelineJob> PipelineCompiler::take()
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    std::vector<PipelineJob> done;
    while (!m_slots.empty() && m_slots.front().isDone)
    {
        done.push_back(std::move(m_slots.front().job));
        m_slots.pop_front();
    }
    return done;
}

void PipelineCompiler::wait()
{
    std::unique_lock<std::mutex> lock(m_mutex);
    m_done.wait(lock, [this] { return m_waiting == 0 && m_running == 0; });
}

bool PipelineCompiler::isIdle() const
{
    const std::lock_guard<std::mutex> lock(m_mutex);
    return m_slots.empty();
}

} // namespace dl::gpu::vulkan
