// tests/scenes/test_scenes_shadows.cpp - what a sun casts: near and far, round and straight, through a fence, from outside the
// picture, onto a slope and onto what stands in its own shade.
#include "tests/scenes/mesh_builder.h"
#include "tests/scenes/patterns.h"
#include "tests/scenes/scene_builder.h"
#include "tests/scenes/scenes.h"

namespace dl::scenes
{

namespace
{

void addGround(SceneBuilder& b)
{
    MeshBuilder shape;
    shape.uvPerMetre = 0.25f;
    shape.quad(vec3(-40, 0, 10), vec3(40, 0, 10), vec3(40, 0, -70), vec3(-40, 0, -70));
    b.addNode("ground", {}, kNoIndex, b.addMesh("ground", {shape.take(b.addPlain("ground", vec3(0.5f, 0.48f, 0.44f), 0.95f))}));
    MeshBuilder ramp;
    ramp.quad(vec3(2.0f, 0, 1.0f), vec3(5.0f, 0, 1.0f), vec3(5.0f, 1.2f, -2.5f), vec3(2.0f, 1.2f, -2.5f));
    b.addNode("ramp", {}, kNoIndex, b.addMesh("ramp", {ramp.take(b.addPlain("ramp", vec3(0.6f, 0.5f, 0.35f), 0.9f))}));
}

/// A column every 5 m, away from the camera: one in each cascade at least.
void addColumns(SceneBuilder& b)
{
    MeshBuilder shape;
    // In parts: a smooth normal over the edge of the capital would point away from both of its faces.
    shape.lathe({vec2(0.45f, 0), vec2(0.3f, 0.3f), vec2(0.25f, 3.2f)}, 24);
    shape.lathe({vec2(0.25f, 3.2f), vec2(0.45f, 3.5f)}, 24);
    shape.lathe({vec2(0.45f, 3.5f), vec2(0.0f, 3.5f)}, 24);
    const std::uint32_t mesh = b.addMesh("column", {shape.take(b.addPlain("column", vec3(0.75f, 0.7f, 0.62f), 0.7f))});
    for (int i = 0; i < 12; ++i)
        b.addNode("column", at(vec3(i % 2 == 0 ? -2.6f : -6.0f, 0, -5.0f * static_cast<float>(i))), kNoIndex, mesh);
}

void addSolids(SceneBuilder& b)
{
    MeshBuilder ball;
    ball.ellipsoid(vec3(0, 0.8f, 0), vec3(0.8f), 40, 24);
    b.addNode(
        "ball", at(vec3(-0.4f, 0, -1.0f)), kNoIndex, b.addMesh("ball", {ball.take(b.addPlain("ball", vec3(0.2f, 0.4f, 0.7f), 0.35f))}));
    MeshBuilder box;
    box.box(vec3(-0.5f, 0, -0.5f), vec3(0.5f, 1.0f, 0.5f));
    box.box(vec3(-0.25f, 1.0f, -0.25f), vec3(0.25f, 1.5f, 0.25f));
    const std::uint32_t mesh = b.addMesh("box", {box.take(b.addPlain("box", vec3(0.7f, 0.25f, 0.2f), 0.6f))});
    b.addNode("box", atYaw(vec3(3.6f, 0.3f, 0.2f), 0.5f), kNoIndex, mesh);
    b.addNode("box", atYaw(vec3(1.6f, 0, -6.0f), 0.2f, vec3(1.6f)), kNoIndex, mesh);
    // Behind the camera: only its shadow is seen.
    MeshBuilder pole;
    pole.rod(vec3(0, 0, 0), vec3(0, 9, 0), 0.15f, 0.1f, 12);
    b.addNode("pole", at(vec3(5.2f, 0, 8.5f)), kNoIndex, b.addMesh("pole", {pole.take(b.addPlain("pole", vec3(0.3f), 0.6f))}));
}

void addPanes(SceneBuilder& b)
{
    const std::uint32_t iron = b.addSurface("fence", synthSurface("fence", 128, 0.01f, ironFencePattern()));
    b.scene.materials[iron].alphaMode = AlphaMode::Mask;
    b.scene.materials[iron].isDoubleSided = true;
    const std::uint32_t glass = b.addPlain("glass", vec3(0.3f, 0.6f, 0.8f), 0.3f);
    b.scene.materials[glass].baseColorFactor.a = 0.35f; // below the cutoff: it casts nothing, and takes shadows
    b.scene.materials[glass].alphaMode = AlphaMode::Blend;
    b.scene.materials[glass].isDoubleSided = true;
    const auto pane = [&](const char* name, std::uint32_t material, vec3 place)
    {
        MeshBuilder shape;
        shape.quadFitted(vec3(-0.8f, 0, 0), vec3(0.8f, 0, 0), vec3(0.8f, 1.6f, 0), vec3(-0.8f, 1.6f, 0));
        b.addNode(name, atYaw(place, 0.25f), kNoIndex, b.addMesh(name, {shape.take(material)}));
    };
    pane("fence", iron, vec3(-3.4f, 0, 1.2f));
    pane("glass", glass, vec3(1.1f, 0, 1.6f));
}

} // namespace

SceneDescription makeShadows()
{
    SceneBuilder b("shadows");
    addGround(b);
    addColumns(b);
    addSolids(b);
    addPanes(b);
    b.addCamera(vec3(1.0f, 3.2f, 7.5f), vec3(-0.4f, 0.5f, -2.0f), 45.0f);
    b.addSun(vec3(0.75f, 0.6f, 0.45f), vec3(1.0f, 0.95f, 0.88f), 3.0f);
    return b.take();
}

} // namespace dl::scenes
