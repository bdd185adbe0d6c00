// drawloom/gpu/detail/validation_pipeline_descs.cpp - checks of pipelines and what streams must provide for them.
#include "drawloom/gpu/detail/text.h"
#include "drawloom/gpu/detail/validation_descs.h"

#include <algorithm>

namespace dl::gpu
{
namespace
{

constexpr std::uint32_t kMaxVertexStride = 2048, kMaxAttributeCount = 16;

Finding wrong(std::string text)
{
    return {ValidationRule::PipelineDesc, std::move(text)};
}

Finding checkLayouts(std::span<const BindGroupLayoutId> layouts, const ValidationObjects& objects, const Limits& limits)
{
    if (layouts.size() > limits.maxBindGroups)
        return wrong(formatText("%zu bind group layouts, allowed %u", layouts.size(), limits.maxBindGroups));
    std::uint32_t storageCount[3] = {}, textureCount[3] = {}, samplerCount[3] = {};
    for (std::size_t group = 0; group < layouts.size(); ++group)
    {
        if (!layouts[group])
            continue;
        const LayoutRecord* layout = objects.layouts.find(layouts[group]);
        if (layout == nullptr)
            return {ValidationRule::StaleId, formatText("the layout of group %zu (l%u) does not exist", group, layouts[group].index)};
        for (const BindGroupLayoutEntry& e : layout->entries)
            for (std::uint32_t stage = 0; stage < 3; ++stage)
                if ((e.visibility.bits & (1U << stage)) != 0)
                {
                    const bool isBuffer = isBufferBinding(e.type), isSampler = isSamplerBinding(e.type);
                    storageCount[stage] += isBuffer && e.type != BindingType::UniformBuffer ? 1 : 0;
                    textureCount[stage] += !isBuffer && !isSampler && e.type != BindingType::StorageTexture ? 1 : 0;
                    samplerCount[stage] += isSampler ? 1 : 0;
                }
    }
    for (std::uint32_t stage = 0; stage < 3; ++stage)
        if (storageCount[stage] > limits.maxStorageBuffersPerStage || textureCount[stage] > limits.maxSampledTexturesPerStage ||
            samplerCount[stage] > limits.maxSamplersPerStage)
            return wrong(formatText("all groups together: %u storage buffers, %u textures, %u samplers in one stage, allowed %u, %u, %u",
                storageCount[stage], textureCount[stage], samplerCount[stage], limits.maxStorageBuffersPerStage,
                limits.maxSampledTexturesPerStage, limits.maxSamplersPerStage));
    return {};
}

Finding checkModule(ShaderModuleId module, std::string_view entry, const char* stage, const ValidationObjects& objects)
{
    if (objects.modules.find(module) == nullptr)
        return {ValidationRule::StaleId, formatText("its %s module (m%u) does not exist", stage, module.index)};
    if (entry.empty())
        return wrong(formatText("no %s entry point", stage));
    return {};
}

Finding checkAttributes(const VertexBufferLayout& layout, std::size_t slot, std::vector<std::uint32_t>& locations)
{
    const auto bad = [](std::string text) { return Finding{ValidationRule::VertexLayout, std::move(text)}; };
    for (std::size_t i = 0; i < layout.attributes.size(); ++i)
    {
        const VertexAttribute& a = layout.attributes[i];
        if (static_cast<std::uint32_t>(a.format) >= kVertexFormatCount)
            return bad(formatText("location %u has an unknown format", a.location));
        const std::uint64_t end = std::uint64_t(a.offset) + vertexFormatBytes(a.format);
        if (a.offset % 4 != 0 || end > layout.stride)
            return bad(formatText("location %u, bytes %u to %llu of buffer slot %zu with stride %u: outside, or no multiple of 4",
                a.location, a.offset, static_cast<unsigned long long>(end), slot, layout.stride));
        if (std::find(locations.begin(), locations.end(), a.location) != locations.end())
            return bad(formatText("location %u is used twice", a.location));
        locations.push_back(a.location);
        for (std::size_t j = 0; j < i; ++j)
        {
            const VertexAttribute& b = layout.attributes[j];
            if (a.offset < b.offset + vertexFormatBytes(b.format) && b.offset < end)
                return bad(formatText("locations %u and %u overlap in buffer slot %zu", b.location, a.location, slot));
        }
    }
    return {};
}

Finding checkVertexBuffers(const RenderPipelineDesc& d, const Limits& limits)
{
    const auto bad = [](std::string text) { return Finding{ValidationRule::VertexLayout, std::move(text)}; };
    if (d.vertexBuffers.size() > limits.maxVertexBuffers)
        return bad(formatText("%zu vertex buffers, allowed %u", d.vertexBuffers.size(), limits.maxVertexBuffers));
    std::vector<std::uint32_t> locations;
    for (std::size_t slot = 0; slot < d.vertexBuffers.size(); ++slot)
    {
        const VertexBufferLayout& layout = d.vertexBuffers[slot];
        if (layout.stride % 4 != 0 || layout.stride > kMaxVertexStride)
            return bad(formatText("stride %u of buffer slot %zu: a multiple of 4 up to %u", layout.stride, slot, kMaxVertexStride));
        if (Finding finding = checkAttributes(layout, slot, locations))
            return finding;
    }
    if (locations.size() > kMaxAttributeCount)
        return bad(formatText("%zu attributes, allowed %u", locations.size(), kMaxAttributeCount));
    return {};
}

Finding checkTargets(const RenderPipelineDesc& d, const Limits& limits)
{
    if (d.colorTargets.size() > limits.maxColorAttachments)
        return wrong(formatText("%zu colour targets, allowed %u", d.colorTargets.size(), limits.maxColorAttachments));
    for (std::size_t i = 0; i < d.colorTargets.size(); ++i)
    {
        const ColorTargetState& target = d.colorTargets[i];
        if (static_cast<std::uint32_t>(target.format) >= kFormatCount || !isRenderable(target.format))
            return wrong(formatText("colour target %zu has a format that can not be drawn to", i));
        const FormatInfo& info = formatInfo(target.format);
        if (target.isBlended && (info.isInteger || !info.isFilterable))
            return wrong(formatText("colour target %zu: %s can not be blended", i, info.name.data()));
        if (target.writeMask > 0xF)
            return wrong(formatText("colour target %zu: write mask %#x", i, target.writeMask));
    }
    const bool hasDepth = d.depth.format != Format::None;
    if (static_cast<std::uint32_t>(d.depth.format) >= kFormatCount || (hasDepth && !formatInfo(d.depth.format).isDepth))
        return wrong("its depth format is none");
    if (!hasDepth && (d.depth.isWriting || d.depth.compare != CompareOp::Always))
        return wrong("it tests or writes depth without a depth format");
    if (!hasDepth && d.colorTargets.empty())
        return wrong("no colour target and no depth");
    if (!d.colorTargets.empty() && !d.fragmentModule)
        return wrong("colour targets without a fragment module");
    if (d.sampleCount != 1 && d.sampleCount != 4)
        return wrong(formatText("%u samples, allowed 1 or 4", d.sampleCount));
    if (d.alphaToCoverage && (d.sampleCount == 1 || d.colorTargets.empty()))
        return wrong("alpha to coverage needs 4 samples and a colour target");
    return {};
}

void addLayouts(std::span<const BindGroupLayoutId> layouts, const ValidationObjects& objects, PipelineRecord& record)
{
    for (const BindGroupLayoutId id : layouts)
    {
        const LayoutRecord* layout = objects.layouts.find(id);
        record.hasLayout.push_back(layout != nullptr);
        record.layouts.push_back(layout != nullptr ? layout->entries : std::vector<BindGroupLayoutEntry>());
    }
}

} // namespace

Finding checkDesc(const RenderPipelineDesc& d, const ValidationObjects& objects, const DeviceInfo& info)
{
    if (Finding finding = checkLayouts(d.layouts, objects, info.limits))
        return finding;
    if (Finding finding = checkModule(d.vertexModule, d.vertexEntry, "vertex", objects))
        return finding;
    if (d.fragmentModule)
        if (Finding finding = checkModule(d.fragmentModule, d.fragmentEntry, "fragment", objects))
            return finding;
    if (Finding finding = checkVertexBuffers(d, info.limits))
        return finding;
    return checkTargets(d, info.limits);
}

Finding checkDesc(const ComputePipelineDesc& d, const ValidationObjects& objects, const DeviceInfo& info)
{
    if (Finding finding = checkLayouts(d.layouts, objects, info.limits))
        return finding;
    return checkModule(d.module, d.entry, "compute", objects);
}

PipelineRecord recordOf(const RenderPipelineDesc& d, const ValidationObjects& objects)
{
    PipelineRecord record{
        .label = std::string(d.label), .depth = d.depth.format, .isDepthWriting = d.depth.isWriting, .sampleCount = d.sampleCount};
    addLayouts(d.layouts, objects, record);
    for (const VertexBufferLayout& layout : d.vertexBuffers)
    {
        VertexBufferRecord buffer{.stride = layout.stride, .isPerInstance = layout.isPerInstance};
        for (const VertexAttribute& a : layout.attributes)
            buffer.usedBytes = std::max(buffer.usedBytes, a.offset + vertexFormatBytes(a.format));
        record.vertexBuffers.push_back(buffer);
    }
    for (const ColorTargetState& target : d.colorTargets)
        record.colors.push_back(target.format);
    return record;
}

PipelineRecord recordOf(const ComputePipelineDesc& d, const ValidationObjects& objects)
{
    PipelineRecord record{.label = std::string(d.label), .isCompute = true};
    addLayouts(d.layouts, objects, record);
    return record;
}

} // namespace dl::gpu
