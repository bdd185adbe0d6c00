// drawloom/asset/detail/gltf_export_camera_light.cpp - cameras, and the lights of KHR_lights_punctual.
#include "drawloom/asset/detail/gltf_export_writer.h"

namespace dl::detail
{

float orthographicFar(const Camera& camera)
{
    return camera.zFar > 0.0f ? camera.zFar : camera.zNear + 1e6f;
}

void writeCameras(GltfExport& out)
{
    if (out.scene.cameras.empty())
        return;
    out.json.beginArray("cameras");
    for (const Camera& camera : out.scene.cameras)
    {
        out.json.beginObject();
        if (!camera.name.empty())
            out.json.member("name", camera.name);
        const char* type = camera.isOrthographic ? "orthographic" : "perspective";
        out.json.member("type", type);
        out.json.beginObject(type);
        if (camera.isOrthographic)
        {
            out.json.member("xmag", camera.xMag);
            out.json.member("ymag", camera.yMag);
            out.json.member("zfar", orthographicFar(camera));
        }
        else
        {
            out.json.member("yfov", camera.yFovRadians);
            if (camera.aspect > 0.0f)
                out.json.member("aspectRatio", camera.aspect);
            if (camera.zFar > 0.0f)
                out.json.member("zfar", camera.zFar);
        }
        out.json.member("znear", camera.zNear);
        out.json.endObject();
        out.json.endObject();
    }
    out.json.endArray();
}

void writeLights(GltfExport& out)
{
    static constexpr const char* kTypeNames[] = {"directional", "point", "spot"};
    if (out.scene.lights.empty())
        return;
    out.extensionsUsed.insert("KHR_lights_punctual");
    out.json.beginObject("KHR_lights_punctual");
    out.json.beginArray("lights");
    for (const Light& light : out.scene.lights)
    {
        out.json.beginObject();
        if (!light.name.empty())
            out.json.member("name", light.name);
        out.json.member("type", kTypeNames[static_cast<std::size_t>(light.type)]);
        out.json.member("color", std::span<const float>(&light.color.x, 3));
        out.json.member("intensity", light.intensity);
        if (light.range > 0.0f)
            out.json.member("range", light.range);
        if (light.type == LightType::Spot)
        {
            out.json.beginObject("spot");
            out.json.member("innerConeAngle", light.innerConeRadians);
            out.json.member("outerConeAngle", light.outerConeRadians);
            out.json.endObject();
        }
        out.json.endObject();
    }
    out.json.endArray();
    out.json.endObject();
}

} // namespace dl::detail
