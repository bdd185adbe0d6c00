// drawloom/asset/detail/gltf_lod.cpp - see the header. Follows MSFT_lod and its extras, MSFT_screencoverage.
#include "drawloom/asset/detail/gltf_lod.h"

#include <algorithm>
#include <unordered_map>

namespace dl::detail
{
namespace
{

struct NodePair
{
    std::uint32_t base, level; ///< by the file's indices
};

class LodReader
{
public:
    explicit LodReader(GltfState& state) : m_state(state), m_isTaken(state.lists.nodes.size(), false) {}

    void read(const GltfObject& base, std::uint32_t baseIndex, const GltfObject& extension)
    {
        const std::vector<std::uint32_t> levels = extension.indexList("ids", m_state.lists.nodes.size());
        const std::vector<float> fileCoverages = readCoverages(base, levels.size() + 1);
        std::vector<float> coverages(1, fileCoverages[0]);
        std::vector<std::vector<NodePair>> kept;
        for (std::size_t i = 0; i < levels.size() && !m_state.failed(); ++i)
        {
            std::vector<NodePair> pairs;
            if (const char* problem = pairTrees({baseIndex, levels[i]}, pairs))
            {
                m_state.warn(
                    "lod-ignored", extension.path("ids"), "nodes[" + std::to_string(levels[i]) + "] is no level of detail: " + problem);
                coverages.back() = fileCoverages[i + 1]; // the level before stands in
                continue;
            }
            coverages.push_back(fileCoverages[i + 1]);
            kept.push_back(std::move(pairs));
        }
        for (std::size_t level = 0; level < kept.size(); ++level)
            for (const NodePair& pair : kept[level])
                addLevel(pair, coverages, level + 1);
    }

private:
    bool drawsNothing(std::uint32_t meshIndex) const { return m_state.scene.meshes[meshIndex].primitives.empty(); }
    Node& node(std::uint32_t fileIndex) { return m_state.scene.nodes[m_state.nodeOrder[fileIndex]]; }

    /// One a level, from the finest; zeros where the file has none that can be used.
    std::vector<float> readCoverages(const GltfObject& base, std::size_t levelCount)
    {
        const std::optional<JsonValue> extras = base.value().find("extras");
        const std::optional<JsonValue> list = extras ? extras->find("MSFT_screencoverage") : std::nullopt;
        std::vector<float> out;
        if (list)
            for (const JsonValue element : list->elements())
                out.push_back(static_cast<float>(element.number().value_or(-1.0)));
        const bool isUsable = out.size() == levelCount && std::is_sorted(out.rbegin(), out.rend()) &&
                              std::all_of(out.begin(), out.end(), [](float value) { return value >= 0.0f && value <= 1.0f; });
        if (list && !isUsable)
            m_state.warn("lod-coverage-ignored", base.path("extras.MSFT_screencoverage"),
                "must be " + std::to_string(levelCount) + " numbers from 1 down to 0");
        if (!isUsable)
            out.assign(levelCount, 0.0f);
        return out;
    }

    std::vector<std::uint32_t> childrenOf(std::uint32_t fileIndex)
    {
        return GltfObject(m_state, m_state.lists.nodes[fileIndex], "nodes", fileIndex).indexList("children", m_state.lists.nodes.size());
    }

    /// Read once: every level of a node walks the same base.
    const std::vector<std::uint32_t>& baseChildrenOf(std::uint32_t fileIndex)
    {
        const auto [found, isNew] = m_baseChildren.try_emplace(fileIndex);
        if (isNew)
            found->second = childrenOf(fileIndex);
        return found->second;
    }

    /// Says why `level` can not stand in for `base`, or nothing.
    const char* problemOf(const Node& base, const Node& level) const
    {
        if (base.local.translation != level.local.translation || base.local.rotation != level.local.rotation ||
            base.local.scale != level.local.scale || base.matrix != level.matrix)
            return "it has another transform";
        if ((base.meshIndex == kNoIndex) != (level.meshIndex == kNoIndex) || base.skinIndex != level.skinIndex)
            return "its mesh or skin is at another place";
        if (base.meshIndex != kNoIndex &&
            m_state.scene.meshes[base.meshIndex].morphWeights.size() != m_state.scene.meshes[level.meshIndex].morphWeights.size())
            return "its mesh has another number of morph targets";
        if (base.meshIndex != kNoIndex && drawsNothing(base.meshIndex) != drawsNothing(level.meshIndex))
            return "one of the two meshes has points and lines only, which are not drawn";
        return nullptr;
    }

    /// Pairs the nodes of both trees. Every node is walked as a level once at most, which bounds the work.
    const char* pairTrees(const NodePair& roots, std::vector<NodePair>& pairs)
    {
        pairs.assign(1, roots);
        for (std::size_t i = 0; i < pairs.size(); ++i)
        {
            const NodePair pair = pairs[i];
            if (m_isTaken[pair.level] || pair.level == roots.base)
                return "it is part of another level, or of the node itself";
            m_isTaken[pair.level] = true;
            if (const char* problem = problemOf(node(pair.base), node(pair.level)))
                return problem;
            const std::vector<std::uint32_t>& baseChildren = baseChildrenOf(pair.base);
            const std::vector<std::uint32_t> levelChildren = childrenOf(pair.level);
            if (baseChildren.size() != levelChildren.size())
                return "it has another number of children";
            for (std::size_t k = 0; k < baseChildren.size(); ++k)
                pairs.push_back({baseChildren[k], levelChildren[k]});
        }
        return nullptr;
    }

    void addLevel(const NodePair& pair, const std::vector<float>& coverages, std::size_t level)
    {
        Node& base = node(pair.base);
        Node& lower = node(pair.level);
        if (base.meshIndex == kNoIndex || drawsNothing(base.meshIndex))
            return;
        if (base.lods.empty())
            base.lods.push_back({.meshIndex = base.meshIndex, .minCoverage = coverages[0]});
        if (coverages[level] <= base.lods.back().minCoverage)
            base.lods.push_back({lower.meshIndex, coverages[level], m_state.nodeOrder[pair.level]});
        else // an ancestor has levels, too
            m_state.warn("lod-ignored", "nodes[" + std::to_string(pair.level) + "]",
                "its coverage is above that of the levels that nodes[" + std::to_string(pair.base) + "] has already");
        lower.meshIndex = lower.skinIndex = kNoIndex;
        lower.morphWeights.clear();
        lower.instances.clear();
        lower.lods.clear(); // its own levels came first and end with it
    }

    GltfState& m_state;
    std::unordered_map<std::uint32_t, std::vector<std::uint32_t>> m_baseChildren;
    std::vector<bool> m_isTaken; ///< by the file's index: walked as part of a level
};

} // namespace

void readLods(GltfState& state)
{
    LodReader reader(state);
    for (std::uint32_t i = 0; i < state.lists.nodes.size() && !state.failed(); ++i)
    {
        const GltfObject object(state, state.lists.nodes[i], "nodes", i);
        if (const std::optional<GltfObject> extension = object.extension("MSFT_lod"))
            reader.read(object, i, *extension);
    }
}

} // namespace dl::detail
