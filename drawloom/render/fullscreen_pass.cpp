#include "drawloom/render/fullscreen_pass.h"

#include <array>
#include <vector>

namespace dl
{
namespace
{

bool isTexture(gpu::BindingType type)
{
    return type == gpu::BindingType::SampledTexture || type == gpu::BindingType::UnfilterableTexture ||
           type == gpu::BindingType::UintTexture || type == gpu::BindingType::DepthTexture;
}

} // namespace

Result<FullscreenPass> FullscreenPass::create(
    gpu::Device& device, GpuResources& resources, const gpu::ShaderArchive& archive, const FullscreenPassDesc& desc)
{
    const gpu::ShaderEntry* entry = archive.find(desc.name);
    if (entry == nullptr)
        return Error{ErrorCode::NotFound, "fullscreen pass \"" + std::string(desc.name) + "\": the archive has no entry of that name"};
    FullscreenPass pass;
    pass.m_name = entry->name;
    pass.m_sampleCount = desc.sampleCount;
    pass.m_hasDepth = desc.depth.format != gpu::Format::None;
    std::vector<gpu::BindGroupLayoutEntry> inputs;
    for (const gpu::ShaderBinding& binding : entry->bindings)
    {
        if (binding.group != kPassGroup)
            continue;
        if (!isTexture(binding.type) || inputs.size() == kMaxInputCount)
            return Error{ErrorCode::Unsupported, "fullscreen pass \"" + std::string(desc.name) + "\": group 1 may hold up to " +
                                                     std::to_string(kMaxInputCount) + " textures only; binding " +
                                                     std::to_string(binding.binding) + " is something else or too many"};
        pass.m_bindings[inputs.size()] = binding.binding;
        inputs.push_back({.binding = binding.binding, .visibility = binding.stages, .type = binding.type, .dimension = binding.dimension});
    }
    pass.m_inputCount = static_cast<std::uint32_t>(inputs.size());
    std::array<gpu::BindGroupLayoutId, 2> layouts = {resources.bindings().layouts().frame, {}};
    if (!inputs.empty())
    {
        DL_TRY_ASSIGN(layouts[1], device.createBindGroupLayout({.label = desc.name, .entries = inputs}));
        pass.m_inputLayout = {device, layouts[1]};
    }
    DL_TRY_ASSIGN(const gpu::ShaderModuleId module, device.createShaderModule(entry->moduleDesc()));
    pass.m_module = {device, module};
    gpu::RenderPipelineDesc pipeline;
    pipeline.label = desc.name;
    pipeline.layouts = std::span(layouts).first(inputs.empty() ? 1 : 2);
    pipeline.vertexModule = pipeline.fragmentModule = module;
    pipeline.vertexEntry = gpu::kVertexEntryPoint;
    pipeline.fragmentEntry = gpu::kFragmentEntryPoint;
    pipeline.cullMode = gpu::CullMode::None;
    pipeline.colorTargets = std::span(&desc.target, 1);
    pipeline.depth = desc.depth;
    pipeline.depth.isWriting = false;
    pipeline.sampleCount = desc.sampleCount;
    DL_TRY_ASSIGN(const gpu::PipelineId id, device.createRenderPipeline(pipeline));
    pass.m_pipeline = {device, id};
    return pass;
}

void FullscreenPass::onCompletion(const gpu::Completion& completion)
{
    if (completion.pipeline != m_pipeline.id())
        return;
    if (completion.kind == gpu::CompletionKind::PipelineReady)
        m_isReady = true;
    else if (completion.kind == gpu::CompletionKind::PipelineFailed)
        m_failure = completion.message;
}

graph::TextureHandle FullscreenPass::add(FrameBoard& board, graph::TextureHandle target, std::span<const graph::TextureHandle> inputs,
    gpu::LoadOp load, graph::TextureHandle depth) const
{
    DL_ASSERT(m_isReady, "a fullscreen pass is added before its pipeline is ready");
    DL_ASSERT(inputs.size() == m_inputCount, "a fullscreen pass gets as many inputs as its shader has textures in group 1");
    graph::RasterPassBuilder pass = board.graph.addRasterPass(m_name);
    std::array<graph::TextureHandle, kMaxInputCount> textures = {};
    for (std::size_t i = 0; i < inputs.size(); ++i)
    {
        if (board.graph.sampleCount(inputs[i]) > 1)
            pass.fail("samples a multisampled texture; `color` is resolved at FramePoint::BeforeTonemap");
        pass.read(inputs[i], gpu::Access::SampledRead);
        textures[i] = inputs[i];
    }
    const graph::TextureHandle result = pass.color(0, target, {.load = load});
    if (m_hasDepth)
        pass.depthReadOnly(depth ? depth : board.depth);
    if (pass.sampleCount() != m_sampleCount)
        pass.fail(sampleCountText(m_sampleCount, pass.sampleCount(), "FullscreenPassDesc::sampleCount"));
    board.fullscreenPasses.push_back(m_name);
    pass.execute(
        [self = this, resources = &board.resources, offset = board.viewUniformOffset, textures](graph::PassContext& context)
        {
            gpu::CommandStream& stream = context.stream();
            stream.setPipeline(self->m_pipeline.id());
            stream.setBindGroup(kFrameGroup, resources->bindings().frameGroup(), std::span(&offset, 1));
            std::array<gpu::BindGroupEntry, kMaxInputCount> entries;
            for (std::uint32_t i = 0; i < self->m_inputCount; ++i)
                entries[i] = {.binding = self->m_bindings[i], .view = context.view(textures[i])};
            if (self->m_inputCount != 0)
                stream.setBindGroup(
                    kPassGroup, context.bindGroup(self->m_inputLayout.id(), std::span(entries).first(self->m_inputCount), self->m_name));
            stream.draw({.vertexCount = 3});
        });
    return result;
}

} // namespace dl
