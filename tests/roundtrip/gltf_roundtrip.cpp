// tests/roundtrip/gltf_roundtrip.cpp - imports, exports and imports again: all models of the shared index that load, and all
// generated scenes; the exported files go to a folder for the validator. Called by run_roundtrip.
// usage: gltf_roundtrip FOLDER      exit 1: a file that should load does not, or comes back different
#include "drawloom/asset/gltf_export.h"
#include "drawloom/asset/gltf_import.h"
#include "drawloom/core/parallel.h"
#include "tests/asset/scene_compare.h"
#include "tests/asset/shared_index.h"
#include "tests/scenes/scenes.h"

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <fstream>
#include <mutex>

namespace dl::test
{
namespace
{

/// Files without validator errors that are refused, by name, for what they need.
constexpr const char* kRefused[] = {"suzanne-variants/Suzanne_basisu", "tree-lod/tree_billboard.glb"};

bool isRefused(const std::string& file)
{
    return std::any_of(std::begin(kRefused), std::end(kRefused), [&](const char* start) { return file.rfind(start, 0) == 0; });
}

bool mustLoad(const TsvRow& row)
{
    return row.at("file").rfind("broken/", 0) != 0 && numberOf(row, "validator_errors") == 0 && !isRefused(row.at("file"));
}

std::size_t countIssues(const SceneDescription& scene, std::string_view code)
{
    return static_cast<std::size_t>(
        std::count_if(scene.issues.begin(), scene.issues.end(), [&](const ImportIssue& issue) { return issue.code == code; }));
}

/// What the index counts and the trip keeps; primitives that are points or lines are dropped with their meshes.
std::string checkCounts(const TsvRow& row, const SceneDescription& first, const SceneDescription& back)
{
    const auto differs = [&](const char* column, std::size_t count)
    {
        return count == numberOf(row, column)
                   ? std::string()
                   : std::string(column) + ": " + std::to_string(count) + ", the index has " + row.at(column) + "; ";
    };
    std::size_t primitives = countIssues(first, "primitive-dropped");
    std::size_t triangles = 0;
    for (const Mesh& mesh : back.meshes)
    {
        primitives += mesh.primitives.size();
        for (const Primitive& primitive : mesh.primitives)
            triangles += primitive.triangleCount();
    }
    const auto emptyMeshes = static_cast<std::size_t>(
        std::count_if(first.meshes.begin(), first.meshes.end(), [](const Mesh& mesh) { return mesh.primitives.empty(); }));
    return differs("nodes", back.nodes.size()) + differs("meshes", back.meshes.size() + emptyMeshes) + differs("prims", primitives) +
           differs("triangles", triangles) + differs("materials", back.materials.size()) + differs("textures", back.images.size()) +
           differs("skins", back.skins.size()) + differs("animations", back.animations.size());
}

/// Says what is wrong, or nothing. The exported file is written to `path`, unless that is empty.
std::string trip(const SceneDescription& scene, const std::filesystem::path& path, const TsvRow* row)
{
    const Result<std::vector<std::byte>> bytes = exportGlbToMemory(scene);
    if (!bytes)
        return "export: " + bytes.error().message;
    if (!path.empty())
        std::ofstream(path, std::ios::binary)
            .write(reinterpret_cast<const char*>(bytes->data()), static_cast<std::streamsize>(bytes->size()));
    const Result<SceneDescription> back = importGltfFromMemory(*bytes, {});
    if (!back)
        return "import of the export: " + back.error().message;
    for (const ImportIssue& issue : back->issues)
        if (issue.severity != IssueSeverity::Info)
            return "import of the export: " + issue.where + ": " + issue.message;
    if (const std::string difference = firstDifference(scene, *back); !difference.empty())
        return "differs in " + difference;
    return row != nullptr ? checkCounts(*row, scene, *back) : std::string();
}

struct Tally
{
    std::mutex mutex;
    std::size_t trips = 0, failed = 0;
    std::atomic<std::size_t> refused = 0;

    void add(const std::string& name, const std::string& problem)
    {
        const std::lock_guard lock(mutex);
        ++trips;
        if (problem.empty())
            return;
        ++failed;
        std::printf("%s: %s\n", name.c_str(), problem.c_str());
    }
};

void tripShared(const std::filesystem::path& assets, const std::filesystem::path& folder, Tally& tally)
{
    const std::vector<TsvRow> rows = readTsv(assets / "index.tsv");
    parallelFor(rows.size(), 1,
        [&](std::size_t begin, std::size_t end)
        {
            for (std::size_t i = begin; i < end; ++i)
            {
                const std::string& file = rows[i].at("file");
                const Result<SceneDescription> scene = importGltf(assets / file);
                const bool isBroken = file.rfind("broken/", 0) == 0;
                std::string name = file;
                std::replace(name.begin(), name.end(), '/', '_');
                // What the author's data break, the exported file breaks too: nothing for the validator.
                const bool isValid = rows[i].at("validator_errors") == "0";
                if (scene)
                    tally.add(
                        file, trip(*scene, isValid ? folder / (name + ".glb") : std::filesystem::path(), isBroken ? nullptr : &rows[i]));
                else if (mustLoad(rows[i]))
                    tally.add(file, scene.error().message);
                else
                    ++tally.refused;
            }
        });
}

} // namespace
} // namespace dl::test

int main(int argc, char** argv)
{
    using namespace dl;
    if (argc != 2)
    {
        std::fputs("usage: gltf_roundtrip FOLDER\n", stderr);
        return 2;
    }
    const std::filesystem::path folder = argv[1];
    test::Tally tally;
    for (const scenes::NamedScene& named : scenes::namedScenes())
        tally.add(std::string(named.name), test::trip(named.make(), folder / (std::string(named.name) + ".glb"), nullptr));
    const std::size_t generated = tally.trips;
    if (const std::filesystem::path assets = test::sharedAssets(); !assets.empty())
        test::tripShared(assets, folder, tally);
    std::printf("%zu generated scenes and %zu shared files went through, %zu files are refused, %zu came back wrong\n", generated,
        tally.trips - generated, tally.refused.load(), tally.failed);
    return tally.failed == 0 ? 0 : 1;
}
