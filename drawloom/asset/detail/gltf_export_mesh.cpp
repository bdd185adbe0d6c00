// drawloom/asset/detail/gltf_export_mesh.cpp - meshes of a .glb: attributes, indices, morph targets.
#include "drawloom/asset/detail/gltf_export_variants.h"
#include "drawloom/asset/detail/gltf_export_writer.h"

#include <algorithm>
#include <array>

namespace dl::detail
{
namespace
{

template <class T>
void attribute(GltfExport& out, std::string_view name, const std::vector<T>& values, AccessorType type, bool hasBounds = false)
{
    if (!values.empty())
        out.json.member(name, out.buffer.addAccessor(values, kGltfFloat, type, kTargetVertices, hasBounds));
}

void writeSkinAttributes(GltfExport& out, const std::vector<VertexSkin>& skin, const char* jointsName, const char* weightsName)
{
    if (skin.empty())
        return;
    std::vector<std::array<std::uint16_t, 4>> joints;
    std::vector<vec4> weights;
    for (const VertexSkin& vertex : skin)
    {
        auto& used = joints.emplace_back();
        for (std::size_t i = 0; i < 4; ++i) // glTF wants joint 0 where there is no weight
            used[i] = vertex.weights[i] != 0.0f ? vertex.joints[i] : std::uint16_t(0);
        weights.emplace_back(vertex.weights[0], vertex.weights[1], vertex.weights[2], vertex.weights[3]);
    }
    out.json.member(jointsName, out.buffer.addAccessor(joints, kGltfUnsignedShort, AccessorType::Vec4, kTargetVertices));
    attribute(out, weightsName, weights, AccessorType::Vec4);
}

std::uint32_t addIndices(GltfExport& out, const Primitive& p)
{
    if (p.positions.size() > 0xffffU) // 65535 itself restarts a primitive
        return out.buffer.addAccessor(p.indices, kGltfUnsignedInt, AccessorType::Scalar, kTargetIndices);
    std::vector<std::uint16_t> narrow;
    narrow.reserve(p.indices.size());
    for (const std::uint32_t index : p.indices)
        narrow.push_back(static_cast<std::uint16_t>(index));
    return out.buffer.addAccessor(narrow, kGltfUnsignedShort, AccessorType::Scalar, kTargetIndices);
}

bool isStill(const MorphTarget& target)
{
    return target.positions.empty() && target.normals.empty() && target.tangents.empty();
}

/// A target that displaces nothing says so with zeros: glTF has no targets without an attribute.
void writeTargets(GltfExport& out, const Primitive& p)
{
    if (p.morphTargets.empty())
        return;
    std::uint32_t zeros = kNoIndex;
    out.json.beginArray("targets");
    for (const MorphTarget& target : p.morphTargets)
    {
        out.json.beginObject();
        attribute(out, "POSITION", target.positions, AccessorType::Vec3, true);
        attribute(out, "NORMAL", target.normals, AccessorType::Vec3);
        attribute(out, "TANGENT", target.tangents, AccessorType::Vec3);
        if (isStill(target))
        {
            if (zeros == kNoIndex)
                zeros = out.buffer.addAccessor(
                    std::vector<vec3>(p.positions.size(), vec3(0.0f)), kGltfFloat, AccessorType::Vec3, kTargetVertices, true);
            out.json.member("POSITION", zeros);
        }
        out.json.endObject();
    }
    out.json.endArray();
}

void writePrimitive(GltfExport& out, const Primitive& p)
{
    out.json.beginObject();
    out.json.beginObject("attributes");
    attribute(out, "POSITION", p.positions, AccessorType::Vec3, true);
    if (!p.hasFlatNormals)
    {
        attribute(out, "NORMAL", p.normals, AccessorType::Vec3);
        attribute(out, "TANGENT", p.tangents, AccessorType::Vec4);
    }
    attribute(out, "TEXCOORD_0", p.uv0, AccessorType::Vec2);
    attribute(out, "TEXCOORD_1", p.uv1, AccessorType::Vec2);
    attribute(out, "COLOR_0", p.colors, AccessorType::Vec4);
    writeSkinAttributes(out, p.skin, "JOINTS_0", "WEIGHTS_0");
    writeSkinAttributes(out, p.skin1, "JOINTS_1", "WEIGHTS_1");
    out.json.endObject();
    out.json.member("indices", addIndices(out, p));
    if (p.materialIndex != kNoIndex)
        out.json.member("material", p.materialIndex);
    writeTargets(out, p);
    writeVariantMaterials(out.json, out.scene, p);
    out.json.endObject();
}

void writeTargetNames(GltfExport& out, const Mesh& mesh)
{
    out.json.beginObject("extras");
    out.json.beginArray("targetNames");
    for (const MorphTarget& target : mesh.primitives.front().morphTargets)
        out.json.value(target.name);
    out.json.endArray();
    out.json.endObject();
}

} // namespace

void writeMeshes(GltfExport& out)
{
    const auto isEmpty = [](const Mesh& mesh) { return mesh.primitives.empty(); };
    if (std::all_of(out.scene.meshes.begin(), out.scene.meshes.end(), isEmpty))
        return;
    out.json.beginArray("meshes");
    for (const Mesh& mesh : out.scene.meshes)
    {
        if (isEmpty(mesh))
            continue;
        out.json.beginObject();
        if (!mesh.name.empty())
            out.json.member("name", mesh.name);
        out.json.beginArray("primitives");
        for (const Primitive& primitive : mesh.primitives)
            writePrimitive(out, primitive);
        out.json.endArray();
        if (!mesh.morphWeights.empty())
        {
            out.json.member("weights", std::span<const float>(mesh.morphWeights));
            writeTargetNames(out, mesh);
        }
        out.json.endObject();
    }
    out.json.endArray();
}

} // namespace dl::detail
