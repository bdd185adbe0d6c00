// tests/fuzz/fuzz_composition.cpp - any bytes as a composition file beside two small assets (one skinned), so that
// placements, filters, attachments, bindings and instances are reached and not the parser alone.
#include "drawloom/asset/composition.h"
#include "tests/fuzz/fuzz_reached.h"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>
#include <unistd.h>

namespace
{

namespace fs = std::filesystem;

// A triangle (three positions, one index-less primitive) below two named nodes.
constexpr std::string_view kTriangle =
    R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[{"name":"root","children":[1]},{"name":"lid","mesh":0}],)"
    R"("meshes":[{"primitives":[{"attributes":{"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3",)"
    R"("min":[0,0,0],"max":[1,1,0]}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36,"uri":)"
    R"("data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})";
// The same with one joint: 36 bytes of positions, 12 of joints (zero), 48 of weights (1, 0, 0, 0).
constexpr std::string_view kSkinned =
    R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0,1]}],"nodes":[{"name":"hip"},{"name":"skin","mesh":0,"skin":0}],)"
    R"("skins":[{"joints":[0]}],"meshes":[{"primitives":[{"attributes":{"POSITION":0,"JOINTS_0":1,"WEIGHTS_0":2}}]}],"accessors":[)"
    R"({"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},)"
    R"({"bufferView":0,"byteOffset":36,"componentType":5121,"count":3,"type":"VEC4"},)"
    R"({"bufferView":0,"byteOffset":48,"componentType":5126,"count":3,"type":"VEC4"}],)"
    R"("bufferViews":[{"buffer":0,"byteLength":96}],"buffers":[{"byteLength":96,"uri":"data:application/octet-stream;base64,)"
    R"(AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAAAAAAAAAAAAAAAIA/AAAAAAAAAAAAAAAA"}]})";

fs::path makeFolder()
{
    const fs::path folder = fs::temp_directory_path() / ("drawloom-fuzz-" + std::to_string(getpid()));
    fs::create_directories(folder);
    std::ofstream(folder / "a.gltf") << kTriangle;
    std::ofstream(folder / "b.gltf") << kSkinned;
    // The seeds of this fuzzer show the way to these; files that can not be imported would leave it at the parser.
    for (const char* name : {"a.gltf", "b.gltf"})
        if (!dl::importGltf(folder / name))
            std::abort();
    std::atexit([] { fs::remove_all(fs::temp_directory_path() / ("drawloom-fuzz-" + std::to_string(getpid()))); });
    return folder;
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size)
{
    static const fs::path folder = makeFolder();
    const fs::path path = folder / "fuzz.scene.json";
    std::ofstream(path, std::ios::binary | std::ios::trunc).write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
    const dl::CompositionSettings settings{.maxFileBytes = 1U << 20U, .maxNodeCount = 1000, .maxInstanceCount = 10000};
    const dl::Result<dl::SceneDescription> scene = dl::loadComposition(path, settings);
    if (!scene)
    {
        if (scene.error().message.empty())
            std::abort();
        return 0;
    }
    DL_FUZZ_REACHED("composed");
    if (scene->nodes.size() > settings.maxNodeCount + 2)
        std::abort();
    for (std::size_t i = 0; i < scene->nodes.size(); ++i)
        if (scene->nodes[i].parent != dl::kNoIndex && scene->nodes[i].parent >= i)
            std::abort();
    (void)dl::computeSceneBounds(*scene);
    return 0;
}
