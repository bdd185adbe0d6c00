#include "drawloom/render/render_target.h"

#include <cstring>

namespace dl
{
namespace
{

std::size_t paddedRowBytes(std::size_t rowBytes)
{
    constexpr std::size_t kCopyRowAlignment = 256; // WebGPU's rule for texture-to-buffer copies
    return (rowBytes + kCopyRowAlignment - 1) / kCopyRowAlignment * kCopyRowAlignment;
}

} // namespace

std::optional<std::vector<std::byte>> unpadRows(std::span<const std::byte> bytes, std::size_t rowBytes, std::uint32_t rowCount)
{
    const std::size_t padded = paddedRowBytes(rowBytes);
    if (bytes.size() < padded * rowCount)
        return std::nullopt;
    std::vector<std::byte> packed(rowBytes * rowCount);
    for (std::uint32_t row = 0; row < rowCount; ++row)
        std::memcpy(packed.data() + row * rowBytes, bytes.data() + row * padded, rowBytes);
    return packed;
}

Result<RenderTarget> RenderTarget::create(
    gpu::Device& device, std::string_view label, gpu::Format format, std::uint32_t width, std::uint32_t height, std::uint64_t token)
{
    RenderTarget target;
    target.m_format = format;
    target.m_width = width;
    target.m_height = height;
    target.m_bytesPerRow = static_cast<std::uint32_t>(paddedRowBytes(std::size_t(width) * gpu::formatInfo(format).blockBytes));
    target.m_textureBytes = gpu::textureLevelBytes(format, width, height, 1);
    target.m_token = token;
    DL_TRY_ASSIGN(
        target.m_texture, device.createTexture({.label = label,
                              .format = format,
                              .width = width,
                              .height = height,
                              .usage = gpu::TextureUsage::ColorAttachment | gpu::TextureUsage::CopySrc | gpu::TextureUsage::Sampled}));
    Result<gpu::BufferId> buffer = device.createBuffer({.label = label,
        .bytes = std::uint64_t(target.m_bytesPerRow) * height,
        .usage = gpu::BufferUsage::CopyDst | gpu::BufferUsage::CopySrc});
    if (!buffer)
    {
        device.destroy(target.m_texture);
        return std::move(buffer).error();
    }
    target.m_buffer = *buffer;
    return target;
}

void RenderTarget::destroy(gpu::Device& device)
{
    if (m_texture)
        device.destroy(m_texture);
    if (m_buffer)
        device.destroy(m_buffer);
    *this = {};
}

graph::TextureHandle RenderTarget::import(graph::RenderGraph& graph, std::string_view label)
{
    return graph.importTexture({.label = label,
        .texture = m_texture,
        .format = m_format,
        .width = m_width,
        .height = m_height,
        .initial = m_use.access,
        .final = gpu::Access::CopyRead});
}

void RenderTarget::readBack(gpu::CommandStream& stream)
{
    const gpu::BufferBarrier toWrite{
        m_buffer, m_use.isBufferUsed ? gpu::AccessFlags(gpu::Access::CopyRead) : gpu::AccessFlags(), gpu::Access::CopyWrite};
    stream.barriers({}, std::span(&toWrite, 1));
    stream.copyTextureToBuffer({.region = {.texture = m_texture, .width = m_width, .height = m_height},
        .buffer = m_buffer,
        .offset = 0,
        .bytesPerRow = m_bytesPerRow,
        .rowsPerLayer = m_height});
    const gpu::BufferBarrier toRead{m_buffer, gpu::Access::CopyWrite, gpu::Access::CopyRead};
    stream.barriers({}, std::span(&toRead, 1));
    stream.readbackBuffer(m_buffer, 0, std::uint64_t(m_bytesPerRow) * m_height, m_token);
    m_use.isBufferUsed = true;
}

void RenderTarget::onCompletion(const gpu::Completion& completion)
{
    if (completion.kind == gpu::CompletionKind::Readback && completion.token == m_token)
        m_bytes = completion.bytes;
}

std::optional<std::vector<std::byte>> RenderTarget::takeBytes()
{
    if (m_bytes.empty())
        return std::nullopt;
    const std::vector<std::byte> bytes = std::move(m_bytes);
    m_bytes.clear();
    return unpadRows(bytes, std::size_t(m_width) * gpu::formatInfo(m_format).blockBytes, m_height);
}

} // namespace dl
