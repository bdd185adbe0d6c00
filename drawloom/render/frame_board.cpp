#include "drawloom/render/frame_board.h"

namespace dl
{

std::string sampleCountText(std::uint32_t own, std::uint32_t targets, std::string_view setting)
{
    return "is made for " + std::to_string(own) + (own == 1 ? " sample" : " samples") + " a texel and draws into attachments of " +
           std::to_string(targets) + "; set " + std::string(setting) + " to FrameBoard::sampleCount (RendererSettings::sampleCount), or " +
           "draw into a texture of its own";
}

void FrameBoard::declareReads(graph::RasterPassBuilder& pass, MeshPassId meshPass) const
{
    const std::uint32_t own = draws.sampleCount(meshPass), targets = pass.sampleCount();
    if (own != 0 && targets != 0 && own != targets)
        pass.fail(sampleCountText(own, targets, "MeshPassDesc::sampleCount"));
    if (deform)
        pass.read(deform, gpu::Access::StorageRead);
    if (previousDeform)
        pass.read(previousDeform, gpu::Access::StorageRead);
}

void FrameBoard::drawMeshes(graph::RasterPassBuilder& pass, MeshPassId meshPass, std::uint32_t viewIndex, gpu::BindGroupId passGroup)
{
    declareReads(pass, meshPass);
    pass.execute(
        [draws = &draws, resources = &resources, meshPass, viewIndex, passGroup, offset = viewUniformOffsets[viewIndex]](
            graph::PassContext& context)
        {
            const EncodeBindings bindings{.frame = resources->bindings().frameGroup(), .viewUniformOffset = offset, .pass = passGroup};
            draws->encode(meshPass, viewIndex, bindings, context.stream());
        });
}

void FrameBoard::drawLitMeshes(graph::RasterPassBuilder& pass, MeshPassId meshPass, std::uint32_t viewIndex)
{
    declareReads(pass, meshPass);
    Lighting::read(pass, lightingTextures);
    pass.execute(
        [draws = &draws, resources = &resources, lighting = &lighting, textures = lightingTextures, meshPass, viewIndex,
            offset = viewUniformOffsets[viewIndex]](graph::PassContext& context)
        {
            const EncodeBindings bindings{
                .frame = resources->bindings().frameGroup(), .viewUniformOffset = offset, .pass = lighting->group(context, textures)};
            draws->encode(meshPass, viewIndex, bindings, context.stream());
        });
}

} // namespace dl
