#include "drawloom/core/trace.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <thread>
#include <vector>

namespace dl
{
namespace
{
std::atomic<TraceRecorder*> s_recorder{nullptr};
}

std::uint64_t nowNs()
{
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count());
}

struct TraceRecorder::State
{
    struct Span
    {
        const char* name = nullptr;
        std::uint64_t beginNs = 0;
        std::uint64_t endNs = 0;
        std::size_t thread = 0;
    };
    std::vector<Span> spans;
    std::atomic<std::size_t> claimedCount{0};
};

TraceRecorder::TraceRecorder(std::size_t maxSpanCount) : m_state(std::make_unique<State>())
{
    m_state->spans.resize(maxSpanCount);
}

TraceRecorder::~TraceRecorder()
{
    TraceRecorder* self = this;
    s_recorder.compare_exchange_strong(self, nullptr);
}

void TraceRecorder::addSpan(const char* name, std::uint64_t beginNs, std::uint64_t endNs)
{
    const std::size_t index = m_state->claimedCount.fetch_add(1);
    if (index < m_state->spans.size())
        m_state->spans[index] = {name, beginNs, endNs, std::hash<std::thread::id>{}(std::this_thread::get_id())};
}

std::size_t TraceRecorder::spanCount() const
{
    return std::min(m_state->claimedCount.load(), m_state->spans.size());
}

std::size_t TraceRecorder::droppedSpanCount() const
{
    return m_state->claimedCount.load() - spanCount();
}

std::string TraceRecorder::toJson() const
{
    const std::size_t count = spanCount();
    std::vector<std::size_t> threads;
    std::uint64_t firstNs = UINT64_MAX;
    for (std::size_t i = 0; i < count; ++i)
    {
        firstNs = std::min(firstNs, m_state->spans[i].beginNs);
        if (std::find(threads.begin(), threads.end(), m_state->spans[i].thread) == threads.end())
            threads.push_back(m_state->spans[i].thread);
    }
    std::string json = "{\"traceEvents\":[";
    for (std::size_t i = 0; i < count; ++i)
    {
        const State::Span& span = m_state->spans[i];
        const auto thread = std::find(threads.begin(), threads.end(), span.thread) - threads.begin();
        char numbers[160];
        std::snprintf(numbers, sizeof(numbers), "\"ph\":\"X\",\"pid\":1,\"tid\":%d,\"ts\":%.3f,\"dur\":%.3f}", static_cast<int>(thread) + 1,
            static_cast<double>(span.beginNs - firstNs) / 1000.0, static_cast<double>(span.endNs - span.beginNs) / 1000.0);
        json += i == 0 ? "\n" : ",\n";
        json += "{\"name\":\"";
        json += span.name; // literals of ours: no quoting needed
        json += "\",\"cat\":\"drawloom\",";
        json += numbers;
    }
    json += "\n]}\n";
    return json;
}

TraceRecorder* setTraceRecorder(TraceRecorder* recorder)
{
    return s_recorder.exchange(recorder);
}

TraceRecorder* traceRecorder()
{
    return s_recorder.load(std::memory_order_relaxed);
}

} // namespace dl
