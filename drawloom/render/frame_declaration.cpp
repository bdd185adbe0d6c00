// The standard frame as render graph passes, in order; features join at their points.
#include "drawloom/render/detail/renderer_impl.h"
#include "drawloom/render/shadow_pass.h"

namespace dl
{
namespace
{

/// `resolved`: a texture of single samples that takes over as the board's colour; none: it stays multisampled.
void addLitPass(FrameBoard& board, const char* name, MeshPassId meshPass, gpu::LoadOp load, graph::TextureHandle resolved = {})
{
    graph::RasterPassBuilder pass = board.graph.addRasterPass(name);
    board.color = pass.color(0, board.color, {.load = load});
    pass.depthReadOnly(board.depth);
    if (resolved)
        board.color = pass.resolve(0, resolved);
    board.drawLitMeshes(pass, meshPass);
}

} // namespace

Result<void> Renderer::Impl::callFeatures(FramePoint point, FrameBoard& board)
{
    for (RenderFeature* feature : features)
        DL_TRY(feature->addPasses(point, board));
    return {};
}

Result<void> Renderer::Impl::declareFrame(const FrameDesc& desc, const ViewSet& viewSet)
{
    graph.beginFrame();
    fullscreenPasses.clear();
    const std::uint32_t sampleCount = desc.debugView == DebugView::None ? settings.sampleCount : 1;
    FrameBoard board{.graph = graph,
        .draws = *draws,
        .resources = *resources,
        .views = viewSet,
        .width = settings.width,
        .height = settings.height,
        .sampleCount = sampleCount,
        .color = {},
        .depth = {},
        .picture = picture.import(graph, "picture"),
        .environmentPicture = {},
        .velocity = {},
        .deform = {},
        .previousDeform = {},
        .lighting = lighting,
        .lightingTextures = {},
        .viewUniformOffset = views.uniformOffsets[0],
        .viewUniformOffsets = views.uniformOffsets,
        .fullscreenPasses = fullscreenPasses};
    const graph::GraphSize size = graph::GraphSize::absolute(settings.width, settings.height);
    board.depth = graph.createTexture({.label = "depth", .format = kDepthFormat, .size = size, .sampleCount = sampleCount});
    deform.add(board, hasVelocity(desc));
    environment.declare(board);
    DL_TRY(callFeatures(FramePoint::BeforeDepth, board));
    if (desc.debugView == DebugView::None)
    {
        board.color = graph.createTexture({.label = "color", .format = kHdrFormat, .size = size, .sampleCount = sampleCount});
        if (views.cascades.count != 0)
            declareShadowPasses(board, shadowPass, views.cascades, FrameViews::kFirstCascade);
        lighting.fillIn(graph, board.lightingTextures);
        DL_TRY(declareStandardPasses(desc, board));
    }
    else if (desc.debugView == DebugView::Velocity)
    {
        if (settings.sampleCount == 1) // else velocity draws depth of its own
            declareDepth(board);
        velocity->add(board);
        velocity->addView(board);
    }
    else
    {
        declareDebugPasses(desc, board);
    }
    DL_TRY(callFeatures(FramePoint::AfterTonemap, board));
    DL_TRY(graph.compile());
    DL_TRY(graph.execute(stream, timer.timestamps()));
    picture.setWritten();
    if (desc.readPicture)
        picture.readBack(stream);
    if (desc.readObjectIds && desc.debugView == DebugView::None)
    {
        objectIds.setWritten();
        objectIds.readBack(stream);
    }
    if (board.velocity)
        velocity->setWritten();
    if (board.velocity && desc.readVelocity)
        velocity->readBack(stream);
    timer.readBack(graph, stream);
    return {};
}

void Renderer::Impl::declareDepth(FrameBoard& board)
{
    graph::RasterPassBuilder pass = graph.addRasterPass("depth");
    board.depth = pass.depth(board.depth);
    board.drawMeshes(pass, passes.depth);
}

Result<void> Renderer::Impl::declareStandardPasses(const FrameDesc& desc, FrameBoard& board)
{
    declareDepth(board);
    if (hasVelocity(desc))
        velocity->add(board);
    DL_TRY(callFeatures(FramePoint::AfterDepth, board));
    addLitPass(board, "opaque", passes.opaque, gpu::LoadOp::Clear);
    addLitPass(board, "masked", passes.masked, gpu::LoadOp::Load);
    if (fullscreen.isReady())
        fullscreen.addSky(board);
    DL_TRY(callFeatures(FramePoint::AfterOpaque, board));
    graph::TextureHandle resolved;
    if (board.sampleCount > 1)
        resolved = graph.createTexture(
            {.label = "resolved color", .format = kHdrFormat, .size = graph::GraphSize::absolute(settings.width, settings.height)});
    addLitPass(board, "blended", passes.blended, gpu::LoadOp::Load, resolved);
    DL_TRY(callFeatures(FramePoint::BeforeTonemap, board));
    if (desc.readObjectIds)
        declareObjectIds(board);
    if (fullscreen.isReady())
    {
        fullscreen.addTonemap(board);
    }
    else
    {
        // Until the pipelines are there, the picture is cleared: an import must not stay undefined.
        graph::RasterPassBuilder pass = graph.addRasterPass("tonemap");
        board.picture = pass.color(0, board.picture);
    }
    return {};
}

void Renderer::Impl::declareObjectIds(FrameBoard& board)
{
    graph::RasterPassBuilder pass = graph.addRasterPass("objectId");
    graph::TextureHandle ids = objectIds.import(graph, "object ids");
    ids = pass.color(0, ids);
    if (board.sampleCount == 1)
    {
        board.depth = pass.depth(board.depth, {.load = gpu::LoadOp::Load});
    }
    else // ids have no mean: they are drawn anew with single samples
    {
        const graph::TextureHandle depth = graph.createTexture(
            {.label = "object id depth", .format = kDepthFormat, .size = graph::GraphSize::absolute(settings.width, settings.height)});
        static_cast<void>(pass.depth(depth));
    }
    board.drawMeshes(pass, objectIdPass);
}

void Renderer::Impl::declareDebugPasses(const FrameDesc& desc, FrameBoard& board)
{
    const bool isOverdraw = desc.debugView == DebugView::Overdraw;
    graph::RasterPassBuilder pass = graph.addRasterPass(isOverdraw ? "overdraw" : "debug");
    board.picture = pass.color(0, board.picture, {.clear = {0.0f, 0.0f, 0.0f, 1.0f}});
    board.depth = pass.depth(board.depth);
    board.drawMeshes(pass, isOverdraw ? overdrawPass : debugPass);
}

} // namespace dl
