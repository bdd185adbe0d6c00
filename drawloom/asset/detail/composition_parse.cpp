// drawloom/asset/detail/composition_parse.cpp - see the header; the format is described in docs/formats.md.
#include "drawloom/asset/detail/composition_parse.h"

#include "drawloom/asset/detail/json.h"

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <map>
#include <string_view>

namespace dl::detail
{
namespace
{

constexpr std::size_t kMaxJsonDepth = 16;

/// A value and where it stands, for messages: "placements[3].attachTo".
struct Place
{
    JsonValue value;
    std::string path;

    Error bad(const std::string& problem) const { return Error{ErrorCode::BadFile, path + ": " + problem}; }
    std::optional<Place> find(std::string_view key) const
    {
        const std::optional<JsonValue> found = value.find(key);
        if (!found)
            return std::nullopt;
        return Place{*found, path.empty() ? std::string(key) : path + "." + std::string(key)};
    }
    Place element(JsonValue inner, std::size_t index) const { return Place{inner, path + "[" + std::to_string(index) + "]"}; }
};

std::string shown(std::string_view text)
{
    return "\"" + std::string(text.substr(0, 64)) + "\"";
}

Result<void> onlyKeys(const Place& place, std::initializer_list<std::string_view> known)
{
    if (place.value.kind() != JsonKind::Object)
        return place.bad("must be an object");
    for (const auto& [key, value] : place.value.members())
    {
        if (std::find(known.begin(), known.end(), key) != known.end())
            continue;
        std::string names;
        for (const std::string_view name : known)
            names += (names.empty() ? "" : ", ") + std::string(name);
        return place.bad("does not know " + shown(key) + "; it knows " + names);
    }
    return {};
}

Result<std::string> readString(const Place& place)
{
    const std::optional<std::string_view> text = place.value.string();
    if (!text || text->empty())
        return place.bad("must be a string that is not empty");
    return std::string(*text);
}

Result<float> readNumber(const Place& place)
{
    const std::optional<double> number = place.value.number();
    if (!number || !(std::fabs(*number) <= 1e30))
        return place.bad("must be a number");
    return static_cast<float>(*number);
}

template <std::size_t N> Result<void> readNumbers(const Place& place, float (&out)[N])
{
    double numbers[N];
    const std::optional<std::size_t> count = place.value.numbers(numbers);
    if (!count || *count != N)
        return place.bad("must be " + std::to_string(N) + " numbers");
    for (std::size_t i = 0; i < N; ++i)
    {
        if (!(std::fabs(numbers[i]) <= 1e30))
            return place.bad("has a number that is too large");
        out[i] = static_cast<float>(numbers[i]);
    }
    return {};
}

Result<void> readVec3(const Place& owner, std::string_view key, vec3& out)
{
    const std::optional<Place> place = owner.find(key);
    float numbers[3];
    if (!place)
        return {};
    DL_TRY(readNumbers(*place, numbers));
    out = vec3(numbers[0], numbers[1], numbers[2]);
    return {};
}

Result<void> readTrs(const Place& owner, Trs& out)
{
    DL_TRY(readVec3(owner, "translation", out.translation));
    if (const std::optional<Place> rotation = owner.find("rotation"))
    {
        float q[4];
        DL_TRY(readNumbers(*rotation, q));
        const float length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
        if (!(length > 1e-6f))
            return rotation->bad("must be a quaternion x, y, z, w that is not zero");
        out.rotation = quat(q[3] / length, q[0] / length, q[1] / length, q[2] / length);
    }
    const std::optional<Place> scale = owner.find("scale");
    if (!scale)
        return {};
    if (scale->value.number())
    {
        DL_TRY_ASSIGN(const float factor, readNumber(*scale));
        out.scale = vec3(factor);
        return {};
    }
    return readVec3(owner, "scale", out.scale);
}

Result<void> readMatrix(const Place& place, std::optional<mat4>& out)
{
    float m[16];
    DL_TRY(readNumbers(place, m));
    if (m[3] != 0.0f || m[7] != 0.0f || m[11] != 0.0f || m[15] != 1.0f)
        return place.bad("must be affine: column-major, with 0, 0, 0, 1 as last row");
    out.emplace(1.0f);
    for (int i = 0; i < 16; ++i)
        (*out)[i / 4][i % 4] = m[i];
    return {};
}

Result<std::vector<std::string>> readPatterns(const Place& place)
{
    std::vector<std::string> out;
    if (place.value.kind() != JsonKind::Array)
        return place.bad("must be an array of name patterns");
    for (const JsonValue value : place.value.elements())
    {
        DL_TRY_ASSIGN(std::string pattern, readString(place.element(value, out.size())));
        out.push_back(std::move(pattern));
    }
    return out;
}

class Parser
{
public:
    explicit Parser(const CompositionSettings& settings) : m_settings(settings) {}

    Result<CompositionFile> run(const Place& root)
    {
        if (root.value.kind() != JsonKind::Object)
            return Error{ErrorCode::BadFile, "JSON: the file's root is no object"};
        const std::optional<Place> version = root.find("drawloomScene");
        if (!version)
            return Error{ErrorCode::BadFile, "drawloomScene: is required: this is no composition"};
        if (version->value.count() != std::optional<std::uint64_t>(1))
            return Error{ErrorCode::Unsupported, "drawloomScene: only version 1 is read"};
        Place named = root;
        named.path = "";
        if (const Result<void> known = onlyKeys(
                {root.value, "the file"}, {"drawloomScene", "name", "note", "root", "roots", "assets", "placements", "camera", "light"});
            !known)
            return known.error();
        if (const std::optional<Place> name = named.find("name"))
        {
            DL_TRY_ASSIGN(m_file.name, readString(*name));
        }
        DL_TRY(readRoots(named));
        DL_TRY(readAssets(named));
        DL_TRY(readPlacements(named));
        if (const std::optional<Place> camera = named.find("camera"))
            DL_TRY(readCamera(*camera));
        if (const std::optional<Place> light = named.find("light"))
            DL_TRY(readLight(*light));
        return std::move(m_file);
    }

private:
    Result<void> readRoots(const Place& root)
    {
        if (const std::optional<Place> one = root.find("root"))
        {
            DL_TRY_ASSIGN(std::string folder, readString(*one));
            m_file.roots.push_back(std::move(folder));
        }
        if (const std::optional<Place> many = root.find("roots"))
        {
            DL_TRY_ASSIGN(const std::vector<std::string> folders, readPatterns(*many));
            m_file.roots.insert(m_file.roots.end(), folders.begin(), folders.end());
        }
        return {};
    }

    Result<void> readAssets(const Place& root)
    {
        const std::optional<Place> assets = root.find("assets");
        if (!assets || assets->value.kind() != JsonKind::Object)
            return Error{ErrorCode::BadFile, "assets: an object of names and file names is required"};
        for (const auto& [key, value] : assets->value.members())
        {
            const Place place{value, "assets." + std::string(key.substr(0, 64))};
            DL_TRY_ASSIGN(std::string file, readString(place));
            if (!m_assetIndices.emplace(std::string(key), static_cast<std::uint32_t>(m_file.assets.size())).second)
                return place.bad("is there twice");
            m_file.assets.push_back({std::string(key), std::move(file)});
        }
        return {};
    }

    Result<void> readPlacements(const Place& root)
    {
        const std::optional<Place> placements = root.find("placements");
        if (!placements || placements->value.kind() != JsonKind::Array)
            return Error{ErrorCode::BadFile, "placements: an array is required"};
        const std::vector<JsonValue> elements = placements->value.elements();
        if (elements.size() > m_settings.maxNodeCount)
            return Error{ErrorCode::OutOfBudget, "placements: " + std::to_string(elements.size()) + ", past the limit of " +
                                                     std::to_string(m_settings.maxNodeCount) + "; raise maxNodeCount"};
        for (std::size_t i = 0; i < elements.size(); ++i)
            DL_TRY(readPlacement(placements->element(elements[i], i)));
        return {};
    }

    /// An earlier placement by name, told apart from one that is ambiguous.
    Result<std::uint32_t> findPlacement(const Place& place)
    {
        DL_TRY_ASSIGN(const std::string name, readString(place));
        const auto found = m_placementIndices.find(name);
        if (found == m_placementIndices.end())
            return place.bad("no placement before this one is named " + shown(name));
        if (found->second == kNoIndex)
            return place.bad("several placements are named " + shown(name) + "; give them names of their own");
        return found->second;
    }

    Result<void> readPlacement(const Place& place)
    {
        DL_TRY(onlyKeys(place, {"name", "note", "asset", "translation", "rotation", "scale", "matrix", "nodes", "exclude", "attachTo",
                                   "bindTo", "instances", "grid"}));
        Placement out;
        DL_TRY(readAsset(place, out));
        DL_TRY(readTrs(place, out.trs));
        if (const std::optional<Place> matrix = place.find("matrix"))
        {
            if (place.find("translation") || place.find("rotation") || place.find("scale"))
                return matrix->bad("excludes translation, rotation and scale");
            DL_TRY(readMatrix(*matrix, out.matrix));
        }
        if (const std::optional<Place> nodes = place.find("nodes"))
        {
            DL_TRY_ASSIGN(out.include, readPatterns(*nodes));
            if (out.include.empty())
                return nodes->bad("must name at least one pattern");
        }
        if (const std::optional<Place> exclude = place.find("exclude"))
        {
            DL_TRY_ASSIGN(out.exclude, readPatterns(*exclude));
        }
        DL_TRY(readReferences(place, out));
        DL_TRY(readInstances(place, out));
        if (!out.instances.empty() && out.bindTo != kNoIndex)
            return place.bad("instances and bindTo exclude each other");
        const auto [entry, isNew] = m_placementIndices.emplace(out.name, static_cast<std::uint32_t>(m_file.placements.size()));
        if (!isNew)
            entry->second = kNoIndex;
        m_file.placements.push_back(std::move(out));
        return {};
    }

    Result<void> readAsset(const Place& place, Placement& out)
    {
        const std::optional<Place> asset = place.find("asset");
        if (!asset)
            return place.bad("asset is required");
        DL_TRY_ASSIGN(const std::string key, readString(*asset));
        const auto found = m_assetIndices.find(key);
        if (found == m_assetIndices.end())
            return asset->bad("assets has no " + shown(key));
        out.asset = found->second;
        out.name = key;
        if (const std::optional<Place> name = place.find("name"))
        {
            DL_TRY_ASSIGN(out.name, readString(*name));
        }
        return {};
    }

    Result<void> readReferences(const Place& place, Placement& out)
    {
        if (const std::optional<Place> attach = place.find("attachTo"))
        {
            DL_TRY(onlyKeys(*attach, {"placement", "node"}));
            const std::optional<Place> target = attach->find("placement");
            const std::optional<Place> node = attach->find("node");
            if (!target || !node)
                return attach->bad("needs placement and node");
            Attachment attachment;
            DL_TRY_ASSIGN(attachment.placement, findPlacement(*target));
            DL_TRY_ASSIGN(attachment.node, readString(*node));
            out.attachTo = std::move(attachment);
        }
        if (const std::optional<Place> bind = place.find("bindTo"))
        {
            DL_TRY_ASSIGN(out.bindTo, findPlacement(*bind));
            if (out.attachTo)
                return bind->bad("and attachTo exclude each other");
        }
        return {};
    }

    Result<void> takeInstances(const Place& place, std::uint64_t count)
    {
        m_instanceCount += count;
        if (m_instanceCount > m_settings.maxInstanceCount)
            return Error{ErrorCode::OutOfBudget,
                place.path + ": more than " + std::to_string(m_settings.maxInstanceCount) + " instances; raise maxInstanceCount"};
        return {};
    }

    Result<void> readInstances(const Place& place, Placement& out)
    {
        if (const std::optional<Place> list = place.find("instances"))
        {
            if (list->value.kind() != JsonKind::Array)
                return list->bad("must be an array");
            const std::vector<JsonValue> elements = list->value.elements();
            if (elements.empty())
                return list->bad("must not be empty");
            DL_TRY(takeInstances(*list, elements.size()));
            for (std::size_t i = 0; i < elements.size(); ++i)
            {
                const Place element = list->element(elements[i], i);
                DL_TRY(onlyKeys(element, {"translation", "rotation", "scale"}));
                Trs trs;
                DL_TRY(readTrs(element, trs));
                out.instances.push_back(toAffine(trs));
            }
        }
        if (const std::optional<Place> grid = place.find("grid"))
            DL_TRY(readGrid(*grid, out));
        return {};
    }

    /// Points (x, y, z) * spacing, x fastest, about the middle unless `centred` is false.
    Result<void> readGrid(const Place& place, Placement& out)
    {
        DL_TRY(onlyKeys(place, {"count", "spacing", "centred"}));
        const std::optional<Place> counts = place.find("count");
        if (!counts || counts->value.kind() != JsonKind::Array || counts->value.elements().size() != 3)
            return place.bad("count must be 3 whole numbers");
        std::uint64_t n[3] = {0, 0, 0};
        for (std::size_t i = 0; i < 3; ++i)
        {
            n[i] = counts->value.elements()[i].count().value_or(0);
            if (n[i] == 0 || n[i] > (1U << 20U))
                return counts->bad("must be 3 whole numbers from 1 to 1048576");
        }
        DL_TRY(takeInstances(place, n[0] * n[1] * n[2]));
        vec3 spacing(1.0f);
        DL_TRY(readVec3(place, "spacing", spacing));
        bool isCentred = true;
        if (const std::optional<Place> centred = place.find("centred"))
        {
            if (!centred->value.boolean())
                return centred->bad("must be true or false");
            isCentred = *centred->value.boolean();
        }
        const vec3 size(static_cast<float>(n[0] - 1), static_cast<float>(n[1] - 1), static_cast<float>(n[2] - 1));
        const vec3 first = isCentred ? -0.5f * size * spacing : vec3(0.0f);
        for (std::uint64_t z = 0; z < n[2]; ++z)
            for (std::uint64_t y = 0; y < n[1]; ++y)
                for (std::uint64_t x = 0; x < n[0]; ++x)
                {
                    const vec3 step(static_cast<float>(x), static_cast<float>(y), static_cast<float>(z));
                    out.instances.push_back(toAffine(Trs{.translation = first + step * spacing}));
                }
        return {};
    }

    Result<void> readCamera(const Place& place)
    {
        DL_TRY(onlyKeys(place, {"eye", "target", "yFovDegrees"}));
        CompositionCamera camera;
        DL_TRY(readVec3(place, "eye", camera.eye));
        DL_TRY(readVec3(place, "target", camera.target));
        float degrees = 45.0f;
        if (const std::optional<Place> fov = place.find("yFovDegrees"))
        {
            DL_TRY_ASSIGN(degrees, readNumber(*fov));
        }
        if (!(degrees > 0.0f && degrees < 180.0f))
            return place.bad("yFovDegrees must lie between 0 and 180");
        if (glm::length(camera.target - camera.eye) < 1e-6f)
            return place.bad("eye and target must differ");
        camera.yFovRadians = glm::radians(degrees);
        m_file.camera = camera;
        return {};
    }

    Result<void> readLight(const Place& place)
    {
        DL_TRY(onlyKeys(place, {"direction", "color", "intensity"}));
        CompositionLight light;
        DL_TRY(readVec3(place, "direction", light.direction));
        DL_TRY(readVec3(place, "color", light.color));
        if (const std::optional<Place> intensity = place.find("intensity"))
        {
            DL_TRY_ASSIGN(light.intensity, readNumber(*intensity));
        }
        if (glm::length(light.direction) < 1e-6f || light.intensity < 0.0f)
            return place.bad("needs a direction that is not zero and an intensity that is not negative");
        m_file.light = light;
        return {};
    }

    const CompositionSettings& m_settings;
    CompositionFile m_file;
    std::map<std::string, std::uint32_t> m_assetIndices;
    std::map<std::string, std::uint32_t> m_placementIndices; ///< kNoIndex: the name is taken twice
    std::uint64_t m_instanceCount = 0;
};

} // namespace

Result<CompositionFile> parseComposition(std::span<const std::byte> text, const CompositionSettings& settings)
{
    DL_TRY_ASSIGN(const JsonDocument document, JsonDocument::parse(text, kMaxJsonDepth));
    return Parser(settings).run(Place{document.root(), ""});
}

} // namespace dl::detail
