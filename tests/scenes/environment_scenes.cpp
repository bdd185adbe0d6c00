// tests/scenes/environment_scenes.cpp - what image-based light is tested with: spheres of every roughness, and a picture to light
// them that shows which way it hangs.
#include "tests/scenes/mesh_builder.h"
#include "tests/scenes/scene_builder.h"
#include "tests/scenes/scenes.h"

#include <cmath>
#include <cstring>
#include <numbers>
#include <string>

namespace dl::scenes
{
namespace
{

/// Of the axis that the direction is nearest to.
vec3 axisColor(vec3 d)
{
    const vec3 a = glm::abs(d);
    if (a.x >= a.y && a.x >= a.z)
        return d.x > 0.0f ? vec3(1.0f, 0.1f, 0.1f) : vec3(0.1f, 0.9f, 0.9f);
    if (a.y >= a.z)
        return d.y > 0.0f ? vec3(0.1f, 1.0f, 0.1f) : vec3(0.9f, 0.1f, 0.9f);
    return d.z > 0.0f ? vec3(0.1f, 0.1f, 1.0f) : vec3(0.9f, 0.9f, 0.1f);
}

template <class F> Image makeEquirect(const char* name, std::uint32_t width, F&& radiance)
{
    Image image;
    image.name = name;
    image.format = ImageFormat::Rgba32F;
    image.width = width;
    image.height = width / 2;
    image.bytes.resize(std::size_t(image.width) * image.height * sizeof(vec4));
    for (std::uint32_t y = 0; y < image.height; ++y)
        for (std::uint32_t x = 0; x < image.width; ++x)
        {
            constexpr float kPi = std::numbers::pi_v<float>;
            const float elevation = (0.5f - (static_cast<float>(y) + 0.5f) / static_cast<float>(image.height)) * kPi;
            const float azimuth = ((static_cast<float>(x) + 0.5f) / static_cast<float>(image.width) - 0.5f) * 2.0f * kPi;
            const float c = std::cos(elevation);
            const vec4 texel(radiance(vec3(c * std::cos(azimuth), std::sin(elevation), c * std::sin(azimuth))), 1.0f);
            std::memcpy(image.bytes.data() + (std::size_t(y) * image.width + x) * sizeof texel, &texel, sizeof texel);
        }
    return image;
}

} // namespace

Image makeAxesEnvironment()
{
    return makeEquirect("axes", 256, axisColor);
}

Image makeStudioEnvironment()
{
    return makeEquirect("studio", 512,
        [](vec3 d)
        {
            vec3 light = glm::mix(vec3(0.25f, 0.22f, 0.2f), vec3(0.5f, 0.6f, 0.8f), 0.5f + 0.5f * d.y);
            light += 0.12f * axisColor(d);
            if (glm::dot(d, glm::normalize(vec3(-0.6f, 0.6f, 0.5f))) > 0.93f)
                light += vec3(9.0f, 8.5f, 8.0f); // a round lamp
            if (std::abs(d.y - 0.1f) < 0.25f && d.x > 0.85f)
                light += vec3(1.5f, 2.0f, 3.0f); // a window
            if (glm::dot(d, glm::normalize(vec3(0.3f, 0.7f, -0.6f))) > 0.9995f)
                light += vec3(900.0f, 800.0f, 600.0f); // a small bright sun
            return light;
        });
}

SceneDescription makeEnvironmentSpheres(vec3 color)
{
    SceneBuilder b("environment-spheres");
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 6; ++column)
        {
            const float roughness = static_cast<float>(column) / 5.0f, metalness = static_cast<float>(row) / 2.0f;
            const std::string name = "sphere " + std::to_string(row) + " " + std::to_string(column);
            MeshBuilder shape;
            shape.ellipsoid(vec3(0.0f), vec3(0.46f), 48, 24);
            const vec3 place(static_cast<float>(column) - 2.5f, static_cast<float>(row) - 1.0f, 0.0f);
            b.addNode(name, at(place), kNoIndex, b.addMesh(name, {shape.take(b.addPlain(name, color, roughness, metalness))}));
        }
    b.addCamera(vec3(0.0f, 0.0f, 8.0f), vec3(0.0f), 30.0f);
    b.addSun(vec3(-0.45f, 0.6f, 0.66f), vec3(1.0f), 0.5f);
    return b.take();
}

SceneDescription makeEnvironmentSpheres()
{
    return makeEnvironmentSpheres(vec3(0.9f, 0.75f, 0.55f));
}

} // namespace dl::scenes
