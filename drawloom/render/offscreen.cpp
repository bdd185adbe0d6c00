#include "drawloom/render/offscreen.h"

#include "drawloom/core/trace.h"

#include <algorithm>

namespace dl
{
namespace
{
constexpr std::uint32_t kMaxSettleFrames = 10000; // of 64 MiB of uploads each: far beyond any device
} // namespace

Result<void> drawScenes(Renderer& renderer, std::span<SceneInstance* const> scenes, const FrameDesc& frame)
{
    DL_TRY(renderer.beginFrame());
    for (SceneInstance* scene : scenes)
    {
        scene->update(frame.timeSeconds);
        DL_TRY(scene->uploadFrame());
    }
    if (!frame.lightScenes.empty())
        return renderer.renderFrame(frame);
    FrameDesc lit = frame;
    lit.lightScenes = scenes;
    return renderer.renderFrame(lit);
}

Result<void> settleScenes(
    Renderer& renderer, std::span<SceneInstance* const> scenes, const FrameDesc& frame, void (*onFrame)(void* context), void* context)
{
    DL_TRACE_SCOPE("settle");
    for (std::uint32_t i = 0; i < kMaxSettleFrames; ++i)
    {
        if (onFrame != nullptr)
            onFrame(context);
        DL_TRY(drawScenes(renderer, scenes, frame));
        DL_TRY(renderer.finish());
        if (renderer.isSettled())
            return {};
    }
    return Error{ErrorCode::OutOfBudget, "the uploads did not finish; the scene does not fit this device"};
}

Result<OffscreenPicture> renderOffscreen(Renderer& renderer, std::span<SceneInstance* const> scenes, FrameDesc frame, bool wantsObjectIds)
{
    frame.readPicture = true;
    frame.readObjectIds = wantsObjectIds; // while settling too: its pipelines are made when first asked for
    DL_TRY(settleScenes(renderer, scenes, frame));
    DL_TRY(drawScenes(renderer, scenes, frame));
    DL_TRY(renderer.finish());
    OffscreenPicture result;
    DL_TRY_ASSIGN(result.picture, renderer.takePicture());
    if (wantsObjectIds)
    {
        const std::span<const std::uint32_t> ids = renderer.objectIds();
        result.objectIds.assign(ids.begin(), ids.end());
    }
    return result;
}

RenderCamera toRenderCamera(const PlacedCamera& placed)
{
    const Affine& world = placed.world;
    const auto column = [&](int i) { return vec3(world.rows[0][i], world.rows[1][i], world.rows[2][i]); };
    RenderCamera camera;
    camera.position = toWorldPosition(world.translation().x, world.translation().y, world.translation().z);
    camera.forward = -glm::normalize(column(2));
    const vec3 right = glm::normalize(glm::cross(camera.forward, column(1)));
    camera.up = glm::cross(right, camera.forward);
    camera.isOrthographic = placed.camera.isOrthographic;
    camera.yFovRadians = placed.camera.yFovRadians;
    camera.halfWidth = placed.camera.xMag;
    camera.halfHeight = placed.camera.yMag;
    camera.zNear = std::max(placed.camera.zNear, 1e-4f);
    camera.zFar = placed.camera.zFar;
    return camera;
}

std::optional<SunSettings> firstSun(std::span<SceneInstance* const> scenes)
{
    std::optional<SunSettings> sun;
    for (const SceneInstance* scene : scenes)
        for (const PlacedLight& placed : scene->lights())
        {
            if (placed.light.type == LightType::Directional)
                return SunSettings{placed.world.transformVector(vec3(0, 0, 1)), placed.light.color, placed.light.intensity};
            sun = SunSettings{.intensity = 0.0f};
        }
    return sun;
}

} // namespace dl
