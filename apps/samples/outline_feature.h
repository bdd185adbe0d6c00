// apps/samples/outline_feature.h - a mesh pass of a user's own: selected opaque objects go into a mask, and a fullscreen pass
// draws a line around them over the finished picture.
#pragma once

#include "drawloom/render/fullscreen_pass.h"
#include "drawloom/render/renderer.h"

#include <memory>

namespace dl::samples
{

class OutlineFeature final : public RenderFeature
{
public:
    /// `shaders` holds "mask" and "outline" and outlives the renderer.
    static Result<std::unique_ptr<OutlineFeature>> create(gpu::Device& device, Renderer& renderer, const gpu::ShaderArchive& shaders);

    Result<void> addPasses(FramePoint point, FrameBoard& board) override;
    void onCompletion(const gpu::Completion& completion) override { m_outline.onCompletion(completion); }
    bool isReady() const override { return m_outline.isReady(); }

private:
    MeshPassId m_mask;
    FullscreenPass m_outline;
};

} // namespace dl::samples
