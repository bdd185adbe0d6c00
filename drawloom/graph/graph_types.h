// drawloom/graph/graph_types.h - handles and descriptions of the render graph's resources, attachments and reports.
#pragma once

#include "drawloom/gpu/descs.h"
#include "drawloom/graph/plan.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace dl::graph
{

/// Names one version of one texture of one frame of one graph; zero-initialised means none. A write returns the next
/// version and the old handle is dead; handles of other graphs and frames are detected.
struct TextureHandle
{
    std::uint32_t index = 0, version = 0;
    std::uint64_t frameStamp = 0; ///< unique over all graphs and frames of the process
    explicit operator bool() const { return frameStamp != 0; }
    friend bool operator==(const TextureHandle&, const TextureHandle&) = default;
};
/// The same for buffers.
struct BufferHandle
{
    std::uint32_t index = 0, version = 0;
    std::uint64_t frameStamp = 0;
    explicit operator bool() const { return frameStamp != 0; }
    friend bool operator==(const BufferHandle&, const BufferHandle&) = default;
};

/// In texels, or a multiple of another texture's mip 0, rounded up, at least 1.
struct GraphSize
{
    std::uint32_t width = 0, height = 0; ///< absolute when relativeTo is none
    TextureHandle relativeTo;            ///< any version of it
    float scale = 1.0f;

    static GraphSize absolute(std::uint32_t width, std::uint32_t height) { return {width, height, {}, 1.0f}; }
    static GraphSize relative(TextureHandle to, float scale = 1.0f) { return {0, 0, to, scale}; }
};

constexpr std::uint32_t kFullMipChain = 0;

/// A transient: made by the graph, content undefined until a pass writes it. Usage flags follow from the passes that are
/// kept.
struct GraphTextureDesc
{
    std::string_view label; ///< copied
    gpu::Format format = gpu::Format::RGBA8Unorm;
    GraphSize size;
    gpu::TextureDimension dimension = gpu::TextureDimension::D2;
    std::uint32_t depthOrLayers = 1;
    std::uint32_t mipCount = 1; ///< or kFullMipChain
    std::uint32_t sampleCount = 1;
    gpu::TextureUsages extraUsage; ///< what a callback needs beyond its declared accesses; rarely anything
};
struct GraphBufferDesc
{
    std::string_view label;
    std::uint64_t bytes = 0;
    gpu::BufferUsages extraUsage; ///< QueryResolve, for one
};

/// The caller's texture for one frame. Its content is valid; what is written to it counts as used by someone.
struct ImportedTextureDesc
{
    std::string_view label;
    gpu::TextureId texture;
    gpu::TextureViewId view; ///< of the whole texture, if the caller has one; else the graph makes views
    gpu::Format format = gpu::Format::RGBA8Unorm;
    gpu::TextureDimension dimension = gpu::TextureDimension::D2;
    std::uint32_t width = 1, height = 1, depthOrLayers = 1, mipCount = 1, sampleCount = 1;
    gpu::AccessFlags initial; ///< how it was used last (all of it); None: content undefined, must be written first
    gpu::AccessFlags final;   ///< how the graph leaves it (all of it); None: as the last pass used it
};
struct ImportedBufferDesc
{
    std::string_view label;
    gpu::BufferId buffer;
    std::uint64_t bytes = 0;
    gpu::AccessFlags initial, final;
};

/// What a write does with what the range held before.
enum class Previous : std::uint8_t
{
    Keep,    ///< the pass changes a part: earlier writers stay needed
    Discard, ///< the pass writes all of it: earlier writers may be culled
};

struct ColorTarget
{
    gpu::LoadOp load = gpu::LoadOp::Clear;
    float clear[4] = {0, 0, 0, 0};
    std::uint32_t mip = 0, layer = 0;
};
struct DepthTarget
{
    gpu::LoadOp load = gpu::LoadOp::Clear;
    float clear = 0.0f; ///< reversed depth: 0 is far
    std::uint32_t mip = 0, layer = 0;
};

/// A view of a texture inside a pass. The range must lie in what the pass declared; the default is the range of the first
/// access to this texture that the pass declared.
struct PassViewDesc
{
    SubresourceRange range;
    std::optional<gpu::TextureDimension> dimension; ///< none: the texture's for all of its layers, else D2
    gpu::TextureAspect aspect = gpu::TextureAspect::All;
    gpu::Format format = gpu::Format::None; ///< None: the texture's; else its sRGB or linear twin
};

/// A transient whose content outlives its frame; owned by the graph until releaseExtracted.
struct ExtractedTexture
{
    gpu::TextureId texture;
    gpu::TextureDesc desc;   ///< without a label
    gpu::AccessFlags access; ///< state it was left in
};

/// One declared pass, for reports; the name is valid until the next beginFrame.
struct PassReport
{
    std::string_view name;
    PassKind kind = PassKind::Raster;
    bool isCulled = false;
    CullReason cullReason = CullReason::None;
    std::string_view culledBy; ///< name of the culled pass that would have read its output
    std::uint32_t textureBarrierCount = 0, bufferBarrierCount = 0;
    std::uint32_t beginQuery = kNoIndex, endQuery = kNoIndex; ///< timestamps, where execute was given a query set
};

struct GraphStats
{
    // Of this frame.
    std::uint32_t passCount = 0, culledPassCount = 0;
    std::uint32_t textureBarrierCount = 0, bufferBarrierCount = 0; ///< as recorded
    std::uint64_t transientBytes = 0, transientBytesWithoutAliasing = 0;
    std::uint64_t pooledBytes = 0; ///< all objects that the pool keeps
    bool isPlanReused = false;
    // Since the graph was created.
    std::uint64_t texturesCreated = 0, buffersCreated = 0, viewsCreated = 0, bindGroupsCreated = 0;
    std::uint64_t plansMade = 0;
};

std::string_view toString(PassKind kind);
std::string_view toString(CullReason reason);

} // namespace dl::graph
