#include "drawloom/render/deform_pass.h"

#include <array>

namespace dl
{
namespace
{

void addCopies(FrameBoard& board, const char* name, std::span<const DeformCopy> (DeformHeap::*copies)())
{
    graph::PassBuilder pass = board.graph.addCopyPass(name);
    pass.read(board.deform, gpu::Access::CopyRead);
    board.previousDeform = pass.write(board.previousDeform, gpu::Access::CopyWrite);
    pass.execute(
        [heap = &board.resources.deform(), copies](graph::PassContext& context)
        {
            for (const DeformCopy& copy : (heap->*copies)())
                context.stream().copyBufferToBuffer({heap->output().id(), heap->previous().id(), copy.offset, copy.offset, copy.bytes});
        });
}

} // namespace

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

void DeformPass::add(FrameBoard& board, bool keepsPrevious) const
{
    const DeformHeap& heap = board.resources.deform();
    const GrowableBuffer& output = heap.output();
    if (!output.id())
        return;
    board.deform = board.graph.importBuffer({.label = "deform",
        .buffer = output.id(),
        .bytes = output.bytes(),
        .initial = gpu::Access::StorageRead,
        .final = gpu::Access::StorageRead});
    const bool hasJobs = !heap.dispatches().empty() && m_isReady;
    if (keepsPrevious)
    {
        board.previousDeform = board.graph.importBuffer({.label = "previous deform",
            .buffer = heap.previous().id(),
            .bytes = heap.previous().bytes(),
            .initial = gpu::Access::StorageRead,
            .final = gpu::Access::StorageRead});
        if (heap.slotCount() != 0)
            addCopies(board, "previous poses", &DeformHeap::copiesBeforeJobs);
    }
    if (hasJobs)
        addJobs(board);
    if (keepsPrevious && hasJobs)
        addCopies(board, "first poses", &DeformHeap::copiesAfterJobs);
}

void DeformPass::addJobs(FrameBoard& board) const
{
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
