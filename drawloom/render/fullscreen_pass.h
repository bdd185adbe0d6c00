// drawloom/render/fullscreen_pass.h - a pass that draws one triangle over a picture: post effects of users, the library's sky
// and tone map. The shader imports drawloom/render/shaders/fullscreen.wgsl and adds fs_main.
#pragma once

#include "drawloom/gpu/owned.h"
#include "drawloom/gpu/shader_archive.h"
#include "drawloom/render/frame_board.h"

#include <span>
#include <string>
#include <string_view>

namespace dl
{

struct FullscreenPassDesc
{
    std::string_view name;         ///< the shader entry's, and the pass's in graph and statistics
    gpu::ColorTargetState target;  ///< format and blending
    gpu::DepthState depth;         ///< none: no depth attachment; never written
    std::uint32_t sampleCount = 1; ///< of target and depth: FrameBoard::sampleCount for `color` before FramePoint::BeforeTonemap
};

class FullscreenPass
{
public:
    /// Group 1 is what the shader declares there: textures only, as inputs of `add`. NotFound: the archive lacks the entry;
    /// Unsupported: group 1 holds something else. Archive, device and resources outlive the pass.
    static Result<FullscreenPass> create(
        gpu::Device& device, GpuResources& resources, const gpu::ShaderArchive& archive, const FullscreenPassDesc& desc);

    /// To be called with every completion that the device polled (RenderFeature::onCompletion).
    void onCompletion(const gpu::Completion& completion);
    /// Until then `add` must not be called.
    bool isReady() const { return m_isReady; }
    /// What a failed pipeline said, or empty.
    const std::string& failure() const { return m_failure; }

    /// Adds the pass: draws over `target` and returns its next version. `inputs` are group 1's textures, in the order of their
    /// bindings. Load keeps what the shader does not write. `depth`: tested against; none: the frame's.
    /// A target of other samples than the pass's, or a multisampled input, fails the frame with both names.
    [[nodiscard]] graph::TextureHandle add(FrameBoard& board, graph::TextureHandle target,
        std::span<const graph::TextureHandle> inputs = {}, gpu::LoadOp load = gpu::LoadOp::Load, graph::TextureHandle depth = {}) const;

private:
    static constexpr std::uint32_t kMaxInputCount = 5;

    std::string_view m_name; ///< in the archive
    gpu::Owned<gpu::ShaderModuleId> m_module;
    gpu::Owned<gpu::BindGroupLayoutId> m_inputLayout;
    gpu::Owned<gpu::PipelineId> m_pipeline;
    std::array<std::uint32_t, kMaxInputCount> m_bindings = {};
    std::uint32_t m_inputCount = 0;
    bool m_hasDepth = false;
    std::uint32_t m_sampleCount = 1;
    bool m_isReady = false;
    std::string m_failure;
};

} // namespace dl
