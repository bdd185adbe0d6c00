// drawloom/gpu/detail/content_store.h - bytes of buffers and textures on the CPU, and the copies between them. The null
// device plays copies on it; captures follow what a stream writes with it.
#pragma once

#include "drawloom/gpu/command_stream.h"
#include "drawloom/gpu/descs.h"
#include "drawloom/gpu/detail/id_map.h"

#include <array>

namespace dl::gpu
{

constexpr std::uint32_t kMaxMipCount = 16;

/// Where each mip of a texture lies in one block of bytes, mips one behind the other, rows and slices tightly packed.
struct TextureShape
{
    Format format = Format::None;
    bool isVolume = false;
    std::uint32_t width = 0, height = 0, depthOrLayers = 0, mipCount = 0;

    static TextureShape of(const TextureDesc& desc);
    std::uint32_t mipWidth(std::uint32_t mip) const;
    std::uint32_t mipHeight(std::uint32_t mip) const;
    /// Layers, or the depth of this mip.
    std::uint32_t sliceCount(std::uint32_t mip) const;
    std::uint64_t sliceBytes(std::uint32_t mip) const;
    std::uint64_t mipBytes(std::uint32_t mip) const { return sliceBytes(mip) * sliceCount(mip); }
    std::uint64_t mipOffset(std::uint32_t mip) const;
    std::uint64_t totalBytes() const { return mipOffset(mipCount); }
    /// Inside the mip; whole blocks but at the mip's edge.
    bool contains(const TextureRegion& region) const;
};

/// A region's rows in linear memory.
struct LinearLayout
{
    std::uint64_t bytesPerRow = 0, rowsPerSlice = 0;
    /// Bytes from the first to the last used one.
    std::uint64_t requiredBytes(const TextureShape& shape, const TextureRegion& region) const;
};

/// Content is allocated at the first write (zeros before). Commands that reach outside their objects do nothing.
class ContentStore
{
public:
    void addBuffer(BufferId id, std::uint64_t bytes) { m_buffers.insert(id, {.bytes = bytes}); }
    void addTexture(TextureId id, const TextureDesc& desc) { m_textures.insert(id, {.shape = TextureShape::of(desc)}); }
    void remove(BufferId id) { m_buffers.erase(id); }
    void remove(TextureId id) { m_textures.erase(id); }

    /// Plays writes, copies and clears; ignores all else. False if it reached outside an object.
    bool execute(const CommandView& view);
    /// Empty while never written.
    std::span<const std::byte> bufferContent(BufferId id) const;
    std::span<const std::byte> textureContent(TextureId id) const;
    const TextureShape* textureShape(TextureId id) const;
    /// The buffer's bytes for writing; empty if the range lies outside.
    std::span<std::byte> writableRange(BufferId id, std::uint64_t offset, std::uint64_t bytes) { return range(id, offset, bytes, true); }
    /// Appends the range, zeros where never written. False if outside.
    bool readRange(BufferId id, std::uint64_t offset, std::uint64_t bytes, std::vector<std::byte>& out) const;

private:
    struct BufferContent
    {
        std::uint64_t bytes = 0;
        std::vector<std::byte> content; ///< allocated by reads as well
        bool isWritten = false;
    };
    struct TextureContent
    {
        TextureShape shape;
        std::vector<std::byte> content;
        bool isWritten = false;
    };
    std::span<std::byte> range(BufferId id, std::uint64_t offset, std::uint64_t bytes, bool isWriting);
    std::span<std::byte> allTexels(TextureId id, bool isWriting);
    bool writeTexture(const TextureRegion& region, LinearLayout layout, std::span<const std::byte> data);
    bool copyTextureToBuffer(const CopyBufferTextureCmd& cmd);
    bool copyBufferToTexture(const CopyBufferTextureCmd& cmd);
    bool copyTexture(const CopyTextureToTextureCmd& cmd);

    IdMap<BufferId, BufferContent> m_buffers;
    IdMap<TextureId, TextureContent> m_textures;
    std::vector<std::byte> m_scratch;
};

} // namespace dl::gpu
