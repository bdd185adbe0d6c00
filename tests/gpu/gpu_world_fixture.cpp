// tests/gpu/gpu_world_fixture.cpp - objects and streams of the small valid frame.
#include "tests/gpu/gpu_world.h"

namespace dl::gpu
{

void GpuWorld::create(Device& d)
{
    const BufferUsages copy = BufferUsage::CopyDst | BufferUsage::CopySrc;
    vertices = d.createBuffer({.label = "vertices", .bytes = 1024, .usage = copy | BufferUsage::Vertex}).value();
    indices = d.createBuffer({.label = "indices", .bytes = 256, .usage = copy | BufferUsage::Index}).value();
    uniforms = d.createBuffer({.label = "uniforms", .bytes = 1024, .usage = copy | BufferUsage::Uniform}).value();
    storage = d.createBuffer({.label = "storage", .bytes = 512, .usage = copy | BufferUsage::Storage}).value();
    arguments = d.createBuffer({.label = "arguments", .bytes = 64, .usage = copy | BufferUsage::Indirect}).value();
    target = d.createBuffer({.label = "target", .bytes = kSize * kSize * 4, .usage = copy | BufferUsage::QueryResolve}).value();
    const auto texture = [&](const char* label, Format format, TextureUsages usage)
    { return d.createTexture({.label = label, .format = format, .width = kSize, .height = kSize, .usage = usage}).value(); };
    hdr = texture("hdr", Format::RGBA16Float, TextureUsage::ColorAttachment | TextureUsage::Sampled);
    depth = texture("depth", Format::Depth32Float, TextureUsage::DepthAttachment | TextureUsage::Sampled);
    ldr = texture("ldr", Format::RGBA8Unorm, TextureUsage::ColorAttachment | TextureUsage::CopySrc);
    albedo = texture("albedo", Format::RGBA8UnormSrgb, TextureUsage::CopyDst | TextureUsage::Sampled);
    hdrView = d.createTextureView({.label = "hdr view", .texture = hdr}).value();
    depthView = d.createTextureView({.label = "depth view", .texture = depth}).value();
    ldrView = d.createTextureView({.label = "ldr view", .texture = ldr}).value();
    albedoView = d.createTextureView({.label = "albedo view", .texture = albedo}).value();
    sampler = d.createSampler({.label = "linear"}).value();
    module = d.createShaderModule({.label = "module", .wgsl = "fn main() {}"}).value();

    const ShaderStages both = ShaderStage::Vertex | ShaderStage::Fragment;
    const BindGroupLayoutEntry frameEntries[] = {
        {.binding = 0, .visibility = both, .type = BindingType::UniformBuffer, .hasDynamicOffset = true, .minBytes = 64},
        {.binding = 1, .visibility = ShaderStage::Fragment, .type = BindingType::SampledTexture},
        {.binding = 2, .visibility = ShaderStage::Fragment, .type = BindingType::FilteringSampler}};
    frameLayout = d.createBindGroupLayout({.label = "frame layout", .entries = frameEntries}).value();
    const BindGroupLayoutEntry tonemapEntries[] = {{.binding = 0, .visibility = ShaderStage::Fragment, .type = BindingType::SampledTexture},
        {.binding = 1, .visibility = ShaderStage::Fragment, .type = BindingType::ReadOnlyStorageBuffer}};
    tonemapLayout = d.createBindGroupLayout({.label = "tonemap layout", .entries = tonemapEntries}).value();
    const BindGroupLayoutEntry computeEntries[] = {{.binding = 0, .visibility = ShaderStage::Compute, .type = BindingType::StorageBuffer}};
    computeLayout = d.createBindGroupLayout({.label = "compute layout", .entries = computeEntries}).value();
    const BindGroupEntry frameGroupEntries[] = {
        {.binding = 0, .buffer = uniforms, .bytes = 256}, {.binding = 1, .view = albedoView}, {.binding = 2, .sampler = sampler}};
    frameGroup = d.createBindGroup({.label = "frame group", .layout = frameLayout, .entries = frameGroupEntries}).value();
    const BindGroupEntry tonemapGroupEntries[] = {{.binding = 0, .view = hdrView}, {.binding = 1, .buffer = storage}};
    tonemapGroup = d.createBindGroup({.label = "tonemap group", .layout = tonemapLayout, .entries = tonemapGroupEntries}).value();
    const BindGroupEntry computeGroupEntries[] = {{.binding = 0, .buffer = storage}};
    computeGroup = d.createBindGroup({.label = "compute group", .layout = computeLayout, .entries = computeGroupEntries}).value();

    const VertexAttribute attributes[] = {
        {.location = 0, .format = VertexFormat::Float32x3}, {.location = 1, .format = VertexFormat::Unorm8x4, .offset = 12}};
    const VertexBufferLayout vertexLayouts[] = {{.stride = 16, .attributes = attributes}};
    const ColorTargetState hdrTarget[] = {{.format = Format::RGBA16Float}};
    const ColorTargetState ldrTarget[] = {{.format = Format::RGBA8Unorm}};
    opaque = d.createRenderPipeline({.label = "opaque",
                                        .layouts = std::span(&frameLayout, 1),
                                        .vertexModule = module,
                                        .vertexEntry = "vs",
                                        .fragmentModule = module,
                                        .fragmentEntry = "fs",
                                        .vertexBuffers = vertexLayouts,
                                        .colorTargets = hdrTarget,
                                        .depth = {.format = Format::Depth32Float, .isWriting = true, .compare = CompareOp::GreaterEqual}})
                 .value();
    tonemap = d.createRenderPipeline({.label = "tonemap",
                                         .layouts = std::span(&tonemapLayout, 1),
                                         .vertexModule = module,
                                         .vertexEntry = "vs",
                                         .fragmentModule = module,
                                         .fragmentEntry = "fs",
                                         .colorTargets = ldrTarget})
                  .value();
    compute =
        d.createComputePipeline({.label = "compute", .layouts = std::span(&computeLayout, 1), .module = module, .entry = "cs"}).value();
    queries = d.createQuerySet({.label = "queries", .count = 4}).value();
    d.poll(completions);
}

void GpuWorld::barrier(CommandStream& s, BarrierList list, int skipped)
{
    const auto drop = [&](auto& barriers) { std::erase_if(barriers, [&](const auto&) { return m_barrierNumber++ == skipped; }); };
    drop(list.textures);
    drop(list.buffers);
    s.barriers(list.textures, list.buffers);
}

void GpuWorld::uploads(CommandStream& s)
{
    const std::vector<std::byte> data(4096 * 4, std::byte(3));
    const std::span<const std::byte> bytes(data);
    s.writeBuffer(vertices, 0, bytes.first(1024));
    s.writeBuffer(indices, 0, bytes.first(256));
    s.writeBuffer(uniforms, 0, bytes.first(512));
    const std::uint32_t draws[] = {6, 2, 0, 0, 0, 3, 4, 0, 0, 0};
    s.writeBuffer(arguments, 0, std::as_bytes(std::span(draws)));
    s.writeTexture({.texture = albedo, .width = kSize, .height = kSize}, kSize * 4, kSize, bytes);
}

void GpuWorld::beginColor(CommandStream& s, std::string_view label)
{
    const ColorAttachment colors[] = {{.view = hdrView}};
    s.beginRenderPass({.label = label, .width = kSize, .height = kSize, .colors = colors, .depth = {.view = depthView}});
}

void GpuWorld::bindOpaque(CommandStream& s)
{
    const std::uint32_t offsets[] = {256};
    s.setPipeline(opaque);
    s.setBindGroup(0, frameGroup, offsets);
    s.setVertexBuffer(0, vertices);
    s.setIndexBuffer(indices, IndexFormat::Uint16);
}

void GpuWorld::frame(CommandStream& s, int skipped)
{
    m_barrierNumber = 0;
    const bool first = m_isFirstFrame;
    m_isFirstFrame = false;
    const auto old = [&](AccessFlags state) { return first ? AccessFlags() : state; };
    const auto texture = [](TextureId id, AccessFlags before, AccessFlags after)
    { return TextureBarrier{.texture = id, .before = before, .after = after}; };
    BarrierList start{.textures = {texture(albedo, old(Access::SampledRead), Access::CopyWrite)}, .buffers = {}};
    if (!first) // fresh buffers need none
        start.buffers = {{vertices, Access::VertexRead, Access::CopyWrite}, {indices, Access::IndexRead, Access::CopyWrite},
            {uniforms, Access::UniformRead, Access::CopyWrite}, {arguments, Access::IndirectRead, Access::CopyWrite},
            {storage, Access::StorageRead, Access::StorageWrite}};
    barrier(s, start, skipped);
    uploads(s);
    s.beginComputePass({.label = "fill"});
    s.setPipeline(compute);
    s.setBindGroup(0, computeGroup);
    s.dispatch(2, 1, 1);
    s.endComputePass();
    barrier(s,
        {.textures = {texture(albedo, Access::CopyWrite, Access::SampledRead), texture(hdr, old(Access::SampledRead), Access::ColorWrite),
             texture(depth, old(Access::DepthWrite), Access::DepthWrite)},
            .buffers = {{vertices, Access::CopyWrite, Access::VertexRead}, {indices, Access::CopyWrite, Access::IndexRead},
                {uniforms, Access::CopyWrite, Access::UniformRead}, {arguments, Access::CopyWrite, Access::IndirectRead}}},
        skipped);
    beginColor(s);
    bindOpaque(s);
    s.setViewport({.width = kSize, .height = kSize});
    s.setScissor({.width = kSize, .height = kSize});
    s.drawIndexed({.indexCount = 12, .instanceCount = 5});
    s.drawIndexedIndirect(arguments, 0, 2);
    s.endRenderPass();
    barrier(s,
        {.textures = {texture(hdr, Access::ColorWrite, Access::SampledRead), texture(ldr, old(Access::CopyRead), Access::ColorWrite)},
            .buffers = {{storage, Access::StorageWrite, Access::StorageRead}}},
        skipped);
    const ColorAttachment colors[] = {{.view = ldrView}};
    s.beginRenderPass({.label = "tonemap", .width = kSize, .height = kSize, .colors = colors});
    s.setPipeline(tonemap);
    s.setBindGroup(0, tonemapGroup);
    s.draw({.vertexCount = 3});
    s.endRenderPass();
    BarrierList copy{.textures = {texture(ldr, Access::ColorWrite, Access::CopyRead)}, .buffers = {}};
    if (!first)
        copy.buffers = {{target, Access::CopyRead, Access::CopyWrite}};
    barrier(s, copy, skipped);
    s.copyTextureToBuffer(
        {.region = {.texture = ldr, .width = kSize, .height = kSize}, .buffer = target, .bytesPerRow = 256, .rowsPerLayer = kSize});
    barrier(s, {.textures = {}, .buffers = {{target, Access::CopyWrite, Access::CopyRead}}}, skipped);
    s.readbackBuffer(target, 0, kSize * kSize * 4, 42);
}

} // namespace dl::gpu
