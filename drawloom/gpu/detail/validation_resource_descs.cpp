// drawloom/gpu/detail/validation_resource_descs.cpp - checks of buffers, textures, views, samplers, query sets.
#include "drawloom/gpu/detail/text.h"
#include "drawloom/gpu/detail/validation_descs.h"

#include <algorithm>

namespace dl::gpu
{
namespace
{

constexpr std::uint32_t kAllBufferUsages = 255, kAllTextureUsages = 63;

unsigned long long wide(std::uint64_t value)
{
    return value;
}

std::string textureSizeProblem(const TextureDesc& d, const Limits& limits)
{
    const bool isVolume = d.dimension == TextureDimension::D3;
    const std::uint32_t maxDepth = isVolume ? limits.maxTextureSize : limits.maxTextureLayers;
    if (d.width == 0 || d.height == 0 || std::max(d.width, d.height) > limits.maxTextureSize)
        return formatText("size %ux%u, allowed 1 to %u", d.width, d.height, limits.maxTextureSize);
    if (d.depthOrLayers == 0 || d.depthOrLayers > maxDepth)
        return formatText("%u %s, allowed 1 to %u", d.depthOrLayers, isVolume ? "slices" : "layers", maxDepth);
    if (d.dimension == TextureDimension::D2 && d.depthOrLayers != 1)
        return formatText("%u layers in a 2D texture: use D2Array", d.depthOrLayers);
    if (d.dimension == TextureDimension::Cube && (d.depthOrLayers % 6 != 0 || d.width != d.height))
        return formatText("a cube needs squares and a multiple of 6 layers, not %ux%u x%u", d.width, d.height, d.depthOrLayers);
    const std::uint32_t full = fullMipCount(std::max(d.width, isVolume ? d.depthOrLayers : 1), d.height);
    if (d.mipCount == 0 || d.mipCount > full)
        return formatText("%u mips, allowed 1 to %u for this size", d.mipCount, full);
    return {};
}

std::string textureUsageProblem(const TextureDesc& d)
{
    const FormatInfo& format = formatInfo(d.format);
    const char* name = format.name.data();
    if (!d.usage || d.usage.bits > kAllTextureUsages)
        return formatText("usage %#x is empty or unknown", d.usage.bits);
    if (d.usage.contains(TextureUsage::ColorAttachment) && !isRenderable(d.format))
        return formatText("%s can not be a colour attachment", name);
    if (d.usage.contains(TextureUsage::DepthAttachment) && !format.isDepth)
        return formatText("%s can not be a depth attachment", name);
    if (d.usage.contains(TextureUsage::Storage) && (format.isCompressed || format.isDepth || format.isSrgb))
        return formatText("%s can not be a storage texture", name);
    if (format.isCompressed && (d.width % 4 != 0 || d.height % 4 != 0))
        return formatText("%s needs a size in whole blocks of 4 texels, not %ux%u", name, d.width, d.height);
    if (format.isDepth && d.dimension == TextureDimension::D3)
        return "a depth texture can not be 3D";
    if (d.sampleCount != 1 && d.sampleCount != 4)
        return formatText("%u samples, allowed 1 or 4", d.sampleCount);
    const bool isAttachment = d.usage.intersects(TextureUsage::ColorAttachment | TextureUsage::DepthAttachment);
    if (d.sampleCount == 4 && (d.mipCount != 1 || d.depthOrLayers != 1 || !isAttachment || d.usage.contains(TextureUsage::Storage)))
        return "a multisampled texture has one mip and one layer, is an attachment and no storage texture";
    return {};
}

std::uint32_t requiredLayers(TextureDimension dimension)
{
    return dimension == TextureDimension::Cube ? 6 : 1;
}

} // namespace

bool areTwins(Format a, Format b)
{
    if (a == b)
        return true;
    constexpr std::string_view kSuffix = "-srgb";
    std::string_view x = formatInfo(a).name, y = formatInfo(b).name;
    if (x.size() < y.size())
        std::swap(x, y);
    return x.size() == y.size() + kSuffix.size() && x.starts_with(y) && x.ends_with(kSuffix);
}

bool isRenderable(Format format)
{
    const FormatInfo& info = formatInfo(format);
    return format != Format::None && !info.isCompressed && !info.isDepth && format != Format::RGBA8Snorm && format != Format::RG11B10Float;
}

Finding checkDesc(const BufferDesc& d, const DeviceInfo& info)
{
    const auto wrong = [](std::string text) { return Finding{ValidationRule::BufferDesc, std::move(text)}; };
    if (d.bytes == 0 || d.bytes % 4 != 0)
        return wrong(formatText("%llu bytes: must be a positive multiple of 4", wide(d.bytes)));
    if (d.bytes > info.limits.maxBufferBytes)
        return wrong(formatText("%llu bytes, the device's limit is %llu", wide(d.bytes), wide(info.limits.maxBufferBytes)));
    if (!d.usage || d.usage.bits > kAllBufferUsages)
        return wrong(formatText("usage %#x is empty or unknown", d.usage.bits));
    return {};
}

Finding checkDesc(const TextureDesc& d, const DeviceInfo& info)
{
    if (d.format == Format::None || static_cast<std::uint32_t>(d.format) >= kFormatCount || d.dimension > TextureDimension::D3)
        return {ValidationRule::TextureDesc, "has no format or an unknown dimension"};
    if (formatInfo(d.format).isCompressed && !info.features.contains(Feature::TextureCompressionBc))
        return {ValidationRule::FeatureMissing, formatText("%s needs TextureCompressionBc", formatInfo(d.format).name.data())};
    std::string problem = textureSizeProblem(d, info.limits);
    if (problem.empty())
        problem = textureUsageProblem(d);
    return {ValidationRule::TextureDesc, std::move(problem)};
}

Finding checkDesc(const TextureViewDesc& d, const TextureRecord& texture)
{
    const auto wrong = [](std::string text) { return Finding{ValidationRule::TextureViewDesc, std::move(text)}; };
    const Format format = texture.shape.format;
    const std::uint32_t mips = texture.shape.mipCount, layers = texture.layerCount();
    if (d.mipCount == 0 || std::uint64_t(d.baseMip) + d.mipCount > mips)
        return wrong(formatText("mips %u+%u of a texture with %u", d.baseMip, d.mipCount, mips));
    if (d.layerCount == 0 || std::uint64_t(d.baseLayer) + d.layerCount > layers)
        return wrong(formatText("layers %u+%u of a texture with %u", d.baseLayer, d.layerCount, layers));
    if (static_cast<std::uint32_t>(d.format) >= kFormatCount || (d.format != Format::None && !areTwins(d.format, format)))
        return wrong(formatText("its format is not %s or that format's sRGB twin", formatInfo(format).name.data()));
    if (d.dimension > TextureDimension::D3 || (d.dimension == TextureDimension::D3) != texture.shape.isVolume)
        return wrong("3D views are for 3D textures, and those have no others");
    if (d.dimension != TextureDimension::D2Array && d.layerCount != requiredLayers(d.dimension))
        return wrong(formatText("%u layers in a view that shows %u", d.layerCount, requiredLayers(d.dimension)));
    if (d.dimension == TextureDimension::Cube && texture.shape.width != texture.shape.height)
        return wrong("a cube view of a texture that is not square");
    if (d.aspect == TextureAspect::DepthOnly && !formatInfo(format).isDepth)
        return wrong(formatText("DepthOnly of %s", formatInfo(format).name.data()));
    return {};
}

Finding checkDesc(const SamplerDesc& d)
{
    const auto wrong = [](std::string text) { return Finding{ValidationRule::SamplerDesc, std::move(text)}; };
    if (!(d.minLod >= 0.0f) || !(d.maxLod >= d.minLod))
        return wrong(formatText("lod %g to %g: must be 0 <= min <= max", double(d.minLod), double(d.maxLod)));
    const bool isLinear = d.magFilter == Filter::Linear && d.minFilter == Filter::Linear && d.mipFilter == Filter::Linear;
    if (d.maxAnisotropy < 1 || d.maxAnisotropy > 16 || (d.maxAnisotropy > 1 && !isLinear))
        return wrong(formatText("anisotropy %u: 1 to 16, above 1 with linear filters only", d.maxAnisotropy));
    return {};
}

Finding checkDesc(const QuerySetDesc& d, const DeviceInfo& info)
{
    if (!info.features.contains(Feature::TimestampQuery))
        return {ValidationRule::FeatureMissing, "needs TimestampQuery"};
    if (d.count == 0 || d.count > 4096)
        return {ValidationRule::QuerySetDesc, formatText("%u queries, allowed 1 to 4096", d.count)};
    return {};
}

} // namespace dl::gpu
