// drawloom/render/fullscreen_passes.h - passes that draw one triangle over the picture: the procedural sky behind everything
// and the tone map (Khronos PBR Neutral) at the end.
#pragma once

#include "drawloom/gpu/shader_archive.h"
#include "drawloom/render/frame_board.h"

namespace dl
{

class FullscreenPasses
{
public:
    /// NotFound: the archive lacks an entry. Both references outlive the object.
    static Result<FullscreenPasses> create(gpu::Device& device, GpuResources& resources, const gpu::ShaderArchive& archive);

    /// To be called with every completion that the device polled.
    void onCompletion(const gpu::Completion& completion);
    bool isReady() const { return m_pendingCount == 0; }
    /// What a failed pipeline said, or empty.
    const std::string& failure() const { return m_failure; }

    /// Fills `board.color` where depth is far.
    void addSky(FrameBoard& board) const;
    /// From `board.color` into `board.picture`.
    void addTonemap(FrameBoard& board) const;

private:
    gpu::BindGroupLayoutId m_tonemapLayout;
    gpu::PipelineId m_sky, m_tonemap;
    std::uint32_t m_pendingCount = 0;
    std::string m_failure;
};

} // namespace dl
