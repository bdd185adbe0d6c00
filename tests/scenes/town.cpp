// tests/scenes/town.cpp - lays the town square out: houses around three sides, fountain in the middle, seen from the south.
#include "tests/scenes/figures.h"
#include "tests/scenes/mesh_builder.h"
#include "tests/scenes/random.h"
#include "tests/scenes/scenes.h"
#include "tests/scenes/town_houses.h"
#include "tests/scenes/town_materials.h"
#include "tests/scenes/town_props.h"

#include <array>
#include <cmath>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace dl::scenes
{

namespace
{

constexpr float kSquareHalf = 15.5f; ///< from the middle to the house fronts
constexpr float kQuarter = 1.5707963f;

struct Town
{
    SceneBuilder& builder;
    const TownMaterials& materials;
    Random& random;
    std::vector<HouseMesh> houses;
    std::vector<float> houseWidths;
    std::array<std::uint32_t, 3> windows{}, doors{};
    std::uint32_t houseCount = 0;

    std::uint32_t put(const std::string& name, std::uint32_t mesh, vec3 position, float yaw = 0.0f, vec3 scale = vec3(1.0f),
        std::uint32_t parent = kNoIndex)
    {
        return builder.addNode(name, atYaw(position, yaw, scale), parent, mesh);
    }
};

void makeHouseMeshes(Town& town)
{
    const TownMaterials& m = town.materials;
    const HouseStyle styles[] = {
        {6.2f, 6.0f, 3, m.plaster[0], m.stone, m.roof[0], true, true},
        {5.4f, 6.0f, 2, m.plaster[1], m.plaster[1], m.roof[1], false, false},
        {7.0f, 6.5f, 3, m.brick, m.brick, m.roof[1], false, false},
        {5.4f, 6.0f, 2, m.plaster[2], m.brick, m.roof[0], true, false},
        {6.0f, 6.0f, 2, m.plaster[3], m.stone, m.roof[0], true, true},
        {5.0f, 6.0f, 3, m.plaster[1], m.brick, m.roof[0], true, false},
    };
    for (std::size_t i = 0; i < std::size(styles); ++i)
    {
        town.houses.push_back(addHouse(town.builder, m, "house " + std::to_string(i), styles[i]));
        town.houseWidths.push_back(styles[i].width);
    }
    for (std::size_t i = 0; i < m.paint.size(); ++i)
    {
        town.windows[i] = addWindowMesh(town.builder, m, m.paint[i]);
        town.doors[i] = addDoorMesh(town.builder, m, m.paint[i]);
    }
}

void placeHouse(Town& town, std::size_t type, vec3 position, float yaw)
{
    const HouseMesh& house = town.houses[type];
    const std::string name = "house " + std::to_string(town.houseCount);
    const std::uint32_t paint = town.houseCount++ % 3;
    const std::uint32_t node = town.put(name, house.meshIndex, position, yaw);
    std::uint32_t index = 0;
    for (const vec3& window : house.windows)
        town.put(name + " window " + std::to_string(index++), town.windows[paint], window, 0.0f, vec3(1.0f), node);
    town.put(name + " door", town.doors[paint], house.door, 0.0f, vec3(1.0f), node);
}

/// A row of houses side by side, starting at `start` and going along `along`.
void placeRow(Town& town, const std::vector<std::size_t>& types, vec3 start, vec3 along, float yaw)
{
    float offset = 0.0f;
    for (const std::size_t type : types)
    {
        placeHouse(town, type, start + along * (offset + 0.5f * town.houseWidths[type]), yaw);
        offset += town.houseWidths[type] + 0.05f;
    }
}

void addGround(Town& town)
{
    MeshBuilder tile;
    tile.uvPerMetre = 1.0f / 3.0f;
    tile.quad(vec3(-3, 0, 3), vec3(3, 0, 3), vec3(3, 0, -3), vec3(-3, 0, -3));
    const std::uint32_t paving = town.builder.addMesh("paving", {tile.take(town.materials.cobbles)});
    const std::uint32_t ground = town.put("paving", kNoIndex, vec3(0.0f));
    for (int z = -3; z <= 3; ++z)
        for (int x = -3; x <= 3; ++x)
            town.put(
                "paving tile", paving, vec3(6.0f * static_cast<float>(x), 0.0f, 6.0f * static_cast<float>(z)), 0.0f, vec3(1.0f), ground);

    MeshBuilder field;
    field.uvPerMetre = 0.25f;
    field.quad(vec3(-120, -0.06f, 60), vec3(120, -0.06f, 60), vec3(120, -0.06f, -140), vec3(-120, -0.06f, -140));
    for (const vec3 hill : {vec3(-60, 0, -95), vec3(10, 0, -120), vec3(70, 0, -90)})
        field.ellipsoid(hill - vec3(0, 6, 0), vec3(62, 20, 34), 28, 12);
    town.put("fields", town.builder.addMesh("fields", {field.take(town.materials.grass)}), vec3(0.0f));

    MeshBuilder pavement;
    pavement.uvPerMetre = 0.5f;
    pavement.lathe({vec2(5.4f, 0.02f), vec2(3.4f, 0.02f)}, 40);
    pavement.box(vec3(-kSquareHalf, 0, -kSquareHalf - 0.1f), vec3(kSquareHalf, 0.1f, -kSquareHalf + 1.6f));
    for (const float side : {-1.0f, 1.0f})
        pavement.box(
            vec3(side * (kSquareHalf - 0.75f) - 0.85f, 0, -kSquareHalf + 1.6f), vec3(side * (kSquareHalf - 0.75f) + 0.85f, 0.1f, 10.0f));
    town.put("pavements", town.builder.addMesh("pavements", {pavement.take(town.materials.flagstones)}), vec3(0.0f));
}

void addBuildings(Town& town)
{
    makeHouseMeshes(town);
    placeRow(town, {1, 0, 2, 4, 3}, vec3(-15.1f, 0, -kSquareHalf), vec3(1, 0, 0), 0.0f);
    placeRow(town, {3, 4, 5, 1}, vec3(-kSquareHalf, 0, 9.0f), vec3(0, 0, -1), kQuarter);
    placeRow(town, {5, 1, 4, 3}, vec3(kSquareHalf, 0, -13.3f), vec3(0, 0, 1), -kQuarter);
    const std::size_t behind[] = {2, 5, 0, 4, 2, 3};
    for (std::size_t i = 0; i < std::size(behind); ++i)
        placeHouse(town, behind[i], vec3(-31.0f + 11.5f * static_cast<float>(i), 0, -29.0f - 3.0f * static_cast<float>(i % 2)),
            0.15f * (2.0f - static_cast<float>(i)));
    town.put("tower", addTowerMesh(town.builder, town.materials), vec3(5.2f, 0, -25.5f));

    // The same sign on both sides of a door: one is mirrored.
    const std::uint32_t sign = addSignMesh(town.builder, town.materials);
    town.put("sign right", sign, vec3(1.9f, 3.6f, -kSquareHalf + 0.2f), -0.5f);
    town.put("sign left (mirrored)", sign, vec3(-4.9f, 3.6f, -kSquareHalf + 0.2f), 0.5f, vec3(-1, 1, 1));
    const std::uint32_t first = addBuntingMesh(town.builder, town.materials, vec3(-15.3f, 5.6f, -6.5f), vec3(15.3f, 5.9f, -3.5f));
    const std::uint32_t second = addBuntingMesh(town.builder, town.materials, vec3(-15.3f, 5.8f, 1.5f), vec3(2.0f, 7.4f, -15.2f));
    town.put("bunting east", first, vec3(0.0f));
    town.put("bunting north", second, vec3(0.0f));
}

void addGreenery(Town& town)
{
    Random& random = town.random;
    const std::uint32_t trees[] = {addTreeMesh(town.builder, town.materials, town.materials.leaves[0], random),
        addTreeMesh(town.builder, town.materials, town.materials.leaves[1], random),
        addTreeMesh(town.builder, town.materials, town.materials.leaves[0], random)};
    const vec3 places[] = {vec3(-11, 0, -11.2f), vec3(11.2f, 0, -11), vec3(-11.5f, 0, 6.5f), vec3(11.8f, 0, 6.0f), vec3(-21, 0, -24.5f),
        vec3(19, 0, -25.5f), vec3(-2.5f, 0, -27)};
    const std::uint32_t fence = addFenceMesh(town.builder, town.materials);
    for (std::size_t i = 0; i < std::size(places); ++i)
    {
        const std::string name = "tree " + std::to_string(i);
        town.put(name, trees[i % 3], places[i], random.range(0, 6.0f), vec3(random.range(0.9f, 1.15f)));
        for (int side = 0; side < 4 && i < 4; ++side)
        {
            const float yaw = kQuarter * static_cast<float>(side);
            town.put(name + " fence", fence, places[i] + vec3(std::sin(yaw), 0, std::cos(yaw)) * 1.0f, yaw, vec3(1.0f, 0.6f, 1.0f));
        }
    }
    const std::uint32_t planter = addPlanterMesh(town.builder, town.materials, random);
    for (int i = 0; i < 6; ++i)
    {
        const float angle = 6.2831853f * (static_cast<float>(i) + 0.5f) / 6.0f;
        town.put("planter", planter, vec3(5.9f * std::sin(angle), 0, 5.9f * std::cos(angle)), angle);
    }
    // Grass tufts where the cobbles end: one node, many instances.
    const std::uint32_t tufts = town.put("tufts", addTuftMesh(town.builder, town.materials), vec3(0.0f));
    for (int i = 0; i < 90; ++i)
    {
        const float side = i % 2 == 0 ? -1.0f : 1.0f;
        const vec3 place(side * random.range(13.4f, 20.0f), 0, random.range(10.3f, 13.5f));
        town.builder.scene.nodes[tufts].instances.push_back(toAffine(atYaw(place, random.range(0, 6.0f), vec3(random.range(0.5f, 1.1f)))));
    }
}

void addMarket(Town& town)
{
    Random& random = town.random;
    const std::uint32_t stalls[] = {addStallMesh(town.builder, town.materials, town.materials.awning[0]),
        addStallMesh(town.builder, town.materials, town.materials.awning[1])};
    const vec3 colors[] = {vec3(0.65f, 0.05f, 0.03f), vec3(0.75f, 0.30f, 0.03f), vec3(0.30f, 0.50f, 0.06f), vec3(0.80f, 0.62f, 0.08f)};
    std::array<std::uint32_t, 4> crates{};
    for (std::size_t i = 0; i < crates.size(); ++i)
        crates[i] = addFruitCrateMesh(town.builder, town.materials, colors[i], random);
    const std::pair<vec3, float> places[] = {
        {vec3(-9.0f, 0, -7.6f), 0.6f}, {vec3(-10.2f, 0, -1.2f), 1.3f}, {vec3(9.0f, 0, -7.6f), -0.6f}, {vec3(10.2f, 0, -1.2f), -1.3f}};
    for (std::size_t i = 0; i < std::size(places); ++i)
    {
        const std::string name = "stall " + std::to_string(i);
        const std::uint32_t stall = town.put(name, stalls[i % 2], places[i].first, places[i].second);
        for (int crate = 0; crate < 8; ++crate)
        {
            const vec3 place(-1.14f + 0.76f * static_cast<float>(crate % 4), 0.9f, crate < 4 ? 0.25f : -0.22f);
            town.put(name + " crate", crates[random.below(4)], place, random.range(-0.12f, 0.12f), vec3(1.0f), stall);
        }
        for (int crate = 0; crate < 2; ++crate)
            town.put(name + " crate", crates[random.below(4)], vec3(1.95f, 0.19f * static_cast<float>(crate), 0.2f),
                random.range(-0.3f, 0.3f), vec3(1.1f), stall);
    }
    const std::uint32_t barrel = addBarrelMesh(town.builder, town.materials);
    for (const vec3 place : {vec3(-6.3f, 0, -9.6f), vec3(-5.6f, 0, -10.1f), vec3(6.4f, 0, -9.8f), vec3(12.6f, 0, 2.2f),
             vec3(12.9f, 0, 3.0f), vec3(-12.9f, 0, 2.4f)})
        town.put("barrel", barrel, place, random.range(0, 6.0f), vec3(random.range(0.9f, 1.1f)));
    const std::uint32_t cart = addCartMesh(town.builder, town.materials);
    town.put("cart", cart, vec3(7.4f, 0, 5.0f), 0.5f);
    town.put("cart (mirrored)", cart, vec3(-7.6f, 0, 5.4f), -0.4f, vec3(-1, 1, 1));
}

void addFurniture(Town& town)
{
    town.put("fountain", addFountainMesh(town.builder, town.materials), vec3(0.0f));
    const std::uint32_t bench = addBenchMesh(town.builder, town.materials);
    for (int i = 0; i < 4; ++i)
    {
        const float angle = kQuarter * (static_cast<float>(i) + 0.5f);
        const vec3 out(std::sin(angle), 0, std::cos(angle));
        town.put("bench", bench, out * 7.6f, angle + 3.1415927f);
    }
    const std::uint32_t lamp = addLampMesh(town.builder, town.materials);
    for (const vec3 place : {vec3(-6.2f, 0, -12.6f), vec3(6.2f, 0, -12.6f), vec3(-12.8f, 0, -5.0f), vec3(12.8f, 0, -5.0f),
             vec3(-12.8f, 0, 4.6f), vec3(12.8f, 0, 4.6f)})
        town.put("lamp", lamp, place, 0.0f, vec3(1.15f));
}

void addPeople(Town& town)
{
    Animation walk;
    walk.name = "walk";
    FigureMaker maker(town.builder, town.materials);
    const FigureDesc people[] = {
        {"guard 1", 0, 1, 3, 0, Hat::Helmet, Clothing::Cape, Weapon::Spear, true, true, vec3(-3.2f, 0, 7.2f), 2.7f, 1.02f, 0.0f},
        {"guard 2", 1, 1, 3, 0, Hat::Helmet, Clothing::Cape, Weapon::Spear, true, true, vec3(-1.9f, 0, 7.6f), 2.7f, 1.0f, 0.08f},
        {"knight", 0, 0, 1, 1, Hat::None, Clothing::Cape, Weapon::Sword, true, true, vec3(3.6f, 0, 8.2f), -2.4f, 1.04f, 0.35f},
        {"smith", 2, 3, 1, 0, Hat::None, Clothing::Apron, Weapon::Hammer, false, true, vec3(6.2f, 0, 1.6f), -0.5f, 1.03f, 0.6f},
        {"woodcutter", 0, 2, 3, 1, Hat::Straw, Clothing::Tunic, Weapon::Axe, false, true, vec3(-6.4f, 0, 1.2f), 0.6f, 1.0f, 0.15f},
        {"lamplighter", 1, 3, 2, 0, Hat::Hood, Clothing::Tunic, Weapon::LanternStaff, false, true, vec3(2.6f, 0, -8.6f), 0.4f, 0.98f, 0.8f},
        {"farmer", 1, 2, 0, 1, Hat::Straw, Clothing::Skirt, Weapon::None, false, true, vec3(-4.6f, 0, -6.8f), -0.9f, 0.94f, 0.5f},
        {"traveller", 2, 0, 2, 0, Hat::Hood, Clothing::Cape, Weapon::LanternStaff, false, true, vec3(0.7f, 0, 8.6f), 0.2f, 1.0f, 0.25f},
        {"merchant 1", 0, 0, 3, 1, Hat::None, Clothing::Apron, Weapon::None, false, false, vec3(-9.6f, 0, -8.6f), 0.6f, 0.96f, 0.1f},
        {"merchant 2", 2, 1, 3, 0, Hat::Straw, Clothing::Skirt, Weapon::None, false, false, vec3(-11.3f, 0, -1.5f), 1.3f, 0.97f, 0.4f},
        {"merchant 3", 1, 3, 0, 0, Hat::None, Clothing::Apron, Weapon::None, false, false, vec3(9.6f, 0, -8.6f), -0.6f, 1.01f, 0.7f},
        {"merchant 4", 0, 2, 1, 1, Hat::Hood, Clothing::Skirt, Weapon::None, false, false, vec3(11.3f, 0, -1.5f), -1.3f, 0.95f, 0.9f},
    };
    for (const FigureDesc& person : people)
        maker.add(person, walk);
    town.builder.scene.animations.push_back(std::move(walk));
}

} // namespace

SceneDescription makeTownSquare(std::uint64_t seed)
{
    SceneBuilder builder("town-square");
    Random random(seed);
    const TownMaterials materials = addTownMaterials(builder, static_cast<std::uint32_t>(random.next() & 0xffffU));
    Town town{builder, materials, random, {}, {}, {}, {}, 0};
    addGround(town);
    addBuildings(town);
    addGreenery(town);
    addMarket(town);
    addFurniture(town);
    addPeople(town);
    builder.addCamera(vec3(2.2f, 5.4f, 20.4f), vec3(-0.2f, 3.1f, -4.0f), 44.0f);
    builder.addSun(vec3(-0.62f, 0.72f, 0.52f), vec3(1.0f, 0.93f, 0.82f), 3.2f);
    return builder.take();
}

} // namespace dl::scenes
