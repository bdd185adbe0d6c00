// drawloom/asset/composition.cpp - the frame of loading a composition: JSON, assets, placements, camera and light.
#include "drawloom/asset/composition.h"

#include "drawloom/asset/detail/composition_build.h"
#include "drawloom/asset/detail/composition_parse.h"
#include "drawloom/core/file_read.h"
#include "drawloom/core/trace.h"

#include <string>
#include <system_error>
#include <vector>

namespace dl
{
namespace
{

std::string lowerName(const std::filesystem::path& path)
{
    std::string name = path.filename().string();
    for (char& c : name)
        c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return name;
}

bool endsWith(const std::string& text, std::string_view end)
{
    return text.size() >= end.size() && text.compare(text.size() - end.size(), end.size(), end) == 0;
}

Result<SceneDescription> loadFromFile(const std::filesystem::path& path, const CompositionSettings& settings)
{
    DL_TRY_ASSIGN(const ByteBuffer bytes, readFile(path, {.maxBytes = settings.maxFileBytes, .limitName = "maxFileBytes"}));
    DL_TRY_ASSIGN(const detail::CompositionFile file, detail::parseComposition(bytes, settings));
    const std::filesystem::path folder = path.has_parent_path() ? path.parent_path() : std::filesystem::path(".");
    return detail::buildComposition(file, folder, settings);
}

} // namespace

Result<SceneDescription> loadComposition(const std::filesystem::path& path, const CompositionSettings& settings)
{
    DL_TRACE_SCOPE("loadComposition");
    Result<SceneDescription> scene = loadFromFile(path, settings);
    if (!scene)
        return withContext(std::move(scene).error(), "while loading \"" + path.filename().string() + "\"");
    if (scene->name.empty())
        scene->name = path.filename().string();
    return scene;
}

bool isSceneFile(const std::filesystem::path& path)
{
    const std::string name = lowerName(path);
    return endsWith(name, ".scene.json") || endsWith(name, ".glb") || endsWith(name, ".gltf");
}

Result<SceneDescription> loadScene(const std::filesystem::path& path, const CompositionSettings& settings)
{
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return Error{ErrorCode::Unsupported, "\"" + path.string() + "\" is a folder; name a .glb, .gltf or .scene.json in it"};
    if (!isSceneFile(path))
        return Error{ErrorCode::Unsupported, "\"" + path.filename().string() + "\" is none of .glb, .gltf, .scene.json"};
    return endsWith(lowerName(path), ".scene.json") ? loadComposition(path, settings) : importGltf(path, settings.import);
}

} // namespace dl
