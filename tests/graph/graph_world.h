// tests/graph/graph_world.h - a render graph on the null device behind the validation device, with the pipelines that a
// small frame needs.
#pragma once

#include "drawloom/gpu/null_device.h"
#include "drawloom/gpu/validation_device.h"
#include "drawloom/graph/render_graph.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

namespace dl::graph::test
{

using gpu::Access;

struct GraphWorld
{
    static constexpr std::uint32_t kSize = 64;

    std::unique_ptr<gpu::NullDevice> null;
    std::unique_ptr<gpu::ValidationDevice> device;
    std::unique_ptr<RenderGraph> graph;
    gpu::CommandStream stream;
    std::vector<gpu::Completion> completions;
    std::string messages;

    gpu::TextureId backbuffer;
    gpu::AccessFlags backbufferState;
    gpu::BindGroupLayoutId tonemapLayout, exposureLayout;
    gpu::PipelineId tonemap, exposure;

    explicit GraphWorld(const GraphSettings& settings = {});
    ~GraphWorld() { graph.reset(); }

    TextureHandle importBackbuffer();
    TextureHandle makeColor(std::string_view label, gpu::Format format = gpu::Format::RGBA16Float);
    /// A raster pass that clears `target` and, if given, samples `input`.
    TextureHandle addRaster(std::string_view name, TextureHandle target, TextureHandle input = {});
    /// Clear exposure, depth prepass, opaque, exposure, tonemap into the backbuffer, and a pass that nobody uses.
    void declareFrame();
    /// Compile, execute, submit; true if all went well.
    bool run();
    /// The same with the declared small frame.
    bool runFrame()
    {
        graph->beginFrame();
        declareFrame();
        return run();
    }
    /// The error of compile, or "".
    std::string compileError();
};

} // namespace dl::graph::test
