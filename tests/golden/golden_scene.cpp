#include "tests/golden/golden_scene.h"

#include "drawloom/asset/composition.h"
#include "drawloom/render/offscreen.h"
#include "tests/golden/flip.h"
#include "tests/scenes/scenes.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

namespace dl::golden
{
namespace
{

constexpr float kFovRadians = 0.7f;

Result<RenderCamera> goldenCamera(const GoldenScene& scene, const SceneInstance& instance)
{
    if (scene.camera.empty())
        return orbitCamera(
            instance.bounds(), scene.yawDegrees, scene.pitchDegrees, 0.0f, kFovRadians, static_cast<float>(kGoldenWidth) / kGoldenHeight);
    for (const PlacedCamera& camera : instance.cameras())
        if (camera.name == scene.camera)
            return toRenderCamera(camera);
    return Error{ErrorCode::NotFound, scene.name + ": no camera \"" + scene.camera + "\""};
}

} // namespace

std::span<const GoldenScene> goldenScenes()
{
    static const std::vector<GoldenScene> scenes = {
        // generated
        {.name = "town-square", .camera = "camera", .timeSeconds = 0.4f},
        {.name = "sphere-sweep", .camera = "camera"},
        {.name = "environment-spheres", .camera = "camera", .hasEnvironment = true},
        {.name = "alpha-modes", .camera = "camera"},
        {.name = "two-blended", .camera = "camera"},
        {.name = "mirrored", .camera = "camera"},
        {.name = "sidedness", .camera = "camera"},
        {.name = "masked-beside-blended", .camera = "camera"},
        {.name = "texture-board", .camera = "camera"},
        {.name = "vertex-colours", .camera = "camera"},
        {.name = "surface-board", .camera = "camera"},
        {.name = "deformed", .camera = "camera", .timeSeconds = 0.7f},
        {.name = "lamps", .camera = "camera"},
        {.name = "shadows", .camera = "camera"},
        // shared
        {.name = "flight-helmet", .file = "flight-helmet/FlightHelmet.gltf", .yawDegrees = 25.0f, .pitchDegrees = 5.0f},
        {.name = "fox", .file = "fox/Fox.glb", .yawDegrees = 60.0f, .timeSeconds = 0.3f},
        {.name = "rigged-figure", .file = "rigged-figure/RiggedFigure.gltf", .timeSeconds = 0.5f},
        {.name = "morph-stress", .file = "morph/MorphStressTest/MorphStressTest.gltf", .yawDegrees = 0.0f, .timeSeconds = 0.6f},
        {.name = "morph-primitives", .file = "morph/MorphPrimitivesTest/MorphPrimitivesTest.gltf", .yawDegrees = 0.0f},
        {.name = "knight", .file = "kaykit-adventurers/characters/Knight.glb", .yawDegrees = 20.0f, .pitchDegrees = 8.0f},
        {.name = "adventurer",
            .file = "quaternius-modular-men/Adventurer.glb",
            .yawDegrees = 20.0f,
            .pitchDegrees = 8.0f,
            .timeSeconds = 0.2f},
        {.name = "gun-body", .file = "quaternius-guns-textured/Body_AR_1.gltf", .yawDegrees = 20.0f, .pitchDegrees = 12.0f},
        {.name = "scifi-gun", .file = "quaternius-scifi-guns/assembled/AR_1.glb", .yawDegrees = 20.0f, .pitchDegrees = 12.0f},
        {.name = "bell-tower", .file = "quaternius-medieval-village/Bell_Tower.glb"},
        {.name = "birch", .file = "quaternius-nature/BirchTree_1.glb"},
        {.name = "city-building", .file = "kaykit-city-bits/building_A.gltf"},
        {.name = "city-garage", .file = "kenney-city-kit/building-garage.glb"},
        {.name = "blaster", .file = "kenney-fps-kit/blaster-repeater.glb", .yawDegrees = 70.0f},
        {.name = "unlit-cake", .file = "kenney-unlit/cakeBirthday.glb"},
        {.name = "unlit-cubes", .file = "kenney-unlit/Cubes.glb"},
        {.name = "negative-scale", .file = "negative-scale/subpass_scene_transparent.gltf"},
        {.name = "texture-transform", .file = "texture-transform-test/TextureTransformTest.gltf", .yawDegrees = 0.0f, .pitchDegrees = 0.0f},
        {.name = "many-cubes", .file = "many-cubes/many-cubes.gltf"},
        {.name = "vertex-colors", .file = "vertex-colors/BoxVertexColors.glb"},
    };
    return scenes;
}

Result<SceneDescription> loadGoldenScene(const GoldenScene& scene)
{
    if (!scene.file.empty())
    {
        if (!std::filesystem::exists("../shared/assets"))
            return Error{ErrorCode::NotFound, "../shared/assets is absent"};
        return loadScene("../shared/assets/" + scene.file);
    }
    for (const scenes::NamedScene& named : scenes::namedScenes())
        if (named.name == scene.name)
            return named.make();
    return Error{ErrorCode::NotFound, "no generated scene \"" + scene.name + "\""};
}

Result<Image> drawGoldenScene(gpu::Device& device, const GoldenScene& scene, const SceneDescription& description)
{
    RendererSettings settings;
    settings.environmentFaceTexels = 64;
    settings.width = kGoldenWidth;
    settings.height = kGoldenHeight;
    DL_TRY_ASSIGN(const std::unique_ptr<Renderer> renderer, Renderer::create(device, settings));
    DL_TRY_ASSIGN(
        const std::unique_ptr<SceneInstance> instance, SceneInstance::create(description, renderer->library(), renderer->registry()));
    if (scene.hasEnvironment)
        DL_TRY(renderer->setEnvironment(scenes::makeStudioEnvironment()));
    SceneInstance* const instances[] = {instance.get()};
    instance->update(scene.timeSeconds);
    FrameDesc frame;
    frame.timeSeconds = scene.timeSeconds;
    DL_TRY_ASSIGN(frame.camera, goldenCamera(scene, *instance));
    frame.sun = firstSun(instances).value_or(frame.sun);
    fitShadowDistances(frame.shadows, frame.camera, instance->bounds());
    DL_TRY_ASSIGN(OffscreenPicture drawn, renderOffscreen(*renderer, instances, frame, true));
    for (std::size_t i = 0; i < drawn.objectIds.size(); ++i)
        drawn.picture.bytes[i * 4 + 3] = drawn.objectIds[i] != 0 ? std::byte{255} : std::byte{0};
    drawn.picture.hasAlpha = true;
    return std::move(drawn.picture);
}

Result<GoldenVerdict> compareWithGolden(const Image& golden, const Image& got)
{
    std::vector<std::uint8_t> covered(std::size_t(got.width) * got.height, 0);
    for (std::size_t i = 0; i < covered.size() && i * 4 + 3 < std::min(golden.bytes.size(), got.bytes.size()); ++i)
        covered[i] = golden.bytes[i * 4 + 3] != std::byte{0} || got.bytes[i * 4 + 3] != std::byte{0} ? 1 : 0;
    DL_TRY_ASSIGN(const FlipResult flip, computeFlip(golden, got, {}, covered));
    GoldenVerdict verdict;
    verdict.mean = flip.mean;
    verdict.p99 = flip.p99;
    verdict.isEqualEnough = flip.mean <= kMaxMean && flip.p99 <= kMaxP99;
    verdict.text = fmt::format("FLIP mean {:.4f} (limit {}), p99 {:.4f} (limit {}) over {} covered pixels", flip.mean, kMaxMean, flip.p99,
        kMaxP99, flip.coveredCount);
    verdict.difference = makeFlipHeatMap(flip, got.width, got.height);
    return verdict;
}

std::string goldenPath(const std::string& driver, const std::string& name)
{
    return "tests/golden/pictures/" + driver + "/" + name + ".png";
}

} // namespace dl::golden
