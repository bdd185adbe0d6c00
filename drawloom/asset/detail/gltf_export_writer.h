// drawloom/asset/detail/gltf_export_writer.h - what all stages of one .glb export share, and the stages. For gltf_export.cpp.
#pragma once

#include "drawloom/asset/detail/gltf_export_buffer.h"
#include "drawloom/asset/detail/gltf_export_plan.h"
#include "drawloom/asset/detail/json_writer.h"
#include "drawloom/asset/scene_description.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace dl::detail
{

/// The scene must have passed checkExportable.
struct GltfExport
{
    explicit GltfExport(const SceneDescription& sceneIn) : scene(sceneIn), plan(planNodes(sceneIn))
    {
        std::uint32_t count = 0;
        for (const Mesh& mesh : scene.meshes) // glTF has no meshes without primitives
            meshIndices.push_back(mesh.primitives.empty() ? kNoIndex : count++);
    }

    const SceneDescription& scene;
    NodePlan plan;
    JsonWriter json;
    GltfExportBuffer buffer;
    std::vector<std::uint32_t> meshIndices; ///< in the file, by the scene's; kNoIndex: left out
    std::set<std::string> extensionsUsed, extensionsRequired;
};

// Each writes its lists as members of the file's root; writeLights one of the root's extensions.
void writeNodes(GltfExport& out);
void writeMeshes(GltfExport& out);
void writeSkins(GltfExport& out);
void writeAnimations(GltfExport& out);
void writeCameras(GltfExport& out);
void writeLights(GltfExport& out);

/// glTF has no orthographic camera that sees to infinity.
float orthographicFar(const Camera& camera);

} // namespace dl::detail
