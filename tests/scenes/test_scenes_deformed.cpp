// tests/scenes/test_scenes_deformed.cpp - a skinned bar and a morphing ball.
#include "tests/scenes/mesh_builder.h"
#include "tests/scenes/scene_builder.h"
#include "tests/scenes/scenes.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace dl::scenes
{

namespace
{

constexpr std::uint32_t kKeyCount = 9;
constexpr float kSecondsPerKey = 0.25f;

void addBar(SceneBuilder& b, Animation& bend)
{
    MeshBuilder shape;
    shape.limb(vec3(0, 0, 0), vec3(0, 2, 0), 0.25f, 0.18f, 16, 16);
    shape.bind(0,
        [](vec3 p)
        {
            const float upper = smoothStep(0.7f, 1.3f, p.y);
            VertexSkin skin;
            skin.joints[1] = 1;
            skin.weights[0] = 1.0f - upper;
            skin.weights[1] = upper;
            return skin;
        });
    const std::uint32_t mesh = b.addMesh("bar", {shape.take(b.addPlain("bar", vec3(0.85f, 0.45f, 0.12f), 0.45f))});
    const std::uint32_t root = b.addNode("bar root", at(vec3(-1.0f, 0, 0)));
    const std::uint32_t lower = b.addNode("lower", {}, root);
    const std::uint32_t upper = b.addNode("upper", {.translation = vec3(0, 1, 0), .rotation = glm::angleAxis(-0.8f, vec3(0, 0, 1))}, lower);
    const std::uint32_t bar = b.addNode("bar", {}, root, mesh);
    b.scene.nodes[bar].skinIndex = 0;
    b.scene.skins.push_back({.name = "bar",
        .jointNodes = {lower, upper},
        .inverseBindMatrices = {mat4(1.0f), toMatrix(at(vec3(0, -1, 0)))},
        .skeletonRoot = lower});

    AnimationChannel turn;
    turn.nodeIndex = upper;
    turn.path = AnimationPath::Rotation;
    for (std::uint32_t key = 0; key < kKeyCount; ++key)
    {
        const quat q = glm::angleAxis(-0.8f * std::cos(0.7853982f * static_cast<float>(key)), vec3(0, 0, 1));
        turn.times.push_back(kSecondsPerKey * static_cast<float>(key));
        turn.values.insert(turn.values.end(), {q.x, q.y, q.z, q.w});
    }
    bend.channels.push_back(std::move(turn));
}

/// Target "cube" pushes the ball out to a cube, target "tall" stretches it.
MorphTarget makeTarget(const Primitive& ball, const char* name, bool isCube)
{
    MorphTarget target;
    target.name = name;
    for (std::size_t i = 0; i < ball.positions.size(); ++i)
    {
        const vec3 p = ball.positions[i];
        const float largest = std::max({std::fabs(p.x), std::fabs(p.y), std::fabs(p.z)});
        target.positions.push_back(isCube ? p * (0.6f / largest * 0.9f) - p : vec3(0, 0.6f * p.y, 0));
        vec3 axis(0.0f);
        for (int c = 0; c < 3; ++c)
            if (std::fabs(p[c]) == largest)
                axis[c] = p[c] < 0.0f ? -1.0f : 1.0f;
        target.normals.push_back(isCube ? 0.85f * (glm::normalize(axis) - ball.normals[i]) : vec3(0.0f));
    }
    return target;
}

void addBall(SceneBuilder& b, Animation& bend)
{
    MeshBuilder shape;
    shape.ellipsoid(vec3(0.0f), vec3(0.6f), 32, 20);
    Primitive ball = shape.take(b.addPlain("ball", vec3(0.15f, 0.4f, 0.75f), 0.35f));
    ball.morphTargets = {makeTarget(ball, "cube", true), makeTarget(ball, "tall", false)};
    const std::uint32_t mesh = b.addMesh("ball", {std::move(ball)});
    b.scene.meshes[mesh].morphWeights = {0.7f, 0.25f};
    const std::uint32_t node = b.addNode("ball", at(vec3(1.0f, 0.9f, 0)), kNoIndex, mesh);

    AnimationChannel weights;
    weights.nodeIndex = node;
    weights.path = AnimationPath::Weights;
    for (std::uint32_t key = 0; key < kKeyCount; ++key)
    {
        const float part = 0.5f + 0.5f * std::cos(0.7853982f * static_cast<float>(key));
        weights.times.push_back(kSecondsPerKey * static_cast<float>(key));
        weights.values.insert(weights.values.end(), {part, 0.25f * (1.0f - part)});
    }
    bend.channels.push_back(std::move(weights));
}

} // namespace

SceneDescription makeDeformed()
{
    SceneBuilder b("deformed");
    Animation bend;
    bend.name = "bend";
    bend.durationSeconds = kSecondsPerKey * static_cast<float>(kKeyCount - 1);
    addBar(b, bend);
    addBall(b, bend);
    b.scene.animations.push_back(std::move(bend));
    b.addCamera(vec3(0, 1.4f, 6.0f), vec3(0, 0.9f, 0), 34.0f);
    b.addSun(vec3(-0.4f, 0.7f, 0.6f), vec3(1.0f), 3.0f);
    return b.take();
}

std::span<const NamedScene> namedScenes()
{
    static constexpr NamedScene kScenes[] = {
        {"town-square", [] { return makeTownSquare(); }},
        {"sphere-sweep", makeSphereSweep},
        {"environment-spheres", makeEnvironmentSpheres},
        {"alpha-modes", makeAlphaModes},
        {"two-blended", makeTwoBlended},
        {"mirrored", makeMirrored},
        {"sidedness", makeSidedness},
        {"masked-beside-blended", makeMaskedBesideBlended},
        {"texture-board", makeTextureBoard},
        {"vertex-colours", makeVertexColours},
        {"surface-board", makeSurfaceBoard},
        {"deformed", makeDeformed},
        {"lamps", makeLamps},
        {"shadows", makeShadows},
    };
    return kScenes;
}

} // namespace dl::scenes
