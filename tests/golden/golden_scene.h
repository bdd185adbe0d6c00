// tests/golden/golden_scene.h - the scenes of the golden pictures and how each is drawn; shared by the test, the mutation
// run and the program that makes the pictures anew.
#pragma once

#include "drawloom/asset/image.h"
#include "drawloom/asset/scene_description.h"
#include "drawloom/core/result.h"
#include "drawloom/gpu/device.h"

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace dl::golden
{

struct GoldenScene
{
    std::string name;   ///< of the picture file
    std::string file;   ///< below ../shared/assets; empty: `name` is a generated scene
    std::string camera; ///< of the file; empty: framed by yaw, pitch
    float yawDegrees = 35.0f, pitchDegrees = 22.0f;
    float timeSeconds = 0.0f;
    bool hasEnvironment = false; ///< lit by scenes::makeStudioEnvironment instead of the sky
};

constexpr std::uint32_t kGoldenWidth = 384, kGoldenHeight = 240;

std::span<const GoldenScene> goldenScenes();

/// Loads or generates. NotFound when ../shared/assets is absent and the scene needs it.
Result<SceneDescription> loadGoldenScene(const GoldenScene& scene);

/// Draws the scene; alpha of the picture is 255 where an object covers the texel, 0 elsewhere.
Result<Image> drawGoldenScene(gpu::Device& device, const GoldenScene& scene, const SceneDescription& description);

struct GoldenVerdict
{
    bool isEqualEnough = false;
    float mean = 0.0f, p99 = 0.0f; ///< FLIP over pixels that either picture covers
    std::string text;
    Image difference;
};
constexpr float kMaxMean = 0.01f, kMaxP99 = 0.1f;
Result<GoldenVerdict> compareWithGolden(const Image& golden, const Image& got);

/// tests/golden/pictures/DRIVER/NAME.png
std::string goldenPath(const std::string& driver, const std::string& name);

/// A feature, the golden scene that must notice its absence, and how a renderer without it would see that scene.
struct Mutation
{
    const char* feature;
    const char* scene;
    void (*apply)(SceneDescription& scene);
};
std::span<const Mutation> mutations();

} // namespace dl::golden
