// drawloom/asset/detail/gltf_export_node.cpp - nodes, their extensions and the one scene of a .glb.
#include "drawloom/asset/detail/gltf_export_instances.h"
#include "drawloom/asset/detail/gltf_export_lod.h"

#include <algorithm>

namespace dl::detail
{
namespace
{

void writeTransform(GltfExport& out, const Node& node)
{
    if (node.matrix)
    {
        out.json.member("matrix", std::span<const float>(&(*node.matrix)[0][0], 16));
        return;
    }
    const Trs& trs = node.local;
    if (trs.translation != vec3(0.0f))
        out.json.member("translation", std::span<const float>(&trs.translation.x, 3));
    if (trs.rotation != quat(1.0f, 0.0f, 0.0f, 0.0f))
        out.json.member("rotation", std::span<const float>(&trs.rotation.x, 4));
    if (trs.scale != vec3(1.0f))
        out.json.member("scale", std::span<const float>(&trs.scale.x, 3));
}

void writeMeshUse(GltfExport& out, const Node& node, std::uint32_t meshIndex)
{
    if (out.meshIndices[meshIndex] == kNoIndex)
        return;
    out.json.member("mesh", out.meshIndices[meshIndex]);
    if (node.skinIndex != kNoIndex)
        out.json.member("skin", node.skinIndex);
    if (!node.morphWeights.empty())
        out.json.member("weights", std::span<const float>(node.morphWeights));
}

/// A lower level of detail takes the node's skin and weights; its instances are the node's alone.
void writeLevel(GltfExport& out, const PlacedLod& level)
{
    const Node& node = out.scene.nodes[level.node];
    writeMeshUse(out, node, node.lods[level.level].meshIndex);
}

void writeNodeExtensions(GltfExport& out, const Node& node, const std::vector<Trs>& instances, const std::vector<std::uint32_t>& levels)
{
    if (node.lightIndex == kNoIndex && instances.empty() && levels.empty())
        return;
    out.json.beginObject("extensions");
    if (node.lightIndex != kNoIndex)
    {
        out.extensionsUsed.insert("KHR_lights_punctual");
        out.json.beginObject("KHR_lights_punctual");
        out.json.member("light", node.lightIndex);
        out.json.endObject();
    }
    if (!instances.empty())
        writeInstances(out, instances);
    if (!levels.empty())
    {
        out.extensionsUsed.insert("MSFT_lod");
        out.json.beginObject("MSFT_lod");
        out.json.member("ids", std::span<const std::uint32_t>(levels));
        out.json.endObject();
    }
    out.json.endObject();
    if (levels.empty() || std::all_of(node.lods.begin(), node.lods.end(), [](const NodeLod& lod) { return lod.minCoverage == 0.0f; }))
        return;
    out.json.beginObject("extras");
    out.json.beginArray("MSFT_screencoverage");
    for (const NodeLod& lod : node.lods)
        out.json.value(lod.minCoverage);
    out.json.endArray();
    out.json.endObject();
}

} // namespace

void writeNodes(GltfExport& out)
{
    if (out.scene.nodes.empty())
        return;
    const LodPlan lods = planLods(out.scene);
    std::vector<std::vector<std::uint32_t>> children(out.scene.nodes.size());
    std::vector<std::uint32_t> roots;
    for (std::uint32_t i = 0; i < out.scene.nodes.size(); ++i)
    {
        const std::uint32_t parent = out.scene.nodes[i].parent;
        if (parent != kNoIndex)
            children[parent].push_back(i);
        else if (!lods.isLevel(i)) // levels stand outside the scene
            roots.push_back(i);
    }
    std::vector<std::pair<const Node*, const Affine*>> expanded; // instances that become nodes, after all others
    out.json.beginArray("nodes");
    for (std::size_t i = 0; i < out.scene.nodes.size(); ++i)
    {
        const Node& node = out.scene.nodes[i];
        const std::vector<Trs> instances = instancesOf(node);
        const bool isExpanded = node.meshIndex != kNoIndex && !node.instances.empty() && instances.empty();
        for (const Affine& instance : node.instances)
            if (isExpanded)
            {
                children[i].push_back(static_cast<std::uint32_t>(out.scene.nodes.size() + lods.added.size() + expanded.size()));
                expanded.emplace_back(&node, &instance);
            }
        out.json.beginObject();
        if (!node.name.empty())
            out.json.member("name", node.name);
        writeTransform(out, node);
        if (!children[i].empty())
            out.json.member("children", std::span<const std::uint32_t>(children[i]));
        if (lods.isLevel(i))
            writeLevel(out, lods.placed[i]);
        else if (node.meshIndex != kNoIndex && !isExpanded)
            writeMeshUse(out, node, node.meshIndex);
        if (node.cameraIndex != kNoIndex)
            out.json.member("camera", node.cameraIndex);
        if (!lods.isLevel(i))
            writeNodeExtensions(out, node, instances, isExpanded ? std::vector<std::uint32_t>() : lods.levels[i]);
        out.json.endObject();
    }
    for (const PlacedLod& level : lods.added)
    {
        out.json.beginObject();
        writeTransform(out, out.scene.nodes[level.node]);
        writeLevel(out, level);
        out.json.endObject();
    }
    for (const auto& [node, instance] : expanded)
    {
        const mat4 matrix = toMatrix(*instance);
        out.json.beginObject();
        out.json.member("matrix", std::span<const float>(&matrix[0][0], 16));
        writeMeshUse(out, *node, node->meshIndex);
        out.json.endObject();
    }
    out.json.endArray();
    out.json.beginArray("scenes");
    out.json.beginObject();
    if (!roots.empty())
        out.json.member("nodes", std::span<const std::uint32_t>(roots));
    out.json.endObject();
    out.json.endArray();
    out.json.member("scene", std::uint32_t(0));
}

} // namespace dl::detail
