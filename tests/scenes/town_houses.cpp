#include "tests/scenes/town_houses.h"

#include "tests/scenes/mesh_builder.h"

#include <cmath>
#include <utility>

namespace dl::scenes
{

namespace
{

constexpr float kFloorMetres = 2.8f;
constexpr float kOverhang = 0.35f;
constexpr float kJetty = 0.18f; ///< how far the upper floors stand out over the ground floor

MeshBuilder textured(float uvPerMetre)
{
    MeshBuilder shape;
    shape.uvPerMetre = uvPerMetre;
    return shape;
}

/// A beam with square section between two points of the front wall's plane.
void beam(MeshBuilder& shape, vec3 from, vec3 to, float halfWidth)
{
    const mat4 outer = shape.transform;
    shape.transform = outer * alignY(from, to);
    const float length = glm::length(to - from);
    shape.box(vec3(-halfWidth, 0, -halfWidth), vec3(halfWidth, length, halfWidth));
    shape.transform = outer;
}

/// Half-timbering of one storey on a wall of `width` in the plane z.
void timberStorey(MeshBuilder& shape, float width, float low, float high, float z, float sign)
{
    const float half = 0.5f * width;
    for (const float y : {low + 0.08f, high - 0.08f})
        beam(shape, vec3(-half, y, z), vec3(half, y, z), 0.09f);
    const auto bays = static_cast<std::uint32_t>(width / 1.5f);
    for (std::uint32_t i = 0; i <= bays; ++i)
    {
        const float x = -half + 0.09f + (width - 0.18f) * static_cast<float>(i) / static_cast<float>(bays);
        beam(shape, vec3(x, low + 0.17f, z), vec3(x, high - 0.17f, z), 0.075f);
    }
    const float bay = (width - 0.18f) / static_cast<float>(bays);
    beam(shape, vec3(sign * (half - 0.15f), low + 0.2f, z), vec3(sign * (half - bay), high - 0.2f, z), 0.06f);
    beam(shape, vec3(-sign * (half - 0.15f), low + 0.2f, z), vec3(-sign * (half - bay), high - 0.2f, z), 0.06f);
}

/// Two slopes with thickness; the ridge runs along X, eaves at +-halfSpan in Z about the origin.
void gableRoof(MeshBuilder& tiles, float halfLength, float halfSpan, float eaves, float ridge)
{
    const float thickness = 0.14f;
    const vec3 up(0, thickness, 0);
    for (const float side : {1.0f, -1.0f})
    {
        const vec3 a(-side * halfLength, eaves, side * halfSpan);
        const vec3 b(side * halfLength, eaves, side * halfSpan);
        const vec3 c(side * halfLength, ridge, 0.0f);
        const vec3 d(-side * halfLength, ridge, 0.0f);
        tiles.quad(a + up, b + up, c + up, d + up);
        tiles.quad(b, a, d, c);           // underside
        tiles.quad(a, b, b + up, a + up); // edge at the eaves
        tiles.quad(b, c, c + up, b + up); // edges at the gables
        tiles.quad(d, a, a + up, d + up);
    }
    tiles.rod(vec3(-halfLength, ridge + 0.13f, 0), vec3(halfLength, ridge + 0.13f, 0), 0.11f, 0.11f, 8);
}

struct RoofShape
{
    float halfLength, halfSpan, eaves, ridge;
    mat4 placement;
};

RoofShape roofOf(const HouseStyle& style)
{
    const float wallTop = kFloorMetres * static_cast<float>(style.floorCount);
    const float across = style.isGableToFront ? style.width : style.depth + kJetty;
    const float along = style.isGableToFront ? style.depth + kJetty : style.width;
    RoofShape roof;
    const float slope = style.isGableToFront ? 1.15f : 0.95f;
    roof.halfSpan = 0.5f * across + kOverhang;
    roof.halfLength = 0.5f * along + (style.isGableToFront ? kOverhang : 0.12f);
    roof.ridge = wallTop + 0.5f * across * slope;
    roof.eaves = wallTop - kOverhang * slope;
    const vec3 middle(0, 0, 0.5f * kJetty - 0.5f * style.depth);
    roof.placement = mat4(1.0f);
    if (style.isGableToFront)
        roof.placement = glm::mat4_cast(glm::angleAxis(1.5707963f, vec3(0, 1, 0)));
    roof.placement[3] = vec4(middle, 1);
    return roof;
}

void gableWalls(MeshBuilder& walls, const HouseStyle& style, const RoofShape& roof)
{
    const float wallTop = kFloorMetres * static_cast<float>(style.floorCount);
    const mat4 outer = walls.transform;
    walls.transform = roof.placement;
    const float across = 0.5f * (style.isGableToFront ? style.width : style.depth + kJetty);
    const float along = 0.5f * (style.isGableToFront ? style.depth + kJetty : style.width);
    walls.triangle(vec3(along, wallTop, across), vec3(along, wallTop, -across), vec3(along, roof.ridge, 0));
    walls.triangle(vec3(-along, wallTop, -across), vec3(-along, wallTop, across), vec3(-along, roof.ridge, 0));
    walls.transform = outer;
}

void placeOpenings(const HouseStyle& style, HouseMesh& house)
{
    const auto columns = static_cast<std::uint32_t>(style.width / 1.9f);
    const float step = style.width / static_cast<float>(columns);
    const std::uint32_t doorColumn = columns / 2;
    for (std::uint32_t floor = 0; floor < style.floorCount; ++floor)
        for (std::uint32_t column = 0; column < columns; ++column)
        {
            const float x = -0.5f * style.width + (static_cast<float>(column) + 0.5f) * step;
            if (floor == 0 && column == doorColumn)
                house.door = vec3(x, 0, 0.0f);
            else
                house.windows.emplace_back(x, kFloorMetres * static_cast<float>(floor) + 1.45f, floor == 0 ? 0.0f : kJetty);
        }
    if (style.isGableToFront)
        house.windows.emplace_back(0.0f, kFloorMetres * static_cast<float>(style.floorCount) + 1.1f, kJetty);
}

} // namespace

HouseMesh addHouse(SceneBuilder& builder, const TownMaterials& materials, const std::string& name, const HouseStyle& style)
{
    const float half = 0.5f * style.width;
    const float wallTop = kFloorMetres * static_cast<float>(style.floorCount);
    const RoofShape roof = roofOf(style);

    MeshBuilder base = textured(0.5f);
    base.box(vec3(-half, 0, -style.depth), vec3(half, kFloorMetres, 0));
    MeshBuilder walls = textured(0.35f);
    walls.box(vec3(-half, kFloorMetres, -style.depth), vec3(half, wallTop, kJetty));
    gableWalls(walls, style, roof);
    MeshBuilder plinth = textured(0.5f);
    plinth.box(vec3(-half - 0.06f, 0, -style.depth - 0.06f), vec3(half + 0.06f, 0.45f, 0.06f));
    plinth.box(
        vec3(half - 1.3f, roof.ridge - 1.9f, -0.55f * style.depth), vec3(half - 0.6f, roof.ridge + 0.7f, -0.55f * style.depth + 0.7f));

    MeshBuilder timber = textured(1.0f);
    for (std::uint32_t floor = 1; floor < style.floorCount && style.hasTimber; ++floor)
        timberStorey(timber, style.width, kFloorMetres * static_cast<float>(floor), kFloorMetres * static_cast<float>(floor + 1),
            kJetty + 0.01f, floor % 2 == 0 ? 1.0f : -1.0f);
    beam(timber, vec3(-half - 0.02f, kFloorMetres, kJetty - 0.02f), vec3(half + 0.02f, kFloorMetres, kJetty - 0.02f), 0.13f);
    if (style.isGableToFront)
        for (const float side : {-1.0f, 1.0f}) // barge boards
            beam(timber, vec3(side * (roof.halfSpan - 0.05f), roof.eaves + 0.02f, kJetty + kOverhang - 0.05f),
                vec3(0, roof.ridge + 0.08f, kJetty + kOverhang - 0.05f), 0.08f);

    MeshBuilder tiles = textured(0.4f);
    tiles.transform = roof.placement;
    gableRoof(tiles, roof.halfLength, roof.halfSpan, roof.eaves, roof.ridge);

    HouseMesh house;
    house.ridgeHeight = roof.ridge;
    placeOpenings(style, house);
    house.meshIndex = builder.addMesh(name, {base.take(style.base), walls.take(style.wall), plinth.take(materials.stone),
                                                timber.take(materials.timber), tiles.take(style.roof)});
    return house;
}

std::uint32_t addWindowMesh(SceneBuilder& builder, const TownMaterials& materials, std::uint32_t paint)
{
    MeshBuilder frame = textured(1.0f);
    for (const float side : {-1.0f, 1.0f})
    {
        frame.box(vec3(side * 0.45f - 0.05f, -0.6f, -0.05f), vec3(side * 0.45f + 0.05f, 0.65f, 0.07f));
        frame.box(vec3(-0.4f, side * 0.6f - 0.05f, -0.05f), vec3(0.4f, side * 0.6f + 0.05f, 0.06f));
    }
    frame.box(vec3(-0.025f, -0.55f, -0.02f), vec3(0.025f, 0.55f, 0.045f));
    frame.box(vec3(-0.4f, 0.08f, -0.02f), vec3(0.4f, 0.12f, 0.04f));
    MeshBuilder shutters = textured(1.0f);
    for (const float side : {-1.0f, 1.0f})
    {
        shutters.box(vec3(side * 0.74f - 0.22f, -0.62f, 0.0f), vec3(side * 0.74f + 0.22f, 0.62f, 0.05f));
        for (int slat = 0; slat < 3; ++slat)
        {
            const float y = -0.42f + 0.42f * static_cast<float>(slat);
            shutters.taperedBox(
                vec3(side * 0.74f - 0.17f, y - 0.17f, 0.04f), vec3(side * 0.74f + 0.17f, y + 0.17f, 0.08f), vec2(0.9f, 0.5f));
        }
    }
    MeshBuilder sill = textured(1.0f);
    sill.box(vec3(-0.58f, -0.74f, -0.02f), vec3(0.58f, -0.64f, 0.16f));
    MeshBuilder glass = textured(1.0f);
    glass.quad(vec3(-0.4f, -0.55f, 0.02f), vec3(0.4f, -0.55f, 0.02f), vec3(0.4f, 0.55f, 0.02f), vec3(-0.4f, 0.55f, 0.02f));
    return builder.addMesh("window " + std::to_string(paint),
        {frame.take(materials.timber), shutters.take(paint), sill.take(materials.stone), glass.take(materials.glass)});
}

std::uint32_t addDoorMesh(SceneBuilder& builder, const TownMaterials& materials, std::uint32_t paint)
{
    MeshBuilder frame = textured(1.0f);
    for (const float side : {-1.0f, 1.0f})
        frame.box(vec3(side * 0.62f - 0.1f, 0, -0.05f), vec3(side * 0.62f + 0.1f, 2.15f, 0.14f));
    frame.box(vec3(-0.8f, 2.15f, -0.05f), vec3(0.8f, 2.38f, 0.18f));
    frame.box(vec3(-0.9f, 0.0f, -0.05f), vec3(0.9f, 0.14f, 0.6f));
    MeshBuilder leaf = textured(1.0f);
    leaf.box(vec3(-0.52f, 0.14f, -0.02f), vec3(0.52f, 2.15f, 0.09f));
    for (int row = 0; row < 3; ++row)
        for (const float side : {-1.0f, 1.0f})
        {
            const float y = 0.3f + 0.62f * static_cast<float>(row);
            leaf.box(vec3(side * 0.25f - 0.18f, y, 0.08f), vec3(side * 0.25f + 0.18f, y + 0.5f, 0.115f));
        }
    MeshBuilder knob = textured(1.0f);
    knob.ellipsoid(vec3(0.42f, 1.1f, 0.14f), vec3(0.04f), 10, 6);
    return builder.addMesh("door " + std::to_string(paint), {frame.take(materials.stone), leaf.take(paint), knob.take(materials.gold)});
}

std::uint32_t addTowerMesh(SceneBuilder& builder, const TownMaterials& materials)
{
    MeshBuilder walls = textured(0.4f);
    walls.box(vec3(-2.4f, 0, -2.4f), vec3(2.4f, 13.0f, 2.4f));
    MeshBuilder trim = textured(0.5f);
    for (const float y : {0.0f, 9.0f, 12.9f})
        trim.box(vec3(-2.6f, y, -2.6f), vec3(2.6f, y + 0.4f, 2.6f));
    MeshBuilder clock = textured(1.0f);
    MeshBuilder hands = textured(1.0f);
    for (int face = 0; face < 4; ++face)
    {
        const mat4 turned = glm::mat4_cast(glm::angleAxis(1.5707963f * static_cast<float>(face), vec3(0, 1, 0)));
        clock.transform = turned * alignY(vec3(0, 11.2f, 2.38f), vec3(0, 11.2f, 3.0f));
        clock.lathe({vec2(0, 0), vec2(1.15f, 0), vec2(1.15f, 0.1f), vec2(0, 0.1f)}, 28, Edges::Hard);
        hands.transform = turned;
        beam(hands, vec3(0, 11.2f, 2.50f), vec3(0.0f, 12.1f, 2.50f), 0.05f);
        beam(hands, vec3(0, 11.2f, 2.50f), vec3(0.55f, 10.85f, 2.50f), 0.06f);
        for (int hour = 0; hour < 12; ++hour)
        {
            const float angle = 0.5235988f * static_cast<float>(hour);
            const vec3 out(std::sin(angle), std::cos(angle), 0);
            beam(hands, vec3(0, 11.2f, 2.49f) + out * 0.92f, vec3(0, 11.2f, 2.49f) + out * 1.08f, 0.03f);
        }
    }
    MeshBuilder roof = textured(0.4f);
    roof.transform = glm::mat4_cast(glm::angleAxis(0.7853982f, vec3(0, 1, 0)));
    roof.lathe({vec2(0.0f, 13.1f), vec2(3.9f, 13.1f), vec2(2.6f, 14.6f), vec2(0.0f, 20.5f)}, 4, Edges::Hard);
    MeshBuilder finial = textured(1.0f);
    finial.rod(vec3(0, 20.2f, 0), vec3(0, 21.6f, 0), 0.06f, 0.03f, 8);
    finial.ellipsoid(vec3(0, 20.6f, 0), vec3(0.22f), 12, 8);
    return builder.addMesh("tower", {walls.take(materials.brick), trim.take(materials.stone), clock.take(materials.plaster[0]),
                                        hands.take(materials.iron), roof.take(materials.roof[1]), finial.take(materials.gold)});
}

} // namespace dl::scenes
