// tests/scenes/scenes.h - scenes made by our own generators (no third-party data), shared by tests, benchmarks and the
// demo. Every scene is valid, has a camera (node "camera", cameras[0]) that frames it and a directional light, and is the
// same bytes for the same arguments.
#pragma once

#include "drawloom/asset/scene_description.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace dl::scenes
{

/// A small town square: houses, fountain, market, trees, and 12 modular skinned figures that hold modular weapons.
/// About 39,000 triangles stored, 116,000 drawn, 40 materials, 690 nodes. The animation "walk" moves the figures (4 s).
SceneDescription makeTownSquare(std::uint64_t seed = 1);

/// 9 x 5 spheres: roughness grows to the right, metalness upwards; below them a row of base colours.
SceneDescription makeSphereSweep();
/// Opaque, masked and blended panes in turn along the view, and near, middle and far panes of one blended mesh with
/// another blended mesh in between (case D2).
SceneDescription makeAlphaModes();
/// Two blended objects of one geometry, two materials (case D1): nodes "red" and "blue".
SceneDescription makeTwoBlended();
/// One-sided shapes under scales +1 and -1, side by side and nested (case D3).
SceneDescription makeMirrored();
/// The same one-sided and double-sided geometry in turn, seen from behind and in front (case D5).
SceneDescription makeSidedness();
/// A masked and a blended object beside each other before an opaque wall (case D6).
SceneDescription makeMaskedBesideBlended();
/// Texture transforms (offset, scale, rotation) and the three wrap modes on a numbered test card.
SceneDescription makeTextureBoard();
/// Vertex colours, with and without unlit.
SceneDescription makeVertexColours();
/// Normal map, occlusion and emissive, each alone and together.
SceneDescription makeSurfaceBoard();
/// A dim hall at night: three coloured point lights, one of them with a range that ends on the floor, two spots (a wide soft
/// one, a narrow one with a hard edge) and a second directional light, on a floor, a wall and shapes of several roughnesses.
SceneDescription makeLamps();
/// A bar bent by two joints and a sphere that a morph target turns into a cube-like shape; animation "bend" (2 s).
SceneDescription makeDeformed();
/// 6 x 3 spheres: roughness grows to the right, metalness upwards (0, 1/2, 1); to be lit by an environment.
SceneDescription makeEnvironmentSpheres();
SceneDescription makeEnvironmentSpheres(vec3 color);

// Equirectangular pictures for Renderer::setEnvironment, Rgba32F.

/// One colour around each axis: +X red, -X cyan, +Y green, -Y magenta, +Z blue, -Z yellow.
Image makeAxesEnvironment();
/// Floor to sky, a lamp, a window, a small sun of radiance 900, and a breath of the axes' colours.
Image makeStudioEnvironment();

/// Shadows of the sun over 70 m: columns into the distance, a ball, boxes on a slope, a masked fence, blended glass (which casts
/// none), a pole outside of the picture.
SceneDescription makeShadows();

/// For benchmarks: `instanceCount` nodes over `meshSetCount` different meshes (36 to 220 triangles) and `materialCount`
/// materials, spread over a square field with 1 instance per 4 m2.
SceneDescription makeManyInstances(
    std::uint32_t instanceCount, std::uint32_t meshSetCount, std::uint32_t materialCount, std::uint64_t seed = 1);

struct NamedScene
{
    std::string_view name; ///< "town-square", "sphere-sweep", ...
    SceneDescription (*make)();
};
/// All of the above with their default arguments but makeManyInstances; the town square comes first.
std::span<const NamedScene> namedScenes();

} // namespace dl::scenes
