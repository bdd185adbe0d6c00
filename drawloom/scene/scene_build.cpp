// drawloom/scene/scene_build.cpp - from a scene description to ranges, materials, mesh sets and instances.
#include "drawloom/resource/gpu_resources.h"
#include "drawloom/scene/detail/scene_instance_impl.h"

#include <cmath>

namespace dl
{

namespace
{
constexpr std::uint32_t kAllPrimitives = UINT32_MAX;

/// UV units per metre, over the primitives' areas.
float uvDensityOf(const Mesh& mesh)
{
    double uvArea = 0.0, area = 0.0;
    for (const Primitive& primitive : mesh.primitives)
    {
        if (primitive.uv0.empty())
            continue;
        for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3)
        {
            const std::uint32_t a = primitive.indices[i], b = primitive.indices[i + 1], c = primitive.indices[i + 2];
            const vec2 u = primitive.uv0[b] - primitive.uv0[a], v = primitive.uv0[c] - primitive.uv0[a];
            uvArea += std::abs(u.x * v.y - u.y * v.x);
            area +=
                glm::length(glm::cross(primitive.positions[b] - primitive.positions[a], primitive.positions[c] - primitive.positions[a]));
        }
    }
    return area > 0.0 ? static_cast<float>(std::sqrt(uvArea / area)) : 0.0f;
}

bool isDeformable(const Primitive& primitive, bool hasSkin)
{
    return (hasSkin && !primitive.skin.empty()) || !primitive.morphTargets.empty();
}
} // namespace

SceneInstance::Impl::~Impl()
{
    for (const Placed& entry : placed)
        registry.remove(entry.id);
    registry.applyEdits(); // variants must be released before their mesh sets go
    for (const Deform& deform : deforms)
        library.resources().deform().free(deform.slot);
    for (const MeshEntry& mesh : meshes)
    {
        std::vector<MeshSetId> sets = mesh.deformed;
        sets.push_back(mesh.rigid);
        for (const MeshSetId set : sets)
            if (set)
            {
                const Result<void> removed = library.removeMeshSet(set);
                DL_ASSERT(removed, "somebody else holds a mesh set of this scene");
            }
        for (const MeshRangeId range : mesh.ranges)
            library.resources().geometry().remove(range);
    }
    for (const MaterialId material : materials)
        if (material)
        {
            const Result<void> removed = library.removeMaterial(material);
            DL_ASSERT(removed, "a material of this scene was removed by somebody else");
        }
}

Result<void> SceneInstance::Impl::build(const SceneDescription& source)
{
    scene.name = source.name;
    scene.nodes = source.nodes;
    scene.skins = source.skins;
    scene.animations = source.animations;
    scene.cameras = source.cameras;
    scene.defaultCameraNode = source.defaultCameraNode;
    scene.lights = source.lights;
    for (const Mesh& mesh : source.meshes)
        scene.meshes.push_back({mesh.name, {}, mesh.morphWeights});
    materials.resize(source.materials.size() + 1);
    meshes.resize(source.meshes.size());
    skins.resize(source.skins.size());
    computeWorlds();

    counts.nodes = static_cast<std::uint32_t>(source.nodes.size());
    counts.meshes = static_cast<std::uint32_t>(source.meshes.size());
    counts.materials = static_cast<std::uint32_t>(source.materials.size());
    counts.skins = static_cast<std::uint32_t>(source.skins.size());
    for (const Mesh& mesh : source.meshes)
    {
        counts.primitives += static_cast<std::uint32_t>(mesh.primitives.size());
        for (const Primitive& primitive : mesh.primitives)
            counts.morphTargets += static_cast<std::uint32_t>(primitive.morphTargets.size());
    }
    for (std::uint32_t node = 0; node < source.nodes.size(); ++node)
        if (source.nodes[node].meshIndex < source.meshes.size() && !source.meshes[source.nodes[node].meshIndex].primitives.empty())
            DL_TRY(placeNode(source, node));
    counts.textures = images.slotCount();
    pose();
    placeCamerasAndLights();
    return {};
}

Result<MaterialId> SceneInstance::Impl::materialOf(const SceneDescription& source, std::uint32_t materialIndex)
{
    const bool isDefault = materialIndex >= source.materials.size();
    MaterialId& id = materials[isDefault ? source.materials.size() : materialIndex];
    if (id)
        return id;
    const Material standard;
    const Material& material = isDefault ? standard : source.materials[materialIndex];
    DrawMaterialDesc materialDesc;
    materialDesc.name = isDefault ? "default material" : material.name;
    materialDesc.params = packMaterial(material);
    DL_TRY_ASSIGN(materialDesc.textureSet, images.acquireSet(source, material));
    DL_TRY_ASSIGN(id, library.addMaterial(materialDesc));
    return id;
}

Result<void> SceneInstance::Impl::buildRanges(const SceneDescription& source, std::uint32_t meshIndex)
{
    MeshEntry& entry = meshes[meshIndex];
    const Mesh& mesh = source.meshes[meshIndex];
    entry.deformed.resize(mesh.primitives.size());
    while (entry.ranges.size() < mesh.primitives.size())
    {
        const auto part = static_cast<std::uint32_t>(entry.ranges.size());
        Result<MeshData> data = packPrimitive(mesh.primitives[part], part, mesh.name);
        if (!data)
            return withContext(std::move(data).error(), "mesh \"" + mesh.name + "\" primitive " + std::to_string(part));
        DL_TRY_ASSIGN(const MeshRangeId range, library.resources().geometry().add(std::move(data).value()));
        entry.ranges.push_back(range);
    }
    return {};
}

Result<MeshSetId> SceneInstance::Impl::buildMeshSet(const SceneDescription& source, std::uint32_t meshIndex, std::uint32_t onlyPrimitive)
{
    const Mesh& mesh = source.meshes[meshIndex];
    MeshSetDesc set;
    set.name = mesh.name.empty() ? "mesh " + std::to_string(meshIndex) : mesh.name;
    set.uvDensity = uvDensityOf(mesh);
    set.flags = desc.castsShadows ? BatchFlags() : BatchFlags(BatchFlag::NoShadow);
    MeshLod& lod = set.lods.emplace_back();
    for (std::uint32_t part = 0; part < mesh.primitives.size(); ++part)
    {
        DL_TRY_ASSIGN(const MaterialId material, materialOf(source, mesh.primitives[part].materialIndex));
        set.materials.push_back(material);
        if (onlyPrimitive != kAllPrimitives && onlyPrimitive != part)
            continue;
        MeshSection& section = lod.sections.emplace_back();
        section.range = meshes[meshIndex].ranges[part];
        section.part = part;
        section.factory = onlyPrimitive == kAllPrimitives ? library.rigidFactory() : library.deformedFactory();
        set.bounds.include(mesh.primitives[part].bounds);
    }
    ++counts.meshSets;
    return library.addMeshSet(set);
}

Result<void> SceneInstance::Impl::placeNode(const SceneDescription& source, std::uint32_t nodeIndex)
{
    const Node& node = source.nodes[nodeIndex];
    const Mesh& mesh = source.meshes[node.meshIndex];
    const bool hasSkin = node.skinIndex < source.skins.size();
    DL_TRY(buildRanges(source, node.meshIndex));
    bool isDeformed = false;
    for (const Primitive& primitive : mesh.primitives)
        isDeformed = isDeformed || isDeformable(primitive, hasSkin);
    if (!isDeformed)
        return placeRigid(source, nodeIndex);
    // One instance record has one deform offset, so each primitive becomes an instance of its own.
    for (std::uint32_t primitive = 0; primitive < mesh.primitives.size(); ++primitive)
        DL_TRY(placeDeformed(source, nodeIndex, primitive));
    return {};
}

void SceneInstance::Impl::place(Placed entry, MeshSetId meshSet, std::uint32_t deformOffset, std::uint64_t triangles)
{
    InstanceDesc instance;
    instance.meshSet = meshSet;
    instance.transform = {desc.root.cell, entry.world};
    instance.layers = desc.layers;
    instance.visibilityGroup = desc.visibilityGroup;
    instance.deformOffset = deformOffset;
    instance.isDeformed = entry.deformed != kNoIndex;
    instance.localBounds = entry.localBounds;
    instance.userTag = entry.node + 1ULL;
    instance.transform = normalised(instance.transform);
    entry.id = registry.add(instance);
    nodeOfInstance.emplace(entry.id, entry.node);
    placed.push_back(entry);
    ++counts.instances;
    counts.triangles += triangles;
}

Result<void> SceneInstance::Impl::placeRigid(const SceneDescription& source, std::uint32_t nodeIndex)
{
    const Node& node = source.nodes[nodeIndex];
    MeshEntry& entry = meshes[node.meshIndex];
    if (!entry.rigid)
    {
        DL_TRY_ASSIGN(entry.rigid, buildMeshSet(source, node.meshIndex, kAllPrimitives));
    }
    std::uint64_t triangles = 0;
    Aabb box;
    for (const Primitive& primitive : source.meshes[node.meshIndex].primitives)
    {
        triangles += primitive.triangleCount();
        box.include(primitive.bounds);
    }
    const std::size_t copies = node.instances.empty() ? 1 : node.instances.size();
    for (std::size_t i = 0; i < copies; ++i)
    {
        Placed copy;
        copy.node = nodeIndex;
        copy.local = node.instances.empty() ? Affine{} : node.instances[i];
        copy.world = compose(worlds[nodeIndex], copy.local);
        copy.localBounds = box;
        place(copy, entry.rigid, 0, triangles);
    }
    return {};
}

Result<void> SceneInstance::Impl::placeDeformed(const SceneDescription& source, std::uint32_t nodeIndex, std::uint32_t primitiveIndex)
{
    const Node& node = source.nodes[nodeIndex];
    const Primitive& primitive = source.meshes[node.meshIndex].primitives[primitiveIndex];
    MeshEntry& entry = meshes[node.meshIndex];
    GpuResources& resources = library.resources();
    MeshSetId& set = entry.deformed[primitiveIndex];
    if (!set)
    {
        DL_TRY_ASSIGN(set, buildMeshSet(source, node.meshIndex, primitiveIndex));
    }
    const bool isSkinned = node.skinIndex < source.skins.size() && !primitive.skin.empty();
    const std::size_t copies = node.instances.empty() || isSkinned ? 1 : node.instances.size();
    for (std::size_t i = 0; i < copies; ++i)
    {
        Deform deform;
        DL_TRY_ASSIGN(deform.slot, resources.deform().allocate(entry.ranges[primitiveIndex]));
        deform.placed = static_cast<std::uint32_t>(placed.size());
        deform.node = nodeIndex;
        deform.skin = isSkinned ? node.skinIndex : kNoIndex;
        deform.bounds = detail::DeformBounds::of(primitive);
        const std::uint32_t offset = resources.deform().deformOffset(deform.slot);
        Placed copy;
        copy.node = nodeIndex;
        copy.deformed = static_cast<std::uint32_t>(deforms.size());
        copy.local = node.instances.empty() || isSkinned ? Affine{} : node.instances[i];
        // The node of a skinned mesh does not move it, as glTF says.
        copy.world = isSkinned ? desc.root.affine : compose(worlds[nodeIndex], copy.local);
        copy.localBounds = primitive.bounds;
        deforms.push_back(std::move(deform));
        place(copy, set, offset, primitive.triangleCount());
        ++counts.deformedInstances;
    }
    return {};
}

} // namespace dl
