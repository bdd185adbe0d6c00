// drawloom/asset/scene_description.h - everything a file or a composition describes: nodes, meshes, materials, images,
// skins, animations, cameras, lights. Plain data; indices instead of pointers. What importers make and renderers read.
#pragma once

#include "drawloom/asset/image.h"
#include "drawloom/asset/material.h"
#include "drawloom/asset/mesh.h"
#include "drawloom/core/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dl
{

/// One level of detail of a node's mesh.
struct NodeLod
{
    std::uint32_t meshIndex = kNoIndex;
    float minCoverage = 0.0f; ///< share of the screen, 0 to 1, down to which the level is shown (MSFT_screencoverage)
    /// Of a lower level: the node, now empty, that had it in the file; export puts it back there. kNoIndex: none.
    std::uint32_t nodeIndex = kNoIndex;
    /// The same level; where it stood in its file does not matter.
    friend bool operator==(const NodeLod& a, const NodeLod& b) { return a.meshIndex == b.meshIndex && a.minCoverage == b.minCoverage; }
};

struct Node
{
    std::string name;
    Trs local;                       ///< used unless `matrix` is set
    std::optional<mat4> matrix;      ///< local transform that TRS can not say (shear) or that the file gave
    std::uint32_t parent = kNoIndex; ///< always smaller than the node's own index, or kNoIndex
    std::uint32_t meshIndex = kNoIndex;
    std::uint32_t skinIndex = kNoIndex;
    std::uint32_t cameraIndex = kNoIndex;
    std::uint32_t lightIndex = kNoIndex;
    std::vector<float> morphWeights; ///< overrides the mesh's; empty: the mesh's
    /// Many copies of `meshIndex`, relative to this node (compositions, EXT_mesh_gpu_instancing); empty: one copy.
    std::vector<Affine> instances;
    /// Levels of detail (MSFT_lod), finest first: empty, or lods[0].meshIndex is `meshIndex`. Coverages fall; below the last
    /// one nothing is shown. All zero: the file has none, choose by size. Every level takes the node's skin, weights, instances.
    std::vector<NodeLod> lods;
};

/// Joints of one skinned mesh. Node transforms of skinned meshes are ignored, as glTF says.
struct Skin
{
    std::string name;
    std::vector<std::uint32_t> jointNodes; ///< into SceneDescription::nodes
    std::vector<mat4> inverseBindMatrices; ///< same size as jointNodes
    std::uint32_t skeletonRoot = kNoIndex;
};

enum class AnimationPath : std::uint8_t
{
    Translation,
    Rotation,
    Scale,
    Weights
};
enum class Interpolation : std::uint8_t
{
    Step,
    Linear,
    CubicSpline
};

struct AnimationChannel
{
    std::uint32_t nodeIndex = kNoIndex;
    AnimationPath path = AnimationPath::Translation;
    Interpolation interpolation = Interpolation::Linear;
    std::vector<float> times;  ///< seconds, strictly ascending
    std::vector<float> values; ///< components per key: 3, 4, 3, or the number of weights; x3 for CubicSpline
};

struct Animation
{
    std::string name;
    std::vector<AnimationChannel> channels;
    float durationSeconds = 0.0f;
};

struct Camera
{
    std::string name;
    bool isOrthographic = false;
    float yFovRadians = 0.8f;
    float aspect = 0.0f; ///< 0: the picture's
    float zNear = 0.1f;
    float zFar = 0.0f; ///< 0: infinite
    float xMag = 1.0f, yMag = 1.0f;
};

enum class LightType : std::uint8_t
{
    Directional,
    Point,
    Spot
};

struct Light
{
    std::string name;
    LightType type = LightType::Directional;
    vec3 color = vec3(1.0f);
    float intensity = 1.0f; ///< lux (directional), candela (point, spot)
    float range = 0.0f;     ///< metres; 0: infinite
    float innerConeRadians = 0.0f, outerConeRadians = 0.7853982f;
};

enum class IssueSeverity : std::uint8_t
{
    Info,
    Warning,
    Error
};

/// Something the importer noticed; `code` is one of docs/reason_codes.md.
struct ImportIssue
{
    IssueSeverity severity = IssueSeverity::Warning;
    std::string code;    ///< "missing-image"
    std::string where;   ///< "images[3] \"wood.png\""
    std::string message; ///< one sentence
};

struct SceneDescription
{
    std::string name;        ///< file name
    std::vector<Node> nodes; ///< parents before children
    std::vector<Mesh> meshes;
    std::vector<Material> materials;
    std::vector<Image> images; ///< decoded
    std::vector<Skin> skins;
    std::vector<Animation> animations;
    std::vector<Camera> cameras;
    std::uint32_t defaultCameraNode = kNoIndex; ///< node of the camera to start with (a composition's own); none: the reader's choice
    std::vector<Light> lights;
    std::vector<std::string> variants; ///< names of material variants (KHR_materials_variants)
    std::vector<std::string> extensionsUsed;
    std::vector<ImportIssue> issues;
    std::vector<std::string> sourceFiles; ///< paths of the files that were read besides the named one: buffers, images, assets
};

/// Dresses every primitive for the named variant; those without an entry for it, and all under the empty name, wear the
/// file's own material. May be called again with another name. NotFound names the variants that there are.
Result<void> applyVariant(SceneDescription& scene, std::string_view name);

/// World transform of every node (instances not applied), from `local` or `matrix` and the parents. Cost: one pass.
std::vector<Affine> computeWorldTransforms(const SceneDescription& scene);

/// Box around everything that is drawn, bind pose for skins, in world space. Empty for an empty scene.
Aabb computeSceneBounds(const SceneDescription& scene);

/// Writes the pose of `animation` at `timeSeconds` (clamped to its end) into the nodes' local TRS and morph weights.
/// Channels that name a node with a matrix turn it into TRS first.
void applyAnimation(SceneDescription& scene, const Animation& animation, float timeSeconds);

/// Joint matrices (jointWorld x inverseBind) of a skin, into `out` (resized).
void computeJointMatrices(
    const SceneDescription& scene, const std::vector<Affine>& worldTransforms, const Skin& skin, std::vector<Affine>& out);

} // namespace dl
