// drawloom/draw/library_verify.cpp - the debug mode that builds cached commands anew and compares: what is cached must be what a
// fresh process would build.
#include "drawloom/draw/detail/library_impl.h"

#include <algorithm>

namespace dl
{

namespace
{
template <class Tag> std::string text(Id<Tag> id)
{
    return id ? std::to_string(id.index) + "." + std::to_string(id.generation) : "none";
}

std::string text(ReasonCode code)
{
    const auto user = static_cast<std::uint16_t>(code);
    return user >= kFirstUserReason ? "user " + std::to_string(user - kFirstUserReason) : std::string(reasonInfo(code).name);
}
} // namespace

void DrawLibrary::Impl::verifyCommand(std::uint32_t passIndex, std::uint32_t batchIndex, std::vector<Refusal>& stale)
{
    const DrawTables::Batch batch = tables.batches[batchIndex];
    const DrawCommand cached = tables.passes[passIndex].commands[batchIndex];
    const DrawCommand fresh = buildCommand(passIndex, sets.get(batch.meshSet), batch.section, tables.sets[batch.meshSet.index].hasMirrored);
    if (cached == fresh)
        return;
    const auto label = [this](std::uint32_t slot) { return slot == kNoPipelineSlot ? std::string("none") : tables.pipelines[slot].label; };
    std::string detail;
    const auto compare = [&detail](const char* field, const std::string& was, const std::string& is)
    {
        if (was != is)
            detail += std::string(detail.empty() ? "" : "; ") + field + ": cached " + was + ", now " + is;
    };
    compare("refusal", text(cached.refusal), text(fresh.refusal));
    compare("mesh range", text(cached.range), text(fresh.range));
    compare("external geometry", text(cached.external), text(fresh.external));
    compare("material", text(cached.material), text(fresh.material));
    compare("pipeline", label(cached.pipelines[0]), label(fresh.pipelines[0]));
    compare("mirrored pipeline", label(cached.pipelines[1]), label(fresh.pipelines[1]));
    compare("explicit order", std::to_string(cached.explicitOrder), std::to_string(fresh.explicitOrder));
    stale.push_back({subjectOf(batchIndex), tables.passes[passIndex].desc->name, ReasonCode::StaleCommand,
        std::string(reasonInfo(ReasonCode::StaleCommand).name), std::move(detail)});
}

void DrawLibrary::verifyCommands(std::uint32_t maxCount, std::vector<Refusal>& stale)
{
    Impl& impl = *m_impl;
    const std::uint64_t passCount = impl.tables.passes.size();
    const std::uint64_t pairCount = passCount * impl.tables.batches.size();
    for (std::uint64_t seen = 0; seen < pairCount && maxCount != 0; ++seen)
    {
        const std::uint64_t at = impl.verifyCursor++ % pairCount;
        const auto pass = static_cast<std::uint32_t>(at % passCount), batch = static_cast<std::uint32_t>(at / passCount);
        if (impl.tables.passes[pass].generation == 0 || !impl.sets.contains(impl.tables.batches[batch].meshSet))
            continue;
        impl.verifyCommand(pass, batch, stale);
        --maxCount;
    }
}

} // namespace dl
