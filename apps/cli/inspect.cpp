// apps/cli/inspect.cpp - gathers the facts of a scene or image file once, and prints them as text or JSON.
#include "apps/cli/inspect.h"

#include "apps/cli/exit_codes.h"
#include "apps/cli/inspect_image.h"
#include "apps/cli/scene_counts.h"

#include "drawloom/asset/composition.h"

#include <nlohmann/json.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <vector>

namespace dl::cli
{

namespace
{

using Json = nlohmann::ordered_json;

std::string_view alphaName(AlphaMode mode)
{
    return mode == AlphaMode::Opaque ? "opaque" : mode == AlphaMode::Mask ? "mask" : "blend";
}

/// Six significant digits: what a float holds, and no tail of its neighbour in double.
double shortNumber(float value)
{
    char text[32];
    std::snprintf(text, sizeof text, "%.6g", static_cast<double>(value));
    return std::strtod(text, nullptr);
}

Json toJson(vec3 v)
{
    return {shortNumber(v.x), shortNumber(v.y), shortNumber(v.z)};
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
            {"mips", image.mipCount}, {"alpha", image.hasAlpha}, {"bytes", image.bytes.size()}});
    return out;
}

Json factsOf(const SceneDescription& scene)
{
    Json facts = {
        {"inspectVersion", 1}, {"name", scene.name}, {"scene", countsToJson(countScene(scene))}, {"extensionsUsed", scene.extensionsUsed}};
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
            {{"name", animation.name}, {"channels", animation.channels.size()}, {"seconds", shortNumber(animation.durationSeconds)}});
    facts["cameras"] = Json::array();
    for (const Camera& camera : scene.cameras)
        facts["cameras"].push_back({{"name", camera.name}, {"orthographic", camera.isOrthographic}});
    facts["issues"] = issuesToJson(scene.issues);
    return facts;
}

/// Without control characters, which a file's names may bring to the terminal.
std::string textOf(const Json& value)
{
    std::string text = value.is_string() ? value.get<std::string>() : value.dump(-1, ' ', false, Json::error_handler_t::replace);
    std::replace_if(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7f; }, ' ');
    return text;
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

void printFields(std::FILE* out, const Json& fields)
{
    for (const auto& [key, value] : fields.items())
        std::fprintf(out, "  %-15s %s\n", key.c_str(), textOf(value).c_str());
}

void printText(std::FILE* out, const Json& facts)
{
    std::fprintf(out, "%s\n", textOf(facts["name"]).c_str());
    if (facts.contains("image"))
    {
        printFields(out, facts["image"]);
        return printList(out, "issues", facts["issues"]);
    }
    printFields(out, facts["scene"]);
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

Result<Json> factsOf(const std::filesystem::path& path, bool isStrict)
{
    constexpr const char* kAccepted =
        "inspect takes a .glb, a .gltf, a composition (*.scene.json) or an image (PNG, JPEG, WebP, KTX2, HDR)";
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return Error{ErrorCode::Unsupported, "\"" + path.string() + "\" is a folder; " + kAccepted};
    if (looksLikeImage(path))
        return inspectImage(path, isStrict);
    if (!std::filesystem::exists(path, ignored))
        return Error{ErrorCode::NotFound, "\"" + path.string() + "\": no such file"};
    if (!isSceneFile(path))
        return Error{ErrorCode::Unsupported, "\"" + path.string() + "\" is nothing that can be inspected; " + kAccepted};
    DL_TRY_ASSIGN(const SceneDescription scene, loadScene(path, {.import = {.isStrict = isStrict, .checksFormat = true}}));
    return factsOf(scene);
}

} // namespace

int runInspect(const InspectOptions& options)
{
    const Result<Json> facts = factsOf(options.input, options.isStrict);
    if (!facts)
        return fail(kBadInput, facts.error().message.c_str());
    // Names come from files: what is not UTF-8 is replaced instead of thrown at.
    if (options.isJson)
        std::fprintf(stdout, "%s\n", facts->dump(2, ' ', false, Json::error_handler_t::replace).c_str());
    else
        printText(stdout, *facts);
    return kDone;
}

} // namespace dl::cli
