// tests/graph/graph_world_fixture.cpp - objects and declarations of the small frame.
#include "graph_world.h"

namespace dl::graph::test
{

GraphWorld::GraphWorld(const GraphSettings& settings) : null(gpu::createNullDevice())
{
    gpu::ValidationSettings validation;
    validation.handler = [this](const gpu::ValidationMessage& message)
    { messages += std::string(gpu::toString(message.rule)) + ": " + message.text + "\n"; };
    device = gpu::createValidationDevice(*null, validation);
    backbuffer = device
                     ->createTexture({.label = "backbuffer",
                         .width = kSize,
                         .height = kSize,
                         .usage = gpu::TextureUsage::ColorAttachment | gpu::TextureUsage::CopySrc})
                     .value();
    const auto module = device->createShaderModule({.label = "module", .wgsl = "fn main() {}"}).value();
    const gpu::BindGroupLayoutEntry tonemapEntries[] = {
        {.binding = 0, .visibility = gpu::ShaderStage::Fragment, .type = gpu::BindingType::SampledTexture},
        {.binding = 1, .visibility = gpu::ShaderStage::Fragment, .type = gpu::BindingType::ReadOnlyStorageBuffer}};
    tonemapLayout = device->createBindGroupLayout({.label = "tonemap layout", .entries = tonemapEntries}).value();
    const gpu::BindGroupLayoutEntry exposureEntries[] = {
        {.binding = 0, .visibility = gpu::ShaderStage::Compute, .type = gpu::BindingType::SampledTexture},
        {.binding = 1, .visibility = gpu::ShaderStage::Compute, .type = gpu::BindingType::StorageBuffer}};
    exposureLayout = device->createBindGroupLayout({.label = "exposure layout", .entries = exposureEntries}).value();
    const gpu::ColorTargetState target[] = {{.format = gpu::Format::RGBA8Unorm}};
    tonemap = device
                  ->createRenderPipeline({.label = "tonemap",
                      .layouts = std::span(&tonemapLayout, 1),
                      .vertexModule = module,
                      .vertexEntry = "vs",
                      .fragmentModule = module,
                      .fragmentEntry = "fs",
                      .colorTargets = target})
                  .value();
    exposure =
        device->createComputePipeline({.label = "exposure", .layouts = std::span(&exposureLayout, 1), .module = module, .entry = "cs"})
            .value();
    device->poll(completions);
    graph = std::make_unique<RenderGraph>(*device, settings);
}

TextureHandle GraphWorld::importBackbuffer()
{
    return graph->importTexture({.label = "backbuffer",
        .texture = backbuffer,
        .format = gpu::Format::RGBA8Unorm,
        .width = kSize,
        .height = kSize,
        .initial = backbufferState,
        .final = Access::CopyRead});
}

TextureHandle GraphWorld::makeColor(std::string_view label, gpu::Format format)
{
    return graph->createTexture({.label = label, .format = format, .size = GraphSize::absolute(kSize, kSize)});
}

TextureHandle GraphWorld::addRaster(std::string_view name, TextureHandle target, TextureHandle input)
{
    RasterPassBuilder pass = graph->addRasterPass(name);
    if (input)
        pass.read(input, Access::SampledRead);
    return pass.color(0, target);
}

void GraphWorld::declareFrame()
{
    TextureHandle target = importBackbuffer();
    BufferHandle exposureBuffer = graph->createBuffer({.label = "exposure", .bytes = 256});
    PassBuilder clear = graph->addCopyPass("clear exposure");
    exposureBuffer = clear.write(exposureBuffer, Access::CopyWrite, Previous::Discard);
    clear.execute([exposureBuffer](PassContext& context) { context.stream().clearBuffer(context.buffer(exposureBuffer), 0, 256); });

    TextureHandle depth =
        graph->createTexture({.label = "depth", .format = gpu::Format::Depth32Float, .size = GraphSize::relative(target)});
    depth = graph->addRasterPass("depth prepass").depth(depth);

    RasterPassBuilder opaque = graph->addRasterPass("opaque");
    opaque.depthReadOnly(depth);
    const TextureHandle hdr = opaque.color(0, makeColor("hdr"), {.clear = {0.25f, 0.5f, 0.75f, 1.0f}});

    PassBuilder measure = graph->addComputePass("exposure");
    measure.read(hdr, Access::SampledRead);
    exposureBuffer = measure.write(exposureBuffer, Access::StorageWrite);
    measure.execute(
        [this, hdr, exposureBuffer](PassContext& context)
        {
            const gpu::BindGroupEntry entries[] = {
                {.binding = 0, .view = context.view(hdr)}, {.binding = 1, .buffer = context.buffer(exposureBuffer)}};
            context.stream().setPipeline(exposure);
            context.stream().setBindGroup(0, context.bindGroup(exposureLayout, entries));
            context.stream().dispatch(1, 1, 1);
        });

    RasterPassBuilder final = graph->addRasterPass("tonemap");
    final.read(hdr, Access::SampledRead);
    final.read(exposureBuffer, Access::StorageRead);
    target = final.color(0, target);
    final.execute(
        [this, hdr, exposureBuffer](PassContext& context)
        {
            const gpu::BindGroupEntry entries[] = {
                {.binding = 0, .view = context.view(hdr)}, {.binding = 1, .buffer = context.buffer(exposureBuffer)}};
            context.stream().setPipeline(tonemap);
            context.stream().setBindGroup(0, context.bindGroup(tonemapLayout, entries));
            context.stream().draw({.vertexCount = 3});
        });
    (void)addRaster("unused debug view", makeColor("debug"), hdr);
}

bool GraphWorld::run()
{
    stream.clear();
    if (const auto compiled = graph->compile(); !compiled)
    {
        messages += compiled.error().message + "\n";
        return false;
    }
    if (const auto executed = graph->execute(stream); !executed)
    {
        messages += executed.error().message + "\n";
        return false;
    }
    if (const auto submitted = device->submit(stream.bytes()); !submitted)
    {
        messages += submitted.error().message + "\n";
        return false;
    }
    completions.clear();
    device->poll(completions);
    backbufferState = Access::CopyRead;
    return messages.empty();
}

std::string GraphWorld::compileError()
{
    const auto compiled = graph->compile();
    return compiled ? std::string() : compiled.error().message;
}

} // namespace dl::graph::test
