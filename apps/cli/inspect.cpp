// apps/cli/inspect.cpp - gathers the facts of a scene or image file once, and prints them as text or JSON.
#include "apps/cli/inspect.h"

#include "apps/cli/exit_codes.h"
#include "apps/cli/input_file.h"
#include "apps/cli/inspect_image.h"
#include "apps/cli/memory_step.h"
#include "apps/cli/scene_counts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
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

Json materialToJson(const Material& m)
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
    return entry;
}

Json imageToJson(const Image& image)
{
    return {{"name", image.name}, {"width", image.width}, {"height", image.height}, {"format", formatName(image.format)},
        {"mips", image.mipCount}, {"alpha", image.hasAlpha}, {"bytes", image.bytes.size()}};
}

/// Entries are made one at a time, when they are printed: a file may have a million of them.
struct FactList
{
    const char* name;
    std::size_t count;
    std::function<Json(std::size_t)> entry;
};

struct Facts
{
    Json head; ///< of a scene: inspectVersion, name, scene, bounds; of an image all but its issues
    std::vector<FactList> lists;
};

template <class T, class Make> FactList listOf(const char* name, const std::vector<T>& values, Make make)
{
    return {name, values.size(), [&values, make](std::size_t i) { return make(values[i]); }};
}

/// Refers to `scene`.
Facts factsOf(const SceneDescription& scene)
{
    const Aabb bounds = computeSceneBounds(scene);
    Facts facts;
    facts.head = {{"inspectVersion", 1}, {"name", scene.name}, {"scene", countsToJson(countScene(scene))},
        {"bounds", bounds.isEmpty() ? Json(nullptr) : Json{{"min", toJson(bounds.min)}, {"max", toJson(bounds.max)}}}};
    facts.lists = {listOf("extensionsUsed", scene.extensionsUsed, [](const std::string& name) { return Json(name); }),
        listOf("materials", scene.materials, materialToJson), listOf("images", scene.images, imageToJson),
        listOf("skins", scene.skins, [](const Skin& skin) { return Json{{"name", skin.name}, {"joints", skin.jointNodes.size()}}; }),
        listOf("animations", scene.animations,
            [](const Animation& animation)
            {
                return Json{
                    {"name", animation.name}, {"channels", animation.channels.size()}, {"seconds", shortNumber(animation.durationSeconds)}};
            }),
        listOf("cameras", scene.cameras,
            [](const Camera& camera) { return Json{{"name", camera.name}, {"orthographic", camera.isOrthographic}}; }),
        listOf("issues", scene.issues, issueToJson)};
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
void printList(std::FILE* out, const FactList& list)
{
    constexpr std::size_t kMaxLines = 40;
    if (list.count == 0)
        return;
    std::fprintf(out, "\n%s (%zu)\n", list.name, list.count);
    for (std::size_t i = 0; i < list.count && i < kMaxLines; ++i)
    {
        std::string line = "  " + std::to_string(i) + ":";
        const Json entry = list.entry(i);
        for (const auto& [key, value] : entry.items())
            line += key == "name" ? " \"" + textOf(value) + "\"" : "  " + key + " " + textOf(value);
        std::fprintf(out, "%s\n", line.c_str());
    }
    if (list.count > kMaxLines)
        std::fprintf(out, "  ... and %zu more (--json lists more)\n", list.count - kMaxLines);
}

void printFields(std::FILE* out, const Json& fields)
{
    for (const auto& [key, value] : fields.items())
        std::fprintf(out, "  %-15s %s\n", key.c_str(), textOf(value).c_str());
}

void printExtensions(std::FILE* out, const FactList& names)
{
    for (std::size_t i = 0; i < names.count; ++i)
        std::fprintf(out, "  %-15s %s\n", "extension", textOf(names.entry(i)).c_str());
}

void printText(std::FILE* out, const Facts& facts)
{
    const Json& head = facts.head;
    std::fprintf(out, "%s\n", textOf(head["name"]).c_str());
    if (head.contains("image"))
    {
        printFields(out, head["image"]);
        return printList(out, facts.lists.back());
    }
    printFields(out, head["scene"]);
    if (!head["bounds"].is_null())
        std::fprintf(
            out, "  %-15s %s to %s metres\n", "bounds", textOf(head["bounds"]["min"]).c_str(), textOf(head["bounds"]["max"]).c_str());
    printExtensions(out, facts.lists.front());
    for (std::size_t i = 1; i < facts.lists.size(); ++i)
        printList(out, facts.lists[i]);
    if (facts.lists.back().count == 0)
        std::fprintf(out, "\nno issues\n");
}

/// Names come from files: what is not UTF-8 is replaced instead of thrown at. Lines after the first are moved in by `indent`.
std::string dump(const Json& value, std::size_t indent)
{
    std::string text = value.dump(2, ' ', false, Json::error_handler_t::replace);
    for (std::size_t at = text.find('\n'); at != std::string::npos; at = text.find('\n', at + 1))
        text.insert(at + 1, indent, ' ');
    return text;
}

/// What does not fit kMaxJsonEntries is counted in "notListed", by list.
void printJson(std::FILE* out, const Facts& facts)
{
    constexpr std::size_t kMaxJsonEntries = 100'000; // nobody reads more, and a file of 3 MB may have a million
    const char* separator = "{";
    const auto member = [&](const std::string& key, const Json& value)
    {
        std::fprintf(out, "%s\n  \"%s\": %s", separator, key.c_str(), dump(value, 2).c_str());
        separator = ",";
    };
    for (const auto& [key, value] : facts.head.items())
        member(key, value);
    Json rest = Json::object();
    for (const FactList& list : facts.lists)
    {
        const std::size_t listed = std::min(list.count, kMaxJsonEntries);
        std::fprintf(out, ",\n  \"%s\": [", list.name);
        for (std::size_t i = 0; i < listed; ++i)
            std::fprintf(out, "%s\n    %s", i == 0 ? "" : ",", dump(list.entry(i), 4).c_str());
        std::fputs(listed == 0 ? "]" : "\n  ]", out);
        if (listed < list.count)
            rest[list.name] = list.count - listed;
    }
    if (!rest.empty())
        member("notListed", rest);
    std::fputs("\n}\n", out);
}

void print(std::FILE* out, const Facts& facts, bool isJson)
{
    isJson ? printJson(out, facts) : printText(out, facts);
}

Result<void> inspectImageFile(const InspectOptions& options)
{
    DL_TRY_ASSIGN(Json found, inspectImage(options.input, options.isStrict));
    const Json issues = std::move(found["issues"]);
    found.erase("issues");
    print(stdout, {std::move(found), {{"issues", issues.size(), [&issues](std::size_t i) { return issues[i]; }}}}, options.isJson);
    return {};
}

Result<void> inspectFile(const InspectOptions& options)
{
    constexpr const char* kAccepted =
        "inspect takes a .glb, a .gltf, a composition (*.scene.json) or an image (PNG, JPEG, WebP, KTX2, HDR)";
    const std::filesystem::path& path = options.input;
    std::error_code ignored;
    if (std::filesystem::is_directory(path, ignored))
        return Error{ErrorCode::Unsupported, "\"" + path.string() + "\" is a folder; " + kAccepted};
    if (looksLikeImage(path))
        return inspectImageFile(options);
    if (!std::filesystem::exists(path, ignored))
        return Error{ErrorCode::NotFound, "\"" + path.string() + "\": no such file"};
    if (!isSceneFile(path))
        return Error{ErrorCode::Unsupported, "\"" + path.string() + "\" is nothing that can be inspected; " + kAccepted};
    DL_TRY_ASSIGN(
        const SceneDescription scene, loadInput(path, {.isStrict = options.isStrict, .checksFormat = true}, options.maxMemoryMiB));
    print(stdout, factsOf(scene), options.isJson);
    return {};
}

} // namespace

int runInspect(const InspectOptions& options)
{
    const MemoryStep step("inspecting", options.input.string());
    const Result<void> done = inspectFile(options);
    return done ? kDone : fail(kBadInput, done.error().message.c_str());
}

} // namespace dl::cli
