#include "drawloom/render/shadow_pass.h"

#include "drawloom/render/standard_passes.h"

#include <algorithm>

namespace dl
{
namespace
{

constexpr std::array<std::string_view, kMaxCascadeCount> kPassNames = {"shadow0", "shadow1", "shadow2", "shadow3"};

float clampedOrZero(float value, float largest)
{
    return value > 0.0f ? std::min(value, largest) : 0.0f; // NaN, too
}

constexpr float kMaxSoftnessTexels = 2.0f, kMaxNormalOffsetTexels = 4.0f;

} // namespace

Result<MeshPassId> addShadowMeshPass(DrawLibrary& library)
{
    MeshPassDesc desc;
    desc.name = "shadow";
    desc.viewKinds = ViewKind::Shadow;
    desc.opaque = {"depth", StreamSet::Full};
    desc.masked = {"depth_masked", StreamSet::Full};
    desc.blended = {"depth_masked", StreamSet::Full};
    desc.filter = acceptShadowCasters;
    // No bias here: receivers pay for it (shadow.wgsl), so that the state is that of the depth pass and both share pipelines.
    desc.depth = {.format = kDepthFormat, .isWriting = true, .compare = gpu::CompareOp::GreaterEqual};
    desc.cull = CullRule::None;
    desc.order = SortOrder::State; // a map is small and its fragments are cheap: fewer draws win over early depth
    return library.addPass(desc);
}

View shadowView(const ShadowCascades& cascades, std::uint32_t cascade, std::uint32_t layerMask)
{
    const ShadowCascade& from = cascades.cascades[cascade];
    return {.kind = ViewKind::Shadow,
        .layerMask = layerMask,
        .viewProjection = from.viewProjection,
        .eye = from.eye,
        .forward = cascades.lightForward};
}

ShadowInputs shadowInputs(const ShadowCascades& cascades, const ShadowSettings& settings)
{
    ShadowInputs inputs;
    if (cascades.count == 0)
        return inputs;
    for (std::uint32_t i = 0; i < cascades.count; ++i)
    {
        const int lane = static_cast<int>(i);
        inputs.cascadeMatrices[i] = cascades.cascades[i].textureMatrix;
        inputs.cascadeFar[lane] = cascades.cascades[i].farDistance;
        inputs.cascadeTexels[lane] = cascades.cascades[i].texelMetres;
    }
    inputs.params = vec4(cascades.count, 1.0f / static_cast<float>(cascades.resolutionTexels),
        clampedOrZero(settings.normalOffsetTexels, kMaxNormalOffsetTexels), kCascadeBlend);
    inputs.softnessTexels = clampedOrZero(settings.softnessTexels, kMaxSoftnessTexels);
    return inputs;
}

void declareShadowPasses(FrameBoard& board, MeshPassId meshPass, const ShadowCascades& cascades, std::uint32_t firstView)
{
    graph::TextureHandle map = board.graph.createTexture({.label = "shadow map",
        .format = kDepthFormat,
        .size = graph::GraphSize::absolute(cascades.resolutionTexels, cascades.resolutionTexels),
        .dimension = gpu::TextureDimension::D2Array,
        .depthOrLayers = cascades.count});
    for (std::uint32_t i = 0; i < cascades.count; ++i)
    {
        graph::RasterPassBuilder pass = board.graph.addRasterPass(kPassNames[i]);
        map = pass.depth(map, {.layer = i});
        board.drawMeshes(pass, meshPass, firstView + i);
    }
    board.lightingTextures.shadowMap = map;
}

std::uint32_t cascadeOfPass(std::string_view name)
{
    return static_cast<std::uint32_t>(std::find(kPassNames.begin(), kPassNames.end(), name) - kPassNames.begin());
}

} // namespace dl
