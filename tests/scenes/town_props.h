// tests/scenes/town_props.h - what stands on the town square: fountain, stalls, trees, lamps, benches, carts, bunting.
#pragma once

#include "tests/scenes/random.h"
#include "tests/scenes/scene_builder.h"
#include "tests/scenes/town_materials.h"

#include <cstdint>

namespace dl::scenes
{

// Each adds one mesh and returns its index; everything stands on y = 0 about the origin, fronts face +Z.
std::uint32_t addFountainMesh(SceneBuilder& builder, const TownMaterials& materials);
std::uint32_t addTreeMesh(SceneBuilder& builder, const TownMaterials& materials, std::uint32_t leaves, Random& random);
std::uint32_t addStallMesh(SceneBuilder& builder, const TownMaterials& materials, std::uint32_t awning);
std::uint32_t addFruitCrateMesh(SceneBuilder& builder, const TownMaterials& materials, vec3 color, Random& random);
std::uint32_t addBenchMesh(SceneBuilder& builder, const TownMaterials& materials);
std::uint32_t addLampMesh(SceneBuilder& builder, const TownMaterials& materials);
std::uint32_t addBarrelMesh(SceneBuilder& builder, const TownMaterials& materials);
/// Lopsided on purpose: its handle is on the left, so that a mirrored one is told apart.
std::uint32_t addCartMesh(SceneBuilder& builder, const TownMaterials& materials);
/// Hangs out from a wall to the right; mirrored it hangs to the left.
std::uint32_t addSignMesh(SceneBuilder& builder, const TownMaterials& materials);
std::uint32_t addFenceMesh(SceneBuilder& builder, const TownMaterials& materials);
std::uint32_t addPlanterMesh(SceneBuilder& builder, const TownMaterials& materials, Random& random);
/// A tuft of crossed cards, for instancing.
std::uint32_t addTuftMesh(SceneBuilder& builder, const TownMaterials& materials);
/// Flags on a rope that sags between two points.
std::uint32_t addBuntingMesh(SceneBuilder& builder, const TownMaterials& materials, vec3 from, vec3 to);

} // namespace dl::scenes
