// drawloom/asset/detail/gltf_check_use.cpp - rules of the root, primitives, skins, animations and scenes.
#include "drawloom/asset/detail/gltf_accessor.h"
#include "drawloom/asset/detail/gltf_check.h"

#include <algorithm>
#include <charconv>
#include <unordered_set>

namespace dl::detail
{
namespace
{

constexpr const char* kQuantization = "KHR_mesh_quantization";

/// How many of NAME_0, NAME_1, ... there are; `isGapless` is false if a later one follows a gap.
std::size_t countSets(const GltfObject& attributes, const std::string& name, bool& isGapless)
{
    const auto members = attributes.members();
    std::vector<bool> hasSet(members.size() + 1, false);
    std::size_t all = 0;
    for (const auto& [key, value] : members)
    {
        if (!key.starts_with(name + "_"))
            continue;
        ++all;
        const std::string_view digits = key.substr(name.size() + 1);
        std::size_t number = SIZE_MAX;
        std::from_chars(digits.data(), digits.data() + digits.size(), number);
        if (number < members.size() && std::to_string(number) == digits)
            hasSet[number] = true;
    }
    const auto count = static_cast<std::size_t>(std::find(hasSet.begin(), hasSet.end(), false) - hasSet.begin());
    isGapless = all == count;
    return count;
}

/// The largest texCoord of the textures below `value`, plus one.
std::uint64_t neededUvSets(JsonValue value)
{
    std::uint64_t most = 0;
    for (const auto& [key, member] : value.members())
    {
        if (key == "extras" || member.kind() != JsonKind::Object)
            continue;
        if (key.ends_with("Texture") && member.find("index"))
        {
            const std::optional<JsonValue> uvSet = member.find("texCoord");
            most = std::max(most, (uvSet ? uvSet->count().value_or(0) : 0) + 1);
        }
        most = std::max(most, neededUvSets(member));
    }
    return most;
}

} // namespace

void FormatCheck::checkRoot()
{
    const GltfObject root(m_state, m_state.json->root());
    for (const char* key : {"extensionsUsed", "extensionsRequired"})
    {
        const std::optional<JsonValue> names = root.value().find(key);
        std::vector<std::string_view> seen;
        for (const JsonValue name : names ? names->elements() : std::vector<JsonValue>())
            seen.push_back(name.string().value_or(std::string_view()));
        std::sort(seen.begin(), seen.end());
        if (std::adjacent_find(seen.begin(), seen.end()) != seen.end())
            report(key, "names an extension twice");
        if (std::string_view(key) == "extensionsRequired" && isDeclared(kQuantization) &&
            !std::binary_search(seen.begin(), seen.end(), std::string_view(kQuantization)))
            report(key, "must name " + std::string(kQuantization));
    }
    for (std::size_t i = 0; i < m_state.lists.lights.size(); ++i)
        if (const GltfObject light(m_state, m_state.lists.lights[i], "lights", i); light.text("type") == "spot" && !light.has("spot"))
            report(light.path("spot"), "is required");
    m_state.error.reset();
}

void FormatCheck::use(const GltfObject& user, std::string_view key, std::uint8_t flag)
{
    if (const std::uint32_t index = user.index(key, m_uses.size()); index != kNoIndex)
        m_uses[index] = static_cast<std::uint8_t>(m_uses[index] | flag);
}

void FormatCheck::needBounds(const GltfObject& user, const char* key)
{
    const std::uint32_t index = user.index(key, m_uses.size());
    if (index == kNoIndex)
        return;
    const GltfObject accessor(m_state, m_state.lists.accessors[index], "accessors", index);
    if (!accessor.has("min") || !accessor.has("max"))
        report(user.path(key), accessor.path() + " needs min and max");
}

void FormatCheck::checkAttributes(const GltfObject& primitive, const GltfObject& attributes)
{
    std::size_t counts[4] = {};
    constexpr const char* kSets[] = {"TEXCOORD", "COLOR", "JOINTS", "WEIGHTS"};
    for (std::size_t i = 0; i < 4; ++i)
    {
        bool isGapless = true;
        counts[i] = countSets(attributes, kSets[i], isGapless);
        if (!isGapless)
            report(attributes.path(), std::string(kSets[i]) + " sets are not numbered 0, 1, ...");
    }
    if (counts[2] != counts[3])
        report(attributes.path(), "JOINTS and WEIGHTS are not as many");
    needBounds(attributes, "POSITION");
    use(primitive, "indices", kUsedAsIndices);
    for (const auto& [name, value] : attributes.members())
        if (name.starts_with("COLOR_") || name.starts_with("WEIGHTS_"))
            if (const std::optional<std::uint64_t> index = value.count(); index && *index < m_uses.size())
                m_uses[*index] = static_cast<std::uint8_t>(m_uses[*index] | (name.front() == 'C' ? kUsedAsColor : kUsedAsWeights));
}

void FormatCheck::checkMaterialNeeds(const GltfObject& primitive, const GltfObject& attributes)
{
    const std::uint32_t index = primitive.index("material", m_state.lists.materials.size());
    if (index == kNoIndex)
        return;
    const GltfObject material(m_state, m_state.lists.materials[index], "materials", index);
    bool isGapless = true;
    const std::size_t uvSets = countSets(attributes, "TEXCOORD", isGapless);
    std::uint64_t& needed = m_neededUvSets[index];
    if (needed == UINT64_MAX)
        needed = neededUvSets(material.value());
    if (needed > uvSets)
        report(primitive.path(),
            material.path() + " uses TEXCOORD_" + std::to_string(needed - 1) + ", there are " + std::to_string(uvSets) + " sets");
    const std::optional<GltfObject> clearcoat = material.extension("KHR_materials_clearcoat");
    const bool needsTangents = (clearcoat && clearcoat->has("clearcoatNormalTexture")) || material.extension("KHR_materials_anisotropy");
    if (needsTangents && !material.has("normalTexture") && !attributes.has("TANGENT"))
        report(primitive.path(), material.path() + " needs tangents, and there are neither TANGENT nor a normal map to make them from");
}

void FormatCheck::checkPrimitive(const GltfObject& primitive)
{
    const std::optional<GltfObject> attributes = primitive.object("attributes");
    if (!attributes)
        return;
    checkAttributes(primitive, *attributes);
    checkMaterialNeeds(primitive, *attributes);
    const std::vector<GltfObject> targets = primitive.objects("targets");
    std::unordered_set<std::string_view> names;
    if (!targets.empty())
        for (const auto& [name, value] : attributes->members())
            names.insert(name);
    for (const GltfObject& target : targets)
    {
        needBounds(target, "POSITION");
        for (const auto& [name, value] : target.members())
            if (!names.contains(name))
                report(target.path(name), "has no attribute to displace");
    }
}

void FormatCheck::checkPrimitives()
{
    for (std::size_t i = 0; i < m_state.lists.meshes.size(); ++i)
    {
        const GltfObject mesh(m_state, m_state.lists.meshes[i], "meshes", i);
        for (const GltfObject& primitive : mesh.objects("primitives"))
            attempt([&] { checkPrimitive(primitive); });
    }
}

void FormatCheck::checkAnimations()
{
    for (std::size_t i = 0; i < m_state.lists.animations.size(); ++i)
    {
        const GltfObject animation(m_state, m_state.lists.animations[i], "animations", i);
        for (const GltfObject& sampler : animation.objects("samplers"))
        {
            const std::uint32_t input = sampler.index("input", m_uses.size());
            if (input == kNoIndex)
                continue;
            const GltfObject times(m_state, m_state.lists.accessors[input], "accessors", input);
            needBounds(sampler, "input");
            if (times.count("componentType", 0) != 5126 || times.text("type") != "SCALAR")
                report(sampler.path("input"), times.path() + " must hold float scalars");
            if (sampler.text("interpolation") == "CUBICSPLINE" && times.count("count", 0) < 2)
                report(sampler.path("input"), "a cubic spline needs two keys");
        }
        for (const GltfObject& channel : animation.objects("channels"))
        {
            const std::optional<GltfObject> target = channel.object("target");
            if (!target)
                continue;
            const std::uint32_t node = target->index("node", m_state.lists.nodes.size());
            const std::string_view path = target->text("path");
            if (node != kNoIndex && path != "weights" && m_state.lists.nodes[node].find("matrix"))
                report(target->path("node"), "nodes[" + std::to_string(node) + "] has a matrix, which can not be animated");
            if (target->extension("KHR_animation_pointer") && (node != kNoIndex || path != "pointer"))
                report(target->path(), "with KHR_animation_pointer it must have the path \"pointer\" and no node");
        }
    }
    m_state.error.reset();
}

void FormatCheck::checkSkins()
{
    for (std::size_t i = 0; i < m_state.lists.skins.size(); ++i)
    {
        const GltfObject skin(m_state, m_state.lists.skins[i], "skins", i);
        use(skin, "inverseBindMatrices", kUsedAsInverseBind);
        if (i >= m_state.scene.skins.size() || m_state.scene.skins[i].jointNodes.empty())
            continue;
        const std::vector<std::uint32_t>& joints = m_state.scene.skins[i].jointNodes;
        const std::uint32_t root = m_roots[joints.front()];
        if (std::any_of(joints.begin(), joints.end(), [&](std::uint32_t joint) { return m_roots[joint] != root; }))
            report(skin.path("joints"), "have no common root");
    }
}

void FormatCheck::checkScenes()
{
    const GltfObject root(m_state, m_state.json->root());
    const std::uint32_t named = root.index("scene", m_state.lists.scenes.size());
    const std::uint32_t shown = named == kNoIndex ? 0 : named;
    for (std::size_t i = 0; i < m_state.lists.scenes.size(); ++i)
    {
        const GltfObject scene(m_state, m_state.lists.scenes[i], "scenes", i);
        std::vector<std::uint32_t> roots = scene.indexList("nodes", m_state.lists.nodes.size());
        for (std::uint32_t& node : roots)
        {
            if (m_state.scene.nodes[m_state.nodeOrder[node]].parent != kNoIndex)
                report(scene.path("nodes"), "nodes[" + std::to_string(node) + "] is no root");
            node = m_state.nodeOrder[node];
        }
        std::sort(roots.begin(), roots.end());
        if (std::adjacent_find(roots.begin(), roots.end()) != roots.end())
            report(scene.path("nodes"), "names a node twice");
        const auto isShown = [&](std::uint32_t node) { return std::binary_search(roots.begin(), roots.end(), m_roots[node]); };
        for (std::uint32_t k = 0; i == shown && k < m_state.scene.nodes.size(); ++k)
        {
            const std::uint32_t skin = m_state.scene.nodes[k].skinIndex;
            if (skin == kNoIndex || !isShown(k))
                continue;
            const std::vector<std::uint32_t>& joints = m_state.scene.skins[skin].jointNodes;
            if (!joints.empty() && !isShown(joints.front()))
                report(scene.path(), "shows a skinned mesh whose joints are not in the scene");
        }
    }
    m_state.error.reset();
}

} // namespace dl::detail
