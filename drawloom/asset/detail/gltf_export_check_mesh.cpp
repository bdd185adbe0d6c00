// drawloom/asset/detail/gltf_export_check_mesh.cpp - meshes that can not be written as glTF.
#include "drawloom/asset/detail/gltf_export_check_values.h"

namespace dl::detail
{
namespace
{

template <class T> bool fits(const std::vector<T>& values, std::size_t count)
{
    return values.empty() || values.size() == count;
}

Result<void> checkPrimitive(const SceneDescription& scene, const Primitive& p, const std::string& where)
{
    const std::size_t count = p.positions.size();
    if (count == 0 || count > 0xfffffffeU || p.indices.empty() || p.indices.size() % 3 != 0)
        return invalid(where,
            "needs vertices and a multiple of three indices, has " + std::to_string(count) + " and " + std::to_string(p.indices.size()));
    if (!fits(p.normals, count) || !fits(p.tangents, count) || !fits(p.uv0, count) || !fits(p.uv1, count) || !fits(p.colors, count) ||
        !fits(p.skin, count) || !fits(p.skin1, count))
        return invalid(where, "has an attribute whose length is not its vertex count " + std::to_string(count));
    for (const MorphTarget& target : p.morphTargets)
        if (!fits(target.positions, count) || !fits(target.normals, count) || !fits(target.tangents, count))
            return invalid(where, "has a morph target \"" + target.name + "\" whose length is not its vertex count");
        else if (!isFiniteArray(target.positions) || !isFiniteArray(target.normals) || !isFiniteArray(target.tangents))
            return invalid(where, "has a morph target \"" + target.name + "\" with a number that is not finite");
    for (const std::vector<VertexSkin>* skin : {&p.skin, &p.skin1})
        for (const VertexSkin& influences : *skin)
            if (!isFinite(&influences.weights[0], 4))
                return invalid(where, "has a skin weight that is not finite");
    if (const auto bad = std::find_if(p.indices.begin(), p.indices.end(), [count](std::uint32_t index) { return index >= count; });
        bad != p.indices.end())
        return invalid(where, "index " + std::to_string(*bad) + " for " + std::to_string(count) + " vertices");
    for (const VariantMaterial& entry : p.variantMaterials)
        if (!isIndex(entry.materialIndex, scene.materials.size()) || !isIndex(entry.variantIndex, scene.variants.size()))
            return invalid(where, "has a variant or a variant's material that is not there");
    if (!isIndex(p.materialIndex, scene.materials.size()))
        return invalid(where, "names material " + std::to_string(p.materialIndex) + " of " + std::to_string(scene.materials.size()));
    if (!isFiniteArray(p.positions) || !isFiniteArray(p.normals) || !isFiniteArray(p.tangents) || !isFiniteArray(p.uv0) ||
        !isFiniteArray(p.uv1) || !isFiniteArray(p.colors))
        return invalid(where, "has a number that is not finite");
    return {};
}

} // namespace

Result<void> checkMeshes(const SceneDescription& scene)
{
    for (std::size_t m = 0; m < scene.meshes.size(); ++m)
    {
        const Mesh& mesh = scene.meshes[m];
        const std::string meshWhere = whereOf("meshes", m, mesh.name);
        for (std::size_t i = 0; i < mesh.primitives.size(); ++i)
        {
            const std::string where = meshWhere + " primitive " + std::to_string(i);
            DL_TRY(checkPrimitive(scene, mesh.primitives[i], where));
            if (mesh.primitives[i].morphTargets.size() != mesh.morphWeights.size())
                return invalid(where, std::to_string(mesh.primitives[i].morphTargets.size()) + " morph targets for " +
                                          std::to_string(mesh.morphWeights.size()) + " weights");
        }
        if (!isFiniteArray(mesh.morphWeights))
            return invalid(meshWhere, "has a morph weight that is not finite");
    }
    return {};
}

} // namespace dl::detail
