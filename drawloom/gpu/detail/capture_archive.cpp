// drawloom/gpu/detail/capture_archive.cpp - the fields of every desc, in file order. A change here is a new file version.
#include "drawloom/gpu/detail/capture_archive.h"

namespace dl::gpu
{
namespace
{

constexpr std::uint32_t kMaxTextBytes = 1U << 24U, kMaxSpirvWords = 1U << 22U, kMaxEntryCount = 1024, kMaxSlotCount = 32;

template <class A, class E> void enumerator(A& a, E& value, E last)
{
    auto raw = static_cast<std::uint8_t>(value);
    a.number(raw);
    if constexpr (A::kIsReading)
    {
        if (raw > static_cast<std::uint8_t>(last))
        {
            raw = 0;
            a.fail();
        }
        value = static_cast<E>(raw);
    }
}

template <class A> void flag(A& a, bool& value)
{
    std::uint8_t raw = value ? 1 : 0;
    a.number(raw);
    if constexpr (A::kIsReading)
    {
        if (raw > 1)
            a.fail();
        value = raw == 1;
    }
}

template <class A, class E> void flags(A& a, Flags<E>& value)
{
    a.number(value.bits);
}

template <class A, class Tag> void id(A& a, Id<Tag>& value)
{
    a.number(value.index);
    a.number(value.generation);
}

template <class A, class T> std::uint32_t count(A& a, std::vector<T>& list, std::uint32_t max)
{
    auto n = static_cast<std::uint32_t>(list.size());
    a.number(n);
    if constexpr (A::kIsReading)
    {
        if (n > max || n > a.left()) // every element takes a byte at least: no allocation beyond the file's size
            a.fail();
        list.assign(a.isFailed() ? 0 : n, T());
    }
    return n;
}

template <class A, class T, class F> void list(A& a, std::vector<T>& values, std::uint32_t max, F&& each)
{
    count(a, values, max);
    for (T& value : values)
        each(value);
}

template <class A> void text(A& a, std::string& value)
{
    auto n = static_cast<std::uint32_t>(value.size());
    a.number(n);
    if constexpr (A::kIsReading)
    {
        if (n > kMaxTextBytes)
            a.fail();
        const std::span<const std::byte> source = a.take(n);
        value.assign(reinterpret_cast<const char*>(source.data()), source.size());
    }
    else
        a.bytes(value.data(), value.size());
}

template <class A> void fields(A& a, TextureDesc& d)
{
    enumerator(a, d.format, Format::BC7RgbaUnormSrgb);
    enumerator(a, d.dimension, TextureDimension::D3);
    for (std::uint32_t* value : {&d.width, &d.height, &d.depthOrLayers, &d.mipCount, &d.sampleCount})
        a.number(*value);
    flags(a, d.usage);
}

template <class A> void fields(A& a, TextureViewDesc& d)
{
    id(a, d.texture);
    enumerator(a, d.format, Format::BC7RgbaUnormSrgb);
    enumerator(a, d.dimension, TextureDimension::D3);
    enumerator(a, d.aspect, TextureAspect::DepthOnly);
    for (std::uint32_t* value : {&d.baseMip, &d.mipCount, &d.baseLayer, &d.layerCount})
        a.number(*value);
}

template <class A> void fields(A& a, SamplerDesc& d)
{
    for (AddressMode* mode : {&d.addressU, &d.addressV, &d.addressW})
        enumerator(a, *mode, AddressMode::ClampToEdge);
    for (Filter* filter : {&d.magFilter, &d.minFilter, &d.mipFilter})
        enumerator(a, *filter, Filter::Linear);
    a.number(d.minLod);
    a.number(d.maxLod);
    a.number(d.maxAnisotropy);
    flag(a, d.isComparison);
    enumerator(a, d.compare, CompareOp::Always);
}

template <class A> void fields(A& a, BindGroupLayoutEntry& e)
{
    a.number(e.binding);
    flags(a, e.visibility);
    enumerator(a, e.type, BindingType::ComparisonSampler);
    flag(a, e.hasDynamicOffset);
    enumerator(a, e.dimension, TextureDimension::D3);
    enumerator(a, e.format, Format::BC7RgbaUnormSrgb);
    a.number(e.minBytes);
}

template <class A> void fields(A& a, BindGroupEntry& e)
{
    a.number(e.binding);
    id(a, e.buffer);
    a.number(e.offset);
    a.number(e.bytes);
    id(a, e.view);
    id(a, e.sampler);
}

template <class A> void fields(A& a, BlendState& b)
{
    for (BlendFactor* factor : {&b.srcColor, &b.dstColor, &b.srcAlpha, &b.dstAlpha})
        enumerator(a, *factor, BlendFactor::OneMinusDstAlpha);
    enumerator(a, b.colorOp, BlendOp::Max);
    enumerator(a, b.alphaOp, BlendOp::Max);
}

template <class A> void fields(A& a, ColorTargetState& c)
{
    enumerator(a, c.format, Format::BC7RgbaUnormSrgb);
    flag(a, c.isBlended);
    fields(a, c.blend);
    a.number(c.writeMask);
}

template <class A> void fields(A& a, CapturedVertexBuffer& b)
{
    a.number(b.stride);
    flag(a, b.isPerInstance);
    list(a, b.attributes, kMaxSlotCount,
        [&](VertexAttribute& attribute)
        {
            a.number(attribute.location);
            enumerator(a, attribute.format, VertexFormat::Sint32);
            a.number(attribute.offset);
        });
}

template <class A> void renderPipeline(A& a, CapturedObject& o)
{
    id(a, o.fragmentModule);
    text(a, o.fragmentEntry);
    list(a, o.vertexBuffers, kMaxSlotCount, [&](CapturedVertexBuffer& buffer) { fields(a, buffer); });
    list(a, o.colors, kMaxSlotCount, [&](ColorTargetState& color) { fields(a, color); });
    enumerator(a, o.render.topology, Topology::PointList);
    enumerator(a, o.render.cullMode, CullMode::Back);
    enumerator(a, o.render.frontFace, FrontFace::Clockwise);
    DepthState& depth = o.render.depth;
    enumerator(a, depth.format, Format::BC7RgbaUnormSrgb);
    flag(a, depth.isWriting);
    enumerator(a, depth.compare, CompareOp::Always);
    a.number(depth.bias);
    a.number(depth.biasSlope);
    a.number(depth.biasClamp);
    a.number(o.render.sampleCount);
    flag(a, o.render.alphaToCoverage);
}

template <class A> void pipeline(A& a, CapturedObject& o)
{
    flag(a, o.isCompute);
    list(a, o.layouts, kMaxSlotCount, [&](BindGroupLayoutId& layout) { id(a, layout); });
    id(a, o.firstModule);
    text(a, o.firstEntry);
    if (!o.isCompute)
        renderPipeline(a, o);
}

template <class A> void object(A& a, CapturedObject& o)
{
    enumerator(a, o.kind, ObjectKind::QuerySet);
    a.number(o.index);
    a.number(o.generation);
    text(a, o.label);
    switch (o.kind)
    {
    case ObjectKind::Buffer:
        a.number(o.buffer.bytes);
        flags(a, o.buffer.usage);
        break;
    case ObjectKind::Texture: fields(a, o.texture); break;
    case ObjectKind::TextureView: fields(a, o.view); break;
    case ObjectKind::Sampler: fields(a, o.sampler); break;
    case ObjectKind::ShaderModule:
        list(a, o.spirv, kMaxSpirvWords, [&](std::uint32_t& word) { a.number(word); });
        text(a, o.wgsl);
        break;
    case ObjectKind::BindGroupLayout:
        list(a, o.layoutEntries, kMaxEntryCount, [&](BindGroupLayoutEntry& entry) { fields(a, entry); });
        break;
    case ObjectKind::BindGroup:
        id(a, o.groupLayout);
        list(a, o.groupEntries, kMaxEntryCount, [&](BindGroupEntry& entry) { fields(a, entry); });
        break;
    case ObjectKind::Pipeline: pipeline(a, o); break;
    case ObjectKind::QuerySet: a.number(o.queryCount); break;
    }
}

} // namespace

void archive(CaptureWriter& a, CapturedObject& o)
{
    object(a, o);
}

void archive(CaptureReader& a, CapturedObject& o)
{
    object(a, o);
}

} // namespace dl::gpu
