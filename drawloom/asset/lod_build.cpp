// drawloom/asset/lod_build.cpp - see the header.
#include "drawloom/asset/lod_build.h"

#include "drawloom/asset/detail/lod_mesh.h"
#include "drawloom/core/parallel.h"
#include "drawloom/core/trace.h"

#include <meshoptimizer.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace dl
{
namespace
{

constexpr std::size_t kMeshesPerStep = 32; ///< between two calls of onProgress

struct MeshLevel
{
    Mesh mesh;
    std::uint64_t triangleCount = 0;
    float errorMetres = 0.0f, switchSize = 0.0f;
};

struct MeshLevels
{
    std::vector<MeshLevel> levels;
    std::string problem;
};

bool isTextured(const Material& material)
{
    for (const TextureRef* texture :
        {&material.baseColor, &material.metallicRoughness, &material.normal, &material.occlusion, &material.emissive})
        if (texture->isPresent())
            return true;
    return false;
}

detail::LodAttributes attributesOf(const SceneDescription& scene, const Primitive& primitive)
{
    const bool hasVariants = !primitive.variantMaterials.empty(); // whose textures may come later
    const Material* const material = primitive.materialIndex < scene.materials.size() ? &scene.materials[primitive.materialIndex] : nullptr;
    return {.hasUvs = hasVariants || (material != nullptr && isTextured(*material)),
        .hasTangents = hasVariants || (material != nullptr && material->normal.isPresent())};
}

std::uint64_t triangleCountOf(const detail::LevelIndices& level)
{
    std::uint64_t count = 0;
    for (const std::vector<std::uint32_t>& indices : level)
        count += indices.size() / 3;
    return count;
}

/// Half the diagonal of the bounds, which is what the registry takes for the radius.
float radiusOf(const Mesh& mesh)
{
    Aabb box;
    for (const Primitive& primitive : mesh.primitives)
        for (const vec3& position : primitive.positions)
            box.include(position);
    return box.isEmpty() ? 0.0f : 0.5f * glm::distance(box.min, box.max);
}

bool isDeformable(const Mesh& mesh)
{
    return std::any_of(mesh.primitives.begin(), mesh.primitives.end(),
        [](const Primitive& primitive) { return !primitive.skin.empty() || !primitive.morphTargets.empty(); });
}

template <class T> void gather(const std::vector<T>& from, const std::vector<std::uint32_t>& order, std::vector<T>& to)
{
    for (std::size_t i = 0; i < order.size() && !from.empty(); ++i)
        to.push_back(from[order[i]]);
}

/// The vertices that are used, in the order of their first use.
void compact(const Primitive& from, Primitive& to)
{
    std::vector<std::uint32_t> order, place(from.positions.size(), kNoIndex);
    for (std::uint32_t& index : to.indices)
    {
        if (place[index] == kNoIndex)
        {
            place[index] = static_cast<std::uint32_t>(order.size());
            order.push_back(index);
        }
        index = place[index];
    }
    gather(from.positions, order, to.positions);
    gather(from.normals, order, to.normals);
    gather(from.tangents, order, to.tangents);
    gather(from.uv0, order, to.uv0);
    gather(from.uv1, order, to.uv1);
    gather(from.colors, order, to.colors);
    for (const vec3& position : to.positions)
        to.bounds.include(position);
}

Mesh makeMesh(const Mesh& original, const detail::LevelIndices& level, std::size_t number)
{
    Mesh mesh;
    mesh.name = original.name + " LOD" + std::to_string(number);
    mesh.morphWeights = original.morphWeights;
    const bool keepsVertices = isDeformable(original);
    for (std::size_t i = 0; i < original.primitives.size(); ++i)
    {
        const Primitive& from = original.primitives[i];
        if (level[i].empty())
            continue;
        Primitive& to = mesh.primitives.emplace_back();
        if (keepsVertices)
            to = from;
        to.materialIndex = from.materialIndex;
        to.variantMaterials = from.variantMaterials;
        to.indices.resize(level[i].size());
        meshopt_optimizeVertexCache(to.indices.data(), level[i].data(), level[i].size(), from.positions.size());
        if (!keepsVertices)
            compact(from, to);
    }
    return mesh;
}

float measure(
    const SceneDescription& scene, const Mesh& mesh, const detail::LevelIndices& welded, const detail::LevelIndices& level, float limit)
{
    float error = 0.0f;
    for (std::size_t i = 0; i < mesh.primitives.size() && error < limit; ++i)
        error =
            std::max(error, detail::measureLevel(mesh.primitives[i], attributesOf(scene, mesh.primitives[i]), welded[i], level[i], limit));
    return error;
}

MeshLevels buildMesh(const SceneDescription& scene, const Mesh& mesh, const LodBuildSettings& settings)
{
    MeshLevels out;
    std::uint64_t original = 0;
    for (const Primitive& primitive : mesh.primitives)
        original += primitive.indices.size() / 3;
    if (original < settings.minTriangleCount)
        return out;
    out.problem = detail::lodProblemOf(mesh);
    const float radius = out.problem.empty() ? radiusOf(mesh) : 0.0f;
    if (!std::isfinite(radius)) // finite coordinates whose distance is not
        out.problem = "its bounds are too large";
    if (!out.problem.empty() || radius <= 0.0f)
        return out;
    detail::LevelIndices welded;
    for (const Primitive& primitive : mesh.primitives)
        welded.push_back(detail::weldedIndices(primitive, attributesOf(scene, primitive)));
    if (!detail::relieveCrowds(mesh, welded))
    {
        out.problem = "too many of its triangles meet in one point";
        return out;
    }
    if (detail::isSpread(mesh, welded))
    {
        out.problem = "its triangles reach across it, as those of no surface do";
        return out;
    }
    const float limit = settings.maxRelativeError * radius;
    std::uint64_t before = original;
    double wanted = static_cast<double>(original);
    float errorBefore = 0.0f;
    const std::uint32_t count = std::min(settings.maxLevelCount, 7U);
    for (std::uint32_t level = 1; level <= count; ++level)
    {
        wanted *= settings.ratio;
        float error = 0.0f;
        const detail::LevelIndices indices = detail::simplifyMesh(mesh, welded, static_cast<std::size_t>(wanted), limit, error);
        const std::uint64_t triangles = triangleCountOf(indices);
        if (triangles == 0 || static_cast<double>(triangles) > settings.maxReduction * static_cast<double>(before))
            break;
        error = std::max({error, errorBefore, measure(scene, mesh, welded, indices, limit)});
        const float size = lodSwitchSize(error, radius, settings);
        if (error >= limit || size * settings.referenceHeight < settings.minSwitchPixels)
            break;
        out.levels.push_back({makeMesh(mesh, indices, level), triangles, error, size});
        before = triangles;
        errorBefore = error;
    }
    return out;
}

/// Meshes that some node draws and that no node gives levels to.
std::vector<std::uint32_t> wantedMeshes(const SceneDescription& scene)
{
    std::vector<bool> isWanted(scene.meshes.size(), false);
    for (const Node& node : scene.nodes)
        if (node.meshIndex < scene.meshes.size() && node.lods.empty())
            isWanted[node.meshIndex] = true;
    std::vector<std::uint32_t> out;
    for (std::uint32_t i = 0; i < isWanted.size(); ++i)
        if (isWanted[i])
            out.push_back(i);
    return out;
}

void addLevels(SceneDescription& scene, std::uint32_t meshIndex, MeshLevels made, std::vector<NodeLod>& lods, LodBuildResult& result)
{
    if (!made.problem.empty())
    {
        ++result.refusedMeshCount;
        scene.issues.push_back({IssueSeverity::Warning, "lod-not-built",
            "meshes[" + std::to_string(meshIndex) + "] \"" + scene.meshes[meshIndex].name + "\"", made.problem});
    }
    if (made.levels.empty())
        return;
    ++result.builtMeshCount;
    lods.push_back({meshIndex, made.levels[0].switchSize});
    for (std::size_t i = 0; i < made.levels.size(); ++i)
    {
        MeshLevel& level = made.levels[i];
        const auto index = static_cast<std::uint32_t>(scene.meshes.size());
        lods.push_back({index, i + 1 < made.levels.size() ? made.levels[i + 1].switchSize : 0.0f});
        result.levels.push_back(
            {meshIndex, index, static_cast<std::uint32_t>(i + 1), level.triangleCount, level.errorMetres, level.switchSize});
        scene.meshes.push_back(std::move(level.mesh));
    }
}

} // namespace

float lodSwitchSize(float errorMetres, float radiusMetres, const LodBuildSettings& settings)
{
    return 1.0f / (1.0f + errorMetres * settings.referenceHeight / (2.0f * settings.maxErrorPixels * radiusMetres));
}

LodBuildResult buildLods(SceneDescription& scene, const LodBuildSettings& settings)
{
    DL_TRACE_SCOPE("build lods");
    const std::uint64_t begin = nowNs();
    LodBuildResult result;
    const std::vector<std::uint32_t> wanted = wantedMeshes(scene);
    result.meshCount = static_cast<std::uint32_t>(wanted.size());
    std::vector<MeshLevels> made(wanted.size());
    for (std::size_t first = 0; first < wanted.size(); first += kMeshesPerStep)
    {
        if (settings.onProgress != nullptr)
            settings.onProgress(settings.progressUser, first, wanted.size());
        parallelFor(std::min(kMeshesPerStep, wanted.size() - first), 1,
            [&](std::size_t from, std::size_t to)
            {
                for (std::size_t i = first + from; i < first + to; ++i)
                    made[i] = buildMesh(scene, scene.meshes[wanted[i]], settings);
            });
    }
    std::vector<std::vector<NodeLod>> lods(scene.meshes.size());
    for (std::size_t i = 0; i < wanted.size(); ++i)
        addLevels(scene, wanted[i], std::move(made[i]), lods[wanted[i]], result);
    for (Node& node : scene.nodes)
        if (node.meshIndex < lods.size() && node.lods.empty())
            node.lods = lods[node.meshIndex];
    scene.issues.push_back({IssueSeverity::Info, "lods-built", "meshes",
        std::to_string(result.builtMeshCount) + " of " + std::to_string(result.meshCount) +
            " got levels of detail; the others are short of triangles, or seams (of normals, UVs, colours) hold their vertices"});
    result.ms = static_cast<double>(nowNs() - begin) * 1e-6;
    return result;
}

} // namespace dl
