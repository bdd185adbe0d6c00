// apps/cli/scene_counts.h - what a loaded scene holds and what its importer noticed, one way for `inspect` and reports.
#pragma once

#include "drawloom/asset/scene_description.h"

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <vector>

namespace dl::cli
{

struct SceneCounts
{
    std::uint64_t nodes = 0;
    std::uint64_t instances = 0; ///< mesh nodes, with their instance lists
    std::uint64_t lodLevels = 0; ///< below the finest, of all nodes
    std::uint64_t meshes = 0, primitives = 0, vertices = 0;
    std::uint64_t triangles = 0;      ///< as stored
    std::uint64_t trianglesDrawn = 0; ///< by all instances
    std::uint64_t morphTargets = 0;   ///< of all meshes; the primitives of a mesh share them
    std::uint64_t materials = 0;
    std::uint64_t textures = 0; ///< images
    std::uint64_t skins = 0, animations = 0, cameras = 0, lights = 0;
};

SceneCounts countScene(const SceneDescription& scene);
void addCounts(SceneCounts& total, const SceneCounts& more);
nlohmann::ordered_json countsToJson(const SceneCounts& counts);
nlohmann::ordered_json issueToJson(const ImportIssue& issue);
nlohmann::ordered_json issuesToJson(const std::vector<ImportIssue>& issues);

} // namespace dl::cli
