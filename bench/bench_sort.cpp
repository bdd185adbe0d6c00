// bench/bench_sort.cpp - DrawSorter against std::sort, boost's spreadsort and Highway's vqsort, interleaved in one run, one
// thread, reused memory: medians of the thread's CPU time (other builds share the machine), `vs_peer` (above 1: ours is
// faster) and a hash of the sorted items that must equal the peer's. `changed` is the sorter against itself from scratch.
#include "bench/sort_keys.h"
#include "drawloom/core/hash.h"

#include <benchmark/benchmark.h>

#if DRAWLOOM_BENCH_VQSORT
#include <hwy/contrib/sort/vqsort.h>
#endif
#if DRAWLOOM_BENCH_SPREADSORT
#include <boost/sort/spreadsort/integer_sort.hpp>
#endif

#include <algorithm>
#include <ctime>
#include <random>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace
{

using namespace dl;
using namespace dl::bench;

template <class F> double cpuSecondsOf(F&& fn)
{
    const auto now = []
    {
        timespec time = {};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
    };
    const double begin = now();
    fn();
    return now() - begin;
}

double medianOf(std::vector<double>& values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

/// Writes through more memory than the first two levels hold, and most third levels.
void emptyCaches()
{
    static std::vector<std::uint64_t> memory(8U << 20U);
    for (std::size_t i = 0; i < memory.size(); i += 8)
        memory[i] += i;
}

std::uint64_t hashOf(std::span<const SortItem> items)
{
    return hashBytes(std::as_bytes(items));
}

std::uint64_t hashOfKeys(std::span<const SortItem> items)
{
    std::uint64_t hash = 0;
    for (const SortItem& item : items)
        hash = hashCombine(hash, item.key);
    return hash;
}

/// The payload, an index, decides among equal keys: what a stable sort would do.
struct StdSort
{
    static constexpr bool isStable = true;
    std::vector<SortItem> items;
    void load(std::span<const SortItem> source) { items.assign(source.begin(), source.end()); }
    void sort()
    {
        std::sort(items.begin(), items.end(),
            [](const SortItem& a, const SortItem& b) { return a.key < b.key || (a.key == b.key && a.payload < b.payload); });
    }
    std::span<const SortItem> result() { return items; }
};

#if DRAWLOOM_BENCH_SPREADSORT
/// By the key alone: it leaves equal keys in any order.
struct SpreadSort
{
    static constexpr bool isStable = false;
    std::vector<SortItem> items;
    void load(std::span<const SortItem> source) { items.assign(source.begin(), source.end()); }
    void sort()
    {
        boost::sort::spreadsort::integer_sort(
            items.begin(), items.end(), [](const SortItem& item, unsigned offset) { return item.key >> offset; },
            [](const SortItem& a, const SortItem& b) { return a.key < b.key; });
    }
    std::span<const SortItem> result() { return items; }
};
#endif

#if DRAWLOOM_BENCH_VQSORT
/// 128-bit keys, the payload in the low half.
struct VqSort
{
    static constexpr bool isStable = true;
    std::vector<hwy::uint128_t> keys;
    std::vector<SortItem> items;
    hwy::Sorter sorter;
    void load(std::span<const SortItem> source)
    {
        keys.resize(source.size());
        for (std::size_t i = 0; i < source.size(); ++i)
        {
            keys[i].hi = source[i].key;
            keys[i].lo = source[i].payload;
        }
    }
    void sort() { sorter(keys.data(), keys.size(), hwy::SortAscending()); }
    std::span<const SortItem> result()
    {
        items.clear();
        for (const hwy::uint128_t& key : keys)
            items.push_back({key.hi, static_cast<std::uint32_t>(key.lo), 0});
        return items;
    }
};
#endif

template <class Peer> void against(benchmark::State& state, KeyKind kind)
{
    const auto count = static_cast<std::size_t>(state.range(0));
    const bool isCold = state.range(1) != 0;
    const std::vector<SortItem> source = sceneItems(kind, count, 1);
    std::vector<double> ours, theirs;
    std::vector<SortItem> items;
    std::span<const SortItem> sorted;
    DrawSorter sorter;
    Peer peer;
    for (auto _ : state)
    {
        items.assign(source.begin(), source.end());
        sorter.forget();
        if (isCold)
            emptyCaches();
        ours.push_back(cpuSecondsOf([&] { sorted = sorter.sort(items); }));
        peer.load(source);
        if (isCold)
            emptyCaches();
        theirs.push_back(cpuSecondsOf([&] { peer.sort(); }));
        state.SetIterationTime(ours.back());
    }
    if (Peer::isStable ? hashOf(sorted) != hashOf(peer.result()) : hashOfKeys(sorted) != hashOfKeys(peer.result()))
        state.SkipWithError("the results differ");
    const double median = medianOf(ours);
    state.counters["ns_per_item"] = median / static_cast<double>(count) * 1e9;
    state.counters["vs_peer"] = medianOf(theirs) / median;
    state.counters["hash32"] = static_cast<double>(hashOf(sorted) >> 32U);
}

void changed(benchmark::State& state, KeyKind kind)
{
    const auto count = static_cast<std::size_t>(state.range(0));
    const std::size_t changeCount = count * static_cast<std::size_t>(state.range(1)) / 1000;
    std::vector<SortItem> source = sceneItems(kind, count, 1);
    const std::vector<SortItem> others = sceneItems(kind, count, 2);
    std::mt19937 random(3);
    std::vector<double> warm, scratch;
    std::vector<SortItem> items, itemsFromScratch;
    std::span<const SortItem> sorted, sortedFromScratch;
    DrawSorter sorter, fromScratch;
    for (auto _ : state)
    {
        for (std::size_t i = 0; i < changeCount; ++i)
            source[changeCount == count ? i : random() % count].key = others[random() % count].key;
        itemsFromScratch.assign(source.begin(), source.end());
        fromScratch.forget();
        scratch.push_back(cpuSecondsOf([&] { sortedFromScratch = fromScratch.sort(itemsFromScratch); }));
        items.assign(source.begin(), source.end());
        warm.push_back(cpuSecondsOf([&] { sorted = sorter.sort(items); }));
        state.SetIterationTime(warm.back());
        if (!std::ranges::equal(sorted, sortedFromScratch))
            state.SkipWithError("the repaired order differs");
    }
    const double median = medianOf(warm);
    state.counters["ns_per_item"] = median / static_cast<double>(count) * 1e9;
    state.counters["vs_scratch"] = medianOf(scratch) / median;
    state.counters["hash32"] = static_cast<double>(hashOf(sorted) >> 32U);
}

constexpr std::pair<const char*, KeyKind> kKinds[] = {
    {"depth", KeyKind::Depth}, {"opaque", KeyKind::Opaque}, {"blended", KeyKind::Blended}, {"random", KeyKind::Random}};
constexpr std::int64_t kCounts[] = {1000, 10000, 100000, 1000000};

std::int64_t iterationsFor(std::int64_t count)
{
    return std::clamp<std::int64_t>(1000000 / count, 7, 101);
}

template <class Peer> void registerPeer(const std::string& name)
{
    for (const auto& [kindName, kind] : kKinds)
        for (const std::int64_t count : kCounts)
            for (const std::int64_t isCold : {0, 1})
                benchmark::RegisterBenchmark((name + "/" + kindName).c_str(), against<Peer>, kind)
                    ->ArgNames({"items", "cold"})
                    ->Args({count, isCold})
                    ->UseManualTime()
                    ->Iterations(isCold != 0 ? std::min<std::int64_t>(iterationsFor(count), 25) : iterationsFor(count));
}

void registerChanged()
{
    for (const auto& [kindName, kind] : kKinds)
        for (const std::int64_t count : kCounts)
            for (const std::int64_t perMille : {0, 10, 50, 70, 1000})
                benchmark::RegisterBenchmark((std::string("changed/") + kindName).c_str(), changed, kind)
                    ->ArgNames({"items", "per_mille"})
                    ->Args({count, perMille})
                    ->UseManualTime()
                    ->Iterations(iterationsFor(count));
}

} // namespace

int main(int argc, char** argv)
{
#if DRAWLOOM_BENCH_VQSORT
    registerPeer<VqSort>("vqsort");
#endif
#if DRAWLOOM_BENCH_SPREADSORT
    registerPeer<SpreadSort>("spreadsort");
#endif
    registerPeer<StdSort>("std_sort");
    registerChanged();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
}
