// drawloom/scene/scene_build.cpp - from a scene description to ranges, materials, mesh sets and instances.
#include "drawloom/resource/gpu_resources.h"
#include "drawloom/scene/detail/scene_instance_impl.h"

#include <algorithm>
#include <cmath>

namespace dl
{

namespace
{
/// UV units per metre, over the primitives' areas. Called before the mesh is checked: what is out of range does not count.
float uvDensityOf(const Mesh& mesh)
{
    double uvArea = 0.0, area = 0.0;
    for (const Primitive& primitive : mesh.primitives)
    {
        const std::size_t vertexCount = std::min(primitive.positions.size(), primitive.uv0.size());
        for (std::size_t i = 0; i + 2 < primitive.indices.size(); i += 3)
        {
            const std::uint32_t a = primitive.indices[i], b = primitive.indices[i + 1], c = primitive.indices[i + 2];
            if (std::max({a, b, c}) >= vertexCount)
                continue;
            const vec2 u = primitive.uv0[b] - primitive.uv0[a], v = primitive.uv0[c] - primitive.uv0[a];
            uvArea += std::abs(u.x * v.y - u.y * v.x);
            area +=
                glm::length(glm::cross(primitive.positions[b] - primitive.positions[a], primitive.positions[c] - primitive.positions[a]));
        }
    }
    return area > 0.0 ? static_cast<float>(std::sqrt(uvArea / area)) : 0.0f;
}

void includeBounds(const Mesh& mesh, Aabb& box)
{
    for (const Primitive& primitive : mesh.primitives)
        box.include(primitive.bounds);
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
        for (const MeshEntry::Set& set : mesh.sets)
        {
            const Result<void> removed = !set.id ? Result<void>{} : library.removeMeshSet(set.id);
            DL_ASSERT(removed, "somebody else holds a mesh set of this scene");
        }
    }
    for (const MeshEntry& mesh : meshes) // sets of other meshes draw these ranges as levels
    {
        for (const MeshEntry::Set& set : mesh.sets)
            if (set.range)
                library.resources().geometry().remove(set.range);
        for (const MeshEntry::Range& range : mesh.ranges)
            library.resources().geometry().remove(range.id);
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
        if (source.nodes[node].meshIndex < source.meshes.size())
            DL_TRY(placeNode(source, node));
    counts.textures = images.slotCount();
    issues.insert(issues.end(), images.issues().begin(), images.issues().end());
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

Result<MeshRangeId> SceneInstance::Impl::addRange(const SceneDescription& source, std::uint32_t meshIndex, std::uint32_t primitive,
    std::uint32_t part, std::span<const std::uint32_t> moreIndices)
{
    const Mesh& mesh = source.meshes[meshIndex];
    Result<MeshData> data = packPrimitive(mesh.primitives[primitive], part, mesh.name);
    if (!data)
        return withContext(std::move(data).error(), "mesh \"" + mesh.name + "\" primitive " + std::to_string(primitive));
    data->indices.insert(data->indices.end(), moreIndices.begin(), moreIndices.end());
    return library.resources().geometry().add(std::move(data).value());
}

Result<MeshRangeId> SceneInstance::Impl::rangeOf(
    const SceneDescription& source, std::uint32_t meshIndex, std::uint32_t primitive, std::uint32_t part)
{
    for (const MeshEntry::Range& range : meshes[meshIndex].ranges)
        if (range.primitive == primitive && range.part == part)
            return range.id;
    DL_TRY_ASSIGN(const MeshRangeId id, addRange(source, meshIndex, primitive, part, {}));
    meshes[meshIndex].ranges.push_back({primitive, part, id});
    return id;
}

MeshSetDesc SceneInstance::Impl::startMeshSet(const SceneDescription& source, std::uint32_t meshIndex) const
{
    const Mesh& mesh = source.meshes[meshIndex];
    MeshSetDesc set;
    set.name = mesh.name.empty() ? "mesh " + std::to_string(meshIndex) : mesh.name;
    set.uvDensity = uvDensityOf(mesh);
    set.flags = desc.castsShadows ? BatchFlags() : BatchFlags(BatchFlag::NoShadow);
    return set;
}

/// Parts are the primitives of the finest level. A lower level's primitive takes the part of its own number if the material
/// is the same, else the first part of its material, else a part of its own: overrides by part hold for all levels.
Result<void> SceneInstance::Impl::addLevel(
    const SceneDescription& source, const detail::NodeLevel& level, std::vector<std::uint32_t>& partMaterials, MeshSetDesc& set)
{
    const Mesh& mesh = source.meshes[level.meshIndex];
    const bool isFinest = set.lods.empty();
    MeshLod& lod = set.lods.emplace_back();
    lod.minScreenSize = level.minScreenSize;
    for (std::uint32_t primitive = 0; primitive < mesh.primitives.size(); ++primitive)
    {
        const std::uint32_t material = mesh.primitives[primitive].materialIndex;
        const auto begin = partMaterials.begin(), end = partMaterials.end();
        auto part = isFinest ? end : std::find(begin, end, material);
        if (!isFinest && primitive < partMaterials.size() && partMaterials[primitive] == material)
            part = begin + primitive;
        MeshSection& section = lod.sections.emplace_back();
        section.part = static_cast<std::uint32_t>(part - begin);
        if (part == end)
        {
            partMaterials.push_back(material);
            DL_TRY_ASSIGN(const MaterialId id, materialOf(source, material));
            set.materials.push_back(id);
        }
        DL_TRY_ASSIGN(section.range, rangeOf(source, level.meshIndex, primitive, section.part));
        section.factory = library.rigidFactory();
    }
    includeBounds(mesh, set.bounds);
    return {};
}

Result<MeshSetId> SceneInstance::Impl::rigidSet(const SceneDescription& source, const Levels& levels)
{
    std::vector<MeshEntry::Set>& sets = meshes[levels[0].meshIndex].sets;
    for (const MeshEntry::Set& known : sets)
        if (known.primitive == kNoIndex && known.levels == levels)
            return known.id;
    MeshSetDesc set = startMeshSet(source, levels[0].meshIndex);
    std::vector<std::uint32_t> partMaterials;
    for (const detail::NodeLevel& level : levels)
        DL_TRY(addLevel(source, level, partMaterials, set));
    DL_TRY_ASSIGN(const MeshSetId id, library.addMeshSet(set));
    sets.push_back({levels, kNoIndex, id, {}});
    ++counts.meshSets;
    return id;
}

/// One primitive with its levels as pieces of one range: what the pass deform makes of its vertices serves all of them. A
/// level that has no triangle of it ends the list.
Result<SceneInstance::Impl::MeshEntry::Set> SceneInstance::Impl::deformedSet(
    const SceneDescription& source, const Levels& levels, const Matches& matches, std::uint32_t primitive)
{
    const std::uint32_t meshIndex = levels[0].meshIndex;
    for (const MeshEntry::Set& known : meshes[meshIndex].sets)
        if (known.primitive == primitive && known.levels == levels)
            return known;
    const Mesh& mesh = source.meshes[meshIndex];
    MeshSetDesc set = startMeshSet(source, meshIndex);
    for (const Primitive& part : mesh.primitives)
    {
        DL_TRY_ASSIGN(const MaterialId material, materialOf(source, part.materialIndex));
        set.materials.push_back(material);
    }
    set.bounds = mesh.primitives[primitive].bounds;
    std::vector<std::uint32_t> moreIndices;
    const auto finestCount = static_cast<std::uint32_t>(mesh.primitives[primitive].indices.size());
    for (std::size_t level = 0; level < levels.size(); ++level)
    {
        const auto at = std::find(matches[level].begin(), matches[level].end(), primitive);
        if (at == matches[level].end())
            break;
        MeshLod& lod = set.lods.emplace_back();
        lod.minScreenSize = levels[level].minScreenSize;
        MeshSection& section = lod.sections.emplace_back();
        section.part = primitive;
        section.factory = library.deformedFactory();
        section.indexCount = finestCount;
        if (level == 0)
            continue;
        const auto index = static_cast<std::size_t>(at - matches[level].begin());
        const std::vector<std::uint32_t>& indices = source.meshes[levels[level].meshIndex].primitives[index].indices;
        section.firstIndex = finestCount + static_cast<std::uint32_t>(moreIndices.size());
        section.indexCount = static_cast<std::uint32_t>(indices.size());
        moreIndices.insert(moreIndices.end(), indices.begin(), indices.end());
    }
    std::vector<MeshEntry::Set>& sets = meshes[meshIndex].sets;
    MeshEntry::Set& made = sets.emplace_back(MeshEntry::Set{levels, primitive, {}, {}});
    DL_TRY_ASSIGN(made.range, addRange(source, meshIndex, primitive, primitive, moreIndices));
    for (MeshLod& lod : set.lods)
        lod.sections[0].range = made.range;
    DL_TRY_ASSIGN(made.id, library.addMeshSet(set));
    ++counts.meshSets;
    return made;
}

Result<void> SceneInstance::Impl::placeNode(const SceneDescription& source, std::uint32_t nodeIndex)
{
    const Node& node = source.nodes[nodeIndex];
    const bool hasSkin = node.skinIndex < source.skins.size();
    Levels levels = detail::levelsOf(source, node, issues);
    if (levels.empty())
        return {};
    bool isDeformed = false;
    for (const detail::NodeLevel& level : levels)
        for (const Primitive& primitive : source.meshes[level.meshIndex].primitives)
            isDeformed = isDeformed || isDeformable(primitive, hasSkin);
    if (!isDeformed)
        return placeRigid(source, nodeIndex, levels);
    const Matches matches = detail::keepSharedLevels(source, node, levels, issues);
    // One instance record has one deform offset, so each primitive becomes an instance of its own.
    for (std::uint32_t primitive = 0; primitive < matches[0].size(); ++primitive)
        DL_TRY(placeDeformed(source, nodeIndex, levels, matches, primitive));
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

Result<void> SceneInstance::Impl::placeRigid(const SceneDescription& source, std::uint32_t nodeIndex, const Levels& levels)
{
    const Node& node = source.nodes[nodeIndex];
    DL_TRY_ASSIGN(const MeshSetId set, rigidSet(source, levels));
    std::uint64_t triangles = 0;
    for (const Primitive& primitive : source.meshes[levels[0].meshIndex].primitives)
        triangles += primitive.triangleCount();
    Aabb box;
    for (const detail::NodeLevel& level : levels)
        includeBounds(source.meshes[level.meshIndex], box);
    const std::size_t copies = node.instances.empty() ? 1 : node.instances.size();
    for (std::size_t i = 0; i < copies; ++i)
    {
        Placed copy;
        copy.node = nodeIndex;
        copy.local = node.instances.empty() ? Affine{} : node.instances[i];
        copy.world = compose(worlds[nodeIndex], copy.local);
        copy.localBounds = box;
        place(copy, set, 0, triangles);
    }
    return {};
}

Result<void> SceneInstance::Impl::placeDeformed(
    const SceneDescription& source, std::uint32_t nodeIndex, const Levels& levels, const Matches& matches, std::uint32_t primitiveIndex)
{
    const Node& node = source.nodes[nodeIndex];
    const Primitive& primitive = source.meshes[levels[0].meshIndex].primitives[primitiveIndex];
    GpuResources& resources = library.resources();
    DL_TRY_ASSIGN(const MeshEntry::Set set, deformedSet(source, levels, matches, primitiveIndex));
    const bool isSkinned = node.skinIndex < source.skins.size() && !primitive.skin.empty();
    const std::size_t copies = node.instances.empty() || isSkinned ? 1 : node.instances.size();
    for (std::size_t i = 0; i < copies; ++i)
    {
        Deform deform;
        DL_TRY_ASSIGN(deform.slot, resources.deform().allocate(set.range));
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
        place(copy, set.id, offset, primitive.triangleCount());
        ++counts.deformedInstances;
    }
    return {};
}

} // namespace dl
