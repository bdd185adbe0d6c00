#include "drawloom/render/deform_pass.h"

#include <array>

namespace dl
{

Result<DeformPass> DeformPass::create(gpu::Device& device, GpuResources& resources, const gpu::ShaderArchive& archive)
{
    const gpu::ShaderEntry* entry = archive.find("deform");
    if (entry == nullptr)
        return Error{ErrorCode::NotFound, "shader \"deform\" is not in the archive; rebuild it with scripts/shaders"};
    DeformPass pass;
    DL_TRY_ASSIGN(const gpu::ShaderModuleId module, device.createShaderModule(entry->moduleDesc()));
    const LibraryLayouts& layouts = resources.bindings().layouts();
    const std::array<gpu::BindGroupLayoutId, 2> groups = {layouts.deformJob, layouts.deformPage};
    pass.m_module = {device, module};
    DL_TRY_ASSIGN(const gpu::PipelineId id,
        device.createComputePipeline({.label = "deform", .layouts = groups, .module = module, .entry = gpu::kComputeEntryPoint}));
    pass.m_pipeline = {device, id};
    return pass;
}

void DeformPass::onCompletion(const gpu::Completion& completion)
{
    if (completion.pipeline != m_pipeline.id())
        return;
    if (completion.kind == gpu::CompletionKind::PipelineReady)
        m_isReady = true;
    else if (completion.kind == gpu::CompletionKind::PipelineFailed)
        m_failure = completion.message;
}

void DeformPass::add(FrameBoard& board) const
{
    const GrowableBuffer& output = board.resources.deform().output();
    if (!output.id())
        return;
    board.deform = board.graph.importBuffer({.label = "deform",
        .buffer = output.id(),
        .bytes = output.bytes(),
        .initial = gpu::Access::StorageRead,
        .final = gpu::Access::StorageRead});
    if (board.resources.deform().dispatches().empty() || !m_isReady)
        return;
    graph::PassBuilder pass = board.graph.addComputePass("deform");
    board.deform = pass.write(board.deform, gpu::Access::StorageWrite);
    pass.execute(
        [pipeline = m_pipeline.id(), resources = &board.resources](graph::PassContext& context)
        {
            gpu::CommandStream& stream = context.stream();
            stream.setPipeline(pipeline);
            for (const DeformDispatch& dispatch : resources->deform().dispatches())
            {
                stream.setBindGroup(0, resources->bindings().deformJobGroup(), std::span(&dispatch.dynamicOffset, 1));
                stream.setBindGroup(1, resources->bindings().deformPageGroup(dispatch.pageIndex));
                stream.dispatch(dispatch.workgroupCount, 1, 1);
            }
        });
}

} // namespace dl
