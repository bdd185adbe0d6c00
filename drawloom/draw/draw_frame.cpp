// drawloom/draw/draw_frame.cpp - build and encode of a frame. Passes and views are built in parallel, ids are placed in a
// fixed order, so that the bytes do not depend on threads.
#include "drawloom/draw/draw_frame.h"

#include "drawloom/core/parallel.h"
#include "drawloom/core/trace.h"
#include "drawloom/draw/detail/pass_view.h"
#include "drawloom/draw/detail/state_filter.h"
#include "drawloom/draw/dynamic_batches.h"
#include "drawloom/resource/gpu_resources.h"

#include <algorithm>

namespace dl
{

using detail::FrameInput;
using detail::kNoOffset;
using detail::PassView;

std::string_view toString(JoinBreak field)
{
    constexpr std::string_view kNames[] = {
        "first draw", "pipeline", "texture set", "heap page", "geometry page", "mesh range", "dynamic batch", "joining is off", ""};
    return kNames[static_cast<std::size_t>(field)];
}

struct DrawFrame::Impl
{
    explicit Impl(DrawLibrary& theLibrary) : library(theLibrary) {}

    DrawLibrary& library;
    DrawFrameSettings settings;
    VisibleRunSink sink;
    std::vector<std::uint8_t> isRunValid;
    std::vector<std::uint32_t> runOffsets;
    std::vector<std::unique_ptr<PassView>> pool; ///< the first passViewCount are the frame's
    std::uint32_t passViewCount = 0;
    std::vector<std::uint32_t> lookup; ///< pass index * kMaxViewCount + view -> pool, kNoOffset: none
    std::vector<PassStats> stats;
    std::vector<std::uint32_t> statsOfPass; ///< pass index -> stats
    std::array<std::uint64_t, static_cast<std::size_t>(ReasonCode::Count)> skipped = {};
    std::uint32_t firstId = 0, idCount = 0;
    std::vector<DynamicBatches::Batch> dynamic;
    detail::PendingBatches pending;
    std::vector<std::uint8_t> isPassUsed; ///< by pass index
    std::vector<Refusal> staleCommands;
    LodStats lods;
    double cullMs = 0.0;

    void checkRuns();
    void countLods();
    std::uint64_t trianglesOf(const DrawTables::Lod& lod) const;
    void preparePassViews(const ViewSet& views);
    DrawSubmission submission() const;
    void placeAndWriteIds(const FrameInput& input);
    void placeAndWriteArguments(const FrameInput& input);
    PassView* find(MeshPassId pass, std::uint32_t viewIndex) const;
};

namespace
{
void add(PassStats& sum, const PassStats& view)
{
    sum.drawsBefore += view.drawsBefore;
    sum.draws += view.draws;
    sum.drawCalls += view.drawCalls;
    sum.triangles += view.triangles;
    sum.skippedDraws += view.skippedDraws;
    for (std::size_t i = 0; i < sum.breaks.size(); ++i)
        sum.breaks[i] += view.breaks[i];
}

void cullSource(DrawSource& source, const ViewSet& views, VisibleRunSink& sink)
{
    const ViewKinds kinds = source.viewKinds();
    std::uint64_t viewMask = 0;
    for (std::size_t i = 0; i < views.views.size(); ++i)
        viewMask |= kinds.contains(views.views[i].kind) ? 1ULL << i : 0;
    const std::size_t firstRun = sink.runs().size();
    source.cull(views, sink);
    if (kinds.bits != ViewKinds::all().bits)
        sink.restrictViews(firstRun, viewMask);
}
} // namespace

DrawFrame::DrawFrame(DrawLibrary& library) : m_impl(std::make_unique<Impl>(library))
{
}
DrawFrame::~DrawFrame() = default;

void DrawFrame::Impl::checkRuns()
{
    const DrawTables& tables = library.tables();
    isRunValid.assign(sink.runs().size(), 1);
    runOffsets.assign(sink.runs().size(), kNoOffset);
    for (std::size_t i = 0; i < sink.runs().size(); ++i)
    {
        const VisibleRun& run = sink.runs()[i];
        const bool isLive = run.meshSet && run.meshSet.index < tables.sets.size() &&
                            tables.sets[run.meshSet.index].generation == run.meshSet.generation &&
                            run.lod < tables.sets[run.meshSet.index].lodCount;
        if (!isLive)
        {
            isRunValid[i] = 0;
            skipped[static_cast<std::size_t>(ReasonCode::StaleMeshSet)] += run.instanceCount;
            continue;
        }
        if (run.isMirrored != 0 && !tables.sets[run.meshSet.index].hasMirrored)
            library.requestMirrored(run.meshSet);
        DL_VALIDATE(std::all_of(sink.ids().begin() + run.firstInstance, sink.ids().begin() + run.firstInstance + run.instanceCount,
                        [&](std::uint32_t id) { return heapPage(id) == heapPage(sink.ids()[run.firstInstance]); }),
            "the ids of a run lie in one heap page");
    }
}

std::uint64_t DrawFrame::Impl::trianglesOf(const DrawTables::Lod& lod) const
{
    const DrawTables& tables = library.tables();
    std::uint64_t indexCount = 0;
    for (std::uint32_t batch = lod.firstBatch; batch < lod.firstBatch + lod.batchCount; ++batch)
    {
        const MeshSection& section = tables.batches[batch].section;
        if (section.topology != gpu::Topology::TriangleList)
            continue;
        if (section.external)
            indexCount += tables.externals[section.external.index].indexCount;
        else
            indexCount += section.indexCount != 0 ? section.indexCount : library.resources().geometry().range(section.range).indexCount;
    }
    return indexCount / 3;
}

void DrawFrame::Impl::countLods()
{
    lods = {};
    for (std::size_t i = 0; i < sink.runs().size(); ++i)
    {
        const VisibleRun& run = sink.runs()[i];
        if ((run.viewMask & 1U) == 0 || isRunValid[i] == 0)
            continue;
        const DrawTables::Set& set = library.tables().sets[run.meshSet.index];
        lods.instances[run.lod] += run.instanceCount;
        lods.triangles += trianglesOf(set.lods[run.lod]) * run.instanceCount;
        lods.trianglesAtFinest += trianglesOf(set.lods[0]) * run.instanceCount;
    }
}

void DrawFrame::Impl::preparePassViews(const ViewSet& views)
{
    const DrawTables& tables = library.tables();
    lookup.assign(tables.passes.size() * kMaxViewCount, kNoOffset);
    statsOfPass.assign(tables.passes.size(), kNoOffset);
    stats.clear();
    isPassUsed.assign(tables.passes.size(), 0);
    passViewCount = 0;
    for (std::uint32_t pass = 0; pass < tables.passes.size(); ++pass)
    {
        const DrawTables::Pass& table = tables.passes[pass];
        if (table.generation == 0)
            continue;
        statsOfPass[pass] = static_cast<std::uint32_t>(stats.size());
        PassStats& entry = stats.emplace_back();
        entry.name = table.desc->name;
        entry.batches = table.batchCount;
        entry.commands = table.commandCount;
        for (std::uint32_t view = 0; view < views.views.size(); ++view)
        {
            if (!table.desc->viewKinds.contains(views.views[view].kind))
                continue;
            if (passViewCount == pool.size())
                pool.push_back(std::make_unique<PassView>());
            isPassUsed[pass] = 1;
            lookup[pass * kMaxViewCount + view] = passViewCount;
            pool[passViewCount++]->reset(pass, table.generation, view);
        }
    }
}

void DrawFrame::Impl::placeAndWriteIds(const FrameInput& input)
{
    IdList& list = library.resources().ids();
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < passViewCount; ++i)
        count = pool[i]->placeIds(input, runOffsets, count);
    idCount = count;
    firstId = list.size();
    if (count == 0)
        return;
    const Result<std::uint32_t> first = list.allocate(count);
    if (!first)
    {
        idCount = 0;
        for (std::uint32_t i = 0; i < passViewCount; ++i)
            pool[i]->dropAll(ReasonCode::IdListFull);
        return;
    }
    firstId = first.value();
    const std::span<std::uint32_t> ids = list.at(firstId, count);
    parallelFor(passViewCount, 1,
        [&](std::size_t begin, std::size_t end)
        {
            for (std::size_t i = begin; i < end; ++i)
                pool[i]->writeIds(input, ids);
        });
}

/// What the settings ask for, cut to what the device can. firstInstance carries the instances' identity: a device that would ignore
/// it in indirect draws gets direct ones.
DrawSubmission DrawFrame::Impl::submission() const
{
    const gpu::Features features = library.device().info().features;
    const bool canMultiDraw = features.contains(gpu::Feature::MultiDrawIndirect) && features.contains(gpu::Feature::IndirectFirstInstance);
    return settings.submission == DrawSubmission::Indirect && !canMultiDraw ? DrawSubmission::Joined : settings.submission;
}

/// Without room for arguments the draws stay direct.
void DrawFrame::Impl::placeAndWriteArguments(const FrameInput& input)
{
    if (input.submission != DrawSubmission::Indirect)
        return;
    IndirectList& list = library.resources().indirectDraws();
    const std::uint32_t capacity = list.capacity();
    std::uint32_t count = 0;
    for (std::uint32_t i = 0; i < passViewCount; ++i)
        count = pool[i]->placeArguments(count, capacity);
    if (count == 0)
        return;
    const std::span<IndirectArguments> arguments = list.allocate(count);
    parallelFor(passViewCount, 1,
        [&](std::size_t begin, std::size_t end)
        {
            for (std::size_t i = begin; i < end; ++i)
                pool[i]->writeArguments(input, firstId, arguments);
        });
}

void DrawFrame::setSettings(const DrawFrameSettings& settings)
{
    m_impl->settings = settings;
}

const DrawFrameSettings& DrawFrame::settings() const
{
    return m_impl->settings;
}

void DrawFrame::build(const ViewSet& views, std::span<DrawSource* const> sources, const DynamicBatches* dynamic)
{
    DL_TRACE_SCOPE("draw build");
    Impl& impl = *m_impl;
    DL_ASSERT(views.views.size() <= kMaxViewCount, "more views than a view mask has bits");
    const std::uint64_t begin = nowNs();
    impl.sink.clear();
    for (DrawSource* source : sources)
        cullSource(*source, views, impl.sink);
    impl.cullMs = static_cast<double>(nowNs() - begin) * 1e-6;

    impl.skipped.fill(0);
    impl.staleCommands.clear();
    if (impl.settings.verifiedCommandCount != 0)
        impl.library.verifyCommands(impl.settings.verifiedCommandCount, impl.staleCommands);
    impl.checkRuns();
    impl.countLods();
    impl.preparePassViews(views);
    impl.pending.collect(impl.library, impl.settings.pending, impl.isPassUsed);
    impl.dynamic.clear();
    if (dynamic != nullptr)
    {
        impl.dynamic.assign(dynamic->batches().begin(), dynamic->batches().end());
        impl.skipped[static_cast<std::size_t>(ReasonCode::DynamicRingFull)] += dynamic->refusedCount();
    }
    const FrameInput input{&impl.library.tables(), &impl.library.resources().geometry(), &views, &impl.sink, impl.isRunValid, impl.dynamic,
        impl.submission(), impl.settings.tagsDraws, &impl.pending};
    parallelFor(impl.passViewCount, 1,
        [&](std::size_t first, std::size_t last)
        {
            for (std::size_t i = first; i < last; ++i)
                impl.pool[i]->build(input);
        });
    impl.placeAndWriteIds(input);
    impl.placeAndWriteArguments(input);
    for (std::uint32_t i = 0; i < impl.passViewCount; ++i)
    {
        PassView& passView = *impl.pool[i];
        passView.finish(*input.tables);
        add(impl.stats[impl.statsOfPass[passView.passIndex()]], passView.stats());
        for (std::size_t code = 0; code < impl.skipped.size(); ++code)
            impl.skipped[code] += passView.skipped()[code];
    }
}

PassView* DrawFrame::Impl::find(MeshPassId pass, std::uint32_t viewIndex) const
{
    const std::size_t at = static_cast<std::size_t>(pass.index) * kMaxViewCount + viewIndex;
    if (viewIndex >= kMaxViewCount || at >= lookup.size() || lookup[at] == kNoOffset)
        return nullptr;
    PassView* passView = pool[lookup[at]].get();
    return passView->passGeneration() == pass.generation ? passView : nullptr;
}

void DrawFrame::encode(MeshPassId pass, std::uint32_t viewIndex, const EncodeBindings& bindings, gpu::CommandStream& stream)
{
    PassView* passView = m_impl->find(pass, viewIndex);
    if (passView == nullptr)
        return;
    const std::uint64_t begin = nowNs();
    detail::StateFilter filter(m_impl->library.tables(), m_impl->library.resources(), bindings, stream);
    const std::span<const DrawRecord> records = passView->records();
    const std::uint32_t firstArgument = passView->firstArgument();
    for (std::size_t i = 0; i < records.size();)
    {
        const DrawRecord& record = records[i];
        const std::size_t end = firstArgument != kNoOffset ? detail::endOfRun(records, i) : i + 1;
        if (end - i > 1)
            filter.multiDraw(record, firstArgument + static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(end - i));
        else if (record.isDynamic != 0)
            filter.draw(record, m_impl->dynamic[record.dynamicIndex].geometry, m_impl->firstId);
        else if (record.external)
            filter.draw(record, m_impl->library.tables().externals[record.external.index], m_impl->firstId);
        else
            filter.draw(record, m_impl->firstId);
        i = end;
    }
    passView->encodeNs = nowNs() - begin;
}

std::uint32_t DrawFrame::sampleCount(MeshPassId pass) const
{
    const std::vector<DrawTables::Pass>& passes = m_impl->library.tables().passes;
    const bool isLive = pass && pass.index < passes.size() && passes[pass.index].generation == pass.generation;
    return isLive ? passes[pass.index].desc->sampleCount : 0;
}

std::span<const DrawRecord> DrawFrame::draws(MeshPassId pass, std::uint32_t viewIndex) const
{
    const PassView* passView = m_impl->find(pass, viewIndex);
    return passView != nullptr ? passView->records() : std::span<const DrawRecord>();
}

std::span<const std::uint32_t> DrawFrame::ids() const
{
    return m_impl->library.resources().ids().at(m_impl->firstId, m_impl->idCount);
}

std::span<const PassStats> DrawFrame::passStats() const
{
    for (PassStats& stats : m_impl->stats)
        stats.cpuMs = 0.0;
    for (std::uint32_t i = 0; i < m_impl->passViewCount; ++i)
    {
        const PassView& passView = *m_impl->pool[i];
        m_impl->stats[m_impl->statsOfPass[passView.passIndex()]].cpuMs += passView.cpuMs();
    }
    return m_impl->stats;
}

PassStats DrawFrame::viewStats(MeshPassId pass, std::uint32_t viewIndex) const
{
    const PassView* passView = m_impl->find(pass, viewIndex);
    if (passView == nullptr)
        return {};
    const PassStats& whole = m_impl->stats[m_impl->statsOfPass[pass.index]];
    PassStats stats = passView->stats();
    stats.name = whole.name;
    stats.batches = whole.batches;
    stats.commands = whole.commands;
    stats.cpuMs = passView->cpuMs();
    return stats;
}

StageTimes DrawFrame::stageTimes() const
{
    StageTimes times;
    times.cullMs = m_impl->cullMs;
    for (std::uint32_t i = 0; i < m_impl->passViewCount; ++i)
    {
        times.sortMs += static_cast<double>(m_impl->pool[i]->sortNs) * 1e-6;
        times.joinMs += static_cast<double>(m_impl->pool[i]->joinNs) * 1e-6;
        times.encodeMs += static_cast<double>(m_impl->pool[i]->encodeNs) * 1e-6;
    }
    return times;
}

const LodStats& DrawFrame::lodStats() const
{
    return m_impl->lods;
}

std::span<const std::uint64_t> DrawFrame::skippedByReason() const
{
    return m_impl->skipped;
}

void DrawFrame::collectRefusals(std::vector<Refusal>& refusals) const
{
    for (std::size_t code = 0; code < m_impl->skipped.size(); ++code)
    {
        if (m_impl->skipped[code] == 0)
            continue;
        const ReasonInfo& info = reasonInfo(static_cast<ReasonCode>(code));
        refusals.push_back({"instances", "frame", static_cast<ReasonCode>(code), std::string(info.name),
            std::to_string(m_impl->skipped[code]) + " (instance, section, view): " + std::string(info.text)});
    }
    refusals.insert(refusals.end(), m_impl->staleCommands.begin(), m_impl->staleCommands.end());
}

} // namespace dl
