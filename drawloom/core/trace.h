// drawloom/core/trace.h - named spans on the CPU. One recorder at a time; spans cost nothing but a load when none is set.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

namespace dl
{

/// Nanoseconds of a steady clock.
std::uint64_t nowNs();

/// Collects spans of all threads into a fixed buffer; spans past its end are dropped and counted.
class TraceRecorder
{
public:
    explicit TraceRecorder(std::size_t maxSpanCount = 1U << 16U);
    ~TraceRecorder();
    TraceRecorder(const TraceRecorder&) = delete;
    TraceRecorder& operator=(const TraceRecorder&) = delete;

    /// `name` must outlive the recorder (a literal). Any thread.
    void addSpan(const char* name, std::uint64_t beginNs, std::uint64_t endNs);
    std::size_t spanCount() const;
    std::size_t droppedSpanCount() const;
    /// The Trace Event format that Chrome and Perfetto read ("X" events, microseconds). Not while spans are added.
    std::string toJson() const;

private:
    struct State;
    std::unique_ptr<State> m_state;
};

/// Not owned; nullptr stops recording. Returns the old one.
TraceRecorder* setTraceRecorder(TraceRecorder* recorder);
TraceRecorder* traceRecorder();

/// Records its own lifetime, if a recorder is set.
class TraceScope
{
public:
    explicit TraceScope(const char* name) : m_name(name), m_beginNs(traceRecorder() != nullptr ? nowNs() : 0) {}
    ~TraceScope()
    {
        if (TraceRecorder* recorder = traceRecorder(); recorder != nullptr && m_beginNs != 0)
            recorder->addSpan(m_name, m_beginNs, nowNs());
    }
    TraceScope(const TraceScope&) = delete;
    TraceScope& operator=(const TraceScope&) = delete;

private:
    const char* m_name;
    std::uint64_t m_beginNs;
};

} // namespace dl

#define DL_TRACE_CONCAT_INNER(a, b) a##b
#define DL_TRACE_CONCAT(a, b) DL_TRACE_CONCAT_INNER(a, b)
#define DL_TRACE_SCOPE(name) ::dl::TraceScope DL_TRACE_CONCAT(dlTraceScope, __LINE__)(name)
