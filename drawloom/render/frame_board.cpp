#include "drawloom/render/frame_board.h"

namespace dl
{

void FrameBoard::drawMeshes(graph::RasterPassBuilder& pass, MeshPassId meshPass, std::uint32_t viewIndex, gpu::BindGroupId passGroup)
{
    if (deform)
        pass.read(deform, gpu::Access::StorageRead);
    if (previousDeform)
        pass.read(previousDeform, gpu::Access::StorageRead);
    pass.execute(
        [draws = &draws, resources = &resources, meshPass, viewIndex, passGroup, offset = viewUniformOffset](graph::PassContext& context)
        {
            const EncodeBindings bindings{.frame = resources->bindings().frameGroup(), .viewUniformOffset = offset, .pass = passGroup};
            draws->encode(meshPass, viewIndex, bindings, context.stream());
        });
}

void FrameBoard::drawLitMeshes(graph::RasterPassBuilder& pass, MeshPassId meshPass, std::uint32_t viewIndex)
{
    if (deform)
        pass.read(deform, gpu::Access::StorageRead);
    if (previousDeform)
        pass.read(previousDeform, gpu::Access::StorageRead);
    Lighting::read(pass, lightingTextures);
    pass.execute(
        [draws = &draws, resources = &resources, lighting = &lighting, textures = lightingTextures, meshPass, viewIndex,
            offset = viewUniformOffset](graph::PassContext& context)
        {
            const EncodeBindings bindings{
                .frame = resources->bindings().frameGroup(), .viewUniformOffset = offset, .pass = lighting->group(context, textures)};
            draws->encode(meshPass, viewIndex, bindings, context.stream());
        });
}

} // namespace dl
