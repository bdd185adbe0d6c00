#include "apps/cli/camera_choice.h"

#include "drawloom/render/offscreen.h"

#include <algorithm>

namespace dl::cli
{
namespace
{

constexpr float kDefaultFovRadians = 0.7f;
constexpr float kDefaultYawDegrees = 35.0f, kDefaultPitchDegrees = 22.0f;

Result<RenderCamera> byName(const std::string& name, std::span<const PlacedCamera> cameras)
{
    std::string known;
    for (const PlacedCamera& camera : cameras)
    {
        if (camera.name == name)
            return toRenderCamera(camera);
        known += (known.empty() ? "\"" : ", \"") + camera.name + "\"";
    }
    return Error{ErrorCode::NotFound,
        "no camera \"" + name + "\" in the input; " + (known.empty() ? "it has no cameras, use --orbit or --eye" : "it has " + known)};
}

} // namespace

Result<RenderCamera> chooseCamera(
    const CameraOptions& options, std::span<const PlacedCamera> cameras, const Aabb& bounds, std::uint32_t width, std::uint32_t height)
{
    if (!options.name.empty())
        return byName(options.name, cameras);
    const float aspect = static_cast<float>(width) / static_cast<float>(height);
    if (options.eye && options.target)
    {
        RenderCamera camera = lookAtCamera(glm::dvec3(*options.eye), glm::dvec3(*options.target));
        camera.yFovRadians = kDefaultFovRadians;
        camera.zNear = std::max(1e-3f * glm::length(*options.target - *options.eye), 1e-3f);
        return camera;
    }
    const auto own = std::find_if(cameras.begin(), cameras.end(), [](const PlacedCamera& camera) { return camera.isDefault; });
    if (own != cameras.end() && !options.orbit)
        return toRenderCamera(*own);
    const vec3 orbit = options.orbit.value_or(vec3(kDefaultYawDegrees, kDefaultPitchDegrees, 0.0f));
    return orbitCamera(bounds, orbit.x, orbit.y, orbit.z, kDefaultFovRadians, aspect);
}

} // namespace dl::cli
