// drawloom/asset/detail/gltf_export_node.cpp - nodes, their extensions and the one scene of a .glb.
#include "drawloom/asset/detail/gltf_export_instances.h"

#include <algorithm>

namespace dl::detail
{
namespace
{

void writeTransform(GltfExport& out, const FileNode& file)
{
    if (file.instance != nullptr)
    {
        const mat4 matrix = toMatrix(*file.instance);
        out.json.member("matrix", std::span<const float>(&matrix[0][0], 16));
    }
    if (file.placed == nullptr)
        return;
    const Node& node = *file.placed;
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

/// A lower level of detail takes the node's skin and weights; its instances are the node's alone.
void writeMeshUse(GltfExport& out, const FileNode& file)
{
    const Node& node = out.scene.nodes[file.meshNode];
    out.json.member("mesh", out.meshIndices[file.level == 0 ? node.meshIndex : node.lods[file.level].meshIndex]);
    if (node.skinIndex != kNoIndex)
        out.json.member("skin", node.skinIndex);
    if (!node.morphWeights.empty())
        out.json.member("weights", std::span<const float>(node.morphWeights));
}

void writeExtensions(GltfExport& out, const FileNode& file, std::uint32_t lightIndex)
{
    if (lightIndex == kNoIndex && file.instances.empty() && file.lodIds.empty())
        return;
    out.json.beginObject("extensions");
    if (lightIndex != kNoIndex)
    {
        out.extensionsUsed.insert("KHR_lights_punctual");
        out.json.beginObject("KHR_lights_punctual");
        out.json.member("light", lightIndex);
        out.json.endObject();
    }
    if (!file.instances.empty())
        writeInstances(out, file.instances);
    if (!file.lodIds.empty())
    {
        out.extensionsUsed.insert("MSFT_lod");
        out.json.beginObject("MSFT_lod");
        out.json.member("ids", std::span<const std::uint32_t>(file.lodIds));
        out.json.endObject();
    }
    out.json.endObject();
}

void writeCoverages(GltfExport& out, const FileNode& file)
{
    if (file.lodIds.empty())
        return;
    const std::vector<NodeLod>& lods = out.scene.nodes[file.lodNode].lods;
    if (std::all_of(lods.begin(), lods.end(), [](const NodeLod& lod) { return lod.minCoverage == 0.0f; }))
        return;
    out.json.beginObject("extras");
    out.json.beginArray("MSFT_screencoverage");
    for (const NodeLod& lod : lods)
        out.json.value(lod.minCoverage);
    out.json.endArray();
    out.json.endObject();
}

/// `node`: of the scene; none for an added one.
void writeNode(GltfExport& out, const FileNode& file, const Node* node)
{
    out.json.beginObject();
    if (node != nullptr && !node->name.empty())
        out.json.member("name", node->name);
    writeTransform(out, file);
    if (!file.children.empty())
        out.json.member("children", std::span<const std::uint32_t>(file.children));
    if (file.meshNode != kNoIndex)
        writeMeshUse(out, file);
    if (node != nullptr && node->cameraIndex != kNoIndex)
        out.json.member("camera", node->cameraIndex);
    writeExtensions(out, file, node != nullptr ? node->lightIndex : kNoIndex);
    writeCoverages(out, file);
    out.json.endObject();
}

} // namespace

void writeNodes(GltfExport& out)
{
    if (out.scene.nodes.empty())
        return;
    out.json.beginArray("nodes");
    for (std::size_t i = 0; i < out.plan.nodes.size(); ++i)
        writeNode(out, out.plan.nodes[i], i < out.scene.nodes.size() ? &out.scene.nodes[i] : nullptr);
    out.json.endArray();
    out.json.beginArray("scenes");
    out.json.beginObject();
    if (!out.plan.roots.empty())
        out.json.member("nodes", std::span<const std::uint32_t>(out.plan.roots));
    out.json.endObject();
    out.json.endArray();
    out.json.member("scene", std::uint32_t(0));
}

} // namespace dl::detail
