// apps/samples/outline_feature.h - a mesh pass of a user's own: selected opaque objects go into a mask, and a fullscreen pass
// draws a line around them over the finished picture.
#pragma once

#include "drawloom/render/fullscreen_pass.h"
#include "drawloom/render/renderer.h"

#include <memory>

namespace dl::samples
{

/// Which part of a selected object counts, by a test against the depth of the opaque and masked surfaces.
enum class OutlinePart : std::uint8_t
{
    Visible,  ///< pass "mask", an orange line
    Occluded, ///< pass "mask occluded", a blue one
};

/// How objects are selected. Both give the same picture; docs/extending/mesh_pass.md has the costs.
enum class OutlineSelection : std::uint8_t
{
    Flag, ///< BatchFlag::Selected: the pass's filter takes those batches alone
    Mark, ///< SceneRegistry::mark: the pass takes every opaque batch, its shader drops what is not marked
};

struct OutlineSettings
{
    OutlinePart part = OutlinePart::Visible;
    OutlineSelection selection = OutlineSelection::Flag;
    std::uint32_t sampleCount = 1; ///< RendererSettings::sampleCount
};

/// One feature a part; both parts may be added. Draws nothing in debug views.
class OutlineFeature final : public RenderFeature
{
public:
    /// `shaders` holds the entries of shaders.json and outlives the renderer.
    static Result<std::unique_ptr<OutlineFeature>> create(
        gpu::Device& device, Renderer& renderer, const gpu::ShaderArchive& shaders, const OutlineSettings& settings = {});

    Result<void> addPasses(FramePoint point, FrameBoard& board) override;
    void onCompletion(const gpu::Completion& completion) override { m_outline.onCompletion(completion); }
    bool isReady() const override { return m_outline.isReady(); }

private:
    graph::TextureHandle drawMask(FrameBoard& board) const;

    OutlineSettings m_settings;
    MeshPassId m_meshPass;
    FullscreenPass m_outline;
    graph::TextureHandle m_mask; ///< of the frame that is declared
};

} // namespace dl::samples
