// tests/reference/reference_scenes.h - the scenes that are compared with three.js, how each is seen and lit, and how near the
// two pictures must be.
#pragma once

#include "drawloom/asset/scene_description.h"
#include "drawloom/core/result.h"

#include <cstdint>
#include <span>
#include <string>

namespace dl::reference
{

enum class Lighting : std::uint8_t
{
    Sun,         ///< kSun alone, nothing ambient
    FileLights,  ///< the scene's own lights, nothing ambient
    Environment, ///< kEnvironmentFile alone, and behind everything
};

struct ReferenceScene
{
    std::string name;
    std::string file; ///< below ../shared/assets; empty: `make` makes it
    SceneDescription (*make)() = nullptr;
    Lighting lighting = Lighting::Sun;
    float yawDegrees = 35.0f, pitchDegrees = 22.0f; ///< unless the scene has a camera of its own
    float timeSeconds = 0.0f;                       ///< of the first animation; less than its duration
};

constexpr std::uint32_t kWidth = 360, kHeight = 240;
constexpr const char* kAssetsFolder = "../shared/assets";
constexpr const char* kEnvironmentFile = "env-hdr/kiara_1_dawn_1k.hdr";

std::span<const ReferenceScene> referenceScenes();

Result<SceneDescription> loadReferenceScene(const ReferenceScene& scene);

const char* toString(Lighting lighting);
/// Mean FLIP over covered pixels.
float maxMean(Lighting lighting);

} // namespace dl::reference
