// tests/scenes/town_materials.h - the materials of the town square, made once and named.
#pragma once

#include "tests/scenes/scene_builder.h"

#include <array>
#include <cstdint>

namespace dl::scenes
{

struct TownMaterials
{
    // ground and walls
    std::uint32_t cobbles = 0, flagstones = 0, grass = 0, brick = 0, stone = 0, planks = 0, timber = 0;
    std::array<std::uint32_t, 4> plaster{};
    std::array<std::uint32_t, 2> roof{};  ///< clay tiles, slate
    std::array<std::uint32_t, 3> paint{}; ///< doors and shutters
    // cut-outs, glass, light
    std::array<std::uint32_t, 2> leaves{};
    std::uint32_t bark = 0, fence = 0, glass = 0, water = 0, lantern = 0, gold = 0, iron = 0;
    std::array<std::uint32_t, 2> awning{};
    std::uint32_t fruit = 0; ///< vertex-coloured
    // figures
    std::array<std::uint32_t, 3> skin{};
    std::array<std::uint32_t, 4> cloth{};
    std::array<std::uint32_t, 2> hair{};
    std::uint32_t leather = 0, steel = 0;
};

TownMaterials addTownMaterials(SceneBuilder& builder, std::uint32_t seed);

} // namespace dl::scenes
