// drawloom/asset/lod_build.h - levels of detail of meshes, by edge collapse with quadric errors (Garland and Heckbert,
// "Surface Simplification Using Quadric Error Metrics", 1997, as meshoptimizer does it), with a measured error that says from
// which size on the screen a level may stand in. Called by importers' users: `drawloom render --build-lods`, tools.
#pragma once

#include "drawloom/asset/scene_description.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace dl
{

struct LodBuildSettings
{
    std::uint32_t maxLevelCount = 4;     ///< below the finest, 0..7
    std::uint32_t minTriangleCount = 64; ///< meshes with fewer are left alone
    float ratio = 0.5f;                  ///< wanted triangles of a level over those of the level before, 0..1
    float maxReduction = 0.85f;          ///< a level with a larger share than this of the one before is not worth its draws
    float maxRelativeError = 0.3f;       ///< of the radius; a level with a larger error is not made
    float maxErrorPixels = 1.0f;         ///< a level is shown where its error is smaller than this...
    float referenceHeight = 1080.0f;     ///< ...in a picture of this height, texels
    float minSwitchPixels = 8.0f;        ///< levels that would be shown only below this size of the whole mesh are not made
    /// Called now and then on the calling thread; may be null.
    void (*onProgress)(void* user, std::size_t doneMeshCount, std::size_t meshCount) = nullptr;
    void* progressUser = nullptr;
};

/// One level that was made.
struct BuiltLod
{
    std::uint32_t meshIndex = kNoIndex; ///< of the finest mesh
    std::uint32_t levelMeshIndex = kNoIndex;
    std::uint32_t level = 0; ///< 1 is the first below the finest
    std::uint64_t triangleCount = 0;
    float errorMetres = 0.0f; ///< see buildLods
    float switchSize = 0.0f;  ///< below this size on the screen it takes over
};

struct LodBuildResult
{
    std::vector<BuiltLod> levels; ///< by mesh, then level
    std::uint32_t meshCount = 0;  ///< that were looked at: drawn by a node without levels of its own
    std::uint32_t builtMeshCount = 0;
    std::uint32_t refusedMeshCount = 0; ///< named in SceneDescription::issues as lod-not-built
    double ms = 0.0;
};

/// Adds levels of detail as meshes at the end of `scene.meshes`, and fills Node::lods of every node that draws a mesh with
/// levels and has none of its own. Level i keeps about ratio^i of the triangles. All primitives of a mesh are simplified
/// together, so that their common borders stay closed; vertices stay where they are, with all their attributes. Levels of
/// skinned and morphed meshes keep the whole vertex arrays and differ by indices alone; those of other meshes carry only the
/// vertices that they use.
///
/// The error of a level, in metres, is measured: for each vertex of the original, the least d such that some point of the
/// level's surface (of the same primitive) lies within d and looks the same up to d; over all vertices the largest, and not
/// less than the simplifier's own. "Looks": UVs by how far the texture slides; normals by the height of an arc that bends as
/// much over a triangle's longest edge (1/8 edge x angle); colours and skin weights 1/4 edge x difference; morph targets by
/// their displacements. A primitive that vanishes counts by the diagonal of its bounds. UVs count where the material has a
/// texture.
///
/// Deterministic for any thread count. Meshes are worked on in parallel. A mesh whose arrays do not fit or are not finite,
/// or with a point in which more than some ten thousand triangles meet, gets no levels and an issue; an Info issue "lods-built" counts
/// those that got some.
LodBuildResult buildLods(SceneDescription& scene, const LodBuildSettings& settings = {});

/// The size on the screen (diameter of the bounding sphere over the picture's height, at the distance of its centre) below
/// which an error of `errorMetres` on a sphere of `radiusMetres` stays under settings.maxErrorPixels, everywhere on the
/// sphere, for every vertical field of view up to 90 degrees: 1 / (1 + errorMetres referenceHeight / (2 maxErrorPixels radiusMetres)).
/// (At distance d of the centre an error e on the near side shows as e H / (2 (d - r) tan(fov / 2)) texels.)
float lodSwitchSize(float errorMetres, float radiusMetres, const LodBuildSettings& settings = {});

} // namespace dl
