// drawloom/asset/detail/gltf_camera_light.cpp - cameras, and lights of KHR_lights_punctual.
#include "drawloom/asset/detail/gltf_object.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace dl::detail
{
namespace
{

constexpr float kNoLimit = std::numeric_limits<float>::max();
constexpr float kLeast = 1e-6f;
constexpr float kHalfPi = std::numbers::pi_v<float> / 2.0f;

void readPerspective(const GltfObject& object, Camera& out)
{
    out.yFovRadians = object.number("yfov", out.yFovRadians, kLeast, std::numbers::pi_v<float> - kLeast);
    out.aspect = object.number("aspectRatio", 0.0f, 0.0f, kNoLimit);
    out.zNear = object.number("znear", out.zNear, kLeast, kNoLimit);
    out.zFar = object.number("zfar", 0.0f, 0.0f, kNoLimit);
}

void readOrthographic(const GltfObject& object, Camera& out)
{
    out.isOrthographic = true;
    out.xMag = object.number("xmag", out.xMag);
    out.yMag = object.number("ymag", out.yMag);
    out.zNear = object.number("znear", 0.0f, 0.0f, kNoLimit);
    out.zFar = object.number("zfar", 1000.0f, kLeast, kNoLimit);
    if (out.xMag == 0.0f || out.yMag == 0.0f)
        object.fail("xmag and ymag must not be zero");
}

void readCamera(const GltfObject& object, Camera& out)
{
    GltfState& state = object.state();
    out.name = object.text("name");
    const std::string_view type = object.text("type");
    if (type != "perspective" && type != "orthographic")
    {
        object.fail("type", "\"" + std::string(type.substr(0, 32)) + "\" is neither perspective nor orthographic");
        return;
    }
    const std::optional<GltfObject> facts = object.object(type == "perspective" ? "perspective" : "orthographic");
    if (!facts)
        object.fail(type, "is required");
    else if (type == "perspective")
        readPerspective(*facts, out);
    else
        readOrthographic(*facts, out);
    if (!state.failed() && out.zFar != 0.0f && out.zFar <= out.zNear)
        facts->fail("zfar", std::to_string(out.zFar) + " must be larger than znear " + std::to_string(out.zNear));
}

void readSpot(const GltfObject& light, Light& out)
{
    const std::optional<GltfObject> spot = light.object("spot");
    if (!spot)
        return;
    out.outerConeRadians = spot->number("outerConeAngle", kHalfPi / 2.0f, kLeast, kHalfPi);
    out.innerConeRadians = spot->number("innerConeAngle", 0.0f, 0.0f, std::nextafter(out.outerConeRadians, 0.0f));
}

void readLight(const GltfObject& object, Light& out)
{
    out.name = object.text("name");
    const std::string_view type = object.text("type");
    const bool isKnown = type == "directional" || type == "point" || type == "spot";
    if (type == "directional")
        out.type = LightType::Directional;
    else if (type == "point")
        out.type = LightType::Point;
    else if (type == "spot")
        out.type = LightType::Spot;
    else if (!object.has("type"))
        object.fail("type", "is required");
    else
        object.state().warn(
            "unknown-value", object.path("type"), "\"" + std::string(type.substr(0, 32)) + "\" is no light; it shines nothing");
    float color[3] = {1.0f, 1.0f, 1.0f};
    object.numbers("color", color);
    out.color = vec3(color[0], color[1], color[2]);
    out.intensity = isKnown ? object.number("intensity", 1.0f, 0.0f, kNoLimit) : 0.0f;
    out.range = object.number("range", 0.0f, 0.0f, kNoLimit);
    if (out.type == LightType::Spot)
        readSpot(object, out);
}

} // namespace

void readCameras(GltfState& state)
{
    for (std::size_t i = 0; i < state.lists.cameras.size() && !state.failed(); ++i)
        readCamera(GltfObject(state, state.lists.cameras[i], "cameras", i), state.scene.cameras.emplace_back());
}

void readLights(GltfState& state)
{
    for (std::size_t i = 0; i < state.lists.lights.size() && !state.failed(); ++i)
        readLight(GltfObject(state, state.lists.lights[i], "lights", i), state.scene.lights.emplace_back());
}

} // namespace dl::detail
