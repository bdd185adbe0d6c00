// drawloom/asset/detail/gltf_export_lod.cpp - see the header. One pass from the leaves up finds for each node the trees of
// levels that its subtree has, one from the roots down names the topmost ones.
#include "drawloom/asset/detail/gltf_export_lod.h"

#include <algorithm>

namespace dl::detail
{
namespace
{

/// What a node's subtree has of levels.
struct LevelTree
{
    bool isBroken = false;
    std::uint32_t lodNode = kNoIndex;  ///< a node with levels, for their number and coverages; none: there is no mesh
    std::vector<std::uint32_t> levels; ///< roots of the trees, the finest of the lower levels first
};

bool standsWith(const Node& base, const Node& level)
{
    return base.local.translation == level.local.translation && base.local.rotation == level.local.rotation &&
           base.local.scale == level.local.scale && base.matrix == level.matrix;
}

bool isEmpty(const Node& node)
{
    return node.meshIndex == kNoIndex && node.cameraIndex == kNoIndex && node.lightIndex == kNoIndex;
}

bool haveSameCoverages(const Node& a, const Node& b)
{
    return std::equal(a.lods.begin(), a.lods.end(), b.lods.begin(), b.lods.end(),
        [](const NodeLod& x, const NodeLod& y) { return x.minCoverage == y.minCoverage; });
}

class LodRestorer
{
public:
    LodRestorer(const SceneDescription& scene, const std::vector<bool>& isSpread, std::vector<std::vector<std::uint32_t>>& children)
        : m_scene(scene), m_isSpread(isSpread), m_children(children), m_useCounts(scene.nodes.size()), m_trees(scene.nodes.size())
    {
        for (const Node& node : scene.nodes)
            for (const NodeLod& lod : node.lods)
                if (lod.nodeIndex < m_useCounts.size())
                    ++m_useCounts[lod.nodeIndex];
    }

    RestoredLods run()
    {
        const std::size_t count = m_scene.nodes.size();
        for (std::size_t i = count; i-- > 0;) // children come after their parents
            m_trees[i].isBroken = !findTree(static_cast<std::uint32_t>(i), m_trees[i]);
        RestoredLods out{std::vector<bool>(count), std::vector<PlacedLod>(count), std::vector<std::vector<std::uint32_t>>(count),
            std::vector<std::uint32_t>(count, kNoIndex)};
        for (std::uint32_t i = 0; i < count; ++i)
        {
            LevelTree& tree = m_trees[i];
            const std::uint32_t parent = m_scene.nodes[i].parent;
            const bool isUnderRoot = parent != kNoIndex && out.isRestored[parent];
            out.isRestored[i] = isUnderRoot || (!tree.isBroken && tree.lodNode != kNoIndex);
            if (!out.isRestored[i])
                continue;
            const std::size_t levelCount = hasDrawnMesh(m_scene, m_scene.nodes[i]) ? m_scene.nodes[i].lods.size() : 0;
            for (std::uint32_t level = 1; level < levelCount; ++level)
                out.placed[m_scene.nodes[i].lods[level].nodeIndex] = {i, level};
            if (isUnderRoot)
                continue;
            out.lodNodes[i] = tree.lodNode;
            out.ids[i] = std::move(tree.levels);
        }
        return out;
    }

private:
    /// False: the subtree has a mesh without levels, or levels that differ or do not repeat it.
    bool findTree(std::uint32_t base, LevelTree& out)
    {
        const Node& node = m_scene.nodes[base];
        if (hasDrawnMesh(m_scene, node) && !takeNode(base, base, out))
            return false;
        for (const std::uint32_t child : m_children[base])
            if (m_trees[child].isBroken || (m_trees[child].lodNode != kNoIndex && !takeNode(m_trees[child].lodNode, base, out)))
                return false;
        if (out.lodNode == kNoIndex)
            return true;
        for (std::uint32_t level = 1; level < m_scene.nodes[out.lodNode].lods.size(); ++level)
        {
            const std::uint32_t root = rootOf(base, level);
            if (root >= m_scene.nodes.size() || !canStandFor(root, node) || !matchChildren(base, root, level))
                return false;
            out.levels.push_back(root);
        }
        return true;
    }

    /// One more node with levels, `base` itself or of one of its children's trees.
    bool takeNode(std::uint32_t index, std::uint32_t base, LevelTree& out) const
    {
        const Node& node = m_scene.nodes[index];
        if (index == base && (m_isSpread[index] || node.lods.size() < 2))
            return false;
        if (out.lodNode != kNoIndex)
            return haveSameCoverages(m_scene.nodes[out.lodNode], node);
        out.lodNode = index;
        return true;
    }

    /// Without a mesh: the parent of the first child's level.
    std::uint32_t rootOf(std::uint32_t base, std::uint32_t level) const
    {
        const Node& node = m_scene.nodes[base];
        if (hasDrawnMesh(m_scene, node))
        {
            const std::uint32_t root = node.lods[level].nodeIndex;
            return root < m_useCounts.size() && m_useCounts[root] == 1 ? root : kNoIndex;
        }
        for (const std::uint32_t child : m_children[base])
            if (m_trees[child].lodNode != kNoIndex)
                return m_scene.nodes[m_trees[child].levels[level - 1]].parent;
        return kNoIndex;
    }

    bool canStandFor(std::uint32_t level, const Node& base) const
    {
        return isEmpty(m_scene.nodes[level]) && standsWith(base, m_scene.nodes[level]);
    }

    /// Children with levels know theirs; the others take what is left, in order.
    bool matchChildren(std::uint32_t base, std::uint32_t root, std::uint32_t level)
    {
        const std::vector<std::uint32_t>& baseChildren = m_children[base];
        if (m_children[root].size() != baseChildren.size())
            return false;
        std::vector<std::uint32_t> order, rest = m_children[root];
        for (const std::uint32_t child : baseChildren)
            if (m_trees[child].lodNode != kNoIndex && std::erase(rest, m_trees[child].levels[level - 1]) != 1)
                return false;
        std::size_t next = 0;
        for (const std::uint32_t child : baseChildren)
        {
            const bool hasLevels = m_trees[child].lodNode != kNoIndex;
            if (!hasLevels && !areAlike(child, rest[next]))
                return false;
            order.push_back(hasLevels ? m_trees[child].levels[level - 1] : rest[next++]);
        }
        m_children[root] = std::move(order);
        return true;
    }

    /// Of trees without a mesh.
    bool areAlike(std::uint32_t base, std::uint32_t level) const
    {
        std::vector<PlacedLod> pairs(1, PlacedLod{base, level});
        for (std::size_t i = 0; i < pairs.size(); ++i)
        {
            const std::vector<std::uint32_t>& baseChildren = m_children[pairs[i].node];
            const std::vector<std::uint32_t>& levelChildren = m_children[pairs[i].level];
            if (!canStandFor(pairs[i].level, m_scene.nodes[pairs[i].node]) || baseChildren.size() != levelChildren.size())
                return false;
            for (std::size_t k = 0; k < baseChildren.size(); ++k)
                pairs.push_back({baseChildren[k], levelChildren[k]});
        }
        return true;
    }

    const SceneDescription& m_scene;
    const std::vector<bool>& m_isSpread;
    std::vector<std::vector<std::uint32_t>>& m_children;
    std::vector<std::uint32_t> m_useCounts; ///< by node: how many levels came from it
    std::vector<LevelTree> m_trees;
};

} // namespace

bool hasDrawnMesh(const SceneDescription& scene, const Node& node)
{
    return node.meshIndex != kNoIndex && !scene.meshes[node.meshIndex].primitives.empty();
}

RestoredLods restoreLods(
    const SceneDescription& scene, const std::vector<bool>& isSpread, std::vector<std::vector<std::uint32_t>>& children)
{
    return LodRestorer(scene, isSpread, children).run();
}

} // namespace dl::detail
