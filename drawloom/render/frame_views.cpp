// Which views a frame has, and their uniforms.
#include "drawloom/render/detail/renderer_impl.h"
#include "drawloom/render/shadow_pass.h"

#include <algorithm>
#include <cmath>

namespace dl
{
namespace
{

/// None: debug views are not lit, and a sun without light casts no shadow.
bool castsShadows(const FrameDesc& desc)
{
    const vec3 light = desc.sun.color * desc.sun.intensity;
    return desc.shadows.isEnabled && desc.debugView == DebugView::None && std::max({light.x, light.y, light.z}) > 0.0f;
}

} // namespace

vec3 towardsSun(const SunSettings& sun)
{
    const float length = glm::length(sun.direction);
    return length > 0.0f && std::isfinite(length) ? sun.direction / length : vec3(0, 1, 0);
}

Result<void> Renderer::Impl::makeViews(const FrameDesc& desc)
{
    const RenderCamera& camera = desc.camera;
    views.origin = camera.position;
    views.group = {.lodScale = camera.isOrthographic ? 1.0f / camera.halfHeight : 1.0f / std::tan(0.5f * camera.yFovRadians),
        .isOrthographic = camera.isOrthographic};
    views.views[0] = {
        .layerMask = desc.layerMask, .viewProjection = viewProjection(camera, settings.width, settings.height), .forward = camera.forward};
    DL_TRY_ASSIGN(views.uniformOffsets[0], pushViewUniforms(desc, views.views[0].viewProjection));
    views.cascades = {};
    if (castsShadows(desc))
    {
        const float aspect =
            camera.aspect > 0.0f ? camera.aspect : static_cast<float>(settings.width) / static_cast<float>(settings.height);
        views.cascades = fitShadowCascades(camera, aspect, towardsSun(desc.sun), desc.shadows);
    }
    if (views.cascades.count != 0 && !shadowPass)
    {
        DL_TRY_ASSIGN(shadowPass, addShadowMeshPass(*library));
    }
    for (std::uint32_t i = 0; i < views.cascades.count; ++i)
    {
        const std::uint32_t index = FrameViews::kFirstCascade + i;
        views.views[index] = shadowView(views.cascades, i, desc.layerMask);
        DL_TRY_ASSIGN(views.uniformOffsets[index], pushShadowUniforms(index));
    }
    lightingInputs.shadow = shadowInputs(views.cascades, desc.shadows);
    return {};
}

Result<std::uint32_t> Renderer::Impl::pushShadowUniforms(std::uint32_t viewIndex)
{
    const View& from = views.views[viewIndex];
    ViewUniforms view;
    view.viewProjection = view.previousViewProjection = from.viewProjection;
    view.inverseViewProjection = glm::inverse(from.viewProjection);
    view.eye = vec4(from.eye, 0.0f);
    const vec2 size(static_cast<float>(views.cascades.resolutionTexels));
    view.viewport = vec4(size, 1.0f / size);
    view.layerMask = from.layerMask;
    view.viewIndex = viewIndex;
    return resources->views().push(view);
}

} // namespace dl
