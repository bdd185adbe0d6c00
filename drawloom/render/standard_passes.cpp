#include "drawloom/render/standard_passes.h"

namespace dl
{
namespace
{

gpu::DepthState depthState(gpu::CompareOp compare, bool isWriting)
{
    return {.format = kDepthFormat, .isWriting = isWriting, .compare = compare};
}

gpu::ColorTargetState colorTarget(gpu::Format format)
{
    return {.format = format};
}

MeshPassDesc depthPass(std::uint32_t sampleCount)
{
    MeshPassDesc desc;
    desc.name = "depth";
    desc.sampleCount = sampleCount;
    desc.opaque = {"depth", StreamSet::Full}; // reads positions alone unless the surface displaces
    desc.masked = {sampleCount > 1 ? "depth_coverage" : "depth_masked", StreamSet::Full};
    desc.depth = depthState(gpu::CompareOp::GreaterEqual, true);
    desc.order = SortOrder::FrontToBack;
    return desc;
}

/// The prepass decided what is visible, sample by sample: Equal shades each pixel once, and needs positions that agree to the bit.
MeshPassDesc litPass(const char* name, gpu::BindGroupLayoutId lighting, std::uint32_t sampleCount)
{
    MeshPassDesc desc;
    desc.name = name;
    desc.sampleCount = sampleCount;
    desc.passLayout = lighting;
    desc.colorTargets = {colorTarget(kHdrFormat)};
    desc.depth = depthState(gpu::CompareOp::Equal, false);
    desc.order = SortOrder::State;
    return desc;
}

MeshPassDesc opaquePass(gpu::BindGroupLayoutId lighting, std::uint32_t sampleCount)
{
    MeshPassDesc desc = litPass("opaque", lighting, sampleCount);
    desc.opaque = {"forward", StreamSet::Full};
    return desc;
}

MeshPassDesc maskedPass(gpu::BindGroupLayoutId lighting, std::uint32_t sampleCount)
{
    MeshPassDesc desc = litPass("masked", lighting, sampleCount);
    // Samples that coverage left out fail Equal; cutting by the pixel's alpha again would take more.
    desc.masked = {sampleCount > 1 ? "forward" : "forward_masked", StreamSet::Full};
    return desc;
}

MeshPassDesc blendedPass(gpu::BindGroupLayoutId lighting, std::uint32_t sampleCount)
{
    MeshPassDesc desc = litPass("blended", lighting, sampleCount);
    desc.blended = {"forward_blended", StreamSet::Full};
    desc.depth = depthState(gpu::CompareOp::GreaterEqual, false);
    desc.colorTargets[0].isBlended = true;
    desc.colorTargets[0].blend = {.srcColor = gpu::BlendFactor::One,
        .dstColor = gpu::BlendFactor::OneMinusSrcAlpha,
        .srcAlpha = gpu::BlendFactor::One,
        .dstAlpha = gpu::BlendFactor::OneMinusSrcAlpha};
    desc.order = SortOrder::BackToFront;
    return desc;
}

/// Blended surfaces can be picked too, so this pass writes depth: it runs when nobody else needs it any more.
MeshPassDesc objectIdPass()
{
    MeshPassDesc desc;
    desc.name = "objectId";
    desc.opaque = {"object_id", StreamSet::Full};
    desc.masked = {"object_id_masked", StreamSet::Full};
    desc.blended = {"object_id", StreamSet::Full};
    desc.colorTargets = {colorTarget(kObjectIdFormat)};
    desc.depth = depthState(gpu::CompareOp::GreaterEqual, true);
    desc.order = SortOrder::FrontToBack;
    return desc;
}

MeshPassDesc debugPass(const char* name)
{
    MeshPassDesc desc;
    desc.name = name;
    desc.opaque = {"debug", StreamSet::Full};
    desc.masked = {"debug_masked", StreamSet::Full};
    desc.blended = {"debug", StreamSet::Full};
    desc.colorTargets = {colorTarget(kPictureFormat)};
    desc.depth = depthState(gpu::CompareOp::GreaterEqual, true);
    desc.order = SortOrder::FrontToBack;
    return desc;
}

MeshPassDesc overdrawPass()
{
    MeshPassDesc desc = debugPass("overdraw");
    desc.depth = depthState(gpu::CompareOp::Always, false);
    desc.colorTargets[0].isBlended = true;
    desc.colorTargets[0].blend = {.srcColor = gpu::BlendFactor::One, .dstColor = gpu::BlendFactor::One};
    return desc;
}

} // namespace

Result<StandardPasses> addStandardPasses(DrawLibrary& library, gpu::BindGroupLayoutId lighting, std::uint32_t sampleCount)
{
    StandardPasses passes;
    DL_TRY_ASSIGN(passes.depth, library.addPass(depthPass(sampleCount)));
    DL_TRY_ASSIGN(passes.opaque, library.addPass(opaquePass(lighting, sampleCount)));
    DL_TRY_ASSIGN(passes.masked, library.addPass(maskedPass(lighting, sampleCount)));
    DL_TRY_ASSIGN(passes.blended, library.addPass(blendedPass(lighting, sampleCount)));
    return passes;
}

Result<MeshPassId> addObjectIdPass(DrawLibrary& library)
{
    return library.addPass(objectIdPass());
}

Result<MeshPassId> addDebugPass(DrawLibrary& library)
{
    return library.addPass(debugPass("debug"));
}

Result<MeshPassId> addOverdrawPass(DrawLibrary& library)
{
    return library.addPass(overdrawPass());
}

} // namespace dl
