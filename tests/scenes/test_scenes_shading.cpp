// tests/scenes/test_scenes_shading.cpp - small scenes about materials: factors, textures, normals, vertex colours.
#include "tests/scenes/mesh_builder.h"
#include "tests/scenes/patterns.h"
#include "tests/scenes/scene_builder.h"
#include "tests/scenes/scenes.h"

#include <cmath>
#include <string>
#include <utility>

namespace dl::scenes
{

namespace
{

constexpr vec3 kTowardsSun(-0.45f, 0.6f, 0.66f);

Primitive sphere(std::uint32_t material, float radius = 0.45f)
{
    MeshBuilder shape;
    shape.uvPerMetre = 0.7f;
    shape.ellipsoid(vec3(0.0f), vec3(radius), 32, 16);
    return shape.take(material);
}

/// A square in the XY plane facing +Z.
Primitive pane(std::uint32_t material, float half)
{
    MeshBuilder shape;
    shape.quadFitted(vec3(-half, -half, 0), vec3(half, -half, 0), vec3(half, half, 0), vec3(-half, half, 0));
    return shape.take(material);
}

/// Eight by eight coloured fields, each with an arrow that points up and to the right: shows turns and mirroring.
SurfacePoint testCard(vec2 uv)
{
    const vec2 cell = glm::floor(uv * 8.0f);
    const vec2 inside = uv * 8.0f - cell;
    SurfacePoint p;
    const bool isLight = (static_cast<int>(cell.x) + static_cast<int>(cell.y)) % 2 == 0;
    p.color = vec3(0.15f + 0.1f * cell.x, 0.15f + 0.1f * (7.0f - cell.y), isLight ? 0.75f : 0.3f);
    const vec2 up(inside.x, 1.0f - inside.y);
    const bool isShaft = std::fabs(up.x - up.y) < 0.1f && up.x > 0.2f && up.x < 0.8f;
    const bool isHead =
        (up.x > 0.45f && up.x < 0.8f && std::fabs(up.y - 0.75f) < 0.06f) || (up.y > 0.2f && up.y < 0.8f && std::fabs(up.x - 0.75f) < 0.06f);
    if (isShaft || isHead)
        p.color = vec3(0.97f);
    return p;
}

SurfacePoint domes(vec2 uv)
{
    const vec2 inside = glm::fract(uv * 4.0f) - 0.5f;
    const float r = glm::length(inside) / 0.42f;
    SurfacePoint p;
    p.height = r < 1.0f ? std::sqrt(1.0f - r * r) : 0.0f;
    p.color = vec3(0.72f, 0.66f, 0.58f);
    p.roughness = 0.45f;
    p.occlusion = r < 1.0f ? 1.0f : 0.25f;
    return p;
}

SurfacePoint glowingRings(vec2 uv)
{
    SurfacePoint p;
    const float r = glm::length(uv - 0.5f);
    p.color = std::fmod(r * 10.0f, 1.0f) < 0.4f && r < 0.5f ? vec3(1.0f, 0.55f, 0.15f) : vec3(0.0f);
    return p;
}

} // namespace

SceneDescription makeSphereSweep()
{
    SceneBuilder b("sphere-sweep");
    const vec3 colors[] = {vec3(0.8f, 0.1f, 0.1f), vec3(0.9f, 0.5f, 0.1f), vec3(0.8f, 0.8f, 0.1f), vec3(0.2f, 0.7f, 0.2f),
        vec3(0.1f, 0.6f, 0.6f), vec3(0.1f, 0.3f, 0.8f), vec3(0.5f, 0.2f, 0.7f), vec3(0.9f), vec3(0.02f)};
    for (int row = -1; row < 5; ++row)
        for (int column = 0; column < 9; ++column)
        {
            const float roughness = static_cast<float>(column) / 8.0f;
            const bool isColorRow = row < 0;
            const vec3 color = isColorRow ? colors[column] : vec3(0.91f, 0.68f, 0.42f);
            const std::string name = "sphere " + std::to_string(row) + " " + std::to_string(column);
            const std::uint32_t material =
                b.addPlain(name, color, isColorRow ? 0.5f : roughness, isColorRow ? 0.0f : static_cast<float>(row) / 4.0f);
            b.addNode(name, at(vec3(static_cast<float>(column) - 4.0f, static_cast<float>(row), 0)), kNoIndex,
                b.addMesh(name, {sphere(material)}));
        }
    b.addCamera(vec3(0, 1.5f, 11.0f), vec3(0, 1.5f, 0), 36.0f);
    b.addSun(kTowardsSun, vec3(1.0f), 3.0f);
    return b.take();
}

SceneDescription makeTextureBoard()
{
    SceneBuilder b("texture-board");
    const std::uint32_t card = b.addImage(synthColor("test card", 256, testCard));
    struct Field
    {
        const char* name;
        vec2 offset, scale;
        float rotation;
        WrapMode wrap;
    };
    const Field fields[] = {
        {"plain", vec2(0), vec2(1), 0.0f, WrapMode::Repeat},
        {"offset", vec2(0.25f, 0.5f), vec2(1), 0.0f, WrapMode::Repeat},
        {"scale", vec2(0), vec2(2, 0.5f), 0.0f, WrapMode::Repeat},
        {"rotation", vec2(0), vec2(1), 0.5235988f, WrapMode::Repeat},
        {"all", vec2(0.3f, -0.2f), vec2(1.5f, 1.2f), -0.7f, WrapMode::Repeat},
        {"repeat", vec2(-0.5f), vec2(2), 0.0f, WrapMode::Repeat},
        {"mirror", vec2(-0.5f), vec2(2), 0.0f, WrapMode::MirroredRepeat},
        {"clamp", vec2(-0.5f), vec2(2), 0.0f, WrapMode::ClampToEdge},
    };
    for (std::size_t i = 0; i < std::size(fields); ++i)
    {
        Material material;
        material.name = fields[i].name;
        material.metallicFactor = 0.0f;
        material.roughnessFactor = 0.9f;
        material.baseColor = texture(card);
        material.baseColor.uvOffset = fields[i].offset;
        material.baseColor.uvScale = fields[i].scale;
        material.baseColor.uvRotation = fields[i].rotation;
        material.baseColor.sampler.wrapU = material.baseColor.sampler.wrapV = fields[i].wrap;
        const std::size_t rowIndex = i / 4;
        const auto column = static_cast<float>(i % 4), row = static_cast<float>(rowIndex);
        const vec3 place(1.2f * (column - 1.5f), 0.6f - 1.2f * row, 0);
        b.addNode(fields[i].name, at(place), kNoIndex, b.addMesh(fields[i].name, {pane(b.addMaterial(std::move(material)), 0.5f)}));
    }
    b.addCamera(vec3(0, 0, 5.2f), vec3(0.0f), 32.0f);
    b.addSun(vec3(0.1f, 0.2f, 1.0f), vec3(1.0f), 3.0f);
    return b.take();
}

SceneDescription makeVertexColours()
{
    SceneBuilder b("vertex-colours");
    const std::uint32_t lit = b.addPlain("lit", vec3(1.0f), 0.6f);
    const std::uint32_t unlit = b.addPlain("unlit", vec3(1.0f), 1.0f);
    b.scene.materials[unlit].isUnlit = true;
    const std::uint32_t tinted = b.addPlain("tinted", vec3(0.4f, 1.0f, 0.4f), 0.6f);
    int column = 0;
    for (const std::uint32_t material : {lit, unlit, tinted})
    {
        MeshBuilder shape;
        shape.color = vec4(1.0f);
        shape.ellipsoid(vec3(0.0f), vec3(0.8f), 32, 16);
        Primitive primitive = shape.take(material);
        for (std::size_t i = 0; i < primitive.positions.size(); ++i)
            primitive.colors[i] = vec4(glm::clamp(primitive.positions[i] / 1.6f + 0.5f, vec3(0.0f), vec3(1.0f)), 1.0f);
        const std::string& name = b.scene.materials[material].name;
        b.addNode(name, at(vec3(1.9f * static_cast<float>(column++ - 1), 0, 0)), kNoIndex, b.addMesh(name, {std::move(primitive)}));
    }
    b.addCamera(vec3(0, 0.8f, 6.5f), vec3(0.0f), 32.0f);
    b.addSun(kTowardsSun, vec3(1.0f), 3.0f);
    return b.take();
}

SceneDescription makeSurfaceBoard()
{
    SceneBuilder b("surface-board");
    const SurfaceImages relief = synthSurface("domes", 256, 0.06f, domes);
    const std::uint32_t normal = b.addImage(relief.normal);
    const std::uint32_t orm = b.addImage(relief.orm);
    const std::uint32_t rings = b.addImage(synthColor("rings", 256, glowingRings));
    const char* names[] = {"plain", "normal", "occlusion", "emissive", "half normal", "all"};
    for (std::uint32_t i = 0; i < std::size(names); ++i)
    {
        Material material;
        material.name = names[i];
        material.baseColorFactor = vec4(0.5f, 0.42f, 0.34f, 1.0f);
        material.metallicFactor = 0.0f;
        material.roughnessFactor = 0.5f;
        if (i == 1 || i >= 4)
            material.normal = texture(normal);
        if (i == 4)
            material.normalScale = 0.5f;
        if (i == 2 || i == 5)
            material.occlusion = texture(orm);
        if (i == 3 || i == 5)
        {
            material.emissive = texture(rings);
            material.emissiveFactor = vec3(2.0f, 1.8f, 1.5f);
        }
        const std::size_t rowIndex = i / 3;
        const auto column = static_cast<float>(i % 3), row = static_cast<float>(rowIndex);
        const vec3 place(1.3f * (column - 1.0f), 0.65f - 1.3f * row, 0);
        b.addNode(names[i], at(place), kNoIndex, b.addMesh(names[i], {pane(b.addMaterial(std::move(material)), 0.55f)}));
    }
    b.addCamera(vec3(0, 0, 5.0f), vec3(0.0f), 32.0f);
    b.addSun(vec3(-0.7f, 0.5f, 0.5f), vec3(1.0f), 3.0f);
    return b.take();
}

} // namespace dl::scenes
