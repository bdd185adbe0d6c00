// tests/scenes/many_instances.cpp - a field of small solids for benchmarks: many nodes over few meshes and materials.
#include "drawloom/core/assert.h"
#include "tests/scenes/mesh_builder.h"
#include "tests/scenes/random.h"
#include "tests/scenes/scene_builder.h"
#include "tests/scenes/scenes.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace dl::scenes
{

namespace
{

Primitive makeSolid(std::uint32_t index, std::uint32_t material, Random& random)
{
    MeshBuilder shape;
    const float height = random.range(0.6f, 2.0f);
    switch (index % 4)
    {
    case 0:
        for (int step = 0; step < 3; ++step)
        {
            const float inset = 0.12f * static_cast<float>(step);
            shape.box(vec3(-0.5f + inset, 0.33f * height * static_cast<float>(step), -0.5f + inset),
                vec3(0.5f - inset, 0.33f * height * static_cast<float>(step + 1), 0.5f - inset));
        }
        break;
    case 1: shape.lathe({vec2(0.5f, 0), vec2(0.5f * random.range(0.5f, 1.0f), 0.6f * height), vec2(0, height)}, 12 + index % 7); break;
    case 2: shape.ellipsoid(vec3(0, 0.5f * height, 0), vec3(0.5f, 0.5f * height, 0.5f), 12, 4 + index % 6); break;
    default: shape.rod(vec3(0.0f), vec3(0, height, 0), 0.4f, random.range(0.15f, 0.4f), 9 + index % 9); break;
    }
    return shape.take(material);
}

} // namespace

SceneDescription makeManyInstances(std::uint32_t instanceCount, std::uint32_t meshSetCount, std::uint32_t materialCount, std::uint64_t seed)
{
    DL_ASSERT(meshSetCount > 0 && materialCount > 0, "makeManyInstances needs at least one mesh and one material");
    Random random(seed);
    SceneBuilder builder("many-instances");
    for (std::uint32_t i = 0; i < materialCount; ++i)
        builder.addPlain("material " + std::to_string(i), vec3(random.unit(), random.unit(), random.unit()), random.range(0.2f, 1.0f),
            i % 5 == 0 ? 1.0f : 0.0f);
    // Every material is used when there are at least as many meshes; the coprime stride mixes them.
    for (std::uint32_t i = 0; i < meshSetCount; ++i)
        builder.addMesh("solid " + std::to_string(i), {makeSolid(i, (i * 7 + i / materialCount) % materialCount, random)});
    const float side = std::max(2.0f, 2.0f * std::sqrt(static_cast<float>(instanceCount)));
    builder.scene.nodes.reserve(instanceCount + 2);
    for (std::uint32_t i = 0; i < instanceCount; ++i)
    {
        const vec3 place((random.unit() - 0.5f) * side, 0.0f, (random.unit() - 0.5f) * side);
        builder.addNode("", atYaw(place, random.range(0.0f, 6.2831853f), vec3(random.range(0.7f, 1.3f))), kNoIndex,
            i < meshSetCount ? i : random.below(meshSetCount));
    }
    builder.addCamera(vec3(0.0f, 0.12f * side, 0.55f * side), vec3(0.0f), 50.0f);
    builder.addSun(vec3(0.4f, 0.8f, 0.3f), vec3(1.0f), 3.0f);
    return builder.take();
}

} // namespace dl::scenes
