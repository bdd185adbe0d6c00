// tests/scenes/figure_weapons.cpp - weapons of several parts, each a mesh of its own in the weapon's frame.
#include "tests/scenes/figures.h"
#include "tests/scenes/mesh_builder.h"

#include <initializer_list>
#include <utility>

namespace dl::scenes
{

namespace
{

Primitive lathed(std::uint32_t material, std::initializer_list<vec2> profile, std::uint32_t segmentCount)
{
    MeshBuilder shape;
    shape.uvPerMetre = 4.0f;
    shape.lathe(profile, segmentCount);
    return shape.take(material);
}

Primitive shaft(std::uint32_t material, float from, float to, float radius)
{
    MeshBuilder shape;
    shape.uvPerMetre = 4.0f;
    shape.rod(vec3(0, from, 0), vec3(0, to, 0), radius, radius, 10);
    return shape.take(material);
}

/// A blade of diamond section from y = from to a point at y = to.
Primitive blade(std::uint32_t material, float from, float to, float halfWidth, float halfThickness)
{
    MeshBuilder shape;
    shape.uvPerMetre = 2.0f;
    const float shoulder = to - 2.5f * halfWidth;
    const auto ring = [&](float y, float scale)
    {
        return std::array<vec3, 4>{vec3(halfWidth * scale, y, 0), vec3(0, y, halfThickness * scale), vec3(-halfWidth * scale, y, 0),
            vec3(0, y, -halfThickness * scale)};
    };
    const auto low = ring(from, 1.0f);
    const auto high = ring(shoulder, 0.86f);
    const vec3 tip(0, to, 0);
    for (std::size_t i = 0; i < 4; ++i)
    {
        const std::size_t j = (i + 1) % 4;
        shape.quad(low[j], low[i], high[i], high[j]);
        shape.triangle(high[j], high[i], tip);
    }
    return shape.take(material);
}

Primitive boxed(std::uint32_t material, vec3 min, vec3 max)
{
    MeshBuilder shape;
    shape.uvPerMetre = 3.0f;
    shape.box(min, max);
    return shape.take(material);
}

std::vector<WeaponPart> make(std::initializer_list<std::pair<const char*, Primitive>> parts)
{
    std::vector<WeaponPart> out;
    for (const auto& [name, primitive] : parts)
        out.push_back({name, {primitive}});
    return out;
}

Primitive axeHead(std::uint32_t material)
{
    MeshBuilder shape;
    shape.uvPerMetre = 3.0f;
    shape.box(vec3(-0.03f, 0.60f, -0.022f), vec3(0.05f, 0.72f, 0.022f));
    // The cheek widens towards the edge and thins out.
    const vec3 rootLow(0.05f, 0.61f, 0.02f);
    const vec3 rootHigh(0.05f, 0.71f, 0.02f);
    const vec3 edgeLow(0.20f, 0.55f, 0.0f);
    const vec3 edgeHigh(0.20f, 0.78f, 0.0f);
    const auto back = [](vec3 p) { return vec3(p.x, p.y, -p.z); };
    shape.quad(rootLow, edgeLow, edgeHigh, rootHigh);
    shape.quad(edgeLow, back(rootLow), back(rootHigh), edgeHigh);
    shape.triangle(rootHigh, edgeHigh, back(rootHigh));
    shape.triangle(rootLow, back(rootLow), edgeLow);
    return shape.take(material);
}

} // namespace

std::vector<WeaponPart> makeWeapon(Weapon weapon, const TownMaterials& m, std::uint32_t cloth)
{
    switch (weapon)
    {
    case Weapon::None: break;
    case Weapon::Sword:
        return make({{"blade", blade(m.steel, 0.10f, 0.95f, 0.034f, 0.009f)},
            {"guard", boxed(m.gold, vec3(-0.12f, 0.075f, -0.018f), vec3(0.12f, 0.105f, 0.018f))},
            {"grip", shaft(m.leather, -0.08f, 0.08f, 0.017f)},
            {"pommel",
                lathed(m.gold, {vec2(0, -0.14f), vec2(0.022f, -0.13f), vec2(0.03f, -0.105f), vec2(0.02f, -0.08f), vec2(0, -0.075f)}, 12)}});
    case Weapon::Axe:
        return make({{"shaft", shaft(m.timber, -0.22f, 0.74f, 0.018f)}, {"head", axeHead(m.steel)},
            {"binding", shaft(m.leather, -0.07f, 0.09f, 0.023f)},
            {"cap", lathed(m.iron, {vec2(0, -0.27f), vec2(0.02f, -0.26f), vec2(0.026f, -0.22f), vec2(0, -0.21f)}, 10)}});
    case Weapon::Spear:
        return make({{"shaft", shaft(m.timber, -0.85f, 1.05f, 0.016f)}, {"tip", blade(m.steel, 1.08f, 1.36f, 0.04f, 0.014f)},
            {"socket", lathed(m.iron, {vec2(0.02f, 0.96f), vec2(0.026f, 0.98f), vec2(0.022f, 1.08f), vec2(0, 1.12f)}, 10)},
            {"ribbon", boxed(cloth, vec3(0.015f, 0.72f, -0.004f), vec3(0.22f, 0.95f, 0.004f))},
            {"butt", lathed(m.iron, {vec2(0, -0.93f), vec2(0.022f, -0.85f), vec2(0.02f, -0.80f), vec2(0, -0.80f)}, 10)}});
    case Weapon::Hammer:
        return make({{"shaft", shaft(m.timber, -0.18f, 0.56f, 0.018f)},
            {"head", boxed(m.iron, vec3(-0.12f, 0.50f, -0.045f), vec3(0.10f, 0.60f, 0.045f))},
            {"face", boxed(m.steel, vec3(0.10f, 0.49f, -0.055f), vec3(0.135f, 0.61f, 0.055f))},
            {"binding", shaft(m.leather, -0.08f, 0.07f, 0.023f)}});
    case Weapon::LanternStaff:
        return make({{"staff", shaft(m.timber, -0.85f, 1.0f, 0.018f)},
            {"arm", boxed(m.iron, vec3(-0.01f, 0.96f, -0.01f), vec3(0.24f, 0.985f, 0.01f))},
            {"cage", lathed(m.iron, {vec2(0, 0.93f), vec2(0.07f, 0.90f), vec2(0.06f, 0.89f), vec2(0, 0.89f)}, 8)},
            {"glow", lathed(m.lantern, {vec2(0, 0.75f), vec2(0.045f, 0.75f), vec2(0.05f, 0.89f), vec2(0, 0.89f)}, 8)},
            {"base", lathed(m.iron, {vec2(0, 0.72f), vec2(0.05f, 0.73f), vec2(0.055f, 0.755f), vec2(0, 0.755f)}, 8)}});
    }
    return {};
}

std::vector<WeaponPart> makeShield(const TownMaterials& m, std::uint32_t cloth)
{
    const mat4 upright(vec4(1, 0, 0, 0), vec4(0, 0, 1, 0), vec4(0, -1, 0, 0), vec4(0, 0, 0, 1)); // Y axis onto +Z
    MeshBuilder board;
    board.uvPerMetre = 2.0f;
    board.transform = upright;
    board.lathe({vec2(0, 0.0f), vec2(0.30f, 0.0f), vec2(0.30f, 0.02f), vec2(0.16f, 0.05f), vec2(0, 0.06f)}, 24);
    MeshBuilder rim;
    rim.uvPerMetre = 2.0f;
    rim.transform = upright;
    rim.lathe({vec2(0.295f, -0.012f), vec2(0.32f, -0.008f), vec2(0.322f, 0.026f), vec2(0.295f, 0.034f)}, 24);
    MeshBuilder boss;
    boss.uvPerMetre = 2.0f;
    boss.transform = upright;
    boss.lathe({vec2(0.09f, 0.05f), vec2(0.085f, 0.065f), vec2(0.05f, 0.095f), vec2(0, 0.105f)}, 16);
    return make({{"board", board.take(cloth)}, {"rim", rim.take(m.steel)}, {"boss", boss.take(m.gold)}});
}

} // namespace dl::scenes
