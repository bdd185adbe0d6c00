// drawloom/asset/detail/gltf_export_plan.cpp - see the header.
#include "drawloom/asset/detail/gltf_export_plan.h"

#include "drawloom/asset/detail/gltf_export_instances.h"
#include "drawloom/asset/detail/gltf_export_lod.h"

namespace dl::detail
{
namespace
{

class NodePlanner
{
public:
    explicit NodePlanner(const SceneDescription& scene) : m_scene(scene) {}

    NodePlan run()
    {
        const std::size_t count = m_scene.nodes.size();
        m_plan.nodes.resize(count);
        m_plan.carriers.resize(count);
        std::vector<bool> isSpread(count);
        std::vector<std::vector<std::uint32_t>> children(count);
        for (std::uint32_t i = 0; i < count; ++i)
        {
            const Node& node = m_scene.nodes[i];
            m_plan.nodes[i].placed = &node;
            if (hasDrawnMesh(m_scene, node))
                m_plan.nodes[i].instances = instancesOf(node);
            isSpread[i] = hasDrawnMesh(m_scene, node) && !node.instances.empty() && m_plan.nodes[i].instances.empty();
            if (node.parent != kNoIndex)
                children[node.parent].push_back(i);
        }
        RestoredLods lods = restoreLods(m_scene, isSpread, children);
        std::vector<bool> isLevel(count);
        for (const std::vector<std::uint32_t>& ids : lods.ids)
            for (const std::uint32_t id : ids)
                isLevel[id] = true;
        for (std::uint32_t i = 0; i < count; ++i)
        {
            m_plan.nodes[i].children = std::move(children[i]);
            if (m_scene.nodes[i].parent == kNoIndex && !isLevel[i])
                m_plan.roots.push_back(i);
            planNode(i, isSpread[i], lods);
        }
        return std::move(m_plan);
    }

private:
    std::uint32_t add(FileNode node)
    {
        m_plan.nodes.push_back(std::move(node));
        return static_cast<std::uint32_t>(m_plan.nodes.size() - 1);
    }

    void planNode(std::uint32_t index, bool isSpread, RestoredLods& lods)
    {
        const Node& node = m_scene.nodes[index];
        m_plan.nodes[index].lodIds = std::move(lods.ids[index]);
        m_plan.nodes[index].lodNode = lods.lodNodes[index];
        if (const PlacedLod level = lods.placed[index]; level.node != kNoIndex)
        {
            m_plan.nodes[index].meshNode = level.node;
            m_plan.nodes[index].level = level.level;
        }
        if (!hasDrawnMesh(m_scene, node))
            return;
        const bool hasOwnLevels = node.lods.size() > 1 && !lods.isRestored[index];
        if (isSpread)
            for (const Affine& instance : node.instances)
                addCarrier(index, &instance, hasOwnLevels);
        else if (hasOwnLevels && !m_plan.nodes[index].children.empty())
            addCarrier(index, nullptr, true);
        else
            giveMesh(index, index, hasOwnLevels);
    }

    void addCarrier(std::uint32_t sceneNode, const Affine* instance, bool hasLevels)
    {
        FileNode carrier{.instance = instance, .instances = std::move(m_plan.nodes[sceneNode].instances), .lodIds = {}, .children = {}};
        m_plan.nodes[sceneNode].instances.clear();
        const std::uint32_t index = add(std::move(carrier));
        m_plan.nodes[sceneNode].children.push_back(index);
        m_plan.carriers[sceneNode].push_back(index);
        giveMesh(index, sceneNode, hasLevels);
    }

    /// Levels get nodes of their own, which must stand as the node does.
    void giveMesh(std::uint32_t index, std::uint32_t sceneNode, bool hasLevels)
    {
        m_plan.nodes[index].meshNode = sceneNode;
        const std::size_t levelCount = hasLevels ? m_scene.nodes[sceneNode].lods.size() : 0;
        for (std::uint32_t level = 1; level < levelCount; ++level)
        {
            const FileNode& base = m_plan.nodes[index];
            const std::uint32_t added = add({.placed = base.placed,
                .instance = base.instance,
                .meshNode = sceneNode,
                .level = level,
                .instances = {},
                .lodIds = {},
                .children = {}});
            m_plan.nodes[index].lodIds.push_back(added);
            m_plan.nodes[index].lodNode = sceneNode;
        }
    }

    const SceneDescription& m_scene;
    NodePlan m_plan;
};

} // namespace

NodePlan planNodes(const SceneDescription& scene)
{
    return NodePlanner(scene).run();
}

} // namespace dl::detail
