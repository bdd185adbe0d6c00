// bench/bench_cull.cpp - SIMD frustum culling against the scalar reference, interleaved in one run, one thread: median
// times per object, the ratio `vs_scalar` (above 1: SIMD is faster) and a hash of the masks that must be equal.
#include "drawloom/core/hash.h"
#include "drawloom/core/parallel.h"
#include "drawloom/cull/cull.h"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <random>
#include <vector>

namespace
{

using namespace dl;
using namespace dl::cull;

/// Objects around a camera at the origin so that about a tenth is inside of its frustum; more views look elsewhere.
struct Workload
{
    std::vector<float> x, y, z, a, b, c;
    std::vector<CullView> views;
    std::vector<std::uint64_t> masks;

    Workload(std::size_t count, std::size_t viewCount) : masks(count)
    {
        std::mt19937 random(1);
        std::uniform_real_distribution<float> position(-500.0f, 500.0f);
        std::uniform_real_distribution<float> extent(0.1f, 2.0f);
        for (std::vector<float>* axis : {&x, &y, &z})
        {
            axis->resize(count);
            std::generate(axis->begin(), axis->end(), [&] { return position(random); });
        }
        for (std::vector<float>* axis : {&a, &b, &c})
        {
            axis->resize(count);
            std::generate(axis->begin(), axis->end(), [&] { return extent(random); });
        }
        const mat4 projection = perspectiveReversed(1.2f, 1.6f, 0.1f, 800.0f);
        for (std::size_t v = 0; v < viewCount; ++v)
        {
            const float angle = static_cast<float>(v);
            views.push_back(extractView(projection * lookAt(vec3(0), vec3(std::cos(angle), 0, std::sin(angle)), vec3(0, 1, 0))));
        }
    }
    CullBoxes boxes() const { return {x, y, z, a, b, c, {}}; }
    CullSpheres spheres() const { return {x, y, z, a, {}}; }
    std::uint64_t hash() const { return hashBytes(std::as_bytes(std::span(masks))); }
};

template <class F> double secondsOf(F&& fn)
{
    const auto begin = std::chrono::steady_clock::now();
    fn();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

double medianOf(std::vector<double>& values)
{
    std::nth_element(values.begin(), values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2), values.end());
    return values[values.size() / 2];
}

template <class Simd, class Scalar> void compare(benchmark::State& state, Simd&& simd, Scalar&& scalar)
{
    Workload work(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
    setThreadCount(1);
    std::vector<double> simdSeconds;
    std::vector<double> scalarSeconds;
    std::uint64_t simdHash = 0;
    std::uint64_t scalarHash = 0;
    for (auto _ : state)
    {
        scalarSeconds.push_back(secondsOf([&] { scalar(work); }));
        scalarHash = work.hash();
        simdSeconds.push_back(secondsOf([&] { simd(work); }));
        simdHash = work.hash();
        state.SetIterationTime(simdSeconds.back());
    }
    setThreadCount(0);
    if (simdHash != scalarHash)
        state.SkipWithError("SIMD and scalar masks differ");
    const double simdMedian = medianOf(simdSeconds);
    const auto objects = static_cast<double>(state.range(0));
    std::size_t seen = 0;
    for (const std::uint64_t mask : work.masks)
        seen += mask & 1U;
    state.counters["ns_per_object"] = simdMedian / objects * 1e9;
    state.counters["vs_scalar"] = medianOf(scalarSeconds) / simdMedian;
    state.counters["visible"] = static_cast<double>(seen) / objects;
    state.counters["hash32"] = static_cast<double>(simdHash >> 32U);
}

void boxes(benchmark::State& state)
{
    compare(
        state, [](Workload& w) { cullBoxes(w.boxes(), w.views, w.masks); },
        [](Workload& w) { cullBoxesScalar(w.boxes(), w.views, w.masks); });
}

void spheres(benchmark::State& state)
{
    compare(
        state, [](Workload& w) { cullSpheres(w.spheres(), w.views, w.masks); },
        [](Workload& w) { cullSpheresScalar(w.spheres(), w.views, w.masks); });
}

BENCHMARK(boxes)->ArgsProduct({{100000, 1000000}, {1, 5}})->UseManualTime()->Unit(benchmark::kMicrosecond)->MinTime(0.2);
BENCHMARK(spheres)->ArgsProduct({{100000, 1000000}, {1, 5}})->UseManualTime()->Unit(benchmark::kMicrosecond)->MinTime(0.2);

} // namespace

BENCHMARK_MAIN();
