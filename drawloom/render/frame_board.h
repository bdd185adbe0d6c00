// drawloom/render/frame_board.h - what the passes of one frame share while they are declared: the graph, the targets, the
// draws. The standard passes and users' features add passes through it.
#pragma once

#include "drawloom/draw/draw_frame.h"
#include "drawloom/graph/render_graph.h"
#include "drawloom/render/lighting.h"
#include "drawloom/resource/gpu_resources.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dl
{

/// Where in the frame a feature may add passes. Order among the passes of one point: order of declaration.
enum class FramePoint : std::uint8_t
{
    BeforeDepth,   ///< targets exist, nothing is drawn; shadow maps and the like
    AfterDepth,    ///< `depth` holds the opaque and masked surfaces
    AfterOpaque,   ///< `color` (HDR) holds opaque, masked and sky
    BeforeTonemap, ///< `color` holds the blended surfaces too, and is of single samples in multisampled frames as well
    AfterTonemap,  ///< `picture` is what the user will see
};

/// Valid while the frame is declared; handles are the latest versions, update them after a write.
struct FrameBoard
{
    graph::RenderGraph& graph;
    DrawFrame& draws;
    GpuResources& resources;
    const ViewSet& views;
    std::uint32_t width = 0, height = 0;
    std::uint32_t sampleCount = 1;           ///< of `depth`, and of `color` until FramePoint::BeforeTonemap, which has it resolved
    graph::TextureHandle color;              ///< kHdrFormat; none in debug views
    graph::TextureHandle depth;              ///< kDepthFormat
    graph::TextureHandle picture;            ///< kPictureFormat
    graph::TextureHandle environmentPicture; ///< equirectangular, RGBA16Float with mips (render/environment_image.h)
    graph::TextureHandle velocity;           ///< kVelocityFormat, from AfterDepth on; none unless the frame asked for it
    graph::BufferHandle deform;              ///< vertices of deformed instances; none when there are none
    graph::BufferHandle previousDeform;      ///< those of the frame before; none unless the frame has velocity
    const Lighting& lighting;
    LightingTextures lightingTextures;                 ///< neutral ones are filled in after FramePoint::BeforeDepth; none in debug views
    std::uint32_t viewUniformOffset = 0;               ///< of view 0, the main camera
    std::span<const std::uint32_t> viewUniformOffsets; ///< of every view
    /// Passes that draw one triangle (FullscreenPass adds itself), for the statistics.
    std::vector<std::string_view>& fullscreenPasses;

    /// Makes `pass` (its attachments declared) record the draws of a mesh pass for a view, with the pass's own group 1 (none: it has none).
    void drawMeshes(graph::RasterPassBuilder& pass, MeshPassId meshPass, std::uint32_t viewIndex = 0, gpu::BindGroupId passGroup = {});
    /// The same for a mesh pass whose shaders import lighting.wgsl (MeshPassDesc::passLayout is Lighting::layout). After
    /// FramePoint::BeforeDepth, not in debug views.
    void drawLitMeshes(graph::RasterPassBuilder& pass, MeshPassId meshPass, std::uint32_t viewIndex = 0);

private:
    void declareReads(graph::RasterPassBuilder& pass, MeshPassId meshPass) const;
};

/// What a pass says whose pipelines have `own` samples and whose attachments have `targets`; `setting` would have to change.
std::string sampleCountText(std::uint32_t own, std::uint32_t targets, std::string_view setting);

/// A user's part of the frame: its passes join the graph at the points it names. Owned by the user, outlives the renderer
/// or is removed from it.
class RenderFeature
{
public:
    virtual ~RenderFeature() = default;
    /// Called once per frame and point (debug views: BeforeDepth and AfterTonemap alone), on the renderer's thread. An error fails the
    /// frame.
    virtual Result<void> addPasses(FramePoint point, FrameBoard& board) = 0;
    /// Called with everything that the device reported: pipelines of the feature's own, readbacks.
    virtual void onCompletion(const gpu::Completion& /*completion*/) {}
    /// False while the feature waits for something; Renderer::isSettled waits for it.
    virtual bool isReady() const { return true; }
};

} // namespace dl
