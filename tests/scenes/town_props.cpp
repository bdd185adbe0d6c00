#include "tests/scenes/town_props.h"

#include "drawloom/asset/tangents.h"
#include "tests/scenes/mesh_builder.h"

#include <cmath>
#include <utility>

namespace dl::scenes
{

namespace
{

constexpr float kTurn = 6.2831853f;

MeshBuilder textured(float uvPerMetre)
{
    MeshBuilder shape;
    shape.uvPerMetre = uvPerMetre;
    return shape;
}

/// A square card about `centre`, its normals bent outwards from `crown` so that foliage shades as one mass.
void leafCard(MeshBuilder& shape, vec3 centre, float halfSize, quat turn)
{
    const vec3 x = turn * vec3(halfSize, 0, 0);
    const vec3 y = turn * vec3(0, halfSize, 0);
    shape.quadFitted(centre - x - y, centre + x - y, centre + x + y, centre - x + y);
}

void bendNormals(Primitive& primitive, vec3 crown)
{
    for (std::size_t i = 0; i < primitive.positions.size(); ++i)
    {
        const vec3 out = glm::normalize(primitive.positions[i] - crown + vec3(0, 0.4f, 0));
        const vec3 side = glm::dot(out, primitive.normals[i]) < 0.0f ? -primitive.normals[i] : primitive.normals[i];
        primitive.normals[i] = glm::normalize(0.75f * out + 0.25f * side);
    }
    generateTangents(primitive, 0);
}

quat randomTurn(Random& random)
{
    return glm::angleAxis(random.range(0, kTurn), vec3(0, 1, 0)) * glm::angleAxis(random.range(-1.1f, 1.1f), vec3(1, 0, 0)) *
           glm::angleAxis(random.range(0, kTurn), vec3(0, 0, 1));
}

} // namespace

std::uint32_t addFountainMesh(SceneBuilder& builder, const TownMaterials& materials)
{
    MeshBuilder steps = textured(0.5f);
    steps.lathe({vec2(3.6f, 0), vec2(3.6f, 0.18f), vec2(3.1f, 0.18f), vec2(3.1f, 0.36f), vec2(2.0f, 0.36f)}, 8, Edges::Hard);
    MeshBuilder basin = textured(0.6f);
    basin.lathe({vec2(2.62f, 0.30f), vec2(2.55f, 0.45f), vec2(2.45f, 0.55f), vec2(2.45f, 0.95f), vec2(2.62f, 1.0f), vec2(2.66f, 1.08f),
                    vec2(2.60f, 1.15f), vec2(2.35f, 1.15f), vec2(2.30f, 1.08f), vec2(2.28f, 0.45f), vec2(0.0f, 0.42f)},
        40);
    basin.lathe({vec2(0.62f, 0.42f), vec2(0.55f, 0.6f), vec2(0.34f, 0.75f), vec2(0.28f, 1.2f), vec2(0.34f, 1.55f), vec2(0.30f, 1.75f),
                    vec2(0.55f, 1.9f), vec2(1.05f, 2.05f), vec2(1.22f, 2.2f), vec2(1.24f, 2.3f), vec2(1.12f, 2.3f), vec2(0.9f, 2.15f),
                    vec2(0.2f, 2.08f), vec2(0.18f, 2.6f), vec2(0.26f, 2.75f), vec2(0.16f, 2.9f)},
        28);
    MeshBuilder gold = textured(1.0f);
    gold.lathe({vec2(0.15f, 2.86f), vec2(0.22f, 2.95f), vec2(0.10f, 3.05f), vec2(0.13f, 3.15f), vec2(0.30f, 3.35f), vec2(0.30f, 3.5f),
                   vec2(0.16f, 3.72f), vec2(0.05f, 3.95f), vec2(0, 4.15f)},
        20);
    MeshBuilder water = textured(0.4f);
    water.lathe({vec2(2.3f, 0.98f), vec2(0.28f, 0.98f)}, 32);
    water.lathe({vec2(1.1f, 2.24f), vec2(0.18f, 2.24f)}, 24);
    for (int jet = 0; jet < 8; ++jet)
    {
        const float angle = kTurn * static_cast<float>(jet) / 8.0f;
        const vec3 out(std::sin(angle), 0, std::cos(angle));
        constexpr int kPieces = 6;
        for (int piece = 0; piece < kPieces; ++piece)
        {
            const auto point = [&](int i)
            {
                const float t = static_cast<float>(i) / kPieces;
                return out * (1.2f + 0.72f * t) + vec3(0, 2.26f + 0.25f * t - 1.5f * t * t, 0);
            };
            water.rod(point(piece), point(piece + 1), 0.022f + 0.003f * static_cast<float>(piece),
                0.025f + 0.003f * static_cast<float>(piece), 6);
        }
    }
    return builder.addMesh("fountain",
        {steps.take(materials.flagstones), basin.take(materials.stone), gold.take(materials.gold), water.take(materials.water)});
}

std::uint32_t addTreeMesh(SceneBuilder& builder, const TownMaterials& materials, std::uint32_t leaves, Random& random)
{
    MeshBuilder trunk = textured(1.0f);
    trunk.lathe({vec2(0.34f, 0), vec2(0.24f, 0.25f), vec2(0.19f, 1.0f), vec2(0.16f, 2.2f), vec2(0.10f, 3.4f), vec2(0, 4.4f)}, 10);
    for (int branch = 0; branch < 6; ++branch)
    {
        const float angle = kTurn * (static_cast<float>(branch) + random.unit() * 0.5f) / 6.0f;
        const float from = random.range(1.8f, 2.8f);
        const vec3 out(std::sin(angle), 0, std::cos(angle));
        trunk.rod(vec3(0, from, 0), vec3(0, from + random.range(0.8f, 1.4f), 0) + out * random.range(0.9f, 1.4f), 0.08f, 0.03f, 6);
    }
    const vec3 crown(0, 3.7f, 0);
    MeshBuilder foliage = textured(1.0f);
    for (int card = 0; card < 170; ++card)
    {
        const float up = random.range(-0.85f, 1.0f);
        const float bearing = random.range(0, kTurn);
        const float ring = std::sqrt(std::max(0.0f, 1.0f - up * up));
        const float reach = 1.0f - 0.45f * random.unit() * random.unit();
        const vec3 direction(ring * std::sin(bearing), up, ring * std::cos(bearing));
        leafCard(foliage, crown + direction * reach * vec3(1.55f, 1.45f, 1.55f), random.range(0.42f, 0.62f), randomTurn(random));
    }
    Primitive cards = foliage.take(leaves);
    bendNormals(cards, crown);
    return builder.addMesh("tree " + std::to_string(leaves) + " " + std::to_string(builder.scene.meshes.size()),
        {trunk.take(materials.bark), std::move(cards)});
}

std::uint32_t addStallMesh(SceneBuilder& builder, const TownMaterials& materials, std::uint32_t awning)
{
    MeshBuilder wood = textured(0.8f);
    wood.box(vec3(-1.5f, 0.82f, -0.55f), vec3(1.5f, 0.90f, 0.55f));
    wood.box(vec3(-1.42f, 0.12f, 0.44f), vec3(1.42f, 0.80f, 0.50f));
    for (const float x : {-1.42f, 1.42f})
        wood.box(vec3(x - 0.04f, 0.12f, -0.48f), vec3(x + 0.04f, 0.80f, 0.48f));
    MeshBuilder posts = textured(1.0f);
    for (const float x : {-1.5f, 1.5f})
    {
        posts.box(vec3(x - 0.05f, 0, 0.60f), vec3(x + 0.05f, 2.15f, 0.70f));
        posts.box(vec3(x - 0.05f, 0, -0.70f), vec3(x + 0.05f, 2.65f, -0.60f));
    }
    MeshBuilder cloth = textured(0.5f);
    constexpr int kPanels = 6;
    for (int panel = 0; panel < kPanels; ++panel)
    {
        const float x0 = -1.7f + 3.4f * static_cast<float>(panel) / kPanels;
        const float x1 = -1.7f + 3.4f * static_cast<float>(panel + 1) / kPanels;
        const auto edge = [](float x, float y, float z) { return vec3(x, y, z); };
        cloth.quad(edge(x0, 2.12f, 1.0f), edge(x1, 2.12f, 1.0f), edge(x1, 2.45f, 0.1f), edge(x0, 2.45f, 0.1f));
        cloth.quad(edge(x0, 2.45f, 0.1f), edge(x1, 2.45f, 0.1f), edge(x1, 2.72f, -0.85f), edge(x0, 2.72f, -0.85f));
        const float middle = 0.5f * (x0 + x1);
        cloth.quad(edge(x0, 1.96f, 1.03f), edge(middle, 1.86f, 1.04f), edge(middle, 2.12f, 1.0f), edge(x0, 2.12f, 1.0f));
        cloth.quad(edge(middle, 1.86f, 1.04f), edge(x1, 1.96f, 1.03f), edge(x1, 2.12f, 1.0f), edge(middle, 2.12f, 1.0f));
    }
    return builder.addMesh(
        "stall " + std::to_string(awning), {wood.take(materials.planks), posts.take(materials.timber), cloth.take(awning)});
}

std::uint32_t addFruitCrateMesh(SceneBuilder& builder, const TownMaterials& materials, vec3 color, Random& random)
{
    MeshBuilder wood = textured(1.5f);
    wood.box(vec3(-0.28f, 0, -0.2f), vec3(0.28f, 0.03f, 0.2f));
    for (const float side : {-1.0f, 1.0f})
    {
        wood.box(vec3(-0.28f, 0.03f, side * 0.19f - 0.015f), vec3(0.28f, 0.17f, side * 0.19f + 0.015f));
        wood.box(vec3(side * 0.27f - 0.015f, 0.03f, -0.19f), vec3(side * 0.27f + 0.015f, 0.17f, 0.19f));
    }
    MeshBuilder fruit = textured(1.0f);
    for (int row = 0; row < 3; ++row)
        for (int column = 0; column < 4; ++column)
        {
            fruit.color = vec4(color * random.range(0.75f, 1.15f), 1.0f);
            const vec3 centre(
                -0.19f + 0.127f * static_cast<float>(column), 0.14f + random.range(0, 0.04f), -0.12f + 0.12f * static_cast<float>(row));
            fruit.ellipsoid(centre, vec3(0.066f, 0.062f, 0.066f), 6, 4);
        }
    return builder.addMesh(
        "crate " + std::to_string(builder.scene.meshes.size()), {wood.take(materials.planks), fruit.take(materials.fruit)});
}

std::uint32_t addBenchMesh(SceneBuilder& builder, const TownMaterials& materials)
{
    MeshBuilder wood = textured(1.0f);
    for (int slat = 0; slat < 4; ++slat)
    {
        const float z = -0.2f + 0.13f * static_cast<float>(slat);
        wood.box(vec3(-0.9f, 0.44f, z), vec3(0.9f, 0.48f, z + 0.1f));
    }
    for (int slat = 0; slat < 3; ++slat)
    {
        const float y = 0.56f + 0.14f * static_cast<float>(slat);
        wood.box(vec3(-0.9f, y, -0.28f), vec3(0.9f, y + 0.1f, -0.24f));
    }
    MeshBuilder iron = textured(1.0f);
    for (const float x : {-0.75f, 0.75f})
    {
        iron.box(vec3(x - 0.03f, 0, 0.2f), vec3(x + 0.03f, 0.44f, 0.26f));
        iron.box(vec3(x - 0.03f, 0, -0.3f), vec3(x + 0.03f, 0.98f, -0.28f));
        iron.box(vec3(x - 0.03f, 0.39f, -0.3f), vec3(x + 0.03f, 0.44f, 0.26f));
    }
    return builder.addMesh("bench", {wood.take(materials.planks), iron.take(materials.iron)});
}

std::uint32_t addLampMesh(SceneBuilder& builder, const TownMaterials& materials)
{
    MeshBuilder iron = textured(1.0f);
    iron.lathe({vec2(0.22f, 0), vec2(0.22f, 0.12f), vec2(0.13f, 0.2f), vec2(0.09f, 0.6f), vec2(0.06f, 0.7f), vec2(0.05f, 2.7f),
                   vec2(0.09f, 2.78f), vec2(0.05f, 2.86f)},
        12);
    iron.rod(vec3(-0.3f, 2.6f, 0), vec3(0.3f, 2.6f, 0), 0.025f, 0.025f, 6);
    iron.lathe({vec2(0.11f, 2.86f), vec2(0.15f, 2.9f), vec2(0, 2.9f)}, 6, Edges::Hard);
    iron.lathe({vec2(0, 3.25f), vec2(0.23f, 3.25f), vec2(0.10f, 3.40f), vec2(0.04f, 3.44f), vec2(0, 3.55f)}, 6, Edges::Hard);
    for (int post = 0; post < 6; ++post)
    {
        const float angle = kTurn * static_cast<float>(post) / 6.0f;
        const vec3 out(std::sin(angle), 0, std::cos(angle));
        iron.rod(out * 0.145f + vec3(0, 2.89f, 0), out * 0.205f + vec3(0, 3.26f, 0), 0.012f, 0.012f, 4);
    }
    MeshBuilder glow = textured(1.0f);
    glow.lathe({vec2(0.09f, 2.92f), vec2(0.13f, 3.22f), vec2(0, 3.24f)}, 12);
    return builder.addMesh("lamp", {iron.take(materials.iron), glow.take(materials.lantern)});
}

std::uint32_t addBarrelMesh(SceneBuilder& builder, const TownMaterials& materials)
{
    MeshBuilder wood = textured(1.0f);
    wood.lathe({vec2(0, 0), vec2(0.27f, 0)}, 18);
    wood.lathe({vec2(0.27f, 0), vec2(0.34f, 0.25f), vec2(0.36f, 0.45f), vec2(0.34f, 0.65f), vec2(0.27f, 0.9f)}, 18);
    wood.lathe({vec2(0.25f, 0.86f), vec2(0, 0.86f)}, 18);
    MeshBuilder iron = textured(1.0f);
    for (const vec2 hoop : {vec2(0.325f, 0.18f), vec2(0.363f, 0.40f), vec2(0.345f, 0.62f), vec2(0.285f, 0.84f)})
        iron.lathe({vec2(hoop.x - 0.02f, hoop.y - 0.035f), vec2(hoop.x + 0.008f, hoop.y - 0.03f), vec2(hoop.x + 0.008f, hoop.y + 0.03f),
                       vec2(hoop.x - 0.03f, hoop.y + 0.035f)},
            18);
    return builder.addMesh("barrel", {wood.take(materials.planks), iron.take(materials.iron)});
}

std::uint32_t addCartMesh(SceneBuilder& builder, const TownMaterials& materials)
{
    MeshBuilder wood = textured(0.8f);
    wood.box(vec3(-1.0f, 0.6f, -0.55f), vec3(1.0f, 0.68f, 0.55f));
    for (const float side : {-1.0f, 1.0f})
        wood.taperedBox(vec3(-1.0f, 0.68f, side * 0.52f - 0.03f), vec3(1.0f, 1.0f, side * 0.52f + 0.03f), vec2(1.05f, 1.0f));
    wood.box(vec3(0.94f, 0.68f, -0.5f), vec3(1.0f, 0.95f, 0.5f));
    wood.rod(vec3(-1.0f, 0.64f, 0.42f), vec3(-2.1f, 0.9f, 0.42f), 0.04f, 0.035f, 8);
    wood.rod(vec3(-1.0f, 0.64f, -0.42f), vec3(-1.5f, 0.76f, -0.42f), 0.04f, 0.035f, 8);
    MeshBuilder wheels = textured(1.0f);
    for (const float side : {-1.0f, 1.0f})
    {
        const vec3 hub(0.1f, 0.45f, side * 0.66f);
        wheels.transform = alignY(hub - vec3(0, 0, 0.04f), hub + vec3(0, 0, 0.04f));
        wheels.lathe({vec2(0.38f, 0), vec2(0.45f, 0), vec2(0.45f, 0.08f), vec2(0.38f, 0.08f), vec2(0.38f, 0)}, 20, Edges::Hard);
        wheels.lathe({vec2(0, -0.03f), vec2(0.08f, -0.03f), vec2(0.08f, 0.11f), vec2(0, 0.11f)}, 10, Edges::Hard);
        wheels.transform = mat4(1.0f);
        for (int spoke = 0; spoke < 8; ++spoke)
        {
            const float angle = kTurn * static_cast<float>(spoke) / 8.0f;
            const vec3 out(std::sin(angle), std::cos(angle), 0);
            wheels.rod(hub + out * 0.06f, hub + out * 0.40f, 0.025f, 0.022f, 6);
        }
    }
    return builder.addMesh("cart", {wood.take(materials.planks), wheels.take(materials.timber)});
}

std::uint32_t addSignMesh(SceneBuilder& builder, const TownMaterials& materials)
{
    MeshBuilder iron = textured(1.0f);
    iron.box(vec3(0, 0, -0.02f), vec3(1.0f, 0.04f, 0.02f));
    iron.rod(vec3(0.0f, -0.5f, 0), vec3(0.55f, 0.0f, 0), 0.016f, 0.016f, 6);
    for (const float x : {0.35f, 0.85f})
        iron.rod(vec3(x, -0.12f, 0), vec3(x, 0, 0), 0.01f, 0.01f, 5);
    MeshBuilder board = textured(1.0f);
    board.box(vec3(0.25f, -0.62f, -0.025f), vec3(0.95f, -0.12f, 0.025f));
    MeshBuilder emblem = textured(1.0f);
    emblem.ellipsoid(vec3(0.52f, -0.40f, 0), vec3(0.14f, 0.12f, 0.05f), 14, 8);
    emblem.box(vec3(0.62f, -0.44f, -0.04f), vec3(0.86f, -0.39f, 0.04f));
    emblem.box(vec3(0.78f, -0.50f, -0.04f), vec3(0.82f, -0.41f, 0.04f));
    return builder.addMesh("sign", {iron.take(materials.iron), board.take(materials.paint[0]), emblem.take(materials.gold)});
}

std::uint32_t addFenceMesh(SceneBuilder& builder, const TownMaterials& materials)
{
    MeshBuilder panel = textured(1.0f);
    panel.quadFitted(vec3(-0.9f, 0, 0), vec3(0.9f, 0, 0), vec3(0.9f, 1.0f, 0), vec3(-0.9f, 1.0f, 0));
    MeshBuilder post = textured(1.0f);
    for (const float x : {-0.95f, 0.95f})
        post.box(vec3(x - 0.06f, 0, -0.06f), vec3(x + 0.06f, 1.1f, 0.06f));
    return builder.addMesh("fence", {panel.take(materials.fence), post.take(materials.stone)});
}

std::uint32_t addPlanterMesh(SceneBuilder& builder, const TownMaterials& materials, Random& random)
{
    MeshBuilder stone = textured(1.0f);
    stone.taperedBox(vec3(-0.5f, 0, -0.3f), vec3(0.5f, 0.45f, 0.3f), vec2(1.12f, 1.16f));
    MeshBuilder foliage = textured(1.0f);
    for (int card = 0; card < 22; ++card)
        leafCard(foliage, vec3(random.range(-0.42f, 0.42f), random.range(0.5f, 0.75f), random.range(-0.22f, 0.22f)),
            random.range(0.16f, 0.26f), randomTurn(random));
    Primitive cards = foliage.take(materials.leaves[0]);
    bendNormals(cards, vec3(0, 0.35f, 0));
    MeshBuilder flowers = textured(1.0f);
    for (int flower = 0; flower < 16; ++flower)
    {
        flowers.color = vec4(flower % 2 == 0 ? vec3(0.8f, 0.08f, 0.12f) : vec3(0.9f, 0.6f, 0.1f), 1.0f);
        flowers.ellipsoid(
            vec3(random.range(-0.45f, 0.45f), random.range(0.62f, 0.88f), random.range(-0.25f, 0.25f)), vec3(0.05f, 0.035f, 0.05f), 5, 3);
    }
    return builder.addMesh("planter", {stone.take(materials.stone), std::move(cards), flowers.take(materials.fruit)});
}

std::uint32_t addTuftMesh(SceneBuilder& builder, const TownMaterials& materials)
{
    MeshBuilder foliage = textured(1.0f);
    for (int card = 0; card < 3; ++card)
        leafCard(foliage, vec3(0, 0.22f, 0), 0.3f, glm::angleAxis(kTurn * static_cast<float>(card) / 6.0f, vec3(0, 1, 0)));
    Primitive cards = foliage.take(materials.leaves[0]);
    bendNormals(cards, vec3(0, -0.3f, 0));
    return builder.addMesh("tuft", {std::move(cards)});
}

std::uint32_t addBuntingMesh(SceneBuilder& builder, const TownMaterials& materials, vec3 from, vec3 to)
{
    constexpr int kFlagCount = 26;
    MeshBuilder rope = textured(1.0f);
    MeshBuilder flags[2] = {textured(0.5f), textured(0.5f)};
    const auto point = [&](float t) { return glm::mix(from, to, t) - vec3(0, 4.0f * 0.9f * t * (1.0f - t), 0); };
    for (int i = 0; i < kFlagCount; ++i)
    {
        const float t0 = static_cast<float>(i) / kFlagCount;
        const float t1 = static_cast<float>(i + 1) / kFlagCount;
        const vec3 a = point(t0);
        const vec3 b = point(t1);
        rope.rod(a, b, 0.012f, 0.012f, 4);
        const vec3 left = glm::mix(a, b, 0.12f);
        const vec3 right = glm::mix(a, b, 0.88f);
        flags[i % 2].triangle(left, glm::mix(a, b, 0.5f) - vec3(0, 0.42f, 0), right);
    }
    return builder.addMesh("bunting " + std::to_string(builder.scene.meshes.size()),
        {rope.take(materials.iron), flags[0].take(materials.awning[0]), flags[1].take(materials.awning[1])});
}

} // namespace dl::scenes
