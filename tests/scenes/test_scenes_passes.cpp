// tests/scenes/test_scenes_passes.cpp - small scenes about order, winding and cull state: cases D1, D2, D3, D5, D6.
#include "tests/scenes/mesh_builder.h"
#include "tests/scenes/patterns.h"
#include "tests/scenes/scene_builder.h"
#include "tests/scenes/scenes.h"

#include <string>
#include <utility>

namespace dl::scenes
{

namespace
{

constexpr vec3 kTowardsSun(-0.4f, 0.7f, 0.6f);

Primitive pane(std::uint32_t material, float half)
{
    MeshBuilder shape;
    shape.quadFitted(vec3(-half, -half, 0), vec3(half, -half, 0), vec3(half, half, 0), vec3(-half, half, 0));
    return shape.take(material);
}

std::uint32_t addBlended(SceneBuilder& b, const std::string& name, vec4 color)
{
    const std::uint32_t material = b.addPlain(name, vec3(color), 0.5f);
    b.scene.materials[material].baseColorFactor.a = color.a;
    b.scene.materials[material].alphaMode = AlphaMode::Blend;
    b.scene.materials[material].isDoubleSided = true;
    return material;
}

std::uint32_t addMasked(SceneBuilder& b)
{
    const std::uint32_t material = b.addSurface("leaves", synthSurface("leaves", 128, 0.01f, leafPattern(vec3(0.35f, 0.6f, 0.2f), 5)));
    b.scene.materials[material].alphaMode = AlphaMode::Mask;
    b.scene.materials[material].isDoubleSided = true;
    return material;
}

void addFloor(SceneBuilder& b, float half)
{
    MeshBuilder shape;
    shape.uvPerMetre = 0.5f;
    shape.quad(vec3(-half, 0, half), vec3(half, 0, half), vec3(half, 0, -half), vec3(-half, 0, -half));
    b.addNode("floor", {}, kNoIndex, b.addMesh("floor", {shape.take(b.addPlain("floor", vec3(0.45f, 0.44f, 0.42f), 0.9f))}));
}

/// An L-shaped solid: neither mirrored nor turned does it look like itself.
Primitive hook(std::uint32_t material)
{
    MeshBuilder shape;
    shape.box(vec3(-0.4f, 0, -0.2f), vec3(-0.05f, 1.2f, 0.2f));
    shape.box(vec3(-0.05f, 0, -0.2f), vec3(0.5f, 0.35f, 0.2f));
    shape.taperedBox(vec3(-0.4f, 1.2f, -0.2f), vec3(0.1f, 1.5f, 0.2f), vec2(0.3f, 0.6f));
    return shape.take(material);
}

/// A quarter pipe, open: its inside shows when both sides are drawn.
Primitive shell(std::uint32_t material)
{
    MeshBuilder shape;
    shape.lathe({vec2(0.5f, 0), vec2(0.35f, 0.6f), vec2(0.45f, 1.1f)}, 20);
    return shape.take(material);
}

} // namespace

SceneDescription makeAlphaModes()
{
    SceneBuilder b("alpha-modes");
    addFloor(b, 5.0f);
    const std::uint32_t opaque = b.addPlain("opaque", vec3(0.7f, 0.3f, 0.2f), 0.6f);
    const std::uint32_t masked = addMasked(b);
    const std::uint32_t glass = addBlended(b, "glass", vec4(0.2f, 0.4f, 0.9f, 0.45f));
    const std::uint32_t meshes[] = {b.addMesh("opaque pane", {pane(opaque, 0.7f)}), b.addMesh("masked pane", {pane(masked, 0.7f)}),
        b.addMesh("glass pane", {pane(glass, 0.7f)})};
    const char* names[] = {"opaque", "masked", "glass"};
    // Interleaved along the view and stepped aside, so that each shows through or over the next.
    for (int i = 0; i < 9; ++i)
        b.addNode(names[i % 3], at(vec3(-3.4f + 0.42f * static_cast<float>(i), 0.75f, -1.6f + 0.4f * static_cast<float>(i))), kNoIndex,
            meshes[i % 3]);

    // Case D2: three panes of one mesh, a pane of another mesh between the middle and the far one.
    const std::uint32_t amber = b.addMesh("amber pane", {pane(addBlended(b, "amber", vec4(0.95f, 0.55f, 0.05f, 0.5f)), 0.8f)});
    const std::uint32_t violet = b.addMesh("violet pane", {pane(addBlended(b, "violet", vec4(0.55f, 0.1f, 0.8f, 0.5f)), 0.8f)});
    b.addNode("near", at(vec3(3.1f, 0.85f, 1.2f)), kNoIndex, amber);
    b.addNode("middle", at(vec3(2.7f, 1.15f, 0.2f)), kNoIndex, amber);
    b.addNode("between", at(vec3(2.35f, 0.95f, -0.5f)), kNoIndex, violet);
    b.addNode("far", at(vec3(1.9f, 1.35f, -1.2f)), kNoIndex, amber);
    b.addCamera(vec3(0.4f, 2.2f, 8.0f), vec3(0.0f, 0.8f, 0.0f), 40.0f);
    b.addSun(kTowardsSun, vec3(1.0f), 3.0f);
    return b.take();
}

SceneDescription makeTwoBlended()
{
    SceneBuilder b("two-blended");
    addFloor(b, 3.0f);
    int side = -1;
    for (const auto& [name, color] : {std::pair<const char*, vec4>{"red", vec4(0.9f, 0.08f, 0.05f, 0.5f)},
             std::pair<const char*, vec4>{"blue", vec4(0.05f, 0.15f, 0.9f, 0.5f)}})
    {
        MeshBuilder shape;
        shape.box(vec3(-0.5f, 0, -0.5f), vec3(0.5f, 1, 0.5f));
        const std::uint32_t material = addBlended(b, name, color);
        b.scene.materials[material].isDoubleSided = false;
        b.addNode(name, atYaw(vec3(0.9f * static_cast<float>(side), 0.1f, 0), 0.5f), kNoIndex, b.addMesh(name, {shape.take(material)}));
        side += 2;
    }
    b.addCamera(vec3(0, 2.0f, 5.0f), vec3(0, 0.5f, 0), 36.0f);
    b.addSun(kTowardsSun, vec3(1.0f), 3.0f);
    return b.take();
}

SceneDescription makeMirrored()
{
    SceneBuilder b("mirrored");
    addFloor(b, 4.0f);
    const std::uint32_t mesh = b.addMesh(
        "hook", {hook(b.addSurface("brick", synthSurface("brick", 128, 0.02f, brickPattern(vec3(0.7f, 0.35f, 0.25f), vec3(0.7f), 3))))});
    const vec3 scales[] = {vec3(1, 1, 1), vec3(-1, 1, 1), vec3(1, 1, -1), vec3(-1, 1, -1)};
    for (std::size_t i = 0; i < std::size(scales); ++i)
    {
        Trs place = atYaw(vec3(1.3f * (static_cast<float>(i) - 1.5f), 0, 0), 0.35f, scales[i]);
        b.addNode("hook " + std::to_string(i), place, kNoIndex, mesh);
    }
    // Mirrored under mirrored is not mirrored.
    const std::uint32_t parent = b.addNode("mirrored parent", atYaw(vec3(-0.7f, 0, -1.6f), 0.0f, vec3(-1, 1, 1)), kNoIndex, mesh);
    b.addNode("mirrored twice", atYaw(vec3(-1.4f, 0, 0), 0.0f, vec3(-1, 1, 1)), parent, mesh);
    const std::uint32_t row = b.addNode("mirrored instances", at(vec3(0, 0, 1.4f)), kNoIndex, mesh);
    for (const float sign : {1.0f, -1.0f, 1.0f, -1.0f})
        b.scene.nodes[row].instances.push_back(toAffine(atYaw(
            vec3(1.1f * (static_cast<float>(b.scene.nodes[row].instances.size()) - 1.5f), 0, 0), 0.0f, vec3(0.5f * sign, 0.5f, 0.5f))));
    b.addCamera(vec3(0.5f, 2.6f, 6.5f), vec3(0, 0.6f, 0), 38.0f);
    b.addSun(kTowardsSun, vec3(1.0f), 3.0f);
    return b.take();
}

SceneDescription makeSidedness()
{
    SceneBuilder b("sidedness");
    addFloor(b, 4.0f);
    const std::uint32_t single = b.addPlain("single-sided", vec3(0.75f, 0.3f, 0.2f), 0.5f);
    const std::uint32_t both = b.addPlain("double-sided", vec3(0.2f, 0.45f, 0.75f), 0.5f);
    b.scene.materials[both].isDoubleSided = true;
    const std::uint32_t meshes[] = {b.addMesh("single", {shell(single)}), b.addMesh("double", {shell(both)})};
    const std::uint32_t panes[] = {b.addMesh("single pane", {pane(single, 0.45f)}), b.addMesh("double pane", {pane(both, 0.45f)})};
    for (int i = 0; i < 4; ++i)
    {
        const float x = 1.4f * (static_cast<float>(i) - 1.5f);
        b.addNode(i % 2 == 0 ? "single" : "double", {.translation = vec3(x, 0.4f, 0), .rotation = glm::angleAxis(0.7f, vec3(1, 0, 0))},
            kNoIndex, meshes[i % 2]);
        // Two of the four panes show their backs.
        b.addNode(
            i % 2 == 0 ? "single pane" : "double pane", atYaw(vec3(x, 0.55f, 1.5f), i < 2 ? 0.0f : 3.1415927f), kNoIndex, panes[i % 2]);
    }
    b.addCamera(vec3(0, 2.8f, 6.0f), vec3(0, 0.6f, 0), 40.0f);
    b.addSun(kTowardsSun, vec3(1.0f), 3.0f);
    return b.take();
}

SceneDescription makeMaskedBesideBlended()
{
    SceneBuilder b("masked-beside-blended");
    addFloor(b, 3.0f);
    MeshBuilder wall;
    wall.box(vec3(-2.2f, 0, -1.2f), vec3(2.2f, 2.2f, -1.0f));
    b.addNode("wall", {}, kNoIndex, b.addMesh("wall", {wall.take(b.addPlain("wall", vec3(0.75f, 0.7f, 0.6f), 0.8f))}));
    b.addNode("masked", at(vec3(-0.85f, 1.0f, 0)), kNoIndex, b.addMesh("masked", {pane(addMasked(b), 0.9f)}));
    b.addNode("blended", at(vec3(0.85f, 1.0f, 0)), kNoIndex,
        b.addMesh("blended", {pane(addBlended(b, "blended", vec4(0.1f, 0.6f, 0.5f, 0.5f)), 0.75f)}));
    b.addCamera(vec3(0, 1.4f, 5.0f), vec3(0, 1.0f, 0), 36.0f);
    b.addSun(kTowardsSun, vec3(1.0f), 3.0f);
    return b.take();
}

} // namespace dl::scenes
