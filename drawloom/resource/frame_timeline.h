// drawloom/resource/frame_timeline.h - which frames the GPU has finished. Frames are numbered from 1; a frame ends when its
// stream is submitted. Used to reuse memory that a submitted stream may still read.
#pragma once

#include "drawloom/gpu/device.h"

#include <cstdint>
#include <vector>

namespace dl
{

/// Owner thread only.
class FrameTimeline
{
public:
    /// The frame that is being recorded.
    std::uint64_t current() const { return m_current; }
    /// Everything up to this frame is finished.
    std::uint64_t completed() const { return m_completed; }

    void onSubmitted(gpu::SubmissionIndex submission)
    {
        m_inFlight.push_back({m_current, submission});
        ++m_current;
    }
    void onCompleted(gpu::SubmissionIndex submission)
    {
        std::size_t done = 0;
        while (done < m_inFlight.size() && m_inFlight[done].submission <= submission)
            m_completed = m_inFlight[done++].frame;
        m_inFlight.erase(m_inFlight.begin(), m_inFlight.begin() + static_cast<std::ptrdiff_t>(done));
    }

private:
    struct Frame
    {
        std::uint64_t frame = 0;
        gpu::SubmissionIndex submission = 0;
    };
    std::vector<Frame> m_inFlight;
    std::uint64_t m_current = 1, m_completed = 0;
};

} // namespace dl
