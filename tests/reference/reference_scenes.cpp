#include "tests/reference/reference_scenes.h"

#include "drawloom/asset/composition.h"
#include "tests/scenes/scenes.h"

namespace dl::reference
{
namespace
{

/// three.js squares the window of a range and eases cones by smoothstep; KHR_lights_punctual, which we follow, does neither.
/// Without both, all else about lamps can be compared.
SceneDescription makeLampsWithoutWindows()
{
    SceneDescription scene = scenes::makeLamps();
    for (Light& light : scene.lights)
    {
        light.range = 0.0f;
        light.innerConeRadians = light.outerConeRadians - 0.01f;
    }
    return scene;
}

} // namespace

std::span<const ReferenceScene> referenceScenes()
{
    static const std::vector<ReferenceScene> scenes = {
        {.name = "flight-helmet", .file = "flight-helmet/FlightHelmet.gltf", .yawDegrees = 25.0f, .pitchDegrees = 5.0f},
        {.name = "knight",
            .file = "kaykit-adventurers/characters/Knight.glb",
            .yawDegrees = 20.0f,
            .pitchDegrees = 8.0f,
            .timeSeconds = 0.4f},
        {.name = "morph-stress", .file = "morph/MorphStressTest/MorphStressTest.gltf", .yawDegrees = 0.0f, .timeSeconds = 0.6f},
        {.name = "texture-transform", .file = "texture-transform-test/TextureTransformTest.gltf", .yawDegrees = 0.0f, .pitchDegrees = 0.0f},
        {.name = "negative-scale", .file = "negative-scale/subpass_scene_transparent.gltf"},
        {.name = "city-garage", .file = "kenney-city-kit/building-garage.glb"},
        {.name = "bell-tower", .file = "quaternius-medieval-village/Bell_Tower.glb"},
        {.name = "vertex-colours", .make = scenes::makeVertexColours},
        {.name = "alpha-modes", .make = scenes::makeAlphaModes},
        {.name = "surface-board", .make = scenes::makeSurfaceBoard},
        {.name = "lamps", .make = makeLampsWithoutWindows, .lighting = Lighting::FileLights},
        {.name = "spheres-outdoors", .make = scenes::makeSphereSweep, .lighting = Lighting::Environment},
        {.name = "helmet-outdoors",
            .file = "flight-helmet/FlightHelmet.gltf",
            .lighting = Lighting::Environment,
            .yawDegrees = -60.0f,
            .pitchDegrees = 5.0f},
        {.name = "figure-outdoors",
            .file = "quaternius-modular-men/Adventurer.glb",
            .lighting = Lighting::Environment,
            .yawDegrees = 20.0f,
            .pitchDegrees = 8.0f,
            .timeSeconds = 0.2f},
        {.name = "gun-outdoors",
            .file = "quaternius-guns-textured/Body_AR_1.gltf",
            .lighting = Lighting::Environment,
            .yawDegrees = 20.0f,
            .pitchDegrees = 12.0f},
    };
    return scenes;
}

Result<SceneDescription> loadReferenceScene(const ReferenceScene& scene)
{
    if (scene.make != nullptr)
        return scene.make();
    return loadScene(std::string(kAssetsFolder) + "/" + scene.file);
}

const char* toString(Lighting lighting)
{
    switch (lighting)
    {
    case Lighting::Sun: return "sun";
    case Lighting::FileLights: return "own lights";
    default: return "environment";
    }
}

float maxMean(Lighting lighting)
{
    return lighting == Lighting::Environment ? 0.10f : 0.05f;
}

} // namespace dl::reference
