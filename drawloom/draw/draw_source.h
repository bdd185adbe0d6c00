// drawloom/draw/draw_source.h - whoever owns instances implements DrawSource and answers, once per frame and for all views
// at once, what is visible. The scene registry is one source; users write others.
#pragma once

#include "drawloom/core/assert.h"
#include "drawloom/draw/mesh_set.h"
#include "drawloom/draw/view.h"

#include <cstdint>
#include <span>
#include <vector>

namespace dl
{

/// Instances of one mesh set and LOD that are visible in the same views. All ids lie in one heap page.
struct VisibleRun
{
    MeshSetId meshSet;
    std::uint32_t firstInstance = 0; ///< into the sink's ids and centres
    std::uint32_t instanceCount = 0; ///< > 0
    std::uint64_t viewMask = 0;      ///< bit i: ViewSet::views[i]
    std::uint8_t lod = 0;
    std::uint8_t isMirrored = 0; ///< negative determinant: drawn with the flipped winding
    std::uint16_t reserved = 0;
    Aabb centreBounds; ///< around the centres: gives the run's nearest depth
};

/// Collects the frame's runs. Filled by sources one after the other, each from as many tasks as it likes; keeps its memory.
class VisibleRunSink
{
public:
    /// Memory of one source for one frame, to be filled before the next allocate. Runs' firstInstance counts from
    /// `firstInstance`, not from the slice's start.
    struct Slice
    {
        std::span<VisibleRun> runs;
        std::span<std::uint32_t> ids; ///< instance heap ids (page << 20 | index)
        std::span<vec3> centres;      ///< of the instances' bounds, relative to the frame's origin
        std::uint32_t firstInstance = 0;
    };
    Slice allocate(std::uint32_t runCount, std::uint32_t instanceCount);

    /// One run, copied. `ids` and `centres` have the same size; run.firstInstance, instanceCount, centreBounds are set here.
    void add(VisibleRun run, std::span<const std::uint32_t> ids, std::span<const vec3> centres);

    /// Takes all views but those of `viewMask` out of the runs from `firstRun` on.
    void restrictViews(std::size_t firstRun, std::uint64_t viewMask);
    void clear();
    std::span<const VisibleRun> runs() const { return m_runs; }
    std::span<const std::uint32_t> ids() const { return m_ids; }
    std::span<const vec3> centres() const { return m_centres; }

private:
    std::vector<VisibleRun> m_runs;
    std::vector<std::uint32_t> m_ids;
    std::vector<vec3> m_centres;
};

class DrawSource
{
public:
    virtual ~DrawSource() = default;
    /// Views of other kinds never show what this source adds, whatever its runs' masks say. Asked once a frame, before cull.
    virtual ViewKinds viewKinds() const { return ViewKinds::all(); }
    /// Adds what is visible. The order of runs and ids must not depend on threads; it decides ties of the sort.
    virtual void cull(const ViewSet& views, VisibleRunSink& sink) = 0;
};

} // namespace dl
