#include "box.h"

#include "drawloom/resource/material_table.h"
#include "drawloom/resource/vertex_streams.h"

namespace dl::samples
{
namespace
{

void addFace(Primitive& box, int axis, float side)
{
    const auto first = static_cast<std::uint32_t>(box.positions.size());
    vec3 normal(0.0f), u(0.0f), v(0.0f);
    normal[axis] = side;
    u[(axis + 1) % 3] = side; // keeps the winding
    v[(axis + 2) % 3] = 1.0f;
    for (const vec2 corner : {vec2(-1, -1), vec2(1, -1), vec2(1, 1), vec2(-1, 1)})
    {
        box.positions.push_back(0.5f * (normal + corner.x * u + corner.y * v));
        box.normals.push_back(normal);
    }
    for (const std::uint32_t i : {0U, 1U, 2U, 0U, 2U, 3U})
        box.indices.push_back(first + i);
}

Primitive makeBox()
{
    Primitive box;
    for (const int axis : {0, 2, 1}) // -Y last, see kBottomlessIndexCount
        for (const float side : {1.0f, -1.0f})
            addFace(box, axis, side);
    return box;
}

} // namespace

Result<Box> addBox(Renderer& renderer, std::string_view name, const Material& material, SurfaceId surface)
{
    GpuResources& resources = renderer.resources();
    Box box;
    DL_TRY_ASSIGN(MeshData data, packPrimitive(makeBox(), 0, name));
    DL_TRY_ASSIGN(box.range, resources.geometry().add(std::move(data)));
    DL_TRY_ASSIGN(box.textures, resources.textureSets().acquire({})); // five neutral ones
    DrawMaterialDesc row{.name = std::string(name), .params = packMaterial(material), .textureSet = box.textures, .surface = surface};
    DL_TRY_ASSIGN(box.material, renderer.library().addMaterial(row));
    MeshSetDesc set;
    set.name = name;
    set.lods.emplace_back().sections.emplace_back().range = box.range;
    set.materials = {box.material};
    set.bounds = {vec3(-0.5f), vec3(0.5f)};
    DL_TRY_ASSIGN(box.meshSet, renderer.library().addMeshSet(set));
    return box;
}

Result<void> removeBox(Renderer& renderer, const Box& box)
{
    DL_TRY(renderer.library().removeMeshSet(box.meshSet));
    DL_TRY(renderer.library().removeMaterial(box.material));
    renderer.resources().textureSets().release(box.textures);
    renderer.resources().geometry().remove(box.range); // reused once the GPU has read it for the last time
    return {};
}

} // namespace dl::samples
