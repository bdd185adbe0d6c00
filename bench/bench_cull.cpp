// bench/bench_cull.cpp - frustum culling, ids out, one thread, against what the machine allows (cull_limits.h) and against
// peers (cull_peers.h), all in turn in one run. Times are CPU time of the thread (builds share the machine), counters their
// medians: vs_limit and vs_peer = their time / ours (above 1: we are faster), hash32 = of the result. cold: a large buffer is
// touched before each measurement.
#include "bench/cull_limits.h"
#include "bench/cull_peers.h"
#include "drawloom/core/hash.h"
#include "drawloom/core/parallel.h"
#include "drawloom/cull/groups.h"

#include <benchmark/benchmark.h>
#include <hwy/targets.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <random>

namespace
{

using namespace dl;
using namespace dl::cull;
using dl::bench::CullScene;

/// Objects around a camera at the origin so that a tenth is inside of its frustum; more views look elsewhere.
CullScene makeScene(std::size_t count, std::size_t viewCount)
{
    CullScene scene;
    std::mt19937 random(1);
    const auto fill = [&](std::vector<float>& values, float low, float high)
    {
        values.resize(count);
        for (float& value : values)
            value = low + (high - low) * static_cast<float>(random() >> 8U) / 16777216.0f;
    };
    for (std::vector<float>* axis : {&scene.x, &scene.y, &scene.z})
        fill(*axis, -500.0f, 500.0f);
    for (std::vector<float>* axis : {&scene.a, &scene.b, &scene.c})
        fill(*axis, 0.1f, 2.0f);
    scene.projection = perspectiveReversed(bench::kFovY, bench::kAspect, bench::kNear, bench::kFar);
    scene.view = lookAt(vec3(0), vec3(1, 0, 0), vec3(0, 1, 0));
    for (std::size_t v = 0; v < viewCount; ++v)
    {
        const float angle = static_cast<float>(v);
        const mat4 view = lookAt(vec3(0), vec3(std::cos(angle), 0, std::sin(angle)), vec3(0, 1, 0));
        scene.views.push_back(extractView(scene.projection * view));
    }
    return scene;
}

double threadSeconds()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

/// Takes one contestant's times, the caches emptied before each if `isCold`.
class Contestant
{
public:
    template <class Fn> double run(bool isCold, Fn&& fn)
    {
        if (isCold)
            flushCaches();
        const double begin = threadSeconds();
        fn();
        m_seconds.push_back(threadSeconds() - begin);
        return m_seconds.back();
    }
    double median()
    {
        if (m_seconds.empty())
            return 0.0;
        const auto middle = m_seconds.begin() + static_cast<std::ptrdiff_t>(m_seconds.size() / 2);
        std::nth_element(m_seconds.begin(), middle, m_seconds.end());
        return *middle;
    }

private:
    static void flushCaches()
    {
        static std::vector<std::uint64_t> buffer(std::size_t{96} << 17U); // 96 MiB
        for (std::size_t i = 0; i < buffer.size(); i += 8)
            ++buffer[i];
    }

    std::vector<double> m_seconds;
};

std::uint64_t hashOf(const VisibleObjects& visible)
{
    std::uint64_t masks = 0;
    for (std::size_t i = 0; i < visible.ids().size(); ++i)
        masks = masks * 31 + visible.viewMask(i);
    return hashBytes(std::as_bytes(visible.ids())) ^ masks;
}

/// Equal for the same set in any order.
std::uint64_t setHashOf(std::span<const std::uint32_t> ids)
{
    std::uint64_t sum = ids.size();
    for (const std::uint64_t id : ids)
        sum += (id + 1) * (id + 1) * 0x9E3779B97F4A7C15U;
    return sum;
}

/// Peers do not widen bounds by rounding: a few objects at the edge may differ.
bool isAlmost(std::size_t count, std::size_t other)
{
    const std::size_t difference = count > other ? count - other : other - count;
    return difference <= count / 1000 + 8;
}

template <bool kIsBox> void cullFlat(const CullScene& scene, VisibleObjects& visible)
{
    if constexpr (kIsBox)
        cullBoxes(scene.boxes(), scene.views, visible);
    else
        cullSpheres(scene.spheres(), scene.views, visible);
}

template <bool kIsBox> std::uint32_t readScene(const CullScene& scene)
{
    const float* const arrays[] = {scene.x.data(), scene.y.data(), scene.z.data(), scene.a.data(), scene.b.data(), scene.c.data()};
    return bench::readArrays(std::span(arrays).first(kIsBox ? 6 : 4), scene.x.size());
}

template <bool kIsBox> std::uint32_t arithmetic(const CullScene& scene, bool isWide)
{
    std::size_t planes = 0;
    for (const CullView& view : scene.views)
        planes += view.planeCount;
    return kIsBox ? bench::boxArithmetic(scene.x.size(), planes, isWide) : bench::sphereArithmetic(scene.x.size(), planes, isWide);
}

/// Restricts Highway while it lives.
class InstructionSet
{
public:
    explicit InstructionSet(std::int64_t target) : isThere((hwy::SupportedTargets() & target) != 0)
    {
        hwy::SetSupportedTargetsForTest(isThere ? target : 0);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
    ~InstructionSet()
    {
        hwy::SetSupportedTargetsForTest(0);
        hwy::GetChosenTarget().Update(hwy::SupportedTargets());
    }
    InstructionSet(const InstructionSet&) = delete;
    InstructionSet& operator=(const InstructionSet&) = delete;

    const bool isThere;
};

template <bool kIsBox> void flat(benchmark::State& state)
{
    const InstructionSet instructionSet(state.range(2) == 512 ? HWY_AVX3 : HWY_AVX2);
    if (!instructionSet.isThere)
        return state.SkipWithError("this machine lacks the instruction set");
    const CullScene scene = makeScene(static_cast<std::size_t>(state.range(0)), static_cast<std::size_t>(state.range(1)));
    const bool isCold = state.range(3) != 0;
    const bench::GlmCuller glm(scene, kIsBox);
    setThreadCount(1);
    VisibleObjects visible;
    std::vector<std::uint32_t> ids;
    cullFlat<kIsBox>(scene, visible);
    Contestant ours, reading, narrow, wide, peer;
    for (auto _ : state)
    {
        reading.run(isCold, [&] { benchmark::DoNotOptimize(readScene<kIsBox>(scene)); });
        narrow.run(false, [&] { benchmark::DoNotOptimize(arithmetic<kIsBox>(scene, false)); });
        wide.run(false, [&] { benchmark::DoNotOptimize(arithmetic<kIsBox>(scene, true)); });
        state.SetIterationTime(ours.run(isCold, [&] { cullFlat<kIsBox>(scene, visible); }));
        ids.clear();
        peer.run(isCold, [&] { glm.cull(scene.views, ids); });
    }
    setThreadCount(0);
    if (!isAlmost(visible.ids().size(), ids.size()))
        state.SkipWithError("the peer sees something else");
    const double objects = static_cast<double>(state.range(0)), time = ours.median();
    const double arithmeticTime = std::min(narrow.median(), wide.median());
    state.counters["ns_per_object"] = time / objects * 1e9;
    state.counters["read_ns"] = reading.median() / objects * 1e9;
    state.counters["arithmetic_ns"] = arithmeticTime / objects * 1e9;
    state.counters["vs_limit"] = std::max(reading.median(), arithmeticTime) / time;
    state.counters["vs_peer"] = peer.median() / time;
    state.counters["visible"] = static_cast<double>(visible.ids().size()) / objects;
    state.counters["hash32"] = static_cast<double>(hashOf(visible) >> 32U);
}

/// A view that all objects lie in, with six planes.
CullView viewOfAll()
{
    return extractView(orthographicReversed(4000.0f, 4000.0f, 0.0f, 4000.0f) * lookAt(vec3(0, 0, 2000), vec3(0), vec3(0, 1, 0)));
}

template <bool kIsBox> void groups(benchmark::State& state)
{
    CullScene scene = makeScene(static_cast<std::size_t>(state.range(0)), 1);
    const bool isCold = state.range(2) != 0;
    if (state.range(1) == 100)
        scene.views = {viewOfAll()};
    setThreadCount(1);
    CullGroups sorted;
    kIsBox ? sorted.build(scene.boxes()) : sorted.build(scene.spheres());
    VisibleObjects visible, flatVisible;
    sorted.cull(scene.views, visible);
    cullFlat<kIsBox>(scene, flatVisible);
    Contestant ours, flatOurs, reading;
    for (auto _ : state)
    {
        reading.run(isCold, [&] { benchmark::DoNotOptimize(readScene<kIsBox>(scene)); });
        flatOurs.run(isCold, [&] { cullFlat<kIsBox>(scene, flatVisible); });
        state.SetIterationTime(ours.run(isCold, [&] { sorted.cull(scene.views, visible); }));
    }
    setThreadCount(0);
    if (setHashOf(visible.ids()) != setHashOf(flatVisible.ids()))
        state.SkipWithError("groups and flat differ");
    const double objects = static_cast<double>(state.range(0)), time = ours.median();
    state.counters["ns_per_object"] = time / objects * 1e9;
    state.counters["vs_limit"] = reading.median() / time;
    state.counters["vs_flat"] = flatOurs.median() / time;
    state.counters["visible"] = static_cast<double>(visible.ids().size()) / objects;
    state.counters["hash32"] = static_cast<double>(hashOf(visible) >> 32U);
}

template <bool kIsBox> void peers(benchmark::State& state)
{
    const CullScene scene = makeScene(static_cast<std::size_t>(state.range(0)), 1);
    const std::unique_ptr<bench::CullPeer> ogre = bench::createOgrePeer(scene, kIsBox);
    const std::unique_ptr<bench::CullPeer> bullet = kIsBox ? bench::createBulletPeer(scene) : nullptr;
    setThreadCount(1);
    CullGroups sorted;
    kIsBox ? sorted.build(scene.boxes()) : sorted.build(scene.spheres());
    VisibleObjects visible, flatVisible;
    std::vector<std::uint32_t> ids;
    Contestant ours, flatOurs, ogreTime, bulletTime;
    const auto ask = [&](bench::CullPeer* peer, Contestant& times)
    {
        ids.clear();
        if (peer != nullptr)
            times.run(false, [&] { peer->cull(ids); });
        if (peer != nullptr && !isAlmost(flatVisible.ids().size(), ids.size()))
            state.SkipWithError("a peer sees something else");
    };
    for (auto _ : state)
    {
        flatOurs.run(false, [&] { cullFlat<kIsBox>(scene, flatVisible); });
        state.SetIterationTime(ours.run(false, [&] { sorted.cull(scene.views, visible); }));
        ask(ogre.get(), ogreTime);
        ask(bullet.get(), bulletTime);
    }
    setThreadCount(0);
    state.counters["flat_vs_ogre"] = ogreTime.median() / flatOurs.median();
    state.counters["flat_vs_bullet"] = bulletTime.median() / flatOurs.median();
    state.counters["groups_vs_ogre"] = ogreTime.median() / ours.median();
    state.counters["groups_vs_bullet"] = bulletTime.median() / ours.median();
    state.counters["hash32"] = static_cast<double>(hashOf(visible) >> 32U);
}

/// A share of the objects moves each frame, by up to a step along each axis: what following costs, and what growth costs.
void moving(benchmark::State& state)
{
    CullScene scene = makeScene(static_cast<std::size_t>(state.range(0)), 1);
    const auto every = static_cast<std::uint32_t>(100 / state.range(1));
    const auto step = static_cast<float>(state.range(2));
    setThreadCount(1);
    CullGroups moved, fresh;
    moved.build(scene.boxes());
    VisibleObjects visible;
    std::mt19937 random(2);
    const auto offset = [&] { return step * (static_cast<float>(random() >> 8U) / 8388608.0f - 1.0f); };
    Contestant move, follow, stay, rebuilt, flatOurs;
    for (auto _ : state)
    {
        for (auto i = static_cast<std::uint32_t>(random() % every); i < scene.x.size(); i += every)
            scene.x[i] += offset(), scene.y[i] += offset(), scene.z[i] += offset();
        move.run(false,
            [&]
            {
                for (std::uint32_t i = 0; i < scene.x.size(); i += every)
                    moved.moveBox(i, vec3(scene.x[i], scene.y[i], scene.z[i]), vec3(scene.a[i], scene.b[i], scene.c[i]));
            });
        state.SetIterationTime(follow.run(false, [&] { moved.cull(scene.views, visible); }));
        stay.run(false, [&] { moved.cull(scene.views, visible); });
        flatOurs.run(false, [&] { cullBoxes(scene.boxes(), scene.views, visible); });
    }
    fresh.build(scene.boxes());
    for (int i = 0; i < 11; ++i)
        rebuilt.run(false, [&] { fresh.cull(scene.views, visible); });
    setThreadCount(0);
    state.counters["move_us"] = move.median() * 1e6;
    state.counters["refit_and_cull_us"] = follow.median() * 1e6;
    state.counters["cull_us"] = stay.median() * 1e6;
    state.counters["rebuilt_us"] = rebuilt.median() * 1e6;
    state.counters["flat_us"] = flatOurs.median() * 1e6;
    state.counters["growth"] = static_cast<double>(moved.growth());
}

void flatArguments(benchmark::internal::Benchmark* b)
{
    b->ArgNames({"objects", "views", "bits", "cold"})->UseManualTime()->Unit(benchmark::kMicrosecond);
    b->ArgsProduct({{100000, 1000000, 10000000}, {1, 5}, {256, 512}, {0, 1}});
}

void groupArguments(benchmark::internal::Benchmark* b)
{
    b->ArgNames({"objects", "visible", "cold"})->UseManualTime()->Unit(benchmark::kMicrosecond);
    b->ArgsProduct({{100000, 1000000, 10000000}, {10, 100}, {0, 1}});
}

constexpr int kIterations = 11;

BENCHMARK(flat<true>)->Name("flat/boxes")->Apply(flatArguments)->Iterations(kIterations);
BENCHMARK(flat<false>)->Name("flat/spheres")->Apply(flatArguments)->Iterations(kIterations);
BENCHMARK(groups<true>)->Name("groups/boxes")->Apply(groupArguments)->Iterations(kIterations);
BENCHMARK(groups<false>)->Name("groups/spheres")->Apply(groupArguments)->Iterations(kIterations);
BENCHMARK(peers<true>)->Name("peers/boxes")->Arg(100000)->Arg(1000000)->UseManualTime()->Iterations(kIterations);
BENCHMARK(peers<false>)->Name("peers/spheres")->Arg(100000)->Arg(1000000)->UseManualTime()->Iterations(kIterations);
BENCHMARK(moving)
    ->ArgNames({"objects", "percent", "step"})
    ->ArgsProduct({{100000, 1000000}, {1, 10}, {0, 5}})
    ->Args({100000, 100, 5})
    ->Args({100000, 100, 10})
    ->Args({100000, 100, 20})
    ->Args({100000, 100, 50})
    ->UseManualTime()
    ->Iterations(kIterations)
    ->Unit(benchmark::kMicrosecond);

} // namespace

BENCHMARK_MAIN();
