// bench/plain_draws.h - the peer of bench_frame: what a renderer without sorting and joining records, one draw for each
// visible instance and section, object after object, into the same kind of command stream.
#pragma once

#include "drawloom/draw/draw_library.h"
#include "drawloom/draw/draw_source.h"
#include "drawloom/gpu/command_stream.h"

#include <cstdint>
#include <vector>

namespace dl::bench
{

class PlainDraws
{
public:
    PlainDraws(DrawLibrary& library, gpu::Device& device, std::uint32_t width, std::uint32_t height);

    /// The visible objects of a culling result in the order in which they were created, as an object list has them; what a
    /// culling loop gives, so not part of the recording.
    void setVisible(const VisibleRunSink& sink);
    /// The passes depth and opaque, begun and ended. Sets only state that changed, as a careful loop does.
    void record(std::uint32_t viewUniformOffset, gpu::CommandStream& stream);
    std::uint64_t drawCount() const { return m_drawCount; }

private:
    struct Object
    {
        std::uint32_t heapId = 0, run = 0, place = 0; ///< place: into the culling result's ids
    };
    void recordPass(MeshPassId pass, std::uint32_t viewUniformOffset, gpu::CommandStream& stream);

    DrawLibrary& m_library;
    std::uint32_t m_width = 0, m_height = 0;
    gpu::TextureId m_color, m_depth;
    gpu::TextureViewId m_colorView, m_depthView;
    std::vector<VisibleRun> m_runs;
    std::vector<Object> m_objects;
    std::uint64_t m_drawCount = 0;
};

} // namespace dl::bench
