// drawloom/asset/detail/composition_build.cpp - see the header.
#include "drawloom/asset/detail/composition_build.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <system_error>
#include <unordered_map>
#include <unordered_set>
#include <utility>

namespace dl::detail
{
namespace
{

namespace fs = std::filesystem;

/// Where an asset's lists begin in the composed scene.
struct AssetSlot
{
    SceneDescription scene; ///< meshes, materials and images moved out into the composed scene
    std::uint32_t firstMesh = 0, firstCamera = 0, firstLight = 0;
    bool isUsed = false;
};

Error badAsset(const CompositionAsset& asset, const std::string& problem)
{
    return Error{ErrorCode::BadFile, "assets." + asset.key + ": " + problem};
}

/// The file of an asset inside one of the roots; neither `..` nor symbolic links lead out of them.
Result<fs::path> resolveAsset(const CompositionAsset& asset, const std::vector<std::string>& roots, const fs::path& folder)
{
    const fs::path relative(asset.file);
    const bool hasParent = std::any_of(relative.begin(), relative.end(), [](const fs::path& part) { return part == ".."; });
    if (relative.is_absolute() || hasParent || asset.file.find('\\') != std::string::npos || asset.file.find('\0') != std::string::npos)
        return badAsset(asset, "\"" + asset.file + "\" must stay inside its root: no absolute path, no .., no backslash");
    std::vector<fs::path> folders;
    for (const std::string& root : roots)
        folders.push_back(folder / root);
    if (folders.empty())
        folders.push_back(folder);
    for (const fs::path& root : folders)
    {
        std::error_code problem;
        const fs::path file = fs::canonical(root / relative, problem);
        if (problem || !fs::is_regular_file(file, problem))
            continue;
        const fs::path inside = fs::canonical(root, problem);
        const auto end = std::mismatch(inside.begin(), inside.end(), file.begin(), file.end());
        if (problem || end.first != inside.end())
            return badAsset(asset, "\"" + asset.file + "\" leads out of its root by a symbolic link");
        return file;
    }
    return Error{ErrorCode::NotFound, "assets." + asset.key + ": no file \"" + asset.file + "\" in " +
                                          (roots.empty() ? std::string("the composition's folder")
                                                         : "\"" + roots.front() + "\"" + (roots.size() > 1 ? " or the other roots" : ""))};
}

class Builder
{
public:
    Builder(const CompositionFile& file, const CompositionSettings& settings) : m_file(file), m_settings(settings) {}

    Result<SceneDescription> run(const fs::path& folder)
    {
        DL_TRY(importAssets(folder));
        m_placedNodes.resize(m_file.placements.size());
        for (std::uint32_t i = 0; i < m_file.placements.size(); ++i)
        {
            const Result<void> placed = place(i);
            if (!placed)
                return withContext(placed.error(), "placements[" + std::to_string(i) + "] \"" + m_file.placements[i].name + "\"");
        }
        addCameraAndLight();
        m_out.name = m_file.name;
        return std::move(m_out);
    }

private:
    Result<void> importAssets(const fs::path& folder)
    {
        m_assets.resize(m_file.assets.size());
        for (const Placement& placement : m_file.placements)
            m_assets[placement.asset].isUsed = true;
        std::map<fs::path, std::size_t> seen;
        for (std::size_t i = 0; i < m_assets.size(); ++i)
        {
            DL_TRY_ASSIGN(const fs::path path, resolveAsset(m_file.assets[i], m_file.roots, folder));
            if (!m_assets[i].isUsed)
                continue;
            // Two names for one file share all but the nodes.
            if (const auto [entry, isNew] = seen.emplace(path, i); !isNew)
            {
                m_assets[i] = m_assets[entry->second];
                continue;
            }
            m_out.sourceFiles.push_back(path.string());
            Result<SceneDescription> scene = importGltf(path, m_settings.import);
            if (!scene)
                return withContext(std::move(scene).error(), "assets." + m_file.assets[i].key);
            m_assets[i].scene = std::move(*scene);
            moveShared(m_assets[i], m_file.assets[i].key);
        }
        return {};
    }

    /// Meshes, materials and images go into the composed scene once.
    void moveShared(AssetSlot& asset, const std::string& key)
    {
        SceneDescription& scene = asset.scene;
        const auto firstImage = static_cast<std::uint32_t>(m_out.images.size());
        const auto firstMaterial = static_cast<std::uint32_t>(m_out.materials.size());
        asset.firstMesh = static_cast<std::uint32_t>(m_out.meshes.size());
        asset.firstCamera = static_cast<std::uint32_t>(m_out.cameras.size());
        asset.firstLight = static_cast<std::uint32_t>(m_out.lights.size());
        for (Material& material : scene.materials)
            material.forEachTexture([&](TextureRef& texture) { texture.imageIndex += texture.isPresent() ? firstImage : 0; });
        for (Mesh& mesh : scene.meshes)
            for (Primitive& primitive : mesh.primitives)
            {
                primitive.materialIndex += primitive.materialIndex != kNoIndex ? firstMaterial : 0;
                for (VariantMaterial& entry : primitive.variantMaterials)
                {
                    entry.materialIndex += entry.materialIndex != kNoIndex ? firstMaterial : 0;
                    entry.variantIndex = entry.variantIndex == kNoIndex ? kNoIndex : addVariant(scene.variants[entry.variantIndex]);
                }
            }
        append(m_out.images, scene.images);
        append(m_out.materials, scene.materials);
        append(m_out.meshes, scene.meshes);
        append(m_out.cameras, scene.cameras);
        append(m_out.lights, scene.lights);
        for (ImportIssue& issue : scene.issues)
            m_out.issues.push_back({issue.severity, issue.code, "assets." + key + ": " + issue.where, issue.message});
        append(m_out.sourceFiles, scene.sourceFiles);
        for (const std::string& extension : scene.extensionsUsed)
            if (m_extensions.insert(extension).second)
                m_out.extensionsUsed.push_back(extension);
    }

    /// Variants of one name are one variant of the composed scene.
    std::uint32_t addVariant(const std::string& name)
    {
        const auto [found, isNew] = m_variantIndices.try_emplace(name, static_cast<std::uint32_t>(m_out.variants.size()));
        if (isNew)
            m_out.variants.push_back(name);
        return found->second;
    }

    static void moveLods(Node& node, std::uint32_t firstMesh)
    {
        for (NodeLod& lod : node.lods)
        {
            lod.meshIndex += firstMesh;
            lod.nodeIndex = kNoIndex; // a placement's own levels stand in no node
        }
    }

    template <class T> static void append(std::vector<T>& to, std::vector<T>& from)
    {
        to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
        from.clear();
    }

    /// Mesh nodes whose own name or an ancestor's matches.
    static std::vector<bool> filterMeshNodes(const Placement& placement, const SceneDescription& scene)
    {
        const auto matchesAny = [](const std::string& name, const std::vector<std::string>& patterns)
        {
            return std::any_of(patterns.begin(), patterns.end(), [&](const std::string& pattern) { return matchesPattern(name, pattern); });
        };
        std::vector<bool> isIncluded(scene.nodes.size()), isExcluded(scene.nodes.size()), isKept(scene.nodes.size());
        for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        {
            const Node& node = scene.nodes[i];
            const bool hasParent = node.parent != kNoIndex;
            isIncluded[i] = placement.include.empty() || matchesAny(node.name, placement.include) || (hasParent && isIncluded[node.parent]);
            isExcluded[i] = matchesAny(node.name, placement.exclude) || (hasParent && isExcluded[node.parent]);
            isKept[i] = node.meshIndex != kNoIndex && isIncluded[i] && !isExcluded[i];
        }
        return isKept;
    }

    Result<void> takeNodes(std::size_t count)
    {
        if (m_out.nodes.size() + count > m_settings.maxNodeCount)
            return Error{ErrorCode::OutOfBudget, "more than " + std::to_string(m_settings.maxNodeCount) + " nodes; raise maxNodeCount"};
        return {};
    }

    Result<std::uint32_t> findPlacedNode(std::uint32_t placement, const std::string& name) const
    {
        for (const std::uint32_t node : m_placedNodes[placement])
            if (node != kNoIndex && m_out.nodes[node].name == name)
                return node;
        return Error{ErrorCode::BadFile, "placement \"" + m_file.placements[placement].name + "\" has no node \"" + name + "\""};
    }

    Result<void> place(std::uint32_t index)
    {
        const Placement& placement = m_file.placements[index];
        const AssetSlot& asset = m_assets[placement.asset];
        const std::vector<bool> isKept = filterMeshNodes(placement, asset.scene);
        const bool isFiltered = !placement.include.empty() || !placement.exclude.empty();
        if (isFiltered && std::none_of(isKept.begin(), isKept.end(), [](bool kept) { return kept; }))
            return Error{ErrorCode::BadFile, "no mesh node passes the filter of nodes"};
        DL_TRY(takeNodes(asset.scene.nodes.size() + 1));
        Node root;
        root.name = placement.name;
        root.local = placement.trs;
        root.matrix = placement.matrix;
        if (placement.attachTo)
        {
            DL_TRY_ASSIGN(root.parent, findPlacedNode(placement.attachTo->placement, placement.attachTo->node));
        }
        const auto rootIndex = static_cast<std::uint32_t>(m_out.nodes.size());
        m_out.nodes.push_back(std::move(root));
        if (!placement.instances.empty())
            return placeInstances(placement, asset, isKept, rootIndex);
        return placeOnce(index, asset, isKept, isFiltered, rootIndex);
    }

    /// One node for each mesh node of the asset, with all copies as instances. The asset stands as its file has it.
    Result<void> placeInstances(
        const Placement& placement, const AssetSlot& asset, const std::vector<bool>& isKept, std::uint32_t rootIndex)
    {
        const std::vector<Affine> worlds = computeWorldTransforms(asset.scene);
        for (std::size_t i = 0; i < isKept.size(); ++i)
        {
            const Node& node = asset.scene.nodes[i];
            if (!isKept[i])
                continue;
            if (node.skinIndex != kNoIndex)
                return Error{ErrorCode::BadFile, "node \"" + node.name + "\" is skinned; instances and grids are for assets without skins"};
            Node copy;
            copy.name = node.name;
            copy.parent = rootIndex;
            copy.meshIndex = asset.firstMesh + node.meshIndex;
            copy.morphWeights = node.morphWeights;
            copy.lods = node.lods;
            moveLods(copy, asset.firstMesh);
            const std::size_t innerCount = std::max<std::size_t>(1, node.instances.size());
            m_instanceCount += innerCount * placement.instances.size();
            if (m_instanceCount > m_settings.maxInstanceCount)
                return Error{ErrorCode::OutOfBudget,
                    "more than " + std::to_string(m_settings.maxInstanceCount) + " instances; raise maxInstanceCount"};
            copy.instances.reserve(innerCount * placement.instances.size());
            for (const Affine& outer : placement.instances)
                for (std::size_t inner = 0; inner < innerCount; ++inner)
                    copy.instances.push_back(
                        compose(outer, node.instances.empty() ? worlds[i] : compose(worlds[i], node.instances[inner])));
            m_out.nodes.push_back(std::move(copy));
        }
        return {};
    }

    /// Nodes that must be there: kept mesh nodes, joints of their skins, and the ancestors of both; all when unfiltered.
    static std::vector<bool> neededNodes(const SceneDescription& scene, const std::vector<bool>& isKept, bool isFiltered)
    {
        std::vector<bool> isNeeded(scene.nodes.size(), !isFiltered);
        for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        {
            if (!isKept[i])
                continue;
            isNeeded[i] = true;
            if (scene.nodes[i].skinIndex != kNoIndex)
                for (const std::uint32_t joint : scene.skins[scene.nodes[i].skinIndex].jointNodes)
                    isNeeded[joint] = true;
        }
        for (std::size_t i = scene.nodes.size(); i-- > 0;)
            if (isNeeded[i] && scene.nodes[i].parent != kNoIndex)
                isNeeded[scene.nodes[i].parent] = true;
        return isNeeded;
    }

    /// Joints of the kept skins, by asset node, as nodes of the placement whose skeleton is used.
    Result<std::vector<std::uint32_t>> bindJoints(
        const Placement& placement, const SceneDescription& scene, const std::vector<bool>& isKept)
    {
        std::vector<std::uint32_t> bound(scene.nodes.size(), kNoIndex);
        if (placement.bindTo == kNoIndex)
            return bound;
        std::map<std::string, std::uint32_t> byName;
        for (const std::uint32_t node : m_placedNodes[placement.bindTo])
            if (node != kNoIndex)
                byName.emplace(m_out.nodes[node].name, node);
        for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        {
            if (!isKept[i] || scene.nodes[i].skinIndex == kNoIndex)
                continue;
            for (const std::uint32_t joint : scene.skins[scene.nodes[i].skinIndex].jointNodes)
            {
                const auto found = byName.find(scene.nodes[joint].name);
                if (found == byName.end())
                    return Error{ErrorCode::BadFile, "bindTo: placement \"" + m_file.placements[placement.bindTo].name +
                                                         "\" has no joint \"" + scene.nodes[joint].name + "\""};
                bound[joint] = found->second;
            }
        }
        if (std::all_of(bound.begin(), bound.end(), [](std::uint32_t node) { return node == kNoIndex; }))
            return Error{ErrorCode::BadFile, "bindTo: the asset has no skinned mesh node to bind"};
        return bound;
    }

    Result<void> placeOnce(
        std::uint32_t index, const AssetSlot& asset, const std::vector<bool>& isKept, bool isFiltered, std::uint32_t rootIndex)
    {
        const Placement& placement = m_file.placements[index];
        const SceneDescription& scene = asset.scene;
        DL_TRY_ASSIGN(const std::vector<std::uint32_t> bound, bindJoints(placement, scene, isKept));
        const bool isBound = placement.bindTo != kNoIndex;
        const std::vector<bool> isNeeded = neededNodes(scene, isKept, isFiltered || isBound);
        std::vector<std::uint32_t>& map = m_placedNodes[index];
        map.assign(scene.nodes.size(), kNoIndex);
        std::vector<std::uint32_t> skins(scene.skins.size(), kNoIndex);
        for (std::size_t i = 0; i < scene.nodes.size(); ++i)
        {
            if (bound[i] != kNoIndex)
            {
                map[i] = bound[i];
                continue;
            }
            if (!isNeeded[i])
                continue;
            Node node = scene.nodes[i];
            node.parent = node.parent == kNoIndex ? rootIndex : map[node.parent];
            if (!isKept[i])
            {
                node.meshIndex = node.skinIndex = kNoIndex;
                node.morphWeights.clear();
                node.instances.clear();
                node.lods.clear();
            }
            moveLods(node, asset.firstMesh);
            const bool showsExtras = !isFiltered && !isBound;
            node.cameraIndex = node.cameraIndex != kNoIndex && showsExtras ? node.cameraIndex + asset.firstCamera : kNoIndex;
            node.lightIndex = node.lightIndex != kNoIndex && showsExtras ? node.lightIndex + asset.firstLight : kNoIndex;
            if (node.meshIndex != kNoIndex)
                node.meshIndex += asset.firstMesh;
            map[i] = static_cast<std::uint32_t>(m_out.nodes.size());
            if (node.skinIndex != kNoIndex && skins[node.skinIndex] == kNoIndex)
                skins[node.skinIndex] = m_nextSkin++;
            if (node.skinIndex != kNoIndex)
                node.skinIndex = skins[node.skinIndex];
            m_out.nodes.push_back(std::move(node));
        }
        addSkins(scene, map, skins);
        if (!isBound)
            addAnimations(scene, map);
        return {};
    }

    void addSkins(const SceneDescription& scene, const std::vector<std::uint32_t>& map, const std::vector<std::uint32_t>& skins)
    {
        m_out.skins.resize(m_nextSkin);
        for (std::size_t i = 0; i < skins.size(); ++i)
        {
            if (skins[i] == kNoIndex)
                continue;
            Skin skin = scene.skins[i];
            for (std::uint32_t& joint : skin.jointNodes)
                joint = map[joint];
            skin.skeletonRoot = skin.skeletonRoot == kNoIndex ? kNoIndex : map[skin.skeletonRoot];
            m_out.skins[skins[i]] = std::move(skin);
        }
    }

    /// Animations of one name play together on all placements.
    void addAnimations(const SceneDescription& scene, const std::vector<std::uint32_t>& map)
    {
        for (const Animation& animation : scene.animations)
        {
            auto target = std::find_if(
                m_out.animations.begin(), m_out.animations.end(), [&](const Animation& other) { return other.name == animation.name; });
            if (target == m_out.animations.end())
                target = m_out.animations.insert(target, Animation{.name = animation.name, .channels = {}, .durationSeconds = 0.0f});
            for (const AnimationChannel& channel : animation.channels)
            {
                const std::uint32_t node = map[channel.nodeIndex];
                if (node == kNoIndex || (channel.path == AnimationPath::Weights && m_out.nodes[node].meshIndex == kNoIndex))
                    continue;
                target->channels.push_back(channel);
                target->channels.back().nodeIndex = node;
            }
            target->durationSeconds = std::max(target->durationSeconds, animation.durationSeconds);
        }
    }

    static quat facing(vec3 direction)
    {
        const vec3 z = -glm::normalize(direction);
        const vec3 x = glm::normalize(glm::cross(std::fabs(z.y) > 0.999f ? vec3(0, 0, 1) : vec3(0, 1, 0), z));
        return glm::normalize(glm::quat_cast(mat3(x, glm::cross(z, x), z)));
    }

    void addCameraAndLight()
    {
        if (m_file.camera)
        {
            Node node;
            node.name = "camera";
            node.local = {.translation = m_file.camera->eye, .rotation = facing(m_file.camera->target - m_file.camera->eye)};
            node.cameraIndex = static_cast<std::uint32_t>(m_out.cameras.size());
            Camera camera;
            camera.name = "camera";
            camera.yFovRadians = m_file.camera->yFovRadians;
            m_out.cameras.push_back(camera);
            m_out.defaultCameraNode = static_cast<std::uint32_t>(m_out.nodes.size());
            m_out.nodes.push_back(std::move(node));
        }
        if (m_file.light)
        {
            Node node;
            node.name = "light";
            node.local.rotation = facing(m_file.light->direction);
            node.lightIndex = static_cast<std::uint32_t>(m_out.lights.size());
            Light light;
            light.name = "light";
            light.color = m_file.light->color;
            light.intensity = m_file.light->intensity;
            m_out.lights.push_back(light);
            m_out.nodes.push_back(std::move(node));
        }
    }

    const CompositionFile& m_file;
    const CompositionSettings& m_settings;
    std::vector<AssetSlot> m_assets;
    std::vector<std::vector<std::uint32_t>> m_placedNodes; ///< of each placement, by the asset's node index
    std::uint32_t m_nextSkin = 0;
    std::uint64_t m_instanceCount = 0;
    SceneDescription m_out;
    std::unordered_map<std::string, std::uint32_t> m_variantIndices; ///< by name, into m_out.variants
    std::unordered_set<std::string> m_extensions;                    ///< m_out.extensionsUsed
};

} // namespace

bool matchesPattern(std::string_view name, std::string_view pattern)
{
    std::size_t n = 0;
    std::size_t p = 0;
    std::size_t starPattern = std::string_view::npos;
    std::size_t starName = 0;
    while (n < name.size())
    {
        if (p < pattern.size() && (pattern[p] == '?' || (pattern[p] == name[n] && pattern[p] != '*')))
        {
            ++n;
            ++p;
        }
        else if (p < pattern.size() && pattern[p] == '*')
        {
            starPattern = ++p;
            starName = n;
        }
        else if (starPattern != std::string_view::npos)
        {
            p = starPattern;
            n = ++starName;
        }
        else
        {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

Result<SceneDescription> buildComposition(const CompositionFile& file, const fs::path& folder, const CompositionSettings& settings)
{
    return Builder(file, settings).run(folder);
}

} // namespace dl::detail
