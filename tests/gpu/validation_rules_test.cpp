// tests/gpu/validation_rules_test.cpp - every rule of the validation device, broken once. The clean frame that gives no
// message stands in validation_hazards_test.cpp.
#include "tests/gpu/gpu_world.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>

namespace dl::gpu
{
namespace
{

/// Breaks one rule: with calls on `w.device`, or with commands in `s`, which is submitted behind a valid frame.
struct Breach
{
    ValidationRule rule;
    const char* what;
    std::function<void(GpuWorld& w, CommandStream& s)> commit;
};

template <class Desc> std::function<void(GpuWorld&, CommandStream&)> bufferDesc(Desc desc)
{
    return [desc](GpuWorld& w, CommandStream&) { EXPECT_FALSE(w.device->createBuffer(desc)); };
}
std::function<void(GpuWorld&, CommandStream&)> textureDesc(TextureDesc desc)
{
    return [desc](GpuWorld& w, CommandStream&) { EXPECT_FALSE(w.device->createTexture(desc)); };
}
std::function<void(GpuWorld&, CommandStream&)> viewDesc(TextureViewDesc desc)
{
    return [desc](GpuWorld& w, CommandStream&)
    {
        TextureViewDesc copy = desc;
        copy.texture = w.albedo;
        EXPECT_FALSE(w.device->createTextureView(copy));
    };
}
std::function<void(GpuWorld&, CommandStream&)> samplerDesc(SamplerDesc desc)
{
    return [desc](GpuWorld& w, CommandStream&) { EXPECT_FALSE(w.device->createSampler(desc)); };
}
std::function<void(GpuWorld&, CommandStream&)> layoutDesc(const std::vector<BindGroupLayoutEntry>& entries)
{
    return [entries](GpuWorld& w, CommandStream&) { EXPECT_FALSE(w.device->createBindGroupLayout({.label = "l", .entries = entries})); };
}
/// A group of the world's tonemap layout {sampled texture, read-only storage buffer}, changed.
std::function<void(GpuWorld&, CommandStream&)> groupDesc(const std::function<void(GpuWorld&, std::vector<BindGroupEntry>&)>& change)
{
    return [change](GpuWorld& w, CommandStream&)
    {
        std::vector<BindGroupEntry> entries = {{.binding = 0, .view = w.hdrView}, {.binding = 1, .buffer = w.storage}};
        change(w, entries);
        EXPECT_FALSE(w.device->createBindGroup({.label = "g", .layout = w.tonemapLayout, .entries = entries}));
    };
}
struct PipelineParts
{
    RenderPipelineDesc desc;
    std::vector<ColorTargetState> colors = {{.format = Format::RGBA8Unorm}};
    std::vector<VertexAttribute> attributes;
    std::uint32_t stride = 16;
};
std::function<void(GpuWorld&, CommandStream&)> pipelineDesc(const std::function<void(GpuWorld&, PipelineParts&)>& change)
{
    return [change](GpuWorld& w, CommandStream&)
    {
        PipelineParts parts;
        parts.desc = {.label = "p", .vertexModule = w.module, .vertexEntry = "vs", .fragmentModule = w.module, .fragmentEntry = "fs"};
        change(w, parts);
        const VertexBufferLayout layout[] = {{.stride = parts.stride, .attributes = parts.attributes}};
        parts.desc.vertexBuffers = layout;
        parts.desc.colorTargets = parts.colors;
        EXPECT_FALSE(w.device->createRenderPipeline(parts.desc));
    };
}
/// Inside a valid opaque pass with everything set.
std::function<void(GpuWorld&, CommandStream&)> inOpaque(const std::function<void(GpuWorld&, CommandStream&)>& commands, bool binds = true)
{
    return [commands, binds](GpuWorld& w, CommandStream& s)
    {
        GpuWorld::toState(s, w.hdr, {}, Access::ColorWrite);
        GpuWorld::toState(s, w.depth, {}, Access::DepthWrite);
        w.beginColor(s);
        if (binds)
            w.bindOpaque(s);
        commands(w, s);
        s.endRenderPass();
    };
}
std::function<void(GpuWorld&, CommandStream&)> inCompute(const std::function<void(GpuWorld&, CommandStream&)>& commands)
{
    return [commands](GpuWorld& w, CommandStream& s)
    {
        GpuWorld::toState(s, w.storage, Access::StorageRead, Access::StorageWrite);
        s.beginComputePass({.label = "c"});
        commands(w, s);
        s.endComputePass();
    };
}
/// A render pass on the world's hdr and depth, changed.
std::function<void(GpuWorld&, CommandStream&)> pass(const std::function<void(GpuWorld&, RenderPassDesc&, ColorAttachment&)>& change)
{
    return [change](GpuWorld& w, CommandStream& s)
    {
        ColorAttachment color{.view = w.hdrView};
        RenderPassDesc desc{.label = "p", .width = 64, .height = 64, .depth = {.view = w.depthView}};
        change(w, desc, color);
        for (const TextureId texture : {w.hdr, w.ldr, w.albedo})
            GpuWorld::toState(s, texture, {}, Access::ColorWrite);
        GpuWorld::toState(s, w.depth, {}, desc.depth.isReadOnly != 0 ? Access::DepthRead : Access::DepthWrite);
        desc.colors = std::span(&color, 1);
        s.beginRenderPass(desc);
        s.endRenderPass();
    };
}

const std::vector<std::byte> kData(256);
constexpr BufferUsages kVertexUsage = BufferUsage::Vertex;

std::vector<Breach> descBreaches()
{
    using R = ValidationRule;
    const auto attribute = [](std::uint32_t location, std::uint32_t offset)
    { return VertexAttribute{.location = location, .format = VertexFormat::Float32x2, .offset = offset}; };
    const auto storageEntry = [](std::uint32_t binding)
    { return BindGroupLayoutEntry{.binding = binding, .visibility = ShaderStage::Fragment, .type = BindingType::ReadOnlyStorageBuffer}; };
    const TextureUsages sampled = TextureUsage::Sampled;
    return {
        {R::BufferDesc, "zero bytes", bufferDesc(BufferDesc{.usage = kVertexUsage})},
        {R::BufferDesc, "no multiple of 4", bufferDesc(BufferDesc{.bytes = 6, .usage = kVertexUsage})},
        {R::BufferDesc, "over the limit", bufferDesc(BufferDesc{.bytes = (256U << 20U) + 4, .usage = kVertexUsage})},
        {R::BufferDesc, "no usage", bufferDesc(BufferDesc{.bytes = 4})},
        {R::TextureDesc, "no format", textureDesc({.format = Format::None, .usage = sampled})},
        {R::TextureDesc, "too wide", textureDesc({.width = 8193, .usage = sampled})},
        {R::TextureDesc, "layers of D2", textureDesc({.depthOrLayers = 2, .usage = sampled})},
        {R::TextureDesc, "cube of 5", textureDesc({.dimension = TextureDimension::Cube, .depthOrLayers = 5, .usage = sampled})},
        {R::TextureDesc, "one mip too many", textureDesc({.width = 4, .height = 4, .mipCount = 4, .usage = sampled})},
        {R::TextureDesc, "no usage", textureDesc({})},
        {R::TextureDesc, "compressed target",
            textureDesc({.format = Format::BC1RgbaUnorm, .width = 4, .height = 4, .usage = TextureUsage::ColorAttachment})},
        {R::TextureDesc, "split block", textureDesc({.format = Format::BC1RgbaUnorm, .width = 6, .height = 4, .usage = sampled})},
        {R::TextureDesc, "two samples", textureDesc({.sampleCount = 2, .usage = TextureUsage::ColorAttachment})},
        {R::TextureDesc, "mips of 4 samples",
            textureDesc({.width = 4, .mipCount = 2, .sampleCount = 4, .usage = TextureUsage::ColorAttachment})},
        {R::TextureViewDesc, "mips outside", viewDesc({.mipCount = 2})},
        {R::TextureViewDesc, "layers outside", viewDesc({.baseLayer = 1})},
        {R::TextureViewDesc, "other format", viewDesc({.format = Format::RGBA8Uint})},
        {R::TextureViewDesc, "3D of 2D", viewDesc({.dimension = TextureDimension::D3})},
        {R::TextureViewDesc, "cube of one layer", viewDesc({.dimension = TextureDimension::Cube})},
        {R::TextureViewDesc, "depth of colour", viewDesc({.aspect = TextureAspect::DepthOnly})},
        {R::SamplerDesc, "lod order", samplerDesc({.minLod = 2, .maxLod = 1})},
        {R::SamplerDesc, "lod NaN", samplerDesc({.minLod = std::numeric_limits<float>::quiet_NaN()})},
        {R::SamplerDesc, "anisotropic nearest", samplerDesc({.magFilter = Filter::Nearest, .maxAnisotropy = 2})},
        {R::SamplerDesc, "anisotropy 17", samplerDesc({.maxAnisotropy = 17})},
        {R::ShaderModuleDesc, "empty", [](GpuWorld& w, CommandStream&) { EXPECT_FALSE(w.device->createShaderModule({})); }},
        {R::BindGroupLayoutDesc, "order", layoutDesc({storageEntry(1), storageEntry(1)})},
        {R::BindGroupLayoutDesc, "invisible", layoutDesc({{.binding = 0}})},
        {R::BindGroupLayoutDesc, "dynamic sampler",
            layoutDesc({{.visibility = ShaderStage::Fragment, .type = BindingType::FilteringSampler, .hasDynamicOffset = true}})},
        {R::BindGroupLayoutDesc, "writable in the vertex stage",
            layoutDesc({{.visibility = ShaderStage::Vertex, .type = BindingType::StorageBuffer}})},
        {R::BindGroupLayoutDesc, "storage texture without format",
            layoutDesc({{.visibility = ShaderStage::Compute, .type = BindingType::StorageTexture}})},
        {R::BindGroupLayoutDesc, "nine storage buffers",
            layoutDesc({storageEntry(0), storageEntry(1), storageEntry(2), storageEntry(3), storageEntry(4), storageEntry(5),
                storageEntry(6), storageEntry(7), storageEntry(8)})},
        {R::BindGroupDesc, "entry missing", groupDesc([](GpuWorld&, auto& e) { e.pop_back(); })},
        {R::BindGroupDesc, "other binding", groupDesc([](GpuWorld&, auto& e) { e[1].binding = 2; })},
        {R::BindGroupDesc, "no buffer", groupDesc([](GpuWorld&, auto& e) { e[1].buffer = {}; })},
        {R::BindGroupDesc, "usage of the buffer", groupDesc([](GpuWorld& w, auto& e) { e[1].buffer = w.uniforms; })},
        {R::BindGroupDesc, "alignment", groupDesc([](GpuWorld&, auto& e) { e[1].offset = 4; })},
        {R::BindGroupDesc, "range", groupDesc([](GpuWorld&, auto& e) { e[1].offset = 256, e[1].bytes = 260; })},
        {R::BindGroupDesc, "usage of the texture", groupDesc([](GpuWorld& w, auto& e) { e[0].view = w.ldrView; })},
        {R::BindGroupDesc, "depth as float", groupDesc([](GpuWorld& w, auto& e) { e[0].view = w.depthView; })},
        {R::VertexLayout, "outside the stride",
            pipelineDesc(
                [&](GpuWorld&, auto& p)
                {
                    p.attributes = {{.format = VertexFormat::Float32x2, .offset = 12}};
                    p.stride = 16;
                })},
        {R::VertexLayout, "same location",
            pipelineDesc([attribute](GpuWorld&, auto& p) { p.attributes = {attribute(1, 0), attribute(1, 8)}; })},
        {R::VertexLayout, "overlap", pipelineDesc([attribute](GpuWorld&, auto& p) { p.attributes = {attribute(0, 0), attribute(1, 4)}; })},
        {R::VertexLayout, "odd stride", pipelineDesc([](GpuWorld&, auto& p) { p.stride = 18; })},
        {R::PipelineDesc, "no entry", pipelineDesc([](GpuWorld&, auto& p) { p.desc.vertexEntry = {}; })},
        {R::PipelineDesc, "target not renderable", pipelineDesc([](GpuWorld&, auto& p) { p.colors[0].format = Format::BC1RgbaUnorm; })},
        {R::PipelineDesc, "blended integers",
            pipelineDesc([](GpuWorld&, auto& p) { p.colors[0] = {.format = Format::RGBA8Uint, .isBlended = true}; })},
        {R::PipelineDesc, "depth write without depth", pipelineDesc([](GpuWorld&, auto& p) { p.desc.depth.isWriting = true; })},
        {R::PipelineDesc, "no target", pipelineDesc([](GpuWorld&, auto& p) { p.colors.clear(); })},
        {R::PipelineDesc, "three samples", pipelineDesc([](GpuWorld&, auto& p) { p.desc.sampleCount = 3; })},
        {R::PipelineDesc, "five groups",
            pipelineDesc(
                [](GpuWorld&, auto& p)
                {
                    static const BindGroupLayoutId kNone[5] = {};
                    p.desc.layouts = kNone;
                })},
        {R::StaleId, "module", pipelineDesc([](GpuWorld&, auto& p) { p.desc.vertexModule = {99, 1}; })},
        {R::QuerySetDesc, "no queries", [](GpuWorld& w, CommandStream&) { EXPECT_FALSE(w.device->createQuerySet({.count = 0})); }},
    };
}

std::vector<Breach> lifetimeBreaches()
{
    using R = ValidationRule;
    return {
        {R::StaleId, "destroyed before submission",
            [](GpuWorld& w, CommandStream& s)
            {
                GpuWorld::toState(s, w.vertices, Access::VertexRead, Access::CopyWrite);
                w.device->destroy(w.vertices);
            }},
        {R::StaleId, "destroyed twice",
            [](GpuWorld& w, CommandStream&)
            {
                w.device->destroy(w.target);
                w.device->destroy(w.target);
            }},
        {R::StaleId, "never created", [](GpuWorld&, CommandStream& s) { s.clearBuffer({77, 3}, 0, 4); }},
        {R::StaleId, "view of a dead texture",
            [](GpuWorld& w, CommandStream&)
            {
                w.device->destroy(w.hdr);
                EXPECT_FALSE(w.device->createTextureView({.texture = w.hdr}));
            }},
        {R::ViewOfDestroyedObject, "attachment",
            [](GpuWorld& w, CommandStream& s)
            {
                w.device->destroy(w.hdr);
                GpuWorld::toState(s, w.depth, {}, Access::DepthWrite);
                w.beginColor(s);
                s.endRenderPass();
            }},
        {R::ViewOfDestroyedObject, "texture of a bind group",
            inOpaque(
                [](GpuWorld& w, CommandStream& s)
                {
                    w.device->destroy(w.albedo);
                    s.drawIndexed({.indexCount = 3});
                })},
        {R::ViewOfDestroyedObject, "buffer of a bind group",
            inOpaque(
                [](GpuWorld& w, CommandStream& s)
                {
                    w.device->destroy(w.uniforms);
                    s.drawIndexed({.indexCount = 3});
                })},
        {R::ViewOfDestroyedObject, "sampler of a bind group",
            inOpaque(
                [](GpuWorld& w, CommandStream& s)
                {
                    w.device->destroy(w.sampler);
                    s.drawIndexed({.indexCount = 3});
                })},
        {R::PipelineNotReady, "not polled",
            inCompute(
                [](GpuWorld& w, CommandStream& s)
                {
                    const PipelineId late = w.device->createComputePipeline({.label = "late", .module = w.module, .entry = "cs"}).value();
                    s.setPipeline(late);
                })},
    };
}

std::vector<Breach> streamBreaches()
{
    using R = ValidationRule;
    return {
        {R::PassOrder, "copy in a pass", inOpaque([](GpuWorld& w, CommandStream& s) { s.clearBuffer(w.target, 0, 4); })},
        {R::PassOrder, "barrier in a pass",
            inOpaque([](GpuWorld& w, CommandStream& s) { GpuWorld::toState(s, w.hdr, Access::ColorWrite, Access::SampledRead); })},
        {R::PassOrder, "pass in a pass", inOpaque([](GpuWorld& w, CommandStream& s) { w.beginColor(s); })},
        {R::PassOrder, "draw outside", [](GpuWorld&, CommandStream& s) { s.draw({.vertexCount = 3}); }},
        {R::PassOrder, "end without begin", [](GpuWorld&, CommandStream& s) { s.endRenderPass(); }},
        {R::PassOrder, "dispatch in a render pass", inOpaque([](GpuWorld&, CommandStream& s) { s.dispatch(1, 1, 1); })},
        {R::PassOrder, "draw in a compute pass", inCompute([](GpuWorld&, CommandStream& s) { s.draw({.vertexCount = 3}); })},
        {R::PassOrder, "stream ends in a pass", [](GpuWorld&, CommandStream& s) { s.beginComputePass({.label = "open"}); }},
        {R::PassOrder, "group left open", [](GpuWorld&, CommandStream& s) { s.pushDebugGroup("open"); }},
        {R::PassOrder, "group across a pass", inOpaque([](GpuWorld&, CommandStream& s) { s.pushDebugGroup("open"); })},
        {R::PassOrder, "pop without push", [](GpuWorld&, CommandStream& s) { s.popDebugGroup(); }},
        {R::CopyRange, "odd size", [](GpuWorld& w, CommandStream& s) { s.writeBuffer(w.target, 0, std::span(kData).first(6)); }},
        {R::CopyRange, "behind the end", [](GpuWorld& w, CommandStream& s) { s.clearBuffer(w.target, 16384, 4); }},
        {R::CopyRange, "offset wraps", [](GpuWorld& w, CommandStream& s) { s.readbackBuffer(w.target, UINT64_MAX - 3, 8, 1); }},
        {R::CopyRange, "onto itself", [](GpuWorld& w, CommandStream& s) { s.copyBufferToBuffer({w.target, w.target, 0, 64, 4}); }},
        {R::CopyRange, "texels outside",
            [](GpuWorld& w, CommandStream& s) { s.writeTexture({.texture = w.albedo, .x = 61, .width = 4, .height = 1}, 16, 1, kData); }},
        {R::CopyRange, "data too short",
            [](GpuWorld& w, CommandStream& s) { s.writeTexture({.texture = w.albedo, .width = 8, .height = 9}, 32, 9, kData); }},
        {R::CopyRange, "rows not aligned", [](GpuWorld& w, CommandStream& s)
            { s.copyTextureToBuffer({{.texture = w.ldr, .width = 4, .height = 4}, w.target, 0, 128, 4}); }},
        {R::CopyRange, "sizes differ", [](GpuWorld& w, CommandStream& s)
            { s.copyTextureToTexture({{.texture = w.ldr, .width = 4, .height = 4}, {.texture = w.albedo, .width = 8, .height = 4}}); }},
        {R::UsageFlags, "buffer",
            [](GpuWorld& w, CommandStream& s)
            {
                GpuWorld::toState(s, w.vertices, Access::VertexRead, Access::CopyWrite);
                s.resolveQueries({w.queries, 0, 1, w.vertices, 0});
            }},
        {R::UsageFlags, "texture",
            [](GpuWorld& w, CommandStream& s)
            {
                GpuWorld::toState(s, w.ldr, Access::CopyRead, Access::CopyWrite);
                s.writeTexture({.texture = w.ldr, .width = 4, .height = 4}, 16, 4, kData);
            }},
        {R::UsageFlags, "vertex buffer", inOpaque([](GpuWorld& w, CommandStream& s) { s.setVertexBuffer(0, w.indices); })},
        {R::UsageFlags, "attachment", pass([](GpuWorld& w, RenderPassDesc&, ColorAttachment& c) { c.view = w.albedoView; })},
        {R::Attachments, "size", pass([](GpuWorld&, RenderPassDesc& d, ColorAttachment&) { d.width = 32; })},
        {R::Attachments, "read-only depth is cleared",
            pass([](GpuWorld&, RenderPassDesc& d, ColorAttachment&) { d.depth.isReadOnly = 1; })},
        {R::Attachments, "depth 2", pass([](GpuWorld&, RenderPassDesc& d, ColorAttachment&) { d.depth.clear = 2; })},
        {R::Attachments, "resolve of one sample",
            pass([](GpuWorld& w, RenderPassDesc&, ColorAttachment& c) { c.resolveView = w.ldrView; })},
        {R::Attachments, "nothing",
            [](GpuWorld&, CommandStream& s)
            {
                s.beginRenderPass({.label = "none", .width = 4, .height = 4});
                s.endRenderPass();
            }},
        {R::PipelineForPass, "compute in a render pass", inOpaque([](GpuWorld& w, CommandStream& s) { s.setPipeline(w.compute); })},
        {R::PipelineForPass, "other formats", inOpaque([](GpuWorld& w, CommandStream& s) { s.setPipeline(w.tonemap); })},
        {R::MissingPipeline, "draw", inOpaque([](GpuWorld&, CommandStream& s) { s.draw({.vertexCount = 3}); }, false)},
        {R::MissingPipeline, "dispatch", inCompute([](GpuWorld&, CommandStream& s) { s.dispatch(1, 1, 1); })},
        {R::MissingBindGroup, "dispatch",
            inCompute(
                [](GpuWorld& w, CommandStream& s)
                {
                    s.setPipeline(w.compute);
                    s.dispatch(1, 1, 1);
                })},
        {R::MissingBindGroup, "group 4", inOpaque([](GpuWorld& w, CommandStream& s) { s.setBindGroup(4, w.tonemapGroup); })},
        {R::BindGroupLayoutMismatch, "other group",
            [](GpuWorld& w, CommandStream& s)
            {
                s.beginComputePass({.label = "c"});
                s.setPipeline(w.compute);
                s.setBindGroup(0, w.tonemapGroup);
                s.dispatch(1, 1, 1);
                s.endComputePass();
            }},
        {R::DynamicOffsets, "count", inOpaque([](GpuWorld& w, CommandStream& s) { s.setBindGroup(0, w.frameGroup); })},
        {R::DynamicOffsets, "alignment",
            inOpaque(
                [](GpuWorld& w, CommandStream& s)
                {
                    const std::uint32_t o[] = {64};
                    s.setBindGroup(0, w.frameGroup, o);
                })},
        {R::DynamicOffsets, "range",
            inOpaque(
                [](GpuWorld& w, CommandStream& s)
                {
                    const std::uint32_t o[] = {1024};
                    s.setBindGroup(0, w.frameGroup, o);
                })},
        {R::MissingVertexBuffer, "draw",
            inOpaque(
                [](GpuWorld& w, CommandStream& s)
                {
                    const std::uint32_t o[] = {0};
                    s.setPipeline(w.opaque);
                    s.setBindGroup(0, w.frameGroup, o);
                    s.draw({.vertexCount = 3});
                },
                false)},
        {R::MissingVertexBuffer, "slot 8", inOpaque([](GpuWorld& w, CommandStream& s) { s.setVertexBuffer(8, w.vertices); })},
        {R::MissingIndexBuffer, "draw",
            inOpaque(
                [](GpuWorld& w, CommandStream& s)
                {
                    const std::uint32_t o[] = {0};
                    s.setPipeline(w.opaque);
                    s.setBindGroup(0, w.frameGroup, o);
                    s.setVertexBuffer(0, w.vertices);
                    s.drawIndexed({.indexCount = 3});
                },
                false)},
        {R::DrawRange, "one index too many", inOpaque([](GpuWorld&, CommandStream& s) { s.drawIndexed({.indexCount = 129}); })},
        {R::DrawRange, "one vertex too many", inOpaque([](GpuWorld&, CommandStream& s) { s.draw({.vertexCount = 65}); })},
        {R::DrawRange, "arguments outside", inOpaque([](GpuWorld& w, CommandStream& s) { s.drawIndexedIndirect(w.arguments, 48, 1); })},
        {R::ViewportScissor, "viewport", inOpaque([](GpuWorld&, CommandStream& s) { s.setViewport({.x = 1, .width = 64, .height = 64}); })},
        {R::ViewportScissor, "depth range",
            inOpaque([](GpuWorld&, CommandStream& s) { s.setViewport({.width = 64, .height = 64, .minDepth = 1, .maxDepth = 0}); })},
        {R::ViewportScissor, "scissor", inOpaque([](GpuWorld&, CommandStream& s) { s.setScissor({.x = 0xFFFFFFFF, .width = 2}); })},
        {R::QueryRange, "resolve",
            [](GpuWorld& w, CommandStream& s)
            {
                GpuWorld::toState(s, w.target, Access::CopyRead, Access::CopyWrite);
                s.resolveQueries({w.queries, 3, 2, w.target, 0});
            }},
        {R::QueryRange, "pass",
            pass(
                [](GpuWorld& w, RenderPassDesc& d, ColorAttachment&)
                {
                    d.querySet = w.queries;
                    d.endQuery = 4;
                })},
        {R::DispatchRange, "too many groups",
            inCompute(
                [](GpuWorld& w, CommandStream& s)
                {
                    s.setPipeline(w.compute);
                    s.setBindGroup(0, w.computeGroup);
                    s.dispatch(65536, 1, 1);
                })},
        {R::IllegalBarrier, "after None", [](GpuWorld& w, CommandStream& s) { GpuWorld::toState(s, w.hdr, Access::SampledRead, {}); }},
        {R::IllegalBarrier, "two layouts", [](GpuWorld& w, CommandStream& s)
            { GpuWorld::toState(s, w.hdr, Access::SampledRead, Access::SampledRead | Access::CopyRead); }},
        {R::IllegalBarrier, "mip outside",
            [](GpuWorld& w, CommandStream& s)
            {
                const TextureBarrier b[] = {{.texture = w.hdr, .baseMip = 1, .after = Access::ColorWrite}};
                s.barriers(b, {});
            }},
        {R::IllegalBarrier, "twice in one command",
            [](GpuWorld& w, CommandStream& s)
            {
                const TextureBarrier b[] = {
                    {.texture = w.hdr, .after = Access::ColorWrite}, {.texture = w.hdr, .after = Access::ColorWrite}};
                s.barriers(b, {});
            }},
        {R::BarrierBefore, "texture",
            [](GpuWorld& w, CommandStream& s) { GpuWorld::toState(s, w.hdr, Access::ColorWrite, Access::SampledRead); }},
        {R::BarrierBefore, "buffer",
            [](GpuWorld& w, CommandStream& s) { GpuWorld::toState(s, w.vertices, Access::IndexRead, Access::CopyWrite); }},
        {R::MissingBarrier, "upload over vertices", [](GpuWorld& w, CommandStream& s) { s.clearBuffer(w.vertices, 0, 4); }},
        {R::UndefinedContent, "loads what was discarded",
            pass([](GpuWorld&, RenderPassDesc&, ColorAttachment& c) { c.load = LoadOp::Load; })},
        {R::UndefinedContent, "storeOp Discard",
            [](GpuWorld& w, CommandStream& s)
            {
                GpuWorld::toState(s, w.ldr, {}, Access::ColorWrite);
                const ColorAttachment c[] = {{.view = w.ldrView, .store = StoreOp::Discard}};
                s.beginRenderPass({.label = "d", .width = 64, .height = 64, .colors = c});
                s.endRenderPass();
                GpuWorld::toState(s, w.ldr, Access::ColorWrite, Access::CopyRead);
                GpuWorld::toState(s, w.target, Access::CopyRead, Access::CopyWrite);
                s.copyTextureToBuffer({{.texture = w.ldr, .width = 4, .height = 4}, w.target, 0, 256, 4});
            }},
        {R::RedundantBarrier, "read to the same read",
            [](GpuWorld& w, CommandStream& s) { GpuWorld::toState(s, w.albedo, Access::SampledRead, Access::SampledRead); }},
    };
}

void expectOnly(const Breach& breach)
{
    SCOPED_TRACE(testing::Message() << toString(breach.rule) << ", " << breach.what);
    GpuWorld world;
    CommandStream stream;
    world.frame(stream);
    world.submit(stream);
    ASSERT_EQ(world.text(), "");
    stream.clear();
    breach.commit(world, stream);
    if (!stream.isEmpty())
    {
        world.submit(stream);
        EXPECT_EQ(world.lastSubmit, breach.rule == ValidationRule::RedundantBarrier);
    }
    EXPECT_FALSE(world.messages.empty());
    for (const ValidationMessage& message : world.messages)
        EXPECT_EQ(message.rule, breach.rule) << message.text;
}

TEST(ValidationRules, WrongDescsAreRefusedByTheirRule)
{
    for (const Breach& breach : descBreaches())
        expectOnly(breach);
}

TEST(ValidationRules, DeadObjectsAreRefusedByTheirRule)
{
    for (const Breach& breach : lifetimeBreaches())
        expectOnly(breach);
}

TEST(ValidationRules, WrongStreamsAreRefusedByTheirRule)
{
    for (const Breach& breach : streamBreaches())
        expectOnly(breach);
}

TEST(ValidationRules, MissingFeaturesAreNamed)
{
    NullDeviceSettings settings;
    settings.features = Feature::TimestampQuery;
    GpuWorld world(settings);
    EXPECT_FALSE(world.device->createTexture({.format = Format::BC1RgbaUnorm, .width = 4, .height = 4, .usage = TextureUsage::Sampled}));
    ASSERT_EQ(world.messages.size(), 1U);
    EXPECT_EQ(world.messages[0].rule, ValidationRule::FeatureMissing);
    world.messages.clear();
    CommandStream stream;
    world.frame(stream); // two draws in one command
    world.submit(stream);
    ASSERT_EQ(world.messages.size(), 1U) << world.text();
    EXPECT_EQ(world.messages[0].rule, ValidationRule::FeatureMissing);
}

TEST(ValidationRules, MalformedStreamsAreRefused)
{
    GpuWorld world;
    const std::vector<std::byte> garbage(16, std::byte(0x7F));
    EXPECT_FALSE(world.device->submit(garbage));
    ASSERT_EQ(world.messages.size(), 1U);
    EXPECT_EQ(world.messages[0].rule, ValidationRule::MalformedStream);
}

TEST(ValidationRules, EveryRuleHasABreach)
{
    std::vector<bool> isCovered(kValidationRuleCount);
    isCovered[static_cast<std::size_t>(ValidationRule::FeatureMissing)] = true; // the two tests above
    isCovered[static_cast<std::size_t>(ValidationRule::MalformedStream)] = true;
    for (const auto& breaches : {descBreaches(), lifetimeBreaches(), streamBreaches()})
        for (const Breach& breach : breaches)
            isCovered[static_cast<std::size_t>(breach.rule)] = true;
    for (std::uint32_t i = 0; i < kValidationRuleCount; ++i)
        EXPECT_TRUE(isCovered[i]) << toString(static_cast<ValidationRule>(i));
}

TEST(ValidationRules, StreamsCanBeForwardedAllTheSame)
{
    GpuWorld world({}, false);
    CommandStream stream;
    stream.popDebugGroup();
    world.submit(stream);
    EXPECT_TRUE(world.lastSubmit);
    EXPECT_EQ(world.null->stats().submissionCount, 1U);
    EXPECT_EQ(world.checked->stats().errorCount, 1U);
}

TEST(ValidationRules, MessagesOfOneStreamAreLimitedAndCounted)
{
    GpuWorld world;
    CommandStream stream;
    for (int i = 0; i < 100; ++i)
        stream.popDebugGroup();
    world.submit(stream);
    EXPECT_EQ(world.messages.size(), 32U);
    EXPECT_EQ(world.checked->stats().errorCount, 100U);
}

} // namespace
} // namespace dl::gpu
