// drawloom/draw/detail/pending_batches.cpp - see the header.
#include "drawloom/draw/detail/pending_batches.h"

namespace dl::detail
{

void PendingBatches::collect(DrawLibrary& library, PendingPolicy policy, std::span<const std::uint8_t> isPassUsed)
{
    m_states.clear();
    m_fallbacks.clear();
    if (policy == PendingPolicy::Skip || library.pendingPipelineCount() == 0)
        return;
    const std::size_t count = library.tables().batches.size();
    m_states.resize(count * 2, State::Own);
    for (std::uint32_t batch = 0; batch < count; ++batch)
        if (library.tables().batches[batch].meshSet)
            for (const bool isMirrored : {false, true})
                m_states[batch * 2U + (isMirrored ? 1U : 0U)] = judge(library, policy, isPassUsed, batch, isMirrored);
}

PendingBatches::State PendingBatches::judge(
    DrawLibrary& library, PendingPolicy policy, std::span<const std::uint8_t> isPassUsed, std::uint32_t batch, bool isMirrored)
{
    const DrawTables& tables = library.tables();
    const auto stateOf = [&tables](std::uint32_t slot) { return tables.pipelines[slot].state; };
    const auto needs = [&](std::uint32_t pass)
    {
        return isPassUsed[pass] != 0 && tables.passes[pass].commands[batch].refusal == ReasonCode::None &&
               tables.passes[pass].commands[batch].pipelines[isMirrored ? 1 : 0] != kNoPipelineSlot;
    };
    bool isPending = false;
    for (std::uint32_t pass = 0; pass < tables.passes.size(); ++pass)
        isPending = isPending ||
                    (needs(pass) && stateOf(tables.passes[pass].commands[batch].pipelines[isMirrored ? 1 : 0]) == PipelineState::Pending);
    if (!isPending || policy == PendingPolicy::Wait)
        return isPending ? State::Waits : State::Own;
    bool isReady = true;
    for (std::uint32_t pass = 0; pass < tables.passes.size(); ++pass)
    {
        if (!needs(pass))
            continue;
        const std::uint32_t slot = library.fallbackPipeline(pass, batch, isMirrored);
        m_fallbacks[keyOf(pass, batch, isMirrored)] = slot;
        isReady = isReady && stateOf(slot) == PipelineState::Ready;
    }
    return isReady ? State::Fallback : State::Waits;
}

std::uint32_t PendingBatches::slotOf(std::uint32_t passIndex, std::uint32_t batch, bool isMirrored, std::uint32_t own) const
{
    if (m_states.empty())
        return own;
    switch (m_states[batch * 2U + (isMirrored ? 1U : 0U)])
    {
    case State::Own: return own;
    case State::Fallback: return m_fallbacks.at(keyOf(passIndex, batch, isMirrored));
    case State::Waits: break;
    }
    return kNoPipelineSlot;
}

} // namespace dl::detail
