// tests/scenes/figure_parts.cpp - the skinned parts of the figures.
#include "tests/scenes/figures.h"
#include "tests/scenes/mesh_builder.h"

#include <cmath>

namespace dl::scenes
{

namespace
{

VertexSkin rigid(std::uint16_t joint)
{
    VertexSkin skin;
    skin.joints[0] = joint;
    skin.weights[0] = 1.0f;
    return skin;
}

VertexSkin blend(std::uint16_t a, std::uint16_t b, float towardsB)
{
    if (towardsB <= 0.0f)
        return rigid(a);
    if (towardsB >= 1.0f)
        return rigid(b);
    VertexSkin skin;
    skin.joints[0] = a;
    skin.joints[1] = b;
    skin.weights[0] = 1.0f - towardsB;
    skin.weights[1] = towardsB;
    return skin;
}

/// Weights of a limb that hangs down: upper above the joint's height, lower below it, blended over `reach` on both sides.
std::function<VertexSkin(vec3)> bend(std::uint16_t upper, std::uint16_t lower, float reach)
{
    const float height = skeleton()[lower].position.y;
    return [=](vec3 p) { return blend(lower, upper, smoothStep(height - reach, height + reach, p.y)); };
}

VertexSkin torsoWeights(vec3 p)
{
    const float spine = skeleton()[kSpine].position.y;
    const float chest = skeleton()[kChest].position.y;
    if (p.y < spine)
        return blend(kHips, kSpine, smoothStep(spine - 0.12f, spine + 0.02f, p.y));
    return blend(kSpine, kChest, smoothStep(chest - 0.10f, chest + 0.06f, p.y));
}

/// Cloth below the hips follows the leg of its side, the more the lower.
VertexSkin skirtWeights(vec3 p)
{
    const float leg = 0.85f * smoothStep(0.95f, 0.55f, p.y);
    const float left = smoothStep(-0.08f, 0.08f, p.x);
    VertexSkin skin;
    skin.joints[0] = kHips;
    skin.joints[1] = kUpperLegL;
    skin.joints[2] = kUpperLegR;
    skin.weights[0] = 1.0f - leg;
    skin.weights[1] = leg * left;
    skin.weights[2] = 1.0f - skin.weights[0] - skin.weights[1];
    return skin;
}

mat4 flattened(vec3 scale)
{
    return mat4(vec4(scale.x, 0, 0, 0), vec4(0, scale.y, 0, 0), vec4(0, 0, scale.z, 0), vec4(0, 0, 0, 1));
}

} // namespace

std::vector<Primitive> makeHead(std::uint32_t skin, std::uint32_t hair)
{
    MeshBuilder face;
    face.rod(vec3(0, 1.42f, 0), vec3(0, 1.56f, 0.01f), 0.055f, 0.05f, 10);
    face.ellipsoid(vec3(0, 1.655f, 0.015f), vec3(0.104f, 0.128f, 0.115f), 14, 9);
    face.ellipsoid(vec3(0, 1.64f, 0.13f), vec3(0.016f, 0.024f, 0.022f), 6, 4);
    for (const float side : {-1.0f, 1.0f})
        face.ellipsoid(vec3(side * 0.104f, 1.65f, 0.0f), vec3(0.016f, 0.03f, 0.022f), 6, 4);
    face.bind(0, [](vec3 p) { return blend(kNeck, kHead, smoothStep(1.48f, 1.56f, p.y)); });

    MeshBuilder dark;
    dark.ellipsoid(vec3(0, 1.70f, -0.022f), vec3(0.114f, 0.112f, 0.112f), 12, 7);
    dark.ellipsoid(vec3(0, 1.62f, -0.06f), vec3(0.10f, 0.11f, 0.075f), 10, 5);
    for (const float side : {-1.0f, 1.0f})
    {
        dark.ellipsoid(vec3(side * 0.04f, 1.668f, 0.118f), vec3(0.012f, 0.016f, 0.01f), 6, 4);
        dark.ellipsoid(vec3(side * 0.04f, 1.702f, 0.116f), vec3(0.022f, 0.006f, 0.012f), 6, 4);
    }
    dark.bind(0, [](vec3) { return rigid(kHead); });
    return {face.take(skin), dark.take(hair)};
}

std::vector<Primitive> makeHat(Hat hat, std::uint32_t cloth, std::uint32_t steel)
{
    MeshBuilder shape;
    shape.uvPerMetre = 2.0f;
    shape.transform = glm::mat4(1.0f);
    shape.transform[3] = vec4(0, 1.70f, -0.01f, 1);
    if (hat == Hat::Straw)
        shape.lathe({vec2(0.06f, 0.012f), vec2(0.23f, -0.015f), vec2(0.235f, 0.0f), vec2(0.125f, 0.035f), vec2(0.115f, 0.12f),
                        vec2(0.07f, 0.145f), vec2(0, 0.15f)},
            18);
    else if (hat == Hat::Hood)
        shape.lathe({vec2(0.17f, -0.26f), vec2(0.135f, -0.17f), vec2(0.128f, -0.06f), vec2(0.128f, 0.03f), vec2(0.10f, 0.11f),
                        vec2(0.04f, 0.16f), vec2(0, 0.19f)},
            16);
    else
        shape.lathe({vec2(0.122f, -0.04f), vec2(0.136f, -0.035f), vec2(0.130f, 0.02f), vec2(0.105f, 0.10f), vec2(0.05f, 0.145f),
                        vec2(0.012f, 0.155f), vec2(0.012f, 0.19f), vec2(0, 0.20f)},
            18);
    if (hat == Hat::Hood) // open at the face: the front is pushed back over the brow
    {
        shape.bind(0, [](vec3 p) { return blend(kChest, kHead, smoothStep(1.47f, 1.56f, p.y)); });
        Primitive hood = shape.take(cloth);
        for (vec3& p : hood.positions)
            if (p.z > 0.03f && p.y > 1.5f && p.y < 1.74f)
                p.z = 0.03f - 0.25f * (p.z - 0.03f);
        return {std::move(hood)};
    }
    shape.bind(0, [](vec3) { return rigid(kHead); });
    return {shape.take(hat == Hat::Straw ? cloth : steel)};
}

std::vector<Primitive> makeTorso(std::uint32_t cloth, std::uint32_t leather)
{
    MeshBuilder shirt;
    shirt.uvPerMetre = 2.0f;
    shirt.transform = flattened(vec3(1.0f, 1.0f, 0.66f));
    shirt.lathe({vec2(0, 0.86f), vec2(0.13f, 0.87f), vec2(0.172f, 0.93f), vec2(0.165f, 1.02f), vec2(0.155f, 1.09f), vec2(0.172f, 1.20f),
                    vec2(0.195f, 1.31f), vec2(0.192f, 1.39f), vec2(0.14f, 1.45f), vec2(0.075f, 1.485f), vec2(0.06f, 1.51f)},
        20);
    shirt.bind(0, torsoWeights);
    MeshBuilder belt;
    belt.uvPerMetre = 2.0f;
    belt.transform = flattened(vec3(1.0f, 1.0f, 0.68f));
    belt.lathe({vec2(0.168f, 1.0f), vec2(0.178f, 1.005f), vec2(0.176f, 1.05f), vec2(0.16f, 1.055f)}, 20);
    belt.transform = mat4(1.0f);
    belt.box(vec3(-0.028f, 1.0f, 0.112f), vec3(0.028f, 1.055f, 0.13f));
    belt.bind(0, torsoWeights);
    return {shirt.take(cloth), belt.take(leather)};
}

std::vector<Primitive> makeArms(std::uint32_t cloth, std::uint32_t skin)
{
    MeshBuilder sleeve;
    sleeve.uvPerMetre = 2.0f;
    MeshBuilder hand;
    const auto& bones = skeleton();
    for (const std::uint16_t side : {kUpperArmL, kUpperArmR})
    {
        const auto lower = static_cast<std::uint16_t>(side + 1);
        const auto wrist = static_cast<std::uint16_t>(side + 2);
        const vec3 shoulder = bones[side].position;
        const vec3 elbow = bones[lower].position;
        const vec3 end = bones[wrist].position;
        std::uint32_t first = sleeve.vertexCount();
        sleeve.limb(shoulder, elbow, 0.072f, 0.054f, 10, 4);
        sleeve.limb(elbow, glm::mix(elbow, end, 0.85f), 0.054f, 0.047f, 10, 3);
        sleeve.bind(first, bend(side, lower, 0.05f));
        first = hand.vertexCount();
        hand.rod(glm::mix(elbow, end, 0.8f), end, 0.032f, 0.03f, 8);
        hand.ellipsoid(end + vec3(0, -0.05f, 0.005f), vec3(0.03f, 0.062f, 0.045f), 10, 6);
        hand.ellipsoid(end + vec3(0, -0.04f, 0.05f), vec3(0.016f, 0.035f, 0.018f), 6, 4);
        hand.bind(first, [=](vec3 p) { return blend(wrist, lower, smoothStep(end.y - 0.02f, end.y + 0.02f, p.y)); });
    }
    return {sleeve.take(cloth), hand.take(skin)};
}

std::vector<Primitive> makeLegs(std::uint32_t cloth, std::uint32_t leather)
{
    MeshBuilder trousers;
    trousers.uvPerMetre = 2.0f;
    MeshBuilder boots;
    boots.uvPerMetre = 2.0f;
    const auto& bones = skeleton();
    for (const std::uint16_t side : {kUpperLegL, kUpperLegR})
    {
        const auto lower = static_cast<std::uint16_t>(side + 1);
        const auto foot = static_cast<std::uint16_t>(side + 2);
        const vec3 hip = bones[side].position;
        const vec3 knee = bones[lower].position;
        const vec3 ankle = bones[foot].position;
        std::uint32_t first = trousers.vertexCount();
        trousers.limb(hip, knee, 0.098f, 0.070f, 12, 4);
        trousers.limb(knee, glm::mix(knee, ankle, 0.75f), 0.070f, 0.056f, 12, 3);
        trousers.bind(first, bend(side, lower, 0.06f));
        first = boots.vertexCount();
        boots.limb(glm::mix(knee, ankle, 0.42f), ankle, 0.070f, 0.058f, 12, 2);
        boots.ellipsoid(ankle + vec3(0, -0.045f, 0.055f), vec3(0.056f, 0.046f, 0.125f), 12, 6);
        boots.bind(first, [=](vec3 p) { return blend(foot, lower, smoothStep(ankle.y - 0.03f, ankle.y + 0.05f, p.y)); });
    }
    return {trousers.take(cloth), boots.take(leather)};
}

std::vector<Primitive> makeClothing(Clothing clothing, std::uint32_t cloth)
{
    MeshBuilder shape;
    shape.uvPerMetre = 2.0f;
    if (clothing == Clothing::Tunic || clothing == Clothing::Skirt)
    {
        const bool isLong = clothing == Clothing::Skirt;
        shape.transform = flattened(vec3(1.0f, 1.0f, 0.80f));
        const float hem = isLong ? 0.34f : 0.68f;
        const float flare = isLong ? 0.32f : 0.225f;
        // Outside and inside: cloth is seen from below too.
        shape.lathe({vec2(flare - 0.02f, hem), vec2(flare, hem), vec2(0.5f * flare + 0.10f, 0.5f * hem + 0.48f), vec2(0.172f, 1.0f)}, 20);
        shape.lathe({vec2(0.15f, 0.98f), vec2(0.5f * flare + 0.085f, 0.5f * hem + 0.48f), vec2(flare - 0.02f, hem)}, 20);
        shape.bind(0, skirtWeights);
        return {shape.take(cloth)};
    }
    const bool isCape = clothing == Clothing::Cape;
    const float z = isCape ? -0.15f : 0.135f;
    const float top = isCape ? 1.44f : 1.02f;
    const float bottom = isCape ? 0.45f : 0.52f;
    constexpr int kRows = 8;
    constexpr int kColumns = 6;
    for (const bool isFront : {true, false})
        for (int row = 0; row < kRows; ++row)
            for (int column = 0; column < kColumns; ++column)
            {
                const auto point = [&](int r, int c)
                {
                    const float down = static_cast<float>(r) / kRows;
                    const float across = static_cast<float>(c) / kColumns * 2.0f - 1.0f;
                    const float width = (isCape ? 0.16f : 0.13f) + 0.10f * down;
                    const float bulge = 0.05f * (1.0f - across * across) + 0.06f * down + 0.012f * std::sin(across * 9.0f) * down;
                    return vec3(across * width, glm::mix(top, bottom, down), z + (isCape ? -bulge : bulge) + (isFront ? 0.0f : 0.004f));
                };
                const bool isFlipped = isFront == isCape;
                const vec3 a = point(row + 1, column);
                const vec3 b = point(row + 1, column + 1);
                const vec3 c = point(row, column + 1);
                const vec3 d = point(row, column);
                if (isFlipped)
                    shape.quad(b, a, d, c);
                else
                    shape.quad(a, b, c, d);
            }
    shape.bind(0, [isCape](vec3 p) { return isCape && p.y > 1.0f ? torsoWeights(p) : skirtWeights(p); });
    return {shape.take(cloth)};
}

} // namespace dl::scenes
