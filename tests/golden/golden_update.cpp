// golden_update: draws golden pictures anew into tests/golden/pictures/DRIVER. Look at each before it is committed.
// usage: golden_update DRIVER [SCENE...]      DRIVER: llvmpipe or swiftshader; run in the repository's root
#include "drawloom/asset/png_write.h"
#include "drawloom/gpu/vulkan/vulkan_device.h"
#include "tests/golden/golden_scene.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>

int main(int argc, char** argv)
{
    using namespace dl;
    if (argc < 2)
    {
        std::fprintf(stderr, "usage: golden_update DRIVER [SCENE...]\n");
        return 2;
    }
    const std::string driver = argv[1];
    auto device = gpu::createVulkanDevice({.driverNamePart = driver});
    if (!device)
    {
        std::fprintf(stderr, "golden_update: %s\n", device.error().message.c_str());
        return 4;
    }
    int code = 0;
    for (const golden::GoldenScene& scene : golden::goldenScenes())
    {
        if (argc > 2 && std::none_of(argv + 2, argv + argc, [&](const char* name) { return scene.name == name; }))
            continue;
        const auto description = golden::loadGoldenScene(scene);
        const auto picture = description ? golden::drawGoldenScene(**device, scene, *description) : Result<Image>(description.error());
        const std::filesystem::path path = golden::goldenPath(driver, scene.name);
        std::filesystem::create_directories(path.parent_path());
        const auto written = picture ? writePng(path, *picture) : Result<void>(picture.error());
        std::printf("%s: %s\n", path.c_str(), written ? "written" : written.error().message.c_str());
        code = written ? code : 1;
    }
    return code;
}
