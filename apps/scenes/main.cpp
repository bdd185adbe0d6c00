// drawloom_scenes: writes the project's generated scenes as .glb files.
// usage: drawloom_scenes FOLDER [NAME...]      without names: all of them; exit codes as drawloom's
#include "drawloom/asset/gltf_export.h"
#include "tests/scenes/scenes.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

int main(int argc, char** argv)
{
    const auto scenes = dl::scenes::namedScenes();
    const bool isHelp = argc == 2 && (std::string_view(argv[1]) == "--help" || std::string_view(argv[1]) == "-h");
    if (argc < 2 || argv[1][0] == '-')
    {
        std::FILE* const out = isHelp ? stdout : stderr;
        std::fprintf(out, "usage: drawloom_scenes FOLDER [NAME...]\nscenes:");
        for (const dl::scenes::NamedScene& scene : scenes)
            std::fprintf(out, " %.*s", static_cast<int>(scene.name.size()), scene.name.data());
        std::fprintf(out, "\n");
        return isHelp ? 0 : 2;
    }
    const std::filesystem::path folder = argv[1];
    std::vector<std::string> names(argv + 2, argv + argc);
    for (const std::string& name : names)
        if (std::none_of(scenes.begin(), scenes.end(), [&](const auto& scene) { return scene.name == name; }))
        {
            std::fprintf(stderr, "drawloom_scenes: no scene \"%s\"; run without arguments for the list\n", name.c_str());
            return 2;
        }
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    for (const dl::scenes::NamedScene& scene : scenes)
    {
        if (!names.empty() && std::find(names.begin(), names.end(), scene.name) == names.end())
            continue;
        const std::filesystem::path file = folder / (std::string(scene.name) + ".glb");
        if (const dl::Result<void> written = dl::exportGlb(scene.make(), file); !written)
        {
            std::fprintf(stderr, "drawloom_scenes: %s\n", written.error().message.c_str());
            return 3;
        }
        std::printf("%s\n", file.c_str());
    }
    return 0;
}
