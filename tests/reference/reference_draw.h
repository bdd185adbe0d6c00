// tests/reference/reference_draw.h - our picture of a reference scene, and the job that lets three.js draw the same.
#pragma once

#include "drawloom/asset/image.h"
#include "drawloom/core/result.h"
#include "drawloom/gpu/device.h"
#include "tests/reference/reference_scenes.h"

#include <filesystem>
#include <string>
#include <vector>

namespace dl::reference
{

struct DrawnScene
{
    Image picture;   ///< Rgba8; alpha is 255 where an object covers the texel, 0 elsewhere
    std::string job; ///< JSON object for three/page.mjs
};

/// Draws the scene; a generated one is also written to `workFolder` as NAME.glb, for the job to name.
Result<DrawnScene> drawReferenceScene(gpu::Device& device, const ReferenceScene& scene, const std::filesystem::path& workFolder);

/// The file that three/driver.mjs reads.
Result<void> writeJobs(const std::vector<std::string>& jobs, const std::filesystem::path& workFolder);

/// What three/driver.mjs wrote for the scene. Alpha above 0: covered.
Result<Image> readDrawnByThree(const std::string& name, const std::filesystem::path& workFolder);

} // namespace dl::reference
