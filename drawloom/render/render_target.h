// drawloom/render/render_target.h - a texture that outlives frames (the picture, the object ids), its place in the barrier
// model, and its way back to the CPU. Used by the renderer.
#pragma once

#include "drawloom/graph/render_graph.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace dl
{

/// Rows of `rowBytes` from rows padded to 256 bytes, as texture-to-buffer copies have them; nothing if bytes are missing.
std::optional<std::vector<std::byte>> unpadRows(std::span<const std::byte> bytes, std::size_t rowBytes, std::uint32_t rowCount);

class RenderTarget
{
public:
    RenderTarget() = default;
    /// `token` marks its readbacks.
    static Result<RenderTarget> create(
        gpu::Device& device, std::string_view label, gpu::Format format, std::uint32_t width, std::uint32_t height, std::uint64_t token);
    /// Destroys texture and buffer.
    void destroy(gpu::Device& device);

    /// The graph leaves it as CopyRead.
    graph::TextureHandle import(graph::RenderGraph& graph, std::string_view label);
    /// After execute of a graph that wrote it.
    void setWritten() { m_use.access = gpu::Access::CopyRead; }
    /// What recorded streams did last; set back to an earlier value when a stream was not submitted.
    struct Use
    {
        gpu::AccessFlags access;
        bool isBufferUsed = false;
    };
    const Use& use() const { return m_use; }
    void setUse(const Use& use) { m_use = use; }
    /// Appends the copy and the readback; `takeBytes` has them once the completion was polled.
    void readBack(gpu::CommandStream& stream);
    void onCompletion(const gpu::Completion& completion);
    /// Rows tightly packed; nothing while no readback has arrived.
    std::optional<std::vector<std::byte>> takeBytes();

    gpu::TextureId texture() const { return m_texture; }
    std::uint64_t bytes() const { return m_textureBytes; }

private:
    gpu::Format m_format = gpu::Format::None;
    std::uint32_t m_width = 0, m_height = 0, m_bytesPerRow = 0;
    std::uint64_t m_textureBytes = 0;
    gpu::TextureId m_texture;
    gpu::BufferId m_buffer; ///< made by the first readback
    Use m_use;
    std::uint64_t m_token = 0;
    std::vector<std::byte> m_bytes;
};

} // namespace dl
