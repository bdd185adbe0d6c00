#include "outline_feature.h"

#include "drawloom/render/standard_passes.h"

namespace dl::samples
{
namespace
{

constexpr gpu::Format kMaskFormat = gpu::Format::R8Unorm;

const char* maskName(OutlinePart part)
{
    return part == OutlinePart::Visible ? "mask" : "mask occluded";
}

MeshPassDesc maskPass(const OutlineSettings& settings)
{
    const bool isMarked = settings.selection == OutlineSelection::Mark, isVisible = settings.part == OutlinePart::Visible;
    MeshPassDesc mask;
    mask.name = maskName(settings.part);
    mask.opaque = {isMarked ? "mask_marked" : "mask", StreamSet::Position}; // masked and blended materials have no shader here: refused
    mask.filter = isMarked ? acceptAllBatches : acceptSelectedBatches;
    mask.colorTargets = {{.format = kMaskFormat}};
    // Depth is reversed, and equal to the bit where the object is what is seen: each sample passes one of the two tests.
    mask.depth = {.format = kDepthFormat, .compare = isVisible ? gpu::CompareOp::GreaterEqual : gpu::CompareOp::Less};
    mask.sampleCount = settings.sampleCount;
    return mask;
}

} // namespace

Result<std::unique_ptr<OutlineFeature>> OutlineFeature::create(
    gpu::Device& device, Renderer& renderer, const gpu::ShaderArchive& shaders, const OutlineSettings& settings)
{
    auto feature = std::make_unique<OutlineFeature>();
    feature->m_settings = settings;
    renderer.library().addArchive(shaders);
    DL_TRY_ASSIGN(feature->m_meshPass, renderer.library().addPass(maskPass(settings)));
    const char* const entry = settings.part == OutlinePart::Visible ? "outline" : "outline_occluded";
    const FullscreenPassDesc outline{.name = entry, .target = {.format = kPictureFormat}, .depth = {}};
    DL_TRY_ASSIGN(feature->m_outline, FullscreenPass::create(device, renderer.resources(), shaders, outline));
    return feature;
}

Result<void> OutlineFeature::addPasses(FramePoint point, FrameBoard& board)
{
    if (point == FramePoint::BeforeDepth)
        m_mask = {}; // debug views draw none
    if (point == FramePoint::AfterOpaque && isReady())
        m_mask = drawMask(board);
    if (point == FramePoint::AfterTonemap && m_mask)
        board.picture = m_outline.add(board, board.picture, std::span(&m_mask, 1));
    return {};
}

graph::TextureHandle OutlineFeature::drawMask(FrameBoard& board) const
{
    graph::GraphTextureDesc desc{
        .label = maskName(m_settings.part), .format = kMaskFormat, .size = graph::GraphSize::absolute(board.width, board.height)};
    graph::TextureHandle mask = board.graph.createTexture(desc);
    graph::RasterPassBuilder pass = board.graph.addRasterPass(desc.label); // the mesh pass's name: statistics find it
    if (m_settings.sampleCount == 1)
    {
        mask = pass.color(0, mask); // cleared to 0
    }
    else // as many samples as the depth has; covered in part is covered
    {
        desc.sampleCount = m_settings.sampleCount;
        static_cast<void>(pass.color(0, board.graph.createTexture(desc)));
        mask = pass.resolve(0, mask);
    }
    pass.depthReadOnly(board.depth);
    board.drawMeshes(pass, m_meshPass);
    return mask;
}

} // namespace dl::samples
