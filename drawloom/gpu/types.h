// drawloom/gpu/types.h - ids, formats and flags of the device interface. The vocabulary is WebGPU's; nothing here that
// WebGPU can not play (extras are features that a device lists).
#pragma once

#include "drawloom/core/id.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace dl::gpu
{

using BufferId = Id<struct BufferTag>;
using TextureId = Id<struct TextureTag>;
using TextureViewId = Id<struct TextureViewTag>;
using SamplerId = Id<struct SamplerTag>;
using ShaderModuleId = Id<struct ShaderModuleTag>;
using BindGroupLayoutId = Id<struct BindGroupLayoutTag>;
using BindGroupId = Id<struct BindGroupTag>;
using PipelineId = Id<struct PipelineTag>; ///< render or compute
using QuerySetId = Id<struct QuerySetTag>; ///< timestamps

enum class Format : std::uint8_t
{
    None,
    R8Unorm,
    R8Uint,
    RG8Unorm,
    RGBA8Unorm,
    RGBA8UnormSrgb,
    RGBA8Snorm,
    RGBA8Uint,
    BGRA8Unorm,
    BGRA8UnormSrgb,
    R16Uint,
    R16Float,
    RG16Float,
    RGBA16Float,
    RGBA16Uint,
    R32Uint,
    R32Float,
    RG32Uint,
    RG32Float,
    RGBA32Uint,
    RGBA32Float,
    RGB10A2Unorm,
    RG11B10Float,
    Depth16Unorm,
    Depth32Float,
    BC1RgbaUnorm,
    BC1RgbaUnormSrgb,
    BC3RgbaUnorm,
    BC3RgbaUnormSrgb,
    BC4RUnorm,
    BC5RgUnorm,
    BC6hRgbUfloat,
    BC7RgbaUnorm,
    BC7RgbaUnormSrgb,
};
constexpr std::uint32_t kFormatCount = static_cast<std::uint32_t>(Format::BC7RgbaUnormSrgb) + 1;

/// Bytes of one texel block (a texel for uncompressed formats) and the block's edge in texels (1 or 4).
struct FormatInfo
{
    std::string_view name; ///< WebGPU's spelling, "rgba8unorm-srgb"
    std::uint8_t blockBytes = 0;
    std::uint8_t blockTexels = 1;
    bool isDepth = false;
    bool isSrgb = false;
    bool isCompressed = false;
    bool isInteger = false;
    bool isFilterable = false;
};
const FormatInfo& formatInfo(Format format);
/// Bytes of one mip level (rows tightly packed in blocks) of `depthOrLayers` layers.
std::uint64_t textureLevelBytes(Format format, std::uint32_t width, std::uint32_t height, std::uint32_t depthOrLayers);
/// Levels of a full chain down to 1x1.
std::uint32_t fullMipCount(std::uint32_t width, std::uint32_t height);

enum class VertexFormat : std::uint8_t
{
    Float32x2,
    Float32x3,
    Float32x4,
    Unorm8x4,
    Snorm8x4,
    Uint8x4,
    Unorm16x2,
    Unorm16x4,
    Snorm16x2,
    Snorm16x4,
    Uint16x2,
    Uint16x4,
    Float16x2,
    Float16x4,
    Uint32,
    Uint32x2,
    Uint32x4,
    Sint32,
};
constexpr std::uint32_t kVertexFormatCount = static_cast<std::uint32_t>(VertexFormat::Sint32) + 1;
std::uint32_t vertexFormatBytes(VertexFormat format);
std::string_view toString(VertexFormat format);

enum class IndexFormat : std::uint8_t
{
    Uint16,
    Uint32
};

/// Bit set over an enum class; `|`, `&`, contains.
template <class E> struct Flags
{
    std::uint32_t bits = 0;
    constexpr Flags() = default;
    constexpr Flags(E flag) : bits(static_cast<std::uint32_t>(flag)) {}
    constexpr explicit Flags(std::uint32_t raw) : bits(raw) {}
    constexpr Flags operator|(Flags other) const { return Flags(bits | other.bits); }
    constexpr Flags operator&(Flags other) const { return Flags(bits & other.bits); }
    constexpr Flags& operator|=(Flags other)
    {
        bits |= other.bits;
        return *this;
    }
    constexpr bool contains(Flags other) const { return (bits & other.bits) == other.bits; }
    constexpr bool intersects(Flags other) const { return (bits & other.bits) != 0; }
    constexpr explicit operator bool() const { return bits != 0; }
    friend constexpr bool operator==(Flags, Flags) = default;
};

enum class BufferUsage : std::uint32_t
{
    CopySrc = 1,
    CopyDst = 2,
    Vertex = 4,
    Index = 8,
    Uniform = 16,
    Storage = 32,
    Indirect = 64,
    QueryResolve = 128,
};
enum class TextureUsage : std::uint32_t
{
    CopySrc = 1,
    CopyDst = 2,
    Sampled = 4,
    Storage = 8,
    ColorAttachment = 16,
    DepthAttachment = 32,
};
enum class ShaderStage : std::uint32_t
{
    Vertex = 1,
    Fragment = 2,
    Compute = 4
};
/// What a device can do beyond WebGPU's core.
enum class Feature : std::uint32_t
{
    TextureCompressionBc = 1,
    TimestampQuery = 2,
    IndirectFirstInstance = 4,
    MultiDrawIndirect = 8,
    MultiDrawIndirectCount = 16,
    Bindless = 32,
    Float32Filterable = 64,
};
/// How a range is used between two barriers. A write access excludes every other access of the range.
enum class Access : std::uint32_t
{
    None = 0, ///< content undefined (textures: discarded)
    IndirectRead = 1,
    IndexRead = 2,
    VertexRead = 4,
    UniformRead = 8,
    StorageRead = 16, ///< storage buffer or read-only storage texture, any stage
    SampledRead = 32, ///< sampled texture, any stage
    DepthRead = 64,   ///< read-only depth attachment (may be combined with SampledRead)
    CopyRead = 128,
    StorageWrite = 256, ///< read and write of storage
    ColorWrite = 512,   ///< colour or resolve attachment
    DepthWrite = 1024,  ///< depth attachment that is written
    CopyWrite = 2048,   ///< copies, clears, writeBuffer and writeTexture, query resolve
};
using BufferUsages = Flags<BufferUsage>;
using TextureUsages = Flags<TextureUsage>;
using ShaderStages = Flags<ShaderStage>;
using Features = Flags<Feature>;
using AccessFlags = Flags<Access>;

constexpr BufferUsages operator|(BufferUsage a, BufferUsage b)
{
    return BufferUsages(a) | b;
}
constexpr TextureUsages operator|(TextureUsage a, TextureUsage b)
{
    return TextureUsages(a) | b;
}
constexpr ShaderStages operator|(ShaderStage a, ShaderStage b)
{
    return ShaderStages(a) | b;
}
constexpr Features operator|(Feature a, Feature b)
{
    return Features(a) | b;
}
constexpr AccessFlags operator|(Access a, Access b)
{
    return AccessFlags(a) | b;
}

constexpr AccessFlags kWriteAccesses = AccessFlags(256U | 512U | 1024U | 2048U);
/// "ColorWrite|SampledRead" for messages; "None" for the empty set.
std::string toString(AccessFlags access);

enum class CompareOp : std::uint8_t
{
    Never,
    Less,
    Equal,
    LessEqual,
    Greater,
    NotEqual,
    GreaterEqual,
    Always
};
enum class CullMode : std::uint8_t
{
    None,
    Front,
    Back
};
enum class FrontFace : std::uint8_t
{
    CounterClockwise,
    Clockwise
};
enum class Topology : std::uint8_t
{
    TriangleList,
    TriangleStrip,
    LineList,
    PointList
};
enum class BlendFactor : std::uint8_t
{
    Zero,
    One,
    Src,
    OneMinusSrc,
    SrcAlpha,
    OneMinusSrcAlpha,
    Dst,
    OneMinusDst,
    DstAlpha,
    OneMinusDstAlpha
};
enum class BlendOp : std::uint8_t
{
    Add,
    Subtract,
    ReverseSubtract,
    Min,
    Max
};
enum class AddressMode : std::uint8_t
{
    Repeat,
    MirrorRepeat,
    ClampToEdge
};
enum class Filter : std::uint8_t
{
    Nearest,
    Linear
};
enum class LoadOp : std::uint8_t
{
    Load,
    Clear
}; ///< Clear also stands for "do not care", as in WebGPU
enum class StoreOp : std::uint8_t
{
    Store,
    Discard
};
enum class TextureDimension : std::uint8_t
{
    D2,
    D2Array,
    Cube,
    D3
};
enum class TextureAspect : std::uint8_t
{
    All,
    DepthOnly
};

/// A driver's hard limits; the defaults are what WebGPU guarantees here.
struct Limits
{
    std::uint32_t maxTextureSize = 8192;
    std::uint32_t maxTextureLayers = 256;
    std::uint64_t maxBufferBytes = 256ULL << 20U;
    std::uint64_t maxStorageBindingBytes = 128ULL << 20U;
    std::uint32_t maxUniformBindingBytes = 64U << 10U;
    std::uint32_t maxSampledTexturesPerStage = 16;
    std::uint32_t maxSamplersPerStage = 16;
    std::uint32_t maxStorageBuffersPerStage = 8;
    std::uint32_t maxVertexBuffers = 8;
    std::uint32_t maxColorAttachments = 8;
    std::uint32_t minUniformOffsetAlignment = 256;
    std::uint32_t minStorageOffsetAlignment = 256;
    std::uint32_t maxComputeWorkgroupSize = 256;
    std::uint32_t maxComputeWorkgroupsPerDimension = 65535;
    std::uint32_t maxBindGroups = 4;
};

} // namespace dl::gpu
