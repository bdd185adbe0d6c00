// tests/scenes/test_scenes_lights.cpp - a small scene about punctual lights.
#include "tests/scenes/mesh_builder.h"
#include "tests/scenes/scene_builder.h"
#include "tests/scenes/scenes.h"

#include <string>

namespace dl::scenes
{

namespace
{

void addHall(SceneBuilder& b)
{
    const std::uint32_t stone = b.addPlain("stone", vec3(0.7f, 0.68f, 0.64f), 0.8f);
    MeshBuilder hall;
    hall.quad(vec3(-6, 0, 5), vec3(6, 0, 5), vec3(6, 0, -3), vec3(-6, 0, -3));
    hall.quad(vec3(-6, 0, -3), vec3(6, 0, -3), vec3(6, 4, -3), vec3(-6, 4, -3));
    b.addNode("hall", at(vec3(0)), kNoIndex, b.addMesh("hall", {hall.take(stone)}));
}

void addShapes(SceneBuilder& b)
{
    for (int i = 0; i < 5; ++i)
    {
        const std::string name = "ball " + std::to_string(i);
        MeshBuilder ball;
        ball.ellipsoid(vec3(0.0f), vec3(0.55f), 40, 20);
        const std::uint32_t material =
            b.addPlain(name, vec3(0.85f, 0.8f, 0.7f), 0.15f + 0.2f * static_cast<float>(i), i % 2 == 0 ? 0.0f : 1.0f);
        b.addNode(name, at(vec3(1.9f * static_cast<float>(i - 2), 0.55f, 0.2f)), kNoIndex, b.addMesh(name, {ball.take(material)}));
    }
    MeshBuilder pillar;
    pillar.box(vec3(-0.3f, 0.0f, -0.3f), vec3(0.3f, 2.6f, 0.3f));
    const std::uint32_t mesh = b.addMesh("pillar", {pillar.take(b.addPlain("plaster", vec3(0.8f), 0.9f))});
    b.addNode("pillar left", atYaw(vec3(-4.4f, 0, -1.6f), 0.4f), kNoIndex, mesh);
    b.addNode("pillar right", atYaw(vec3(4.4f, 0, -1.6f), -0.4f), kNoIndex, mesh);
}

} // namespace

SceneDescription makeLamps()
{
    SceneBuilder b("lamps");
    addHall(b);
    addShapes(b);
    b.addCamera(vec3(0, 3.2f, 9.5f), vec3(0, 1.0f, -0.4f), 40.0f);
    b.addSun(vec3(0.4f, 0.8f, 0.5f), vec3(0.6f, 0.7f, 1.0f), 0.15f);
    const vec3 down(0, -1, 0);
    b.addLight("lamp red", LightType::Point, vec3(-3.2f, 1.4f, 1.2f), down, vec3(1.0f, 0.25f, 0.15f), 6.0f);
    b.addLight("lamp green", LightType::Point, vec3(0.0f, 0.9f, 2.0f), down, vec3(0.3f, 1.0f, 0.4f), 4.0f).range = 1.8f;
    b.addLight("lamp blue", LightType::Point, vec3(3.2f, 1.4f, 1.2f), down, vec3(0.25f, 0.4f, 1.0f), 9.0f);
    Light& soft =
        b.addLight("spot soft", LightType::Spot, vec3(-1.2f, 3.8f, -0.6f), vec3(-0.25f, -1.0f, -0.7f), vec3(1, 0.9f, 0.7f), 30.0f);
    soft.innerConeRadians = 0.1f;
    soft.outerConeRadians = 0.7f;
    Light& hard = b.addLight("spot hard", LightType::Spot, vec3(1.5f, 3.5f, 1.0f), vec3(0.1f, -0.6f, -1.0f), vec3(1.0f), 40.0f);
    hard.innerConeRadians = 0.24f;
    hard.outerConeRadians = 0.25f;
    hard.range = 8.0f;
    b.addLight("rim", LightType::Directional, vec3(0), vec3(1.0f, -0.5f, 0.3f), vec3(1.0f, 0.8f, 0.5f), 0.2f);
    return b.take();
}

} // namespace dl::scenes
