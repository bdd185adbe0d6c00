// tests/render/hdr_readback.h - reads the linear HDR colour of a frame, before the tone map, as floats. A feature like any user's.
#pragma once

#include "drawloom/render/renderer.h"

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace dl::test
{

inline float halfToFloat(std::uint16_t half)
{
    const std::uint32_t sign = std::uint32_t(half & 0x8000U) << 16U, exponent = (half >> 10U) & 31U, mantissa = half & 0x3FFU;
    if (exponent == 0)
        return std::ldexp(static_cast<float>(mantissa), -24) * (sign != 0 ? -1.0f : 1.0f);
    const std::uint32_t bits = sign | (exponent == 31 ? 0x7F800000U : (exponent + 112U) << 23U) | mantissa << 13U;
    float value = 0.0f;
    std::memcpy(&value, &bits, sizeof(value));
    return value;
}

/// Every frame is read while it is among the renderer's features; `at` answers once Renderer::finish has polled. Dies before the renderer.
class HdrReadback final : public RenderFeature
{
public:
    HdrReadback(gpu::Device& device, Renderer& renderer) : m_device(device), m_renderer(renderer) { renderer.addFeature(*this); }
    HdrReadback(const HdrReadback&) = delete;
    HdrReadback& operator=(const HdrReadback&) = delete;
    ~HdrReadback() override
    {
        m_renderer.removeFeature(*this);
        if (m_buffer)
            m_device.destroy(m_buffer);
    }

    Result<void> addPasses(FramePoint point, FrameBoard& board) override
    {
        if (point != FramePoint::BeforeTonemap)
            return {};
        m_width = board.width;
        m_height = board.height;
        m_bytesPerRow = (m_width * kTexelBytes + 255U) / 256U * 256U;
        const std::uint64_t bytes = std::uint64_t(m_bytesPerRow) * m_height;
        if (!m_buffer)
        {
            DL_TRY_ASSIGN(m_buffer,
                m_device.createBuffer({.label = "hdr", .bytes = bytes, .usage = gpu::BufferUsage::CopyDst | gpu::BufferUsage::CopySrc}));
        }
        graph::BufferHandle target = board.graph.importBuffer({.label = "hdr",
            .buffer = m_buffer,
            .bytes = bytes,
            .initial = m_isUsed ? gpu::AccessFlags(gpu::Access::CopyRead) : gpu::AccessFlags(),
            .final = gpu::Access::CopyRead});
        m_isUsed = true;
        graph::PassBuilder copy = board.graph.addCopyPass("copy hdr");
        copy.read(board.color, gpu::Access::CopyRead);
        target = copy.write(target, gpu::Access::CopyWrite, graph::Previous::Discard);
        copy.execute(
            [this, color = board.color](graph::PassContext& context)
            {
                context.stream().copyTextureToBuffer({.region = {.texture = context.texture(color), .width = m_width, .height = m_height},
                    .buffer = m_buffer,
                    .bytesPerRow = m_bytesPerRow,
                    .rowsPerLayer = m_height});
            });
        graph::PassBuilder read = board.graph.addCopyPass("read hdr");
        read.read(target, gpu::Access::CopyRead);
        read.sideEffects();
        read.execute([this, bytes](graph::PassContext& context) { context.stream().readbackBuffer(m_buffer, 0, bytes, kToken); });
        return {};
    }
    void onCompletion(const gpu::Completion& completion) override
    {
        if (completion.kind == gpu::CompletionKind::Readback && completion.token == kToken)
            m_bytes = completion.bytes;
    }

    bool hasPicture() const { return !m_bytes.empty(); }
    /// Linear radiance and alpha at a texel of the last frame that arrived.
    vec4 at(std::uint32_t x, std::uint32_t y) const
    {
        std::uint16_t halves[4] = {};
        std::memcpy(halves, m_bytes.data() + std::size_t(y) * m_bytesPerRow + std::size_t(x) * kTexelBytes, kTexelBytes);
        return {halfToFloat(halves[0]), halfToFloat(halves[1]), halfToFloat(halves[2]), halfToFloat(halves[3])};
    }

private:
    static constexpr std::uint32_t kTexelBytes = 8;
    static constexpr std::uint64_t kToken = 0x4844520000000001ULL; // "HDR"

    gpu::Device& m_device;
    Renderer& m_renderer;
    gpu::BufferId m_buffer;
    bool m_isUsed = false;
    std::uint32_t m_width = 0, m_height = 0, m_bytesPerRow = 0;
    std::vector<std::byte> m_bytes;
};

} // namespace dl::test
