// apps/cli/inspect.cpp - gathers the facts of a scene file once, and prints them as text or JSON.
#include "apps/cli/inspect.h"

#include "drawloom/asset/composition.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dl::cli
{

namespace
{

using Json = nlohmann::ordered_json;

constexpr int kExitDone = 0;
constexpr int kExitBadInput = 3;

std::string_view severityName(IssueSeverity severity)
{
    return severity == IssueSeverity::Error ? "error" : severity == IssueSeverity::Warning ? "warning" : "info";
}

std::string_view alphaName(AlphaMode mode)
{
    return mode == AlphaMode::Opaque ? "opaque" : mode == AlphaMode::Mask ? "mask" : "blend";
}

std::string_view formatName(ImageFormat format)
{
    static constexpr std::string_view kNames[] = {
        "R8", "RG8", "RGBA8", "R16", "RGBA16", "RGBA32F", "BC1", "BC3", "BC4", "BC5", "BC6H", "BC7"};
    return kNames[static_cast<std::size_t>(format)];
}

Json toJson(vec3 v)
{
    return {v.x, v.y, v.z};
}

Json countsOf(const SceneDescription& scene)
{
    std::uint64_t primitives = 0, vertices = 0, triangles = 0, morphTargets = 0, instances = 0, drawnTriangles = 0;
    std::vector<std::uint64_t> meshTriangles;
    for (const Mesh& mesh : scene.meshes)
    {
        meshTriangles.push_back(0);
        for (const Primitive& p : mesh.primitives)
        {
            ++primitives;
            vertices += p.vertexCount();
            meshTriangles.back() += p.triangleCount();
            morphTargets += p.morphTargets.size();
        }
        triangles += meshTriangles.back();
    }
    for (const Node& node : scene.nodes)
    {
        if (node.meshIndex == kNoIndex)
            continue;
        const std::uint64_t copies = node.instances.empty() ? 1 : node.instances.size();
        instances += copies;
        drawnTriangles += copies * meshTriangles[node.meshIndex];
    }
    return {{"nodes", scene.nodes.size()}, {"instances", instances}, {"meshes", scene.meshes.size()}, {"primitives", primitives},
        {"vertices", vertices}, {"triangles", triangles}, {"trianglesDrawn", drawnTriangles}, {"morphTargets", morphTargets},
        {"materials", scene.materials.size()}, {"textures", scene.images.size()}, {"skins", scene.skins.size()},
        {"animations", scene.animations.size()}, {"cameras", scene.cameras.size()}, {"lights", scene.lights.size()}};
}

Json materialsOf(const SceneDescription& scene)
{
    Json out = Json::array();
    for (const Material& m : scene.materials)
    {
        Json textures = Json::object();
        const std::pair<const char*, const TextureRef*> uses[] = {{"baseColor", &m.baseColor}, {"metallicRoughness", &m.metallicRoughness},
            {"normal", &m.normal}, {"occlusion", &m.occlusion}, {"emissive", &m.emissive}};
        for (const auto& [use, texture] : uses)
            if (texture->isPresent())
                textures[use] = texture->imageIndex;
        Json entry = {{"name", m.name}, {"alphaMode", alphaName(m.alphaMode)}, {"doubleSided", m.isDoubleSided}, {"unlit", m.isUnlit},
            {"textures", textures}};
        if (!m.unusedExtensions.empty())
            entry["unusedExtensions"] = m.unusedExtensions;
        out.push_back(std::move(entry));
    }
    return out;
}

Json imagesOf(const SceneDescription& scene)
{
    Json out = Json::array();
    for (const Image& image : scene.images)
        out.push_back({{"name", image.name}, {"width", image.width}, {"height", image.height}, {"format", formatName(image.format)},
            {"alpha", image.hasAlpha}, {"bytes", image.bytes.size()}});
    return out;
}

Json factsOf(const SceneDescription& scene)
{
    Json facts = {{"inspectVersion", 1}, {"name", scene.name}, {"scene", countsOf(scene)}, {"extensionsUsed", scene.extensionsUsed}};
    const Aabb bounds = computeSceneBounds(scene);
    facts["bounds"] = bounds.isEmpty() ? Json(nullptr) : Json{{"min", toJson(bounds.min)}, {"max", toJson(bounds.max)}};
    facts["materials"] = materialsOf(scene);
    facts["images"] = imagesOf(scene);
    facts["skins"] = Json::array();
    for (const Skin& skin : scene.skins)
        facts["skins"].push_back({{"name", skin.name}, {"joints", skin.jointNodes.size()}});
    facts["animations"] = Json::array();
    for (const Animation& animation : scene.animations)
        facts["animations"].push_back(
            {{"name", animation.name}, {"channels", animation.channels.size()}, {"seconds", animation.durationSeconds}});
    facts["cameras"] = Json::array();
    for (const Camera& camera : scene.cameras)
        facts["cameras"].push_back({{"name", camera.name}, {"orthographic", camera.isOrthographic}});
    facts["issues"] = Json::array();
    for (const ImportIssue& issue : scene.issues)
        facts["issues"].push_back(
            {{"severity", severityName(issue.severity)}, {"code", issue.code}, {"where", issue.where}, {"message", issue.message}});
    return facts;
}

std::string textOf(const Json& value)
{
    return value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// One line for each entry of a list: its fields, names first; very long lists are cut, and say so.
void printList(std::FILE* out, const char* title, const Json& list)
{
    constexpr std::size_t kMaxLines = 40;
    if (list.empty())
        return;
    std::fprintf(out, "\n%s (%zu)\n", title, list.size());
    for (std::size_t i = 0; i < list.size() && i < kMaxLines; ++i)
    {
        std::string line = "  " + std::to_string(i) + ":";
        for (const auto& [key, value] : list[i].items())
            line += key == "name" ? " \"" + textOf(value) + "\"" : "  " + key + " " + textOf(value);
        std::fprintf(out, "%s\n", line.c_str());
    }
    if (list.size() > kMaxLines)
        std::fprintf(out, "  ... and %zu more (--json lists all)\n", list.size() - kMaxLines);
}

void printText(std::FILE* out, const Json& facts)
{
    std::fprintf(out, "%s\n", textOf(facts["name"]).c_str());
    for (const auto& [key, value] : facts["scene"].items())
        std::fprintf(out, "  %-15s %s\n", key.c_str(), textOf(value).c_str());
    if (!facts["bounds"].is_null())
        std::fprintf(
            out, "  %-15s %s to %s metres\n", "bounds", textOf(facts["bounds"]["min"]).c_str(), textOf(facts["bounds"]["max"]).c_str());
    for (const auto& name : facts["extensionsUsed"])
        std::fprintf(out, "  %-15s %s\n", "extension", textOf(name).c_str());
    printList(out, "materials", facts["materials"]);
    printList(out, "images", facts["images"]);
    printList(out, "skins", facts["skins"]);
    printList(out, "animations", facts["animations"]);
    printList(out, "cameras", facts["cameras"]);
    printList(out, "issues", facts["issues"]);
    if (facts["issues"].empty())
        std::fprintf(out, "\nno issues\n");
}

} // namespace

int runInspect(const InspectOptions& options, std::FILE* out, std::FILE* err)
{
    const Result<SceneDescription> scene = loadScene(options.input);
    if (!scene)
    {
        std::fprintf(err, "drawloom: %s\n", scene.error().message.c_str());
        return kExitBadInput;
    }
    const Json facts = factsOf(*scene);
    // Names come from files: what is not UTF-8 is replaced instead of thrown at.
    if (options.isJson)
        std::fprintf(out, "%s\n", facts.dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    else
        printText(out, facts);
    return kExitDone;
}

} // namespace dl::cli
