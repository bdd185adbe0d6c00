#include "outline_feature.h"

#include "drawloom/render/standard_passes.h"

namespace dl::samples
{

constexpr gpu::Format kMaskFormat = gpu::Format::R8Unorm;

Result<std::unique_ptr<OutlineFeature>> OutlineFeature::create(gpu::Device& device, Renderer& renderer, const gpu::ShaderArchive& shaders)
{
    MeshPassDesc mask;
    mask.name = "mask";
    mask.opaque = {"mask", StreamSet::Position}; // masked and blended materials have no shader here: refused
    mask.filter = acceptSelectedBatches;
    mask.colorTargets = {{.format = kMaskFormat}};
    auto feature = std::make_unique<OutlineFeature>();
    renderer.library().addArchive(shaders);
    DL_TRY_ASSIGN(feature->m_mask, renderer.library().addPass(mask));
    const FullscreenPassDesc outline{.name = "outline", .target = {.format = kPictureFormat}, .depth = {}};
    DL_TRY_ASSIGN(feature->m_outline, FullscreenPass::create(device, renderer.resources(), shaders, outline));
    return feature;
}

Result<void> OutlineFeature::addPasses(FramePoint point, FrameBoard& board)
{
    if (point != FramePoint::AfterTonemap || !isReady())
        return {};
    const auto size = graph::GraphSize::absolute(board.width, board.height);
    graph::TextureHandle mask = board.graph.createTexture({.label = "mask", .format = kMaskFormat, .size = size});
    graph::RasterPassBuilder pass = board.graph.addRasterPass("mask"); // the mesh pass's name: statistics find it
    mask = pass.color(0, mask);                                        // cleared to 0
    board.drawMeshes(pass, m_mask);
    board.picture = m_outline.add(board, board.picture, std::span(&mask, 1));
    return {};
}

} // namespace dl::samples
