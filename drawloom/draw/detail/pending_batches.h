// drawloom/draw/detail/pending_batches.h - which batches of a frame lack a pipeline that is still being compiled, and what stands in
// for them. Empty, and free, once everything is compiled. Part of DrawFrame.
#pragma once

#include "drawloom/draw/draw_frame.h"

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

namespace dl::detail
{

class PendingBatches
{
public:
    /// `isPassUsed`, by pass index: it draws in this frame. May ask the library for fallback pipelines.
    void collect(DrawLibrary& library, PendingPolicy policy, std::span<const std::uint8_t> isPassUsed);
    /// The pipeline slot that a pass draws a batch with: `own`, a fallback, or kNoPipelineSlot while it waits.
    std::uint32_t slotOf(std::uint32_t passIndex, std::uint32_t batch, bool isMirrored, std::uint32_t own) const;

private:
    enum class State : std::uint8_t
    {
        Own,
        Fallback,
        Waits,
    };
    static std::uint64_t keyOf(std::uint32_t passIndex, std::uint32_t batch, bool isMirrored)
    {
        return (static_cast<std::uint64_t>(passIndex) << 33U) | (static_cast<std::uint64_t>(batch) << 1U) | (isMirrored ? 1U : 0U);
    }
    State judge(DrawLibrary& library, PendingPolicy policy, std::span<const std::uint8_t> isPassUsed, std::uint32_t batch, bool isMirrored);

    std::vector<State> m_states; ///< by batch * 2 + isMirrored; empty: all Own
    std::unordered_map<std::uint64_t, std::uint32_t> m_fallbacks;
};

} // namespace dl::detail
