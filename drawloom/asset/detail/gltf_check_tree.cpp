// drawloom/asset/detail/gltf_check_tree.cpp - rules for any place of the JSON: no empty arrays, names are strings, extensions
// are declared and stand where they belong, their numbers lie in range.
#include "drawloom/asset/detail/gltf_check.h"
#include "drawloom/asset/detail/gltf_material_extension.h"

#include <algorithm>
#include <limits>

namespace dl::detail
{

/// Where the walk is; made into text only for a report.
struct FormatCheck::Place
{
    const Place* parent;
    std::string_view key;
    std::size_t index; ///< of an element; SIZE_MAX: `key` is a member's name
    std::size_t depth;

    static constexpr std::size_t kShownKey = 64;
    std::string path() const
    {
        std::string out = parent != nullptr ? parent->path() : std::string();
        if (index != SIZE_MAX)
            return out + '[' + std::to_string(index) + ']';
        const std::string shown = key.size() <= kShownKey ? std::string(key) : std::string(key.substr(0, kShownKey)) + "...";
        return out.empty() ? shown : out + '.' + shown;
    }
    /// An element of a list of the root.
    bool isIn(std::string_view list) const { return depth == 2 && parent->key == list && index != SIZE_MAX; }
};

namespace
{

constexpr double kNoLimit = std::numeric_limits<double>::max();

struct Range
{
    std::string_view key;
    double least, most;
};
/// Of material extensions; arrays hold several such numbers.
constexpr Range kRanges[] = {{"anisotropyStrength", 0, 1}, {"attenuationColor", 0, 1}, {"attenuationDistance", 1e-300, kNoLimit},
    {"clearcoatFactor", 0, 1}, {"clearcoatRoughnessFactor", 0, 1}, {"dispersion", 0, kNoLimit}, {"iridescenceFactor", 0, 1},
    {"sheenColorFactor", 0, 1}, {"sheenRoughnessFactor", 0, 1}, {"specularColorFactor", 0, kNoLimit}, {"specularFactor", 0, 1},
    {"thicknessFactor", 0, kNoLimit}, {"transmissionFactor", 0, 1}};

bool isOutside(double value, double least, double most)
{
    return !(value >= least && value <= most);
}

bool isOutOfRange(std::string_view key, JsonValue value)
{
    if (key == "ior" && value.number())
        return *value.number() != 0.0 && *value.number() < 1.0;
    const auto* const range = std::find_if(std::begin(kRanges), std::end(kRanges), [&](const Range& r) { return r.key == key; });
    if (range == std::end(kRanges))
        return false;
    if (const std::optional<double> number = value.number())
        return isOutside(*number, range->least, range->most);
    const std::vector<JsonValue> elements = value.elements();
    return std::any_of(elements.begin(), elements.end(),
        [&](JsonValue element) { return isOutside(element.number().value_or(-1.0), range->least, range->most); });
}

bool isTextKey(std::string_view key)
{
    return key == "name" || key == "generator" || key == "copyright" || key == "uri" || key == "mimeType";
}

bool isMaterialExtension(std::string_view name)
{
    return isKeptMaterialExtension(name) || name == "KHR_materials_unlit" || name == "KHR_materials_emissive_strength" ||
           name == "KHR_materials_pbrSpecularGlossiness";
}

/// Extensions whose objects follow the same rules; what stands in others is not ours to judge.
bool isWalked(std::string_view name)
{
    return isMaterialExtension(name) || name == "KHR_lights_punctual" || name == "KHR_materials_variants" ||
           name == "KHR_texture_transform" || name == "EXT_texture_webp" || name == "MSFT_lod";
}

} // namespace

bool FormatCheck::isDeclared(std::string_view extension) const
{
    return m_declared.contains(extension);
}

void FormatCheck::checkTree()
{
    const Place root{nullptr, {}, SIZE_MAX, 0};
    visit(root, m_state.json->root(), false);
}

/// As deep as the document's nesting, which is limited.
void FormatCheck::visit(const Place& place, JsonValue value, bool isExtension)
{
    if (value.kind() == JsonKind::Object)
    {
        for (const auto& [key, member] : value.members())
            if (const Place inner{&place, key, SIZE_MAX, place.depth + 1}; isExtension && isOutOfRange(key, member))
                report(inner.path(), "is out of range");
            else
                visitMember(inner, key, member);
        return;
    }
    if (value.kind() != JsonKind::Array)
        return;
    const std::vector<JsonValue> elements = value.elements();
    if (elements.empty())
        report(place.path(), "is an empty array");
    if (!elements.empty() && elements.front().kind() != JsonKind::Object && elements.front().kind() != JsonKind::Array)
        return; // numbers, strings: nothing below
    for (std::size_t i = 0; i < elements.size(); ++i)
        visit(Place{&place, {}, i, place.depth + 1}, elements[i], isExtension);
}

void FormatCheck::visitMember(const Place& place, std::string_view key, JsonValue value)
{
    if (key == "extras")
        return;
    if (key == "extensions")
        return checkExtensions(place, value);
    if (isTextKey(key) && value.kind() != JsonKind::String)
        report(place.path(), "must be a string");
    visit(place, value, false);
}

void FormatCheck::checkExtensions(const Place& place, JsonValue extensions)
{
    const Place& owner = *place.parent;
    for (const auto& [name, value] : extensions.members())
    {
        const Place inner{&place, name, SIZE_MAX, place.depth + 1};
        if (!isDeclared(name))
            report(inner.path(), "is not declared in extensionsUsed");
        const bool isMisplaced = (isMaterialExtension(name) && !owner.isIn("materials")) ||
                                 (name == "KHR_texture_transform" && !owner.key.ends_with("Texture")) ||
                                 (name == "EXT_texture_webp" && !owner.isIn("textures"));
        if (isMisplaced)
            report(inner.path(), "has no meaning here");
        const char* const needed = name == "KHR_lights_punctual" ? "lights" : name == "KHR_materials_variants" ? "variants" : nullptr;
        if (owner.depth == 0 && needed != nullptr && !value.find(needed))
            report(inner.path() + "." + needed, "is required");
        if (isWalked(name))
            visit(inner, value, isMaterialExtension(name));
    }
}

} // namespace dl::detail
