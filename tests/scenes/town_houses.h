// tests/scenes/town_houses.h - house meshes of the town square, with the places where windows and doors go.
#pragma once

#include "tests/scenes/scene_builder.h"
#include "tests/scenes/town_materials.h"

#include <cstdint>
#include <string>
#include <vector>

namespace dl::scenes
{

struct HouseStyle
{
    float width = 6.0f, depth = 6.0f; ///< metres; the front faces +Z at z = 0, the house lies behind it
    std::uint32_t floorCount = 2;     ///< 2.8 m each
    std::uint32_t wall = 0;           ///< material of the upper floors
    std::uint32_t base = 0;           ///< of the ground floor
    std::uint32_t roof = 0;
    bool hasTimber = true;       ///< half-timbered upper floors
    bool isGableToFront = false; ///< ridge from front to back
};

struct HouseMesh
{
    std::uint32_t meshIndex = 0;
    std::vector<vec3> windows; ///< middles of windows in the front wall
    vec3 door = vec3(0.0f);    ///< middle of the threshold
    float ridgeHeight = 0.0f;
};

HouseMesh addHouse(SceneBuilder& builder, const TownMaterials& materials, const std::string& name, const HouseStyle& style);
/// A window with frame, glass, sill and shutters, 1.0 x 1.3 m, middle at the origin, facing +Z.
std::uint32_t addWindowMesh(SceneBuilder& builder, const TownMaterials& materials, std::uint32_t paint);
/// A door with frame and step, threshold at the origin, facing +Z.
std::uint32_t addDoorMesh(SceneBuilder& builder, const TownMaterials& materials, std::uint32_t paint);
/// A square tower with clock faces and a tall roof, at the origin.
std::uint32_t addTowerMesh(SceneBuilder& builder, const TownMaterials& materials);

} // namespace dl::scenes
