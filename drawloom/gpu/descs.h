// drawloom/gpu/descs.h - what is needed to create each object of a device. Plain values; spans are read during the call.
#pragma once

#include "drawloom/gpu/types.h"

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>

namespace dl::gpu
{

struct BufferDesc
{
    std::string_view label;  ///< shows in messages, captures and debuggers
    std::uint64_t bytes = 0; ///< > 0, multiple of 4
    BufferUsages usage;
};

struct TextureDesc
{
    std::string_view label;
    Format format = Format::RGBA8Unorm;
    TextureDimension dimension = TextureDimension::D2;
    std::uint32_t width = 1, height = 1;
    std::uint32_t depthOrLayers = 1; ///< layers for D2Array and Cube (multiple of 6), depth for D3
    std::uint32_t mipCount = 1;
    std::uint32_t sampleCount = 1; ///< 1 or 4
    TextureUsages usage;
};

struct TextureViewDesc
{
    std::string_view label;
    TextureId texture;
    Format format = Format::None; ///< None: the texture's; else its sRGB or linear twin
    TextureDimension dimension = TextureDimension::D2;
    TextureAspect aspect = TextureAspect::All;
    std::uint32_t baseMip = 0, mipCount = 1;
    std::uint32_t baseLayer = 0, layerCount = 1;
};

struct SamplerDesc
{
    std::string_view label;
    AddressMode addressU = AddressMode::ClampToEdge, addressV = AddressMode::ClampToEdge, addressW = AddressMode::ClampToEdge;
    Filter magFilter = Filter::Linear, minFilter = Filter::Linear, mipFilter = Filter::Linear;
    float minLod = 0.0f, maxLod = 32.0f;
    std::uint16_t maxAnisotropy = 1; ///< 1..16; above 1 needs all filters linear
    bool isComparison = false;
    CompareOp compare = CompareOp::Always;
    friend bool operator==(const SamplerDesc&, const SamplerDesc&) = default;
};

/// A module in both languages; each backend takes the one it speaks. An empty one is an error on that backend.
struct ShaderModuleDesc
{
    std::string_view label;
    std::span<const std::uint32_t> spirv;
    std::string_view wgsl;
};

enum class BindingType : std::uint8_t
{
    UniformBuffer,
    ReadOnlyStorageBuffer,
    StorageBuffer,
    SampledTexture,      ///< float, filterable
    UnfilterableTexture, ///< float, textureLoad only
    UintTexture,
    DepthTexture,
    StorageTexture, ///< write-only; its format in BindGroupLayoutEntry::format
    FilteringSampler,
    NonFilteringSampler,
    ComparisonSampler,
};

struct BindGroupLayoutEntry
{
    std::uint32_t binding = 0;
    ShaderStages visibility;
    BindingType type = BindingType::UniformBuffer;
    bool hasDynamicOffset = false;                     ///< buffers only
    TextureDimension dimension = TextureDimension::D2; ///< textures only
    Format format = Format::None;                      ///< storage textures only
    std::uint32_t minBytes = 0;                        ///< buffers only; 0: checked at draw
    friend bool operator==(const BindGroupLayoutEntry&, const BindGroupLayoutEntry&) = default;
};

struct BindGroupLayoutDesc
{
    std::string_view label;
    std::span<const BindGroupLayoutEntry> entries; ///< ascending bindings; may be empty
};

/// One of buffer, view, sampler, as the layout's entry of the same binding says.
struct BindGroupEntry
{
    std::uint32_t binding = 0;
    BufferId buffer;
    std::uint64_t offset = 0;
    std::uint64_t bytes = 0; ///< 0: to the buffer's end
    TextureViewId view;
    SamplerId sampler;
};

struct BindGroupDesc
{
    std::string_view label;
    BindGroupLayoutId layout;
    std::span<const BindGroupEntry> entries; ///< exactly the layout's bindings, ascending
};

struct VertexAttribute
{
    std::uint32_t location = 0;
    VertexFormat format = VertexFormat::Float32x3;
    std::uint32_t offset = 0; ///< bytes, multiple of 4 (2 for 16-bit pairs is not allowed either)
    friend bool operator==(const VertexAttribute&, const VertexAttribute&) = default;
};

struct VertexBufferLayout
{
    std::uint32_t stride = 0; ///< bytes, multiple of 4
    bool isPerInstance = false;
    std::span<const VertexAttribute> attributes;
};

struct BlendState
{
    BlendFactor srcColor = BlendFactor::One, dstColor = BlendFactor::Zero;
    BlendOp colorOp = BlendOp::Add;
    BlendFactor srcAlpha = BlendFactor::One, dstAlpha = BlendFactor::Zero;
    BlendOp alphaOp = BlendOp::Add;
    friend bool operator==(const BlendState&, const BlendState&) = default;
};

struct ColorTargetState
{
    Format format = Format::None;
    bool isBlended = false;
    BlendState blend;
    std::uint8_t writeMask = 0xF; ///< 1 red, 2 green, 4 blue, 8 alpha
    friend bool operator==(const ColorTargetState&, const ColorTargetState&) = default;
};

struct DepthState
{
    Format format = Format::None; ///< None: no depth attachment
    bool isWriting = false;
    CompareOp compare = CompareOp::Always; ///< reversed depth: GreaterEqual keeps the nearer
    std::int32_t bias = 0;
    float biasSlope = 0.0f, biasClamp = 0.0f;
    friend bool operator==(const DepthState&, const DepthState&) = default;
};

struct RenderPipelineDesc
{
    std::string_view label;
    std::span<const BindGroupLayoutId> layouts; ///< groups 0..3, none for an unused group in between
    ShaderModuleId vertexModule;
    std::string_view vertexEntry;
    ShaderModuleId fragmentModule; ///< none: depth only
    std::string_view fragmentEntry;
    std::span<const VertexBufferLayout> vertexBuffers;
    Topology topology = Topology::TriangleList;
    CullMode cullMode = CullMode::Back;
    FrontFace frontFace = FrontFace::CounterClockwise;
    std::span<const ColorTargetState> colorTargets;
    DepthState depth;
    std::uint32_t sampleCount = 1;
    bool alphaToCoverage = false;
};

struct ComputePipelineDesc
{
    std::string_view label;
    std::span<const BindGroupLayoutId> layouts;
    ShaderModuleId module;
    std::string_view entry;
};

struct QuerySetDesc
{
    std::string_view label;
    std::uint32_t count = 2; ///< timestamps
};

} // namespace dl::gpu
