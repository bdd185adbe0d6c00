// tests/scenes/scene_facts.h - counts, a content hash and a structural check of scene descriptions, for tests.
#pragma once

#include "drawloom/asset/scene_description.h"

#include <cstdint>
#include <string>

namespace dl::scenes
{

struct SceneFacts
{
    std::uint64_t meshNodeCount = 0; ///< nodes with a mesh
    std::uint64_t instanceCount = 0; ///< copies of meshes, Node::instances counted
    std::uint64_t skinnedNodeCount = 0;
    std::uint64_t mirroredNodeCount = 0; ///< mesh nodes with a negative world determinant
    std::uint64_t sharedMeshCount = 0;   ///< meshes that more than one node uses
    std::uint64_t storedTriangleCount = 0;
    std::uint64_t drawnTriangleCount = 0;
};
SceneFacts countScene(const SceneDescription& scene);

/// Over everything but issues and names of extensions.
std::uint64_t hashScene(const SceneDescription& scene);

/// One line for each index out of range, array of a wrong length, vector that is not unit, degenerate triangle share above
/// 2 %, NaN, or bounds that do not hold; empty when all is well.
std::string findProblems(const SceneDescription& scene);

} // namespace dl::scenes
