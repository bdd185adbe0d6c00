#include "drawloom/render/fullscreen_passes.h"

#include "drawloom/render/standard_passes.h"

namespace dl
{

Result<FullscreenPasses> FullscreenPasses::create(
    gpu::Device& device, GpuResources& resources, const gpu::ShaderArchive& archive, std::uint32_t sampleCount)
{
    FullscreenPasses passes;
    FullscreenPassDesc sky{.name = "sky", .target = {.format = kHdrFormat}};
    sky.depth = {.format = kDepthFormat, .isWriting = false, .compare = gpu::CompareOp::GreaterEqual};
    sky.sampleCount = sampleCount;
    DL_TRY_ASSIGN(passes.sky, FullscreenPass::create(device, resources, archive, sky));
    DL_TRY_ASSIGN(passes.tonemap,
        FullscreenPass::create(device, resources, archive, {.name = "tonemap", .target = {.format = kPictureFormat}, .depth = {}}));
    return passes;
}

void FullscreenPasses::onCompletion(const gpu::Completion& completion)
{
    sky.onCompletion(completion);
    tonemap.onCompletion(completion);
}

} // namespace dl
