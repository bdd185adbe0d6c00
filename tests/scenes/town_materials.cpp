#include "tests/scenes/town_materials.h"

#include "tests/scenes/patterns.h"

namespace dl::scenes
{

namespace
{

void addWalls(SceneBuilder& b, TownMaterials& m, std::uint32_t seed)
{
    m.cobbles = b.addSurface("cobbles", synthSurface("cobbles", 512, 0.020f, cobblePattern(vec3(0.60f, 0.57f, 0.54f), seed)));
    m.flagstones =
        b.addSurface("flagstones", synthSurface("flagstones", 256, 0.012f, flagstonePattern(vec3(0.72f, 0.68f, 0.61f), seed + 1)));
    m.grass = b.addSurface("grass", synthSurface("grass", 256, 0.012f, grassPattern(seed + 2)));
    m.brick = b.addSurface(
        "brick", synthSurface("brick", 512, 0.012f, brickPattern(vec3(0.66f, 0.36f, 0.27f), vec3(0.72f, 0.68f, 0.62f), seed + 3)));
    m.stone = b.addSurface("stone", synthSurface("stone", 256, 0.010f, stonePattern(vec3(0.74f, 0.71f, 0.66f), seed + 4)));
    m.planks = b.addSurface("planks", synthSurface("planks", 256, 0.012f, plankPattern(vec3(0.56f, 0.40f, 0.25f), seed + 5)));
    m.timber = b.addSurface("timber", synthSurface("timber", 256, 0.006f, timberPattern(vec3(0.34f, 0.23f, 0.15f), seed + 6)));
    const vec3 plasters[] = {vec3(0.93f, 0.89f, 0.80f), vec3(0.90f, 0.74f, 0.50f), vec3(0.84f, 0.58f, 0.50f), vec3(0.66f, 0.74f, 0.76f)};
    const char* names[] = {"plaster cream", "plaster ochre", "plaster rose", "plaster blue"};
    // One relief for all four: the colour is what differs.
    for (std::size_t i = 0; i < m.plaster.size(); ++i)
        m.plaster[i] = b.addSurface(names[i], synthSurface(names[i], 256, 0.006f, plasterPattern(plasters[i], seed + 20)));
    m.roof[0] = b.addSurface("roof clay", synthSurface("roof clay", 256, 0.020f, roofTilePattern(vec3(0.76f, 0.38f, 0.25f), seed + 8)));
    m.roof[1] = b.addSurface("roof slate", synthSurface("roof slate", 256, 0.012f, slatePattern(vec3(0.40f, 0.43f, 0.50f), seed + 9)));
    m.paint[0] = b.addPlain("paint green", vec3(0.07f, 0.17f, 0.11f), 0.45f);
    m.paint[1] = b.addPlain("paint blue", vec3(0.06f, 0.13f, 0.27f), 0.45f);
    m.paint[2] = b.addPlain("paint red", vec3(0.30f, 0.05f, 0.04f), 0.45f);
}

void addCutOutsAndGlass(SceneBuilder& b, TownMaterials& m, std::uint32_t seed)
{
    const vec3 greens[] = {vec3(0.40f, 0.56f, 0.22f), vec3(0.74f, 0.50f, 0.18f)};
    const char* names[] = {"leaves summer", "leaves autumn"};
    for (std::size_t i = 0; i < m.leaves.size(); ++i)
    {
        m.leaves[i] = b.addSurface(names[i], synthSurface(names[i], 256, 0.01f, leafPattern(greens[i], seed + 30)));
        b.scene.materials[m.leaves[i]].alphaMode = AlphaMode::Mask;
        b.scene.materials[m.leaves[i]].isDoubleSided = true;
    }
    m.bark = b.addSurface("bark", synthSurface("bark", 256, 0.03f, barkPattern(seed + 10)));
    m.fence = b.addSurface("fence", synthSurface("fence", 256, 0.004f, ironFencePattern()));
    b.scene.materials[m.fence].alphaMode = AlphaMode::Mask;
    b.scene.materials[m.fence].isDoubleSided = true;
    m.glass = b.addPlain("glass", vec3(0.16f, 0.24f, 0.30f), 0.05f);
    b.scene.materials[m.glass].baseColorFactor.a = 0.55f;
    b.scene.materials[m.glass].alphaMode = AlphaMode::Blend;
    m.water = b.addSurface("water", synthSurface("water", 256, 0.02f, waterPattern(seed + 11)));
    b.scene.materials[m.water].alphaMode = AlphaMode::Blend;
    m.lantern = b.addPlain("lantern", vec3(1.0f, 0.85f, 0.55f), 0.4f);
    b.scene.materials[m.lantern].emissiveFactor = vec3(1.0f, 0.72f, 0.36f) * 4.0f;
    m.gold = b.addPlain("gold", vec3(1.0f, 0.72f, 0.30f), 0.28f, 1.0f);
    m.iron = b.addSurface("iron", synthSurface("iron", 256, 0.003f, metalPattern(vec3(0.34f, 0.35f, 0.37f), 0.45f, seed + 12)));
    m.awning[0] = b.addSurface("awning red",
        synthSurface("awning red", 256, 0.002f, stripePattern(vec3(0.80f, 0.22f, 0.18f), vec3(0.95f, 0.92f, 0.84f), 6, seed + 13)));
    m.awning[1] = b.addSurface("awning blue",
        synthSurface("awning blue", 256, 0.002f, stripePattern(vec3(0.20f, 0.40f, 0.66f), vec3(0.95f, 0.92f, 0.84f), 6, seed + 14)));
    for (const std::uint32_t awning : m.awning)
        b.scene.materials[awning].isDoubleSided = true;
    m.fruit = b.addPlain("fruit", vec3(1.0f), 0.5f);
}

void addFigureMaterials(SceneBuilder& b, TownMaterials& m, std::uint32_t seed)
{
    m.skin[0] = b.addPlain("skin light", vec3(0.80f, 0.52f, 0.38f), 0.6f);
    m.skin[1] = b.addPlain("skin tan", vec3(0.52f, 0.30f, 0.19f), 0.6f);
    m.skin[2] = b.addPlain("skin dark", vec3(0.20f, 0.10f, 0.06f), 0.55f);
    const vec3 cloths[] = {vec3(0.68f, 0.24f, 0.20f), vec3(0.24f, 0.42f, 0.62f), vec3(0.42f, 0.54f, 0.28f), vec3(0.78f, 0.62f, 0.32f)};
    const char* names[] = {"cloth red", "cloth blue", "cloth green", "cloth ochre"};
    for (std::size_t i = 0; i < m.cloth.size(); ++i)
        m.cloth[i] = b.addSurface(names[i], synthSurface(names[i], 256, 0.002f, weavePattern(cloths[i], seed + 40)));
    m.hair[0] = b.addPlain("hair brown", vec3(0.10f, 0.05f, 0.025f), 0.7f);
    m.hair[1] = b.addPlain("hair fair", vec3(0.55f, 0.36f, 0.14f), 0.7f);
    m.leather = b.addSurface("leather", synthSurface("leather", 256, 0.006f, stonePattern(vec3(0.42f, 0.27f, 0.17f), seed + 15)));
    m.steel = b.addSurface("steel", synthSurface("steel", 256, 0.002f, metalPattern(vec3(0.78f, 0.79f, 0.82f), 0.3f, seed + 16)));
}

} // namespace

TownMaterials addTownMaterials(SceneBuilder& builder, std::uint32_t seed)
{
    TownMaterials materials;
    addWalls(builder, materials, seed);
    addCutOutsAndGlass(builder, materials, seed);
    addFigureMaterials(builder, materials, seed);
    return materials;
}

} // namespace dl::scenes
