#include "drawloom/render/fullscreen_passes.h"

#include "drawloom/render/standard_passes.h"

#include <array>

namespace dl
{
namespace
{

Result<gpu::ShaderModuleId> makeModule(gpu::Device& device, const gpu::ShaderArchive& archive, std::string_view name)
{
    const gpu::ShaderEntry* entry = archive.find(name);
    if (entry == nullptr)
        return Error{ErrorCode::NotFound, "shader \"" + std::string(name) + "\" is not in the archive; rebuild it with scripts/shaders"};
    return device.createShaderModule(entry->moduleDesc());
}

void drawTriangle(graph::PassContext& context, GpuResources& resources, gpu::PipelineId pipeline, std::uint32_t viewUniformOffset)
{
    gpu::CommandStream& stream = context.stream();
    stream.setPipeline(pipeline);
    stream.setBindGroup(kFrameGroup, resources.bindings().frameGroup(), std::span(&viewUniformOffset, 1));
    stream.draw({.vertexCount = 3});
}

} // namespace

Result<FullscreenPasses> FullscreenPasses::create(gpu::Device& device, GpuResources& resources, const gpu::ShaderArchive& archive)
{
    FullscreenPasses passes;
    const gpu::BindGroupLayoutEntry hdr{
        .binding = 0, .visibility = gpu::ShaderStage::Fragment, .type = gpu::BindingType::UnfilterableTexture};
    DL_TRY_ASSIGN(passes.m_tonemapLayout, device.createBindGroupLayout({.label = "tonemap", .entries = std::span(&hdr, 1)}));

    DL_TRY_ASSIGN(const gpu::ShaderModuleId sky, makeModule(device, archive, "sky"));
    const gpu::BindGroupLayoutId frame = resources.bindings().layouts().frame;
    const gpu::ColorTargetState hdrTarget{.format = kHdrFormat};
    gpu::RenderPipelineDesc desc;
    desc.label = "sky";
    desc.layouts = std::span(&frame, 1);
    desc.vertexModule = desc.fragmentModule = sky;
    desc.vertexEntry = gpu::kVertexEntryPoint;
    desc.fragmentEntry = gpu::kFragmentEntryPoint;
    desc.cullMode = gpu::CullMode::None;
    desc.colorTargets = std::span(&hdrTarget, 1);
    desc.depth = {.format = kDepthFormat, .isWriting = false, .compare = gpu::CompareOp::GreaterEqual};
    DL_TRY_ASSIGN(passes.m_sky, device.createRenderPipeline(desc));

    DL_TRY_ASSIGN(const gpu::ShaderModuleId tonemap, makeModule(device, archive, "tonemap"));
    const std::array<gpu::BindGroupLayoutId, 2> layouts = {frame, passes.m_tonemapLayout};
    const gpu::ColorTargetState pictureTarget{.format = kPictureFormat};
    desc.label = "tonemap";
    desc.layouts = layouts;
    desc.vertexModule = desc.fragmentModule = tonemap;
    desc.colorTargets = std::span(&pictureTarget, 1);
    desc.depth = {};
    DL_TRY_ASSIGN(passes.m_tonemap, device.createRenderPipeline(desc));
    passes.m_pendingCount = 2;
    return passes;
}

void FullscreenPasses::onCompletion(const gpu::Completion& completion)
{
    if (completion.pipeline != m_sky && completion.pipeline != m_tonemap)
        return;
    if (completion.kind == gpu::CompletionKind::PipelineReady)
        --m_pendingCount;
    else if (completion.kind == gpu::CompletionKind::PipelineFailed)
        m_failure = completion.message;
}

void FullscreenPasses::addSky(FrameBoard& board) const
{
    graph::RasterPassBuilder pass = board.graph.addRasterPass("sky");
    board.color = pass.color(0, board.color, {.load = gpu::LoadOp::Load});
    pass.depthReadOnly(board.depth);
    pass.execute([pipeline = m_sky, resources = &board.resources, offset = board.viewUniformOffset](graph::PassContext& context)
        { drawTriangle(context, *resources, pipeline, offset); });
}

void FullscreenPasses::addTonemap(FrameBoard& board) const
{
    graph::RasterPassBuilder pass = board.graph.addRasterPass("tonemap");
    pass.read(board.color, gpu::Access::SampledRead);
    board.picture = pass.color(0, board.picture, {.load = gpu::LoadOp::Clear});
    pass.execute(
        [pipeline = m_tonemap, layout = m_tonemapLayout, resources = &board.resources, offset = board.viewUniformOffset,
            color = board.color](graph::PassContext& context)
        {
            const gpu::BindGroupEntry hdr{.binding = 0, .view = context.view(color)};
            context.stream().setBindGroup(kPassGroup, context.bindGroup(layout, std::span(&hdr, 1), "tonemap"));
            drawTriangle(context, *resources, pipeline, offset);
        });
}

} // namespace dl
