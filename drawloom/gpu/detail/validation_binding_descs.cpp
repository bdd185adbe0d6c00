// drawloom/gpu/detail/validation_binding_descs.cpp - checks of bind group layouts and bind groups.
#include "drawloom/gpu/detail/text.h"
#include "drawloom/gpu/detail/validation_descs.h"

namespace dl::gpu
{
namespace
{

unsigned long long wide(std::uint64_t value)
{
    return value;
}

std::string entryProblem(const BindGroupLayoutEntry& e)
{
    if (e.type > BindingType::ComparisonSampler || e.dimension > TextureDimension::D3)
        return "has an unknown type or dimension";
    if (!e.visibility || e.visibility.bits > 7)
        return "is visible in no stage";
    if (e.hasDynamicOffset && !isBufferBinding(e.type))
        return "has a dynamic offset but is no buffer";
    const bool isWritable = e.type == BindingType::StorageBuffer || e.type == BindingType::StorageTexture;
    if (isWritable && e.visibility.contains(ShaderStage::Vertex))
        return "is writable in the vertex stage";
    if (e.type == BindingType::StorageTexture && (e.format == Format::None || static_cast<std::uint32_t>(e.format) >= kFormatCount))
        return "is a storage texture without a format";
    return {};
}

TextureUsage requiredUsage(BindingType type)
{
    return type == BindingType::StorageTexture ? TextureUsage::Storage : TextureUsage::Sampled;
}

/// Does a texture of this format answer the binding's sample type?
bool isSampleTypeRight(const BindGroupLayoutEntry& e, Format format, Features features)
{
    const FormatInfo& info = formatInfo(format);
    switch (e.type)
    {
    case BindingType::SampledTexture:
    {
        const bool is32 = format == Format::R32Float || format == Format::RG32Float || format == Format::RGBA32Float;
        return info.isFilterable || (is32 && features.contains(Feature::Float32Filterable));
    }
    case BindingType::UnfilterableTexture: return !info.isInteger;
    case BindingType::UintTexture: return info.isInteger;
    case BindingType::DepthTexture: return info.isDepth;
    default: return format == e.format;
    }
}

std::string bufferProblem(const BindGroupLayoutEntry& layout, const BindGroupEntry& e, const BufferRecord* buffer, const Limits& limits)
{
    if (buffer == nullptr)
        return "needs a live buffer";
    const bool isUniform = layout.type == BindingType::UniformBuffer;
    if (!buffer->usage.contains(isUniform ? BufferUsage::Uniform : BufferUsage::Storage))
        return formatText("buffer \"%s\" was not created with usage %s", buffer->label.c_str(), isUniform ? "Uniform" : "Storage");
    const std::uint32_t alignment = isUniform ? limits.minUniformOffsetAlignment : limits.minStorageOffsetAlignment;
    if (e.offset % alignment != 0)
        return formatText("offset %llu is no multiple of %u", wide(e.offset), alignment);
    const std::uint64_t bytes = e.bytes != 0 ? e.bytes : buffer->bytes - std::min(e.offset, buffer->bytes);
    if (e.offset >= buffer->bytes || bytes > buffer->bytes - e.offset)
        return formatText(
            "range %llu+%llu of buffer \"%s\" with %llu bytes", wide(e.offset), wide(bytes), buffer->label.c_str(), wide(buffer->bytes));
    const std::uint64_t limit = isUniform ? limits.maxUniformBindingBytes : limits.maxStorageBindingBytes;
    if (bytes > limit || bytes < layout.minBytes || bytes % 4 != 0)
        return formatText("%llu bytes bound: a multiple of 4 between %u and %llu", wide(bytes), layout.minBytes, wide(limit));
    return {};
}

std::string viewProblem(const BindGroupLayoutEntry& layout, const BindGroupEntry& e, const ValidationObjects& objects, Features features)
{
    const ViewRecord* view = objects.views.find(e.view);
    const TextureRecord* texture = view != nullptr ? objects.textures.find(view->desc.texture) : nullptr;
    if (texture == nullptr)
        return "needs a live view of a live texture";
    const char* label = texture->label.c_str();
    if (!texture->usage.contains(requiredUsage(layout.type)))
        return formatText(
            "texture \"%s\" was not created with usage %s", label, layout.type == BindingType::StorageTexture ? "Storage" : "Sampled");
    if (view->desc.dimension != layout.dimension)
        return formatText("a view of texture \"%s\" with another dimension than the layout's", label);
    if (!isSampleTypeRight(layout, view->desc.format, features))
        return formatText("texture \"%s\" of format %s does not fit the layout's type", label, formatInfo(view->desc.format).name.data());
    if (layout.type == BindingType::StorageTexture && view->desc.mipCount != 1)
        return formatText("%u mips of texture \"%s\": a storage view has one", view->desc.mipCount, label);
    if (texture->sampleCount != 1)
        return formatText("texture \"%s\" is multisampled: resolve it first", label);
    return {};
}

std::string samplerProblem(const BindGroupLayoutEntry& layout, const SamplerRecord* sampler)
{
    if (sampler == nullptr)
        return "needs a live sampler";
    if (sampler->isComparison != (layout.type == BindingType::ComparisonSampler))
        return formatText("sampler \"%s\" and the layout disagree about comparison", sampler->label.c_str());
    if (layout.type == BindingType::NonFilteringSampler && sampler->isFiltering)
        return formatText("sampler \"%s\" filters, the layout says it does not", sampler->label.c_str());
    return {};
}

} // namespace

Finding checkDesc(const BindGroupLayoutDesc& d, const DeviceInfo& info)
{
    const auto wrong = [](std::string text) { return Finding{ValidationRule::BindGroupLayoutDesc, std::move(text)}; };
    std::uint32_t dynamicCount = 0, storageCount[3] = {}, textureCount[3] = {}, samplerCount[3] = {};
    for (std::size_t i = 0; i < d.entries.size(); ++i)
    {
        const BindGroupLayoutEntry& e = d.entries[i];
        if (i > 0 && e.binding <= d.entries[i - 1].binding)
            return wrong(formatText("binding %u after %u: must ascend", e.binding, d.entries[i - 1].binding));
        if (const std::string problem = entryProblem(e); !problem.empty())
            return wrong(formatText("binding %u %s", e.binding, problem.c_str()));
        dynamicCount += e.hasDynamicOffset ? 1 : 0;
        for (std::uint32_t stage = 0; stage < 3; ++stage)
        {
            if ((e.visibility.bits & (1U << stage)) == 0)
                continue;
            storageCount[stage] += isBufferBinding(e.type) && e.type != BindingType::UniformBuffer ? 1 : 0;
            textureCount[stage] += !isBufferBinding(e.type) && !isSamplerBinding(e.type) && e.type != BindingType::StorageTexture ? 1 : 0;
            samplerCount[stage] += isSamplerBinding(e.type) ? 1 : 0;
        }
    }
    if (dynamicCount > kMaxDynamicOffsets)
        return wrong(formatText("%u dynamic offsets, allowed %u", dynamicCount, kMaxDynamicOffsets));
    for (std::uint32_t stage = 0; stage < 3; ++stage)
        if (storageCount[stage] > info.limits.maxStorageBuffersPerStage || textureCount[stage] > info.limits.maxSampledTexturesPerStage ||
            samplerCount[stage] > info.limits.maxSamplersPerStage)
            return wrong(formatText("%u storage buffers, %u textures, %u samplers in one stage, allowed %u, %u, %u", storageCount[stage],
                textureCount[stage], samplerCount[stage], info.limits.maxStorageBuffersPerStage, info.limits.maxSampledTexturesPerStage,
                info.limits.maxSamplersPerStage));
    return {};
}

Finding checkDesc(const BindGroupDesc& d, const LayoutRecord& layout, const ValidationObjects& objects, const DeviceInfo& info)
{
    const auto wrong = [](std::string text) { return Finding{ValidationRule::BindGroupDesc, std::move(text)}; };
    if (d.entries.size() != layout.entries.size())
        return wrong(formatText("%zu entries for layout \"%s\" with %zu", d.entries.size(), layout.label.c_str(), layout.entries.size()));
    for (std::size_t i = 0; i < d.entries.size(); ++i)
    {
        const BindGroupEntry& e = d.entries[i];
        const BindGroupLayoutEntry& expected = layout.entries[i];
        if (e.binding != expected.binding)
            return wrong(formatText("entry %zu is binding %u, layout \"%s\" has %u", i, e.binding, layout.label.c_str(), expected.binding));
        std::string problem;
        if (isBufferBinding(expected.type))
            problem = bufferProblem(expected, e, objects.buffers.find(e.buffer), info.limits);
        else if (isSamplerBinding(expected.type))
            problem = samplerProblem(expected, objects.samplers.find(e.sampler));
        else
            problem = viewProblem(expected, e, objects, info.features);
        if (!problem.empty())
            return wrong(formatText("binding %u: %s", e.binding, problem.c_str()));
    }
    return {};
}

} // namespace dl::gpu
