// drawloom/scene/detail/node_lods.h - which levels of detail of a node are drawn and down to which size, as SceneInstance
// brings them to mesh sets.
#pragma once

#include "drawloom/asset/scene_description.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dl::detail
{

struct NodeLevel
{
    std::uint32_t meshIndex = kNoIndex;
    float minScreenSize = 0.0f; ///< MeshLod's
    friend bool operator==(const NodeLevel&, const NodeLevel&) = default;
};

/// The node's levels that have triangles, finest first; one of size 0 for a node without Node::lods; none if nothing can be
/// drawn. A level that is left out is covered by the one before it. Coverages are taken as screen sizes. Where all are 0, a
/// level is left where half of its triangles would cover less than 8 pixels each of a picture 1080 texels high:
/// sqrt(16 triangles / pi) / 1080, at most 1; the last one is never left. Levels past kMaxLodCount are left out and named.
std::vector<NodeLevel> levelsOf(const SceneDescription& scene, const Node& node, std::vector<ImportIssue>& issues);

/// True when a level's primitive draws the same vertices (all attributes and morph targets, bit by bit), so that it can
/// share their range and what the pass deform made of them.
bool hasSameVertices(const Primitive& a, const Primitive& b);

/// Leaves out (and names) levels whose primitives are not, by their vertices, among those of the level before: deformed
/// meshes share one set of deformed vertices. The answer, by level: the primitive of the finest mesh for each primitive.
std::vector<std::vector<std::uint32_t>> keepSharedLevels(
    const SceneDescription& scene, const Node& node, std::vector<NodeLevel>& levels, std::vector<ImportIssue>& issues);

} // namespace dl::detail
