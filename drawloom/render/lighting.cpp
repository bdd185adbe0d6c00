#include "drawloom/render/lighting.h"

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace dl
{
namespace
{

using gpu::Access;
using gpu::BindingType;
using gpu::TextureDimension;
using gpu::TextureUsage;

constexpr std::uint32_t kCubeFaceCount = 6;
constexpr gpu::Format kNeutralFormat = gpu::Format::RGBA16Float;
constexpr std::uint32_t kNeutralTexelBytes = 8;

gpu::BindGroupLayoutEntry entry(std::uint32_t binding, BindingType type, TextureDimension dimension = TextureDimension::D2)
{
    gpu::BindGroupLayoutEntry out;
    out.binding = binding;
    out.visibility = gpu::ShaderStage::Fragment;
    out.type = type;
    out.dimension = dimension;
    return out;
}

gpu::TextureBarrier barrier(gpu::TextureId texture, std::uint32_t layerCount, gpu::AccessFlags before, gpu::AccessFlags after)
{
    return {.texture = texture, .layerCount = layerCount, .before = before, .after = after};
}

} // namespace

Result<Lighting> Lighting::create(gpu::Device& device)
{
    Lighting lighting;
    DL_TRY(lighting.createLayout(device));
    DL_TRY_ASSIGN(const gpu::BufferId uniforms,
        device.createBuffer(
            {.label = "light uniforms", .bytes = sizeof(LightUniforms), .usage = gpu::BufferUsage::Uniform | gpu::BufferUsage::CopyDst}));
    lighting.m_uniforms = {device, uniforms};
    gpu::SamplerDesc sampler{.label = "lighting"};
    DL_TRY_ASSIGN(const gpu::SamplerId linear, device.createSampler(sampler));
    lighting.m_sampler = {device, linear};
    sampler.label = "shadow";
    sampler.mipFilter = gpu::Filter::Nearest;
    sampler.isComparison = true;
    sampler.compare = gpu::CompareOp::GreaterEqual;
    DL_TRY_ASSIGN(const gpu::SamplerId comparison, device.createSampler(sampler));
    lighting.m_shadowSampler = {device, comparison};
    DL_TRY(lighting.createNeutral(device));
    return lighting;
}

Result<void> Lighting::createLayout(gpu::Device& device)
{
    std::array entries = {entry(0, BindingType::UniformBuffer), entry(1, BindingType::DepthTexture, TextureDimension::D2Array),
        entry(2, BindingType::ComparisonSampler), entry(3, BindingType::SampledTexture, TextureDimension::Cube),
        entry(4, BindingType::FilteringSampler), entry(5, BindingType::SampledTexture)};
    entries[0].minBytes = sizeof(LightUniforms);
    DL_TRY_ASSIGN(const gpu::BindGroupLayoutId layout, device.createBindGroupLayout({.label = "lighting", .entries = entries}));
    m_layout = {device, layout};
    return {};
}

Result<void> Lighting::createNeutral(gpu::Device& device)
{
    const auto make = [&device](Neutral& neutral, const gpu::TextureDesc& desc) -> Result<void>
    {
        DL_TRY_ASSIGN(const gpu::TextureId texture, device.createTexture(desc));
        neutral.texture = {device, texture};
        DL_TRY_ASSIGN(const gpu::TextureViewId view,
            device.createTextureView(
                {.label = desc.label, .texture = texture, .dimension = desc.dimension, .layerCount = desc.depthOrLayers}));
        neutral.view = {device, view};
        return {};
    };
    DL_TRY(make(m_shadowMap, {.label = "no shadows",
                                 .format = gpu::Format::Depth32Float,
                                 .dimension = TextureDimension::D2Array,
                                 .usage = TextureUsage::Sampled | TextureUsage::DepthAttachment}));
    DL_TRY(make(m_environment, {.label = "no environment",
                                   .format = kNeutralFormat,
                                   .dimension = TextureDimension::Cube,
                                   .depthOrLayers = kCubeFaceCount,
                                   .usage = TextureUsage::Sampled | TextureUsage::CopyDst}));
    DL_TRY(make(m_brdfTable, {.label = "no brdf table", .format = kNeutralFormat, .usage = TextureUsage::Sampled | TextureUsage::CopyDst}));
    DL_TRY_ASSIGN(const gpu::TextureViewId layer,
        device.createTextureView({.label = "no shadows", .texture = m_shadowMap.texture.id(), .dimension = TextureDimension::D2}));
    m_shadowLayer = {device, layer};
    return {};
}

void Lighting::uploadNeutral(gpu::CommandStream& stream) const
{
    const gpu::TextureId cube = m_environment.texture.id(), table = m_brdfTable.texture.id();
    const std::array before = {barrier(cube, kCubeFaceCount, {}, Access::CopyWrite), barrier(table, 1, {}, Access::CopyWrite)};
    stream.barriers(before, {});
    constexpr std::array<std::byte, kCubeFaceCount * kNeutralTexelBytes> kBlack{};
    stream.writeTexture({.texture = cube, .width = 1, .height = 1, .layersOrDepth = kCubeFaceCount}, kNeutralTexelBytes, 1, kBlack);
    stream.writeTexture({.texture = table, .width = 1, .height = 1}, kNeutralTexelBytes, 1, std::span(kBlack).first(kNeutralTexelBytes));
    const std::array after = {
        barrier(cube, kCubeFaceCount, Access::CopyWrite, Access::SampledRead), barrier(table, 1, Access::CopyWrite, Access::SampledRead)};
    stream.barriers(after, {});
}

/// In every frame: the snapshot of a capture does not hold what passes wrote before it began.
void Lighting::clearNeutralShadows(gpu::CommandStream& stream) const
{
    const gpu::TextureId shadow = m_shadowMap.texture.id();
    const gpu::AccessFlags last = m_hasNeutralContent ? gpu::AccessFlags(Access::SampledRead) : gpu::AccessFlags();
    const std::array before = {barrier(shadow, 1, last, Access::DepthWrite)};
    stream.barriers(before, {});
    stream.beginRenderPass({.label = "no shadows", .width = 1, .height = 1, .colors = {}, .depth = {.view = m_shadowLayer.id()}});
    stream.endRenderPass();
    const std::array after = {barrier(shadow, 1, Access::DepthWrite, Access::SampledRead)};
    stream.barriers(after, {});
}

void Lighting::upload(gpu::CommandStream& stream, const LightingInputs& inputs)
{
    DL_ASSERT(inputs.lights.size() <= kMaxLights, "more lights than LightUniforms holds: LightList chooses them");
    if (!m_hasNeutralContent)
        uploadNeutral(stream);
    clearNeutralShadows(stream);
    LightUniforms uniforms;
    uniforms.cascadeMatrices = inputs.shadow.cascadeMatrices;
    uniforms.cascadeFar = inputs.shadow.cascadeFar;
    uniforms.cascadeTexels = inputs.shadow.cascadeTexels;
    uniforms.shadowParams = inputs.shadow.params;
    uniforms.irradiance = inputs.environment.irradiance;
    uniforms.environmentParams = inputs.environment.params;
    uniforms.viewForward = vec4(inputs.viewForward, inputs.shadow.softnessTexels);
    uniforms.lightCount = static_cast<std::uint32_t>(inputs.lights.size());
    std::copy(inputs.lights.begin(), inputs.lights.end(), uniforms.lights.begin());
    const gpu::BufferBarrier before{m_uniforms.id(), m_uniformState, Access::CopyWrite};
    stream.barriers({}, std::span(&before, 1));
    // Records behind the last light are never read: they are written once, so that captures have one content.
    const std::size_t bytes = m_hasNeutralContent ? offsetof(LightUniforms, lights) + inputs.lights.size_bytes() : sizeof(LightUniforms);
    stream.writeBuffer(m_uniforms.id(), 0, std::as_bytes(std::span(&uniforms, 1)).first(bytes));
    const gpu::BufferBarrier after{m_uniforms.id(), Access::CopyWrite, Access::UniformRead};
    stream.barriers({}, std::span(&after, 1));
}

void Lighting::onSubmitted()
{
    m_hasNeutralContent = true;
    m_uniformState = Access::UniformRead;
}

void Lighting::fillIn(graph::RenderGraph& graph, LightingTextures& textures) const
{
    graph::ImportedTextureDesc desc;
    desc.initial = desc.final = Access::SampledRead;
    const auto import = [&](graph::TextureHandle& handle, const char* label, const Neutral& neutral, gpu::Format format,
                            TextureDimension dimension, std::uint32_t layerCount)
    {
        if (handle)
            return;
        desc.label = label;
        desc.texture = neutral.texture.id();
        desc.view = neutral.view.id();
        desc.format = format;
        desc.dimension = dimension;
        desc.depthOrLayers = layerCount;
        handle = graph.importTexture(desc);
    };
    import(textures.shadowMap, "no shadows", m_shadowMap, gpu::Format::Depth32Float, TextureDimension::D2Array, 1);
    import(textures.environment, "no environment", m_environment, kNeutralFormat, TextureDimension::Cube, kCubeFaceCount);
    import(textures.brdfTable, "no brdf table", m_brdfTable, kNeutralFormat, TextureDimension::D2, 1);
}

void Lighting::read(graph::PassBuilder& pass, const LightingTextures& textures)
{
    for (const graph::TextureHandle handle : {textures.shadowMap, textures.environment, textures.brdfTable})
        pass.read(handle, Access::SampledRead);
}

gpu::BindGroupId Lighting::group(graph::PassContext& context, const LightingTextures& textures) const
{
    const std::array<gpu::BindGroupEntry, 6> entries = {{{.binding = 0, .buffer = m_uniforms.id(), .bytes = sizeof(LightUniforms)},
        {.binding = 1, .view = context.view(textures.shadowMap, {.dimension = TextureDimension::D2Array})},
        {.binding = 2, .sampler = m_shadowSampler.id()},
        {.binding = 3, .view = context.view(textures.environment, {.dimension = TextureDimension::Cube})},
        {.binding = 4, .sampler = m_sampler.id()}, {.binding = 5, .view = context.view(textures.brdfTable)}}};
    return context.bindGroup(m_layout.id(), entries, "lighting");
}

} // namespace dl
