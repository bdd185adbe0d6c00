#include "apps/cli/scene_counts.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace dl::cli
{
namespace
{

struct Field
{
    const char* name;
    std::uint64_t SceneCounts::* value;
};
constexpr Field kFields[] = {{"nodes", &SceneCounts::nodes}, {"instances", &SceneCounts::instances}, {"lodLevels", &SceneCounts::lodLevels},
    {"meshes", &SceneCounts::meshes}, {"primitives", &SceneCounts::primitives}, {"vertices", &SceneCounts::vertices},
    {"triangles", &SceneCounts::triangles}, {"trianglesDrawn", &SceneCounts::trianglesDrawn}, {"morphTargets", &SceneCounts::morphTargets},
    {"materials", &SceneCounts::materials}, {"textures", &SceneCounts::textures}, {"skins", &SceneCounts::skins},
    {"animations", &SceneCounts::animations}, {"cameras", &SceneCounts::cameras}, {"lights", &SceneCounts::lights}};

const char* severityName(IssueSeverity severity)
{
    return severity == IssueSeverity::Error ? "error" : severity == IssueSeverity::Warning ? "warning" : "info";
}

} // namespace

SceneCounts countScene(const SceneDescription& scene)
{
    SceneCounts counts;
    counts.nodes = scene.nodes.size();
    counts.meshes = scene.meshes.size();
    counts.materials = scene.materials.size();
    counts.textures = scene.images.size();
    counts.skins = scene.skins.size();
    counts.animations = scene.animations.size();
    counts.cameras = scene.cameras.size();
    counts.lights = scene.lights.size();
    std::vector<std::uint64_t> meshTriangles;
    for (const Mesh& mesh : scene.meshes)
    {
        std::size_t targets = 0;
        meshTriangles.push_back(0);
        for (const Primitive& primitive : mesh.primitives)
        {
            meshTriangles.back() += primitive.triangleCount();
            counts.vertices += primitive.vertexCount();
            targets = std::max(targets, primitive.morphTargets.size());
        }
        counts.primitives += mesh.primitives.size();
        counts.morphTargets += targets;
        counts.triangles += meshTriangles.back();
    }
    for (const Node& node : scene.nodes)
    {
        if (node.meshIndex == kNoIndex)
            continue;
        const std::uint64_t copies = node.instances.empty() ? 1 : node.instances.size();
        counts.instances += copies;
        counts.lodLevels += node.lods.empty() ? 0 : node.lods.size() - 1;
        counts.trianglesDrawn += copies * meshTriangles[node.meshIndex];
    }
    return counts;
}

void addCounts(SceneCounts& total, const SceneCounts& more)
{
    for (const Field& field : kFields)
        total.*field.value += more.*field.value;
}

nlohmann::ordered_json countsToJson(const SceneCounts& counts)
{
    nlohmann::ordered_json json;
    for (const Field& field : kFields)
        json[field.name] = counts.*field.value;
    return json;
}

nlohmann::ordered_json issueToJson(const ImportIssue& issue)
{
    return {{"severity", severityName(issue.severity)}, {"code", issue.code}, {"where", issue.where}, {"message", issue.message}};
}

nlohmann::ordered_json issuesToJson(const std::vector<ImportIssue>& issues)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const ImportIssue& issue : issues)
        json.push_back(issueToJson(issue));
    return json;
}

} // namespace dl::cli
