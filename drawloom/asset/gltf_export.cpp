// drawloom/asset/gltf_export.cpp - the JSON and binary chunks of a .glb from a SceneDescription.
#include "drawloom/asset/gltf_export.h"

#include "drawloom/asset/detail/gltf_export_buffer.h"
#include "drawloom/asset/detail/gltf_export_check.h"
#include "drawloom/asset/detail/gltf_export_lod.h"
#include "drawloom/asset/detail/gltf_export_material.h"
#include "drawloom/asset/detail/gltf_export_variants.h"
#include "drawloom/asset/png_write.h"
#include "drawloom/core/file_write.h"
#include "drawloom/core/parallel.h"
#include "drawloom/core/trace.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <set>
#include <string>
#include <system_error>

namespace dl
{
namespace
{

using detail::AccessorType;
using detail::kGltfFloat;
using detail::kGltfUnsignedInt;
using detail::kGltfUnsignedShort;
using detail::kTargetIndices;
using detail::kTargetNone;
using detail::kTargetVertices;

/// The TRS that makes this transform within float precision, if there is one (no shear).
std::optional<Trs> toTrs(const Affine& affine)
{
    const auto column = [&affine](int c) { return vec3(affine.rows[0][c], affine.rows[1][c], affine.rows[2][c]); };
    Trs out;
    out.translation = affine.translation();
    out.scale = vec3(glm::length(column(0)), glm::length(column(1)), glm::length(column(2)));
    if (!(out.scale.x > 0.0f && out.scale.y > 0.0f && out.scale.z > 0.0f))
        return std::nullopt;
    if (affine.determinant() < 0.0f)
        out.scale.x = -out.scale.x;
    out.rotation = glm::normalize(glm::quat_cast(mat3(column(0) / out.scale.x, column(1) / out.scale.y, column(2) / out.scale.z)));
    const Affine again = toAffine(out);
    const float tolerance = 4e-6f * maxScale(affine);
    for (int row = 0; row < 3; ++row)
        for (int c = 0; c < 3; ++c)
            if (!(std::fabs(again.rows[row][c] - affine.rows[row][c]) <= tolerance))
                return std::nullopt;
    return out;
}

class GlbWriter
{
public:
    explicit GlbWriter(const SceneDescription& scene) : m_scene(scene)
    {
        std::uint32_t count = 0;
        for (const Mesh& mesh : scene.meshes) // glTF has no meshes without primitives
            m_meshIndices.push_back(mesh.primitives.empty() ? kNoIndex : count++);
    }

    Result<std::vector<std::byte>> run()
    {
        DL_TRY(detail::checkExportable(m_scene));
        m_json.beginObject();
        m_json.beginObject("asset");
        m_json.member("version", "2.0");
        m_json.member("generator", "Drawloom");
        m_json.endObject();
        writeNodes();
        writeMeshes();
        detail::writeMaterials(m_json, m_scene, m_extensionsUsed);
        DL_TRY(writeImages());
        writeSkins();
        writeAnimations();
        writeCameras();
        writeRootExtensions();
        if (m_buffer.hasAccessors())
            m_buffer.writeAccessors(m_json);
        if (m_buffer.hasViews())
            writeBuffer();
        writeExtensions("extensionsUsed", m_extensionsUsed);
        writeExtensions("extensionsRequired", m_extensionsRequired);
        m_json.endObject();
        return pack();
    }

private:
    void writeTransform(const Node& node)
    {
        if (node.matrix)
        {
            m_json.member("matrix", std::span<const float>(&(*node.matrix)[0][0], 16));
            return;
        }
        const Trs& trs = node.local;
        if (trs.translation != vec3(0.0f))
            m_json.member("translation", std::span<const float>(&trs.translation.x, 3));
        if (trs.rotation != quat(1.0f, 0.0f, 0.0f, 0.0f))
            m_json.member("rotation", std::span<const float>(&trs.rotation.x, 4));
        if (trs.scale != vec3(1.0f))
            m_json.member("scale", std::span<const float>(&trs.scale.x, 3));
    }

    /// A lower level of detail takes the node's skin and weights; its instances are the node's alone.
    void writeLevel(const detail::PlacedLod& level)
    {
        const Node& node = m_scene.nodes[level.node];
        writeMeshUse(node, node.lods[level.level].meshIndex);
    }

    void writeMeshUse(const Node& node, std::uint32_t meshIndex)
    {
        if (m_meshIndices[meshIndex] == kNoIndex)
            return;
        m_json.member("mesh", m_meshIndices[meshIndex]);
        if (node.skinIndex != kNoIndex)
            m_json.member("skin", node.skinIndex);
        if (!node.morphWeights.empty())
            m_json.member("weights", std::span<const float>(node.morphWeights));
    }

    void writeNodeExtensions(const Node& node, const std::vector<Trs>& instances, const std::vector<std::uint32_t>& levels)
    {
        if (node.lightIndex == kNoIndex && instances.empty() && levels.empty())
            return;
        m_json.beginObject("extensions");
        if (node.lightIndex != kNoIndex)
        {
            m_extensionsUsed.insert("KHR_lights_punctual");
            m_json.beginObject("KHR_lights_punctual");
            m_json.member("light", node.lightIndex);
            m_json.endObject();
        }
        if (!instances.empty())
            writeInstances(instances);
        if (!levels.empty())
        {
            m_extensionsUsed.insert("MSFT_lod");
            m_json.beginObject("MSFT_lod");
            m_json.member("ids", std::span<const std::uint32_t>(levels));
            m_json.endObject();
        }
        m_json.endObject();
        if (levels.empty() || std::all_of(node.lods.begin(), node.lods.end(), [](const NodeLod& lod) { return lod.minCoverage == 0.0f; }))
            return;
        m_json.beginObject("extras");
        m_json.beginArray("MSFT_screencoverage");
        for (const NodeLod& lod : node.lods)
            m_json.value(lod.minCoverage);
        m_json.endArray();
        m_json.endObject();
    }

    void writeInstances(const std::vector<Trs>& instances)
    {
        m_extensionsUsed.insert("EXT_mesh_gpu_instancing");
        m_extensionsRequired.insert("EXT_mesh_gpu_instancing");
        std::vector<vec3> translations;
        std::vector<vec4> rotations;
        std::vector<vec3> scales;
        for (const Trs& trs : instances)
        {
            translations.push_back(trs.translation);
            rotations.emplace_back(trs.rotation.x, trs.rotation.y, trs.rotation.z, trs.rotation.w);
            scales.push_back(trs.scale);
        }
        m_json.beginObject("EXT_mesh_gpu_instancing");
        m_json.beginObject("attributes");
        m_json.member("TRANSLATION", m_buffer.addAccessor(translations, kGltfFloat, AccessorType::Vec3, kTargetNone));
        m_json.member("ROTATION", m_buffer.addAccessor(rotations, kGltfFloat, AccessorType::Vec4, kTargetNone));
        m_json.member("SCALE", m_buffer.addAccessor(scales, kGltfFloat, AccessorType::Vec3, kTargetNone));
        m_json.endObject();
        m_json.endObject();
    }

    /// All instances as TRS, or none where one can not be.
    static std::vector<Trs> instancesOf(const Node& node)
    {
        std::vector<Trs> out;
        if (node.meshIndex == kNoIndex || node.skinIndex != kNoIndex)
            return out;
        for (const Affine& instance : node.instances)
        {
            const std::optional<Trs> trs = toTrs(instance);
            if (!trs)
                return {};
            out.push_back(*trs);
        }
        return out;
    }

    void writeNodes()
    {
        if (m_scene.nodes.empty())
            return;
        const detail::LodPlan lods = detail::planLods(m_scene);
        std::vector<std::vector<std::uint32_t>> children(m_scene.nodes.size());
        std::vector<std::uint32_t> roots;
        for (std::uint32_t i = 0; i < m_scene.nodes.size(); ++i)
        {
            const std::uint32_t parent = m_scene.nodes[i].parent;
            if (parent != kNoIndex)
                children[parent].push_back(i);
            else if (!lods.isLevel(i)) // levels stand outside the scene
                roots.push_back(i);
        }
        std::vector<std::pair<const Node*, const Affine*>> expanded; // instances that become nodes, after all others
        m_json.beginArray("nodes");
        for (std::size_t i = 0; i < m_scene.nodes.size(); ++i)
        {
            const Node& node = m_scene.nodes[i];
            const std::vector<Trs> instances = instancesOf(node);
            const bool isExpanded = node.meshIndex != kNoIndex && !node.instances.empty() && instances.empty();
            for (const Affine& instance : node.instances)
                if (isExpanded)
                {
                    children[i].push_back(static_cast<std::uint32_t>(m_scene.nodes.size() + lods.added.size() + expanded.size()));
                    expanded.emplace_back(&node, &instance);
                }
            m_json.beginObject();
            if (!node.name.empty())
                m_json.member("name", node.name);
            writeTransform(node);
            if (!children[i].empty())
                m_json.member("children", std::span<const std::uint32_t>(children[i]));
            if (lods.isLevel(i))
                writeLevel(lods.placed[i]);
            else if (node.meshIndex != kNoIndex && !isExpanded)
                writeMeshUse(node, node.meshIndex);
            if (node.cameraIndex != kNoIndex)
                m_json.member("camera", node.cameraIndex);
            if (!lods.isLevel(i))
                writeNodeExtensions(node, instances, isExpanded ? std::vector<std::uint32_t>() : lods.levels[i]);
            m_json.endObject();
        }
        for (const detail::PlacedLod& level : lods.added)
        {
            m_json.beginObject();
            writeTransform(m_scene.nodes[level.node]);
            writeLevel(level);
            m_json.endObject();
        }
        for (const auto& [node, instance] : expanded)
        {
            const mat4 matrix = toMatrix(*instance);
            m_json.beginObject();
            m_json.member("matrix", std::span<const float>(&matrix[0][0], 16));
            writeMeshUse(*node, node->meshIndex);
            m_json.endObject();
        }
        m_json.endArray();
        m_json.beginArray("scenes");
        m_json.beginObject();
        if (!roots.empty())
            m_json.member("nodes", std::span<const std::uint32_t>(roots));
        m_json.endObject();
        m_json.endArray();
        m_json.member("scene", std::uint32_t(0));
    }

    template <class T> void attribute(std::string_view name, const std::vector<T>& values, AccessorType type, bool hasBounds = false)
    {
        if (!values.empty())
            m_json.member(name, m_buffer.addAccessor(values, kGltfFloat, type, kTargetVertices, hasBounds));
    }

    void writeSkinAttributes(const std::vector<VertexSkin>& skin, const char* jointsName, const char* weightsName)
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
        m_json.member(jointsName, m_buffer.addAccessor(joints, kGltfUnsignedShort, AccessorType::Vec4, kTargetVertices));
        attribute(weightsName, weights, AccessorType::Vec4);
    }

    std::uint32_t addIndices(const Primitive& p)
    {
        if (p.positions.size() > 0xffffU) // 65535 itself restarts a primitive
            return m_buffer.addAccessor(p.indices, kGltfUnsignedInt, AccessorType::Scalar, kTargetIndices);
        std::vector<std::uint16_t> narrow;
        narrow.reserve(p.indices.size());
        for (const std::uint32_t index : p.indices)
            narrow.push_back(static_cast<std::uint16_t>(index));
        return m_buffer.addAccessor(narrow, kGltfUnsignedShort, AccessorType::Scalar, kTargetIndices);
    }

    void writePrimitive(const Primitive& p)
    {
        m_json.beginObject();
        m_json.beginObject("attributes");
        attribute("POSITION", p.positions, AccessorType::Vec3, true);
        if (!p.hasFlatNormals)
        {
            attribute("NORMAL", p.normals, AccessorType::Vec3);
            attribute("TANGENT", p.tangents, AccessorType::Vec4);
        }
        attribute("TEXCOORD_0", p.uv0, AccessorType::Vec2);
        attribute("TEXCOORD_1", p.uv1, AccessorType::Vec2);
        attribute("COLOR_0", p.colors, AccessorType::Vec4);
        writeSkinAttributes(p.skin, "JOINTS_0", "WEIGHTS_0");
        writeSkinAttributes(p.skin1, "JOINTS_1", "WEIGHTS_1");
        m_json.endObject();
        m_json.member("indices", addIndices(p));
        if (p.materialIndex != kNoIndex)
            m_json.member("material", p.materialIndex);
        if (!p.morphTargets.empty())
        {
            m_json.beginArray("targets");
            for (const MorphTarget& target : p.morphTargets)
            {
                m_json.beginObject();
                attribute("POSITION", target.positions, AccessorType::Vec3, true);
                attribute("NORMAL", target.normals, AccessorType::Vec3);
                attribute("TANGENT", target.tangents, AccessorType::Vec3);
                m_json.endObject();
            }
            m_json.endArray();
        }
        detail::writeVariantMaterials(m_json, m_scene, p);
        m_json.endObject();
    }

    void writeMeshes()
    {
        const auto isEmpty = [](const Mesh& mesh) { return mesh.primitives.empty(); };
        if (std::all_of(m_scene.meshes.begin(), m_scene.meshes.end(), isEmpty))
            return;
        m_json.beginArray("meshes");
        for (const Mesh& mesh : m_scene.meshes)
        {
            if (isEmpty(mesh))
                continue;
            m_json.beginObject();
            if (!mesh.name.empty())
                m_json.member("name", mesh.name);
            m_json.beginArray("primitives");
            for (const Primitive& primitive : mesh.primitives)
                writePrimitive(primitive);
            m_json.endArray();
            if (!mesh.morphWeights.empty())
            {
                m_json.member("weights", std::span<const float>(mesh.morphWeights));
                writeTargetNames(mesh);
            }
            m_json.endObject();
        }
        m_json.endArray();
    }

    void writeTargetNames(const Mesh& mesh)
    {
        m_json.beginObject("extras");
        m_json.beginArray("targetNames");
        for (const MorphTarget& target : mesh.primitives.front().morphTargets)
            m_json.value(target.name);
        m_json.endArray();
        m_json.endObject();
    }

    Result<void> writeImages()
    {
        if (m_scene.images.empty())
            return {};
        std::vector<Result<std::vector<std::byte>>> files(m_scene.images.size(), std::vector<std::byte>());
        parallelFor(m_scene.images.size(), 1,
            [&](std::size_t begin, std::size_t end)
            {
                for (std::size_t i = begin; i < end; ++i)
                    files[i] = encodePng(m_scene.images[i]);
            });
        m_json.beginArray("images");
        for (std::size_t i = 0; i < files.size(); ++i)
        {
            if (!files[i])
                return withContext(files[i].error(), "images[" + std::to_string(i) + "]");
            m_json.beginObject();
            if (!m_scene.images[i].name.empty())
                m_json.member("name", m_scene.images[i].name);
            m_json.member("mimeType", "image/png");
            m_json.member("bufferView", m_buffer.addView(*files[i]));
            m_json.endObject();
        }
        m_json.endArray();
        return {};
    }

    void writeSkins()
    {
        if (m_scene.skins.empty())
            return;
        m_json.beginArray("skins");
        for (const Skin& skin : m_scene.skins)
        {
            m_json.beginObject();
            if (!skin.name.empty())
                m_json.member("name", skin.name);
            m_json.member("joints", std::span<const std::uint32_t>(skin.jointNodes));
            if (skin.skeletonRoot != kNoIndex)
                m_json.member("skeleton", skin.skeletonRoot);
            m_json.member(
                "inverseBindMatrices", m_buffer.addAccessor(skin.inverseBindMatrices, kGltfFloat, AccessorType::Mat4, kTargetNone));
            m_json.endObject();
        }
        m_json.endArray();
    }

    void writeAnimations()
    {
        std::size_t channelCount = 0;
        for (const Animation& animation : m_scene.animations)
            channelCount += animation.channels.size();
        if (channelCount == 0)
            return;
        m_json.beginArray("animations");
        for (const Animation& animation : m_scene.animations)
            if (!animation.channels.empty())
                writeAnimation(animation);
        m_json.endArray();
    }

    void writeAnimation(const Animation& animation)
    {
        static constexpr const char* kPathNames[] = {"translation", "rotation", "scale", "weights"};
        static constexpr const char* kInterpolationNames[] = {"STEP", "LINEAR", "CUBICSPLINE"};
        m_json.beginObject();
        if (!animation.name.empty())
            m_json.member("name", animation.name);
        m_json.beginArray("samplers");
        for (const AnimationChannel& channel : animation.channels)
        {
            const AccessorType type = channel.path == AnimationPath::Rotation  ? AccessorType::Vec4
                                      : channel.path == AnimationPath::Weights ? AccessorType::Scalar
                                                                               : AccessorType::Vec3;
            m_json.beginObject();
            m_json.member("input", m_buffer.addAccessor(channel.times, kGltfFloat, AccessorType::Scalar, kTargetNone, true));
            m_json.member("output", m_buffer.addAccessor(channel.values, kGltfFloat, type, kTargetNone));
            m_json.member("interpolation", kInterpolationNames[static_cast<std::size_t>(channel.interpolation)]);
            m_json.endObject();
        }
        m_json.endArray();
        m_json.beginArray("channels");
        for (std::uint32_t i = 0; i < animation.channels.size(); ++i)
        {
            m_json.beginObject();
            m_json.member("sampler", i);
            m_json.beginObject("target");
            m_json.member("node", animation.channels[i].nodeIndex);
            m_json.member("path", kPathNames[static_cast<std::size_t>(animation.channels[i].path)]);
            m_json.endObject();
            m_json.endObject();
        }
        m_json.endArray();
        m_json.endObject();
    }

    void writeCameras()
    {
        if (m_scene.cameras.empty())
            return;
        m_json.beginArray("cameras");
        for (const Camera& camera : m_scene.cameras)
        {
            m_json.beginObject();
            if (!camera.name.empty())
                m_json.member("name", camera.name);
            const char* type = camera.isOrthographic ? "orthographic" : "perspective";
            m_json.member("type", type);
            m_json.beginObject(type);
            if (camera.isOrthographic)
            {
                m_json.member("xmag", camera.xMag);
                m_json.member("ymag", camera.yMag);
                m_json.member("zfar", camera.zFar > 0.0f ? camera.zFar : camera.zNear + 1e6f); // glTF wants one here
            }
            else
            {
                m_json.member("yfov", camera.yFovRadians);
                if (camera.aspect > 0.0f)
                    m_json.member("aspectRatio", camera.aspect);
                if (camera.zFar > 0.0f)
                    m_json.member("zfar", camera.zFar);
            }
            m_json.member("znear", camera.zNear);
            m_json.endObject();
            m_json.endObject();
        }
        m_json.endArray();
    }

    void writeLights()
    {
        static constexpr const char* kTypeNames[] = {"directional", "point", "spot"};
        if (m_scene.lights.empty())
            return;
        m_extensionsUsed.insert("KHR_lights_punctual");
        m_json.beginObject("KHR_lights_punctual");
        m_json.beginArray("lights");
        for (const Light& light : m_scene.lights)
        {
            m_json.beginObject();
            if (!light.name.empty())
                m_json.member("name", light.name);
            m_json.member("type", kTypeNames[static_cast<std::size_t>(light.type)]);
            m_json.member("color", std::span<const float>(&light.color.x, 3));
            m_json.member("intensity", light.intensity);
            if (light.range > 0.0f)
                m_json.member("range", light.range);
            if (light.type == LightType::Spot)
            {
                m_json.beginObject("spot");
                m_json.member("innerConeAngle", light.innerConeRadians);
                m_json.member("outerConeAngle", light.outerConeRadians);
                m_json.endObject();
            }
            m_json.endObject();
        }
        m_json.endArray();
        m_json.endObject();
    }

    void writeRootExtensions()
    {
        if (m_scene.lights.empty() && m_scene.variants.empty())
            return;
        m_json.beginObject("extensions");
        writeLights();
        if (!m_scene.variants.empty())
            m_extensionsUsed.insert("KHR_materials_variants");
        detail::writeVariants(m_json, m_scene);
        m_json.endObject();
    }

    void writeBuffer()
    {
        m_buffer.writeViews(m_json);
        m_json.beginArray("buffers");
        m_json.beginObject();
        m_json.member("byteLength", m_buffer.bytes().size());
        m_json.endObject();
        m_json.endArray();
    }

    void writeExtensions(std::string_view key, const std::set<std::string>& names)
    {
        if (names.empty())
            return;
        m_json.beginArray(key);
        for (const std::string& name : names)
            m_json.value(name);
        m_json.endArray();
    }

    /// Header, JSON chunk padded with spaces, binary chunk padded with zeros.
    Result<std::vector<std::byte>> pack() const
    {
        const std::string& json = m_json.text();
        const std::size_t jsonBytes = (json.size() + 3) / 4 * 4;
        const std::size_t binBytes = (m_buffer.bytes().size() + 3) / 4 * 4;
        const std::size_t totalBytes = 12 + 8 + jsonBytes + (binBytes == 0 ? 0 : 8 + binBytes);
        if (totalBytes > 0xffffffffU)
            return Error{ErrorCode::OutOfRange, "the scene needs " + std::to_string(totalBytes) + " bytes; a .glb holds 4 GiB - 1"};
        std::vector<std::byte> out;
        out.reserve(totalBytes);
        const auto word = [&out](std::size_t value)
        {
            for (int shift = 0; shift < 32; shift += 8)
                out.push_back(static_cast<std::byte>((value >> shift) & 255U));
        };
        word(0x46546c67U); // "glTF"
        word(2);
        word(totalBytes);
        word(jsonBytes);
        word(0x4e4f534aU); // "JSON"
        const auto* text = reinterpret_cast<const std::byte*>(json.data());
        out.insert(out.end(), text, text + json.size());
        out.resize(out.size() + jsonBytes - json.size(), std::byte{' '});
        if (binBytes != 0)
        {
            word(binBytes);
            word(0x004e4942U); // "BIN"
            out.insert(out.end(), m_buffer.bytes().begin(), m_buffer.bytes().end());
            out.resize(totalBytes, std::byte{0});
        }
        return out;
    }

    const SceneDescription& m_scene;
    detail::JsonWriter m_json;
    detail::GltfExportBuffer m_buffer;
    std::vector<std::uint32_t> m_meshIndices; ///< in the file, by the scene's; kNoIndex: left out
    std::set<std::string> m_extensionsUsed, m_extensionsRequired;
};

} // namespace

Result<std::vector<std::byte>> exportGlbToMemory(const SceneDescription& scene)
{
    DL_TRACE_SCOPE("exportGlb");
    return GlbWriter(scene).run();
}

Result<void> exportGlb(const SceneDescription& scene, const std::filesystem::path& path)
{
    DL_TRY_ASSIGN(const std::vector<std::byte> bytes, exportGlbToMemory(scene));
    return writeFile(path, bytes);
}

} // namespace dl
